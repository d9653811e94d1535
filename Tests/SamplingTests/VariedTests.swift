// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import Sampling

/// Tosses of a coin that may be loaded: the same draws show no fewer heads where heads are more likely.
private struct Coin: SampledExperiment {
  static let kind = "coin.toss"
  static let summary = "Tosses of a loaded coin."

  var heads = 0.5
  var tosses = 1
  /// A rule between two parameters, to be broken.
  var minimum = 0.0

  static let parameters: [Parameter<Self>] = [
    Parameter("heads", \.heads, .share, "The chance of heads.", example: "0.6"),
    Parameter("tosses", \.tosses, .count(1...100), "Tosses of a sample.", example: "3"),
    Parameter("limits.least", \.minimum, .share, "The least chance there may be.", example: "0.1"),
  ]

  static let measures: [SampleMeasure<Int>] = [
    .mean("number", "Heads of a sample.") { Double($0) },
    .share("any", "Samples that show heads.") { $0 > 0 },
    .percentiles("most", "Heads of a sample.", [50, 90]) { Double($0) },
  ]

  func check() throws(ParameterError) {
    if heads < minimum { throw ParameterError("heads", "limits.least", expected: "no less than the least") }
  }

  func sample(_ random: inout RandomStream) -> Int { (0..<tosses).count { _ in random.happens(heads) } }
}

/// Machines that fail and are repaired by one mechanic, who may have to do it twice. All draws are from one stream, or
/// each machine and the second repairs have their own.
private struct RepairShop: SampledExperiment {
  static let kind = "shop.repair"
  static let summary = "The hours for which machines stand still."

  var twice = 0.0
  var isInStep = true

  static let parameters: [Parameter<Self>] = [
    Parameter("twice", \.twice, .share, "The share of repairs that are done twice.", example: "5%"),
    Parameter("step", \.isInStep, .flag, "Each machine has its own stream."),
  ]

  static let measures: [SampleMeasure<Double>] = [.mean("still", "Hours of all machines.", unit: "h") { $0 }]

  func sample(_ random: inout RandomStream) -> Double {
    var machines = random.substreams("machine", count: 5)
    var second = random.substream("second repair")
    func life(_ machine: Int, _ random: inout RandomStream) -> Double {
      isInStep ? machines[machine].weibull(shape: 1.5, scale: 40) : random.weibull(shape: 1.5, scale: 40)
    }
    func repair(_ machine: Int, _ random: inout RandomStream) -> Double {
      let once = isInStep ? machines[machine].erlang(stages: 2, mean: 4) : random.erlang(stages: 2, mean: 4)
      guard twice > 0 else { return once }
      return isInStep
        ? once + (second.happens(twice) ? second.erlang(stages: 2, mean: 4) : 0)
        : once + (random.happens(twice) ? random.erlang(stages: 2, mean: 4) : 0)
    }
    var failures = (0..<5).map { life($0, &random) }
    var (free, still) = (0.0, 0.0)
    while let first = failures.min(), first < 200, let machine = failures.firstIndex(of: first) {
      free = max(first, free) + repair(machine, &random)
      still += free - first
      failures[machine] = free + life(machine, &random)
    }
    return still
  }
}

/// Something that is computed: a hill, of which the height of every place is known.
private struct Hill: Experiment {
  static let kind = "hill.height"
  static let summary = "The height of a hill at a place."

  var index = 10
  var length = 1.0
  var pause = Duration.seconds(1)
  var form = "round"
  var even = 0

  static let parameters: [Parameter<Self>] = [
    Parameter("place", \.index, .count(0...1_000_000), "Where.", example: "20"),
    Parameter("length", \.length, .number(0...1000), "How long.", example: "2"),
    Parameter("pause", \.pause, .duration(.zero ... .seconds(1000)), "How long a rest is.", example: "2s"),
    Parameter("form", \.form, .choice(["round", "steep"]), "Its form.", example: "steep"),
    Parameter(
      "even", \.even,
      .count(0...100).map(expected: "an even number", { $0.isMultiple(of: 2) ? $0 : nil }, back: { $0 }), "Pairs.",
      example: "4"),
  ]

