// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

/// Which outages ten attempts survive, when each fails at once while the server is down. The expected numbers come from
/// 200 000 samples of an independent simulation of each policy without a floor.
@Suite("The budget of attempts")
struct AttemptBudgetTests {
  struct Row: Sendable {
    let policy: String
    let mean: Double
    /// The 5th, 50th and 95th percentile of the time that the attempts span, in seconds.
    let quantiles: [Double]
    /// Of the clients: how many still have an attempt left after 30, 60, 90, 120, 150, 180, 240, 300 s.
    let survivors: [Double]
  }

  private static let outages = [30.0, 60, 90, 120, 150, 180, 240, 300]
  private static let samples = 200_000

  static let spread = [
    Row(
      policy: "equal", mean: 135.758_983_8, quantiles: [119.185_447_7, 135.746_821_0, 152.271_220_4],
      survivors: [1, 1, 1, 0.940_72, 0.079_575, 0, 0, 0]),
    Row(
      policy: "full", mean: 90.517_967_6, quantiles: [57.370_895_3, 90.493_642_0, 123.542_440_9],
      survivors: [0.999_505, 0.934_18, 0.509_395, 0.072_43, 0.000_63, 0, 0, 0]),
    Row(
      policy: "decorr", mean: 112.244_313_6, quantiles: [32.095_536_4, 110.475_224_7, 203.488_037_2],
      survivors: [0.961_845, 0.775_51, 0.612_095, 0.447_38, 0.280_025, 0.132_775, 0.000_39, 0]),
    Row(
      policy: "grpc", mean: 181.610_044_3, quantiles: [164.825_893_6, 181.622_786_5, 198.345_985_6],
      survivors: [1, 1, 1, 1, 0.999_995, 0.558_275, 0, 0]),
    Row(
      policy: "socketio", mean: 41.809_185_0, quantiles: [39.757_356_9, 41.887_349_7, 43.668_447_8],
      survivors: [1, 0, 0, 0, 0, 0, 0, 0]),
    Row(
      policy: "rws", mean: 63.932_615_5, quantiles: [38.434_124_2, 67.174_691_8, 79.164_463_1],
      survivors: [1, 0.662_53, 0, 0, 0, 0, 0, 0]),
    Row(
      policy: "centrifuge", mean: 60.737_178_5, quantiles: [39.755_398_4, 60.730_733_1, 81.644_197_7],
      survivors: [0.993_815, 0.521_975, 0.008_85, 0, 0, 0, 0, 0]),
    Row(
      policy: "graphqlws", mean: 39.252_053_8, quantiles: [36.372_993_0, 39.254_387_3, 42.122_887_2],
      survivors: [1, 0, 0, 0, 0, 0, 0, 0]),
  ]

  private func spans(_ name: String, seed: UInt64) throws -> [Double] {
    var policy = try #require(Backoff.named(name))
    policy.floor = .zero
    var words = SplitMix64(seed: seed)
    return (0..<Self.samples).map { _ in
      var schedule = AttemptSchedule()
      var span = Interval.zero
      while let wait = schedule.next(policy, word: words.next()) { span = span + wait }
      return span.seconds
    }
  }

  /// Within 5 standard errors of the difference of two shares of equally many samples. Five counts more, where the
  /// share is so small that a normal distribution says little.
  private func agree(_ found: Double, _ expected: Double) -> Bool {
    let samples = Double(Self.samples)
    return abs(found - expected) <= 5 * (2 * expected * (1 - expected) / samples).squareRoot() + 5 / samples
  }

  @Test("mean, percentiles and survivors of each spreading policy agree with the reference", arguments: spread)
  func reference(row: Row) throws {
    let spans = try spans(row.policy, seed: 20_261_121)
    let samples = Double(Self.samples)
    let mean = spans.reduce(0, +) / samples
    let variance = spans.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (samples - 1)
    #expect(abs(mean - row.mean) <= 5 * (2 * variance / samples).squareRoot())
    for (quantile, share) in zip(row.quantiles, [0.05, 0.5, 0.95]) {
      let below = Double(spans.count { $0 <= quantile }) / samples
      #expect(agree(below, share), "\(quantile) s is the percentile of \(below)")
    }
    for (outage, expected) in zip(Self.outages, row.survivors) {
      let left = Double(spans.count { $0 > outage }) / samples
      #expect(agree(left, expected), "\(left) after \(outage) s")
    }
  }

  @Test(
    "policies without spread last exactly as long as the reference",
    arguments: [("expo", 181_000), ("phoenix", 9_260), ("ably15", 150_000)])
  func exact(name: String, milliseconds: Int64) throws {
    let policy = try #require(Backoff.named(name))
    #expect(policy.span == .milliseconds(milliseconds) ... .milliseconds(milliseconds))
  }

  @Test("the floor of our own full jitter bounds the span from below and leaves its greatest length")
  func floor() {
    #expect(Backoff().span.lowerBound == .milliseconds(100) * 10)
    #expect(abs(Backoff().span.upperBound.seconds - 181) < 1e-6)
  }
}
