// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// What lies in a run's folder.
struct StoredRun: Hashable, Sendable {
  enum Condition: Hashable, Sendable {
    case complete
    case underWay
    case killed
    case interrupted
    case failed
    case newer(ArchiveError)
    case damaged(ArchiveError)
  }

  let folder: RunFolder
  let condition: Condition
  /// The latest run; `nil` where `run.json` cannot be read.
  let latest: RunRecord?
  /// The run that `document` is of.
  let completed: RunRecord?
  /// The latest complete result; it stays while a later run is under way, was killed, was interrupted or failed.
  let document: ResultDocument?
  /// What an interrupted run knew.
  let partial: ResultDocument?

  init(_ folder: RunFolder) {
    self.folder = folder
    var errors: [ArchiveError] = []
    func read<Value>(_ name: RunFolder.Name, _ reader: (String) throws(ArchiveError) -> Value) -> Value? {
      guard folder.has(name) else { return nil }
      do {
        return try reader(folder.path(name))
      } catch {
        errors.append(error)
        return nil
      }
    }
    let run = read(.run, RunFile.init(contentsOf:))
    (latest, completed) = (run?.latest, run?.completed)
    document = read(.result, ResultDocument.init(contentsOf:))
    partial = read(.partial, ResultDocument.init(contentsOf:))
    let isHeld = FolderLock.holder(of: folder) != nil
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

  /// What goes on with the run, or runs it again.
  var hint: String {
    folder.has(.checkpoint)
      ? "To continue it: \(ShellLine.text(["assay", "resume", folder.path]))"
      : "To run it again: \(latest?.command ?? "")"
  }

  var summary: String {
    let since = latest.map { " on \(RunRecord.text(of: $0.started))" } ?? ""
    let kept = document != nil && condition != .complete ? " The earlier complete result is kept." : ""
    switch condition {
    case .complete:
      let version = document?.version ?? Version.current
      return version == Version.current ? "complete" : "complete, by Assay \(version)"
    case .underWay: return "Under way since the start\(since)." + kept
    case .killed: return "Incomplete: begun\(since) and killed. \(hint)." + kept
    case .interrupted:
      return "Incomplete: begun\(since) and ended early by request."
        + (folder.has(.checkpoint) ? " \(hint)." : "") + kept
    case .failed: return "Failed: \(latest?.error ?? "")" + kept
    case .newer(let error): return error.description
    case .damaged(let error): return "Damaged: \(error)"
    }
  }
}
