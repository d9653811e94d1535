// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Sampling
import Scenarios
import Testing

/// How often each pair of two dice was thrown: a matrix, which is no statistic of one number of each sample.
private struct Pairs: MergeableTally, Hashable {
  var cells = Array(repeating: 0, count: 36)

  var throwsMade: Int { cells.reduce(0, +) }
  var doubles: Int { (0..<6).reduce(0) { $0 + cells[7 * $1] } }

  mutating func add(_ dice: [Int]) { cells[6 * dice[0] + dice[1]] += 1 }
  mutating func merge(_ other: Self) { for index in cells.indices { cells[index] += other.cells[index] } }
}

private struct TwoDice: SampledExperiment {
  static let kind = "dice.pairs"
  static let summary = "Throws of two dice."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<[Int]>] = [.share("double", "Doubles.") { $0[0] == $0[1] }]

  func sample(_ random: inout RandomStream) -> [Int] { [random.integer(in: 0..<6), random.integer(in: 0..<6)] }
  func tally() -> Pairs { Pairs() }
  func add(_ dice: [Int], to pairs: inout Pairs) { pairs.add(dice) }
  func sections(of run: SampledRun<Pairs>) -> [ReportBlock] {
    [.paragraph("\(run.tally.cells) of \(run.samples), \(run.measurements.count) measure")]
  }
}

/// The same dice, thrown by a kernel that knows no single throw. The edge is drawn otherwise.
private struct Kernel: BatchedExperiment {
  static let kind = "dice.pairs"
  static let summary = "Throws of two dice."
  static let samplesName = "throws"
  static let defaultConfidence = 0.9
  var faces = 6
  private var prepared = 0
  static let parameters: [Parameter<Self>] = [Parameter("faces", \.faces, .count(1...6), "Faces.", example: "4")]

  init() {}

  mutating func prepare(on context: RunContext) { prepared += faces }
  func tally() -> Pairs { Pairs() }
  func scratch(generator: String) -> String { generator }
  func draw(_ batch: SampleBatch, _ generator: inout String, into pairs: inout Pairs) throws {
    var random = try RandomStream(named: generator, seed: batch.seed())
    for _ in batch.samples { pairs.add([random.integer(in: 0..<prepared), random.integer(in: 0..<prepared)]) }
  }
  func tallied(at confidence: Double) -> [Measure] {
    [
      Measure("double", meaning: "Doubles", kind: .proportion),
      Measure("own", meaning: "The look's confidence", kind: .interval(confidence: confidence)),
      Measure("pair", of: "one", meaning: "Throws of two ones", kind: .proportion),
    ]
  }
  func measurements(of run: SampledRun<Pairs>) -> [Scenarios.Measurement] {
    let measures = tallied(at: run.confidence)
    return [
      Measurement(measures[0], .proportion(successes: run.tally.doubles, trials: run.samples)),
      Measurement(
        measures[1],
        .interval(
          run.confidenceOfLook, low: 0, high: 1, confidence: run.confidence, samples: run.samples)),
      Measurement(measures[2], .proportion(successes: run.tally.cells[0], trials: run.samples)),
    ]
  }
  func sections(of run: SampledRun<Pairs>) -> [ReportBlock] { [.paragraph("\(run.tally.cells)")] }
}

/// A number of throws, which are counted side by side with others.
private struct Count: MergeableTally, Hashable {
  var value = 0
  mutating func merge(_ other: Self) { value += other.value }
}

/// Throws of a die in large batches, of which two settings can be compared: how often its first face shows.
private struct FirstFace: PairedBatches {
  static let kind = "dice.first"
  static let summary = "How often the first face shows."
  static let samplesName = "throws"
  static let streams = ["dice", "others"]
  static let samplesPerBatch = 1_000
  var faces = 6
  var isComputed = false
  static let parameters: [Parameter<Self>] = [
    Parameter("faces", \.faces, .count(1...6), "Faces.", example: "4"),
    Parameter("computed", \.isComputed, .flag, "Throw none."),
  ]
  var reasonForNone: String? { isComputed ? "'computed' throws no die" : nil }

  func tally() -> [Count] { [Count(), Count()] }
  func scratch(generator: String) -> (faces: Int, generator: String) { (faces, generator) }

