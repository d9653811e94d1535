// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Statistics
import Testing

@testable import Sampling

/// Waits of customers at a counter that is nearly always free: zero with a probability of 0.999.
private struct Waits: SampledExperiment {
  static let kind = "rare.waits"
  static let summary = "Rare waits."
  var length = 1.0
  static let parameters: [Parameter<Self>] = [
    Parameter("length", \.length, .number(0...10), "The mean of a wait that there is.", example: "2")
  ]
  static let measures: [SampleMeasure<Double>] = [
    .mean("wait", "The wait.", unit: "min") { $0 }, .mean("level", "A level.") { $0 > 0 ? 1 + $0 / 1e9 : 1 },
  ]
  func sample(_ random: inout RandomStream) -> Double { random.happens(0.001) ? random.exponential(mean: length) : 0 }
}

/// Numbers whose mean is nearly normal after some hundreds.
private struct Ordinary: SampledExperiment {
  static let kind = "ordinary.numbers"
  static let summary = "Ordinary numbers."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<(Double, Double)>] = [
    .mean("uniform", "Uniform.") { $0.0 }, .mean("exponential", "Exponential.") { $0.1 },
  ]
  func sample(_ random: inout RandomStream) -> (Double, Double) { (random.uniform(), random.exponential(mean: 1)) }
}

@Suite("A mean without a range decides only where the samples show that it is nearly normal")
struct SkewedSampleTests {
  private func evaluated(
    _ text: String, seed: Int, kind: String = "rare.waits", _ more: String = ""
  ) throws -> EvaluatedThreshold {
    let document = try ScenarioDocument(
      yaml: "name: S\nkind: \(kind)\nrandom: {seed: \(seed)}\nthresholds: ['\(text)']\n\(more)\n", file: "s.yaml")
    let scenario = try Scenario(document, kinds: [Waits.runnable, Ordinary.runnable])
    let result = try scenario.run(on: RunContext(workers: 2))
    return try #require(scenario.evaluated(by: result.measurements).first)
  }

  // After an attack: with Student's interval alone, 27 of 200 seeds said that half of the true mean was not exceeded.
  @Test("rare waits stay undecided, at any threshold, and the verdict says why and what would decide it")
  func rare() throws {
    for seed in 3_000..<3_045 {
      let bound = ["0.0005", "0.0009", "0.00099"][seed % 3]
      let one = try evaluated("wait <= \(bound)min at 0.99", seed: seed)
      #expect(one.verdict != .holds, "seed \(seed): \(one.found)")
    }
    let one = try evaluated("wait <= 0.0005min at 0.99", seed: 3_000)
    #expect(one.basis.hasPrefix("not nearly normal (skewness ") && one.found.contains(one.basis), "\(one)")
    #expect(one.advice.hasPrefix("a `range:` of the measure, or at least "), "\(one)")
  }

  // A sweep and a comparison lost what the samples show of their shape, and decided by Student's interval again.
  @Test(
    "rare waits stay undecided at the points of a sweep and as a difference",
    arguments: [
      ("wait[length=1] <= 0.0005min at 0.99", "sweep: length=1,2"),
      ("wait[length=1] <= 0.0005min at 0.99", "versus: length=1"),
      ("wait.difference[length=2] <= 0.0005min at 0.99", "versus: length=2"),
    ])
  func rareAtPoints(_ text: String, _ varied: String) throws {
    for seed in 3_000..<3_010 {
      let one = try evaluated(text, seed: seed, "samples: 4k\n" + varied)
      #expect(one.verdict != .holds, "seed \(seed): \(one.found)")
      #expect(one.basis.contains("skewness ") && !one.basis.contains("not measured"), "\(one.basis)")
    }
  }

  @Test("a mean of which nearly all samples are alike decides nothing")
  func alike() throws {
    #expect(try evaluated("level <= 1.0000000000001 at 0.99", seed: 1).verdict == .undecided)
  }

  @Test(
    "ordinary measures decide as before, and name their basis",
    arguments: ["uniform in 0.45..0.55 at 0.99", "exponential <= 1.1 at 0.99", "exponential >= 0.9 at 0.99"])
  func ordinary(_ text: String) throws {
    for seed in 1...5 {
      let one = try evaluated(text, seed: seed, kind: "ordinary.numbers")
      #expect(one.verdict == .holds && one.basis.hasPrefix("asymptotic (skewness "), "\(one)")
    }
  }

  @Test("skewness and the share of the farthest ten are those of the definition, however blocks are cut and merged")
  func shape() throws {
    var dice = try RandomStream(named: "mt19937", seed: 5)
    let values = (0..<1_000).map { _ in dice.exponential(mean: 1) - 3 }
    let mean = values.mean
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let cubes = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) }
    let skewness = cubes / 1_000 / (squares / 1_000 * (squares / 1_000).squareRoot())
    let farthest = values.map { ($0 - mean) * ($0 - mean) }.sorted(by: >).prefix(10).reduce(0, +) / squares
    for size in [1, 7, 64, 999, 1_000] {
      var parts: [SampleTally] = []
      for (block, first) in stride(from: 0, to: 1_000, by: size).enumerated() {
        parts.append(
          SampleTally(Array(values[first..<min(1_000, first + size)]), column: 0, of: 1, block: block, from: first))
      }
      func merged(_ parts: [SampleTally]) -> Scenarios.Measurement.Evidence? {
        parts.reduce(into: SampleTally()) { $0.merge($1) }.evidence(in: nil)
      }
      let found = merged(parts)
      guard case .shape(let shape) = found else {
        Issue.record("no shape")
        return
      }
      #expect(abs(shape.skewness - skewness) < 1e-9 && abs(shape.farthestShare / farthest - 1) < 0.01)
      #expect(shape.seen == (values.min() ?? 0)...(values.max() ?? 0))
      #expect(merged(parts.reversed()) == found, "the order of merging changes no bit")
    }
  }

  @Test("ten values of few buckets count once")
  func few() throws {
    let tally = SampleTally([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4], column: 0, of: 1, block: 0, from: 0)
    guard case .shape(let shape) = tally.evidence(in: nil) else { throw MissingShape() }
    // The mean is 1/4: the 4 has 3.75² of 15 squares, and nine zeros 1/16 each.
    #expect(abs(shape.farthestShare - (3.75 * 3.75 + 9.0 / 16) / 15) < 1e-12)
    #expect(SampleTally([2, 2, 2], column: 0, of: 1, block: 0, from: 0).evidence(in: nil) == nil)
  }

  private struct MissingShape: Error {}
}
