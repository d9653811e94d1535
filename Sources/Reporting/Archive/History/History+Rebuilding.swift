// SPDX-License-Identifier: GPL-3.0-or-later
internal import GRDB
internal import Reporting

/// What reading run folders into the history came to.
package struct Rebuilding: Hashable, Sendable {
  /// A folder that was passed over.
  package struct PassedOver: Hashable, Sendable {
    /// The folder.
    package let folder: String
    /// Why, for people.
    package let cause: String
  }

  /// The runs that are new to the history, by their folders, the oldest first.
  package internal(set) var added: [String] = []
  /// The folders of runs that were known already.
  package internal(set) var known: [String] = []
  /// The folders without a run to record.
  package internal(set) var passedOver: [PassedOver] = []
}

extension History {
  /// Records the runs that lie in folders and are not in the history yet. What is in it stays as it is.
  ///
  /// A folder holds the latest run of a scenario and the latest complete one, so earlier runs do not come back.
  ///
  /// - Parameter root: the folder of all runs.
  /// - Returns: what was read.
  /// - Throws: `ArchiveError`: where the folder cannot be read, or the history refuses.
  package func rebuild(from root: String) throws(ArchiveError) -> Rebuilding {
    var rebuilding = Rebuilding()
    let stored = try RunFolder.all(in: root)
    let runs = stored.flatMap(Self.runs).sorted { $0.record.started < $1.record.started }
    for (folder, document, record) in runs {
      if try isKnown(record, folder: folder) {
        rebuilding.known.append(folder)
      } else {
        try self.record(document, record, folder: folder)
        rebuilding.added.append(folder)
      }
    }
    for one in stored where Self.runs(in: one).isEmpty {
      rebuilding.passedOver.append(Rebuilding.PassedOver(folder: one.folder.path, cause: one.summary))
    }
    return rebuilding
  }

  private typealias Found = (folder: String, document: ResultDocument, record: RunRecord)

  /// What a folder holds: the complete run, and a later one that was ended early.
  private static func runs(in stored: StoredRun) -> [Found] {
    var runs: [Found] = []
    if let document = stored.document, let record = stored.completed {
      runs.append((stored.folder.path, document, record))
    }
    if let document = stored.partial, let record = stored.latest, record.status == .interrupted {
      runs.append((stored.folder.path, document, record))
    }
    return runs
  }

  private func isKnown(_ record: RunRecord, folder: String) throws(ArchiveError) -> Bool {
    let place = stored(folder)
    return try read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE folder = ? AND started = ? AND process = ?)",
        arguments: [place, RunRecord.text(of: record.started), record.process]) ?? false
    }
  }
}
