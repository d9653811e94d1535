// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import Sampling

/// A walk of some steps up with a probability: the height after each step is binomial.
private struct Climb: SampledExperiment {
  static let kind = "climb.steps"
  static let summary = "Steps up."
  static let steps = 100

  var chance = 0.5
  static let parameters: [Parameter<Self>] = [
    Parameter("chance", \.chance, .share, "The probability of a step up.", example: "0.6")
  ]
  static let measures: [SampleMeasure<[Int]>] = [
    .mean("top", "The height at the end.", range: 0...100) { Double($0[100]) },
    .mean("gain", "Steps of a week.", unit: "m", labels: weeks) { Double($0[$1 * 7 + 7] - $0[$1 * 7]) },
    .share("still", "Weeks without a step.", labels: weeks) { $0[$1 * 7 + 7] == $0[$1 * 7] },
    .percentiles("height", "The height after a week.", [50], labels: weeks) { Double($0[$1 * 7 + 7]) },
    .series("path", "The height.", unit: "m", at: 0...steps, along: "step") { Double($0[$1]) },
  ]
  static let weeks = ["week 1", "week 2", "week 3"]

  func sample(_ random: inout RandomStream) -> [Int] {
    var path = [0]
    for step in 0..<Self.steps { path.append(path[step] + (random.happens(chance) ? 1 : 0)) }
    return path
  }
}

@Suite("A measure with labels is one row with a figure for each label")
struct SampleFamilyTests {
  @Test("thresholds name a label or all labels, and the figures are those of independent samples")
  func known() throws {
    #expect(Climb.runnable.problems() == [])
    let result = try Climb.run("samples: 4k")
    let found = result.measurements
    #expect(found.count == 1 + 3 + 3 + 3 + 101)
    #expect(try found["gain[week 2]"].interval(at: 0.999).contains(3.5))
    #expect(try found["still[week 3]"].interval(at: 0.999).contains(1.0 / 128))
    #expect(try found["height[week 2, p50]"].estimate == 7)
    for step in [1, 30, 100] {
      let one = try found["path[\(step)]"]
      #expect(one.interval(at: 0.9999).contains(Double(step) / 2), "\(step)")
      #expect(one.interval(at: 0.99) != .everything, "a light tally shows that it is nearly normal")
    }
    let scenario = try Climb.scenario(
      "samples: 4k\nthresholds: [gain in 3..4 at 0.99, 'path[30] in 14..16 at 0.99', 'still[week 1] <= 2% at 0.99']")
    let verdicts = scenario.evaluated(by: try scenario.run(on: RunContext(workers: 2)).measurements)
    #expect(verdicts.count == 5 && verdicts.allSatisfy { $0.verdict == .holds }, "\(verdicts)")
  }

  @Test("it has the same bytes at any number of workers, also after a resumed run")
  func reproducible() throws {
    let whole = try Climb.run("samples: 3k", workers: 1)
    #expect(try Climb.run("samples: 3k", workers: 3).document == whole.document)
    let path = NSTemporaryDirectory() + "family-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var records: [Checkpoint.Record] = []
    for round in 1... {
      let checkpoint = try Checkpoint(path, header: Data("climb".utf8), records: records)
      let part = try Climb.scenario("samples: 3k").run(
        on: RunContext(workers: 2, maxSamples: 1_000 * round).keeping(checkpoint))
      checkpoint.finish()
      records = try Checkpoint.Content(of: path).records
      guard part.isComplete else { continue }
      #expect(round > 1 && part.measurements == whole.measurements && part.document == whole.document)
      return
    }
  }

  @Test("labels share a table, a long series shows some points and has all in details")
  func tables() throws {
    let result = try Climb.run("samples: 1k")
    let tables = result.document.sections.flatMap(\.blocks).compactMap { block -> Table? in
      if case .table(let table) = block { table.table } else { nil }
    }
    #expect(tables.map { $0.rows.map { $0[0] } }[1] == ["1", "2", "3"])
    #expect(tables[1].columns.map(\.title) == ["week", "gain, m", "still", "height p50"])
    #expect(tables.last?.rows.map { $0[0] } == ["0", "11", "22", "33", "44", "55", "66", "77", "88", "100"])
    let details = result.document.sections.flatMap(\.blocks).compactMap { block -> Int? in
      guard case .details("All 101 points", let inner) = block, case .table(let all)? = inner.first else { return nil }
      return all.table.rows.count
    }
    #expect(details == [101])
    #expect(result.document.csv?.split(separator: "\n").count == 1 + 111)
  }

  @Test("a series is a curve with its band, other labels are points, and the text says that intervals are pointwise")
  func figures() throws {
    let figures = try Climb.run("samples: 1k").document.sections.figures
    let path = try #require(figures.first { $0.title == "path by step" })
    #expect(path.series[0].style == .line && path.series[0].points.map(\.x) == (0...100).map(Double.init))
    #expect(path.series[0].points[50].interval != nil)
    #expect(path.alternative.contains("holds individually at 0.99, not for all together"))
    #expect(figures.first { $0.title == "gain by week" }?.series[0].style == .points)
    #expect(!figures.contains { $0.title.contains("distribution of gain") })
  }

  @Test("settings are compared label by label, and a sample drawn alone has all labels")
  func variations() throws {
    let found = try Climb.run("samples: 2k\nversus: chance=0.6").measurements
    #expect(try found["gain.difference[week 1, chance=0.6]"].interval(at: 0.999).contains(0.7))
    #expect(try found["path.difference[50, chance=0.6]"].interval(at: 0.999).contains(5))
    #expect(try found["still.difference[week 3, chance=0.6]"].interval(at: 0.999).contains(pow(0.4, 7) - pow(0.5, 7)))
    #expect(try found["height.difference[week 2, p50, chance=0.6]"].interval(at: 0.99).contains(1))
    #expect(try Climb.run("samples: 2k\nsweep: chance=0.4,0.6").measurements.count == 2 * 111)
    guard case .object(let members) = try Climb.run("only: 7").data,
      case .object(let values)? = members.first(where: { $0.key == "values" })?.value
    else { throw Missing() }
    #expect(values.count == 1 + 3 + 3 + 3 + 101 && values.last?.key == "path[100]")
  }

  private struct Missing: Error {}

  @Test("samples in a file have a column for each label")
  func file() throws {
    let path = NSTemporaryDirectory() + "family-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var context = RunContext(workers: 2)
    context.samples.file = path
    _ = try Climb.scenario("samples: 100").run(on: context)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines[0].hasPrefix("sample,top,gain[week 1],gain[week 2],gain[week 3],still[week 1],"))
    #expect(lines.count == 101 && lines[1].split(separator: ",").count == 112)
  }

  @Test("sums over blocks have the same bits in any order of merging, and a few parts of many blocks")
  func sums() throws {
    var random = try RandomStream(seed: 3)
    let parts = (0..<1_000).map { block in
      var moments = SampleTally.Moments()
      moments.add(random.gaussian())
      return BlockSums(moments, of: block)
    }
    func merged(_ parts: [BlockSums<SampleTally.Moments>]) -> BlockSums<SampleTally.Moments> {
      parts.reduce(into: BlockSums()) { $0.merge($1) }
    }
    let whole = merged(parts)
    #expect(whole.total?.count == 1_000)
    for size in [1, 7, 64] {
      let groups = stride(from: 0, to: 1_000, by: size).map { merged(Array(parts[$0..<min(1_000, $0 + size)])) }
      #expect(merged(groups.reversed()) == whole && merged(groups.shuffled()) == whole)
    }
    #expect(try JSONEncoder().encode(whole).count < 2_000)
  }
}
