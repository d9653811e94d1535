// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The content of a run's folder.
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
  /// The latest run; `nil` if `run.json` cannot be read.
  let latest: RunRecord?
  /// The run of `document`.
  let completed: RunRecord?
  /// The latest complete result; it stays while a later run is under way, was killed, was interrupted or failed.
  let document: ResultDocument?
  /// The partial result of an interrupted run.
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

  /// The command that continues the run, or runs it again.
  var hint: String {
    folder.has(.checkpoint)
      ? "To continue it: \(ShellLine.text(["assay", "resume", folder.path]))"
      : "To run it again: \(latest?.command ?? "")"
  }

  /// Whether files of the folder are damaged.
  var isDamaged: Bool {
    switch condition {
    case .newer, .damaged: true
    case .complete, .underWay, .killed, .interrupted, .failed: false
    }
  }

  var summary: String {
    if let part = latest?.part, !isDamaged {
      return part == "merge"
        ? "A merge that waits for further shards." : "Shard \(part) of a run; 'assay merge' merges the shards."
    }
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

/// A run that has begun and is not complete, by its folder. A history has a run only after its end.
package struct UnfinishedRun: Sendable {
  package enum State: String, Sendable {
    case running, killed, interrupted, failed
  }

  package let folder: String
  /// The scenario; for a shard the name of its folder.
  package let slug: String
  package let digest: String
  package let state: State
  package let record: RunRecord

  /// The run in a folder; `nil` if there is nothing to continue.
  init?(_ folder: RunFolder) {
    guard folder.has(.checkpoint), let text = folder.text(.scenario), folder.has(.run),
      let record = try? RunFile(contentsOf: folder.path(.run)).latest
    else { return nil }
    let isHeld = FolderLock.holder(of: folder) != nil
    switch record.status {
    case .incomplete: state = isHeld ? .running : .killed
    case .failed: state = .failed
    // A shard that is complete waits for the others.
    case .interrupted where record.part == nil || record.part == "merge": state = .interrupted
    case .interrupted, .complete: return nil
    }
    digest = Fingerprint.short(text)
    let name = URL(fileURLWithPath: folder.path).lastPathComponent
    let end = name.range(of: "-\(digest)", options: .backwards)?.lowerBound
    slug = record.part == nil || record.part == "merge" ? end.map { String(name[..<$0]) } ?? name : name
    (self.folder, self.record) = (folder.path, record)
  }

  /// The runs below the folder of all runs, the newest first.
  package static func all(below root: String) -> [UnfinishedRun] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return names.sorted().compactMap { UnfinishedRun(RunFolder("\(root)/\($0)")) }
      .sorted { $0.record.started > $1.record.started }
  }

  /// Whether a name is that of its scenario or of its folder.
  package func isNamed(_ name: String) -> Bool {
    slug == name || URL(fileURLWithPath: folder).lastPathComponent == name
  }
}