  func draw(
    _ batch: SampleBatch, _ die: inout (faces: Int, generator: String), into tally: inout [Count]
  ) throws {
    for stream in 0...1 {
      var random = try RandomStream(named: die.generator, seed: batch.seed(stream))
      for _ in batch.samples where random.integer(in: 0..<die.faces) == 0 { tally[stream].value += 1 }
    }
  }

  func tallied(at confidence: Double) -> [Measure] {
    [Measure("first", meaning: "The first face", kind: isComputed ? .exact : .proportion)]
  }

  func measurements(of run: SampledRun<[Count]>) -> [Scenarios.Measurement] {
    let measure = tallied(at: run.confidence)[0]
    return [
      Measurement(
        measure,
        isComputed ? .exact(1 / Double(faces)) : .proportion(successes: run.tally[0].value, trials: run.samples))
    ]
  }

  func data(of run: SampledRun<[Count]>) -> [JSONMember] { [JSONMember("others", .integer(run.tally[1].value))] }

  func pairs() -> [Count] { [Count(), Count(), Count()] }

  /// Counts the throws in which this die shows its first face, the other one does, and one alone does.
  func draw(
    _ batch: SampleBatch, _ die: inout (faces: Int, generator: String),
    beside other: inout (faces: Int, generator: String), into pairs: inout [Count]
  ) throws {
    var one = try RandomStream(named: die.generator, seed: batch.seed())
    var another = try RandomStream(named: other.generator, seed: batch.seed())
    for _ in batch.samples {
      let shown = (one.integer(in: 0..<die.faces) == 0, another.integer(in: 0..<other.faces) == 0)
      for (index, isSo) in [shown.0, shown.1, shown.0 != shown.1].enumerated() where isSo { pairs[index].value += 1 }
    }
  }

  func differences(of run: SampledRun<[Count]>) -> [Scenarios.Measurement] {
    let (samples, counts) = (Double(run.samples), run.tally.map { Double($0.value) })
    let mean = (counts[0] - counts[1]) / samples
    return [
      Measurement(
        Measure("first", meaning: "The first face", kind: .mean),
        .mean(mean, standardDeviation: (counts[2] / samples - mean * mean).squareRoot(), samples: run.samples))
    ]
  }
}

@Suite("An experiment counts its samples in its own tally")
struct SampleTallyTests {
  private func text(_ result: ScenarioResult) -> String {
    result.document.text(width: 1000).split(separator: "\n").joined(separator: " ")
  }

  @Test("sections have the counts of all samples, with the same bytes at any number of workers")
  func sections() throws {
    let result = try TwoDice.run("samples: 10k", workers: 1)
    #expect(text(result).contains(" of 10000, 1 measure"))
    #expect(try TwoDice.run("samples: 10k", workers: 3).document == result.document)
    #expect(TwoDice.runnable.problems() == [] && Kernel.runnable.problems() == [])
  }

  @Test("batches give the counts of single samples")
  func batches() throws {
    let (single, batched) = (try TwoDice.run("samples: 9999"), try Kernel.run("throws: 9999", workers: 3))
    let counts = try #require(text(single).firstMatch(of: #/\[[0-9, ]+\]/#)?.output)
    #expect(text(batched).contains(counts))
    #expect(try single.measurements["double"].estimate == batched.measurements["double"].estimate)
    #expect(try Kernel().run(samples: 9999) == Kernel.run("throws: 9999\nconfidence: 0.99").measurements)
  }

