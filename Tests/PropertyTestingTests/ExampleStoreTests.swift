// SPDX-License-Identifier: Apache-2.0
import Foundation
import PropertyTesting
import Testing

@Suite("A store of examples")
struct ExampleStoreTests {
  /// A folder of a test's own, and a store in it.
  private struct Place: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("assay-\(UUID().uuidString)")
    var store: ExampleStore { ExampleStore(folder: url.appendingPathComponent("examples").path) }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func files() -> [String] {
      ((try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }

    func write(_ text: String, as name: String) throws {
      let file = url.appendingPathComponent("examples/lists.1/\(name)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  private static func property(limit: Int, range: ClosedRange<Int> = 0...100) -> Property {
    Property(
      "lists.1", "Numbers are small", arguments: ["numbers"], Gen.arrays(of: .integers(in: range), count: 0...5)
    ) { numbers in
      try require(numbers.allSatisfy { $0 < limit }, "one is large:\nof \(numbers.count)")
    }
  }

  private static func found() throws -> Counterexample {
    try #require(try property(limit: 50).check().counterexample)
  }

  @Test("keeps a failure in one small readable file with deterministic bytes")
  func save() throws {
    let index = try Place()
    #expect(try index.store.contents(of: "lists.1").examples.isEmpty)
    let saved = try index.store.save(Self.found(), of: Self.property(limit: 50))
    try index.store.save(Self.found(), of: Self.property(limit: 50))
    #expect(index.files().count == 1 && saved.path.hasSuffix("/\(index.files()[0])"))
    let text = try String(contentsOfFile: saved.path, encoding: .utf8)
    #expect(
      text.hasPrefix(
        """
        # lists.1: Numbers are small
        # A case for which it failed. It is tried first in the next run, and removed when it passes.
        # argument 1: [50]
        # failure: one is large:
        #   of 1
        # where: PropertyTestingTests/ExampleStoreTests.swift:
        """), "\(text)")
    #expect(text.hasSuffix("\n\(saved.token)\n"))
    #expect(try index.store.contents(of: "lists.1").examples == [saved])
    #expect(try index.store.contents(of: "lists.2").examples.isEmpty)
  }

  /// Checks a property by its stored cases and then by new ones.
  private static func check(
    _ property: Property, with store: ExampleStore, retries: Bool = true, keepsPassing: Bool = false
  ) throws -> (report: CheckReport, remarks: [String]) {
    var remarks: [String] = []
    let settings = CheckSettings()
    let report = try property.check(
      with: store, retries: retries, keepsPassing: keepsPassing, settings: settings, remarks: &remarks
    ) { _ in try property.check(settings) }
    return (report, remarks)
  }

  @Test("tries a failure again, and drops it when it passes")
  func retry() throws {
    let index = try Place()
    let saved = try index.store.save(Self.found(), of: Self.property(limit: 50))
    let failing = try Self.check(Self.property(limit: 50), with: index.store)
    #expect(failing.report.counterexample?.arguments == ["[50]"])
    #expect(failing.report.counterexample?.casesUntilFound == 0)
    #expect(failing.report.summary == "false in a stored case, which was tried first")
    #expect(!failing.report.text().contains("to shrink it"), "it was not shrunk")
    #expect(failing.remarks == ["still fails: \(saved.path)"] && index.files().count == 1)
    let elsewhere = try Self.check(Self.property(limit: 200), with: index.store, keepsPassing: true)
    #expect(elsewhere.report.passed == 100 && elsewhere.remarks.isEmpty && index.files().count == 1)
    let fixed = try Self.check(Self.property(limit: 200), with: index.store)
    #expect(fixed.report.passed == 100 && fixed.remarks == ["passes now, removed: \(saved.path)"])
    #expect(index.files().isEmpty)
  }

  @Test("stores new failures, which are in the report even if that is impossible")
  func store() throws {
    let index = try Place()
    let found = try Self.check(Self.property(limit: 50), with: index.store, retries: false)
    let saved = try index.store.contents(of: "lists.1").examples
    #expect(saved.map { "stored: \($0.path)" } == found.remarks && saved.count == 1)
    let nowhere = try Self.check(Self.property(limit: 50), with: ExampleStore(folder: "/dev/null"), retries: false)
    #expect(nowhere.report == found.report)
    #expect(nowhere.remarks.first?.hasPrefix("warning: stored examples: cannot write '/dev/null/") == true)
  }

  @Test("keeps a failure that no longer matches its property, and reports it")
  func stale() throws {
    let index = try Place()
    let saved = try index.store.save(Self.found(), of: Self.property(limit: 50))
    let checked = try Self.check(Self.property(limit: 100, range: 0...99), with: index.store)
    #expect(checked.report.isHeld && checked.remarks.count == 1)
    #expect(checked.remarks.first?.hasPrefix("warning: stale: \(saved.path): the generators of 'lists.1'") == true)
    #expect(index.files().count == 1)
  }

  @Test(
    "names the file and the line of what is damaged, and loses nothing",
    arguments: [
      ("# only words\n", 2, "no replay token in the file."),
      ("# words\n\nlists.1:1:AAAA\n", 3, "replay token of 'lists.1': 'lists.1:1:AAAA' is damaged"),
      ("lists.2:1:AAAA", 1, "is damaged"),
      ("<<<<<<< HEAD\n", 1, "replay token: found '<<<<<<< HEAD'"),
      ("# a\nlists.1:9:AAAA\n", 2, "found format version 9, expected 1"),
    ])
  func damaged(text: String, line: Int, problem: String) throws {
    let index = try Place()
    let saved = try index.store.save(Self.found(), of: Self.property(limit: 50))
    try index.write(text, as: "0.txt")
    let checked = try Self.check(Self.property(limit: 50), with: index.store)
    #expect(checked.remarks.dropFirst() == ["still fails: \(saved.path)"])
    let remark = try #require(checked.remarks.first)
    #expect(remark.hasPrefix("warning: ") && remark.contains("lists.1/0.txt:\(line): "))
    #expect(remark.contains(problem), "\(remark)")
    #expect(index.files().count == 2)
  }

  @Test("reports a token of another property, or a second one, as damage")
  func misplaced() throws {
    let index = try Place()
    let saved = try index.store.save(Self.found(), of: Self.property(limit: 50))
    try index.write("\(ReplayToken(property: "lists.2", choices: saved.token.choices))\n", as: "0.txt")
    try index.write("\(saved.token)\n\(saved.token)\n", as: "1.txt")
    try index.write("not looked at", as: ".hidden.txt")
    try index.write("not looked at", as: "README.md")
    let contents = try index.store.contents(of: "lists.1")
    #expect(contents.examples == [saved])
    #expect(contents.damaged.map(\.line) == [1, 2])
    #expect(contents.damaged.first?.problem.contains("found one of 'lists.2', expected one of 'lists.1'") == true)
  }

  @Test("refuses a folder, a broken link and a pipe, without waiting for the pipe")
  func noFile() throws {
    let index = try Place()
    let saved = try index.store.save(Self.found(), of: Self.property(limit: 50))
    let folder = URL(fileURLWithPath: saved.path).deletingLastPathComponent()
    let (inner, link) = (folder.appendingPathComponent("a.txt"), folder.appendingPathComponent("b.txt"))
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere")
    #expect(unsafe mkfifo(folder.appendingPathComponent("c.txt").path, 0o600) == 0)
    let contents = try index.store.contents(of: "lists.1")
    #expect(contents.examples == [saved])
    #expect(
      contents.damaged.map(\.problem) == [
        "a folder, where a file was expected.", "a link to a file that does not exist.",
        "a pipe or a device, where a file was expected.",
      ])
  }

  @Test("refuses a folder without a name, which would be the root of the disk")
  func namelessFolder() {
    let error = #expect(throws: ExampleStoreError.self) { try ExampleStore(folder: "").checkWritable() }
    #expect(error?.description.contains("no folder has an empty name") == true)
  }

  @Test("writes invisible characters and direction marks as code points")
  func invisible() throws {
    let index = try Place()
    let failure = Failure("\u{202E}turned\u{0}\u{200B}", origin: "here")
    let token = ReplayToken(property: "lists.1", choices: try Self.found().choices)
    let long = String(repeating: "x", count: 9000)
    let saved = try index.store.save(token, sentence: "s", arguments: [long], failure: failure)
    let text = try String(contentsOfFile: saved.path, encoding: .utf8)
    #expect(text.contains(#"# failure: \u{202E}turned\u{0}\u{200B}"#))
    #expect(text.contains("xxx... (9013 characters)") || text.contains("(9012 characters)"))
    #expect(try index.store.contents(of: "lists.1").examples.map(\.token) == [token])
  }

  @Test("reports why it cannot be written or read")
  func refused() throws {
    let index = try Place()
    try Data().write(to: index.url.appendingPathComponent("examples"))
    let error = #expect(throws: ExampleStoreError.self) { try index.store.checkWritable() }
    #expect(error?.description.contains("examples' is not a folder; make it writable, choose another folder") == true)
    #expect(throws: ExampleStoreError.self) { try index.store.save(Self.found(), of: Self.property(limit: 50)) }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: index.url.path)
    let closed = ExampleStore(folder: index.url.appendingPathComponent("a/b").path)
    #expect(throws: ExampleStoreError.self) { try closed.checkWritable() }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: index.url.path)
    try closed.checkWritable()
    #expect(index.files().isEmpty)
  }
}
