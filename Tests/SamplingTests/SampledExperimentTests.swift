// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
@testable import Sampling
import Scenarios
import Statistics
import Testing

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

/// Counts what a substream draws, with a parameter that is impossible in one of a hundred samples: the count hides it.
private struct Faulty: SampledExperiment {
  static let kind = "faulty.part"
  static let summary = "Parts that fail."
  var life = 1.0
  static let parameters: [Parameter<Self>] = [
    Parameter("life", \.life, .number(0...9), "The life of a part.", example: "2")
  ]
  static let measures: [SampleMeasure<Int>] = [.mean("parts", "Parts.", range: 0...1) { Double($0) }]
  func sample(_ random: inout RandomStream) -> Int {
    var part = random.substream("part", 3)
    return part.weibull(shape: 1, scale: random.happens(0.01) ? -1 : life) > 1 ? 1 : 0
  }
}

/// A number that is one.
private struct Sound: SampledExperiment {
  static let kind = "sound.pipe"
  static let summary = "Always a number."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Double>] = [.mean("flow", "What flows.") { $0 }]
  func sample(_ random: inout RandomStream) -> Double { random.uniform() }
}

/// Numbers whose share, means and median are known.
private struct Border: SampledExperiment {
  static let kind = "border.line"
  static let summary = "On the border."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<(Bool, Double, Double)>] = [
    .share("half", "Heads.") { $0.0 }, .mean("level", "A level.", range: 0...1) { $0.1 },
    .mean("wait", "A wait.") { $0.2 }, .percentiles("middle", "The level again.", [50]) { $0.1 },
  ]
  func sample(_ random: inout RandomStream) -> (Bool, Double, Double) {
    (random.happens(0.5), random.uniform(), random.exponential(mean: 1))
  }

  /// The verdict of a threshold by its own run.
  static func verdict(of threshold: String, _ yaml: String) throws -> Verdict {
    let document = try ScenarioDocument(
      yaml: "name: B\nkind: border.line\nconfidence: 0.8\nthresholds: ['\(threshold)']\n\(yaml)", file: "b.yaml")
    let scenario = try Scenario(document, kinds: [runnable])
    return scenario.evaluated(by: try scenario.run(on: RunContext(workers: 1)).measurements)[0].verdict
  }
}

extension Sampled {
  /// The figures of a measure by its place.
  fileprivate func measured(_ index: Int, _ context: RunContext) -> Scenarios.Measurement.Value? {
    try? run(on: context).measurements[index].value
  }
}

/// Everything about its declaration is wrong.
private struct Careless: SampledExperiment {
  static let kind = "care less"
  static let summary = ""
  var count = 7
  static let parameters: [Parameter<Self>] = [
    Parameter("count", \.count, .count(1...3), "How many.", example: "2"),
    Parameter("count", \.count, .count(1...9), "How many again.", example: "2"),
    Parameter("name", \.count, .count(1...9), "What every file has.", example: "2"),
    Parameter("thresholds.most", \.count, .count(1...9), "The same.", example: "2"),
  ]
  static let measures: [SampleMeasure<Double>] = [
    .mean("a", "One.") { $0 }, .mean("a", "Two.") { $0 },
    .share("b", "Three.", labels: ["[x]"]) { _, _ in true },
  ]
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

@Suite("A test measures an experiment in one line")
struct RunInATestTests {
  @Test("it measures what a command with the same samples and seed does, by the names that thresholds use")
  func asTheCommand() throws {
    var dice = Dice()
    dice.throwsPerSample = 3
    let found = try dice.run(samples: 2_000, seed: 7)
    let yaml = "name: A die\nkind: dice.throw\nthrows: 3\nsamples: 2000\nrandom: {seed: 7}\n"
    let scenario = try Scenario(ScenarioDocument(yaml: yaml, file: "die.yaml"), kinds: [Dice.runnable])
    #expect(found == (try scenario.run(on: RunContext(workers: 2)).measurements))
    #expect(try found["pips"].interval(at: 0.999).contains(3.5))
    #expect(try found["most[p50]"].estimate == 5)
    #expect(try found != dice.run(samples: 2_000, seed: 8))
    #expect(try dice.run(samples: 2_000, confidence: 0.9)["most[p50]"].interval(at: 0.99) == .everything)
  }

