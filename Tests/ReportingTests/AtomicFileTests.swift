// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import TestSupport
import Testing

@Suite("Files are written whole or not at all")
struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  @Test("a file replaces the earlier one and leaves no other file")
  func replaces() throws {
    try AtomicFile.write("first", to: path("a.txt"))
    try AtomicFile.write("second, with an ü", to: path("a.txt"))
    #expect(try TextFile.read(path("a.txt")) == "second, with an ü")
    #expect(try folder.names() == ["a.txt"])
  }

  @Test("a file compressed by gzip is inflated, all its members; a damaged one is refused")
  func compressed() throws {
    let packed = try #require(
      Data(
        base64Encoded:
          "H4sIAAAAAAACA0vLLCou0VEAAATPzvEHAAAAH4sIAAAAAAACAytOTc7PS9FR"
          + "KM8syVBIzFM4vAcA5iN2wRIAAAA="))
    try packed.write(to: URL(fileURLWithPath: path("a.gz")))
    #expect(try TextFile.read(path("a.gz")) == "first, second, with an ü")
    var changed = packed
    changed[12] ^= 0x55
    for bytes in [packed.dropLast(), packed + Data([1]), changed, Data([0x1F, 0x8B])] {
      try bytes.write(to: URL(fileURLWithPath: path("b.gz")))
      let error = #expect(throws: ReportingError.self) { try TextFile.read(path("b.gz")) }
      #expect(error?.description.contains("compressed data is damaged or ends early") == true)
    }
    try (packed + Data([0, 0])).write(to: URL(fileURLWithPath: path("c.gz")))
    #expect(try TextFile.read(path("c.gz")) == "first, second, with an ü", "zeros may fill a block")
  }

  @Test("a missing folder is reported with the action that fixes it")
  func missingFolder() {
    let error = #expect(throws: ReportingError.self) { try AtomicFile.write("x", to: path("no/such/a.txt")) }
    #expect(error?.description.contains("no/such' does not exist; create it or choose another") == true)
  }

  @Test("a folder and an empty name are refused as files")
  func noFile() {
    #expect(throws: ReportingError.self) { try AtomicFile.write("x", to: folder.path) }
    #expect(throws: ReportingError.self) { try AtomicFile.write("x", to: "") }
  }

  @Test("asking whether a file can be written touches nothing")
  func checkTouchesNothing() throws {
    try AtomicFile.write("kept", to: path("a.txt"))
    try AtomicFile.checkWritable(path("a.txt"))
    try AtomicFile.checkWritable(path("b.txt"))
    #expect(try folder.names() == ["a.txt"])
    #expect(try TextFile.read(path("a.txt")) == "kept")
  }

  @Test("links at the target and at the temporary file's name are not followed, and their files are kept")
  func links() throws {
    try AtomicFile.write("a diary", to: path("diary.txt"))
    let temporary = ".a.txt.\(getpid()).partial"
    for name in [temporary, "a.txt"] {
      try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: "diary.txt")
    }
    try AtomicFile.write("new", to: path("a.txt"))
    #expect(try TextFile.read(path("diary.txt")) == "a diary")
    #expect(FileKind(at: path("a.txt")) == .file && FileKind(at: path(temporary)) == .link)
    #expect(try TextFile.read(path("a.txt")) == "new")
    #expect(try folder.names() == [temporary, "a.txt", "diary.txt"])
  }

  @Test(
    "a file that is replaced keeps its permissions; a read-only one is refused before the work",
    arguments: [0o600, 0o755])
  func permissions(mode: Int) throws {
    try AtomicFile.write("first", to: path("a.txt"))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path("a.txt"))
    try AtomicFile.write("second", to: path("a.txt"))
    let kept = try FileManager.default.attributesOfItem(atPath: path("a.txt"))[.posixPermissions] as? Int
    #expect(try kept == mode && TextFile.read(path("a.txt")) == "second")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path("a.txt"))
    let error = #expect(throws: ReportingError.self) { try AtomicFile.checkWritable(path("a.txt")) }
    #expect(error?.description.contains("it is read-only; make it writable or choose another") == true)
  }

  @Test("a folder is made, and found writable whatever it contains")
  func folders() throws {
    try AtomicFile.makeFolder(path("runs/probe"))
    try AtomicFile.makeFolder(path("runs"))
    try AtomicFile.checkFolder(path("runs"))
    try AtomicFile.write("x", to: path("file"))
    for name in ["file", "missing"] {
      let error = #expect(throws: ReportingError.self) { try AtomicFile.checkFolder(path(name)) }
      #expect(error?.description.contains(path(name)) == true)
    }
  }

  @Test("the names of temporary files are recognised")
  func temporaryNames() {
    for name in [".a.txt.4711.partial", ".a.txt.1.4711.partial", ".run.json.1.partial"] {
      #expect(AtomicFile.isTemporary(name), "\(name)")
    }
    for name in [
      "a.txt.4711.partial", ".partial", ".1.partial", ".notes.partial", ".a.4711.part", ".a..partial", ".lock",
    ] {
      #expect(!AtomicFile.isTemporary(name), "\(name)")
    }
  }

  @Test("a missing file, a folder, and bytes that are not text cannot be read")
  func unreadable() throws {
    try Data([0x61, 0x0A, 0xFF, 0xFE, 0x00]).write(to: folder.url.appendingPathComponent("bytes"))
    for (name, cause) in [
      ("nothing", "no such file"), (".", "it is a folder"), ("bytes", "it is not UTF-8 text in line 2"),
    ] {
      let error = #expect(throws: ReportingError.self) { try TextFile.read(path(name)) }
      #expect(error?.description.contains(cause) == true)
    }
  }
}
