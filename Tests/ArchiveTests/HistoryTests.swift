// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Database
import Dispatch
import Foundation
import Reporting
import Scenarios
import Synchronization
import Testing

@Suite("The history remembers runs")
struct HistoryRecordingTests {
  @Test("a recorded run is read back with every value to the last bit")
  func everyForm() throws {
    let fixture = try HistoryFixture()
    try FileManager.default.createDirectory(
      atPath: fixture.folder + "/runs/quick-00c0ffee", withIntermediateDirectories: true)
    try fixture.write("name: Quick\nseed: 1\n", as: "runs/quick-00c0ffee/scenario.yaml")
    let (document, record) = (HistoryFixture.document(), HistoryFixture.record())
    let id = try History.open(fixture.path).record(
      document, record, folder: fixture.folder + "/runs/quick-00c0ffee")
    // A second look, by its own connection, sees what was written and not what is remembered.
    let history = try History.open(fixture.path, for: .reading)
    let run = try history.run(named: "latest")
    #expect(run.id == id && run.slug == "quick" && run.name == "A quick look" && run.kind == "blackjack-play")
    #expect(run.digest == "00c0ffee" && run.verdict == .holds && run.status == .complete)
    #expect(run.started == record.started && run.wallSeconds == 1.25 && run.machine == record.machine)
    #expect(run.workers == 2 && run.gsl == "2.7.1" && run.assay == "0.1.0" && run.command == record.command)
    #expect(run.folder == fixture.folder + "/runs/quick-00c0ffee")
    let findings = try history.findings(of: run)
    #expect(findings.measurements == document.measurements)
    #expect(findings.thresholds == document.thresholds)
    #expect(findings.scenario == "name: Quick\nseed: 1\n")
  }

  @Test("a run recorded again replaces itself and keeps its number")
  func again() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    let first = try history.record(
      HistoryFixture.document(), HistoryFixture.record(status: .incomplete), folder: "runs/a")
    try history.record(HistoryFixture.document(slug: "other"), HistoryFixture.record(at: 1), folder: "runs/b")
    let second = try history.record(HistoryFixture.document(), HistoryFixture.record(), folder: "runs/a")
    #expect(first == second)
    #expect(try history.runs().map(\.slug) == ["other", "quick"])
    #expect(try history.run(named: "\(first)").status == .complete)
  }

  @Test("a run folder below the history's folder is found after both are moved")
  func moved() throws {
    let old = try HistoryFixture()
    let new = try HistoryFixture()
    try History.open(old.path).record(
      HistoryFixture.document(), HistoryFixture.record(), folder: old.folder + "/runs/a")
    try History.open(old.path).record(
      HistoryFixture.document(), HistoryFixture.record(at: 1), folder: "/elsewhere/b")
    try FileManager.default.moveItem(atPath: old.path, toPath: new.path)
    let folders = try History.open(new.path).runs().map(\.folder)
    #expect(folders == ["/elsewhere/b", new.folder + "/runs/a"])
  }
}

@Suite("Runs are found by name")
struct RunNameTests {
  /// Two runs of quick around one of long.
  private func recorded(in fixture: HistoryFixture) throws -> History {
    let history = try History.open(fixture.path)
    for (minutes, slug) in [(1, "quick"), (2, "long"), (3, "quick")] {
      try history.record(
        HistoryFixture.document(slug: slug), HistoryFixture.record(at: minutes), folder: "runs/\(minutes)")
    }
    return history
  }

  @Test(
    "a number, latest, a scenario, a folder's name, and ~1 for the one before",
    arguments: [
      ("2", 2), ("latest", 3), ("latest~0", 3), ("latest~1", 2), ("quick", 3), ("quick~1", 1), ("long", 2),
      ("quick-00c0ffee", 3), ("quick-00c0ffee~1", 1),
    ])
  func names(name: String, minutes: Int) throws {
    let fixture = try HistoryFixture()
    #expect(try recorded(in: fixture).run(named: name).started == HistoryFixture.time(minutes))
  }

