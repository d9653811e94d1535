// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Synchronization
import TestSupport

@testable import Archive

/// A history in its own folder, and runs to record in it.
struct HistoryFixture {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  var folder: String { temporary.path }

  /// The history's file.
  var path: String { temporary.path("history.sqlite") }

  /// The names of everything in the folder, sorted.
  func names() throws -> [String] { try temporary.names() }

  /// Writes a file of the folder.
  func write(_ text: String, as name: String) throws { try temporary.write(text, as: name) }

  /// The bytes of a file of the folder.
  func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)) }

  /// Every file below the folder by its path, with its bytes.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      if let bytes = try? bytes(of: name) { files[name] = bytes }
    }
    return files
  }

  /// Overwrites the second page of the history, which every table needs.
  func damage() throws {
    var bytes = try bytes(of: "history.sqlite")
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// Minutes after a certain noon.
  static func time(_ minutes: Int) -> Date { Date(timeIntervalSince1970: 1_790_000_000 + Double(minutes) * 60) }

  /// One measurement of every form, with figures that decimals do not hold.
  static let everyForm: [Scenarios.Measurement] = [
    Measurement(Measure("chart.mismatches", meaning: "cells that differ", kind: .exact), .exact(1.0 / 3)),
    Measurement(
      Measure("cells", of: "6d", meaning: "cells decided", kind: .count), .count(41, undecided: 2)),
    Measurement(
      Measure("wins", meaning: "rounds won", kind: .proportion), .proportion(successes: 43, trials: 100)),
    Measurement(
      Measure("ev", of: "6d", meaning: "what a round brings", unit: "bets", kind: .mean),
      .mean(-0.1 - 0.2, standardDeviation: 1.1547005383792515, samples: 1_000_000), bonferroniDivisor: 4),
    Measurement(
      Measure("margin", meaning: "the closest decision", unit: "bets", kind: .interval(confidence: 0.999)),
      .interval(0.01, low: .leastNonzeroMagnitude, high: 0.1 + 0.2, confidence: 0.999, samples: 12)),
  ]

  /// A result.
  static func document(
    slug: String = "quick", digest: String = "00c0ffee", version: String = "0.1.0",
    measurements: [Scenarios.Measurement] = everyForm, thresholds: [EvaluatedThreshold] = [evaluated(.holds)]
  ) -> ResultDocument {
    ResultDocument(
      version: version, slug: slug, name: "A \(slug) look", kind: "blackjack-play", digest: digest,
      thresholds: thresholds, measurements: measurements, data: .object([]))
  }

  /// A threshold with its verdict.
  static func evaluated(_ verdict: Verdict, _ text: String = "wins >= 0.4 at 0.99") -> EvaluatedThreshold {
    EvaluatedThreshold(
      text: text, measurement: "wins", source: "the rule book", line: 7, verdict: verdict,
      found: "0.43 (0.31 to 0.56), 100 samples", advice: "about 300 more samples", errorProbability: 0.01)
  }

  /// When, where and how fast.
  static func record(
    at minutes: Int = 0, status: RunRecord.Status = .complete, build: RunRecord.Build = RunRecord.Build()
  ) -> RunRecord {
    RunRecord(
      status: status, started: time(minutes), ended: time(minutes + 1), wallSeconds: 1.25, cpuSeconds: 2.5,
      assay: "0.1.0", gsl: "2.7.1", command: "assay run Scenarios/quick.yaml", workers: 2, process: 4711,
      machine: RunRecord.Machine(host: "anvil", system: "Debian 12", architecture: "x86_64", cores: 4),
      build: build)
  }
}

extension HistoryFixture {
  /// Makes the folder of a run as runs make it, below `runs`, and records it.
  ///
  /// - Returns: where it lies.
  @discardableResult
  func run(
    _ name: String, at minutes: Int, in history: History?, slug: String = "quick", digest: String = "00c0ffee"
  ) throws -> String {
    let location = "\(folder)/runs/\(name)"
    try FileManager.default.createDirectory(atPath: location, withIntermediateDirectories: true)
    let (document, record) = (Self.document(slug: slug, digest: digest), Self.record(at: minutes))
    try write("name: \(slug)\n", as: "runs/\(name)/scenario.yaml")
    try write(document.text, as: "runs/\(name)/result.json")
    try write(RunFile(latest: record, previous: nil).json.text, as: "runs/\(name)/run.json")
    try history?.record(document, record, folder: location)
    return location
  }

  /// The names of what lies in the folder of all runs, sorted.
  func runNames() throws -> [String] { try temporary.names(in: "runs") }
}

/// What a history remarked.
final class Remarks: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock(\.self) }

  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// Invented runs.
enum Accounts {
  static func threshold(
    _ text: String, _ verdict: Verdict, line: Int = 7, source: String = "", advice: String = ""
  ) -> EvaluatedThreshold {
    EvaluatedThreshold(
      text: text, measurement: "share", source: source, line: line, verdict: verdict, found: "0.93 | 0.91 to 0.95",
      advice: advice, errorProbability: 0.01)
  }

  static func run(
    _ thresholds: [EvaluatedThreshold], name: String = "A scenario", cases: [JUnitReport.Case] = [],
    remarks: [String] = [], isComplete: Bool = true
  ) -> FinishedRun {
    let document = ResultDocument(
      slug: "one", name: name, kind: "counting", digest: "0123abcd", thresholds: thresholds, measurements: [],
      data: .null, isComplete: isComplete)
    var record = HistoryFixture.record()
    (record.command, record.remarks) = ("assay run Scenarios/one.yaml", remarks)
    return FinishedRun(
      file: "Scenarios/one.yaml", folder: "Results/runs/one-0123abcd", report: "Results/runs/one-0123abcd/report.html",
      document: document, record: record,
      outcome: ScenarioResult(
        measurements: [], data: .null, document: Document(id: "a", title: "A text.", []), cases: cases),
      suite: JUnitReport(name: "one", cases: cases, record.suiteInfo))
  }

  static let failingProperty = JUnitReport.Case(
    name: "league.rank: ranks, in order", group: "League",
    outcome: .failed(message: "falsified after 3 cases", details: "seed 7\nassay properties replay abc"),
    location: JUnitReport.Place(file: "/work/repo/Sources/LeagueProperties.swift", line: 12))
}