  var measures: [Measure] {
    [
      Measure("rise", meaning: "grows with the place", kind: .count),
      Measure("height", of: "m", meaning: "grows to the middle, and falls", unit: "m", kind: .exact),
      Measure("rest", meaning: "the rest", unit: "s", kind: .exact),
      Measure("stay", meaning: "the rest again", unit: "min", kind: .exact),
    ]
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let height = Double(index) * Double(1000 - index) * length
    return ScenarioResult(
      measurements: [
        Measurement(measures[0], .count(index * 2, undecided: 0)), Measurement(measures[1], .exact(height)),
        Measurement(measures[2], .exact(pause / .seconds(1))), Measurement(measures[3], .exact(pause / .seconds(60))),
      ], data: [:], document: Document([]))
  }
}

/// Something with more measures than a page shows at once.
private struct Wide: Experiment {
  static let kind = "wide.row"
  static let summary = "Many measures of a place."
  static let parameters: [Parameter<Self>] = [
    Parameter("place", \.index, .count(0...1_000_000), "Where.", example: "20")
  ]

  var index = 1

  let measures = (1...8).map { Measure("m\($0)", meaning: "the place and \($0)", kind: .exact) }

  func run(on context: RunContext) -> ScenarioResult {
    ScenarioResult(
      measurements: measures.enumerated().map { Measurement($1, .exact(Double(index + $0))) }, data: [:],
      document: Document([]))
  }
}

/// A place among numbers that no floating-point number distinguishes.
private struct Far: Experiment {
  static let kind = "hill.far"
  static let summary = "A place far away."
  static let first = 9_007_199_254_740_993
  static let parameters: [Parameter<Self>] = [
    Parameter("place", \.index, .count(0...(.max)), "Where.", example: "9007199254740995")
  ]

  var index = Self.first

  let measures = [Measure("above", meaning: "the distance from the first", kind: .count)]

  func run(on context: RunContext) -> ScenarioResult {
    ScenarioResult(
      measurements: [Measurement(measures[0], .count(index - Self.first, undecided: 0))], data: [:],
      document: Document([]))
  }
}

private func scenario(_ yaml: String) throws -> Scenario {
  try Scenario(
    ScenarioDocument(yaml: "name: A test\n" + yaml, file: "t.yaml"),
    kinds: [Coin.runnable, Hill.runnable, Wide.runnable, Far.runnable, RepairShop.runnable])
}

private func run(_ yaml: String, workers: Int = 2) throws -> ScenarioResult {
  try scenario(yaml).run(on: RunContext(workers: workers))
}

private func refusal(_ yaml: String) -> String {
  do { _ = try scenario(yaml) } catch { return "\(error)" }
  return "accepted"
}

extension ScenarioResult {
  fileprivate func measurement(_ name: String) throws -> Measurement {
    try #require(measurements.first { $0.measure.fullName == name })
  }

  fileprivate func value(_ name: String) throws -> Measurement.Value { try measurement(name).value }
}

@Suite("A sweep runs an experiment at several values of its parameters")
struct SweepTests {
  @Test("without varied parameters, the scenario and the result are those of the experiment itself")
  func plain() throws {
    let yaml = "name: A test\nkind: coin.toss\nsamples: 500\nheads: 0.3\n"
    let own = try Scenario(ScenarioDocument(yaml: yaml, file: "t.yaml"), kinds: [Sampled<Coin>.self])
    let varied = try scenario("kind: coin.toss\nsamples: 500\nheads: 0.3\n")
    #expect(own.resolved == varied.resolved && own.digest == varied.digest)
    let (one, other) = (try own.run(on: RunContext(workers: 2)), try varied.run(on: RunContext(workers: 2)))
    #expect(one.measurements == other.measurements && one.data == other.data && one.document == other.document)
  }

  @Test("of many measures the first are shown, and the others folded")
  func folded() throws {
    let document = try run("kind: wide.row\nsweep: place=1..3:3").document
    let (short, whole) = (document.text(), document.text(isWhole: true))
    #expect(short.contains("2 more measures are folded below; --verbose prints them."), "\(short)")
    #expect(short.contains("m6: the place and 6.") && !short.contains("m7") && whole.contains("m8: the place and 8."))
    #expect(document.sections.figures.count == 8)
  }

