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

  private func read(
    _ text: String, workers: Int, chunk: Int = 1 << 18, isLenient: Bool = false
  ) throws(FeedFileError) -> FeedTally {
    let path = "\(folder.path)/week"
    _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
    let reader = FeedReader(workers: workers, isLenient: isLenient, counting: .all, chunk: chunk)
    return try Self.tally(reader.read(path))
  }

  private static func tally(_ content: FeedContent) -> FeedTally {
    if case .tally(let tally) = content { return tally }
    Issue.record("a page was kept")
    return FeedTally()
  }

  private func error(_ text: String, workers: Int = 2, chunk: Int = 1 << 18, isLenient: Bool = false) -> String? {
    do throws(FeedFileError) {
      _ = try read(text, workers: workers, chunk: chunk, isLenient: isLenient)
      return nil
    } catch {
      return error.description.replacing("\(folder.path)/", with: "")
    }
  }

  @Test("any number of workers and chunks cut at any place give the same week", arguments: [1, 2, 3])
  func borders(workers: Int) throws {
    let week = WeekTally(Self.activities, counting: .all)
    let unended = String(Self.lines.dropLast())
    let texts = [Self.lines, Self.lines.replacing("\n", with: "\r\n"), unended, "\n \n" + Self.lines + "\n\n"]
    let sizes = Array(1...300) + Array(stride(from: 300, through: Self.lines.utf8.count + 10, by: 97))
    for text in texts {
      for chunk in sizes {
        let found = try read(text, workers: workers, chunk: chunk)
        #expect(found.week == week)
        #expect(found.activities == 12 && found.problemCount == 0)
      }
    }
  }

  @Test("the first bad line of the file is refused by its number, with any number of workers", arguments: [1, 2, 3])
  func strict(workers: Int) throws {
    let bad = #"{"distance":true}"#
    for place in 0...12 {
      var lines = (0..<12).map(Self.line)
      lines.insert(bad, at: place)
      for end in ["\n", "\r\n"] {
        for chunk in [1, 100, 500, 1 << 18] {
          let told = error((lines + [bad]).joined(separator: end), workers: workers, chunk: chunk)
          #expect(told?.hasPrefix("week:\(place + 1): ") == true)
        }
      }
    }
  }

  @Test(
    "a lenient reading counts the good lines and reports each bad one with its number, in the file's order",
    arguments: [1, 2, 3])
  func lenient(workers: Int) throws {
    let bad = ["oops", "", #"{"a":1}"#, "[1]", #"{"distance":1e99}"#]
    let lines = zip((0..<12).map(Self.line), 0...).flatMap { line, index in [line, bad[index % bad.count]] }
    let expected = lines.indices.filter { $0 % 2 == 1 && !lines[$0].isEmpty }.map { $0 + 1 }
    for chunk in [1, 50, 128, 700, 1 << 18] {
      let found = try read(lines.joined(separator: "\n"), workers: workers, chunk: chunk, isLenient: true)
      #expect(found.week == WeekTally(Self.activities, counting: .all))
      let told = found.problems.map { "\($0)".split(separator: ":")[1] }
      #expect(told == expected.map { "\($0)" })
      #expect(found.problemCount == expected.count)
    }
  }

  @Test("the list of skipped lines has a bound, and their count has none", arguments: [1, 3])
  func bounded(workers: Int) throws {
    let lines = (1...2500).map { $0 % 5 == 0 ? Self.line($0) : "oops" }.joined(separator: "\n")
    let found = try read(lines, workers: workers, chunk: 1000, isLenient: true)
    #expect(found.activities == 500 && found.problemCount == 2000)
    #expect(found.problems.count == FeedLimits.problems)
    #expect(found.problems.last?.description.contains("week:1249: ") == true)
  }

  @Test("a line beyond all bounds is reported with its number, and the lines around it count", arguments: [1, 2, 3])
  func overlong(workers: Int) throws {
    let long = #"{"name":""# + String(repeating: "x", count: 3 << 20) + #""}"#
    let text = [Self.line(1), long, Self.line(2), long].joined(separator: "\n")
    for chunk in [1 << 15, 1 << 18, 1 << 23] {
      let found = try read(text, workers: workers, chunk: chunk, isLenient: true)
      #expect(found.activities == 2 && found.problemCount == 2)
      #expect(found.problems.map { "\($0)".split(separator: ":")[1] } == ["2", "4"])
      #expect(found.problems.allSatisfy { "\($0)".contains("found more than 1048576 bytes") })
    }
  }

  @Test("blank files, the service's errors and what is no feed are refused, lenient or not", arguments: [true, false])
  func refused(isLenient: Bool) throws {
    #expect(error(" \n\r\n", isLenient: isLenient)?.hasPrefix("week:1: found an empty feed") == true)
    #expect(error("oops\n", isLenient: isLenient)?.hasPrefix("week:1: found oops") == true)
  }

  @Test("a page is kept, whatever the chunks and workers, and refused for a bad activity", arguments: [true, false])
  func pages(isLenient: Bool) throws {
    for bytes in [
      Activity.page(Self.activities), gzip(String(decoding: Activity.page(Self.activities), as: UTF8.self)),
    ] {
      let path = try folder.file("page", bytes)
      for chunk in [20, 333, 1 << 18] {
        let reader = FeedReader(workers: 2, isLenient: isLenient, chunk: chunk)
        guard case .page(let activities, let bytes) = try reader.read(path) else {
          Issue.record("no page")
          continue
        }
        #expect(activities == Self.activities)
        #expect(bytes == Activity.page(Self.activities).count, "the text counts, however well it is compressed")
      }
    }
    let bad = try folder.file("bad", "[\(Self.line(1)),\n{}]")
    let refusal = #expect(throws: FeedFileError.self) { try FeedReader(workers: 2, isLenient: isLenient).read(bad) }
    #expect(refusal?.description.hasPrefix("\(bad):2: activity 2: ") == true)
  }

  @Test("a large page is tallied unless it is to be kept, however small it is compressed", arguments: [false, true])
  func largePage(isCompressed: Bool) throws {
    let title = String(repeating: "x", count: 4000)
    let activities = (0..<2200).map { number in
      var activity = Self.activity(number)
      activity.title = title
      return activity
    }
    let page = Activity.page(activities)
    let path = try folder.file("page", isCompressed ? gzip(String(decoding: page, as: UTF8.self)) : page)
    let tally = try Self.tally(FeedReader(workers: 2, isLenient: true, counting: .all).read(path))
    #expect(tally.week == WeekTally(activities, counting: .all))
    guard case .page(let kept, _) = try FeedReader(workers: 2).read(path, keepingUpTo: FeedReader.mostKeptTogether)
    else {
      Issue.record("not kept")
      return
    }
    #expect(kept == activities)
  }

  @Test("a page that exceeds the room for pages read together is refused", arguments: [false, true])
  func tooMuchTogether(isCompressed: Bool) throws {
    let page = Activity.page(Self.activities)
    let path = try folder.file("page", isCompressed ? gzip(String(decoding: page, as: UTF8.self)) : page)
    let reader = FeedReader(workers: 1, chunk: 100)
    let refusal = #expect(throws: FeedFileError.self) { try reader.read(path, keepingUpTo: page.count - 1) }
    #expect(
      refusal?.description == """
        \(path): found more than 32 MiB of text in pages that are read together, expected at most that, decompressed; \
        name a large page alone, or write it with one activity a line.
        """)
    guard case .page(Self.activities, page.count) = try reader.read(path, keepingUpTo: page.count) else {
      Issue.record("not kept")
      return
    }
  }

  @Test("names are accepted up to a bound, with any number of workers, lenient or not", arguments: [1, 2])
  func members(workers: Int) throws {
    let padding = String(repeating: "x", count: 480)
    func lines(_ count: Int) -> String {
      (0..<count).map { number in
        let name = AthleteName(first: "\(number)\(padding)", last: "\(padding)")
        let activity = Activity(
          member: MemberIdentity(name: name), title: "", sport: .ride, distance: .zero, movingTime: 1, elapsedTime: 1)
        return String(decoding: activity.json, as: UTF8.self)
      }.joined(separator: "\n")
    }
    let bound = FeedLimits.memberBytes / 1000
    #expect(error(lines(bound * 9 / 10), workers: workers) == nil)
    let tooMany = lines(bound * 11 / 10)
    let page = "[" + tooMany.replacing("\n", with: ",\n") + "]"
    for (text, isLenient) in [(tooMany, false), (tooMany, true), (page, true)] {
      #expect(
        error(text, workers: workers, isLenient: isLenient) == """
          week: found more than 32 MiB of members' names, expected at most that, about a million members; \
          give the members' activities in several runs.
          """)
    }
  }

  @Test("a gzip file that is cut off is refused with its line, lenient or not", arguments: [1, 2, 3])
  func truncated(workers: Int) throws {
    let whole = gzip(Self.lines) + gzip(Self.lines)
    let path = try folder.file("week.gz", whole.dropLast(4))
    let told = FeedFileError.damaged(
      path: path, line: 25, behind: 2 * Self.lines.utf8.count, found: "the end of the file")
    for isLenient in [true, false] {
      for chunk in [100, 1 << 18] {
        let reader = FeedReader(workers: workers, isLenient: isLenient, counting: .all, chunk: chunk)
        #expect(throws: told) { try reader.read(path) }
      }
    }
    #expect(told.description.hasPrefix("\(path):25: found the end of the file behind "))
  }

  @Test("standard input is a file like any other", arguments: [true, false])
  func standardInput(isCompressed: Bool) throws {
    let (pipe, text) = (Pipe(), Self.lines + "oops")
    try pipe.fileHandleForWriting.write(contentsOf: Data(isCompressed ? gzip(text) : Array(text.utf8)))
    try pipe.fileHandleForWriting.close()
    let reader = FeedReader(
      workers: 2, isLenient: true, counting: .all, chunk: 300,
      standardInput: pipe.fileHandleForReading.fileDescriptor)
    let found = try Self.tally(reader.read("-"))
    #expect(found.week == WeekTally(Self.activities, counting: .all))
    #expect(found.problems.first?.description.hasPrefix("-:13: ") == true)
  }

  // MARK: Compressed and other files

  private func error(of path: String) -> String? {
    do throws(FeedFileError) {
      _ = try FeedReader(workers: 1, counting: .all).read(path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("gzip is known by its first bytes, several members follow one another, and zeros may fill up the end")
  func members() throws {
    let many = (0..<4000).map { Self.line($0) + "\n" }.joined()
    let bytes = gzip(many) + gzip("") + gzip(Self.lines) + Array(repeating: 0, count: 512)
    let tally = try Self.tally(FeedReader(workers: 2, counting: .all).read(folder.file("week.ndjson", bytes)))
    #expect(tally.week == WeekTally((0..<4000).map(Self.activity) + Self.activities, counting: .all))
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
    for place in 10..<whole.count {
      var bytes = whole
      bytes[place] ^= 0x10
      let path = try folder.file("week.gz", bytes)
      guard error(of: path) == nil else { continue }
      harmless += 1
      let tally = try Self.tally(FeedReader(workers: 1, counting: .all).read(path))
      #expect(tally.week == WeekTally(Self.activities, counting: .all), "bit flipped in byte \(place)")
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
    #expect(error(of: "no-such-week") == "no-such-week: found no file of that name, expected a file of a club's feed.")
    #expect(error(of: folder.path) == "\(folder.path): found a directory, expected a file in it.")
    let empty = try folder.file("empty", "")
    #expect(error(of: empty) == "\(empty): found an empty file, expected a file of a club's feed.")
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
