// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Clocks and conditions of a session")
struct NetworkTests {
  @Test("frames of one direction keep their order, however long each would take")
  func order() {
    var queue = FrameQueue<Int>()
    for round in 0..<3 {
      let base = Int64(100 * round)
      queue.append(1, sent: base, arrives: base + 50)
      queue.append(2, sent: base + 10, arrives: base + 30)
      #expect(queue.count == 2 && queue.arrival == base + 50 && queue.sent == base)
      let first = queue.removeFirst()
      #expect(first == 1 && queue.arrival == base + 50)
      let second = queue.removeFirst()
      #expect(second == 2 && queue.isEmpty && queue.arrival == .max)
    }
  }

  @Test("a long message goes in parts, and what follows waits behind the last one")
  func parts() {
    var queue = FrameQueue<Int>()
    queue.append(1, sent: 0, arrives: 10, left: 5)
    queue.append(2, sent: 1, arrives: 2)
    queue.append(3, sent: 1, arrives: 12, left: 1)
    #expect(queue.left == 5 && queue.arrival == 10)
    queue.carry(3, sent: 10, arrives: 20)
    #expect(queue.left == 2 && queue.arrival == 20 && queue.sent == 10)
    queue.carry(2, sent: 20, arrives: 25)
    #expect(queue.left == 0 && queue.removeFirst() == 1 && queue.left == 0 && queue.removeFirst() == 2)
    queue.start(sent: 25, arrives: 35)
    #expect(queue.left == 1 && queue.arrival == 35)
    queue.append(4, sent: 26, arrives: 27)
    queue.removeUnsent()
    #expect(queue.isEmpty && queue.left == 0)
  }

  @Test(
    "a clock of any speed reads a time at the first nanosecond of the world at which it is due",
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

  @Test(
    "conditions are as at the beginning when every fault is over",
    arguments: SampleFaults.all.filter { !$0.kind.isMoment })
  func conditions(fault: Fault) {
    var conditions = Conditions()
    conditions.set(fault, true, at: 0)
    #expect(String(describing: conditions) != String(describing: Conditions()) || fault.kind == .clockSkew)
    conditions.set(fault, false, at: 0)
    #expect(String(describing: conditions) == String(describing: Conditions()))
  }
}

/// How long frames take over a way, drawn from one seed. The error probabilities stated are those of a fresh seed.
@Suite("The time that a frame takes")
struct TransitTests {
  /// The times of many frames, in seconds.
  private func times(
    _ faults: [Fault], bytes: Int = 0, count: Int = 20_000, jitter: Interval = .zero
  ) throws -> [Double] {
    var world = SessionWorld()
    world.network.jitter = jitter
    var session = try Session<LiveConnection, NoObserver>(world: world, observer: NoObserver())
    for fault in faults { session.conditions.set(fault, true, at: 0) }
    return (0..<count).map { _ in Double(session.transit(bytes: bytes)) / 1e9 }
  }

  private func mean(_ times: [Double]) -> Double { times.reduce(0, +) / Double(times.count) }

  private func share(_ times: [Double], _ fits: (Double) -> Bool) -> Double {
    Double(times.count(where: fits)) / Double(times.count)
  }

  /// Returns true if a mean lies within six standard errors: beyond them it lies less than once in a hundred million.
  private func agrees(_ mean: Double, _ expected: Double, deviation: Double, count: Int = 20_000) -> Bool {
    abs(mean - expected) < 6 * deviation / Double(count).squareRoot()
  }

  @Test("is the latency and a jitter that halves with every step of two thirds of its mean")
  func `default`() throws {
    let count = 100_000
    let times = try times([], count: count, jitter: .milliseconds(30)).map { ($0 - 0.025) / 0.03 }
    #expect(agrees(mean(times), 1, deviation: 0.962, count: count))
    let (step, half, tail) = (share(times) { $0 > 2.0 / 3 }, share(times) { $0 > 1.0 / 3 }, share(times) { $0 > 4 })
    #expect(agrees(step, 0.5, deviation: 0.5, count: count) && agrees(half, 0.75, deviation: 0.433, count: count))
    #expect(agrees(tail, 1.0 / 64, deviation: 0.124, count: count))
    #expect(times.allSatisfy { (0...8).contains($0) })
  }

  @Test("grows by an added latency, and by a jitter that is uniform between nothing and its bound")
  func latency() throws {
    let fault: Fault = "latency added=300ms jitter=200ms"
    let extra = try times([fault]).map { $0 - 0.325 }
    // A packet of 60 bytes takes 24 microseconds more. Six standard errors of 0.2 s / sqrt(12) are 2.5 ms.
    #expect(abs(mean(extra) - 0.100_024) < 0.002_5)
    #expect(extra.allSatisfy { (0.000_02..<0.200_03).contains($0) })
    #expect(agrees(share(extra) { $0 > 0.15 }, 0.25, deviation: 0.433))
  }

  @Test(
    "is that of its bytes at the rate of the network, 60 for an empty frame; a fault never raises the rate")
  func bandwidth() throws {
    let slow: Fault = "bandwidth rate=300"
    #expect(try abs(times([slow], bytes: 900, count: 1)[0] - 3.025) < 1e-8)
    #expect(try abs(times([slow], count: 1)[0] - 0.225) < 1e-8)
    let fast: Fault = "bandwidth rate=1000000000"
    #expect(try abs(times([fast], bytes: 2_500_000, count: 1)[0] - 1.025) < 1e-8)
    #expect(try abs(times([], bytes: 2_500_000, count: 1)[0] - 1.025) < 1e-8)
    #expect(try abs(times([], count: 1)[0] - 0.025) < 1e-8)
  }