  @Test("every point has the result of a run with its values, at any number of workers", arguments: [1, 3])
  func points(workers: Int) throws {
    let swept = try run("kind: coin.toss\nsamples: 400\nsweep: [heads=0.2..0.8:3, 'tosses=1,7']", workers: workers)
    var names: [String] = []
    for heads in ["0.2", "0.5", "0.8"] {
      for tosses in ["1", "7"] {
        let alone = try run("kind: coin.toss\nsamples: 400\nheads: \(heads)\ntosses: \(tosses)")
        for one in alone.measurements {
          let own = one.measure.label.map { "\($0), " } ?? ""
          names.append("\(one.measure.name)[\(own)heads=\(heads), tosses=\(tosses)]")
          #expect(try swept.value(names[names.count - 1]) == one.value)
        }
      }
    }
    #expect(swept.measurements.map(\.measure.fullName) == names)
    #expect(swept.isComplete)
  }

  @Test(
    "values are stepped evenly or by a factor, whole where the parameter is, and each as its parameter writes it",
    arguments: [
      ("length=0.5..0.95:10", ["0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95"]),
      ("place=log:1..1000:4", ["1", "10", "100", "1000"]), ("place=1..4:4", ["1", "2", "3", "4"]),
      ("pause=500ms..2s:4", ["500ms", "1s", "1500ms", "2s"]), ("form=round,steep", ["round", "steep"]),
      ("length=5%,1e1", ["0.05", "10"]), (" place = 1 , 2 ", ["1", "2"]),
    ])
  func values(written: String, expected: [String]) throws {
    let result = try run("kind: hill.height\nsweep: '\(written)'")
    let labels = result.measurements.filter { $0.measure.name == "rise" }.compactMap(\.measure.label)
    #expect(labels.map { String($0.split(separator: "=")[1]) } == expected)
  }

