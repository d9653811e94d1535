// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import TestSupport
import Testing

@Suite("Output is written where the given name leads")
struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  /// The bytes that come out of a pipe's end at once.
  private func read(_ end: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = unsafe Foundation.read(end, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test("a symbolic link is kept, and its target is written, existing or not")
  func links() throws {
    try AtomicFile.makeFolder(path("there"))
    try AtomicFile.write("old", to: path("there/a.txt"))
    try link("there/next", to: "a.txt")
    try link("first", to: "there/next")
    try link("absolute", to: path("there/b.txt"))
    for (name, target) in [("first", "there/a.txt"), ("absolute", "there/b.txt")] {
      try OutputFile(path(name)).write(Data("new".utf8))
      #expect(try TextFile.read(path(target)) == "new")
      #expect(FileKind(at: path(name)) == .link && FileKind(at: path(target)) == .file)
    }
    #expect(FileKind(at: path("there/next")) == .link)
  }

  @Test("a broken link is refused under its own name")
  func brokenLinks() throws {
    try link("circle", to: "circle")
    try link("lost", to: "no/such/a.txt")
    for (name, cause) in [("circle", "more than 40 symbolic links"), ("lost", "no/such' does not exist")] {
      let error = #expect(throws: ReportingError.self) { try OutputFile(path(name)) }
      #expect(error?.description.hasPrefix("cannot write '\(path(name))': ") == true)
      #expect(error?.description.contains(cause) == true, "\(error?.description ?? "")")
    }
  }

  @Test("a named pipe is written to, and kept", arguments: ["pipe", "link"])
  func pipe(name: String) throws {
    #expect(unsafe mkfifo(path("pipe"), 0o600) == 0)
    try link("link", to: "pipe")
    let end = unsafe open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(end) }
    let output = try OutputFile(path(name))
    #expect(output.isStream && output.isThere && !output.isStandardOutput)
    try output.write(Data("through".utf8))
    #expect(read(end) == "through")
    #expect(FileKind(at: path("pipe")) == .pipe)
  }

  @Test("an open file is written under its descriptor")
  func descriptor() throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe Foundation.pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try link("link", to: "/proc/self/fd/\(ends[1])")
    for name in ["/dev/fd/\(ends[1])", path("link")] {
      try OutputFile(name).write(Data("through".utf8))
      #expect(read(ends[0]) == "through")
    }
    for (number, cause) in [(ends[0], "it is open for reading only"), (9_999, "bad file descriptor")] {
      let error = #expect(throws: ReportingError.self) { try OutputFile("/dev/fd/\(number)") }
      #expect(error?.description == "cannot write '/dev/fd/\(number)': \(cause); choose another place.")
    }
  }

  /// A device of the test's own, which takes everything as /dev/null does; making one takes a superuser.
  private static func makeDevice(_ path: String) -> Bool { unsafe mknod(path, S_IFCHR | 0o666, 0x103) == 0 }

  private static let canMakeDevices: Bool = {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("assay-\(UUID().uuidString)").path
    defer { _ = unsafe unlink(path) }
    return makeDevice(path)
  }()

  @Test("a device is written to, and kept", .enabled(if: canMakeDevices, "only a superuser may make a device"))
  func device() throws {
    try #require(Self.makeDevice(path("device")))
    try OutputFile(path("device")).write(Data("gone".utf8))
    #expect(FileKind(at: path("device")) == .device)
    #expect(try folder.names() == ["device"])
  }

  @Test("every spelling of a path is the same place")
  func same() throws {
    try AtomicFile.makeFolder(path("below"))
    try link("link", to: "below/../a.txt")
    try link("folder", to: ".")
    let output = try OutputFile(path("a.txt"))
    for name in ["./a.txt", "below/../a.txt", "link", "folder/a.txt"] {
      #expect(try OutputFile("\(folder.path)/\(name)").isSame(as: output), "\(name)")
    }
    #expect(try !OutputFile(path("b.txt")).isSame(as: output))
    for name in ["-", "/dev/stdout", "/dev/fd/1"] { #expect(try OutputFile(name).isStandardOutput, "\(name)") }
  }
}
