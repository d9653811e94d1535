// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("The history remembers runs")
struct HistoryRecordingTests {
  @Test("a recorded run comes back with every figure to the last bit")
  func everyForm() throws {
    let fixture = try HistoryFixture()
    try FileManager.default.createDirectory(
      atPath: fixture.folder + "/runs/quick-00c0ffee", withIntermediateDirectories: true)
    try fixture.write("name: Quick\nseed: 1\n", as: "runs/quick-00c0ffee/scenario.yaml")
    let (document, record) = (HistoryFixture.document(), HistoryFixture.record())
    let id = try History.open(fixture.path).record(
      document, record, folder: fixture.folder + "/runs/quick-00c0ffee")
    // A second look, by a connection of its own, sees what was written and not what is remembered.
    let history = try History.open(fixture.path, mayBeNew: false)
    let run = try history.run(named: "latest")
    #expect(run.id == id && run.slug == "quick" && run.name == "A quick look" && run.kind == "blackjack-play")
    #expect(run.digest == "00c0ffee" && run.judgement == .holds && run.status == .complete)
    #expect(run.started == record.started && run.seconds == 1.25 && run.machine == record.machine)
    #expect(run.workers == 2 && run.gsl == "2.7.1" && run.version == "0.1.0" && run.command == record.command)
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

  @Test("runs are listed with the newest first, whatever the order of recording")
  func order() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for minutes in [3, 1, 2] {
      try history.record(
        HistoryFixture.document(slug: minutes == 1 ? "long" : "quick"), HistoryFixture.record(at: minutes),
        folder: "runs/\(minutes)")
    }
    #expect(try history.runs().map(\.started) == [3, 2, 1].map(HistoryFixture.time))
    #expect(try history.runs(of: "quick").map(\.started) == [3, 2].map(HistoryFixture.time))
    #expect(try history.runs(last: 1).map(\.started) == [HistoryFixture.time(3)])
  }

  @Test("a folder below the history's moves along with it")
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

@Suite("Runs go by names that people know")
struct RunNameTests {
  /// Two runs of quick around one of long.
  private func recorded(in fixture: borrowing HistoryFixture) throws -> History {
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
        "found no run 'quik' (did you mean 'quick'?), expected the number of a run, 'latest', or a scenario "
          + "(long, quick), with ~1 behind it for the one before."
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

  @Test("a scenario that was never run is told from a history without runs")
  func neverRun() throws {
    let fixture = try HistoryFixture()
    let history = try recorded(in: fixture)
    #expect(
      throws: ArchiveError.history(
        path: fixture.path, .noSuchScenario("lonk", nearest: "long", known: ["long", "quick"]))
    ) { try history.runs(of: "lonk") }
    let empty = try HistoryFixture()
    let nothing = try History.open(empty.path)
    #expect(throws: ArchiveError.history(path: empty.path, .empty)) { try nothing.runs() }
    #expect(throws: ArchiveError.history(path: empty.path, .empty)) { try nothing.runs(of: "quick") }
    #expect(throws: ArchiveError.history(path: empty.path, .empty)) { try nothing.run(named: "latest") }
  }
}