  @Test("the resolved scenario has the sweep without the swept default, and a scenario is a saved command")
  func resolved() throws {
    let one = try scenario("kind: coin.toss\nsamples: 300\nsweep: heads=0.2,0.4")
    let again = try Scenario(ScenarioDocument(yaml: one.resolved, file: "again.yaml"), kinds: [Coin.runnable])
    #expect(again.digest == one.digest && again.resolved == one.resolved)
    #expect(!one.resolved.contains("\nheads:") && one.resolved.contains("sweep: [\"heads=0.2,0.4\"]"))
    let typed = try Varied<Sampled<Coin>>(
      [
        "samples": ScenarioField(option: "--samples", ["300"]),
        "sweep": ScenarioField(option: "--sweep", ["heads=0.2,0.4"]),
      ], at: ScenarioField(option: "coin.toss", []))
    #expect(
      try Scenario(typed).resolved.split(separator: "\n").dropFirst(2)
        == one.resolved.split(separator: "\n").dropFirst(2))
  }

  @Test(
    "what cannot be swept is refused before anything runs, with its place",
    arguments: [
      (
        "sweep: haeds=1,2",
        "t.yaml:3: sweep haeds: unknown key; did you mean 'heads'? Known here: heads, tosses, limits.least, samples, "
          + "end, half-width, deadline, confidence, random.generator, random.seed."
      ),
      (
        "sweep: only=1,2",
        "t.yaml:3: sweep only: unknown key. Known here: heads, tosses, limits.least, samples, end, "
          + "half-width, deadline, confidence, random.generator, random.seed."
      ),
      ("sweep: 'heads=0.2,1.5'", "t.yaml:3: sweep heads: found '1.5', expected a number, 0 to 1."),
      ("sweep: heads=0.2..7:3", "t.yaml:3: sweep heads: found '7', expected a number, 0 to 1."),
      ("sweep: 'heads=0.2,20%'", "t.yaml:3: sweep heads: found '20%', expected each value once."),
      (
        "sweep: heads=0.9..0.1:3",
        "t.yaml:3: sweep: found 'heads=0.9..0.1:3', expected the lower end first, then a higher one: 0.1..0.9 perhaps."
      ),
      (
        "sweep: heads=0.1..0.9",
        "t.yaml:3: sweep: found 'heads=0.1..0.9', expected key=LOW..HIGH:POINTS, key=log:LOW..HIGH:POINTS, "
          + "key=VALUE,VALUE or, of whole numbers, key=LOW..HIGH, for example heads=0.5..0.6:2."
      ),
      (
        "sweep: samples=1..20k",
        "t.yaml:3: sweep: found 'samples=1..20k', expected 2 to 10,000 points behind the colon."
      ),
      (
        "sweep: heads=log:0..1:3",
        "t.yaml:3: sweep: found 'heads=log:0..1:3', expected a lower end above 0 behind log:."
      ),
      (
        "sweep: heads=0..1:20k",
        "t.yaml:3: sweep: found 'heads=0..1:20k', expected 2 to 10,000 points behind the colon."
      ),
      (
        "sweep: [heads=0..1:200, tosses=1..100:100]",
        "t.yaml:3: sweep: found a list, expected at most 10,000 points, and these are 20000."
      ),
      (
        "heads: 0.3\nsweep: 'heads=0.2,0.4'",
        "t.yaml:4: sweep: found 'heads=0.2,0.4', expected a key that is not given as well, and heads is."
      ),
      (
        "sweep: ['heads=0.2', 'heads=0.4']",
        "t.yaml:3: sweep: found a list, expected each key once, and heads comes twice."
      ),
      (
        "only: 3\nsweep: 'heads=0.2,0.4'",
        "t.yaml:4: sweep: found 'heads=0.2,0.4', expected 'sweep' or 'only', not both: 'only' draws a single sample."
      ),
      (
        "limits: {least: 0.3}\nsweep: 'heads=0.4,0.2'",
        "t.yaml:4: sweep: found 'heads=0.4,0.2', expected at heads=0.2: heads, no less than the least."
      ),
      (
        "sweep: 'tosses=1,2'\nversus: heads=0.4",
        "t.yaml:4: versus: found 'heads=0.4', expected only one of 'find', 'best', 'sweep' and 'versus'."
      ),
      (
        "versus: heads",
        "t.yaml:3: versus: found 'heads', expected key=value, or several with commas between them, "
          + "for example heads=0.6."
      ),
      ("versus: [heads=0.1, 'heads=0.10']", "t.yaml:3: versus: found a list, expected each setting once."),
      (
        "find: heads=0..1:1e-300\nuntil: any <= 50% at 0.9",
        "t.yaml:3: find: found 'heads=0..1:1e-300', expected a precision behind the colon, from a billionth of the "
          + "range to below its length."
      ),
      (
        "versus: 'heads=0.1,heads=0.2'",
        "t.yaml:3: versus: found 'heads=0.1,heads=0.2', expected each key once, and "
          + "heads comes twice."
      ),
      ("find: heads=0.1..0.9", "t.yaml:3: find: found 'heads=0.1..0.9', expected a threshold as well, by 'until'."),
      (
        "until: any <= 50% at 0.9",
        "t.yaml:3: until: found 'any <= 50% at 0.9', expected a parameter to search "
          + "as well, by 'find'."
      ),
      (
        "find: heads=0.9..0.1\nuntil: any <= 50% at 0.9",
        "t.yaml:3: find: found 'heads=0.9..0.1', expected the lower end first, then a higher one: 0.1..0.9 perhaps."
      ),
      (
        "find: random.generator=mt19937..taus2\nuntil: any <= 50% at 0.9",
        "t.yaml:3: find random.generator: found 'mt19937', expected a number, so that there are values in between."
      ),
      (
        "find: heads=0.1..0.9\nuntil: ayn <= 50% at 0.9",
        "t.yaml:4: until: found 'ayn <= 50% at 0.9', expected one of number, any, most (did you mean 'any'?)."
      ),
      (
        "find: heads=0.1..0.9\nuntil: any <= baseline + 5% at 0.9",
        "t.yaml:4: until: found 'any <= baseline + 5% at 0.9', expected a number to compare with, and no baseline."
      ),
      (
        "confidence: 0.99\nfind: heads=0.1..0.9\nuntil: 'most[p90] <= 3 at 0.99'",
        "t.yaml:5: until: found 'most[p90] <= 3 at 0.99', expected less: the interval of most[p90] holds at 0.99, and "
          + "100 verdicts share the error, so that each needs 0.9999."
      ),
    ])
  func refused(yaml: String, message: String) { #expect(refusal("kind: coin.toss\n\(yaml)") == message) }

  @Test("a threshold bounds one point, those of a label, or all of them with a shared error")
  func thresholds() throws {
    let scenario = try scenario(
      """
      kind: coin.toss
      samples: 2000
      confidence: 0.9999
      sweep: heads=0.2,0.4,0.6
      thresholds:
        - any <= 50% at 0.97
        - any[heads=0.6] >= 50% at 0.97
        - most[p90] <= 1 at 0.97
        - most[p50, heads=0.2] <= 0 at 0.97
      """)
    let evaluated = scenario.evaluated(by: try scenario.run(on: RunContext(workers: 2)).measurements)
    #expect(
      evaluated.map(\.measurement) == [
        "any[heads=0.2]", "any[heads=0.4]", "any[heads=0.6]", "any[heads=0.6]", "most[p90, heads=0.2]",
        "most[p90, heads=0.4]", "most[p90, heads=0.6]", "most[p50, heads=0.2]",
      ])
    #expect(evaluated.map(\.verdict) == [.holds, .holds, .fails, .holds, .holds, .holds, .holds, .holds])
    #expect(evaluated[0].found.contains("each end at 0.99"))
    #expect(
      refusal("kind: coin.toss\nsweep: heads=0.2,0.4\nthresholds: ['any[heads=0.3] >= 1% at 0.9']").contains(
        "any[heads=0.2], any[heads=0.4]"))
  }

  @Test("the table has a row for each point, the CSV a column for each parameter, the figure a place for each value")
  func document() throws {
    let document = try run("kind: coin.toss\nsamples: 400\nsweep: [heads=0.2..0.8:3, 'tosses=1,7']").document
    let table = try #require(document.data)
    #expect(table.columns.map(\.title).prefix(4) == ["heads", "tosses", "measure", "label"])
    #expect(table.rows.count == 6 * 4 && table.rows[4].prefix(4) == ["0.2", "7", "number", ""])
    let tables = document.sections.flatMap(\.blocks).compactMap {
      if case .table(let one) = $0 { one.table } else { nil }
    }
    #expect(tables[0].columns.map(\.title) == ["heads", "tosses", "number", "any, %", "most[p50]", "most[p90]"])
    #expect(tables.allSatisfy { $0.rows.count == 6 })
    let figure = try #require(document.figures.first)
    #expect(figure.series.map(\.name) == ["tosses=1", "tosses=7"])
    #expect(
      figure.series.allSatisfy { $0.points.map(\.x) == [0.2, 0.5, 0.8] && $0.points.allSatisfy { $0.interval != nil } })
    let heat = try run("kind: hill.height\nsweep: [place=1..10:10, length=1..7:7]").document
    let map = try #require(heat.sections.figures.last?.series.first)
    #expect(map.style == .cells && map.points.count == 70 && map.points.allSatisfy { $0.shade != nil })
    #expect(heat.figures.first?.series.count == 6)
  }

  @Test("a sweep explains a measure once, and the figure of its labels is named after it")
  func words() throws {
    let sections = try run("kind: coin.toss\nsamples: 400\nsweep: 'heads=0.2,0.5'").document.sections
    let captions = sections.flatMap(\.blocks).compactMap { if case .table(let one) = $0 { one.caption } else { nil } }
    #expect(captions.joined().split(separator: "most: ", omittingEmptySubsequences: false).count == 2)
    let picture = try #require(sections.figures.first { $0.title == "most by heads" })
    #expect(
      picture.series.count == 2 && picture.y.title == "Heads of a sample"
        && !picture.alternative.contains(".. "))
  }

  @Test("a comparison draws only settings that differ")
  func flat() throws {
    #expect(try run("kind: hill.height\nversus: form=steep").document.sections.figures.isEmpty)
    let moved = try run("kind: hill.height\nversus: place=20").document.sections.figures
    #expect(moved.map(\.title) == ["rise by setting", "height by setting"])
  }

  @Test("a failure names its point")
  func failure() throws {
    struct Broken: SampledExperiment {
      static let kind = "broken.one"
      static let summary = "Sometimes no number."
      var isBroken = false
      static let parameters: [Parameter<Self>] = [Parameter("broken", \.isBroken, .flag, "Whether it is.")]
      static let measures: [SampleMeasure<Double>] = [.mean("value", "It.") { $0 }]
      func sample(_ random: inout RandomStream) -> Double { isBroken ? .nan : 1 }
    }
    let scenario = try Scenario(
      ScenarioDocument(yaml: "name: A\nkind: broken.one\nsweep: 'broken=false,true'", file: "t.yaml"),
      kinds: [Broken.runnable])
    let error = #expect(throws: (any Error).self) { try scenario.run(on: RunContext(workers: 2)) }
    let thrown: any Error = try #require(error)
    #expect("\(thrown)".hasPrefix("at broken=true: sample 0: 'value' is nan") && thrown is any FailureUnderTest)
  }
}

