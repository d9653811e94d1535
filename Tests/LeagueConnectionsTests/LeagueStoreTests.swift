// SPDX-License-Identifier: GPL-3.0-or-later
import Database
import Foundation
import LeagueConnections
import LeagueCore
import Testing
import TestSupport

@Suite("Connected leagues are stored separately")
struct LeagueStoreTests {
  private let hostile = LeagueContext(
    insideJokes: ["'; DROP TABLE leagues; --", "\u{0}", "👨‍👩‍👧"], personalities: ["a\"b": "é\u{301}", "": "x"],
    sackoPunishment: "line\nbreak", cultureNotes: "\\u0000")

  @Test("stored leagues are read back, also after the file is reopened")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/leagues.sqlite"
    let credentials = try Sample.credentials()
    do {
      let store = try Sample.store(path)
      try store.connect(Sample.league(), credentials: credentials, fetchedAt: 1000)
      try store.connect(Sample.league(Sample.sleeper), credentials: nil, fetchedAt: 2000)
      #expect(try store.edit(hostile, of: Sample.espn))
    }
    let store = try Sample.store(path)
    #expect(try store.connections() == [Sample.espn, Sample.sleeper])
    let stored = try #require(try store.league(Sample.espn))
    #expect(try stored.league == Sample.league() && stored.context == hostile && stored.fetchedAt == 1000)
    #expect(try stored.hasCredentials && store.credentials(of: Sample.espn) == credentials)
    let other = try #require(try store.league(Sample.sleeper))
    #expect(
      try !other.hasCredentials && store.credentials(of: Sample.sleeper) == nil && other.context == LeagueContext())
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("only the credentials that were refused are forgotten")
  func forgotten() throws {
    let store = try Sample.store()
    try store.connect(Sample.league(), credentials: Sample.credentials("2"), fetchedAt: 1)
    #expect(try !store.forget(Sample.credentials("1"), of: Sample.espn))
    #expect(try store.credentials(of: Sample.espn) == Sample.credentials("2"))
    #expect(try store.forget(Sample.credentials("2"), of: Sample.espn))
    #expect(try store.credentials(of: Sample.espn) == nil && store.league(Sample.espn)?.hasCredentials == false)
  }

  @Test("the file never contains plain credentials, nor anything of a removed league")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/leagues.sqlite"
    let store = try Sample.store(path)
    try store.connect(Sample.league(), credentials: Sample.credentials(), fetchedAt: 1)
    #expect(
      try store.edit(LeagueContext(cultureNotes: String(repeating: "unmistakable", count: 2000)), of: Sample.espn))
    let holds = { (text: String) in
      try FileManager.default.contentsOfDirectory(atPath: folder.path).contains {
        try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)).firstRange(of: Data(text.utf8)) != nil
      }
    }
    #expect(try holds("unmistakable") && holds("Sunday"))
    #expect(try !holds("7654-3210") && !holds("s%2Fs%2F"))
    #expect(try store.remove(Sample.espn))
    #expect(try !holds("unmistakable") && !holds("Sunday") && !holds("1234"))
  }

  @Test("is created for its owner alone, and refused if others can read or write it", arguments: [0o644, 0o660, 0o666])
  func modes(mode: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/leagues.sqlite"
    func permissions() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    // An empty file that was there before, and a store whose mode somebody changed.
    for isEmpty in [true, false] {
      if isEmpty {
        try Data().write(to: URL(fileURLWithPath: path))
      } else {
        try FileManager.default.removeItem(atPath: path)
        _ = try Sample.store(path)
        #expect(try permissions() == 0o600)
      }
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let error = #expect(throws: LeagueConnectionError.exposedDatabase(path: path, mode: mode)) {
        _ = try Sample.store(path)
      }
      #expect(error?.description.contains("'chmod 600' it") == true)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try Sample.store(path).connections().isEmpty)
  }

  @Test("sealed credentials cannot be opened for another league or with another key")
  func moved() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/leagues.sqlite"
    let other = LeagueConnection(platform: .espn, leagueID: "1234", season: 2023)
    let store = try Sample.store(path)
    try store.connect(Sample.league(), credentials: Sample.credentials(), fetchedAt: 1)
    try store.connect(Sample.league(other), credentials: nil, fetchedAt: 1)
    try SQLiteConnection(path).run(
      "UPDATE leagues SET sealed_credentials = (SELECT sealed_credentials FROM leagues WHERE season = 2024)")
    #expect(throws: LeagueConnectionError.sealBroken(other)) { try store.credentials(of: other) }
    #expect(throws: LeagueConnectionError.sealBroken(Sample.espn)) {
      try Sample.store(path, key: Sample.key.reversed()).credentials(of: Sample.espn)
    }
    #expect(try store.credentials(of: Sample.espn) == Sample.credentials())
  }

  @Test("a key may be made only while nothing is sealed, and nothing is stored if sealing fails")
  func keys() throws {
    struct NoKey: Error {}
    let folder = try TemporaryFolder()
    let path = folder.path + "/leagues.sqlite"
    let refusing = try LeagueStore(path) { _ in throw NoKey() }
    #expect(throws: NoKey.self) {
      try refusing.connect(Sample.league(), credentials: Sample.credentials(), fetchedAt: 1)
    }
    #expect(try refusing.connections().isEmpty)
    let key = KeyFile(folder.path + "/key")
    let store = try LeagueStore(path) { try key.vault(mayCreate: $0) }
    try store.connect(Sample.league(Sample.sleeper), credentials: nil, fetchedAt: 1)
    #expect(!FileManager.default.fileExists(atPath: key.path))
    try store.connect(Sample.league(), credentials: Sample.credentials(), fetchedAt: 1)
    try FileManager.default.removeItem(atPath: key.path)
    let second = LeagueConnection(platform: .espn, leagueID: "5", season: 2024)
    #expect(throws: LeagueConnectionError.self) {
      try store.connect(Sample.league(second), credentials: Sample.credentials(), fetchedAt: 1)
    }
    #expect(throws: LeagueConnectionError.self) { try store.credentials(of: Sample.espn) }
    #expect(try store.connections() == [Sample.sleeper, Sample.espn] && store.remove(Sample.espn))
    #expect(!FileManager.default.fileExists(atPath: key.path))
  }

  @Test(
    "a database of another program or a newer version, and what is none, are refused and stay as they are",
    arguments: [
      ("CREATE TABLE kept (a)", "another program (application_id 0)"),
      ("PRAGMA application_id = 77", "another program (application_id 77)"),
      (
        "PRAGMA application_id = \(LeagueStore.applicationID); PRAGMA user_version = 2",
        "found version 2, expected at most 1"
      ),
      ("", "a file that is no SQLite database"),
    ])
  func others(sql: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/other.sqlite"
    if sql.isEmpty {
      try Data("a text of more than sixteen letters".utf8).write(to: URL(fileURLWithPath: path))
    } else {
      try SQLiteConnection(path).runAll(sql)
    }
    let before = FileManager.default.contents(atPath: path)
    let error = try #require(throws: LeagueConnectionError.self) { _ = try Sample.store(path) }
    #expect(error.description.contains(problem) && error.description.contains(path))
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test("a damaged row is an error of its league alone, which can be removed")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/leagues.sqlite"
    let store = try Sample.store(path)
    for league in [Sample.espn, Sample.sleeper] {
      try store.connect(Sample.league(league), credentials: nil, fetchedAt: 1)
    }
    try SQLiteConnection(path).run("UPDATE leagues SET league = '{}' WHERE platform = 'espn'")
    let error = try #require(throws: LeagueConnectionError.self) { _ = try store.league(Sample.espn) }
    #expect(error.description.contains("espn league 1234, season 2024") && error.description.contains("remove"))
    #expect(try store.league(Sample.sleeper) != nil && store.remove(Sample.espn))
    #expect(throws: LeagueConnectionError.self) { _ = try Sample.store(folder.path + "/no/leagues.sqlite") }
  }
}
