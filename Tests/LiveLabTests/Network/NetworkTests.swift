// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The way between phone and server")
struct NetworkTests {
  @Test("frames of one direction keep their order, however long each would take")
  func order() {
    var pool = FramePool<Int>()
    var queue = FrameQueue()
    let isHead = pool.append(1, to: &queue, sent: 0, arrives: 50)
    #expect(isHead)
    let isSecondHead = pool.append(2, to: &queue, sent: 10, arrives: 30)
    #expect(!isSecondHead)
    #expect(pool.arrival(queue) == 50)
    let frame1 = pool.removeFirst(&queue)
    #expect(frame1 == 1)
    #expect(pool.arrival(queue) == 50)
    let frame2 = pool.removeFirst(&queue)
    #expect(frame2 == 2)
    #expect(queue.isEmpty)
    #expect(pool.arrival(queue) == .max)
  }

  @Test("queues share a pool without mixing, and places are used again")
  func sharing() {
    var pool = FramePool<Int>()
    var queues = [FrameQueue(), FrameQueue()]
    for round in 0..<100 {
      for queue in 0...1 { _ = pool.append(2 * round + queue, to: &queues[queue], sent: 0, arrives: Int64(round)) }
      if round > 3 {
        for queue in 0...1 {
          let frame = pool.removeFirst(&queues[queue])
          #expect(frame == 2 * (round - 4) + queue)
        }
      }
    }
    #expect(pool.nodes.count == 10)
    pool.removeAll(&queues[0])
    #expect(queues[0].isEmpty)
    let frame = pool.removeFirst(&queues[1])
    #expect(frame == 193)
  }

  @Test(
    "a clock that runs fast, slow or true reads no less than asked for, and not long before",
    arguments: [
      0, 1, 250_000, -250_000, 999_983, -900_000,
    ])
  func clocks(millionths: Int64) {
    var clock = SkewedClock()
    clock.set(millionths: -50, at: 1_000_000_007)
    clock.set(millionths: millionths, at: 5_000_000_021)
    let now = clock.reading(at: 5_000_000_021)
    for step in [0, 1, 3, 1_000_003, 30_000_000_000, 2_678_400_000_000_000] as [Int64] {
      let moment = clock.world(at: now + step)
      #expect(clock.reading(at: moment) >= now + step)
      #expect(moment == 5_000_000_021 || clock.reading(at: moment - 1) < now + step)
    }
    #expect(clock.world(at: .max) == .max)
  }

  @Test("a clock never jumps when its speed changes")
  func steadiness() {
    var clock = SkewedClock()
    var last = clock.reading(at: 0)
    for step in 1...50 {
      let moment = Int64(step) * 777_777_777
      clock.set(millionths: Int64(step % 7 - 3) * 100_000, at: moment)
      #expect(clock.reading(at: moment) >= last)
      last = clock.reading(at: moment)
    }
  }

  @Test("conditions end as they began when every fault is over", arguments: Fault.Kind.allCases)
  func conditions(kind: Fault.Kind) throws {
    let fault = try #require(Self.examples.first { $0.kind == kind })
    guard !kind.isMoment else { return }
    var conditions = Conditions()
    conditions.set(fault, true, at: 3)
    #expect(String(describing: conditions) != String(describing: Conditions()) || kind == .clockSkew)
    conditions.set(fault, false, at: 4)
    #expect(String(describing: conditions) == String(describing: Conditions()))
  }

  static let examples: [Fault] = [
    .halfOpen, .reset, .close(CloseCode(1001), delay: .zero), .garbage(CloseCode(1002)), .enormousFrame(bytes: 1),
    .blackHole, .partition(.up), .latency(added: .seconds(1), jitter: .zero), .bandwidth(bytesPerSecond: 9),
    .loss(.all), .burstLoss(enter: .all, leave: .all, good: .all, bad: .all),
    .idleCut(after: .seconds(1), isSilent: true), .nameNotFound(after: .zero), .captivePortal, .insecure, .refused,
    .refusal(status: 500, retryAfter: nil), .redirect(.secure), .restart(.vanished, keepsHistory: true),
    .shedding(.all, retryAfter: nil), .acceptThenClose(CloseCode(1011), after: .zero), .latePongs(delay: .seconds(1)),
    .noPongs, .sleep, .networkChange, .offline, .background, .clockSkew(millionths: 5),
    .expiredCredentials(isRefreshable: false),
  ]
}