@Suite("Settings are compared by the same random numbers")
struct VersusTests {
  @Test("equal settings differ by exactly 0, and other settings by their true difference")
  func differences() throws {
    let result = try run("kind: coin.toss\nsamples: 4k\nversus: [heads=0.5, 'heads=0.7,tosses=2']")
    for name in ["number", "any", "most"] {
      let labels = name == "most" ? ["p50, ", "p90, "] : [""]
      for label in labels {
        let one = try result.measurement("\(name).difference[\(label)heads=0.5]")
        #expect(one.estimate == 0 && one.knownRange(at: 0.99).contains(0), "\(name)")
      }
    }
    let interval = try result.measurement("number.difference[heads=0.7, tosses=2]").interval(at: 0.99)
    #expect(interval.contains(0.9) && interval.lowerBound > 0.8)
    #expect(try result.value("number") == run("kind: coin.toss\nsamples: 4k").value("number"))
    let text = result.document.text(width: 200)
    #expect(text.contains("differs at") && text.contains("more than 99.9999999%"))
  }

  @Test("equal samples do not prove equality: the difference keeps an interval, and the verdict uses it")
  func equalByChance() throws {
    let yaml = "kind: coin.toss\nsamples: 40\nheads: 0\nversus: 'heads=0.0001'\n"
    let one = try run(yaml).measurement("any.difference[heads=0.0001]")
    let known = one.knownRange(at: 0.99)
    #expect(one.estimate == 0 && known.lowerBound < 0 && known.upperBound > 0.1)
    let asked = try scenario(yaml + "thresholds: [any.difference <= 0.01 at 0.99]")
    #expect(asked.evaluated(by: try asked.run(on: RunContext(workers: 1)).measurements)[0].verdict == .undecided)
    #expect(!(try run(yaml).document.text(width: 200)).contains("certain"))
  }