  @Test("grows by 200 ms with the first loss of a packet, and by twice as much with each loss more")
  func loss() throws {
    let times = try times(["loss share=0.3"])
    for (index, expected) in [0.025, 0.225, 0.625, 1.425, 3.025].enumerated() {
      let probability = (0..<index).reduce(0.7) { value, _ in value * 0.3 }
      let found = share(times) { abs($0 - expected) < 0.001 }
      #expect(agrees(found, probability, deviation: (probability * (1 - probability)).squareRoot()))
    }
  }

  @Test("grows by a minute at most with each loss, and after 24 losses the packet arrives")
  func waits() throws {
    // 0.2 s, doubled eight times, and then fifteen minutes; at least one of 20 is lost 24 times but once in 10^90.
    let times = try times(["loss share=0.999999"], count: 20)
    #expect(times.contains { abs($0 - (0.2 * 511 + 15 * 60 + 0.025)) < 0.001 })
    #expect(times.allSatisfy { $0 < 1_003 })
  }

  @Test("combines independent losses and bursts: a packet must escape both")
  func both() throws {
    let burst: Fault = "burst-loss enter=1 leave=1 good=0.5 bad=0.5"
    let times = try times(["loss share=0.2", burst])
    #expect(agrees(share(times) { $0 < 0.1 }, 0.4, deviation: 0.49))
  }
}

@Suite("Faults that block the network")
struct ConditionsTests {
  private static let half = 0.5

  /// A fault, and whether nothing goes up and nothing goes down while it holds.
  static let ways: [(Fault, Bool, Bool)] = [
    ("black-hole", true, true), ("offline", true, true), ("loss share=1", true, true),
    ("burst-loss enter=50% leave=50% good=1", true, true),
    ("restart how=vanished", true, true), ("partition way=up", true, false),
    ("partition way=down", false, true), ("loss share=50%", false, false),
    ("burst-loss enter=50% leave=50%", false, false),
    ("restart how=killed", false, false), ("restart how=graceful", false, false),
    ("refused", false, false), ("sleep", false, false), ("no-pongs", false, false),
  ]

  @Test("a fault blocks the directions that it names", arguments: ways)
  func blocked(fault: Fault, isUpBlocked: Bool, isDownBlocked: Bool) {
    var conditions = Conditions()
    conditions.set(fault, true, at: 0)
    #expect(conditions.isUpBlocked == isUpBlocked && conditions.isDownBlocked == isDownBlocked)
    conditions.set(fault, false, at: 1)
    #expect(!conditions.isUpBlocked && !conditions.isDownBlocked)
  }

  @Test("a direction stays blocked until the last fault that blocks it is over")
  func together() {
    var conditions = Conditions()
    conditions.set("black-hole", true, at: 0)
    conditions.set("partition way=up", true, at: 1)
    conditions.set("black-hole", false, at: 2)
    #expect(conditions.isUpBlocked && !conditions.isDownBlocked && conditions.blocks == 1)
  }
}

@Suite("Losses in bursts")
struct BurstLossTests {
  @Test("the share lost is that of the stationary Gilbert-Elliott chain")
  func stationary() throws {
    var random = try SessionRandom(seed: 21)
    var way = BurstLoss(enter: 0.02, leave: 0.2, good: 0.01, bad: 0.6)
    let count = 400_000
    let lost = (0..<count).count { _ in way.losesPacket(using: &random) }
    // Bad for 0.02 / (0.02 + 0.2) of the time. The chain's memory is 1 - 0.02 - 0.2 from packet to packet, which makes
    // the standard error 0.000 81: five of them are exceeded once in a million seeds.
    let expected = (0.02 * 0.6 + 0.2 * 0.01) / 0.22
    #expect(abs(Double(lost) / Double(count) - expected) < 5 * 0.000_81)
  }

  @Test("bursts and the times between them have the mean lengths that the chances of leaving and entering give")
  func lengths() throws {
    var random = try SessionRandom(seed: 22)
    var way = BurstLoss(enter: 0.05, leave: 0.25, good: 0, bad: 1)
    var lengths: [[Int]] = [[0], [0]]
    for _ in 0..<200_000 {
      let isBad = way.isBad ? 1 : 0
      let isLost = way.losesPacket(using: &random)
      #expect(isLost == (isBad == 1))
      lengths[isBad][lengths[isBad].count - 1] += 1
      if way.isBad != (isBad == 1) { lengths[isBad].append(0) }
    }
    // Some 8,300 of each, geometric, with deviations of 19.5 and 3.46: six standard errors.
    for (isBad, expected, deviation) in [(0, 20.0, 19.5), (1, 4.0, 3.46)] {
      let found = lengths[isBad].dropLast().map(Double.init)
      #expect(found.count > 8_000)
      #expect(abs(found.reduce(0, +) / Double(found.count) - expected) < 6 * deviation / 89)
    }
  }

  @Test("the chain begins in the good state, and changes only after a packet")
  func first() throws {
    var random = try SessionRandom(seed: 23)
    var way = BurstLoss(enter: 1, leave: 1, good: 0, bad: 1)
    let lost = (0..<6).map { _ in way.losesPacket(using: &random) }
    #expect(lost == [false, true, false, true, false, true])
  }
}
