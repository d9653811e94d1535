// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("A run that does not end normally")
struct UnfinishedRunTests {
  let location: Workplace

  init() throws { location = try Workplace() }

  /// Runs the scenario in its own process, which is killed while it goes on.
  private func runKilled() async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = location.url.path as String] in
      try Workplace(path).run(Workplace.yaml, .init(during: { kill(getpid(), SIGKILL) }))
    }
  }

  @Test("leaves a folder that states that it was killed, and the command that runs it again")
  func killed() async throws {
    await runKilled()
    let stored = StoredRun(try location.folder)
    #expect(stored.document == nil)
    #expect(try #require(stored.latest).ended == nil)
    #expect(stored.summary.hasSuffix("To continue it: assay resume \(try location.folder.path)."))
    let found = try #require(UnfinishedRun.all(below: location.root).first)
    #expect(try found.folder == location.folder.path && found.state == "killed" && found.slug == "count")
    #expect(
      try found.isNamed("count") && found.isNamed("count-\(location.scenario().digest)") && !found.isNamed("coun"))
    let page = try location.read(.report)
    #expect(page.contains("This run is not complete."))
    #expect(page.contains("assay run Scenarios/count.yaml"))
    #expect(try location.read(.scenario).contains("kind: counting"))
    try location.run()
    #expect(try StoredRun(location.folder).isComplete)
    #expect(UnfinishedRun.all(below: location.root).isEmpty)
    #expect(try location.contents().keys.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("can be continued if it was killed before its first checkpoint, and no temporary file stays")
  func killedEarly() async throws {
    await runKilled()
    let folder = try location.folder
    try FileManager.default.removeItem(atPath: folder.path(.checkpoint))
    try AtomicFile.write("half", to: folder.path(".checkpoint.4711.partial"))
    #expect(StoredRun(folder).summary.hasSuffix("To continue it: assay resume \(folder.path)."))
    #expect(UnfinishedRun.all(below: location.root).map(\.slug) == ["count"])
    let stored = try StoredCheckpoint(in: folder.path)
    try stored.check(for: location.scenario(), gsl: "2.7.1", build: RunRecord.Build())
    #expect(stored.records.isEmpty && stored.slug == "count" && stored.shard == nil)
    var part = ShardPlan()
    (part.records, part.folder) = (stored.records, stored.folder)
    #expect(try location.run(Workplace.yaml, .init(), part).document.isComplete)
    #expect(try location.contents().keys.allSatisfy { !$0.contains("checkpoint") })
  }

  @Test("keeps the earlier complete result and names its run, however often it is killed")
  func killedAgain() async throws {
    let good = try location.run()
    let before = try location.contents()
    for _ in 1...2 {
      await runKilled()
      let after = try location.contents()
      for name in ["result.json", "report.html", "junit.xml", "counts.csv", "scenario.yaml"] {
        #expect(after[name] == before[name], "\(name)")
      }
      #expect(after["partial-report.html"]?.contains("This run is not complete.") == true)
      let stored = StoredRun(try location.folder)
      #expect(stored.summary.hasPrefix("Incomplete: begun"))
      #expect(stored.completed == good.record)
      #expect(stored.document?.verdict == .holds)
      #expect(stored.summary.hasSuffix("The earlier complete result is kept."))
    }
    try location.run()
    #expect(try location.contents().keys.sorted() == before.keys.sorted())
  }

  @Test("writes partial.json when it is interrupted, with thresholds that need all samples undecided")
  func interrupted() throws {
    let run = try location.run(Workplace.yaml, .init(endsAfter: 5_000))
    #expect(run.record.status == .interrupted)
    let contents = try location.contents()
    let names = ["checkpoint", "junit.xml", "partial.json", "report.html", "run.json", "scenario.yaml"]
    #expect(contents.keys.sorted() == names)
    let partial = try ResultDocument(contentsOf: "\(run.folder)/partial.json")
    #expect(!partial.isComplete)
    #expect(contents["partial.json"]?.contains("This is not the result") == true)
    #expect(contents["report.html"]?.contains("This is not the result") == true)
    #expect(partial.thresholds.map(\.verdict) == [.holds, .undecided, .holds])
    #expect(partial.thresholds[1].found.contains("invalid after an early end"))
    #expect(partial.thresholds[1].advice == "a run that is not interrupted")
    #expect(try StoredRun(location.folder).summary.contains("ended early by request"))
  }

  @Test("is refused as a shard if the experiment has no blocks")
  func indivisible() throws {
    let error = #expect(throws: ArchiveError.self) {
      try location.run(Workplace.yaml, .init(), ShardPlan(shard: Shard("1/2")))
    }
    #expect(error == .indivisible(kind: "counting"))
    #expect(error?.description.hasPrefix("--shard: found a scenario of kind counting, which is not played in") == true)
  }

  @Test("reports a count with the range that the interruption leaves open")
  func interruptedCount() throws {
    let yaml = "{name: Ones, kind: counting, thresholds: [ones <= 10, ones <= 6000, ones <= 10000]}"
    let run = try location.run(yaml, .init(endsAfter: 5_000))
    #expect(run.document.thresholds.map(\.verdict) == [.fails, .undecided, .holds])
  }

  @Test("keeps an earlier complete result when it is interrupted; the next complete run removes the partial one")
  func interruptedAgain() throws {
    let good = try location.run()
    let before = try location.contents()
    let run = try location.run(Workplace.yaml, .init(endsAfter: 100))
    #expect(run.report.hasSuffix("/partial-report.html"))
    let after = try location.contents()
    for name in before.keys where name != "run.json" { #expect(after[name] == before[name], "\(name)") }
    #expect(
      Set(after.keys).subtracting(before.keys)
        == ["checkpoint", "partial.json", "partial-report.html", "partial-junit.xml"])
    #expect(try StoredRun(location.folder).completed == good.record)
    try location.run()
    #expect(try location.contents().keys.sorted() == before.keys.sorted())
  }

  @Test("records the error, and keeps an earlier complete result")
  func failed() throws {
    struct Trouble: Error, CustomStringConvertible { let description = "the moon is <full>" }
    #expect(throws: Trouble.self) { try location.run(Workplace.yaml, .init(during: { throw Trouble() })) }
    #expect(try StoredRun(location.folder).summary.hasPrefix("Failed: "))
    #expect(try #require(StoredRun(try location.folder).latest).error == "the moon is <full>")
    #expect(try location.read(.report).contains("This run ended with an error: the moon is &lt;full&gt;"))
    #expect(try location.read(.junit).contains("<error message=\"the moon is &lt;full&gt;\""))
    try location.run()
    let result = try location.read(.result)
    #expect(throws: Trouble.self) { try location.run(Workplace.yaml, .init(during: { throw Trouble() })) }
    #expect(try location.read(.result) == result)
    #expect(try location.read(.junit).contains("errors=\"0\""))
    #expect(try location.read(.partialJUnit).contains("the moon"))
  }
}

