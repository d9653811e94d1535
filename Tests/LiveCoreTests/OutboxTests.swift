// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The outbox")
struct OutboxTests {
  private var effects = LiveEffects()

  private func number(_ value: UInt64) -> MessageNumber { MessageNumber(value) }

  private func limits(
    count: Int = 4, bytes: Int = 1_000, age: Interval = .seconds(10), _ overflow: OutboxLimits.Overflow = .dropOldest
  ) -> OutboxLimits {
    var limits = OutboxLimits()
    (limits.count, limits.bytes, limits.age, limits.overflow) = (count, bytes, age, overflow)
    return limits
  }

  private mutating func filled(_ limits: OutboxLimits, _ count: UInt64, bytes: Int = 10) -> Outbox {
    var outbox = Outbox(limits)
    for value in 1...count {
      outbox.enqueue(number(value), bytes: bytes, at: .zero + .seconds(Int64(value)), into: &effects)
    }
    return outbox
  }

  @Test("messages go out in the order they came in, each once") mutating func order() {
    var outbox = filled(limits(), 3)
    #expect([outbox.nextToSend(), outbox.nextToSend(), outbox.nextToSend()] == [number(1), number(2), number(3)])
    #expect(outbox.nextToSend() == nil)
    #expect(outbox.count == 3 && outbox.unacknowledged == 3 && outbox.bytes == 30)
  }

  @Test("an acknowledgement takes all up to it, and the same one again takes nothing") mutating func acknowledgement() {
    var outbox = filled(limits(), 3)
    while outbox.nextToSend() != nil {}
    #expect(outbox.acknowledge(through: number(2)) == number(2))
    #expect(outbox.acknowledge(through: number(2)) == nil)
    #expect(outbox.map(\.number) == [number(3)])
    #expect(outbox.bytes == 10)
  }

  @Test("a server cannot acknowledge what was never sent") mutating func falseAcknowledgement() {
    var outbox = filled(limits(), 3)
    _ = outbox.nextToSend()
    #expect(outbox.acknowledge(through: number(99)) == number(1))
    #expect(outbox.map(\.number) == [number(2), number(3)])
  }

  @Test("what was on its way when the connection broke goes out first on the next") mutating func sendAgain() {
    var outbox = filled(limits(), 3)
    _ = (outbox.nextToSend(), outbox.nextToSend())
    outbox.connectionBroke(.sendAgain, into: &effects)
    #expect(outbox.nextToSend() == number(1))
    #expect(effects.isEmpty)
  }

  @Test("an acknowledgement that outlived the connection spares a message its second journey")
  mutating func lateAcknowledgement() {
    var outbox = filled(limits(), 3)
    _ = (outbox.nextToSend(), outbox.nextToSend())
    outbox.connectionBroke(.sendAgain, into: &effects)
    #expect(outbox.acknowledge(through: number(2)) == number(2))
    #expect(outbox.nextToSend() == number(3))
  }

  @Test("where nothing may be doubled, what was on its way is reported as uncertain, and the rest stays")
  mutating func drop() {
    var outbox = filled(limits(), 3)
    _ = (outbox.nextToSend(), outbox.nextToSend())
    outbox.connectionBroke(.drop, into: &effects)
    #expect(Array(effects) == [.dropped(number(1), .uncertain), .dropped(number(2), .uncertain)])
    #expect(outbox.map(\.number) == [number(3)])
  }

  @Test("too many drop the oldest that was not sent, and those on their way stay in order") mutating func oldestGoes() {
    var outbox = filled(limits(), 4)
    _ = (outbox.nextToSend(), outbox.nextToSend())
    outbox.enqueue(number(5), bytes: 10, at: .zero + .seconds(5), into: &effects)
    #expect(Array(effects) == [.dropped(number(3), .overflow)])
    #expect(outbox.map(\.number) == [1, 2, 4, 5].map(number))
    #expect(outbox.map(\.isSent) == [true, true, false, false])
    #expect(outbox.bytes == 40)
  }

  @Test("or the newest, where that is the policy") mutating func newestGoes() {
    var outbox = filled(limits(.dropNewest), 4)
    #expect(!outbox.enqueue(number(5), bytes: 10, at: .zero, into: &effects))
    #expect(Array(effects) == [.dropped(number(5), .overflow)])
    #expect(outbox.map(\.number) == [1, 2, 3, 4].map(number))
  }

  @Test("a message that could not be had at the cost of all others costs nobody else anything")
  mutating func tooLarge() {
    var outbox = filled(limits(), 3)
    #expect(!outbox.enqueue(number(4), bytes: 1_001, at: .zero, into: &effects))
    #expect(!outbox.enqueue(number(5), bytes: .max, at: .zero, into: &effects))
    #expect(Array(effects) == [.dropped(number(4), .overflow), .dropped(number(5), .overflow)])
    #expect(outbox.count == 3)
  }

