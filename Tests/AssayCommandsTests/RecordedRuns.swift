// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import TestSupport

@testable import Archive

/// A folder with runs in it, as `assay run` leaves it: folders below `Results/runs`, and a history.
struct RecordedRuns {
  let folder: TemporaryFolder

  init(in folder: TemporaryFolder? = nil) throws { self.folder = try folder ?? TemporaryFolder() }

  /// Where the history lies.
  var history: String { home + "/history.sqlite" }
  var home: String { folder.url.path + "/Results" }

  /// The history, opened.
  func opened() throws -> History {
    try FileManager.default.createDirectory(atPath: folder.url.path + "/Results", withIntermediateDirectories: true)
    return try History.open(history)
  }

  /// Makes a run's folder, and records it where that is wanted.
  ///
  /// - Parameters:
  ///   - slug: the scenario.
  ///   - day: when, in days of November 2026.
  ///   - digest: the scenario's digest.
  ///   - seed: the seed that the scenario names.
  ///   - wins: rounds won among a thousand.
  ///   - root: where its folder goes.
  ///   - isRecorded: whether the history knows it.
  ///   - build: what ran.
  /// - Throws: what the system or the history refuses.
  func add(
    _ slug: String = "quick", day: Int, digest: String = "00c0ffee", seed: Int = 1, wins: Int = 430,
    root: String = "Results/runs", isRecorded: Bool = true, build: RunRecord.Build = RunRecord.Build()
  ) throws {
    let location = "\(folder.url.path)/\(root)/\(slug)-\(digest)"
    try FileManager.default.createDirectory(atPath: location, withIntermediateDirectories: true)
    let document = ResultDocument(
      slug: slug, name: "A \(slug) look", kind: "blackjack-play", digest: digest,
      thresholds: [
        EvaluatedThreshold(
          text: "wins >= 0.4 at 0.99", measurement: "wins", source: "", line: 5,
          verdict: wins >= 450 ? .holds : .undecided, found: "\(wins) of 1,000", errorProbability: 0.01)
      ],
      measurements: [
        Measurement(
          Measure("wins", meaning: "The share of rounds won", kind: .proportion),
          .proportion(successes: wins, trials: 1000)),
        Measurement(
          Measure("edge", of: "6d", meaning: "The house's edge", unit: "bets", kind: .exact), .exact(0.0043)),
      ], data: [:])
    let start = Date(timeIntervalSince1970: 1_793_491_200 + Double(day - 1) * 86_400)
    let record = RunRecord(
      status: .complete, started: start, ended: start.addingTimeInterval(2), wallSeconds: 2.25, cpuSeconds: 4,
      assay: Version.current, gsl: "2.7.1", command: "assay run Scenarios/\(slug).yaml", workers: 2, process: 4711,
      machine: RunRecord.Machine(host: "anvil", system: "Debian 12", architecture: "x86_64", cores: 4),
      build: build)
    let files = [
      ("scenario.yaml", "name: A \(slug) look\nkind: blackjack.play\nseed: \(seed)\n"),
      ("result.json", document.text),
      ("run.json", RunFile(latest: record, previous: nil).json.text),
    ]
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(location)/\(name)")) }
    if isRecorded { try opened().record(document, record, folder: location) }
  }

  /// Runs `assay results` there.
  func results(_ typed: String) throws -> AssayProcess { try AssayProcess("results " + typed, in: folder.url) }
}
