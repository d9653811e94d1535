// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Statistics
import Testing

@testable import Sampling

/// Shops with some orders each, of which some are late: the larger shops are later, so that the ratio of the sums is
/// not the mean of the ratios.
private struct Shops: SampledExperiment {
  static let kind = "shops.late"
  static let summary = "Late orders."
  var size = 10.0
  static let parameters: [Parameter<Self>] = [
    Parameter("size", \.size, .number(0...100), "Orders of a large shop on average.", example: "20")
  ]
  static let measures: [SampleMeasure<(late: Int, all: Int)>] = [
    .ratio("late", "Late orders of all.", unit: "orders") {
      Double($0.late)
    } over: {
      Double($0.all)
    },
    .ratio("part", "The same for parts of the orders.", labels: ["half", "none"]) {
      $1 == 0 ? Double($0.late) / 2 : 0
    } over: {
      $1 == 0 ? Double($0.all) : 0
    },
    .mean("share", "The mean of the shops' shares.") { Double($0.late) / Double($0.all) },
  ]

  func sample(_ random: inout RandomStream) -> (late: Int, all: Int) {
    let isLarge = random.happens(0.5)
    let all = 1 + random.poisson(mean: isLarge ? size : 1)
    return (random.binomial(trials: all, chance: isLarge ? 0.4 : 0.1), all)
  }

  /// The true ratio.
  static func truth(size: Double = 10) -> Double { (0.4 * (1 + size) + 0.1 * 2) / (1 + size + 2) }
}

@Suite("The ratio of two sums over samples has an interval by the delta method")
struct SampleRatioTests {
  @Test("it is that of the sums, not the mean of the samples' ratios, and decides thresholds by its shape")
  func known() throws {
    let found = try Shops.run("samples: 4k").measurements
    let (late, share) = (try found["late"], try found["share"])
    #expect(late.interval(at: 0.999).contains(Shops.truth()), "\(late.estimate)")
    #expect(!late.interval(at: 0.999).contains(share.estimate))
    #expect(try found["part[half]"].interval(at: 0.999).contains(Shops.truth() / 2))
    #expect(try found["part[none]"].estimate.isNaN && found["part[none]"].interval(at: 0.5) == .everything)
    let scenario = try Shops.scenario("samples: 4k\nthresholds: [late in 0.3..0.4 at 0.99, 'part[none] <= 1 at 0.9']")
    let verdicts = scenario.evaluated(by: found)
    #expect(verdicts.map(\.verdict) == [.holds, .undecided])
    #expect(verdicts[0].basis.hasPrefix("asymptotic (skewness "), "\(verdicts[0].basis)")
  }

  @Test("it has the same bytes at any number of workers, ends early, and has both columns in a file and alone")
  func reproducible() throws {
    let yaml = "samples: 30k\nthresholds: [late >= 0.3 at 0.99]"
    let early = try Shops.run(yaml, workers: 1)
    #expect(try Shops.run(yaml, workers: 3).document == early.document)
    #expect(try early.measurements["late"].samples ?? 0 < 10_000)
    let path = NSTemporaryDirectory() + "ratio-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var context = RunContext(workers: 2)
    context.samples.file = path
    _ = try Shops.scenario("samples: 100").run(on: context)
    let head = try String(contentsOfFile: path, encoding: .utf8).prefix { $0 != "\n" }
    #expect(head.hasPrefix("sample,late.numerator,late.denominator,part[half].numerator,"))
    #expect("\(try Shops.run("only: 5").data)".contains("late.denominator"))
  }

  @Test("merged shards give the figures of a single run")
  func shards() throws {
    let whole = try Shops.run("samples: 3k", workers: 1)
    let path = NSTemporaryDirectory() + "ratio-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func part(_ share: Checkpoint.Share, _ records: [Checkpoint.Record]) throws -> (ScenarioResult, [Checkpoint.Record])
    {
      let checkpoint = try Checkpoint(path, header: Data("shops".utf8), records: records, share: share)
      let result = try Shops.scenario("samples: 3k").run(on: RunContext(workers: 2).keeping(checkpoint))
      checkpoint.finish()
      return (result, try Checkpoint.Content(of: path).records)
    }
    let shards = try (1...3).flatMap { try part(.part(number: $0, count: 3), []).1 }
    let (merged, _) = try part(.none, shards)
    #expect(shards.count == 3 && merged.isComplete && merged.document == whole.document)
  }

