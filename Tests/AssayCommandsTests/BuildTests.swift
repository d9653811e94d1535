// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

import Archive

/// A package in a git work tree, with a copy of the built executable where a build would leave it.
private struct BuiltPackage {
  let folder: TemporaryFolder

  private var binary: URL { folder.url.appendingPathComponent(".build/debug/assay") }

  init() throws {
    folder = try TemporaryFolder([
      ".gitignore": ".build\nResults\n", "holds.yaml": ScenarioText.holds, "Package.swift": "// The package.\n",
    ])
    for name in ["Sources/assay", ".build/debug", "Results"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(at: AssayProcess.executable(), to: binary)
    try folder.write("// One.\n", as: "Sources/assay/main.swift")
    try git("init", "--quiet")
    try commit()
  }

  /// What a build does for the record: the binary is newer than what it was built from.
  func build() throws {
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: binary.path)
  }

  /// Commits everything, and returns the hash.
  @discardableResult
  func commit() throws -> String {
    try git("add", "--all")
    try git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=A change")
    return try git("rev-parse", "HEAD")
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    try output(["git", "-C", folder.path] + arguments).trimmingCharacters(in: .newlines)
  }

  /// Runs the copy of the executable in the package's folder.
  func assay(_ typed: String) throws -> AssayProcess {
    try AssayProcess(typed, in: folder.url, executable: binary)
  }

  /// The build that the latest run recorded, and its `result.json`.
  func run() throws -> (build: RunRecord.Build, result: String) {
    let run = try assay("run holds.yaml --quiet")
    #expect(run.status == 0, "\(run.remarks)")
    let latest = try #require(
      try History.open(folder.path("Results/history.sqlite"), for: .reading).runs(last: 1).first)
    return (latest.build, try String(contentsOfFile: "\(latest.folder)/result.json", encoding: .utf8))
  }

  /// The binary's digest, as the system computes it.
  func digest() throws -> String { String(try output(["sha256sum", binary.path]).prefix(64)) }

  private func output(_ words: [String]) throws -> String {
    let process = try AssayProcess("", words, executable: URL(fileURLWithPath: "/usr/bin/env"))
    try #require(process.status == 0, "\(words)")
    return process.output
  }
}

@Suite("A run records the build that it was made by")
struct BuildTests {
  @Test("the commit if the binary is newer than its sources, with a + if these were changed, else none")
  func recorded() throws {
    let package = try BuiltPackage()
    let (first, digest) = (try package.git("rev-parse", "HEAD"), try package.digest())
    try package.build()
    let clean = try package.run()
    #expect(clean.build == RunRecord.Build(commit: first, binary: digest))
    #expect(!clean.result.contains(first) && !clean.result.contains(digest))
    // A source that is newer than the binary is not what it was built from, whatever is checked out.
    try package.folder.write("// Two.\n", as: "Sources/assay/main.swift")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)],
      ofItemAtPath: package.folder.path("Sources/assay/main.swift"))
    #expect(try package.run().build == RunRecord.Build(binary: digest))
    let second = try package.commit()
    #expect(try package.run().build == RunRecord.Build(binary: digest))
    // Built: what was changed is committed by now.
    try package.folder.write("// Two.\n", as: "Sources/assay/main.swift")
    try package.build()
    #expect(try package.run().build == RunRecord.Build(commit: second, binary: digest))
    // A note beside the sources is no change of what was built; a new source is.
    try package.folder.write("A note.\n", as: "NOTES")
    #expect(try package.run().build.isChanged == false)
    try package.folder.write("// Three.\n", as: "Sources/assay/three.swift")
    try package.build()
    let changed = try package.run()
    #expect(changed.build == RunRecord.Build(commit: second, isChanged: true, binary: digest))
    #expect(changed.result == clean.result)
    #expect(try package.assay("results list").output.contains("0.1.0    \(second.prefix(8))+  "))
  }

  @Test("commits are compared by their newest runs of a scenario; a commit without runs lists those with runs")
  func compared() throws {
    let package = try BuiltPackage()
    let first = try package.git("rev-parse", "HEAD")
    try package.folder.write("// Two.\n", as: "Sources/assay/main.swift")
    let second = try package.commit()
    try package.folder.write("// Three.\n", as: "Sources/assay/main.swift")
    let third = try package.commit()
    let runs = try RecordedRuns(in: package.folder)
    for (day, slug, commit, wins) in [
      (1, "quick", first, 400), (2, "quick", first, 430), (3, "quick", second, 520), (4, "long", second, 520),
    ] {
      try runs.add(slug, day: day, wins: wins, build: RunRecord.Build(commit: commit, binary: "\(day)"))
    }
    let compared = try package.assay("results compare HEAD~2 HEAD~1")
    #expect(compared.status == 0)
    #expect(compared.output.hasPrefix("run 2, quick, 2026-11-02 00:00:00 UTC, and run 3, quick"))
    #expect(compared.output.contains("commit   \(first.prefix(8))"))
    #expect(compared.output.contains("may have drawn the same random numbers"))
    #expect(try package.assay("results compare \(first.prefix(10)) quick").output.hasPrefix("run 2, quick"))
    #expect(try package.assay("results show HEAD~1").output.hasPrefix("Run 4, long"))
    for (typed, problem) in [
      (
        "compare HEAD~1 HEAD",
        "found no run at 'HEAD' (commit \(third.prefix(8))), expected a commit that has one: \(second.prefix(8)), "
          + "\(first.prefix(8))."
      ),
      ("compare HEAD~2 long", "found no run of 'long' at 'HEAD~2' (commit \(first.prefix(8))), expected"),
      ("show HEAD~1+", "found no run at 'HEAD~1+' (commit \(second.prefix(8))+), expected a commit that has one"),
      ("show HEAD~9", "found no run 'HEAD~9'"),
    ] {
      let process = try package.assay("results " + typed)
      #expect(process.status == 2 && process.remarks.contains(problem), "\(process.remarks)")
    }
  }
}
