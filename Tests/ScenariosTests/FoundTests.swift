// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
@testable import Scenarios
import TestSupport
import Testing

@Suite("Texts of findings, and of the samples that would decide")
struct FoundTests {
  private func evaluated(_ text: String, _ measurement: Measurement) throws -> EvaluatedThreshold {
    try Threshold(text).evaluated(by: measurement)
  }

  @Test("exactly zero prints as 0, at any precision")
  func nought() {
    #expect(Samples.interval(0, 0...1.1e-11, at: 0.99).text(at: 0.99) == "0 (0..1.1e-11)")
    #expect(Samples.interval(0, -0.05...0.05, at: 0.99).text(at: 0.99) == "0.000 ±0.050")
  }

  @Test("values have the digits that their interval justifies, shares in percent however the threshold is written")
  func digits() throws {
    let share = Samples.share(951, of: 1000)
    #expect(
      try evaluated("success >= 90% at 0.99", share).found == "95.1% (93.3%..96.6%, each end at 0.99; 1,000 samples)")
    #expect(
      try evaluated("success >= 0.9 at 0.99", share).found == "95.1% (93.3%..96.6%, each end at 0.99; 1,000 samples)")
    #expect(
      try evaluated("ev[6d] in -1..-0.5 at 0.95", Samples.mean(0, deviation: 10, samples: 100)).found
        == "0.0 bets (-2.0..2.0 at 0.95; 100 samples; asymptotic (skewness not measured))")
    #expect(
      try evaluated("regret < 1 at 0.99", Samples.interval(0.5, 0.44...0.61, at: 0.999)).found
        == "0.50 bets (0.44..0.61 at 0.999; 1,000 samples)")
    #expect(try evaluated("mismatches == 0", Samples.count(1200, undecided: 3)).found == "1,200 cells, and 3 undecided")
    #expect(try evaluated("edge > 0.3", Samples.exact(36)).found == "36 bets")
    #expect(try evaluated("edge > 0.3", Samples.exact(-0.00511734)).found == "-0.00511734 bets")
    #expect(try evaluated("edge > 0.3", Samples.exact(17020.7)).found == "17,020.7 bets")
    #expect(try evaluated("edge > 0.3", Samples.exact(19.905)).found == "19.905 bets")
    #expect(FigureText(Samples.exact(0.5), at: 0.99).value == "0.5")
    let ruin = Measure("ruin", meaning: "x", kind: .exact, isShare: true)
    #expect(
      [0, 9e-293, 9e-16, 2e-15, 1].map { FigureText(Measurement(ruin, .exact($0)), at: 0.99).value } == [
        "0%", "below 1e-15", "below 1e-15", "2e-13%", "100%",
      ])
  }

  @Test("one of a unit is in the singular")
  func singular() throws {
    #expect(try evaluated("mismatches == 0", Samples.count(1)).found == "1 cell")
    #expect(try evaluated("edge > 0.3", Samples.exact(1)).found == "1 bet")
    let units = ["activities", "fetches", "indices", "prices", "cases", "bets a round", "s", "ms", "min", "a day", ""]
    #expect(
      units.map { NumberFormat.unit($0, of: "1") } == [
        " activity", " fetch", " index", " price", " case", " bet a round", " s", " ms", " min", " a day", "",
      ])
    #expect(NumberFormat.unit("prices", of: "0") == " prices")
  }

  @Test("numbers of tables have grouped thousands and no long runs of zeros")
  func readable() throws {
    let wide = Samples.interval(302_595, 86_370...18_398_179, at: 0.99)
    let narrow = Samples.interval(0, -4.9e-11...4.9e-11, at: 0.99)
    #expect(FigureText(wide, at: 0.99).range == "86,370..18,398,179")
    #expect(Samples.interval(4.7, 3.9...10.7, at: 0.99).text(at: 0.99) == "4.7 (3.9..10.7)")
    #expect(wide.text(at: 0.99) == "302,595 (86,370..18,398,179)" && narrow.text(at: 0.99) == "0 ±4.9e-11")
  }

  @Test("rounding never moves a value to the other side of the threshold")
  func faithful() throws {
    #expect(try evaluated("edge > 0.3", Samples.exact(0.300000004)).found == "0.300000004 bets")
    #expect(try evaluated("success >= 0.95 at 0.95", Samples.share(58, of: 58)).found.contains("94.97%..100.00%"))
  }

  @Test("a share below 1 never prints as 1, nor one above 0 as 0")
  func shares() throws {
    func found(_ text: String, _ value: Double, _ range: ClosedRange<Double>, unit: String = "") throws -> String {
      let measure = Measure("success", meaning: "How many", unit: unit, kind: .interval(confidence: 0.99))
      let ends = (range.lowerBound, range.upperBound)
      return try evaluated(
        text,
        Measurement(
          measure, .interval(value, low: ends.0, high: ends.1, confidence: 0.99, samples: 1000))
      ).found
    }
    #expect(
      try found("success >= 0.95 at 0.99", 0.99997, 0.9985...0.9999998)
        == "0.99997 (0.9985..0.9999998 at 0.99; 1,000 samples)")
    #expect(
      try found("success >= 95% at 0.99", 0.99997, 0.9985...1) == "99.997% (99.85%..100.00% at 0.99; 1,000 samples)")
    #expect(
      try found("success <= 0.1 at 0.99", 0.00002, 0...0.003) == "0.00002 (0.0000..0.0030 at 0.99; 1,000 samples)")
    #expect(
      try found("success <= 0.1 at 0.99", 0.00002, 0...0.003, unit: "bets").hasPrefix("0.0000 bets"),
      "what has a unit is no share")
    #expect(try evaluated("success >= 0.9 at 0.99", Samples.share(99_999, of: 100_000)).found.hasPrefix("99.999"))
    // Rounded up it is above the threshold, and with one digit more on it.
    #expect(try found("success > 0.9999 at 0.99", 0.99990001, 0.99...1).hasPrefix("0.99990001 ("))
  }

  @Test("without samples or a finite value, that is stated")
  func nothing() throws {
    let none = try evaluated("success >= 90% at 0.99", Samples.share(0, of: 0))
    #expect(none.found == "no samples" && none.advice == "some samples: there are none yet")
    let one = try evaluated("ev[6d] > 1 at 0.99", Samples.mean(3, deviation: 0, samples: 1))
    #expect(one.found == "3 bets (no interval at 0.99; 1 sample)")
    #expect(Samples.mean(3, deviation: 0, samples: 1).text(at: 0.99) == "3 ±?")
    #expect(Samples.interval(17, 0...Double.infinity, at: 0.99).text(at: 0.99) == "17 ±?")
    #expect(one.advice == "samples that differ: nothing bounds them, and these are all alike")
    #expect(try evaluated("edge > 0.3", Samples.exact(.nan)).found == "no number")
    let noMean = try evaluated("ev[6d] > 1 at 0.99", Samples.mean(.nan, deviation: .nan, samples: 9))
    #expect(noMean.found == "no number" && noMean.advice == "a figure that is a number")
  }

  @Test("no number of samples is advised for an estimate on the bound, or after few samples")
  func onTheBound() throws {
    for one in [
      try evaluated("success >= 50% at 0.99", Samples.share(50, of: 100)),
      try evaluated("ev[6d] in 0..1 at 0.99", Samples.mean(1, deviation: 2, samples: 100)),
      try evaluated("ev[6d] >= 0 at 0.99", Samples.mean(1e-9, deviation: 2, samples: 100)),
      // Ten rounds of blackjack that lost: a million are needed, and ten do not show it.
      try evaluated("ev[6d] >= 0 at 0.99", Samples.mean(-0.5, deviation: 1, samples: 10)),
    ] {
      #expect(one.advice == "more samples; how many is not known yet", "\(one)")
    }
  }

  @Test("a share without a hit, or with hits alone, states so, its bound, and the samples of that kind that decide it")
  func unbroken() throws {
    let none = try evaluated("success <= 0.01% at 0.99", Samples.share(0, of: 512))
    #expect(none.found == "0.00% (0.00%..0.90%, each end at 0.99; none of 512 samples)")
    #expect(none.advice == "about 46,000 more samples without a hit")
    let all = try evaluated("success >= 99.99% at 0.99", Samples.share(512, of: 512))
    #expect(all.advice == "about 46,000 more samples that all hit")
    #expect(try evaluated("success <= 0.01% at 0.99", Samples.share(0, of: 46_500)).verdict == .holds)
    let rare = try Threshold("success <= 1e-14 at 0.99")
      .evaluated(by: Samples.share(0, of: 512), sampleSize: SampleSize("samples", 512))
    #expect(rare.advice == "about 470,000,000,000,000 more samples without a hit", "no key takes as many")
  }

  @Test("a very small share has an exponent, and a difference of shares is in percent like the shares")
  func smallAndDifferent() throws {
    let measure = Measure("success", meaning: "It", kind: .interval(confidence: 0.99), range: 0...1)
    let tiny = Measurement(measure, .interval(1.954e-14, low: 1e-14, high: 3e-14, confidence: 0.99, samples: 100))
    #expect(try evaluated("success <= 1e-12 at 0.99", tiny).found == "1.95e-12% (1e-12%..3e-12% at 0.99; 100 samples)")
    let change = Measure("success", meaning: "It", kind: .proportion)
      .difference(at: "b=2", confidence: 0.99, isPaired: true)
    let found = try evaluated(
      "success.difference <= 0.005 at 0.9", Measurement(change, .mean(0.0055, standardDeviation: 0.1, samples: 9000)))
    #expect(found.found.hasPrefix("0.55% ("), "\(found.found)")
  }

  @Test("a count states its undecided part; a decided threshold needs no samples")
  func counts() throws {
    #expect(try evaluated("mismatches == 0", Samples.count(0, undecided: 2)).advice == "2 are undecided")
    #expect(try evaluated("mismatches == 0", Samples.count(0, undecided: 1)).advice == "1 is undecided")
    #expect(try evaluated("mismatches == 0", Samples.count(0)).advice == "")
  }

  @Test("for 58 successes of 58, the advice to show 95% at 0.95 is half to twice as many more, with the key to change")
  func oneMore() throws {
    let evaluated = try Threshold("success >= 95% at 0.95")
      .evaluated(by: Samples.share(58, of: 58), sampleSize: SampleSize("sessions", 58_000))
    #expect(
      evaluated.advice == "about 60 more samples: `sessions: 120k` (half to twice as many, nine times in ten)")
  }
}

