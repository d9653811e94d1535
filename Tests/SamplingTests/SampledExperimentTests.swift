// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import Sampling

/// A die, thrown some times: everything that is measured of it is known.
private struct Dice: SampledExperiment {
  static let kind = "dice.throw"
  static let summary = "Throws of a die."

  var throwsPerSample = 1

  static let parameters: [Parameter<Self>] = [
    Parameter("throws", \.throwsPerSample, .count(1...100), "Throws of a sample.", example: "3")
  ]

  static let measures: [SampleMeasure<[Int]>] = [
    .mean("pips", "The pips of a throw on average.", range: 1...6) { $0.map(Double.init).mean },
    .share("six", "Samples with a six.") { $0.contains(6) },
    .percentiles("most", "The most pips of a sample.", [10, 50]) { Double($0.max() ?? 0) },
  ]

  func sample(_ random: inout RandomStream) -> [Int] {
    (0..<throwsPerSample).map { _ in random.integer(in: 1...6) }
  }
}

/// A sample of which one in a thousand is no number.
private struct Leaky: SampledExperiment {
  static let kind = "leaky.pipe"
  static let summary = "Sometimes no number."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Double>] = [.mean("flow", "What flows.") { $0 }]
  func sample(_ random: inout RandomStream) -> Double { random.happens(0.001) ? .nan : random.uniform() }
}

/// Everything about its declaration is wrong.
private struct Careless: SampledExperiment {
  static let kind = "care less"
  static let summary = ""
  var count = 7
  static let parameters: [Parameter<Self>] = [
    Parameter("count", \.count, .count(1...3), "How many.", example: "2"),
    Parameter("count", \.count, .count(1...9), "How many again.", example: "2"),
  ]
  static let measures: [SampleMeasure<Double>] = [.mean("a", "One.") { $0 }, .mean("a", "Two.") { $0 }]
  func sample(_ random: inout RandomStream) -> Double { 0 }
}

/// The same large number, give or take its sign, and percentiles that there are not.
private struct Huge: SampledExperiment {
  static let kind = "huge.number"
  static let summary = "A large number."
  var value = 1.0
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Double>] = [
    .mean("value", "It.") { $0 }, .percentiles("none", "Not there.", [.nan, 150, -1]) { $0 },
  ]
  func sample(_ random: inout RandomStream) -> Double { value }
}

private struct Silent: SampledExperiment {
  static let kind = "silent.one"
  static let summary = ""
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Double>] = []
  func sample(_ random: inout RandomStream) -> Double { 0 }
}

