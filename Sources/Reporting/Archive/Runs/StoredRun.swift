// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// What lies in a run's folder.
package struct StoredRun: Hashable, Sendable {
  /// How far it can be relied on.
  package enum Condition: Hashable, Sendable {
    /// The latest run came to its end.
    case complete
    /// A process is writing into it.
    case underWay
    /// The latest run was killed.
    case killed
    /// The latest run was ended early, by request.
    case interrupted
    /// The latest run ended with an error.
    case failed
    /// A newer Assay made it.
    case newer(ArchiveError)
    /// A file of it is missing or is not what it should be.
    case damaged(ArchiveError)
  }

  /// The folder.
  package let folder: RunFolder
  /// How far it can be relied on.
  package let condition: Condition
  /// The latest run; `nil` where `run.json` cannot be read.
  package let latest: RunRecord?
  /// The run that `document` is of.
  package let completed: RunRecord?
  /// The latest complete result; it stays while a later run is under way, was killed, was interrupted or failed.
  package let document: ResultDocument?
  /// What an interrupted run knew.
  package let partial: ResultDocument?

  /// Looks into a folder; whatever is wrong with it is told by the condition.
  ///
  /// - Parameter folder: the folder.
  package init(_ folder: RunFolder) {
    self.folder = folder
    let run = Self.read(folder, .run, RunFile.init(contentsOf:))
    let result = Self.read(folder, .result, ResultDocument.init(contentsOf:))
    let partial = Self.read(folder, .partial, ResultDocument.init(contentsOf:))
    latest = run.value?.latest
    completed = run.value?.completed
    document = result.value
    self.partial = partial.value
    let isHeld = FolderLock.holder(of: folder) != nil
    let errors = [run.error, result.error, partial.error].compactMap(\.self)
    let newer = errors.first { if case .newerSchema = $0 { true } else { false } }
    condition =
      if let newer {
        .newer(newer)
      } else if let error = errors.first {
        .damaged(error)
      } else if isHeld {
        .underWay
      } else if let latest {
        Self.condition(of: latest, in: folder, hasResult: document != nil)
      } else {
        .damaged(.missing(file: folder.path(.run)))
      }
  }

  private static func condition(of run: RunRecord, in folder: RunFolder, hasResult: Bool) -> Condition {
    switch run.status {
    case .incomplete: .killed
    case .interrupted: .interrupted
    case .failed: .failed
    case .complete: hasResult ? .complete : .damaged(.missing(file: folder.path(.result)))
    }
  }

  /// A file of the folder, or why it cannot be read; neither where it is not there.
  private static func read<Value>(
    _ folder: RunFolder, _ name: RunFolder.Name, _ reader: (String) throws(ArchiveError) -> Value
  ) -> (value: Value?, error: ArchiveError?) {
    guard folder.has(name) else { return (nil, nil) }
    do { return (try reader(folder.path(name)), nil) } catch { return (nil, error) }
  }

  /// The version of Assay whose result it is, where that is not this one.
  package var otherVersion: String? {
    guard let version = document?.version ?? latest?.assay, version != Version.current else { return nil }
    return version
  }

  /// The condition for people, in a sentence or a word.
  package var summary: String {
    let since = latest.map { " on \(RunRecord.text(of: $0.started))" } ?? ""
    let kept = document != nil && condition != .complete ? " The earlier complete result is kept." : ""
    switch condition {
    case .complete: return otherVersion.map { "complete, by Assay \($0)" } ?? "complete"
    case .underWay: return "Under way since the start\(since)." + kept
    case .killed: return "Incomplete: begun\(since) and killed. To run it again: \(latest?.command ?? "")." + kept
    case .interrupted: return "Incomplete: begun\(since) and ended early by request." + kept
    case .failed: return "Failed: \(latest?.error ?? "")" + kept
    case .newer(let error): return error.description
    case .damaged(let error): return "Damaged: \(error)"
    }
  }
}