@Suite("A file that cannot be written")
struct UnwritableFileTests {
  @Test("stops the run when the system limits file sizes, and keeps all existing files")
  func limitedSize() async throws {
    let location = try Workplace()
    let good = try location.run()
    let before = try location.contents()
    await #expect(processExitsWith: .success) { [path = location.url.path as String] in
      // Without this the system would end the process instead of refusing the write.
      _ = signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: ArchiveError.self) {
        let large = ScenarioResult.File(name: "counts.csv", content: String(repeating: "1\n", count: 400_000))
        try Workplace(path).run(Workplace.yaml, .init(files: [large]))
      }
      #expect(error?.description.contains("counts.csv': file too large") == true, "\(error?.description ?? "")")
    }
    let after = try location.contents()
    for name in before.keys where name != "run.json" { #expect(after[name] == before[name], "\(name)") }
    #expect(after.keys.allSatisfy { !$0.hasPrefix(".") })
    #expect(try StoredRun(location.folder).summary.hasPrefix("Failed: "))
    #expect(try StoredRun(location.folder).completed == good.record)
    // With room again, the next run is as any other.
    try location.run()
    #expect(try StoredRun(location.folder).isComplete)
  }
}

@Suite("A folder that a run refuses")
struct RefusedFolderTests {
  let location: Workplace

