// SPDX-License-Identifier: GPL-3.0-or-later
import Database
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("Pruning removes unprotected runs, and nothing else")
struct PruningTests {
  /// Prunes what lies in the fixture's folder of runs, an hour after noon.
  private func prune(
    _ fixture: HistoryFixture, _ history: History, keeping keep: Int?, olderThan minutes: Int? = nil
  ) throws -> Pruning {
    let plan = try history.pruning(
      keeping: keep, olderThan: minutes.map { .seconds($0 * 60) }, root: fixture.folder + "/runs",
      now: HistoryFixture.time(60))
    return try history.prune(plan, root: fixture.folder + "/runs")
  }

  /// What became of each folder, by its name.
  private func fates(_ pruning: Pruning) -> [String: Pruning.Folder.Obstacle?] {
    Dictionary(
      uniqueKeysWithValues: pruning.folders.map { (URL(fileURLWithPath: $0.path).lastPathComponent, $0.obstacle) })
  }

  @Test("the latest runs of each scenario are kept, the others are removed with their folders")
  func keep() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for minutes in 1...3 { try fixture.run("quick-\(minutes)", at: minutes, in: history) }
    try fixture.run("long-4", at: 4, in: history, slug: "long")
    let rehearsal = try history.pruning(
      keeping: 1, olderThan: nil, root: fixture.folder + "/runs", now: HistoryFixture.time(60))
    #expect(try fixture.runNames().count == 4 && history.runs().count == 4)
    let pruning = try prune(fixture, history, keeping: 1)
    #expect(pruning == rehearsal)
    #expect(pruning.runs.map(\.id) == [2, 1])
    #expect(try fixture.runNames() == ["long-4", "quick-3"])
    #expect(try history.runs().map(\.id) == [4, 3])
    #expect(try prune(fixture, history, keeping: 1) == Pruning(runs: [], folders: []))
  }

  @Test("records of a removed run are removed; records shared with others are kept")
  func cascade() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    try fixture.run("quick-1", at: 1, in: history)
    try fixture.run("quick-2", at: 2, in: history)
    try fixture.run("long-3", at: 3, in: history, slug: "long")
    _ = try prune(fixture, history, keeping: 1)
    let counts = try history.read { database in
      try ["scenarios", "measurements", "thresholds"].map { table in
        try database.first("SELECT count(*) FROM \(table)") ?? -1
      }
    }
    #expect(counts == [2, 2 * HistoryFixture.everyForm.count, 2])
    _ = try prune(fixture, history, keeping: 0)
    #expect(try history.read { try $0.first("SELECT count(*) FROM scenarios") ?? -1 } == 0)
    // A number is never used again.
    #expect(try history.record(HistoryFixture.document(), HistoryFixture.record(at: 9), folder: "runs/x") == 4)
  }

  @Test("an age keeps newer runs; with an age and a number, a run must exceed both to be removed")
  func age() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for minutes in [10, 20, 30] { try fixture.run("quick-\(minutes)", at: minutes, in: history) }
    #expect(try prune(fixture, history, keeping: 3, olderThan: 1).runs.isEmpty)
    #expect(try prune(fixture, history, keeping: 0, olderThan: 45).runs.map(\.id) == [1])
    // What began exactly so long ago stays.
    #expect(try prune(fixture, history, keeping: nil, olderThan: 40).runs.isEmpty)
    #expect(try prune(fixture, history, keeping: nil, olderThan: 39).runs.map(\.id) == [2])
    #expect(try fixture.runNames() == ["quick-30"])
  }

  @Test("a folder that a later run replaced is kept")
  func takenOver() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    try fixture.run("quick", at: 1, in: history)
    try fixture.run("quick", at: 2, in: history)
    let pruning = try prune(fixture, history, keeping: 1)
    #expect(pruning.runs.map(\.id) == [1] && fates(pruning) == ["quick": .holdsAnotherRun])
    #expect(try fixture.runNames() == ["quick"] && history.runs().map(\.id) == [2])
  }

  @Test("a folder whose latest run is not recorded yet is kept")
  func notRecorded() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    try fixture.run("quick", at: 1, in: history)
    try fixture.run("quick", at: 2, in: nil)
    #expect(fates(try prune(fixture, history, keeping: 0)) == ["quick": .holdsAnotherRun])
    #expect(try fixture.runNames() == ["quick"])
  }

  @Test("folders elsewhere, links, and folders that are not runs are never touched")
  func elsewhere() throws {
    let fixture = try HistoryFixture()
    let other = try HistoryFixture()
    let history = try History.open(fixture.path)
    let outside = try other.run("quick", at: 1, in: history)
    let target = try other.run("target", at: 2, in: nil)
    try fixture.run("link", at: 2, in: history)
    try FileManager.default.removeItem(atPath: fixture.folder + "/runs/link")
    try FileManager.default.createSymbolicLink(atPath: fixture.folder + "/runs/link", withDestinationPath: target)
    try fixture.run("papers", at: 3, in: history)
    try FileManager.default.removeItem(atPath: fixture.folder + "/runs/papers/run.json")
    try fixture.write("precious", as: "runs/papers/novel.txt")
    try fixture.run("deeper/one", at: 4, in: history)
    try history.record(HistoryFixture.document(), HistoryFixture.record(at: 5), folder: fixture.folder + "/runs")
    try history.record(HistoryFixture.document(), HistoryFixture.record(at: 6), folder: fixture.folder + "/runs/gone")
    let root = fixture.folder + "/runs"
    let pruning = try prune(fixture, history, keeping: 0)
    #expect(
      pruning.folders.map(\.obstacle)
        == [.isGone, .isElsewhere(root: root), .isElsewhere(root: root), .isNoRun, .isLink, .isElsewhere(root: root)])
    #expect(pruning.runs.count == 6)
    #expect(try fixture.runNames() == ["deeper", "link", "papers"])
    #expect(FileManager.default.fileExists(atPath: outside + "/result.json"))
    #expect(FileManager.default.fileExists(atPath: target + "/result.json"))
    #expect(try fixture.bytes(of: "runs/papers/novel.txt") == Data("precious".utf8))
  }

  @Test("a link to the folder of runs is followed")
  func linkedRoot() throws {
    let fixture = try HistoryFixture()
    let other = try HistoryFixture()
    try FileManager.default.createDirectory(atPath: other.folder + "/store", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder + "/runs", withDestinationPath: other.folder + "/store")
    let history = try History.open(fixture.path)
    try fixture.run("quick", at: 1, in: history)
    #expect(fates(try prune(fixture, history, keeping: 0)) == ["quick": nil])
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.folder + "/store").isEmpty)
  }

  @Test("a folder in use by a run is kept, with its runs")
  func underWay() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    let location = try fixture.run("quick", at: 1, in: history)
    try expectHeld(RunFolder(location)) {
      let pruning = try prune(fixture, history, keeping: 0)
      #expect(fates(pruning) == ["quick": .isUnderWay] && pruning.runs.isEmpty)
    }
    #expect(try fixture.runNames() == ["quick"] && history.runs().count == 1)
    #expect(try prune(fixture, history, keeping: 0).runs.count == 1)
  }

  @Test("a run that begins after the plan keeps its folder, and the rest of the plan is carried out")
  func behindThePlan() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for minutes in 1...3 { try fixture.run("quick-\(minutes)", at: minutes, in: history) }
    let root = fixture.folder + "/runs"
    let plan = try history.pruning(keeping: 1, olderThan: nil, root: root, now: HistoryFixture.time(60))
    try fixture.run("quick-4", at: 4, in: history)
    try fixture.run("quick-1", at: 5, in: nil)
    let pruning = try history.prune(plan, root: root)
    #expect(fates(pruning) == ["quick-1": .holdsAnotherRun, "quick-2": nil])
    #expect(try fixture.runNames() == ["quick-1", "quick-3", "quick-4"])
  }

  @Test("leftovers of a killed prune are not runs, and the next prune or rebuild removes them", arguments: [0, 1])
  func leftovers(isRebuilt: Int) throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    try fixture.run("quick-1", at: 1, in: nil)
    try fixture.run(".removed-quick-2", at: 2, in: nil)
    try fixture.run("quick-3", at: 3, in: nil)
    for name in [
      "quick-1/.result.json.17.partial", "quick-3/.result.json.17.partial", ".new.17.partial", ".old.17.partial",
    ] {
      try fixture.write("half", as: "runs/\(name)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder + "/runs/.removed-link", withDestinationPath: fixture.folder)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: fixture.folder + "/runs/.old.17.partial")
    try expectHeld(RunFolder(fixture.folder + "/runs/quick-3")) {
      if isRebuilt == 1 {
        let added = try history.rebuild(from: fixture.folder + "/runs").added
        #expect(added.map { URL(fileURLWithPath: $0.folder).lastPathComponent } == ["quick-1", "quick-3"])
      } else {
        _ = try prune(fixture, history, keeping: 1)
      }
    }
    #expect(try fixture.runNames() == [".new.17.partial", ".removed-link", "quick-1", "quick-3"])
    #expect(RunFolder(fixture.folder + "/runs/quick-1").has(.result))
    #expect(throws: (any Error).self) { try fixture.bytes(of: "runs/quick-1/.result.json.17.partial") }
    #expect(try fixture.bytes(of: "runs/quick-3/.result.json.17.partial") == Data("half".utf8))
  }

  private func expectHeld(_ folder: RunFolder, while work: () throws -> Void) throws {
    let lock = try FolderLock(of: folder)
    defer { lock.release() }
    try work()
  }
}

