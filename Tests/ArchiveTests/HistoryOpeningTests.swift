// SPDX-License-Identifier: GPL-3.0-or-later
import Database
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("A history that cannot be used is refused, and nothing is touched")
struct HistoryOpeningTests {
  /// The problem that opening the fixture's history comes to; `nil` where it opens.
  private func problem(
    _ fixture: HistoryFixture, for purpose: History.Purpose = .recording, patience: Int32 = 30_000
  ) -> HistoryProblem? {
    do throws(ArchiveError) {
      _ = try History.open(fixture.path, for: purpose, patienceMilliseconds: patience)
      return nil
    } catch {
      guard case .history(fixture.path, let problem) = error else { return nil }
      return problem
    }
  }

  /// Twenty runs, of which two have folders.
  private func record(in fixture: HistoryFixture) throws {
    let history = try History.open(fixture.path)
    for minutes in 0..<18 {
      try history.record(HistoryFixture.document(), HistoryFixture.record(at: minutes), folder: "runs/\(minutes)")
    }
    for minutes in 18..<20 { try fixture.run("quick-\(minutes)", at: minutes, in: history) }
  }

  @Test(
    "a file of somebody else is refused by every command and not touched",
    arguments: ["s", "my shopping list", "my shopping list, " + String(repeating: "of bread and salt, ", count: 99)])
  func noDatabase(text: String) throws {
    let fixture = try HistoryFixture()
    try fixture.write(text, as: "history.sqlite")
    for purpose in [History.Purpose.reading, .pruning, .recording, .rebuilding] {
      #expect(problem(fixture, for: purpose) == .isForeign)
    }
    #expect(try fixture.files() == ["history.sqlite": Data(text.utf8)])
    #expect(
      ArchiveError.history(path: "a.bin", .isForeign).description
        == "history 'a.bin': it is not an Assay history; name another file with --history. Nothing was changed.")
  }

  @Test(
    "a database of something else is refused and not touched, with and without a log", arguments: ["DELETE", "WAL"])
  func foreign(mode: String) throws {
    let fixture = try HistoryFixture()
    do {
      let songs = try SQLiteConnection(fixture.path)
      try songs.runAll("PRAGMA journal_mode = \(mode); CREATE TABLE songs (title TEXT)")
    }
    let before = try fixture.files()
    for purpose in [History.Purpose.reading, .recording] { #expect(problem(fixture, for: purpose) == .isForeign) }
    #expect(try fixture.files() == before)
  }

  @Test("a folder, a device, and a file in the way are not changed")
  func folder() throws {
    let fixture = try HistoryFixture()
    try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: true)
    #expect(problem(fixture) == .isFolder)
    #expect(try fixture.names() == ["history.sqlite"])
    try fixture.write("", as: "file")
    #expect(throws: ArchiveError.self) { try History.open(fixture.folder + "/file/history.sqlite") }
    #expect(throws: ArchiveError.history(path: "/dev/null", .isForeign)) { try History.open("/dev/null") }
  }

  @Test("a missing history is made with its folder by commands that add runs, and reported by those that read or prune")
  func missing() throws {
    let fixture = try HistoryFixture()
    try fixture.run("quick-1", at: 1, in: nil)
    #expect(problem(fixture, for: .reading) == .missing && problem(fixture, for: .pruning) == .missing)
    #expect(try fixture.names() == ["runs"])
    for (location, purpose) in [("a/b", History.Purpose.recording), ("c", .rebuilding)] {
      _ = try History.open("\(fixture.folder)/\(location)/history.sqlite", for: purpose)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: "\(fixture.folder)/\(location)") == ["history.sqlite"])
    }
    #expect(throws: ArchiveError.history(path: fixture.path, .empty)) { try History.open(fixture.path).runs() }
  }

  @Test("a damaged history is refused; rebuilding keeps it under another name and reads the folders of runs")
  func torn() throws {
    let fixture = try HistoryFixture()
    try record(in: fixture)
    try fixture.damage()
    try fixture.write("what was not merged yet", as: "history.sqlite-wal")
    let before = try fixture.files()
    for purpose in [History.Purpose.reading, .pruning, .recording] {
      let description = problem(fixture, for: purpose)?.description ?? ""
      #expect(description.hasPrefix("it is damaged (") && description.contains("'assay results rebuild'"))
    }
    #expect(try fixture.files() == before)
    let remarks = Remarks()
    let history = try History.open(fixture.path, for: .rebuilding, remark: remarks.add)
    let aside = "history.sqlite.damaged-1"
    #expect(remarks.all.count == 1)
    #expect(remarks.all.first?.hasSuffix("it is kept as '\(fixture.folder)/\(aside)'.") == true, "\(remarks.all)")
    #expect(try fixture.bytes(of: aside) == before["history.sqlite"])
    #expect(try fixture.bytes(of: aside + "-wal") == Data("what was not merged yet".utf8))
    #expect(try history.rebuild(from: fixture.folder + "/runs").added.count == 2)
    #expect(try history.runs().map(\.started) == [19, 18].map(HistoryFixture.time))
    #expect(try fixture.names() == ["history.sqlite", aside, aside + "-wal", "runs"])
  }

  @Test("a second damaged history does not replace the first")
  func twice() throws {
    let fixture = try HistoryFixture()
    for _ in 0..<2 {
      _ = try History.open(fixture.path)
      try fixture.damage()
      _ = try History.open(fixture.path, for: .rebuilding)
    }
    #expect(try fixture.names() == ["history.sqlite", "history.sqlite.damaged-1", "history.sqlite.damaged-2"])
  }

  @Test("a read-only file or folder can be read, and is reported when a run has to be recorded")
  func readOnly() throws {
    let fixture = try HistoryFixture()
    try record(in: fixture)
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: fixture.path)
    #expect(problem(fixture) == .isReadOnly(cause: "it is read-only"))
    #expect(try History.open(fixture.path, for: .reading).runs().count == 20)
    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: fixture.path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: fixture.folder)
    let found = problem(fixture)
    let runs = Result { try History.open(fixture.path, for: .reading).runs() }
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fixture.folder)
    #expect(found == .isReadOnly(cause: "the folder '\(fixture.folder)' is read-only"))
    #expect(try runs.get().count == 20)
    #expect(problem(fixture) == nil)
  }

  @Test("a history of another schema is reported and not changed")
  func otherSchema() throws {
    let fixture = try HistoryFixture()
    do {
      try History.open(fixture.path).write { try $0.runAll("PRAGMA user_version = 99") }
    }
    let before = try fixture.files()
    for purpose in [History.Purpose.reading, .recording] {
      #expect(problem(fixture, for: purpose) == .isOtherSchema(99))
    }
    #expect(try fixture.files() == before)
  }

  @Test("a link to a history is kept when the history is rebuilt")
  func link() throws {
    let fixture = try HistoryFixture()
    let other = try HistoryFixture()
    try other.write("", as: "history.sqlite")
    try FileManager.default.createSymbolicLink(atPath: fixture.path, withDestinationPath: other.path)
    _ = try History.open(fixture.path)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.path) == other.path)
    #expect(throws: ArchiveError.history(path: other.path, .empty)) {
      try History.open(other.path, for: .reading).runs()
    }
  }
}

