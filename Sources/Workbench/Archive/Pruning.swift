// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
package import Foundation
internal import Reporting

package struct Pruning: Hashable, Sendable {
  package struct Folder: Hashable, Sendable {
    package enum Obstacle: Hashable, Sendable, CustomStringConvertible {
      case isGone
      /// It is not directly below the folder of all runs.
      case isElsewhere(root: String)
      case isLink
      /// The folder holds no run, or none that this version can read.
      case isNoRun
      /// The folder has another run, which stays.
      case holdsAnotherRun
      case isUnderWay
      case refused(String)

      /// The reason for people, after "stays" or "goes from the history only".
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

      /// True if the runs of the folder stay in the history as well.
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

extension Pruning {
  /// The prospects of the folders of runs that go, each named once.
  fileprivate init(
    of going: [RecordedRun], among all: [RecordedRun], root: String,
    _ obstacle: (RunFolder, [RecordedRun]) -> Folder.Obstacle?
  ) {
    let numbers = Set(going.map(\.id))
    let kept = Set(all.filter { !numbers.contains($0.id) }.map(\.folder))
    let byFolder = Dictionary(grouping: going, by: \.folder)
    var named: Set<String> = []
    let paths = going.map(\.folder).filter { named.insert($0).inserted }
    let home = URL(fileURLWithPath: FilePath.literal(root)).resolvingSymlinksInPath().path
    var homes: [String: Bool] = [:]
    folders = paths.map { path in
      let location = URL(fileURLWithPath: path).standardizedFileURL
      let parent = location.deletingLastPathComponent()
      let isHome = homes[parent.path] ?? (parent.resolvingSymlinksInPath().path == home)
      homes[parent.path] = isHome
      let folder = RunFolder(location.path)
      return Folder(
        path: path,
        obstacle: kept.contains(path)
          ? .holdsAnotherRun
          : Self.obstacle(folder, isHome: isHome, root: root) ?? obstacle(folder, byFolder[path] ?? []))
    }
    runs = going
  }

  /// The reason why a path is no folder of a run directly below the folder of all runs.
  private static func obstacle(_ folder: RunFolder, isHome: Bool, root: String) -> Folder.Obstacle? {
    let kind = FileKind(at: folder.path)
    if kind == .nothing { return .isGone }
    if kind == .link { return .isLink }
    guard isHome else { return .isElsewhere(root: root) }
    return kind == .folder && folder.has(.run) ? nil : .isNoRun
  }
}

extension History {
  /// The runs that pruning would remove: those that are neither among the latest `keep` of their scenario nor younger
  /// than `age`; `nil` keeps none for that reason. Nothing outside `root`, the folder of all runs, is ever removed.
  package func pruning(
    keeping keep: Int?, olderThan age: Duration?, root: String, now: Date = Date()
  ) throws(ArchiveError) -> Pruning {
    let all = try read(everyRun)
    let oldest = age.map { now.addingTimeInterval(-($0 / .seconds(1))) }
    var seen: [String: Int] = [:]
    let going = all.filter { run in
      seen[run.slug, default: 0] += 1
      let isAmongLatest = keep.map { seen[run.slug, default: 0] <= $0 } ?? false
      let isYoung = oldest.map { run.started >= $0 } ?? false
      return !isAmongLatest && !isYoung
    }
    return Pruning(of: going, among: all, root: root) { folder, runs in
      FolderLock.holder(of: folder) == nil ? folder.obstacle(to: runs) : .isUnderWay
    }
  }

  /// Removes the runs of a plan from the history, and their folders if these have runs of the plan only.
  ///
  /// A folder is renamed first, then its runs are removed from the history, and then its files are removed, so that the
  /// next pruning removes the rest after a crash. A run that begins meanwhile is safe: it holds its folder's lock and
  /// is not in the plan.
  package func prune(_ plan: Pruning, root: String) throws(ArchiveError) -> Pruning {
    let numbers = Set(plan.runs.map(\.id))
    var pruning = try write { database in
      let all = try everyRun(database)
      var pruning = Pruning(of: all.filter { numbers.contains($0.id) }, among: all, root: root) { folder, runs in
        folder.setAside(with: runs)
      }
      let staying = Set(pruning.folders.filter { $0.obstacle?.keepsRuns ?? false }.map(\.path))
      pruning.runs.removeAll { staying.contains($0.folder) }
      let deletion = try database.prepare("DELETE FROM runs WHERE id = ?")
      for run in pruning.runs { try deletion.run([run.id]) }
      try database.run(
        "DELETE FROM scenarios WHERE id NOT IN (SELECT scenario FROM runs WHERE scenario IS NOT NULL)")
      return pruning
    }
    pruning.folders += RunFolder.removeLeftovers(in: root)
    return pruning
  }

  /// All runs, the newest first.
  private func everyRun(_ database: SQLiteConnection) throws -> [RecordedRun] {
    try database.run("\(Self.selection) ORDER BY started DESC, id DESC").map(run)
  }
}

extension RunFolder {
  /// The prefix of the name of a folder that is being removed.
  private static let removal = ".removed-"

  static func isBeingRemoved(_ name: String) -> Bool { name.hasPrefix(removal) }

  /// The reason why the folder must stay if some runs go; `nil` if it has runs of these only.
  fileprivate func obstacle(to runs: [RecordedRun]) -> Pruning.Folder.Obstacle? {
    guard let file = try? RunFile(contentsOf: path(.run)) else { return .isNoRun }
    let known = runs.map { [RunRecord.text(of: $0.started), "\($0.process)"] }
    let held = [file.latest, file.completed].compactMap(\.self)
    return held.allSatisfy { known.contains([RunRecord.text(of: $0.started), "\($0.process)"]) }
      ? nil : .holdsAnotherRun
  }

  /// Gives the folder a name that `removeLeftovers` knows, unless it must stay.
  fileprivate func setAside(with runs: [RecordedRun]) -> Pruning.Folder.Obstacle? {
    do throws(ArchiveError) {
      let lock = try FolderLock(of: self)
      defer { lock.release() }
      if let obstacle = obstacle(to: runs) { return obstacle }
      let home = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard unsafe rename(path, "\(home)/\(Self.removal)\(UUID().uuidString)") == 0 else {
        return .refused(SystemCause.message(of: errno))
      }
      return nil
    } catch {
      if case .inUse = error { return .isUnderWay }
      return .refused(error.description)
    }
  }

  private var hasTemporaryFiles: Bool {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).contains(where: AtomicFile.isTemporary)
  }

  /// Removes leftovers of killed processes below the folder of all runs: folders that were set aside, and temporary
  /// files that no process writes. Returns the folders that cannot be removed.
  @discardableResult
  static func removeLeftovers(in root: String) -> [Pruning.Folder] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return names.sorted().compactMap { name in
      let folder = RunFolder("\(root)/\(name)")
      var status = stat()
      guard unsafe lstat(folder.path, &status) == 0 else { return nil }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where isBeingRemoved(name):
        do {
          try FileManager.default.removeItem(atPath: folder.path)
        } catch {
          // Another process may be removing it, too.
          guard let code = SystemCause.code(of: error), code != ENOENT, code != ENOTEMPTY else { return nil }
          return Pruning.Folder(path: folder.path, obstacle: .refused(SystemCause.message(of: code)))
        }
      case S_IFDIR where folder.hasTemporaryFiles:
        guard let lock = try? FolderLock(of: folder) else { return nil }
        folder.removeTemporaryFiles()
        lock.release()
      case S_IFREG where AtomicFile.isTemporary(name) && time(nil) - status.st_mtim.tv_sec > 3_600:
        _ = unsafe unlink(folder.path)
      default: break
      }
      return nil
    }
  }
}
