// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Dispatch
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A folder that a run cannot have")
struct RefusedFolderTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// What a run says that must not even begin.
  private func refusal() throws -> String {
    let error = try #require(
      #expect(throws: ArchiveError.self) {
        try place.run(Workplace.yaml, .init(during: { Issue.record("the run began") }))
      })
    return error.description
  }

  @Test("is one whose result a newer Assay made; nothing in it changes")
  func newerResult() throws {
    defer { place.remove() }
    try place.run()
    let newer = try place.read(.result)
      .replacing("assay.result/1", with: "assay.result/2")
      .replacing("\"assay\": \"\(Version.current)\"", with: "\"assay\": \"9.1.0\"")
    try place.write(newer, .result)
    let before = try place.contents()
    #expect(
      try refusal().hasSuffix(
        "result.json: schema: found assay.result/2, made by Assay 9.1.0; this is Assay \(Version.current), which knows "
          + "assay.result/1; update it, or choose another folder with --out."))
    #expect(try place.contents() == before)
  }

  @Test("is one whose run.json a newer Assay made; nothing in it changes")
  func newerRecord() throws {
    defer { place.remove() }
    try place.run()
    try place.write(place.read(.run).replacing("assay.run/1", with: "assay.run/12"), .run)
    let before = try place.contents()
    #expect(try refusal().contains("run.json: schema: found assay.run/12, made by Assay \(Version.current)"))
    #expect(try place.contents() == before)
  }

  @Test("is a read-only one, a superuser included; nothing in it changes")
  func readOnly() throws {
    defer { place.remove() }
    try place.run()
    let before = try place.contents()
    let folder = try place.folder.path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    #expect(try refusal().contains("is read-only; make it writable or choose another"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(try place.contents() == before)
  }

  @Test("is one to be made in a read-only folder")
  func readOnlyRoot() throws {
    defer { place.remove() }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place.url.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.url.path) }
    #expect(try refusal().contains("is read-only; make it writable or choose another"))
    #expect(!FileManager.default.fileExists(atPath: place.root))
  }

  @Test("is a file, or lies below one; the file stays as it is")
  func file() throws {
    defer { place.remove() }
    try AtomicFile.write("a diary", to: place.root)
    #expect(try refusal() == "'\(place.root)' is not a folder; choose another place.")
    #expect(try TextFile.read(place.root) == "a diary")
    try FileManager.default.removeItem(atPath: place.root)
    try AtomicFile.makeFolder(place.root)
    try AtomicFile.write("a diary", to: place.folder.path)
    #expect(try refusal() == "'\(try place.folder.path)' is not a folder; choose another place.")
    #expect(try TextFile.read(place.folder.path) == "a diary")
  }

  @Test("is one in which another run of this process writes")
  func twiceInOneProcess() throws {
    defer { place.remove() }
    let inner = place
    try place.run(
      Workplace.yaml,
      .init(during: {
        let error = #expect(throws: ArchiveError.self) { try inner.run() }
        #expect(error?.description.contains("another run is writing there (process \(getpid()), since 20") == true)
        let stored = StoredRun(try inner.folder)
        #expect(stored.condition == .underWay)
        #expect(throws: ArchiveError.self) { try inner.folder.remove() }
      }))
    #expect(try StoredRun(place.folder).condition == .complete)
  }

  @Test("is one in which another process writes, which goes on undisturbed")
  func twoProcesses() async throws {
    defer { place.remove() }
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let holding = place
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
    await #expect(processExitsWith: .success) { [path = place.url.path as String, holder = getpid() as Int32] in
      let error = #expect(throws: ArchiveError.self) { try Workplace(path).run() }
      #expect(error?.description.contains("another run is writing there (process \(holder), since 20") == true)
      let stored = StoredRun(try Workplace(path).folder)
      #expect(stored.condition == .underWay)
    }
    gate.signal()
    for await _ in ended {}
    #expect(try StoredRun(place.folder).condition == .complete)
  }

  @Test("is no longer one when it is removed while the run goes on: it is made anew")
  func removed() throws {
    defer { place.remove() }
    let root = place.root
    let run = try place.run(
      Workplace.yaml, .init(during: { try FileManager.default.removeItem(atPath: root) }))
    #expect(run.remarks.contains("The run's folder was removed while it went on; it was made anew."))
    #expect(StoredRun(RunFolder(run.folder)).condition == .complete)
    #expect(StoredRun(RunFolder(run.folder)).document?.judgement == .holds)
  }
}