  init() throws { location = try Workplace() }

  /// What a run says that must not even begin.
  private func refusal() throws -> String {
    let error = try #require(
      #expect(throws: ArchiveError.self) {
        try location.run(Workplace.yaml, .init(during: { Issue.record("the run began") }))
      })
    return error.description
  }

  @Test(
    "is one whose result.json or run.json a newer Assay made; nothing in it changes",
    arguments: [
      (RunFolder.Name.result, "assay.result/1", "assay.result/2"), (.run, "assay.run/1", "assay.run/12"),
    ])
  func newer(name: RunFolder.Name, known: String, found: String) throws {
    try location.run()
    let newer = try location.read(name).replacing(known, with: found)
      .replacing("\"assay\": \"\(Version.current)\"", with: "\"assay\": \"9.1.0\"")
    try location.write(newer, name)
    let before = try location.contents()
    #expect(
      try refusal().hasSuffix(
        "\(name.rawValue): schema: found \(found), made by Assay 9.1.0; this is Assay \(Version.current), which knows "
          + "\(known); update it, or choose another folder with --runs."))
    #expect(try location.contents() == before)
  }

  @Test("is read-only, even for a superuser; nothing in it changes")
  func readOnly() throws {
    try location.run()
    let before = try location.contents()
    let folder = try location.folder.path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    #expect(try refusal().contains("is read-only; make it writable or choose another"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(try location.contents() == before)
  }

  @Test("would have to be made in a read-only folder")
  func readOnlyRoot() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: location.url.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: location.url.path) }
    #expect(try refusal().contains("is read-only; make it writable or choose another"))
    #expect(!FileManager.default.fileExists(atPath: location.root))
  }

  @Test("is a file or lies below one; the file is unchanged")
  func file() throws {
    try AtomicFile.write("a diary", to: location.root)
    #expect(try refusal() == "'\(location.root)' is not a folder; choose another place.")
    #expect(try TextFile.read(location.root) == "a diary")
    try FileManager.default.removeItem(atPath: location.root)
    try AtomicFile.makeFolder(location.root)
    try AtomicFile.write("a diary", to: location.folder.path)
    #expect(try refusal() == "'\(try location.folder.path)' is not a folder; choose another place.")
    #expect(try TextFile.read(location.folder.path) == "a diary")
  }

  @Test(
    "is one with a symbolic link in place of one of its parts; what that leads to stays unchanged",
    arguments: [".lock", ".new", "figures", "run.json", "result.json", "report.html", "counts.csv"], [true, false])
  func link(name: String, isDangling: Bool) throws {
    try location.run()
    let (outside, part) = (location.path("outside"), try location.folder.path(name))
    if !isDangling {
      // What a run would write below a folder, or would overwrite.
      try AtomicFile.makeFolder(outside)
      for name in ["ones.svg", "run.json"] { try AtomicFile.write("a diary", to: "\(outside)/\(name)") }
    }
    let isFolder = [".new", "figures"].contains(name)
    try? FileManager.default.removeItem(atPath: part)
    try FileManager.default.createSymbolicLink(
      atPath: part, withDestinationPath: isFolder ? outside : "\(outside)/ones.svg")
    let error = #expect(throws: ArchiveError.self) { try location.run() }
    #expect(
      error?.description
        == "cannot write '\(part)': found a symbolic link, expected \(isFolder ? "a folder" : "a file")"
        + " of the run; move it away, or choose another folder with --runs.")
    if name == ".lock" { #expect(throws: ArchiveError.self) { _ = try FolderLock(of: location.folder) } }
    #expect(FileKind(at: part) == .link)
    #expect(FileKind(at: outside) == (isDangling ? .nothing : .folder))
    for name in isDangling ? [] : ["ones.svg", "run.json"] {
      #expect(try TextFile.read("\(outside)/\(name)") == "a diary")
    }
  }

  @Test("is a symbolic link; the folder it points to is unchanged", arguments: [true, false])
  func linkedFolder(isDangling: Bool) throws {
    let outside = location.path("outside")
    if !isDangling { try AtomicFile.makeFolder(outside) }
    try AtomicFile.makeFolder(location.root)
    try FileManager.default.createSymbolicLink(atPath: location.folder.path, withDestinationPath: outside)
    #expect(try refusal().contains("found a symbolic link, expected a folder of the run; move it away, or choose"))
    #expect(throws: ArchiveError.self) { _ = try FolderLock(of: location.folder) }
    #expect(FileKind(at: outside) == (isDangling ? .nothing : .folder))
    if !isDangling { #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == []) }
  }

  @Test(
    "is one with a pipe in place of a file, for which nothing waits and which stays",
    arguments: [".lock", "run.json", "result.json", "partial.json", "scenario.yaml", "counts.csv"])
  func pipe(name: String) throws {
    try location.run()
    let part = try location.folder.path(name)
    try? FileManager.default.removeItem(atPath: part)
    #expect(unsafe mkfifo(part, 0o600) == 0)
    let error = #expect(throws: ArchiveError.self) { try location.run() }
    #expect(error?.description.contains("'\(part)': found a named pipe, expected a file of the run") == true)
    #expect(try !StoredRun(location.folder).isUnderWay)
    #expect(try location.folder.text(.scenario) == (name == "scenario.yaml" ? nil : location.scenario().resolved))
    #expect(FileKind(at: part) == .pipe)
  }

  @Test("may be reached through a symbolic link to the folder of all runs")
  func linkedRoot() throws {
    try AtomicFile.makeFolder(location.path("large"))
    try FileManager.default.createSymbolicLink(atPath: location.root, withDestinationPath: "large")
    try location.run()
    #expect(try StoredRun(location.folder).isComplete)
  }

  @Test("is in use by another run of this process")
  func twiceInOneProcess() throws {
    let inner = location
    try location.run(
      Workplace.yaml,
      .init(during: {
        let error = #expect(throws: ArchiveError.self) { try inner.run() }
        #expect(error?.description.contains("another run is writing there (process \(getpid()), since 20") == true)
        let stored = StoredRun(try inner.folder)
        #expect(stored.isUnderWay)
        #expect(UnfinishedRun.all(below: inner.root).map(\.state) == ["running"])
      }))
    #expect(try StoredRun(location.folder).isComplete)
  }

  @Test("is in use by another process, which continues undisturbed")
  func twoProcesses() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let holding = location
    DispatchQueue.global().async {
      #expect(throws: Never.self) {
        try holding.run(
          Workplace.yaml,
          .init(during: {
            begin.finish()
            gate.wait()
          }))
      }
      begin.finish()
      end.finish()
    }
    for await _ in begun {}
    await #expect(processExitsWith: .success) { [path = location.url.path as String, holder = getpid() as Int32] in
      let error = #expect(throws: ArchiveError.self) { try Workplace(path).run() }
      #expect(error?.description.contains("another run is writing there (process \(holder), since 20") == true)
      let stored = StoredRun(try Workplace(path).folder)
      #expect(stored.isUnderWay)
    }
    gate.signal()
    for await _ in ended {}
    #expect(try StoredRun(location.folder).isComplete)
  }

  @Test("is made again if it is removed during the run")
  func removed() throws {
    let root = location.root
    let run = try location.run(
      Workplace.yaml, .init(during: { try FileManager.default.removeItem(atPath: root) }))
    #expect(run.remarks.contains("The run's folder was removed during the run and was created again."))
    #expect(StoredRun(RunFolder(run.folder)).isComplete)
    #expect(StoredRun(RunFolder(run.folder)).document?.verdict == .holds)
  }
}
