// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Foundation
internal import Reporting

/// A folder of feed files, each named after its week: `2026-W46.json`, `2026-W46-2.ndjson.gz`.
struct ClubHistoryFolder {
  /// The files by week, weeks ascending and the files of a week by name.
  let weeks: [(week: Week, files: [String])]
  /// The names of whatever else is there, sorted; hidden files aside.
  let others: [String]

  /// Looks into a folder.
  ///
  /// - Parameter path: The folder.
  /// - Throws: `CommandError` for what is no folder, and for one without any file of a week.
  init(_ path: String) throws(CommandError) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      let exists = FileManager.default.fileExists(atPath: path)
      throw .badValue(
        option: "--history", found: path,
        expected: exists ? "a folder that you may read, not a file" : "a folder that exists")
    }
    let shown = names.filter { !$0.hasPrefix(".") }.sorted()
    let dated = shown.compactMap { name in Self.week(ofFile: name).map { (week: $0, file: "\(path)/\(name)") } }
    guard !dated.isEmpty else {
      throw .badValue(
        option: "--history", found: path,
        expected: "a folder with files named after weeks, for example 2026-W46.json; there is none in it")
    }
    weeks = Dictionary(grouping: dated, by: \.week).sorted { $0.key < $1.key }.map { week, files in
      (week, files.map(\.file))
    }
    others = shown.filter { Self.week(ofFile: $0) == nil }
  }

  /// The week that a file is named after.
  ///
  /// - Parameter path: The file; folders before it do not matter.
  /// - Returns: The week that the name begins with; nil where it is no name of a week's feed.
  static func week(ofFile path: String) -> Week? {
    let name = URL(fileURLWithPath: path).lastPathComponent
    let endings = ["json", "ndjson", "jsonl"].flatMap { [".\($0)", ".\($0).gz"] }
    guard let week = Week(String(name.prefix(8))), endings.contains(where: name.lowercased().hasSuffix) else {
      return nil
    }
    let rest = name.dropFirst(8)
    return rest.first == "." || rest.first == "-" ? week : nil
  }
}