  @Test("as many go as the bytes of the new one need") mutating func bytesNeeded() {
    var outbox = filled(limits(bytes: 40), 4)
    outbox.enqueue(number(5), bytes: 15, at: .zero, into: &effects)
    #expect(Array(effects) == [.dropped(number(1), .overflow), .dropped(number(2), .overflow)])
    #expect(outbox.bytes == 35)
  }

  @Test("what waited to its age is dropped when it is reached, and the moment is known before") mutating func age() {
    var outbox = filled(limits(), 3)
    #expect(outbox.nextExpiry == .zero + .seconds(11))
    outbox.expire(at: .zero + .milliseconds(10_999), into: &effects)
    #expect(effects.isEmpty)
    outbox.expire(at: .zero + .seconds(12), into: &effects)
    #expect(Array(effects) == [.dropped(number(1), .age), .dropped(number(2), .age)])
    #expect(outbox.nextExpiry == .zero + .seconds(13))
  }

  @Test("what is on its way does not age, and once the connection broke it is reported as uncertain")
  mutating func ageOfTheSent() {
    var outbox = filled(limits(), 2)
    _ = (outbox.nextToSend(), outbox.nextToSend())
    #expect(outbox.nextExpiry == nil)
    outbox.expire(at: .zero + .seconds(60), into: &effects)
    #expect(effects.isEmpty)
    outbox.connectionBroke(.sendAgain, into: &effects)
    outbox.expire(at: .zero + .seconds(60), into: &effects)
    #expect(Array(effects) == [.dropped(number(1), .uncertain), .dropped(number(2), .uncertain)])
  }

  @Test("messages without an age wait for ever") mutating func noAge() {
    let outbox = filled(limits(age: .forever), 2)
    #expect(outbox.nextExpiry == nil)
  }

  @Test("closing for good reports each, and says where it may have arrived") mutating func close() {
    var outbox = filled(limits(), 2)
    _ = outbox.nextToSend()
    outbox.close(into: &effects)
    #expect(Array(effects) == [.dropped(number(1), .uncertain), .dropped(number(2), .closed)])
    #expect(outbox.isEmpty && outbox.bytes == 0 && outbox.unacknowledged == 0)
  }

  @Test("a number that was seen is not queued again") mutating func seenNumber() {
    var outbox = filled(limits(), 2)
    #expect(!outbox.enqueue(number(2), bytes: 10, at: .zero, into: &effects))
    #expect(outbox.count == 2)
    #expect(effects.isEmpty)
  }

  @Test("limits of nothing hold nothing, and negative sizes and limits do not trap") mutating func nothing() {
    for (count, bytes) in [(0, 10), (10, -1), (-1, .min)] {
      var outbox = Outbox(limits(count: count, bytes: bytes))
      #expect(!outbox.enqueue(number(1), bytes: -5, at: .zero, into: &effects))
    }
    var outbox = Outbox(limits(bytes: 0))
    #expect(outbox.enqueue(number(1), bytes: -5, at: .zero, into: &effects))
    #expect(outbox.bytes == 0)
  }

  @Test("limits that shrink below what is held drop what must go, and never trap") mutating func shrunk() {
    var outbox = filled(limits(count: 9), 4)
    outbox.limits = limits(count: 9, bytes: 25)
    #expect(outbox.enqueue(number(5), bytes: 10, at: .zero, into: &effects))
    #expect(Array(effects) == [1, 2, 3].map { .dropped(number($0), .overflow) } && outbox.bytes == 20)
    for (place, bytes) in [5, 0, -1, Int.min].enumerated() {
      outbox.limits = limits(count: 9, bytes: bytes)
      #expect(!outbox.enqueue(number(UInt64(100 + place)), bytes: 10, at: .zero, into: &effects))
    }
    #expect(outbox.map(\.number) == [4, 5].map(number))
  }

  @Test("a great many messages keep their order while the room for them grows and is used again")
  mutating func growth() {
    var outbox = Outbox(limits(count: 5_000, bytes: .max))
    var (next, expected) = (UInt64(1), UInt64(1))
    for round in 1...40 as ClosedRange<UInt64> {
      for _ in 0..<(3 * round) {
        #expect(outbox.enqueue(number(next), bytes: 1, at: .zero, into: &effects))
        next += 1
      }
      for _ in 0..<(2 * round) {
        #expect(outbox.nextToSend() == number(expected))
        #expect(outbox.acknowledge(through: number(expected)) == number(expected))
        expected += 1
      }
    }
    #expect(outbox.map(\.number) == (expected..<next).map(number) && outbox.bytes == outbox.count)
    #expect(effects.isEmpty)
  }
}
