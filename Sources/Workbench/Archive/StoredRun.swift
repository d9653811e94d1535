// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The content of a run's folder.
struct StoredRun: Hashable, Sendable {
  let folder: RunFolder
  /// The error of a file that is missing, damaged or of a newer version.
  let problem: ArchiveError?
  /// True if a process writes into the folder.
  let isUnderWay: Bool
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
    isUnderWay = FolderLock.holder(of: folder) != nil
    let lacks: RunFolder.Name? =
      isUnderWay ? nil : latest == nil ? .run : latest?.status == .complete && document == nil ? .result : nil
    problem = errors.first(where: \.isAboutNewer) ?? errors.first ?? lacks.map { .missing(file: folder.path($0)) }
  }

  var isComplete: Bool { problem == nil && !isUnderWay && latest?.status == .complete }

  /// True if it was killed before it kept anything, so that continuing it is to run it from the start.
  var canBegin: Bool {
    !isUnderWay && !folder.has(.checkpoint) && latest?.status == .incomplete && latest?.part != "merge"
  }

  /// The command that continues the run, or runs it again.
  var hint: String {
    folder.has(.checkpoint) || canBegin
      ? "To continue it: \(ShellLine.text(["assay", "resume", folder.path]))"
      : "To run it again: \(latest?.command ?? "")"
  }

  var summary: String {
    if let problem { return problem.isAboutNewer ? "\(problem)" : "Damaged: \(problem)" }
    if let part = latest?.part {
      return part == "merge"
        ? "A merge that waits for further shards." : "Shard \(part) of a run; 'assay merge' merges the shards."
    }
    let since = latest.map { " on \(RunRecord.text(of: $0.started))" } ?? ""
    let kept = document != nil && !isComplete ? " The earlier complete result is kept." : ""
    if isUnderWay { return "Under way since the start\(since)." + kept }
    switch latest?.status {
    case .incomplete: return "Incomplete: begun\(since) and killed. \(hint)." + kept
    case .interrupted:
      return "Incomplete: begun\(since) and ended early by request."
        + (folder.has(.checkpoint) ? " \(hint)." : "") + kept
    case .failed: return "Failed: \(latest?.error ?? "")" + kept
    case .complete, nil:
      let version = document?.version ?? Version.current
      return version == Version.current ? "complete" : "complete, by Assay \(version)"
    }
  }
}

/// A run that has begun and is not complete, by its folder. A history has a run only after its end.
package struct UnfinishedRun: Sendable {
  package let folder: String
  /// The scenario; for a shard the name of its folder.
  package let slug: String
  package let digest: String
  package let record: RunRecord
  /// True if a process writes into the folder.
  package let isUnderWay: Bool

  /// The run in a folder; `nil` if there is nothing to continue.
  init?(_ folder: RunFolder) {
    guard let text = folder.text(.scenario), folder.has(.run),
      let record = try? RunFile(contentsOf: folder.path(.run)).latest,
      folder.has(.checkpoint) || record.status == .incomplete && record.part != "merge"
    else { return nil }
    // A shard that is complete waits for the others.
    let isPart = record.part != nil && record.part != "merge"
    guard record.status != .complete, record.status != .interrupted || !isPart else { return nil }
    isUnderWay = FolderLock.holder(of: folder) != nil
    digest = Fingerprint.short(text)
    let name = URL(fileURLWithPath: folder.path).lastPathComponent
    let end = name.range(of: "-\(digest)", options: .backwards)?.lowerBound
    slug = isPart ? name : end.map { String(name[..<$0]) } ?? name
    (self.folder, self.record) = (folder.path, record)
  }

  /// `running`, `killed`, `interrupted` or `failed`.
  package var state: String {
    record.status == .incomplete ? isUnderWay ? "running" : "killed" : record.status.rawValue
  }

  /// The runs below the folder of all runs, the newest first.
  package static func all(below root: String) -> [UnfinishedRun] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return names.sorted().compactMap { UnfinishedRun(RunFolder("\(root)/\($0)")) }
      .sorted { $0.record.started > $1.record.started }
  }

  /// Returns true if a name is that of its scenario or of its folder.
  package func isNamed(_ name: String) -> Bool {
    slug == name || URL(fileURLWithPath: folder).lastPathComponent == name
  }
}
