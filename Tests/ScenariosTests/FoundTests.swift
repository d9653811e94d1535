// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@Suite("What was found reads well, and what would decide is said")
struct FoundTests {
  private func evaluated(_ text: String, _ measurement: Measurement) throws -> EvaluatedThreshold {
    try Threshold(text).evaluated(by: measurement)
  }

  @Test("figures have the digits that their interval deserves, and percent where the threshold has it")
  func digits() throws {
    let share = Samples.share(951, of: 1000)
    #expect(
      try evaluated("success >= 90% at 0.99", share).found == "95.1% (93.3%..96.6%, each end at 0.99; 1,000 samples)")
    #expect(
      try evaluated("success >= 0.9 at 0.99", share).found == "0.951 (0.933..0.966, each end at 0.99; 1,000 samples)")
    #expect(
      try evaluated("ev[6d] in -1..-0.5 at 0.95", Samples.mean(0, deviation: 10, samples: 100)).found
        == "0.0 bets (-2.0..2.0 at 0.95; 100 samples)")
    #expect(
      try evaluated("regret < 1 at 0.99", Samples.interval(0.5, 0.44...0.61, at: 0.999)).found
        == "0.50 bets (0.44..0.61 at 0.999; 1,000 samples)")
    #expect(try evaluated("mismatches == 0", Samples.count(1200, undecided: 3)).found == "1,200 cells, and 3 undecided")
    #expect(try evaluated("edge > 0.3", Samples.exact(36)).found == "36 bets")
    #expect(try evaluated("edge > 0.3", Samples.exact(-0.00511734)).found == "-0.00511734 bets")
  }

  @Test("a figure is never printed on another side of the number than it is on")
  func faithful() throws {
    #expect(try evaluated("edge > 0.3", Samples.exact(0.300000004)).found == "0.300000004 bets")
    #expect(try evaluated("success >= 0.95 at 0.95", Samples.share(58, of: 58)).found.contains("0.9497..1.0000"))
  }

  @Test("a share below all of it never reads as all, nor one above nothing as nothing")
  func shares() throws {
    func found(_ text: String, _ value: Double, _ range: ClosedRange<Double>, unit: String = "") throws -> String {
      let measure = Measure("success", meaning: "How many", unit: unit, nature: .interval(confidence: 0.99))
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
    #expect(try evaluated("success >= 0.9 at 0.99", Samples.share(99_999, of: 100_000)).found.hasPrefix("0.99999"))
    // Rounded up it is above the threshold, and with one digit more on it.
    #expect(try found("success > 0.9999 at 0.99", 0.99990001, 0.99...1).hasPrefix("0.99990001 ("))
  }

  @Test("without samples or a number that is what was found")
  func nothing() throws {
    let none = try evaluated("success >= 90% at 0.99", Samples.share(0, of: 0))
    #expect(none.found == "no samples" && none.remedy == "some samples: there are none yet")
    let one = try evaluated("ev[6d] > 1 at 0.99", Samples.mean(3, deviation: 0, samples: 1))
    #expect(one.found == "3 bets (nothing known at 0.99; 1 sample)")
    #expect(one.remedy == "at least 1 more: their deviation is not known yet")
    #expect(try evaluated("edge > 0.3", Samples.exact(.nan)).found == "no number")
    let noMean = try evaluated("ev[6d] > 1 at 0.99", Samples.mean(.nan, deviation: .nan, samples: 9))
    #expect(noMean.found == "no number" && noMean.remedy == "a figure that is a number")
  }

  @Test("an estimate on the bound stays undecided whatever is sampled")
  func onTheBound() throws {
    let remedy = "no number of samples decides it while the estimate stays on the bound"
    #expect(try evaluated("success >= 50% at 0.99", Samples.share(50, of: 100)).remedy == remedy)
    #expect(try evaluated("ev[6d] in 0..1 at 0.99", Samples.mean(1, deviation: 2, samples: 100)).remedy == remedy)
    #expect(
      try evaluated("ev[6d] >= 0 at 0.99", Samples.mean(1e-9, deviation: 2, samples: 100)).remedy
        == "more than 1,000,000,000,000 samples in all")
  }

  @Test("a count says what is undecided; what is decided needs nothing")
  func counts() throws {
    #expect(try evaluated("mismatches == 0", Samples.count(0, undecided: 2)).remedy == "2 are undecided")
    #expect(try evaluated("mismatches == 0", Samples.count(0, undecided: 1)).remedy == "1 is undecided")
    #expect(try evaluated("mismatches == 0", Samples.count(0)).remedy == "")
  }

  @Test("58 successes of 58 need one more to show 95% at 0.95")
  func oneMore() throws {
    #expect(try evaluated("success >= 95% at 0.95", Samples.share(58, of: 58)).remedy == "about 1 more sample")
  }

  @Test("with as many more samples as are asked for it is decided, and with half as many it is not")
  func enough() throws {
    var dice = Dice(seed: 6)
    var tried = 0
    while tried < 300 {
      let samples = Int.random(in: 20...3000, using: &dice)
      let isShare = Bool.random(using: &dice)
      let found = isShare ? Double(Int.random(in: 0...samples, using: &dice)) / Double(samples) : dice.number()
      let bound =
        isShare ? Double.random(in: 0.01...0.99, using: &dice) : found + Double.random(in: 0.01...1, using: &dice)
      func measurement(_ samples: Int) -> Measurement {
        isShare
          ? Samples.share(Int((found * Double(samples)).rounded()), of: samples)
          : Samples.mean(found, deviation: 5, samples: samples)
      }
      let threshold = Threshold(name: "x", .compared(.atLeast, .init(bound)), confidence: .init(0.99))
      let evaluated = threshold.evaluated(by: measurement(samples))
      guard evaluated.verdict == .undecided, let more = number(in: evaluated.remedy) else { continue }
      tried += 1
      #expect(threshold.evaluated(by: measurement(samples + more)).verdict != .undecided, "\(evaluated)")
      // Successes are whole, so that a few samples more or less change the share; far fewer is well below that.
      guard more > 40 else { continue }
      #expect(threshold.evaluated(by: measurement(samples + more / 2)).verdict == .undecided, "\(evaluated)")
    }
  }

  @Test("an interval's width goes with one over the root of the samples: six tenths of it take 2.78 times as many")
  func interval() throws {
    let found = Samples.interval(0.5, 0.4...0.6, at: 0.999, samples: 1000)
    #expect(try evaluated("regret >= 0.44 at 0.99", found).remedy == "about 1,800 more samples")
  }

  /// The number in `about 12,000 more samples`.
  private func number(in remedy: String) -> Int? {
    remedy.hasPrefix("about ") ? Int(remedy.filter(\.isNumber)) : nil
  }
}