  @Test(
    "a name of nothing says what there is, and the nearest",
    arguments: [
      (
        "quik",
        "found no run 'quik' (did you mean 'quick'?), expected the number of a run, 'latest', a scenario "
          + "(long, quick), with ~1 behind it for the one before, or a commit."
      ),
      ("99", "found no run '99'"),
      ("", "found no run ''"),
      ("quick~", "found no run 'quick~'"),
      ("quick~-1", "found no run 'quick~-1'"),
      ("quick~2", "found no run 'quick~2': there are 2 runs, expected at most ~1 behind the name."),
      ("long~1", "found no run 'long~1': there is 1 run, expected at most ~0 behind the name."),
    ])
  func unknown(name: String, message: String) throws {
    let fixture = try HistoryFixture()
    let history = try recorded(in: fixture)
    let error = #expect(throws: ArchiveError.self) { try history.run(named: name) }
    #expect("\(try #require(error))".hasPrefix("history '\(fixture.path)': \(message)"), "\(error as Any)")
  }

  @Test("a scenario whose name ends with a tilde and a number is found by that name")
  func tilde() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for (minutes, slug) in [(1, "a"), (2, "a~1"), (3, "a~1"), (4, "a")] {
      try history.record(
        HistoryFixture.document(slug: slug), HistoryFixture.record(at: minutes), folder: "runs/\(minutes)")
    }
    for (name, id) in [("a", 4), ("a~1", 3), ("a~1~0", 3), ("a~1~1", 2)] as [(String, Int64)] {
      #expect(try history.run(named: name).id == id, "\(name)")
    }
  }
}

@Suite("Several runs record at once")
struct HistoryConcurrencyTests {
  private static let writers = 8

  @Test("eight connections that open, record and read at once lose nothing")
  func many() throws {
    let fixture = try HistoryFixture()
    let path = fixture.path
    let errors = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
      do {
        let history = try History.open(path)
        for minutes in 0..<10 {
          try history.record(
            HistoryFixture.document(slug: "writer\(writer)"), HistoryFixture.record(at: minutes),
            folder: "runs/\(writer)-\(minutes)")
          _ = try history.run(named: "writer\(writer)")
        }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock(\.self) == [])
    let runs = try History.open(path).runs()
    #expect(runs.count == Self.writers * 10 && Set(runs.map(\.id)).count == runs.count)
  }

  @Test("of several processes that rebuild a damaged history, one renames it, and every recorded run is kept")
  func damaged() throws {
    let fixture = try HistoryFixture()
    let path = fixture.path
    _ = try History.open(path)
    try fixture.damage()
    let remarks = Remarks()
    DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
      do {
        let history = try History.open(path, for: .rebuilding, remark: remarks.add)
        try history.record(HistoryFixture.document(), HistoryFixture.record(), folder: "runs/\(writer)")
      } catch {
        remarks.add("\(error)")
      }
    }
    #expect(remarks.all.count == 1, "\(remarks.all)")
    #expect(try fixture.names().count { $0.contains("damaged") } == 1)
    #expect(try History.open(path).runs().count == Self.writers)
  }
}

@Suite("The trend of a measurement")
struct MeasurementTrendTests {
  /// Four runs of quick, the third of another digest, and one of long.
  private func recorded(in fixture: HistoryFixture) throws -> History {
    let history = try History.open(fixture.path)
    let labelled = ["6d", "8d"].map {
      Measurement(Measure("ev", of: $0, meaning: "what a round brings", kind: .exact), .exact(0.5))
    }
    for minutes in 1...5 {
      let wins = Measurement(
        Measure("wins", meaning: "rounds won", kind: .proportion), .proportion(successes: minutes, trials: 10))
      let document = HistoryFixture.document(
        slug: minutes == 5 ? "long" : "quick", digest: minutes == 3 ? "deadbeef" : "00c0ffee",
        measurements: [wins] + labelled)
      try history.record(document, HistoryFixture.record(at: minutes), folder: "runs/\(minutes)")
    }
    return history
  }

  @Test("has the oldest run first, and states where the scenario changed")
  func order() throws {
    let fixture = try HistoryFixture()
    let trend = try #require(recorded(in: fixture).trends(of: "wins", in: "quick").first)
    #expect(trend.points.map(\.measurement.estimate) == [0.1, 0.2, 0.3, 0.4])
    #expect(trend.points.map(\.isNewExperiment) == [false, false, true, true])
    #expect(trend.changes == 2 && trend.measure.meaning == "rounds won")
    #expect(
      try recorded(in: fixture).trends(of: "wins", in: "quick", last: 2).map { $0.points.map(\.run.id) } == [[3, 4]])
  }
}

