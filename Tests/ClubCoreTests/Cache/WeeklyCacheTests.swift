// SPDX-License-Identifier: Apache-2.0
@testable import ClubCore
import Foundation
import Testing

/// A folder that goes away with the test.
private final class Folder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("club-cache-\(UUID().uuidString)").path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func write(_ bytes: [UInt8], to file: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(file)"))
  }

  func read(_ file: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)"))) }
}

@Suite("Weekly cache")
struct WeeklyCacheTests {
  private let folder = Folder()
  private var cache: WeeklyCache { WeeklyCache(folder: folder.path) }
  private let noon = Sample.at(0, 12)
  private let bytes = Array("what was fetched".utf8)

  @Test("what was stored is served, with its age, and is stale after a quarter of an hour")
  func roundTrip() throws {
    try cache.store(bytes, as: "feed", schema: 3, at: noon)
    let snapshot = try #require(try cache.newest("feed", schema: 3, at: noon.adding(seconds: 899)).snapshot)
    #expect(snapshot.bytes == bytes)
    #expect(snapshot.fetched == noon)
    #expect(snapshot.age(at: noon.adding(seconds: 899)) == 899)
    #expect(!snapshot.isStale(at: noon.adding(seconds: 899)))
    #expect(snapshot.isStale(at: noon.adding(seconds: 900)))
    // Days without a connection later it is still there.
    let later = noon.adding(seconds: 13 * 86_400)
    #expect(try cache.newest("feed", schema: 3, at: later).snapshot?.age(at: later) == 13 * 86_400)
  }

  @Test(
    "any bytes are kept as they are, none and line ends among them", arguments: [[], [0], [10, 10], [255, 0, 13, 10]])
  func anyBytes(content: [UInt8]) throws {
    try cache.store(content, as: "feed", schema: -1, at: noon)
    #expect(try cache.newest("feed", schema: -1, at: noon).snapshot?.bytes == content)
  }

  @Test("a folder that does not exist is an empty cache, and is made with the first snapshot, for its owner alone")
  func noFolder() throws {
    #expect(try cache.newest("feed", schema: 1, at: noon) == WeeklyCache.Lookup(snapshot: nil, problems: []))
    #expect(try cache.prune(at: noon) == [])
    #expect(folder.files == [])
    try cache.store(bytes, as: "feed", schema: 1, at: noon)
    for path in [folder.path, "\(folder.path)/\(folder.files[0])"] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0)
    }
  }

  @Test("names and schemas are kept apart")
  func apart() throws {
    try cache.store([1], as: "feed", schema: 1, at: noon)
    try cache.store([2], as: "ledger", schema: 1, at: noon)
    try cache.store([3], as: "feed", schema: 2, at: noon.adding(seconds: 1))
    let now = noon.adding(seconds: 2)
    #expect(try cache.newest("feed", schema: 1, at: now).snapshot?.bytes == [1])
    #expect(try cache.newest("ledger", schema: 1, at: now).snapshot?.bytes == [2])
    #expect(try cache.newest("feed", schema: 2, at: now).snapshot?.bytes == [3])
    #expect(try cache.newest("ledger", schema: 9, at: now) == WeeklyCache.Lookup(snapshot: nil, problems: []))
  }

  @Test("a name that could lead out of the folder is refused", arguments: ["", "../feed", "a/b", "Feed", "a.b", "é"])
  func names(name: String) {
    #expect(throws: ClubError.self) { try cache.store(bytes, as: name, schema: 1, at: noon) }
    #expect(throws: ClubError.self) { try cache.newest(name, schema: 1, at: noon) }
    #expect(folder.files == [])
  }

  @Test("fourteen days are kept: all of the last, of each before the newest")
  func kept() throws {
    for hour in 0..<(20 * 24) {
      try cache.store([UInt8(hour % 200)], as: "feed", schema: 1, at: noon.adding(seconds: hour * 3600))
    }
    // The last one is of 11 o'clock on the twentieth day.
    let last = noon.adding(seconds: (20 * 24 - 1) * 3600)
    let moments = folder.files.compactMap { Int($0.split(separator: ".")[1]) }.sorted()
    let dayAgo = last.adding(seconds: -86_400).milliseconds
    #expect(moments.count { $0 >= dayAgo } == 25)
    let older = moments.filter { $0 < dayAgo }
    #expect(older.allSatisfy { $0 >= last.adding(seconds: -14 * 86_400).milliseconds })
    #expect(Set(older.map { $0 / 86_400_000 }).count == older.count)
    #expect(older.count == 13)
    #expect(try cache.prune(at: noon.adding(seconds: 60 * 86_400)).count == moments.count)
    #expect(folder.files == [])
  }

  @Test("a snapshot from the future is served only where there is no other, and is stale")
  func future() throws {
    let ahead = noon.adding(seconds: 5 * 86_400)
    try cache.store([9], as: "feed", schema: 1, at: ahead)
    #expect(try cache.newest("feed", schema: 1, at: noon).snapshot?.isStale(at: noon) == true)
    #expect(try cache.newest("feed", schema: 1, at: noon).snapshot?.age(at: noon) == 0)
    try cache.store([1], as: "feed", schema: 1, at: noon)
    #expect(try cache.newest("feed", schema: 1, at: noon).snapshot?.bytes == [1])
  }

  @Test("other files in the folder are left alone")
  func strangers() throws {
    try cache.store(bytes, as: "feed", schema: 1, at: noon)
    for name in ["notes.txt", "feed.snapshot", ".hidden", "feed.x.y.snapshot"] { try folder.write([1], to: name) }
    try cache.prune(at: noon.adding(seconds: 400 * 86_400))
    #expect(folder.files == [".hidden", "feed.snapshot", "feed.x.y.snapshot", "notes.txt"])
  }

  @Test("a folder that is a file is an error that names it")
  func fileForFolder() throws {
    let path = folder.path
    try Data([1]).write(to: URL(fileURLWithPath: path))
    #expect {
      try WeeklyCache(folder: path).store(bytes, as: "feed", schema: 1, at: noon)
    } throws: { error in
      "\(error)".contains(path)
    }
    #expect(throws: ClubError.self) { try WeeklyCache(folder: path).newest("feed", schema: 1, at: noon) }
    #expect(throws: ClubError.self) { try WeeklyCache(folder: path + "/below").newest("feed", schema: 1, at: noon) }
  }
}

