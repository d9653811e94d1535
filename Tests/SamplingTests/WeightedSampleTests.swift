// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import Sampling

/// The chance that a normal number is above 3, drawn around another middle and weighted back.
private struct Tail: SampledExperiment {
  static let kind = "normal.tail"
  static let summary = "A rare event."
  var middle = 3.0
  static let parameters: [Parameter<Self>] = [
    Parameter("middle", \.middle, .number(-9...9), "The middle of what is drawn.", example: "2")
  ]
  static let measures: [SampleMeasure<(number: Double, weight: Double)>] = [
    .weighted("above", "The chance of a number above 3.") { ($0.number > 3 ? 1 : 0, $0.weight) },
    .weighted("each", "The chance of a number above.", labels: ["two", "three"]) {
      ($0.number > Double($1 + 2) ? 1 : 0, $0.weight)
    },
  ]

  func sample(_ random: inout RandomStream) -> (number: Double, weight: Double) {
    let number = random.gaussian(mean: middle)
    return (number, exp(middle * (middle / 2 - number)))
  }
}

@Suite("A weighted mean estimates the distribution that is meant, and says what its weights are worth")
struct WeightedSampleTests {
  /// The weights of `result.json` by the name of the measure.
  private func weights(_ result: ScenarioResult) throws -> [JSONValue] {
    guard case .object(let members) = result.data,
      case .array(let weights)? = members.first(where: { $0.key == "weights" })?.value
    else { throw Missing() }
    return weights
  }

  private struct Missing: Error {}

  @Test("the chance of a rare event is known well from few samples, and the same at any number of workers")
  func known() throws {
    let result = try Tail.run("samples: 4k\nthresholds: [above in 0.0012..0.0015 at 0.99]", workers: 1)
    let above = try result.measurements["above"]
    #expect(above.interval(at: 0.999).contains(0.001_349_898), "\(above.estimate)")
    #expect(above.interval(at: 0.99).upperBound < 0.0015)
    #expect(try result.measurements["each[two]"].interval(at: 0.999).contains(0.022_750_13))
    #expect(
      try Tail.run("samples: 4k\nthresholds: [above in 0.0012..0.0015 at 0.99]", workers: 3).document == result.document
    )
    #expect(try weights(result).count == 3)
  }

  @Test("weights of 1 leave the number of hits, and the effective number is the sum's square over that of squares")
  func equal() throws {
    let result = try Tail.run("middle: 0\nsamples: 100k")
    let hits = (try result.measurements["above"].estimate * 100_000).rounded()
    #expect(
      result.document.text(width: 200).contains("above: the effective number of samples is \(Int(hits)) of 100,000."))
    func tally(_ column: [Double]) -> SampleTally { SampleTally(column, column: 0, of: 1, block: 0, from: 0) }
    let report = WeightReport("w", tally([1, 1, 2]), tally([1, 1, 4]))
    #expect(abs(report.effectiveSamples - 16.0 / 6) < 1e-12 && report.largestShare == 1 && report.isPoor)
    // Products of both signs cancel, which says nothing of the weights.
    #expect(abs(WeightReport("w", tally([1, -1, 2]), tally([1, 1, 4])).effectiveSamples - 2) < 1e-12)
  }

  @Test("a warning says so if few samples carry the sum, and only then")
  func poor() throws {
    let poor = try Tail.run("middle: 6\nsamples: 1k")
    #expect(poor.document.text(width: 200).contains("Warning: few samples"))
    #expect(try poor.measurements["above"].interval(at: 0.99) == .everything, "not nearly normal")
    #expect(!(try Tail.run("samples: 4k").document.text(width: 200).contains("Warning")))
  }

  @Test("two settings are compared by the products of the same samples")
  func pairs() throws {
    let found = try Tail.run("samples: 4k\nversus: middle=2.5").measurements
    #expect(try found["above.difference[middle=2.5]"].interval(at: 0.999).contains(0))
  }
}