@Suite("A comparison of two runs")
struct RunComparisonTests {
  private typealias Fixture = HistoryFixture

  /// A share of successes among a thousand trials.
  private static func share(_ successes: Int, _ name: String = "wins") -> Scenarios.Measurement {
    Measurement(
      Measure(name, meaning: "rounds won", kind: .proportion), .proportion(successes: successes, trials: 1000))
  }

  /// The comparison of two results, recorded with the texts of their scenarios.
  private func comparison(
    _ before: ResultDocument, _ after: ResultDocument, texts: (String, String) = ("seed: 1\n", "seed: 1\n"),
    confidence: Double = 0.99, status: RunRecord.Status = .complete,
    builds: (RunRecord.Build, RunRecord.Build) = (RunRecord.Build(), RunRecord.Build()), isTimed: Bool = false
  ) throws -> RunComparison {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for (name, text, document, minutes, build) in [
      ("a", texts.0, before, 1, builds.0), ("b", texts.1, after, 2, builds.1),
    ] {
      try FileManager.default.createDirectory(atPath: fixture.folder + "/" + name, withIntermediateDirectories: true)
      try fixture.write(text, as: name + "/scenario.yaml")
      var record = Fixture.record(at: minutes, status: status, build: build)
      record.isTimed = isTimed
      try history.record(document, record, folder: fixture.folder + "/" + name)
    }
    return try history.comparison(
      of: history.run(named: "latest~1"), with: history.run(named: "latest"), confidence: confidence)
  }

  @Test("demands equal bits of one scenario and one build")
  func repeated() throws {
    let same = try comparison(Fixture.document(), Fixture.document())
    #expect(same.relation == .repeated && !same.differs && same.jointConfidence == 0.99)
    #expect(same.differences.count == Fixture.everyForm.count)
    #expect(same.differences.allSatisfy { $0.finding == .sameByConstruction })
    let off = try comparison(
      Fixture.document(measurements: [Self.share(400)]), Fixture.document(measurements: [Self.share(401)]))
    #expect(off.differences.map(\.finding) == [.notReproduced] && off.differs)
  }

  @Test("does not demand equal bits after an interruption, by another version, or of measured time")
  func notRepeated() throws {
    #expect(try comparison(Fixture.document(), Fixture.document(), status: .interrupted).relation == .unknown)
    #expect(try comparison(Fixture.document(), Fixture.document(version: "0.2.0")).relation == .unknown)
    let timed = try comparison(
      Fixture.document(measurements: [Self.share(400)]), Fixture.document(measurements: [Self.share(401)]),
      isTimed: true)
    #expect(timed.relation == .unknown && !timed.differs)
  }

  @Test("recognises one build by its binary, or by its commit without changes")
  func builds() throws {
    let same = [
      (RunRecord.Build(binary: "aa"), RunRecord.Build(commit: "1a", binary: "aa")),
      (RunRecord.Build(commit: "1a", binary: "aa"), RunRecord.Build(commit: "1a", binary: "bb")),
    ]
    let others = [
      (RunRecord.Build(commit: "1a", binary: "aa"), RunRecord.Build(commit: "2b", binary: "bb")),
      (RunRecord.Build(commit: "1a", binary: "aa"), RunRecord.Build(commit: "1a", isChanged: true, binary: "bb")),
      (RunRecord.Build(), RunRecord.Build(commit: "1a", binary: "aa")),
    ]
    for builds in same {
      #expect(try comparison(Fixture.document(), Fixture.document(), builds: builds).relation == .repeated)
    }
    for builds in others {
      #expect(try comparison(Fixture.document(), Fixture.document(), builds: builds).relation == .unknown)
    }
  }

