// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// Files that are all written aside before any of them takes its place, so that a full disk costs nothing that was
/// there before.
struct StagedFiles {
  private static let stage = ".new"

  private let folder: RunFolder
  /// Their names, in the order in which they take their places.
  private(set) var names: [String] = []

  /// None yet; what a killed run left aside is removed.
  init(in folder: RunFolder) throws(ArchiveError) {
    self.folder = folder
    discard()
    let path = folder.path(Self.stage)
    try ArchiveError.about { () throws(ReportingError) in try AtomicFile.makeFolder(path) }
  }

  /// Writes a file aside.
  ///
  /// - Parameters:
  ///   - text: the whole content.
  ///   - name: its name in the folder, with the folder below it where there is one.
  /// - Throws: `ArchiveError.file` naming the cause; nothing is left aside then.
  mutating func add(_ text: String, as name: String) throws(ArchiveError) {
    let path = folder.path("\(Self.stage)/\(name)")
    do {
      try Self.makeFolder(of: path)
      try AtomicFile.write(text, to: path)
    } catch {
      discard()
      guard case .unwritable(_, let cause, let cure) = error else { throw .file(error) }
      throw .file(.unwritable(path: folder.path(name), cause: cause, cure: cure))
    }
    names.append(name)
  }

  /// Lets the files take their places, one after the other.
  ///
  /// - Throws: `ArchiveError.file` naming the cause.
  func place() throws(ArchiveError) {
    for name in names {
      let path = folder.path(name)
      try ArchiveError.about { () throws(ReportingError) in try Self.makeFolder(of: path) }
      guard unsafe rename(folder.path("\(Self.stage)/\(name)"), path) == 0 else {
        let cause = SystemCause.message(of: errno)
        throw .file(.unwritable(path: path, cause: cause, cure: "choose another place"))
      }
    }
    discard()
  }

  /// Removes what is still aside.
  func discard() {
    try? FileManager.default.removeItem(atPath: folder.path(Self.stage))
  }

  private static func makeFolder(of path: String) throws(ReportingError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: folder) { try AtomicFile.makeFolder(folder) }
  }
}
