// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What a JSON file calls its own form: a name and a number, as in `assay.result/1`.
///
/// The number grows when a reader that knows the one before would misunderstand the file; members may be added without.
struct Schema: Hashable {
  /// The form of `result.json` and `partial.json`.
  static let result = Schema(name: "assay.result", number: 1)
  /// The form of `run.json`.
  static let run = Schema(name: "assay.run", number: 1)

  let name: String
  let number: Int

  var text: String { "\(name)/\(number)" }

  /// Checks that a document is of this form, or of an earlier one, which is read as well.
  ///
  /// - Parameters:
  ///   - document: the whole document.
  ///   - maker: the member that names the version of Assay that made it.
  /// - Throws: `ArchiveError.newerSchema`, `.otherSchema`, or `.file` where there is no schema at all.
  func check(_ document: JSONField, maker: String) throws(ArchiveError) {
    let found = try ArchiveError.about { () throws(ReportingError) in try document.required("schema").string() }
    let parts = found.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == name, let number = Int(parts[1]), number >= 1 else {
      throw .otherSchema(file: document.file, found: found, expected: text)
    }
    guard number <= self.number else {
      let version = try? document.member(maker)?.string()
      throw .newerSchema(file: document.file, found: found, known: text, version: version)
    }
  }
}

extension ArchiveError {
  /// Does something with files whose errors become those of the archive.
  static func about<Value>(_ work: () throws(ReportingError) -> Value) throws(ArchiveError) -> Value {
    do { return try work() } catch { throw .file(error) }
  }
}