@Suite("The advised number of samples decides a threshold")
struct ForecastTests {
  private func forecast(_ threshold: Threshold, _ measurement: Scenarios.Measurement) -> (
    isUndecided: Bool, total: Int?
  ) {
    let part = Threshold.LabelVerdict(of: threshold, measurement: measurement, bonferroniDivisor: 1)
    return part.verdict(of: measurement) == .undecided ? (true, part.forecast) : (false, nil)
  }

  /// Runs problems of one sort on until they are decided: how many forecasts there were, and how many were within a
  /// factor of two of what it took.
  private func trial(
    problems: Int, seed: UInt64, maximum: Int,
    _ problem: (inout SplitMix64) -> (threshold: Threshold, first: Int, draw: (inout SplitMix64) -> Double),
    _ measured: (_ sum: Double, _ squares: Double, _ count: Int) -> Scenarios.Measurement
  ) -> (undecided: Int, told: Int, right: Int) {
    var (dice, undecided, told, right) = (SplitMix64(seed: seed), 0, 0, 0)
    for _ in 0..<problems {
      let (threshold, first, draw) = problem(&dice)
      var (sum, squares, count) = (0.0, 0.0, 0)
      func go(to samples: Int) {
        while count < samples {
          let value = draw(&dice)
          (sum, squares, count) = (sum + value, squares + value * value, count + 1)
        }
      }
      go(to: first)
      let forecast = forecast(threshold, measured(sum, squares, count))
      undecided += forecast.isUndecided ? 1 : 0
      guard let total = forecast.total else { continue }
      told += 1
      // Until it is decided, in steps of a thirty-second, but no farther than shows that it was not.
      while count < min(maximum, 2 * total + 1) {
        go(to: count + max(1, count / 32))
        let part = Threshold.LabelVerdict(
          of: threshold, measurement: measured(sum, squares, count), bonferroniDivisor: 1)
        if part.verdict(of: part.measurement) != .undecided { break }
      }
      right += count >= total / 2 && count <= 2 * total ? 1 : 0
    }
    return (undecided, told, right)
  }