@Suite("An experiment of samples states what it measures, and the workbench does the rest")
struct SampledExperimentTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    try Scenario(
      ScenarioDocument(yaml: "name: A die\n" + yaml, file: "die.yaml"), kinds: [Dice.runnable, Leaky.runnable])
  }

  private func run(_ yaml: String, workers: Int = 2) throws -> ScenarioResult {
    try scenario(yaml).run(on: ScenarioBench(workers: workers))
  }

  @Test("means, shares and percentiles are those of a die, within their intervals")
  func known() throws {
    let result = try run("kind: dice.throw\nsamples: 100k")
    let truths = ["pips": 3.5, "six": 1.0 / 6, "most[p10]": 1, "most[p50]": 3]
    #expect(result.measurements.map(\.measure.fullName) == ["pips", "six", "most[p10]", "most[p50]"])
    for one in result.measurements {
      let truth = try #require(truths[one.measure.fullName])
      #expect(one.knownRange(at: 0.999).contains(truth), "\(one.measure.fullName): \(one.estimate)")
      #expect(one.samples == 100_000)
    }
  }

  @Test("the same seed gives the same measurements and document at any number of workers", arguments: [1, 3])
  func workers(_ workers: Int) throws {
    let yaml = "kind: dice.throw\nsamples: 20k"
    let (one, other) = (try run(yaml, workers: 2), try run(yaml, workers: workers))
    #expect(one.measurements == other.measurements)
    #expect(one.document == other.document)
    #expect(try run("kind: dice.throw\nsamples: 20k\nrandom: {seed: 2}").measurements != one.measurements)
  }

  @Test("a sample drawn alone is the one of the run: the extremes are found again")
  func only() throws {
    let result = try run("kind: dice.throw\nthrows: 20\nsamples: 3000")
    let details = result.document.sections.flatMap(\.blocks).compactMap { block -> Table? in
      guard case .details(_, let inner) = block, case .table(let table)? = inner.first else { return nil }
      return table.table
    }
    let row = try #require(details.first?.rows.first { $0.first == "pips" })
    for (value, sample) in [(row[1], row[2]), (row[3], row[4])] {
      let alone = try run("kind: dice.throw\nthrows: 20\nonly: \(sample)")
      guard case .object(let members) = alone.data, case .object(let values)? = members.last?.value,
        case .number(let pips)? = values.first?.value
      else { throw MissingData() }
      #expect(Double(value) == pips)
    }
  }

  @Test("a sample that is no number ends the run and names itself")
  func unusable() throws {
    let error = #expect(throws: UnusableSample.self) { try run("kind: leaky.pipe\nsamples: 50k") }
    let number = try #require(error?.number)
    #expect(error?.description.contains("--only \(number) draws it alone") == true)
    let thrown: any Error = try #require(error)
    #expect(thrown is any FailureUnderTest)
    let alone = try run("kind: leaky.pipe\nonly: \(number)")
    guard case .object(let members) = alone.data else { throw MissingData() }
    #expect(members.first { $0.key == "values" }?.value == ["flow": .figure(.nan)])
    // The same one at any number of workers: the lowest.
    let other = #expect(throws: UnusableSample.self) { try run("kind: leaky.pipe\nsamples: 50k", workers: 1) }
    #expect(other?.number == number)
  }

  private struct MissingData: Error {}

  @Test(
    "numbers at the end of the range leave no trap, and larger ones end the run", arguments: [1e140, 1e141, -1e300])
  func huge(_ value: Double) throws {
    var huge = Huge()
    huge.value = value
    if abs(value) > 1e140 {
      #expect(throws: UnusableSample.self) { try huge.run(on: ScenarioBench(workers: 2)) }
    } else {
      let measurements = try huge.run(on: ScenarioBench(workers: 2)).measurements
      #expect(abs(measurements[0].estimate / value - 1) < 1e-9)
      #expect(measurements[1...].allSatisfy { $0.estimate.isNaN }, "no such percentile")
    }
  }

  @Test("an interrupted run states nothing that was not measured")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let result = try scenario("kind: dice.throw\nsamples: 1e10")
      .run(on: ScenarioBench(workers: 2, interrupt: interrupt))
    #expect(!result.isComplete && result.measurements.isEmpty)
  }

  @Test("thresholds are evaluated, with their percentiles by label")
  func thresholds() throws {
    let scenario = try scenario(
      """
      kind: dice.throw
      samples: 50k
      thresholds: [pips in 3.4..3.6 at 0.99, 'most[p50] <= 4 at 0.99', six >= 50% at 0.9]
      """)
    let verdicts = scenario.evaluated(by: try scenario.run(on: ScenarioBench(workers: 2)).measurements).map(\.verdict)
    #expect(verdicts == [.holds, .holds, .fails])
  }

  @Test("what is wrong with a declaration is said before anything runs")
  func problems() {
    #expect(Dice.runnable.problems() == [])
    let problems = Careless.runnable.problems()
    #expect(problems.contains { $0.contains("kind: expected words joined by points") })
    #expect(problems.contains { $0.contains("parameter 'count': declared twice") })
    #expect(problems.contains { $0.contains("parameter 'count': its default is 7, expected a whole number, 1 to 3") })
    #expect(problems.contains { $0.contains("measure 'a': declared twice") })
    #expect(Silent.runnable.problems().contains { $0.contains("measures: there are none") })
  }
}