  @Test("a run that was interrupted, or divided, has the counts of a single run", arguments: [true, false])
  func continued(isBatched: Bool) throws {
    let yaml = isBatched ? "throws: 30k\nhalf-width: 0.008" : "samples: 30k\nhalf-width: 0.012"
    let scenario = try isBatched ? Kernel.scenario(yaml) : TwoDice.scenario(yaml)
    let whole = try scenario.run(on: RunContext(workers: 1))
    let path = NSTemporaryDirectory() + "tally-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func part(
      _ share: Checkpoint.Share, _ records: [Checkpoint.Record], _ samples: Int? = nil
    ) throws -> (result: ScenarioResult, records: [Checkpoint.Record]) {
      let checkpoint = try Checkpoint(path, header: Data("dice".utf8), records: records, share: share)
      let result = try scenario.run(on: RunContext(workers: 2, maxSamples: samples).keeping(checkpoint))
      checkpoint.finish()
      return (result, try Checkpoint.Content(of: path).records)
    }
    var (stopped, divided) = (try part(.all, [], 500), try part(.none, []))
    #expect(!stopped.result.isComplete)
    for round in 1...100 {
      if !stopped.result.isComplete { stopped = try part(.all, stopped.records, 1_000 * round) }
      if divided.result.isComplete { continue }
      let shards = try (1...3).flatMap { try part(.part(number: $0, count: 3), divided.records).records }
      divided = try part(.none, shards)
    }
    #expect(stopped.result.document == whole.document && divided.result.document == whole.document)
    #expect(text(whole).contains("which reach the half-width"))
  }

  @Test("a run of batches ends early by what its tally shows, whose intervals have the error of the look")
  func ending() throws {
    let result = try Kernel.run("throws: 20k\nthresholds: [double in 10%..25% at 0.99]")
    #expect(try result.measurements["double"].samples ?? 0 < 20_000)
    #expect(try result.measurements["double"].bonferroniDivisor > 1 && result.measurements["own"].estimate > 0.9)
    #expect(text(result).contains(" of 20,000 throws, which decide all thresholds; each interval holds"))
    // Labelled measures are shown by the experiment.
    #expect(text(result).contains("double") && !text(result).contains("pair[one]"))
  }

  @Test("settings of batches are compared by their intervals, and no sample can be drawn alone")
  func settings() throws {
    let difference = try Kernel.run("throws: 5k\nversus: faces=3").measurements["double.difference[faces=3]"]
    #expect(difference.interval(at: 0.8).contains(1.0 / 6) && difference.interval(at: 0.8).lowerBound > 0)
    for key in ["only: 3", "best: 'faces=2,3'\nby: max double at 0.9"] {
      #expect(throws: ReportingError.self) { try Kernel.scenario(key) }
    }
    #expect(try !Kernel.scenario().plan.listsSamples && TwoDice.scenario().plan.listsSamples)
  }

  @Test("batches may be large, with several random streams, and add to the data")
  func large() throws {
    let result = try FirstFace.run("throws: 24500", workers: 1)
    #expect(try FirstFace.run("throws: 24500", workers: 3).data == result.data)
    let own = Int((try result.measurements["first"].estimate * 24_500).rounded())
    let others = try #require(result.data.text.firstMatch(of: #/"others": (\d+)/#).flatMap { Int($0.1) })
    #expect(abs(own - 4_083) < 300 && abs(others - 4_083) < 300 && own != others)
    #expect(result.data.text.contains("\"samples\": 24500"))
    // A part of the run has the same batches.
    let stopped = try FirstFace.scenario("throws: 1M\nthresholds: [first < 0.5 at 0.99]").run(
      on: RunContext(workers: 2))
    #expect(try stopped.measurements["first"].samples ?? 0 < 1_000_000)
    #expect(try Int(stopped.measurements["first"].samples ?? 1).isMultiple(of: 1_000))
  }

  @Test("settings of batches are compared pair by pair where the experiment can draw pairs")
  func pairs() throws {
    let result = try FirstFace.run("throws: 5k\nversus: faces=3")
    let difference = try result.measurements["first.difference[faces=3]"]
    #expect(difference.measure.kind == .mean && difference.interval(at: 0.999).contains(1.0 / 6))
    // Every throw that shows the first of six faces shows the first of three.
    guard case .mean(let mean, let deviation, _) = difference.value else { return #expect(Bool(false)) }
    #expect(abs(deviation * deviation - mean * (1 - mean)) < 1e-9)
    #expect(try FirstFace.run("throws: 5k\nbest: 'faces=2,3'\nby: max first at 0.9").data.text.contains("faces=2"))
  }

  @Test("an experiment that computes its measures draws nothing, and refuses what is about samples")
  func computed() throws {
    let result = try FirstFace.run("computed: true")
    #expect(result.isComplete && result.data.text.contains("\"samples\": 0"))
    #expect(try result.measurements["first"].estimate == 1.0 / 6)
    #expect(text(result).contains("Nothing is drawn: 'computed' throws no die."))
    for key in ["throws: 5", "half-width: 5%", "deadline: 1s"] {
      let error = #expect(throws: ReportingError.self) { try FirstFace.scenario("computed: true\n" + key) }
      #expect(error?.description.contains("expected nothing: 'computed' throws no die") == true, "\(error as Any)")
    }
  }
}