@Suite("A history survives truncated and torn files")
struct HistoryInterruptionTests {
  /// Copies a database and its journals as a killed process would leave them.
  private func kill(_ database: String, into fixture: HistoryFixture) throws {
    for part in ["", "-journal", "-wal"] where FileManager.default.fileExists(atPath: database + part) {
      try FileManager.default.copyItem(atPath: database + part, toPath: fixture.path + part)
    }
  }

  /// Reads, which changes nothing; then opens for a run, and where that is refused for a rebuild; records a run, and
  /// returns all runs.
  private func runs(
    of fixture: HistoryFixture, readable: Bool? = nil, isRefused: Bool? = nil, _ note: String = ""
  ) throws -> [RecordedRun] {
    let before = try fixture.files()
    let read = Result { try History.open(fixture.path, for: .reading).runs() }
    if let readable { #expect(((try? read.get()) != nil) == readable, "\(read) \(note)") }
    #expect(try fixture.files() == before, "\(note)")
    var history: History?
    do {
      history = try History.open(fixture.path)
    } catch ArchiveError.history(_, .isDamaged) {
      #expect(try fixture.files() == before, "\(note)")
    }
    if let isRefused { #expect((history == nil) == isRefused, "\(note)") }
    let opened = try history ?? History.open(fixture.path, for: .rebuilding)
    if history == nil { _ = try opened.rebuild(from: fixture.folder + "/runs") }
    try opened.record(HistoryFixture.document(), HistoryFixture.record(at: 99), folder: "runs/new")
    return try History.open(fixture.path, for: .reading).runs()
  }

  @Test(
    "what a killed first start left is made whole; what it cannot have left is refused, and made again by a rebuild")
  func firstStart() throws {
    let steps: [(String, isRefused: Bool, (SQLiteConnection) throws -> Void)] = [
      ("an empty file", false, { _ in }),
      ("a header", false, { try $0.runAll("PRAGMA journal_mode = WAL") }),
      ("a header of a table that is gone", false, { try $0.runAll("CREATE TABLE a (b); DROP TABLE a") }),
      ("a journal", false, { try $0.runAll("PRAGMA cache_size = 1; BEGIN; CREATE TABLE a (b); " + Self.spilling) }),
      ("tables without the number", true, { try $0.runAll(HistorySchema.tables) }),
      ("the number without tables", true, { try $0.runAll("PRAGMA application_id = \(HistorySchema.applicationID)") }),
      (
        "some tables", true,
        {
          try $0.runAll(HistorySchema.tables)
          try $0.runAll("DROP TABLE measurements; PRAGMA application_id = 0x41534159; PRAGMA user_version = 1")
        }
      ),
    ]
    for (name, isRefused, step) in steps {
      let fixture = try HistoryFixture()
      let other = try HistoryFixture()
      let database = try SQLiteConnection(other.path)
      _ = try database.userVersion()
      try step(database)
      if !FileManager.default.fileExists(atPath: other.path) { try other.write("", as: "history.sqlite") }
      try kill(other.path, into: fixture)
      try fixture.run("quick-1", at: 1, in: nil)
      #expect(
        try runs(of: fixture, readable: false, isRefused: isRefused, name).count == (isRefused ? 2 : 1), "\(name)")
      #expect(try History.open(fixture.path).rebuild(from: fixture.folder + "/runs").added.count == (isRefused ? 0 : 1))
    }
  }

  private static let spilling =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)"
    + "INSERT INTO a SELECT zeroblob(4000) FROM n"

