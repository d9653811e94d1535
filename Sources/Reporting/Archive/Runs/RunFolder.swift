// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The folder of a scenario's runs, `<slug>-<digest>`: the latest result, and what tells of the run that made it.
package struct RunFolder: Hashable, Sendable {
  /// The files that every run's folder may have.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    /// The scenario as resolved.
    case scenario = "scenario.yaml"
    /// What the scenario and its seed determine.
    case result = "result.json"
    /// When, where and how fast.
    case run = "run.json"
    /// The page for people.
    case report = "report.html"
    /// The cases for build servers.
    case junit = "junit.xml"
    /// What an interrupted run knew.
    case partial = "partial.json"
    /// The page of a run that is not complete, beside that of an earlier complete one.
    case partialReport = "partial-report.html"
    /// The cases of a run that is not complete, beside those of an earlier complete one.
    case partialJUnit = "partial-junit.xml"
    /// The folder for pictures.
    case figures
  }

  /// Where it lies.
  package let path: String

  /// A folder that is there already, or not.
  package init(_ path: String) {
    self.path = path
  }

  /// The folder of a scenario.
  ///
  /// - Parameters:
  ///   - root: the folder of all runs.
  ///   - slug: what the scenario's file is called, without folder and ending.
  ///   - digest: the digest of the scenario as resolved.
  package init(root: String, slug: String, digest: String) {
    path = "\(root)/\(slug)-\(digest)"
  }

  /// Where a file of it lies, whether it is there or not.
  package func path(_ name: Name) -> String { path(name.rawValue) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func has(_ name: Name) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The runs below a folder, by name. One that is damaged or of another version does not keep the others from view.
  ///
  /// - Parameter root: the folder of all runs; there are none where it does not exist.
  /// - Returns: what is in each folder that holds a run.
  /// - Throws: `ArchiveError` where the folder itself cannot be read.
  package static func all(in root: String) throws(ArchiveError) -> [StoredRun] {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: root, isDirectory: &isFolder) else { return [] }
    guard isFolder.boolValue else { throw .notAFolder(path: root) }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: root)
    } catch {
      let cause = SystemCause.message(of: error)
      throw .file(.unreadable(path: root, cause: cause, cure: "check its permissions"))
    }
    return names.sorted().map { RunFolder("\(root)/\($0)") }
      .filter { folder in [Name.run, .result, .partial].contains { folder.has($0) } }
      .map(StoredRun.init)
  }

  /// Removes the folder with all that is in it.
  ///
  /// - Throws: `ArchiveError.inUse` while a run writes into it, `.file` where the system refuses.
  package func remove() throws(ArchiveError) {
    let lock = try FolderLock(of: self)
    defer { lock.release() }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .file(.unwritable(path: path, cause: SystemCause.message(of: error), cure: "check its permissions"))
    }
  }
}
