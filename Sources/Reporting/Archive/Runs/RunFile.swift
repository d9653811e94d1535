// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import Reporting

/// `run.json`: the latest run in a folder, and the one whose complete result still lies there if that is another.
package struct RunFile: Hashable, Sendable {
  /// The latest run.
  package let latest: RunRecord
  /// The run that `result.json` is of, where the latest has not come to a result itself.
  package let previous: RunRecord?

  /// The latest run in a folder, and the one whose result still lies there if that is another.
  package init(latest: RunRecord, previous: RunRecord?) {
    (self.latest, self.previous) = (latest, previous)
  }

  /// The run that `result.json` is of; `nil` where no run was completed yet.
  package var completed: RunRecord? { latest.status == .complete ? latest : previous }

  /// The document, its schema first.
  package var json: JSONValue {
    .object(
      [JSONMember("schema", .string(Schema.run.text))] + latest.members + [
        JSONMember("previous", previous.map(\.json) ?? .null)
      ])
  }

  /// Reads a file.
  ///
  /// - Parameter path: `run.json` of a run's folder.
  /// - Throws: `ArchiveError`: the file cannot be read, is damaged, is something else, or was made by a newer Assay.
  package init(contentsOf path: String) throws(ArchiveError) {
    let json = try ArchiveError.about { () throws(ReportingError) in
      try JSONValue(parsing: TextFile.read(path), file: path)
    }
    let document = JSONField(json, file: path)
    try Schema.run.check(document, maker: "assay")
    self = try ArchiveError.about { () throws(ReportingError) in
      let previous = try document.member("previous")
      let record: RunRecord? = if let previous, previous.value != .null { try RunRecord(json: previous) } else { nil }
      return Self(latest: try RunRecord(json: document), previous: record)
    }
  }
}
