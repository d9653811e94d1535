// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo
public import Reporting

/// The outcome of a scenario, which the scenario and its seed determine alone.
public struct ScenarioResult: Sendable {
  /// A file stored with the result, for example a chart as a table.
  public struct File: Hashable, Sendable {
    /// Its name, without a folder: `6d.csv`.
    package let name: String
    package let content: String

    /// A file by its name and its content.
    public init(name: String, content: String) {
      (self.name, self.content) = (name, content)
    }
  }

  /// The measurements, in the plan's order; those that an interruption prevented are missing.
  public let measurements: [Measurement]
  /// Further data that are no measures, in the kind's own schema: `data` of `result.json`.
  public let data: JSONValue
  /// The report for people, in every format.
  public internal(set) var document: Document
  /// Further files for the run's folder.
  package let files: [File]
  /// Test cases other than the thresholds, for build servers: for example one for each property.
  package let cases: [JUnitReport.Case]
  /// True if the run is complete: `false` after an interruption.
  public let isComplete: Bool
  /// The threshold of a search that found no answer, or the half-width that a run has not reached; `nil` for none.
  package var unanswered: EvaluatedThreshold?

  /// The outcome of a run that was interrupted before there was anything to state.
  public static var interrupted: ScenarioResult { ScenarioResult(measurements: [], isComplete: false) }

  /// The outcome of a run; `isComplete` is false after an interruption. If the document has no table for programs, CSV
  /// has the measurements, with intervals at the confidence.
  public init(
    measurements: [Measurement], data: JSONValue = .object([]), document: Document = Document([]), files: [File] = [],
    cases: [JUnitReport.Case] = [], confidence: Double = 0.99, isComplete: Bool = true
  ) {
    (self.measurements, self.data, self.document, self.files) = (measurements, data, document, files)
    (self.cases, self.isComplete) = (cases, isComplete)
    if document.data == nil { self.document.data = Table(tidy: measurements, at: confidence) }
  }

  /// The cases that failed or could not be decided.
  package var wrongCases: [(name: String, message: String, details: String, location: JUnitReport.Place?)] {
    cases.compactMap { one in
      switch one.outcome {
      case .passed: nil
      case .failed(let message, let details), .undecided(let message, let details), .broken(let message, let details):
        (one.name, message, details, one.location)
      }
    }
  }

  /// The content of the only file of a format, which a command writes in that format, such as a strategy card to print.
  package func onlyFile(as format: ReportFormat) -> String? {
    let files = files.filter { file in format.extensions.contains { file.name.hasSuffix("." + $0) } }
    return files.count == 1 ? files[0].content : nil
  }
}

/// Settings for the single samples of an experiment that draws them one after the other.
package struct SampleHandling: Sendable {
  /// The endings that the name of a file of samples may have.
  package static let fileEndings = [".csv", ".csv.gz", ".jsonl", ".jsonl.gz"]

  /// The file that gets a row for each sample; `nil` if none is wanted.
  package var file: String?
  /// The time after which a sample ends the process; `nil` for no limit.
  package var limit: Duration?
  /// The command that draws a sample alone.
  package var again: @Sendable (_ number: Int) -> String = { "--only \($0)" }
  /// The command of an experiment alone, for samples of one of several points.
  package var command: (@Sendable (any Experiment) -> String)?

  package init() {}
}

/// The surroundings of a run: workers, interrupt and progress. None of them may change the result.
public struct RunContext: Sendable {
  /// The threads that share the work, with the checkpoint that keeps finished blocks.
  ///
  ///     let runner = try BlockRunner(workers: context.workers)
  public private(set) var workers: Workers
  /// The request to stop, which is checked after every block.
  ///
  ///     try context.interrupt.check()
  public private(set) var interrupt: Interrupt
  /// Makes the progress display of one piece of work. `maximum` is its size if known. Returns `nil` if no display is
  /// wanted.
  ///
  ///     let meter = context.meter(1_000, "games")
  ///     meter?.finish()
  public let meter: @Sendable (_ maximum: Int?, _ unit: String) -> ProgressMeter?
  /// The progress display of the work that is running; `nil` before it begins, or if no display is wanted.
  var shown: ProgressMeter?
  /// Settings for single samples.
  package var samples = SampleHandling()
  /// Puts the program's name into the commands of a text.
  private let naming: @Sendable (String) -> String

  /// A context with a number of workers and neither checkpoint nor progress, as for tests.
  public init(workers: Int) { self.init(workers: workers, maxSamples: nil, interrupt: Interrupt()) }

  package init(
    workers: Int, maxSamples: Int? = nil, interrupt: Interrupt = Interrupt(),
    meter: @escaping @Sendable (_ maximum: Int?, _ unit: String) -> ProgressMeter? = { _, _ in nil },
    naming: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.workers = Workers(workers, maxSamples: maxSamples)
    (self.interrupt, self.meter, self.naming) = (interrupt, meter, naming)
  }

  /// The context with workers that store finished blocks in the checkpoint.
  package func keeping(_ checkpoint: Checkpoint?) -> RunContext {
    var context = self
    context.workers = workers.keeping(checkpoint)
    return context
  }

  /// The context of one of several independent parts, from 0: a shard plays its share of each part.
  func part(_ number: Int) -> RunContext {
    workers.checkpoint?.begin(part: number)
    var context = self
    context.interrupt = Interrupt(within: interrupt)
    return context
  }

  /// Runs an experiment. Texts of the result name the program as the user does; the data does not depend on its name.
  package func run(_ experiment: some Experiment) throws -> ScenarioResult {
    let result = try experiment.run(on: self)
    var named = ScenarioResult(
      measurements: result.measurements, data: result.data, document: result.document.mapped(naming),
      files: result.files, cases: result.cases.map { $0.mapped(naming) }, isComplete: result.isComplete)
    named.unanswered = result.unanswered
    return named
  }
}