  @Test("a name that is not measured is an error with the nearest")
  func unknown() throws {
    let found = try Dice().run(samples: 100)
    let error = #expect(throws: (any Error).self) { try found["pip"] }
    #expect(
      error.map { "\($0)" }
        == "there is no measure 'pip', expected one of pips, six, most[p10], most[p50] (did you mean 'pips'?)")
  }

  @Test("what no command accepts is refused in a test as well, with the parameter and what was expected")
  func refused() throws {
    var dice = Dice()
    dice.throwsPerSample = 101
    let values = #expect(throws: ReportingError.self) { try dice.run(samples: 100) }
    #expect(values?.description == "throws: found '101', expected a whole number, 1 to 100.")
    for samples in [0, -5, 10_000_000_001] {
      let error = #expect(throws: ReportingError.self) { try Dice().run(samples: samples) }
      #expect(
        error?.description
          == "samples: found '\(samples)', expected a whole number, 1 to 10,000,000,000.")
    }
    #expect(throws: ReportingError.self) { try Dice().run(samples: 100, confidence: .nan) }
  }

  @Test("a draw with an impossible parameter ends the run, and is named with its parameter and the sample")
  func impossible() throws {
    let error = #expect(throws: UnusableSample.self) { try Faulty().run(samples: 1_000) }
    let number = try #require(error?.number)
    #expect(
      error?.description
        == "sample \(number): weibull: scale is -1.0, expected a number above 0; to draw it alone: --only \(number) "
        + "--seed 1"
    )
    let scenario = try Scenario(
      ScenarioDocument(yaml: "name: F\nkind: faulty.part\nsamples: 100\nonly: \(number)\n", file: "f.yaml"),
      kinds: [Faulty.runnable])
    let alone = #expect(throws: UnusableSample.self) { try scenario.run(on: RunContext(workers: 1)) }
    #expect(alone?.number == number)
  }

  @Test("a sample that is not a number is named with the options that draw it alone")
  func alone() throws {
    let error = #expect(throws: UnusableSample.self) { try Leaky().run(samples: 50_000, seed: 3) }
    #expect(error?.again?.hasPrefix("--only ") == true && error?.again?.hasSuffix(" --seed 3") == true)
  }
}