@Suite("Rebuilding reads the folders of runs")
struct RebuildingTests {
  @Test("unrecorded runs are added, the oldest first, and recorded ones are unchanged")
  func rebuild() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    let known = try fixture.run("quick-1", at: 1, in: history)
    let young = try fixture.run("a-young", at: 3, in: nil, slug: "long")
    let old = try fixture.run("b-old", at: 2, in: nil)
    try FileManager.default.createDirectory(atPath: fixture.folder + "/runs/empty", withIntermediateDirectories: true)
    let torn = try fixture.run("torn", at: 4, in: nil)
    try fixture.write("{", as: "runs/torn/result.json")
    let rebuilding = try history.rebuild(from: fixture.folder + "/runs")
    #expect(rebuilding.added.map(\.folder) == [old, young] && rebuilding.known.map(\.folder) == [known])
    #expect(rebuilding.passedOver.map(\.folder) == [torn] && rebuilding.passedOver.allSatisfy(\.isDamaged))
    #expect(rebuilding.passedOver.first?.cause.hasPrefix("Damaged: ") == true)
    #expect(try history.runs().map(\.id) == [3, 2, 1])
    #expect(try history.rebuild(from: fixture.folder + "/runs").added.isEmpty)
  }

  @Test("shards and incomplete merges are not runs", arguments: ["1/2", "merge"])
  func parts(part: String) throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for status in [RunRecord.Status.complete, .interrupted] {
      let folder = try fixture.run("quick-\(status)", at: 1, in: nil)
      var record = HistoryFixture.record(at: 1, status: status)
      record.part = part
      try fixture.write(RunFile(latest: record, previous: nil).json.text, as: "runs/quick-\(status)/run.json")
      try fixture.write(HistoryFixture.document().text, as: "runs/quick-\(status)/partial.json")
      #expect(StoredRun(RunFolder(folder)).latest?.part == part)
    }
    let rebuilding = try history.rebuild(from: fixture.folder + "/runs")
    #expect(rebuilding.added.isEmpty && rebuilding.passedOver.count == 2)
    #expect(rebuilding.passedOver.allSatisfy { !$0.isDamaged && $0.cause.contains("merge") })
  }

  @Test("a run is restored from its folder as it was recorded, except for the lines of its thresholds")
  func same() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    try fixture.run("quick-1", at: 1, in: history)
    let before = try history.run(named: "latest")
    let findings = try history.findings(of: before)
    let second = try History.open(fixture.folder + "/second.sqlite")
    #expect(try second.rebuild(from: fixture.folder + "/runs").added.count == 1)
    #expect(try second.run(named: "latest") == before)
    let again = try second.findings(of: second.run(named: "latest"))
    #expect(again.measurements == findings.measurements && again.scenario == findings.scenario)
    // The line in the scenario's file is not kept in a run's folder.
    #expect(again.thresholds.map(\.json) == findings.thresholds.map(\.json))
  }
}
