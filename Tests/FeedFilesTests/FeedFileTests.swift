// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@testable import FeedFiles

@Suite("A feed's file, read in chunks")
struct FeedFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func text(_ file: consuming FeedFile, chunk: Int) throws(FeedFileError) -> String {
    var bytes: [UInt8] = []
    while let chunk = try file.nextChunk(chunk) { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func text(of path: String, chunk: Int = 1 << 20, input: Int = 1 << 16) throws(FeedFileError) -> String {
    try text(FeedFile(path, inputSize: input), chunk: chunk)
  }

  private func error(_ path: String) -> String? {
    do throws(FeedFileError) {
      _ = try text(of: path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("chunks of any size make up the whole text", arguments: [1, 2, 15, 16, 17, 100, 1 << 20])
  func chunks(size: Int) throws {
    #expect(try text(of: folder.file("week", lines(40)), chunk: size) == lines(40))
  }

  @Test("no chunk is empty, and none is longer than asked")
  func sizes() throws {
    var file = try FeedFile(folder.file("week", lines(40)))
    var sizes: [Int] = []
    while let chunk = try file.nextChunk(100) { sizes.append(chunk.count) }
    #expect(sizes.dropLast().allSatisfy { $0 == 100 })
    #expect((1...100).contains(sizes.last ?? 0))
    #expect(sizes.reduce(0, +) == lines(40).utf8.count)
  }

  @Test("gzip is known by its first bytes, whatever the name, and inflated", arguments: [1, 7, 1 << 16])
  func compressed(input: Int) throws {
    let path = try folder.file("week.ndjson", gzip(lines(300)))
    #expect(try text(of: path, chunk: 64, input: input) == lines(300))
  }

  @Test("several members follow one another, and zeros may fill up the end", arguments: [1, 7, 1 << 16])
  func members(input: Int) throws {
    let bytes = gzip(lines(30)) + gzip("") + gzip(lines(3)) + Array(repeating: 0, count: 512)
    #expect(try text(of: folder.file("week.gz", bytes), input: input) == lines(30) + lines(3))
  }

  @Test("standard input is read where the path is a dash, compressed or not", arguments: [true, false])
  func standardInput(isCompressed: Bool) throws {
    let bytes = isCompressed ? gzip(lines(30)) : Array(lines(30).utf8)
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    try pipe.fileHandleForWriting.close()
    let number = pipe.fileHandleForReading.fileDescriptor
    #expect(try text(FeedFile("-", standardInput: number, inputSize: 64), chunk: 50) == lines(30))
  }

  @Test("every cut of a gzip file is reported with the place in the text")
  func truncated() throws {
    let whole = gzip("a short line\n")
    for length in 2..<whole.count {
      let path = try folder.file("week.gz", Array(whole.prefix(length)))
      let told = try #require(error(path), "cut off behind \(length) bytes it is read without an error")
      #expect(told.hasPrefix("\(path): found the end of the file behind "))
    }
    #expect(
      try error(folder.file("week.gz", whole.dropLast()))?
        .hasSuffix("found the end of the file behind 13 bytes of text, expected a whole gzip file; fetch it again.")
        == true)
  }

  @Test("a flipped bit of a gzip file's data or checksums is reported")
  func damaged() throws {
    let whole = gzip(lines(50))
    var harmless = 0
    for place in 10..<whole.count {
      var bytes = whole
      bytes[place] ^= 0x10
      let path = try folder.file("week.gz", bytes)
      if error(path) == nil {
        harmless += 1
        #expect(try text(of: path) == lines(50), "bit flipped in byte \(place)")
      }
    }
    // The data's last byte has bits that mean nothing.
    #expect(harmless <= 1)
  }

  @Test("bytes behind a gzip member that belong to none are reported")
  func trailing() throws {
    for tail in [[UInt8(ascii: "x")], [0, 0, 1]] {
      let told = try error(folder.file("week.gz", gzip("ab") + tail))
      #expect(told?.contains("found bytes that belong to no member behind 2 bytes of text") == true)
    }
  }

  @Test("what cannot be read is reported by name: missing, a directory, empty, another format")
  func unreadable() throws {
    #expect(error("no-such-week") == "no-such-week: found nothing of that name, expected a file of a club's feed.")
    #expect(error(folder.path) == "\(folder.path): found a directory, expected a file in it.")
    let empty = try folder.file("empty", "")
    #expect(error(empty) == "\(empty): found an empty file, expected a file of a club's feed.")
    #expect(error(empty + "/week")?.contains("found the system's refusal 'not a directory'") == true)
    let formats = ["PK\u{3}\u{4}...": "a zip archive", "%PDF-1.7": "a PDF", "SQLite format 3\0": "an SQLite database"]
    for (text, name) in formats {
      #expect(try error(folder.file("week", text))?.contains("found \(name), expected") == true)
    }
    #expect(try error(folder.file("week", [0xFF, 0xFE, 0x5B, 0]))?.contains("found text in UTF-16") == true)
  }

  @Test("a refusal of the system while reading is reported")
  func refusal() throws {
    // Nothing is mapped at address 0, where reading begins.
    #expect(error("/proc/self/mem")?.hasPrefix("/proc/self/mem: found the system's refusal '") == true)
  }

  @Test(
    "a file that its reader may not open is reported", .enabled(if: geteuid() != 0, "a superuser may read everything"))
  func forbidden() throws {
    let path = try folder.file("week", "[]")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(error(path)?.contains("found no permission to read it") == true)
  }
}