  @Test("a journal left by a killed process is rolled back; readers do not change it")
  func hotJournal() throws {
    let fixture = try HistoryFixture()
    let other = try HistoryFixture()
    try History.open(other.path).record(HistoryFixture.document(), HistoryFixture.record(), folder: "runs/a")
    let database = try SQLiteConnection(other.path)
    try database.runAll("PRAGMA cache_size = 1; BEGIN; DELETE FROM runs; CREATE TABLE a (b); " + Self.spilling)
    try kill(other.path, into: fixture)
    #expect(try fixture.names() == ["history.sqlite", "history.sqlite-journal"])
    #expect(try runs(of: fixture, readable: true).count == 2)
    #expect(try fixture.names() == ["history.sqlite"])
  }

  @Test("a history truncated or changed anywhere is either used or refused, and can be rebuilt")
  func mutants() throws {
    let whole = try HistoryFixture()
    do {
      let history = try History.open(whole.path)
      for minutes in 0..<3 { try whole.run("quick-\(minutes)", at: minutes, in: history) }
    }
    let bytes = try whole.bytes(of: "history.sqlite")
    var mutants: [(note: String, bytes: Data, mayBeRefused: Bool)] = []
    for length in [1, 15, 16, 17, 50, 71, 72, 99] + stride(from: 100, to: bytes.count, by: 2039) {
      mutants.append(("cut to \(length)", bytes.prefix(length), length < 16))
    }
    for location in Array(0..<100) + stride(from: 100, to: bytes.count, by: 1983) {
      var changed = bytes
      changed[location] ^= location.isMultiple(of: 2) ? 0x01 : 0xFF
      // Only the number of the schema shows that a history is of another version.
      mutants.append(("byte \(location)", changed, (60..<64).contains(location)))
    }
    for (note, mutant, mayBeRefused) in mutants {
      let fixture = try HistoryFixture()
      for minutes in 0..<3 { try fixture.run("quick-\(minutes)", at: minutes, in: nil) }
      try mutant.write(to: URL(fileURLWithPath: fixture.path))
      let before = try fixture.files()
      do {
        #expect(try runs(of: fixture, note).count == 4, "\(note)")
      } catch let error as ArchiveError {
        switch error {
        case .history(_, .isForeign), .history(_, .isOtherSchema): #expect(mayBeRefused, "\(note): \(error)")
        default: Issue.record("\(note): \(error)")
        }
        #expect(try fixture.files() == before, "\(note)")
      }
    }
  }

  @Test("a history that is removed while in use is made again, with a remark")
  func removed() throws {
    let fixture = try HistoryFixture()
    let remarks = Remarks()
    let history = try History.open(fixture.path, remark: remarks.add)
    try fixture.run("quick-1", at: 1, in: history)
    try FileManager.default.removeItem(atPath: fixture.path)
    try fixture.run("quick-2", at: 2, in: history)
    #expect(try History.open(fixture.path, for: .reading).runs().map(\.started) == [HistoryFixture.time(2)])
    #expect(remarks.all.count == 1 && remarks.all.first?.contains("was removed or replaced") == true, "\(remarks.all)")
    let other = try HistoryFixture()
    try FileManager.default.moveItem(atPath: fixture.path, toPath: other.path)
    _ = try History.open(fixture.path)
    try fixture.run("quick-3", at: 3, in: history)
    #expect(try History.open(fixture.path, for: .reading).runs().map(\.started) == [HistoryFixture.time(3)])
    #expect(try history.runs().count == 1 && remarks.all.count == 2)
    #expect(try history.rebuild(from: fixture.folder + "/runs").added.count == 2)
  }
}

@Suite("A locked history")
struct LockedHistoryTests {
  private func isInUse(_ work: () throws -> Void) -> Bool {
    do {
      try work()
      return false
    } catch {
      guard case .history(_, .isInUse) = error as? ArchiveError else { return false }
      return "\(error)".contains("wait for the end of that process")
    }
  }

  @Test("is waited for; the error then names the process that holds it")
  func database() throws {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path, patienceMilliseconds: 50)
    let path = fixture.path
    let holder = try SQLiteConnection(path)
    try holder.transaction(.write) {
      #expect(isInUse { try history.record(HistoryFixture.document(), HistoryFixture.record(), folder: "runs/a") })
      // Others read on until it is done.
      #expect(throws: ArchiveError.history(path: path, .empty)) { try History.open(path, for: .reading).runs() }
    }
    try holder.runAll("BEGIN EXCLUSIVE")
    #expect(isInUse { _ = try History.open(path, for: .reading, patienceMilliseconds: 50) })
  }
}
