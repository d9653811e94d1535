// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// How long frames take over a way, drawn from one seed. The error probabilities stated are those of a fresh seed.
@Suite("The time that frames take")
struct TransitTests {
  /// The times of many frames, in seconds.
  private func times(
    _ faults: [Fault], bytes: Int = 0, count: Int = 20_000, jitter: Interval = .zero
  ) throws -> [Double] {
    var world = SessionWorld()
    world.network.jitter = jitter
    var session = try Session<LiveConnection, NoWitness>(world: world, witness: NoWitness())
    for fault in faults { session.conditions.set(fault, true, at: 0) }
    session.packetTime = session.timeToCarry(bytes: 60)
    return (0..<count).map { _ in Double(session.transit(bytes: bytes)) / 1e9 }
  }

  private func mean(_ times: [Double]) -> Double { times.reduce(0, +) / Double(times.count) }

  private func share(_ times: [Double], _ fits: (Double) -> Bool) -> Double {
    Double(times.count(where: fits)) / Double(times.count)
  }

  @Test("without faults it is the latency, and a jitter that halves with every step of two thirds of its mean")
  func usual() throws {
    let times = try times([], count: 100_000, jitter: .milliseconds(30)).map { ($0 - 0.025) / 0.03 }
    // Six standard errors each: less than one in a hundred million.
    #expect(abs(mean(times) - 1) < 6 * 0.962 / 316)
    #expect(abs(share(times) { $0 > 2.0 / 3 } - 0.5) < 6 * 0.5 / 316)
    #expect(abs(share(times) { $0 > 1.0 / 3 } - 0.75) < 6 * 0.433 / 316)
    #expect(abs(share(times) { $0 > 4 } - 1 / 64.0) < 6 * 0.124 / 316)
    #expect(times.allSatisfy { (0...8).contains($0) })
  }

  @Test("added latency is added to each frame, and its jitter lies evenly between nothing and its bound")
  func latency() throws {
    let fault = Fault.latency(added: .milliseconds(300), jitter: .milliseconds(200))
    let extra = try times([fault]).map { $0 - 0.325 }
    // A packet of 60 bytes takes 24 microseconds more. Six standard errors of 0.2 s / sqrt(12) are 2.5 ms.
    #expect(abs(mean(extra) - 0.100_024) < 0.002_5)
    #expect(extra.allSatisfy { $0 >= 0.000_02 && $0 < 0.200_03 })
    #expect(abs(share(extra) { $0 > 0.15 } - 0.25) < 6 * 0.433 / 141)
  }

  @Test(
    "the way carries so many bytes a second, a frame without contents being 60, and never more than it could before")
  func bandwidth() throws {
    let slow = Fault.bandwidth(bytesPerSecond: 300)
    #expect(try abs(times([slow], bytes: 900, count: 1)[0] - 3.025) < 1e-8)
    #expect(try abs(times([slow], count: 1)[0] - 0.225) < 1e-8)
    let fast = Fault.bandwidth(bytesPerSecond: 1_000_000_000)
    #expect(try abs(times([fast], bytes: 2_500_000, count: 1)[0] - 1.025) < 1e-8)
    #expect(try abs(times([], bytes: 2_500_000, count: 1)[0] - 1.025) < 1e-8)
    #expect(try abs(times([], count: 1)[0] - 0.025) < 1e-8)
  }

  @Test("a lost packet is sent again after 200 ms, and after twice as long each time that it is lost again")
  func loss() throws {
    let times = try times([.loss(Portion(0.3))])
    for (place, expected) in [0.025, 0.225, 0.625, 1.425, 3.025].enumerated() {
      let probability = (0..<place).reduce(0.7) { value, _ in value * 0.3 }
      let found = share(times) { abs($0 - expected) < 0.001 }
      #expect(abs(found - probability) < 6 * (probability * (1 - probability) / 20_000).squareRoot())
    }
  }

  @Test("the waits grow to a minute and no further, and after 24 a packet gets through")
  func waits() throws {
    // 0.2 s, doubled eight times, and then fifteen minutes; at least one of 20 is lost 24 times but once in 10^90.
    let times = try times([.loss(Portion(millionths: 999_999))], count: 20)
    #expect(times.contains { abs($0 - (0.2 * 511 + 15 * 60 + 0.025)) < 0.001 })
    #expect(times.allSatisfy { $0 < 1_003 })
  }

  @Test("independent losses and bursts add up as two chances that a packet has to escape")
  func both() throws {
    let burst = Fault.burstLoss(enter: .all, leave: .all, good: Portion(0.5), bad: Portion(0.5))
    let times = try times([.loss(Portion(0.2)), burst])
    #expect(abs(share(times) { $0 < 0.1 } - 0.5 * 0.8) < 6 * 0.49 / 141)
  }
}
