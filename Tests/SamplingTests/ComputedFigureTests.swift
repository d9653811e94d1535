// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import Sampling

/// Throws of a die, with a second witness that computes what they should be.
private struct Die: SampledExperiment {
  static let kind = "dice.witness"
  static let summary = "Throws of a die."
  static let defaultSamples = 4_000
  var sides = 6
  static let parameters: [Parameter<Self>] = [Parameter("sides", \.sides, .count(1...100), "Sides.", example: "8")]
  static let measures: [SampleMeasure<Int>] = [
    .mean("pips", "The pips.", range: 1...100) { Double($0) },
    .exact("pips.exact", "The pips, computed.", unit: "pips", \Die.expected),
    .exact("even", "The chance of an even number, computed.", isShare: true) { (die: Die) in
      Double(die.sides / 2) / Double(die.sides)
    },
    .exact("chance", "The chance of a number.", labels: ["one", "eight"]) { (die: Die, label) in
      label == 0 || die.sides > 7 ? 1 / Double(die.sides) : nil
    },
  ]

  var expected: Double { Double(sides + 1) / 2 }
  func sample(_ random: inout RandomStream) -> Int { random.integer(in: 1...sides) }

  func sections(of measurements: [Scenarios.Measurement]) throws -> [ReportBlock] {
    if sides == 99 { throw ParameterError("sides", expected: "another number") }
    return [
      .part("The die", [.paragraph("It has \(sides) sides and gives \(try measurements["pips.exact"].estimate).")])
    ]
  }
}

@Suite("An experiment adds computed figures and sections to what samples show")
struct ComputedFigureTests {
  @Test("computed figures are exact measures in their order, and those that there are not are left out")
  func exact() throws {
    #expect(Die.runnable.problems() == [])
    let scenario = try Die.scenario("thresholds: ['pips.exact == 3.5', 'even == 50%', pips in 1..30 at 0.99]")
    let result = try scenario.run(on: RunContext(workers: 2))
    #expect(result.measurements.map(\.measure.fullName) == ["pips", "pips.exact", "even", "chance[one]"])
    #expect(scenario.evaluated(by: result.measurements).map(\.verdict) == [.holds, .holds, .holds])
    #expect(result.measurements[1].samples == nil)
    let text = result.document.text()
    #expect(text.contains("pips.exact       3.5"), "\(text)")
    #expect(text.contains("50%"), "a share is shown in percent")
    // A run ends by what samples decide.
    #expect(result.measurements[0].samples ?? 0 < 4_000)
  }

  @Test("sections stand behind the measures, and the table of measures comes once")
  func sections() throws {
    let blocks = try Die.scenario().run(on: RunContext(workers: 1)).document.sections.flatMap(\.blocks)
    let parts = blocks.enumerated().filter { if case .part("The die", _, _) = $0.element { true } else { false } }
    let tables = blocks.enumerated().filter { if case .table = $0.element { true } else { false } }
    #expect(parts.count == 1 && tables.count == 2 && parts[0].offset > tables[0].offset)
    #expect(throws: ParameterError.self) { try Die.scenario("sides: 99").run(on: RunContext(workers: 1)) }
  }

  @Test("two settings differ exactly, and files and single samples have columns of samples only")
  func variations() throws {
    let found = try Die.scenario("versus: sides=8").run(on: RunContext(workers: 2)).measurements
    #expect(try found["pips.exact.difference[sides=8]"].interval(at: 0.99) == 1...1)
    #expect(try found["pips.difference[sides=8]"].interval(at: 0.999).contains(1))
    #expect("\(try Die.scenario("only: 3").run(on: RunContext(workers: 1)).data)".contains("pips.exact") == false)
    let path = NSTemporaryDirectory() + "die-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var context = RunContext(workers: 2)
    context.samples.file = path
    _ = try Die.scenario().run(on: context)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("sample,pips\n"))
  }
}
