// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The cursor of the server's stream")
struct StreamCursorTests {
  private func place(_ epoch: UInt32, _ offset: UInt64) -> StreamPosition {
    StreamPosition(epoch: epoch, offset: offset)
  }

  @Test("the first message is handed over, wherever the stream stands")
  func first() {
    var cursor = StreamCursor()
    #expect(cursor.accept(place(3, 812)) == .deliver)
    #expect(cursor.position == place(3, 812))
  }

  @Test("a message is handed over once")
  func once() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(1, 5)) == .deliver)
    #expect(cursor.accept(place(1, 5)) == .duplicate)
    #expect(cursor.accept(place(1, 2)) == .duplicate)
    #expect(cursor.position == place(1, 5))
  }

  @Test("a message too far on reports what lies between, and the stream goes on behind it")
  func gap() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(1, 8)) == .gap(StreamGap(after: place(1, 4), upTo: place(1, 7))))
    #expect(cursor.accept(place(1, 9)) == .deliver)
  }

  @Test("another epoch is a gap even at its first message, for the old one may have held more")
  func epoch() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(2, 1)) == .gap(StreamGap(after: place(1, 4), upTo: place(2, 0))))
    #expect(cursor.accept(place(2, 2)) == .deliver)
  }

  @Test("offset 0 is no message's place")
  func offsetZero() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.accept(place(2, 0)) == .duplicate)
    #expect(cursor.position == place(1, 4))
  }

  @Test("the greatest offset has nothing behind it, and nothing traps")
  func greatestOffset() {
    var cursor = StreamCursor(place(1, .max))
    #expect(cursor.accept(place(1, .max)) == .duplicate)
    #expect(cursor.accept(place(2, .max)) == .gap(StreamGap(after: place(1, .max), upTo: place(2, .max - 1))))
  }

  @Test("a stream that goes on where it was asked to lacks nothing")
  func resumed() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.resumed(after: place(1, 4)) == nil)
    #expect(cursor.accept(place(1, 5)) == .deliver)
  }

  @Test("a stream that begins at a place nobody asked for is followed from there")
  func begun() {
    var cursor = StreamCursor()
    #expect(cursor.resumed(after: place(7, 100)) == nil)
    #expect(cursor.accept(place(7, 102)) == .gap(StreamGap(after: place(7, 100), upTo: place(7, 101))))
  }

  @Test("a server that goes back further sends doubles, which are left, and no gap is reported")
  func replay() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.resumed(after: place(1, 1)) == nil)
    #expect(cursor.accept(place(1, 2)) == .duplicate)
    #expect(cursor.accept(place(1, 4)) == .duplicate)
    #expect(cursor.accept(place(1, 5)) == .deliver)
  }

  @Test("a server whose history does not reach back says what is missing")
  func historyLost() {
    var cursor = StreamCursor(place(1, 4))
    #expect(cursor.resumed(after: place(1, 40)) == StreamGap(after: place(1, 4), upTo: place(1, 40)))
    #expect(cursor.accept(place(1, 41)) == .deliver)
    #expect(cursor.resumed(after: place(2, 3)) == StreamGap(after: place(1, 41), upTo: place(2, 3)))
    #expect(cursor.position == place(2, 3))
  }

  @Test("of any sequence, what is handed over and what is reported missing cover one epoch without hole or overlap")
  func cover() {
    for seed in 0..<200 as Range<UInt64> {
      var words = SplitMix64(seed: seed)
      var cursor = StreamCursor(place(1, 0))
      var covered: UInt64 = 0
      for _ in 0..<100 {
        let arrived = place(1, words.below(covered + 5))
        switch cursor.accept(arrived) {
        case .deliver:
          #expect(arrived.offset == covered + 1)
          covered = arrived.offset
        case .duplicate: #expect(arrived.offset <= covered)
        case .gap(let gap):
          #expect(gap.after.offset == covered && gap.upTo.offset == arrived.offset - 1)
          #expect(gap.upTo.offset > covered)
          covered = arrived.offset
        }
      }
      #expect(cursor.position == place(1, covered))
    }
  }

  @Test("an epoch that is less than the known one is another stream just as well")
  func earlierEpoch() {
    var cursor = StreamCursor(place(5, 4))
    #expect(cursor.accept(place(3, 2)) == .gap(StreamGap(after: place(5, 4), upTo: place(3, 1))))
    #expect(cursor.resumed(after: place(1, 0)) == StreamGap(after: place(3, 2), upTo: place(1, 0)))
    #expect(cursor.position == place(1, 0))
  }

  @Test("to judge a message does not take it")
  func judged() {
    let cursor = StreamCursor(place(1, 4))
    #expect(cursor.judged(place(1, 5)) == .deliver && cursor.judged(place(1, 5)) == .deliver)
    #expect(cursor.judged(place(1, 7)) == .gap(StreamGap(after: place(1, 4), upTo: place(1, 6))))
    #expect(cursor.position == place(1, 4))
  }
}