@Suite("Damage to the cache")
struct CacheDamageTests {
  private let folder = Folder()
  private var cache: WeeklyCache { WeeklyCache(folder: folder.path) }
  private let noon = Sample.at(0, 12)

  /// Stores two snapshots and returns the file of the newer one.
  private func twoSnapshots() throws -> String {
    try cache.store(Array("the older".utf8), as: "feed", schema: 1, at: noon)
    try cache.store(Array("the newer".utf8), as: "feed", schema: 1, at: noon.adding(seconds: 60))
    return try #require(folder.files.last)
  }

  @Test("every change of a bit and every cut is found: set aside, reported, and the one before is served")
  func everyBit() throws {
    let file = try twoSnapshots()
    let whole = try folder.read(file)
    var broken: [[UInt8]] = whole.indices.map { Array(whole[..<$0]) } + [whole + [0], whole + whole]
    for index in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[index] ^= 1 << bit
        broken.append(bytes)
      }
    }
    for bytes in broken {
      try folder.write(bytes, to: file)
      let found = try cache.newest("feed", schema: 1, at: noon.adding(seconds: 61))
      #expect(found.snapshot?.bytes == Array("the older".utf8))
      guard case .damagedSnapshot(_, _, let aside?) = found.problems.first, found.problems.count == 1 else {
        Issue.record("the damage is not told: \(found.problems)")
        return
      }
      #expect(aside.hasSuffix("/\(file).damaged"))
      #expect(try folder.read("\(file).damaged") == bytes)
      #expect(!folder.files.contains(file))
    }
  }

  @Test("damage is reported once, and what was set aside goes with the days")
  func once() throws {
    let file = try twoSnapshots()
    try folder.write([], to: file)
    let now = noon.adding(seconds: 61)
    #expect(try cache.newest("feed", schema: 1, at: now).problems.count == 1)
    #expect(try cache.newest("feed", schema: 1, at: now).problems.count == 0)
    #expect(try cache.prune(at: noon.adding(seconds: 13 * 86_400)) == [])
    #expect(try cache.prune(at: noon.adding(seconds: 15 * 86_400)).contains("\(file).damaged"))
  }

  @Test("one snapshot's file in place of another's is damage, too")
  func swapped() throws {
    let file = try twoSnapshots()
    try folder.write(try folder.read(folder.files[0]), to: file)
    let found = try cache.newest("feed", schema: 1, at: noon.adding(seconds: 61))
    #expect(found.snapshot?.bytes == Array("the older".utf8))
    #expect(found.problems.count == 1)
  }

  @Test("what an interrupted writer left is never served, and is removed a day later")
  func interrupted() throws {
    let file = try twoSnapshots()
    let later = noon.adding(seconds: 3600)
    let partial = ".feed.\(later.milliseconds).0123456789abcdef.WRITER.partial"
    try folder.write(Array(try folder.read(file).prefix(40)), to: partial)
    #expect(try cache.newest("feed", schema: 1, at: later).snapshot?.bytes == Array("the newer".utf8))
    #expect(try cache.prune(at: later) == [])
    #expect(try cache.prune(at: later.adding(seconds: 86_401)).contains(partial))
  }

  @Test("a write that fails leaves what was kept, and nothing half done")
  func failedWrite() throws {
    _ = try twoSnapshots()
    let before = folder.files
    // A folder stands where the file is to go: the staged file cannot take its name.
    let other = Folder()
    try WeeklyCache(folder: other.path).store([7], as: "feed", schema: 1, at: noon.adding(seconds: 120))
    let taken = try #require(other.files.first)
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(taken)/inside", withIntermediateDirectories: true)
    #expect(throws: ClubError.self) { try cache.store([7], as: "feed", schema: 1, at: noon.adding(seconds: 120)) }
    #expect(folder.files == (before + [taken]).sorted())
    let found = try cache.newest("feed", schema: 1, at: noon.adding(seconds: 121))
    #expect(found.snapshot?.bytes == Array("the newer".utf8))
  }

  @Test("many writers, readers and pruners at once damage nothing")
  func together() async throws {
    let (path, noon) = (folder.path, noon)
    let problems = try await withThrowingTaskGroup(of: [ClubError].self) { group in
      for writer in 0..<8 {
        group.addTask {
          let cache = WeeklyCache(folder: path)
          var problems: [ClubError] = []
          for turn in 0..<40 {
            let now = noon.adding(seconds: turn)
            try cache.store([UInt8](repeating: UInt8(writer), count: 5000), as: "feed", schema: 1, at: now)
            problems += try cache.newest("feed", schema: 1, at: now).problems
            try cache.prune(at: now)
          }
          return problems
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(problems == [])
    let last = noon.adding(seconds: 39)
    let snapshot = try #require(try cache.newest("feed", schema: 1, at: last).snapshot)
    #expect(snapshot.fetched == last)
    #expect(Set(snapshot.bytes).count == 1 && snapshot.bytes.count == 5000)
    #expect(!folder.files.contains { $0.hasSuffix(".partial") || $0.hasSuffix(".damaged") })
  }
}
