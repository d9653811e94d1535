// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import FeedFiles
import Foundation
import TestSupport
import Testing

@Suite("Files of a feed, read into a week")
struct FeedReaderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func activity(_ number: Int) -> Activity {
    let name = AthleteName(first: "Rider\(number % 5)", last: "R.")
    let length = Length(decimetres: number * 1234 % 99_991) ?? .zero
    return Activity(
      member: MemberIdentity(name: name), title: String(repeating: "é", count: number % 9),
      sport: number % 3 == 0 ? .run : .ride, distance: length, movingTime: number % 7 * 100, elapsedTime: 900)
  }

  private static func line(_ number: Int) -> String { String(decoding: activity(number).json, as: UTF8.self) }

  private static let activities = (0..<12).map(activity)
  private static let lines = (0..<12).map { line($0) + "\n" }.joined()

  private func read(_ path: String) throws(FeedFileError) -> [Activity] {
    try FeedReader().read(path).entries.map(\.activity)
  }

  @Test("pages and lines are read alike, plain and compressed")
  func kinds() throws {
    for text in [Self.lines, String(decoding: Activity.page(Self.activities), as: UTF8.self)] {
      #expect(try read(folder.file("plain", text)) == Self.activities)
      #expect(try read(folder.file("compressed", gzip(text))) == Self.activities)
    }
  }

  @Test("a file beyond the limit is refused, however small it is compressed", arguments: [false, true])
  func limit(isCompressed: Bool) throws {
    let text = String(repeating: " ", count: 3 << 20) + Self.lines
    let path = try folder.file("week", isCompressed ? gzip(text) : Array(text.utf8))
    #expect(try FeedReader(limit: text.utf8.count).read(path).entries.count == 12)
    let refusal = #expect(throws: FeedFileError.self) { try FeedReader(limit: 3 << 20).read(path) }
    #expect(
      refusal?.description
        == "\(path): found more than 3 MiB of text, expected at most that in one file, decompressed; split it.")
  }

  @Test("a gzip file that is cut off is refused with its line")
  func truncated() throws {
    let whole = gzip(Self.lines) + gzip(Self.lines)
    let path = try folder.file("week.gz", whole.dropLast(4))
    let told = FeedFileError.damaged(
      path: path, line: 25, behind: 2 * Self.lines.utf8.count, found: "the end of the file")
    #expect(throws: told) { try read(path) }
    #expect(told.description.hasPrefix("\(path):25: found the end of the file behind "))
  }

  @Test("standard input is a file like any other", arguments: [true, false])
  func standardInput(isCompressed: Bool) throws {
    let (pipe, text) = (Pipe(), Self.lines + "oops")
    try pipe.fileHandleForWriting.write(contentsOf: Data(isCompressed ? gzip(text) : Array(text.utf8)))
    try pipe.fileHandleForWriting.close()
    let found = try FeedReader(standardInput: pipe.fileHandleForReading.fileDescriptor).read("-")
    #expect(found.entries.map(\.activity) == Self.activities)
    #expect(found.problems.map(\.description) == ["-:13: found oops, expected a value of JSON."])
  }

  // MARK: Compressed and other files

  private func error(of path: String) -> String? {
    do throws(FeedFileError) {
      _ = try FeedReader().read(path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("gzip is known by its first bytes, several members follow one another, and zeros may fill up the end")
  func members() throws {
    let many = (0..<4000).map { Self.line($0) + "\n" }.joined()
    let bytes = gzip(many) + gzip("") + gzip(Self.lines) + Array(repeating: 0, count: 512)
    #expect(try read(folder.file("week.ndjson", bytes)) == (0..<4000).map(Self.activity) + Self.activities)
  }

  @Test("every cut of a gzip file is reported with the place in the text")
  func cuts() throws {
    let whole = gzip("a short line\n")
    for length in 2..<whole.count {
      let path = try folder.file("week.gz", Array(whole.prefix(length)))
      let told = try #require(error(of: path), "cut off behind \(length) bytes it is read without an error")
      #expect(told.hasPrefix("\(path):") && told.contains(": found the end of the file behind "))
    }
    #expect(
      try error(of: folder.file("week.gz", whole.dropLast()))?
        .hasSuffix("found the end of the file behind 13 bytes of text, expected a whole gzip file; fetch it again.")
        == true)
  }

  @Test("a flipped bit of a gzip file's data or checksums is reported")
  func damaged() throws {
    let whole = gzip(Self.lines)
    var harmless = 0
    for index in 10..<whole.count {
      var bytes = whole
      bytes[index] ^= 0x10
      let path = try folder.file("week.gz", bytes)
      guard error(of: path) == nil else { continue }
      harmless += 1
      #expect(try read(path) == Self.activities, "bit flipped in byte \(index)")
    }
    // The data's last byte has bits that mean nothing.
    #expect(harmless <= 1)
  }

  @Test("bytes behind a gzip member that belong to none are reported", arguments: [[UInt8(ascii: "x")], [0, 0, 1]])
  func trailing(tail: [UInt8]) throws {
    let told = try error(of: folder.file("week.gz", gzip("ab") + tail))
    #expect(told?.contains("found bytes that belong to no member behind 2 bytes of text") == true)
  }

  @Test("what cannot be read is reported by name: missing, a directory, empty, another format, a system's refusal")
  func unreadable() throws {
    #expect(error(of: "no-such-week") == "no-such-week: found no file of that name, expected a file of activities.")
    #expect(error(of: folder.path) == "\(folder.path): found a directory, expected a file in it.")
    let empty = try folder.file("empty", "")
    #expect(error(of: empty) == "\(empty): found an empty file, expected a file of activities.")
    #expect(error(of: empty + "/week")?.contains("found the system's error 'not a directory'") == true)
    let formats = ["PK\u{3}\u{4}...": "a zip archive", "%PDF-1.7": "a PDF", "SQLite format 3\0": "an SQLite database"]
    for (text, name) in formats {
      #expect(try error(of: folder.file("week", text))?.contains("found \(name), expected") == true)
    }
    #expect(try error(of: folder.file("week", [0xFF, 0xFE, 0x5B, 0]))?.contains("found text in UTF-16") == true)
    // Nothing is mapped at address 0, where reading begins.
    #expect(error(of: "/proc/self/mem")?.hasPrefix("/proc/self/mem: found the system's error '") == true)
  }

  @Test(
    "a file that its reader may not open is reported", .enabled(if: geteuid() != 0, "a superuser may read everything"))
  func forbidden() throws {
    let path = try folder.file("week", "[]")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(error(of: path)?.contains("found no permission to read it") == true)
  }
}