@Suite("An experiment of samples declares its measures; the workbench does the rest")
struct SampledExperimentTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    try Scenario(
      ScenarioDocument(yaml: "name: A die\n" + yaml, file: "die.yaml"), kinds: [Dice.runnable, Leaky.runnable])
  }

  private func run(_ yaml: String, workers: Int = 2) throws -> ScenarioResult {
    try scenario(yaml).run(on: RunContext(workers: workers))
  }

  @Test("means, shares and percentiles of a die lie within their intervals")
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

  @Test("a distribution of few values is drawn as points, others as a line over equal steps")
  func spread() throws {
    let die = try run("kind: dice.throw\nsamples: 1k\nthrows: 1").document.sections.figures.first
    #expect(die?.series.first?.points.map(\.x) == [1, 2, 3, 4, 5, 6] && die?.series.first?.style == .points)
    let many = try run("kind: dice.throw\nsamples: 1k\nthrows: 100").document.sections.figures.first
    #expect(many?.series.first?.points.count == 40 && many?.series.first?.style == .line)
  }

  @Test("a sample drawn alone equals the run's: the extremes are reproduced")
  func only() throws {
    let result = try run("kind: dice.throw\nthrows: 20\nsamples: 3000")
    let details = result.document.sections.flatMap(\.blocks).compactMap { block -> Table? in
      guard case .details(_, let inner) = block, case .table(let table)? = inner.first else { return nil }
      return table.table
    }
    let rows = try #require(details.first?.rows.filter { $0.first == "pips" })
    #expect(rows.map { $0[1] } == ["least", "most"])
    for (value, sample, command) in rows.map({ ($0[2], $0[3], $0[4]) }) {
      #expect(command == "--only \(sample)")
      let alone = try run("kind: dice.throw\nthrows: 20\nonly: \(sample)")
      guard case .object(let members) = alone.data,
        case .object(let values)? = members.first(where: { $0.key == "values" })?.value,
        case .number(let pips)? = values.first?.value
      else { throw MissingData() }
      #expect(Double(value) == pips)
    }
  }

  @Test("a sample that is not a number ends the run and is named")
  func unusable() throws {
    let error = #expect(throws: UnusableSample.self) { try run("kind: leaky.pipe\nsamples: 50k") }
    let number = try #require(error?.number)
    #expect(error?.description.hasSuffix("to draw it alone: --only \(number)") == true)
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
    "numbers at the end of the range do not trap, and larger ones end the run", arguments: [1e140, 1e141, -1e300])
  func huge(_ value: Double) throws {
    var huge = Huge()
    huge.value = value
    if abs(value) > 1e140 {
      #expect(throws: UnusableSample.self) { try huge.run(on: RunContext(workers: 2)) }
    } else {
      let measurements = try huge.run(on: RunContext(workers: 2)).measurements
      #expect(abs(measurements[0].estimate / value - 1) < 1e-9)
      #expect(measurements[1...].allSatisfy { $0.estimate.isNaN }, "no such percentile")
    }
  }

  @Test("an interrupted run states only measured values")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let result = try scenario("kind: dice.throw\nsamples: 1e10")
      .run(on: RunContext(workers: 2, interrupt: interrupt))
    #expect(!result.isComplete && result.measurements.isEmpty)
  }

  @Test("an interruption between looks uses only the unspent part of the error")
  func interruptedLooks() throws {
    func part(_ more: String) throws -> [Scenarios.Measurement] {
      let yaml = "kind: dice.throw\nsamples: 100k\nthresholds: [six <= 16.667% at 0.99]\n" + more
      let result = try scenario(yaml).run(on: RunContext(workers: 2, maxSamples: 3000))
      #expect(!result.isComplete)
      return result.measurements
    }
    let (looked, unlooked) = (try part(""), try part("end: all"))
    for (one, other) in zip(looked, unlooked) where one.measure.name != "most" {
      #expect(one.value == other.value && other.bonferroniDivisor == 1)
      // All looks before the last have half of the error, so that 0.99 is what a single one states at 0.995.
      let (found, alone, half) = (one.interval(at: 0.99), other.interval(at: 0.99), other.interval(at: 0.995))
      // Bets on a bounded mean share nothing among looks.
      let isMean = one.measure.name == "pips"
      #expect(isMean ? found.clamped(to: half) == found && alone.clamped(to: found) == alone : found == half)
    }
  }

  @Test("thresholds are evaluated, with their percentiles by label")
  func thresholds() throws {
    let scenario = try scenario(
      """
      kind: dice.throw
      samples: 50k
      thresholds: [pips in 3.4..3.6 at 0.99, 'most[p50] <= 4 at 0.99', six >= 50% at 0.9]
      """)
    let verdicts = scenario.evaluated(by: try scenario.run(on: RunContext(workers: 2)).measurements).map(\.verdict)
    #expect(verdicts == [.holds, .holds, .fails])
  }

  @Test("a run ends at the first look at which all thresholds are decided", arguments: [1, 3])
  func early(workers: Int) throws {
    let yaml = "kind: dice.throw\nsamples: 100k\nthresholds: [six <= 25% at 0.99, six >= 10% at 0.999]"
    let result = try run(yaml, workers: workers)
    let samples = try #require(result.measurements.first?.samples)
    #expect(result.isComplete && samples < 5000)
    #expect(result.measurements.allSatisfy { $0.samples == samples })
    #expect(try scenario(yaml).evaluated(by: result.measurements).allSatisfy { $0.verdict == .holds })
    // Nothing that the run had to look at more than once has the interval of a single look.
    let six = try #require(result.measurements.first { $0.measure.name == "six" })
    let once = Scenarios.Measurement(six.measure, six.value).interval(at: 0.99)
    #expect(six.bonferroniDivisor > 1 && six.interval(at: 0.99).lowerBound < once.lowerBound)
    #expect(result.measurements == (try run(yaml, workers: 2)).measurements)
    // One that is not decided, or none that could be, keeps the run going.
    for other in [yaml.replacing("10%", with: "16.667%"), yaml + "\nend: all", "kind: dice.throw\nsamples: 100k"] {
      #expect(try run(other, workers: workers).measurements.first?.samples == 100_000)
    }
    #expect(try run(yaml + "\nend: all").measurements.allSatisfy { $0.bonferroniDivisor == 1 })
  }

  @Test("an unbounded mean ends no run before a thousand samples")
  func unbounded() throws {
    let thresholds = "thresholds: [flow <= 100 at 0.6]"
    let sound = try Scenario(
      ScenarioDocument(yaml: "name: Sound\nkind: sound.pipe\nsamples: 20k\n" + thresholds, file: "sound.yaml"),
      kinds: [Sound.runnable])
    #expect(try sound.run(on: RunContext(workers: 2)).measurements.map(\.samples) == [1280])
  }

  /// Thresholds on the very figure that is true, so that one of the verdicts is wrong.
  private static let borders: [(threshold: String, wrong: Verdict)] = [
    ("half > 50% at 0.8", .holds), ("half >= 50% at 0.8", .fails), ("level > 0.5 at 0.8", .holds),
    ("wait >= 1 at 0.8", .fails), ("wait > 1 at 0.8", .holds), ("middle[p50] > 0.5 at 0.8", .holds),
  ]

  @Test("an early end is wrong no more often than stated", arguments: borders)
  func errors(threshold: String, wrong: Verdict) throws {
    let runs = 150
    let found = try (1...runs).count {
      try Border.verdict(of: threshold, "samples: 2048\nrandom: {seed: \($0)}") == wrong
    }
    #expect(try BinomialInterval(successes: found, trials: runs, confidence: 0.9999).lower <= 0.2, "\(found)")
    // The interval of a bounded mean holds for every distribution, so it is wide for this one.
    #expect(found > 0 || threshold.hasPrefix("level"))
  }

  @Test("a continued run has its looks at the same samples as an uninterrupted one")
  func resumed() throws {
    let scenario = try scenario("kind: dice.throw\nsamples: 100k\nthresholds: [six <= 20% at 0.99]")
    let whole = try scenario.run(on: RunContext(workers: 2))
    let path = NSTemporaryDirectory() + "sampling-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var records: [Checkpoint.Record] = []
    var rounds = 0
    while true {
      rounds += 1
      let checkpoint = try Checkpoint(path, header: Data("dice".utf8), records: records)
      let context = RunContext(workers: 2, maxSamples: 700 * rounds).keeping(checkpoint)
      let part = try scenario.run(on: context)
      checkpoint.finish()
      if part.isComplete {
        #expect(part.measurements == whole.measurements && part.document == whole.document)
        break
      }
      // Its number of samples was fixed by nothing, so nothing is known of percentiles.
      for one in part.measurements where one.measure.name == "most" { #expect(one.interval(at: 0.6) == .everything) }
      records = try Checkpoint.Content(of: path).records
    }
    #expect(rounds > 1 && whole.measurements[0].samples ?? 0 > 1280)
  }

  @Test("settings are compared by the differences of the same samples")
  func pairs() throws {
    var (one, two) = (Sampled<Dice>(), Sampled<Dice>())
    two.core.throwsPerSample = 2
    let context = RunContext(workers: 2)
    let same = try one.differences(from: one, on: context)
    #expect(same.map(\.measure.fullName) == ["pips", "six", "most[p10]", "most[p50]"])
    #expect(same.prefix(2).allSatisfy { $0.estimate == 0 && $0.samples == 10_000 })
    let found = try two.differences(from: one, on: context)
    #expect(found == (try two.differences(from: one, on: RunContext(workers: 1))))
    for (difference, truth) in zip(found, [0, 5.0 / 36, 1, 2]) {
      #expect(difference.interval(at: 0.99).contains(truth), "\(difference.measure.fullName): \(difference.estimate)")
    }
    // The first throw of both is the same, which half the second's spread is left of.
    guard case .mean(_, let deviation, _) = found[0].value,
      case .mean(_, let alone, _) = one.measured(0, context)
    else {
      throw MissingData()
    }
    #expect(abs(deviation / alone - 0.5.squareRoot()) < 0.05)
    context.interrupt.raise()
    #expect(try two.differences(from: one, on: context).isEmpty)
  }

  @Test("errors in a declaration are reported before anything runs")
  func problems() {
    #expect(Dice.runnable.problems() == [])
    let problems = Careless.runnable.problems()
    #expect(problems.contains { $0.contains("kind: expected words joined by points") })
    #expect(problems.contains { $0.contains("parameter 'count': declared twice") })
    #expect(problems.contains { $0.contains("parameter 'count': its default is 7, expected a whole number, 1 to 3") })
    for key in ["name", "thresholds.most"] {
      #expect(problems.contains { $0.contains("parameter '\(key)': every scenario has this key already") })
    }
    #expect(problems.contains { $0.contains("measure 'a': declared twice") })
    #expect(problems.contains { $0.contains("label '[x]': expected a text without brackets") })
    #expect(Silent.runnable.problems().contains { $0.contains("measures: there are none") })
  }
}