  @Test("computed values have an exact difference, and a threshold can bound it")
  func exact() throws {
    let scenario = try scenario(
      """
      kind: hill.height
      versus: place=20
      thresholds: ['rise.difference[place=20] == 20', 'height.difference == 9700', 'height >= 9900']
      """)
    let result = try scenario.run(on: RunContext(workers: 1))
    #expect(scenario.evaluated(by: result.measurements).map(\.verdict) == [.holds, .holds, .holds, .holds])
    #expect(try result.value("height.difference[m, place=20]") == .exact(9700))
  }
}

@Suite("A search finds where a threshold begins or ceases to hold")
struct SearchTests {
  private func answer(_ yaml: String) throws -> (value: Double, low: Double, high: Double, text: String) {
    let result = try run(yaml)
    guard case .interval(let value, let low, let high, _, _)? = result.measurements.first?.value else {
      throw Missing()
    }
    return (value, low, high, result.document.text(width: 10_000))
  }

  private struct Missing: Error {}

  @Test("for computed values it equals a scan of all values", arguments: 0..<40)
  func scan(number: Int) throws {
    let (low, high) = (number, number + [3, 5, 17, 1000, 654_321][number % 5])
    // The threshold lies somewhere in the range, at its ends too.
    let bound = 2 * low + (2 * (high - low) * (number % 8)) / 7
    let isUpwards = number.isMultiple(of: 2)
    let yaml = "kind: hill.height\nfind: place=\(low)..\(high)\nuntil: rise \(isUpwards ? ">=" : "<=") \(bound)"
    let found = try answer(yaml)
    let holding = (low...high).filter { isUpwards ? 2 * $0 >= bound : 2 * $0 <= bound }
    if holding.count == high - low + 1 {
      #expect(found.value.isNaN && found.text.contains("holds at every place that was tried"))
    } else {
      let expected = Double(isUpwards ? holding.first ?? -1 : holding.last ?? -1)
      #expect(found.value == expected && found.low == expected && found.high == expected, "\(yaml)")
      #expect(found.text.contains("The \(isUpwards ? "least" : "largest") place for which"))
    }
  }

