// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import GRDB
import Testing

@testable import Archive

@Suite("Nothing that was good is lost when a history is opened")
struct HistoryOpeningTests {
  private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

  /// The problem that opening the fixture's history comes to; `nil` where it opens.
  private func problem(_ fixture: borrowing HistoryFixture, mayBeNew: Bool = true) -> HistoryProblem? {
    do throws(ArchiveError) {
      _ = try History.open(fixture.path, mayBeNew: mayBeNew)
      return nil
    } catch {
      guard case .history(fixture.path, let problem) = error else { return nil }
      return problem
    }
  }

  @Test("a file that is no SQLite database is kept under another name, and a new history is begun")
  func noDatabase() throws {
    let fixture = try HistoryFixture()
    let text = "my shopping list, of more than sixteen letters"
    try fixture.write(text, as: "history.sqlite")
    let history = try History.open(fixture.path, now: Self.noon)
    let aside = "history.sqlite.damaged-20260921T141320Z"
    #expect(try fixture.bytes(of: aside) == Data(text.utf8))
    #expect(history.remarks.count == 1)
    #expect(history.remarks.first?.contains("it is kept as '\(fixture.folder)/\(aside)'") == true)
    #expect(history.remarks.first?.contains("assay results rebuild") == true)
    try history.record(HistoryFixture.document(), HistoryFixture.record(), folder: "runs/a")
    #expect(try History.open(fixture.path).runs().count == 1)
  }

  @Test("a second damaged file of the same second does not replace the first")
  func twice() throws {
    let fixture = try HistoryFixture()
    for text in ["the first heap of letters", "the second heap of letters"] {
      try fixture.write(text, as: "history.sqlite")
      _ = try History.open(fixture.path, now: Self.noon)
      try FileManager.default.removeItem(atPath: fixture.path)
    }
    let aside = "history.sqlite.damaged-20260921T141320Z"
    #expect(try fixture.bytes(of: aside) == Data("the first heap of letters".utf8))
    #expect(try fixture.bytes(of: aside + "-2") == Data("the second heap of letters".utf8))
  }

  @Test("a history with a torn page is kept with its log, and a new one is begun", arguments: [0, 1, 2])
  func torn(page: Int) throws {
    let fixture = try HistoryFixture()
    do {
      let history = try History.open(fixture.path)
      for minutes in 0..<20 {
        try history.record(
          HistoryFixture.document(), HistoryFixture.record(at: minutes), folder: "runs/\(minutes)")
      }
    }
    var bytes = try fixture.bytes(of: "history.sqlite")
    // The first page begins with what names the format; of the others, all is overwritten.
    let begin = page * 4096 + (page == 0 ? 100 : 0)
    bytes.replaceSubrange(begin..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: (page + 1) * 4096 - begin))
    try bytes.write(to: URL(fileURLWithPath: fixture.path))
    try fixture.write("what was not merged yet", as: "history.sqlite-wal")
    let history = try History.open(fixture.path, now: Self.noon)
    let aside = "history.sqlite.damaged-20260921T141320Z"
    #expect(history.remarks.count == 1)
    #expect(try fixture.bytes(of: aside) == bytes)
    #expect(try fixture.bytes(of: aside + "-wal") == Data("what was not merged yet".utf8))
    #expect(throws: ArchiveError.history(path: fixture.path, .empty)) { try history.runs() }
  }

  @Test("an empty file becomes a history without a remark")
  func emptyFile() throws {
    let fixture = try HistoryFixture()
    try fixture.write("", as: "history.sqlite")
    #expect(try History.open(fixture.path).remarks.isEmpty)
  }

  @Test("a folder, and a file in its way, are left alone")
  func folder() throws {
    let fixture = try HistoryFixture()
    try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: true)
    #expect(problem(fixture) == .isFolder)
    #expect(try fixture.names() == ["history.sqlite"])
    try fixture.write("", as: "file")
    #expect(throws: ArchiveError.self) { try History.open(fixture.folder + "/file/history.sqlite") }
  }

  @Test("a missing history is made where it may be, with its folder, and otherwise missing")
  func missing() throws {
    let fixture = try HistoryFixture()
    #expect(problem(fixture, mayBeNew: false) == .missing)
    #expect(try fixture.names().isEmpty)
    _ = try History.open(fixture.folder + "/a/b/history.sqlite")
    #expect(try fixture.names() == ["a"])
  }

  @Test("a read-only folder and a read-only file are named as such")
  func readOnly() throws {
    let fixture = try HistoryFixture()
    _ = try History.open(fixture.path)
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: fixture.path)
    #expect(problem(fixture) == .isReadOnly(cause: "it is read-only"))
    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: fixture.path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: fixture.folder)
    let found = problem(fixture)
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fixture.folder)
    #expect(found == .isReadOnly(cause: "the folder '\(fixture.folder)' is read-only"))
    #expect(problem(fixture) == nil)
  }

  @Test("a history of a newer version is named as such and not touched")
  func newer() throws {
    let fixture = try HistoryFixture()
    do {
      let queue = try History.open(fixture.path).pool
      try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2: colours')") }
    }
    let before = try fixture.bytes(of: "history.sqlite")
    #expect(problem(fixture) == .isNewer(steps: ["2: colours"]))
    #expect(try fixture.bytes(of: "history.sqlite") == before)
  }

  @Test("a database of something else is named as such and not touched")
  func foreign() throws {
    let fixture = try HistoryFixture()
    do {
      try DatabaseQueue(path: fixture.path).write { try $0.execute(sql: "CREATE TABLE songs (title TEXT)") }
    }
    let before = try fixture.bytes(of: "history.sqlite")
    #expect(problem(fixture) == .isForeign)
    #expect(try fixture.bytes(of: "history.sqlite") == before)
    #expect(try fixture.names() == ["history.sqlite"])
  }
}
