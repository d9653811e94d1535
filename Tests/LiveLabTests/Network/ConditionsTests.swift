// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The faults that hold at a moment")
struct ConditionsTests {
  private static let half = Portion(0.5)

  /// A fault, and whether nothing goes up and nothing goes down while it holds.
  static let ways: [(Fault, Bool, Bool)] = [
    (.blackHole, true, true), (.offline, true, true), (.loss(.all), true, true),
    (.burstLoss(enter: half, leave: half, good: .all, bad: .all), true, true),
    (.restart(.vanished, keepsHistory: true), true, true), (.partition(.up), true, false),
    (.partition(.down), false, true), (.loss(half), false, false),
    (.burstLoss(enter: half, leave: half, good: .none, bad: .all), false, false),
    (.restart(.killed, keepsHistory: true), false, false), (.restart(.graceful, keepsHistory: true), false, false),
    (.refused, false, false), (.sleep, false, false), (.noPongs, false, false),
  ]

  @Test("a way is blocked in the directions that a fault says", arguments: ways)
  func blocked(fault: Fault, isUpBlocked: Bool, isDownBlocked: Bool) {
    var conditions = Conditions()
    conditions.set(fault, true, at: 0)
    #expect(conditions.isUpBlocked == isUpBlocked && conditions.isDownBlocked == isDownBlocked)
    let isPingHindered = isUpBlocked || isDownBlocked || fault == .sleep || fault == .noPongs
    #expect(conditions.delaysPings == isPingHindered)
    conditions.set(fault, false, at: 1)
    #expect(!conditions.isUpBlocked && !conditions.isDownBlocked && !conditions.delaysPings)
  }

  @Test("what one fault blocks stays blocked when another is over")
  func together() {
    var conditions = Conditions()
    conditions.set(.blackHole, true, at: 0)
    conditions.set(.partition(.up), true, at: 1)
    conditions.set(.blackHole, false, at: 2)
    #expect(conditions.isUpBlocked && !conditions.isDownBlocked && conditions.blocks == 1)
  }

  static let blocking: [Fault] = [
    .blackHole, .partition(.up), .partition(.down), .loss(.all), .nameNotFound(after: .seconds(5)), .captivePortal,
    .insecure, .refused, .refusal(status: 403, retryAfter: nil), .refusal(status: 429, retryAfter: .zero),
    .redirect(.secure), .redirect(.plain), .redirect(.unusable), .restart(.graceful, keepsHistory: true),
    .restart(.killed, keepsHistory: false), .restart(.vanished, keepsHistory: true),
    .shedding(.all, retryAfter: .seconds(3)), .acceptThenClose(CloseCode(1_013), after: .milliseconds(10)),
    .acceptThenClose(CloseCode(1_011), after: .seconds(1), resumes: true), .sleep, .offline,
    .expiredCredentials(isRefreshable: false),
  ]

  @Test("an attempt can succeed while a fault holds, or cannot", arguments: SampleFaults.all)
  func blocks(fault: Fault) {
    #expect(fault.blocks == Self.blocking.contains(fault))
  }

  @Test("bursts block where everything is lost in a burst and outside it")
  func bursts() {
    func blocks(_ good: Portion, _ bad: Portion) -> Bool {
      Fault.burstLoss(enter: Self.half, leave: Self.half, good: good, bad: bad).blocks
    }
    #expect(blocks(.all, .all) && !blocks(.none, .all) && !blocks(.all, .none))
  }

  @Test("pongs that are held back leave in the order of their pings")
  func latePongs() {
    var late = LatePongs()
    #expect(late.next == .max)
    late.append(1, of: Generation(1), at: 10)
    late.append(2, of: Generation(1), at: 5)
    var order: [UInt32] = []
    while late.next != .max {
      #expect(late.next == 10)
      order.append(late.removeFirst().number)
    }
    #expect(order == [1, 2])
  }

  @Test("of the faults that hold, one that is over leaves the others in their order")
  func cursor() {
    var cursor = FaultCursor()
    for place in 0..<4 { cursor.hold(place) }
    cursor.release(1)
    #expect((0..<cursor.count).map { cursor.holding[$0] } == [0, 2, 3])
  }
}