  @Test("treats runs as independent only if both name a seed and the seeds differ")
  func independence() throws {
    let (one, other) = (Fixture.document(), Fixture.document(digest: "deadbeef"))
    let cases: [(String, String, MeasurementDifference.Relation)] = [
      ("seed: 1\n", "seed: 2\n", .independent), ("seed: 1\nrounds: 5\n", "seed: 1\nrounds: 6\n", .unknown),
      ("rounds: 5\n", "rounds: 6\n", .unknown), ("rounds: 5\n", "seed: 2\n", .unknown),
      ("seed: 1\ngenerator: mt19937\n", "seed: 1\ngenerator: taus2\n", .independent),
      ("random:\n  seed: 1\n", "random:\n  seed: 2\n", .independent),
      ("seed: 1\nseeds: 3\n", "seed: 1\nseeds: 4\n", .unknown),
      ("seed: 1\nplay:\n  seed: 1\n", "seed: 2\nplay:\n  seed: 1\n", .unknown),
    ]
    for (before, after, relation) in cases {
      #expect(try comparison(one, other, texts: (before, after)).relation == relation, "\(before) \(after)")
    }
  }

  @Test("divides the error among sampled measures and gives none to exact ones")
  func shared() throws {
    let exact = Measurement(Measure("edge", meaning: "", kind: .exact), .exact(1))
    let measurements = [Self.share(400, "a"), exact, Self.share(450, "b"), Self.share(410, "c"), Self.share(1, "d")]
    let found = try comparison(
      Fixture.document(measurements: measurements), Fixture.document(digest: "deadbeef", measurements: measurements),
      texts: ("seed: 1", "seed: 2"), confidence: 0.96)
    #expect(found.differences.map(\.confidence) == [0.99, 1, 0.99, 0.99, 0.99])
    #expect(found.jointConfidence == 0.96)
    #expect(!found.differs)
  }

  @Test("reports measurements whose stored confidence is too low")
  func ownConfidence() throws {
    let interval = Measurement(
      Measure("margin", meaning: "", kind: .interval(confidence: 0.98)),
      .interval(1, low: 0, high: 2, confidence: 0.98, samples: 9))
    let found = try comparison(
      Fixture.document(measurements: [interval, Self.share(4)]),
      Fixture.document(digest: "deadbeef", measurements: [interval, Self.share(5)]), confidence: 0.98)
    #expect(abs(found.jointConfidence - (1 - 0.04 - 0.01)) < 1e-12)
  }

  @Test("matches measures by full name, and lists those of one run only")
  func matching() throws {
    let found = try comparison(
      Fixture.document(measurements: [Self.share(1, "a"), Self.share(2, "b")]),
      Fixture.document(digest: "deadbeef", measurements: [Self.share(3, "c"), Self.share(4, "b")]))
    #expect(found.differences.map(\.before.measure.name) == ["b"])
    #expect(found.onlyBefore.map(\.measure.name) == ["a"] && found.onlyAfter.map(\.measure.name) == ["c"])
    #expect(found.differs)
  }

  @Test("shows each threshold with both verdicts; one that only one run has is not a change")
  func thresholds() throws {
    let found = try comparison(
      Fixture.document(thresholds: [Fixture.evaluated(.holds), Fixture.evaluated(.holds, "wins <= 0.9 at 0.99")]),
      Fixture.document(thresholds: [Fixture.evaluated(.undecided), Fixture.evaluated(.holds, "wins >= 0.1 at 0.99")]))
    #expect(found.thresholds.map(\.text) == ["wins >= 0.4 at 0.99", "wins <= 0.9 at 0.99", "wins >= 0.1 at 0.99"])
    #expect(found.thresholds.map { $0.before?.verdict } == [.holds, .holds, nil])
    #expect(found.thresholds.map { $0.after?.verdict } == [.undecided, nil, .holds])
    #expect(found.thresholds.map(\.differs) == [true, false, false] && found.differs)
  }

  @Test("shows other differences, down to the lines of the scenario")
  func circumstances() throws {
    let found = try comparison(
      Fixture.document(), Fixture.document(digest: "deadbeef", version: "0.2.0"),
      texts: ("name: A\nrounds: 5\nseed: 1\n", "name: A\nseed: 2\nrounds: 5\nrules: 6d\n"))
    let names = found.circumstances.filter(\.differs).map(\.name)
    #expect(names == ["digest", "Assay", "folder"])
    let lines = try #require(found.settings).map { $0.side.rawValue + $0.text }
    #expect(lines == [" name: A", "+seed: 2", " rounds: 5", "-seed: 1", "+rules: 6d"])
  }
}
