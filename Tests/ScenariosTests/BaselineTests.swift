// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@Suite("A threshold relative to an earlier run")
struct BaselineTests {
  private func evaluated(
    _ text: String, _ measurement: Measurement, against earlier: Measurement?,
    _ relation: MeasurementDifference.Relation = .independent
  ) throws -> EvaluatedThreshold {
    let baseline = earlier.map { Baseline("quick~1", [$0], relation: relation) }
    return try Threshold(text).evaluated(by: measurement, against: baseline)
  }

  @Test(
    "is written back as it was read", arguments: ["edge <= baseline", "edge <= baseline + 5%", "edge > baseline - 0.2"])
  func text(text: String) throws {
    #expect(try Threshold(text).text == text)
    #expect(try Threshold(text.replacing(" + ", with: "+")).isRelative)
  }

  @Test(
    "has a margin without its own sign, and subtracts less than all",
    arguments: ["edge <= baseline + -5%", "edge <= baseline +", "edge <= baseline - 100%", "edge in baseline..2"])
  func refused(text: String) {
    #expect(throws: ThresholdError.self) { try Threshold(text) }
  }

  @Test("compares computed and counted values with the baseline and its margin, in percent or in the unit")
  func certain() throws {
    #expect(try evaluated("edge <= baseline + 5%", Samples.exact(105), against: Samples.exact(100)).verdict == .holds)
    #expect(try evaluated("edge <= baseline + 4%", Samples.exact(105), against: Samples.exact(100)).verdict == .fails)
    #expect(try evaluated("edge <= baseline + 5", Samples.exact(105), against: Samples.exact(100)).verdict == .holds)
    #expect(try evaluated("edge >= baseline - 5%", Samples.exact(-105), against: Samples.exact(-100)).verdict == .holds)
    #expect(try evaluated("mismatches <= baseline", Samples.count(3), against: Samples.count(3)).verdict == .holds)
    let open = try evaluated("mismatches <= baseline", Samples.count(3, undecided: 1), against: Samples.count(3))
    #expect(open.verdict == .undecided && open.errorProbability == 0)
  }

  @Test("compares infinite values, and leaves values that are not a number undecided")
  func notFinite() throws {
    let never = Samples.exact(.infinity)
    #expect(try evaluated("edge <= baseline", never, against: never).verdict == .holds)
    #expect(try evaluated("edge <= baseline", never, against: Samples.exact(1)).verdict == .fails)
    for relation in [MeasurementDifference.Relation.repeated, .unknown] {
      for text in ["edge <= baseline", "edge <= baseline + 5%"] {
        #expect(try evaluated(text, never, against: Samples.exact(.nan), relation).verdict == .undecided)
      }
    }
  }

  @Test("is decided by the interval of the difference, and undecided if that includes the bound")
  func sampled() throws {
    let earlier = Samples.share(500, of: 1000)
    let text = "success >= baseline - 0.05 at 0.99"
    #expect(
      try evaluated(text, Samples.share(5300, of: 10_000), against: Samples.share(5000, of: 10_000)).verdict == .holds)
    #expect(try evaluated(text, Samples.share(300, of: 1000), against: earlier).verdict == .fails)
    let open = try evaluated(text, Samples.share(460, of: 1000), against: earlier)
    #expect(open.verdict == .undecided && !open.advice.isEmpty)
    #expect(open.found.contains("in the baseline") && open.errorProbability.rounded(toPlaces: 6) == 0.01)
    let mean = try evaluated(
      "ev[6d] <= baseline + 50% at 0.99", Samples.mean(1, deviation: 1, samples: 10_000),
      against: Samples.mean(1, deviation: 1, samples: 10_000), .unknown)
    #expect(mean.verdict == .holds)
  }

  @Test("is undecided without a baseline, or with one that lacks the measure")
  func missing() throws {
    #expect(try evaluated("edge <= baseline", Samples.exact(1), against: nil).verdict == .undecided)
    #expect(try evaluated("edge <= baseline", Samples.exact(1), against: Samples.count(1)).verdict == .undecided)
  }
}

extension Double {
  fileprivate func rounded(toPlaces indices: Int) -> Double {
    let scale = (0..<indices).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