  @Test("two settings are compared by the ratios of the same samples, at every confidence")
  func pairs() throws {
    let found = try Shops.run("samples: 4k\nversus: size=12", workers: 1).measurements
    #expect(try Shops.run("samples: 4k\nversus: size=12", workers: 3).measurements == found)
    let difference = try found["late.difference[size=12]"]
    #expect(difference.interval(at: 0.999).contains(Shops.truth(size: 12) - Shops.truth()))
    // Narrower than that of two runs with independent samples, which is the root of 2 times as wide as one's.
    guard case .mean(_, let paired, 4_000) = difference.value, case .mean(_, let one, _) = try found["late"].value
    else {
      throw Missing()
    }
    #expect(paired < 1.2 * one)
    #expect(try Shops.run("samples: 1k\nversus: size=10").measurements["late.difference[size=10]"].estimate == 0)
    #expect(
      try Shops.run("samples: 1k\nsweep: size=5,10").measurements["late[size=5]"].interval(at: 0.99) != .everything)
  }

  private struct Missing: Error {}

  @Test("joint moments are those of the definition, however blocks are cut and merged")
  func moments() throws {
    var random = try RandomStream(seed: 5)
    let rows = (0..<600).flatMap { _ -> [Double] in
      let (x, y) = (random.exponential(mean: 1), random.gaussian(mean: 3))
      return [x * y, y, x, y + x]
    }
    let columns = (0..<4).map { column in stride(from: column, to: rows.count, by: 4).map { rows[$0] } }
    let means = columns.map(\.mean)
    let parts: [JointMoments.Part] = [.init(above: 0, below: 1), .init(above: 2, below: 3, isNegative: true)]
    let ratios = [means[0] / means[1], means[2] / means[3]]
    let moved = columns[0].indices.map { row in
      (columns[0][row] - ratios[0] * columns[1][row]) / means[1]
        - (columns[2][row] - ratios[1] * columns[3][row]) / means[3]
    }
    let squares = moved.reduce(0) { $0 + $1 * $1 }
    let ranges = columns.map { ($0.min() ?? 0)...($0.max() ?? 0) }
    for size in [1, 7, 64, 600] {
      let blocks = stride(from: 0, to: 600, by: size).enumerated().map { block, first in
        let part = Array(rows[first * 4..<min(600, first + size) * 4])
        return BlockSums(JointMoments(part, columns: 0..<4, of: 4), of: block)
      }
      func merged(_ parts: [BlockSums<JointMoments>]) -> BlockSums<JointMoments> {
        parts.reduce(into: BlockSums()) { $0.merge($1) }
      }
      #expect(merged(blocks) == merged(blocks.reversed()))
      let found = try #require(merged(blocks).total?.ratios(parts, in: ranges))
      #expect(abs(found.value - (ratios[0] - ratios[1])) < 1e-12)
      #expect(abs(found.deviation / (squares / 599).squareRoot() - 1) < 1e-9)
      let shape = try #require(found.shape)
      let farthest = moved.map { $0 * $0 }.sorted(by: >).prefix(10).reduce(0, +) / squares
      #expect(shape.farthestShare >= farthest && shape.farthestShare < 1)
      let seen = ((moved.min() ?? 0) + found.value)...((moved.max() ?? 0) + found.value)
      #expect(seen.clamped(to: shape.seen) == seen, "the bounds contain what was seen")
    }
  }

  @Test("with equal denominators it has the interval of a mean, from its own skewness")
  func equalDenominators() throws {
    let ratio = SampleMeasure<Double>.ratio("r", "R.") {
      $0
    } over: { _ in
      2
    }
    let mean = SampleMeasure<Double>.mean("m", "M.") { $0 / 2 }
    var random = try RandomStream(seed: 3)
    let samples = (0..<2_000).map { _ in random.exponential(mean: 1) }
    let found = try [ratio, mean].map { measure in
      var rows: [Double] = []
      for sample in samples { measure.read(sample, &rows) }
      let tallies = SampleTallies(rows, measure.columns, samples: samples.count, block: 0, from: 0)
      return try #require(
        measure.measurements(in: tallies, confidence: 0.99, bonferroniDivisor: 1, lookedBefore: false).first)
    }
    let (one, other) = (found[0].interval(at: 0.99), found[1].interval(at: 0.99))
    #expect(abs(one.lowerBound - other.lowerBound) < 1e-9 && abs(one.upperBound - other.upperBound) < 1e-9)
  }

  @Test("a ratio whose denominators are rarely above 0 has no interval until their sum is known well")
  func rareDenominators() throws {
    func ratio(_ count: Int, chance: Double) throws -> Scenarios.Measurement {
      let measure = SampleMeasure<(Double, Double)>.ratio("r", "R.") {
        $0.0
      } over: {
        $0.1
      }
      var random = try RandomStream(seed: 3)
      var rows: [Double] = []
      for _ in 0..<count {
        let isAny = random.happens(chance)
        measure.read(isAny ? (random.uniform(), 1) : (0, 0), &rows)
      }
      let tallies = SampleTallies(rows, measure.columns, samples: count, block: 0, from: 0)
      return try #require(
        measure.measurements(in: tallies, confidence: 0.99, bonferroniDivisor: 1, lookedBefore: false).first)
    }
    #expect(try ratio(2_000, chance: 0.01).interval(at: 0.9) == .everything)
    #expect(try ratio(20_000, chance: 0.05).interval(at: 0.99).contains(0.5))
    #expect(try ratio(20_000, chance: 0.05).interval(at: 0.99) != .everything)
  }
}