  @Test("a threshold may ask for one whole answer, of real numbers for a range alone")
  func wholeAnswer() throws {
    func verdicts(_ find: String, _ thresholds: String) throws -> [String] {
      let scenario = try scenario("kind: hill.height\n\(find)\nthresholds: [\(thresholds)]")
      return scenario.evaluated(by: try scenario.run(on: RunContext(workers: 1)).measurements).map(\.verdict.rawValue)
    }
    let whole = "find: place=10..17\nuntil: rise >= 26"
    #expect(
      try verdicts(whole, "answer == 13 at 0.99, answer in 13..13 at 0.99, answer != 13 at 0.99, answer == 12 at 0.99")
        == ["holds", "holds", "fails", "fails"])
    let real = "find: length=0..100:0.01\nuntil: height <= 495000"
    for threshold in ["answer == 50 at 0.99", "answer in 50..50 at 0.99"] {
      #expect(throws: ReportingError.self) { try verdicts(real, threshold) }
    }
  }

  @Test("whole numbers above 2^53 are distinguished")
  func beyondDoubles() throws {
    let low = Far.first
    let text = try run("kind: hill.far\nfind: place=\(low)..\(low + 6)\nuntil: above <= 4").document.text(width: 10_000)
    #expect(text.contains("The largest place for which 'above <= 4' holds is \(low + 4): it fails at \(low + 5)"))
    let swept = try run("kind: hill.far\nsweep: ['place=\(low)..\(low + 4):5']")
    #expect(swept.measurements.map(\.estimate) == [0, 1, 2, 3, 4])
  }

  @Test("a real number and a duration are found to the precision")
  func precision() throws {
    let real = try answer("kind: hill.height\nfind: length=0..100:0.01\nuntil: height <= 495000")
    #expect(real.low <= 50 && 50 <= real.high && real.high - real.low <= 0.0101 && real.value == real.low)
    let rest = try answer("kind: hill.height\nfind: pause=1s..60s:100ms\nuntil: rest <= 12.34s")
    #expect(rest.low <= 12.34 && 12.34 <= rest.high && rest.high - rest.low <= 0.1001)
    #expect(rest.text.contains("pause"))
  }

  @Test("a bound is converted to the measure's unit", arguments: ["12.34s", "0.2056666667min"])
  func units(bound: String) throws {
    for measure in ["rest", "stay"] {
      let found = try answer("kind: hill.height\nfind: pause=1s..60s:100ms\nuntil: \(measure) <= \(bound)")
      #expect(found.low <= 12.34 && 12.34 <= found.high && found.high - found.low <= 0.1001, "\(measure)")
    }
  }

  @Test("a search at the finest allowed precision ends")
  func finest() throws {
    let found = try answer("kind: hill.height\nfind: length=0..100:1e-6\nuntil: height <= 495000")
    #expect(found.low <= 50 && 50 <= found.high && found.high - found.low <= 1.1e-6)
  }

  @Test("a value that the parameter refuses is reported, and nothing runs instead")
  func unreadable() throws {
    let error = #expect(throws: (any Error).self) {
      try answer("kind: hill.height\nfind: even=0..100\nuntil: rise <= 30")
    }
    let thrown: any Error = try #require(error)
    #expect("\(thrown)" == "--find even: found '25', expected an even number." && thrown is any InputError)
  }

  @Test("a saved search reads back as itself, with percentiles whose confidence it raised")
  func saved() throws {
    let yaml = "kind: coin.toss\ntosses: 10\nfind: heads=0.1..0.9:0.05\nuntil: 'most[p50] <= 5 at 0.99'\n"
    let one = try scenario(yaml)
    let again = try Scenario(ScenarioDocument(yaml: one.resolved, file: "again.yaml"), kinds: [Coin.runnable])
    #expect(again.resolved == one.resolved && again.digest == one.digest)
  }

  @Test("it reports if the threshold holds everywhere, nowhere, or alternately")
  func shapes() throws {
    let nowhere = try answer("kind: hill.height\nfind: place=10..90\nuntil: rise <= 3")
    #expect(nowhere.value.isNaN && nowhere.text.contains("'rise <= 3' fails at every place that was tried"))
    let turns = try answer("kind: hill.height\nfind: place=0..1000\nuntil: height <= 200000")
    #expect(turns.value.isNaN && turns.text.contains("more than once, so there is no single answer"))
    #expect(turns.text.contains("it holds at 0, fails at 500, holds at 750"))
  }

  @Test("an undecided search gives a bracket around the truth, decided at both ends")
  func bracket() throws {
    let found = try answer("kind: coin.toss\nsamples: 100\nfind: heads=0.3..0.7:0.0001\nuntil: any <= 50% at 0.99")
    #expect(found.low < 0.5 && 0.5 < found.high && found.high - found.low < 0.2 && found.high - found.low > 0.001)
    #expect(found.text.contains("the values tried between them are undecided"))
    #expect(found.text.contains("All verdicts hold together at 0.99"))
  }

  @Test("an interval's confidence is raised to that of every look, unless it is given")
  func raised() throws {
    let found = try answer(
      "kind: coin.toss\nsamples: 2k\ntosses: 10\nfind: heads=0.1..0.9:0.05\nuntil: 'most[p50] <= 5 at 0.99'")
    #expect(found.low > 0.4 && found.high < 0.65)
  }

  @Test("an interrupted search states only decided values")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let result = try scenario("kind: coin.toss\nfind: heads=0.1..0.9\nuntil: any <= 50% at 0.9")
      .run(on: RunContext(workers: 1, interrupt: interrupt))
    #expect(!result.isComplete && result.measurements.isEmpty)
  }
}

