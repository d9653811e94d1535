// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import TestSupport
import Testing

@testable import LiveSoak

extension SplitMix64 {
  /// Evenly from nothing to a second, and `later` on top.
  fileprivate mutating func times(_ count: Int, later: Double = 0) -> [Interval] {
    (0..<count).map { _ in Interval(seconds: later + Double(next() >> 11) * 0x1p-53) }
  }
}

@Suite("Real and simulated clients, outage by outage")
struct SoakComparisonTests {
  private func sample(_ times: [Interval], clients: Int = 400, limit: Interval = .seconds(10)) -> OutageSample {
    OutageSample(clients: clients, cutOff: times.count, times: times, limit: limit)
  }

  private func compare(_ real: OutageSample, _ simulated: OutageSample, resolution: Interval = .zero, alpha: Double)
    -> OutageComparison
  {
    OutageComparison(index: 0, real: real, simulated: simulated, resolution: resolution, alpha: alpha)
  }

  @Test("samples of one distribution disagree no more often than the stated chance")
  func agreement() {
    var draws = SplitMix64(seed: 1)
    let wrong = (0..<200).count { _ in
      !compare(sample(draws.times(400)), sample(draws.times(400)), alpha: 0.05).disagreements.isEmpty
    }
    // The bounds are not asymptotic and so rather wide: at 0.05, 200 comparisons have 10 wrong ones on average at most.
    #expect(wrong <= 20)
  }

  @Test("a shift of the times is found, with its place and size")
  func shift() {
    var draws = SplitMix64(seed: 2)
    let comparison = compare(sample(draws.times(400, later: 0.6)), sample(draws.times(4_000)), alpha: 0.01)
    #expect(comparison.disagreements == [.times])
    #expect(!comparison.distance.isRealSooner)
    #expect(comparison.distance.gap > 0.5 && comparison.distance.gap < 0.7)
    #expect(comparison.distance.at > .milliseconds(500) && comparison.distance.at < .milliseconds(1_100))
  }

  @Test("a difference within the machine's lateness counts as none")
  func resolution() {
    var draws = SplitMix64(seed: 3)
    let times = draws.times(400)
    let late = sample(times.map { $0 + .milliseconds(20) })
    #expect(OutageComparison.distance(late, sample(times), resolution: .milliseconds(20)).gap == 0)
    #expect(OutageComparison.distance(sample(times), late, resolution: .milliseconds(20)).gap == 0)
    #expect(OutageComparison.distance(late, sample(times), resolution: .milliseconds(10)).gap > 0)
    let one = sample([.seconds(5)])
    #expect(OutageComparison.distance(one, sample([.seconds(6)]), resolution: .milliseconds(999)).gap == 1)
  }

  @Test("a client that is not back is later than all others")
  func never() {
    let real = sample((0..<400).map { $0 < 100 ? .forever : .seconds(1) })
    let comparison = compare(real, sample(Array(repeating: .seconds(1), count: 400)), alpha: 0.01)
    #expect(real.back == 300)
    #expect(comparison.distance.gap == 0.25)
    #expect(comparison.disagreements.contains(.back))
  }

  @Test("a difference in clients cut off is found without any times")
  func cutOff() {
    let real = OutageSample(clients: 400, cutOff: 60, times: [], limit: .seconds(1))
    let simulated = OutageSample(clients: 4_000, cutOff: 0, times: [], limit: .seconds(1))
    let comparison = compare(real, simulated, alpha: 0.01)
    #expect(comparison.disagreements == [.cutOff])
    #expect(comparison.allowed == nil)
  }

  @Test("of each client the first outage by a fault counts, if its limit was over before the run's end")
  func rules() {
    func outage(_ fault: Int, _ began: Int64, possible: Int64?, ended: Int64?) -> Outage {
      Outage(
        fault: fault, began: .zero + .seconds(began), possible: possible.map { .zero + .seconds($0) } ?? .never,
        ended: ended.map { .zero + .seconds($0) } ?? .never, noticed: .never, attempts: 1)
    }
    func result(_ outages: [Outage]) -> SessionResult {
      var result = SessionResult()
      (result.outages, result.duration) = (outages, .seconds(100))
      return result
    }
    let results = [
      result([outage(-1, 0, possible: 0, ended: 1), outage(3, 10, possible: 12, ended: 15)]),
      result([outage(3, 10, possible: 12, ended: nil), outage(3, 50, possible: 50, ended: 51)]),
      // No attempt could have succeeded, and the limit is over behind the run: cut off, and nothing is said of the
      // time.
      result([outage(3, 10, possible: nil, ended: nil)]),
      result([outage(3, 95, possible: 95, ended: 96)]),
      result([outage(2, 10, possible: 12, ended: 15)]),
    ]
    let sample = OutageSample(of: 3, in: results, limit: .seconds(10))
    #expect(sample.clients == 5)
    #expect(sample.cutOff == 4)
    #expect(sample.times == [.seconds(3), .forever])
    #expect(sample.back == 1)
    #expect(sample.percentile(0.5) == .seconds(3))
  }
}