  @Test("of shares, within a factor of two nine times in ten", arguments: [0.99, 0.999])
  func shares(confidence: Double) {
    let found = trial(problems: 1_500, seed: 71, maximum: 40_000) { dice in
      let chance = Double.random(in: 0.6...0.98, using: &dice)
      let bound = chance - Double.random(in: 0.02...0.1, using: &dice)
      let threshold = Threshold(name: "success", .compared(.atLeast, .init(bound)), confidence: .init(confidence))
      return (
        threshold, Int.random(in: 40...600, using: &dice),
        { Double.random(in: 0..<1, using: &$0) < chance ? 1 : 0 }
      )
    } _: { sum, _, count in
      Samples.share(Int(sum), of: count)
    }
    #expect(found.told >= found.undecided / 20, "\(found)")
    // Nine in ten, less four deviations of that number of samples.
    #expect(Double(found.right) >= 0.9 * Double(found.told) - 1.2 * Double(found.told).squareRoot(), "\(found)")
  }

  @Test("of means, within a factor of two nine times in ten", arguments: [0.99, 0.999])
  func means(confidence: Double) {
    let found = trial(problems: 1_500, seed: 72, maximum: 40_000) { dice in
      let bound = 0.5 - Double.random(in: 0.02...0.1, using: &dice)
      let threshold = Threshold(name: "ev", label: "6d", .compared(.above, .init(bound)), confidence: .init(confidence))
      return (threshold, Int.random(in: 40...600, using: &dice), { Double.random(in: 0..<1, using: &$0) })
    } _: { sum, squares, count in
      let mean = sum / Double(count)
      let variance = max(0, squares / Double(count) - mean * mean) * Double(count) / Double(max(1, count - 1))
      return Samples.mean(mean, deviation: variance.squareRoot(), samples: count, range: 0...1)
    }
    #expect(found.told >= found.undecided / 20, "\(found)")
    #expect(Double(found.right) >= 0.9 * Double(found.told) - 1.2 * Double(found.told).squareRoot(), "\(found)")
  }
}