@Suite("Two variants stay in step where each part of a model has its own stream")
struct InStepTests {
  /// How many times the samples pairing is worth, as the comparison's caption says.
  private func gain(_ yaml: String) throws -> Double {
    let text = try run("kind: shop.repair\nsamples: 2000\nversus: twice=5%\n\(yaml)").document.text(width: 300)
    let match = try #require(
      text.firstMatch(of: /Pairing is as good as this many times the samples: still (\d+(\.\d)?)/))
    return try #require(Double(match.1))
  }

  @Test("with a stream for each machine, pairing two variants is worth several times the samples that one stream gives")
  func shop() throws {
    let (apart, inStep) = (try gain("step: false"), try gain("step: true"))
    #expect(apart < 1.5 && inStep > 3 * apart, "\(apart), \(inStep)")
  }

  @Test("the gain is the ratio of the variances, and is not stated of percentiles or where nothing differs")
  func ratio() throws {
    let found = try run("kind: coin.toss\nsamples: 4k\nversus: heads=0.7")
    func deviation(_ name: String) throws -> Double {
      guard case .mean(_, let deviation, _) = try found.value(name) else { return .nan }
      return deviation
    }
    let (one, other) = (try deviation("number"), try deviation("number[heads=0.7]"))
    let paired = try deviation("number.difference[heads=0.7]")
    let ratio = ((one * one + other * other) / (paired * paired) * 10).rounded() / 10
    let text = found.document.text(width: 300)
    #expect(text.contains("this many times the samples: number \(ratio), any \(ratio)."), "\(ratio): \(text)")
    #expect(try !run("kind: coin.toss\nheads: 0\nversus: tosses=2").document.text(width: 300).contains("Pairing"))
  }
}
