// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport
import Testing

import Database

@Suite("A SQLite database is read and written with typed values")
struct SQLiteConnectionTests {
  private struct Refused: Error {}

  /// The error of what must fail.
  private func error<Result>(_ body: () throws -> Result) throws -> SQLiteError {
    try #require(#expect(throws: SQLiteError.self) { _ = try body() })
  }

  @Test("each type is read back to the last bit, and NaN as NULL")
  func values() throws {
    let database = try SQLiteConnection()
    try database.run(
      "CREATE TABLE kept (text TEXT, whole INTEGER, number REAL, flag INTEGER, bytes BLOB, none TEXT) STRICT")
    let insert = try database.prepare("INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?)")
    let texts = ["", "naïve \u{0} 🂡", String(repeating: "long ", count: 10_000)]
    let wholes = [Int.min, 0, .max]
    let numbers = [0.1 + 0.2, -.infinity, .nan]
    let bytes: [[UInt8]] = [[], [0, 255], Array(repeating: 7, count: 100_000)]
    for index in 0..<3 {
      try insert.run([texts[index], wholes[index], numbers[index], index == 1, bytes[index], String?.none])
    }
    #expect(database.lastInsertedID == 3)
    let rows = try database.run("SELECT * FROM kept")
    #expect(try rows.map { try $0.value("text") } == texts)
    #expect(try rows.map { try $0.value("whole") } == wholes)
    #expect(try rows.map { try $0.value("number") as Double? } == [0.1 + 0.2, -.infinity, nil])
    #expect(try rows.map { try $0.value("flag") } == [false, true, false])
    #expect(try rows.map { try $0.value("bytes") } == bytes)
    #expect(try rows.map { try $0.value("none") } == [String?.none, nil, nil])
    #expect(try database.first("SELECT text FROM kept WHERE whole = ?", Int.max) == texts[2])
    #expect(try database.first("SELECT text FROM kept WHERE whole = 5") == String?.none)
  }

  @Test("a prepared statement can be executed again with other values")
  func again() throws {
    let count = try SQLiteConnection().prepare("VALUES (?1), (?1 + 1)")
    for first in [5, 7] { #expect(try count.run([first]).map { try $0.value(at: 0) } == [first, first + 1]) }
  }

  @Test("values out of range are errors, and nothing traps")
  func refused() throws {
    let database = try SQLiteConnection()
    try database.run("CREATE TABLE kept (name TEXT UNIQUE, size INTEGER) STRICT")
    try database.run("INSERT INTO kept VALUES (?, ?)", "a", 1)
    let row = try #require(try database.run("SELECT * FROM kept").first)
    #expect(try error { try row.value("name") as Int }.description.contains("'name': found text(\"a\"), expected Int"))
    #expect(try error { try row.value("colour") as Int }.description.contains("no column 'colour'"))
    #expect(try error { try database.run("SELECT ?", 1, 2) }.description == "2 values for 1 question marks")
    #expect(try error { try database.run(" ") }.description == "no statement in ' '")
    #expect(try error { try database.run("SELEC 1") }.description == #"near "SELEC": syntax error"#)
    #expect(
      try error { try database.run("INSERT INTO kept VALUES ('a', 2)") }.description
        == "UNIQUE constraint failed: kept.name")
    #expect(try error { try database.run("INSERT INTO kept VALUES ('b', 'two')") }.description.contains("size"))
    #expect(try database.first("SELECT count(*) FROM kept") == 1)
  }

  @Test("a transaction that throws leaves nothing behind, and the next one works")
  func transactions() throws {
    let database = try SQLiteConnection()
    try database.run("CREATE TABLE kept (name TEXT)")
    #expect(throws: Refused.self) {
      try database.transaction(.write) {
        try database.run("INSERT INTO kept VALUES ('lost')")
        throw Refused()
      }
    }
    let sum: Int? = try database.transaction(.write) {
      try database.run("INSERT INTO kept VALUES ('kept')")
      return try database.first("SELECT count(*) FROM kept")
    }
    #expect(sum == 1)
  }

  @Test("a second writer is refused during a transaction, and a reader sees the state before it")
  func busy() throws {
    let folder = try TemporaryFolder()
    let first = try SQLiteConnection(folder.path("some.sqlite"))
    try first.runAll("PRAGMA journal_mode = WAL; CREATE TABLE kept (name TEXT)")
    let second = try SQLiteConnection(folder.path("some.sqlite"), patienceMilliseconds: 0)
    try first.transaction(.write) {
      try first.run("INSERT INTO kept VALUES ('a')")
      #expect(try error { try second.transaction(.write) {} }.isBusy)
      #expect(try second.first("SELECT count(*) FROM kept") == 0)
    }
    #expect(try second.transaction(.write) { try second.first("SELECT count(*) FROM kept") } == 1)
  }

  @Test("the application id and user version are kept")
  func header() throws {
    let folder = try TemporaryFolder()
    do {
      let database = try SQLiteConnection(folder.path("some.sqlite"))
      #expect(try database.userVersion() == 0 && database.applicationID() == 0)
      try database.runAll("PRAGMA user_version = 3; PRAGMA application_id = 77")
    }
    let database = try SQLiteConnection(folder.path("some.sqlite"), .readOnly)
    #expect(try database.userVersion() == 3 && database.applicationID() == 77)
  }

  @Test("a missing file, a file that is not a database, and a read-only connection are different errors")
  func files() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("some.sqlite")
    #expect(try error { try SQLiteConnection(path, .readOnly) }.description == "unable to open database file")
    try folder.write("a text of more than sixteen letters", as: "some.sqlite")
    #expect(try error { try SQLiteConnection(folder.path("some.sqlite")).userVersion() }.isDamaged)
    let other = folder.path("other.sqlite")
    try SQLiteConnection(other).run("CREATE TABLE kept (name TEXT)")
    #expect(try error { try SQLiteConnection(other, .readOnly).run("DROP TABLE kept") }.isReadOnly)
  }
}
