// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
package import Foundation
internal import Reporting

package struct Pruning: Hashable, Sendable {
  package struct Folder: Hashable, Sendable {
    package enum Obstacle: Hashable, Sendable, CustomStringConvertible {
      case isGone
      /// It does not lie straight below the folder of all runs.
      case isElsewhere(root: String)
      case isLink
      /// What lies there is no run, or none that this version can read.
      case isNoRun
      /// A run that stays lies there.
      case holdsAnotherRun
      case isUnderWay
      case refused(String)

      /// For people, behind "stays" or "goes from the history only".
      package var description: String {
        switch self {
        case .isGone: "it is gone already"
        case .isElsewhere(let root): "it does not lie in '\(root)'"
        case .isLink: "it is a symbolic link"
        case .isNoRun: "it holds no run that can be read"
        case .holdsAnotherRun: "it holds a run that stays"
        case .isUnderWay: "a run is writing into it"
        case .refused(let cause): cause
        }
      }

      /// Whether the runs of the folder stay in the history as well.
      var keepsRuns: Bool {
        switch self {
        case .isUnderWay, .refused: true
        case .isGone, .isElsewhere, .isLink, .isNoRun, .holdsAnotherRun: false
        }
      }
    }

    package let path: String
    package let obstacle: Obstacle?
  }

  package internal(set) var runs: [RecordedRun]
  package internal(set) var folders: [Folder]
}

extension History {
  /// What pruning would remove: runs that are neither among the latest `keep` of their scenario (`nil` keeps none for
  /// that) nor younger than `age` (likewise). Nothing outside `root`, the folder of all runs, is ever removed.
  package func pruning(
    keeping keep: Int?, olderThan age: Duration?, root: String, now: Date = Date()
  ) throws(ArchiveError) -> Pruning {
    try read { database in try pruning(keep, age, root, now, database) }
  }

  /// Removes runs from the history, and their folders where these hold one of them and no other.
  ///
  /// A folder goes before its runs do, so that what is left in the history after a crash is pruned the next time. A run
  /// that begins meanwhile is safe: it holds its folder's lock, and its record is not among those that go.
  package func prune(
    keeping keep: Int?, olderThan age: Duration?, root: String, now: Date = Date()
  ) throws(ArchiveError) -> Pruning {
    try write { database in
      var pruning = try pruning(keep, age, root, now, database)
      pruning.folders = pruning.folders.map { folder in
        folder.obstacle == nil ? Pruning.Folder(path: folder.path, obstacle: Self.remove(folder.path)) : folder
      }
      let staying = Set(pruning.folders.filter { $0.obstacle?.keepsRuns ?? false }.map(\.path))
      pruning.runs.removeAll { staying.contains($0.folder) }
      for run in pruning.runs { try database.run("DELETE FROM runs WHERE id = ?", run.id) }
      try database.run(
        "DELETE FROM scenarios WHERE id NOT IN (SELECT scenario FROM runs WHERE scenario IS NOT NULL)")
      return pruning
    }
  }

  private func pruning(
    _ keep: Int?, _ age: Duration?, _ root: String, _ now: Date, _ database: SQLiteConnection
  ) throws -> Pruning {
    let all = try database.run("SELECT * FROM runs ORDER BY started DESC, id DESC").map(run)
    let oldest = age.map { now.addingTimeInterval(-Double($0.components.seconds)) }
    var seen: [String: Int] = [:]
    let going = all.filter { run in
      seen[run.slug, default: 0] += 1
      let isAmongLatest = keep.map { seen[run.slug, default: 0] <= $0 } ?? false
      let isYoung = oldest.map { run.started >= $0 } ?? false
      return !isAmongLatest && !isYoung
    }
    let numbers = Set(going.map(\.id))
    let kept = Set(all.filter { !numbers.contains($0.id) }.map(\.folder))
    var (folders, named): ([Pruning.Folder], Set<String>) = ([], [])
    for path in going.map(\.folder) where named.insert(path).inserted {
      let runs = going.filter { $0.folder == path }
      let obstacle = kept.contains(path) ? .holdsAnotherRun : Self.obstacle(path, root: root, runs: runs)
      folders.append(Pruning.Folder(path: path, obstacle: obstacle))
    }
    return Pruning(runs: going, folders: folders)
  }

  /// Why a folder must stay; `nil` where it is the folder of one of the runs, straight below the root.
  private static func obstacle(_ path: String, root: String, runs: [RecordedRun]) -> Pruning.Folder.Obstacle? {
    let manager = FileManager.default
    let place = URL(fileURLWithPath: path).standardizedFileURL
    guard let type = (try? manager.attributesOfItem(atPath: place.path))?[.type] as? FileAttributeType else {
      return .isGone
    }
    if type == .typeSymbolicLink { return .isLink }
    let home = URL(fileURLWithPath: root).resolvingSymlinksInPath().path
    guard place.deletingLastPathComponent().resolvingSymlinksInPath().path == home else {
      return .isElsewhere(root: root)
    }
    let stored = StoredRun(RunFolder(place.path))
    guard type == .typeDirectory, let latest = stored.latest else { return .isNoRun }
    switch stored.condition {
    case .underWay: return .isUnderWay
    case .newer: return .isNoRun
    case .complete, .killed, .interrupted, .failed, .damaged: break
    }
    let known = runs.map { [RunRecord.text(of: $0.started), "\($0.process)"] }
    let held = [latest, stored.completed].compactMap(\.self)
    return held.allSatisfy { known.contains([RunRecord.text(of: $0.started), "\($0.process)"]) }
      ? nil : .holdsAnotherRun
  }

  private static func remove(_ path: String) -> Pruning.Folder.Obstacle? {
    do throws(ArchiveError) {
      try RunFolder(path).remove()
      return nil
    } catch {
      if case .inUse = error { return .isUnderWay }
      return .refused(error.description)
    }
  }
}
