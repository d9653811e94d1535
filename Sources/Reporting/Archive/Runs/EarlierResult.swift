// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The complete result that lay in a folder before a run.
struct EarlierResult {
  /// The run that made it; `nil` where `run.json` does not say.
  let record: RunRecord?
  private let folder: RunFolder
  private let text: String
  /// `nil` where the file is damaged.
  private let document: ResultDocument?

  /// What lies there; `nil` where nothing does.
  ///
  /// - Throws: `ArchiveError` where a newer Assay made it, or where it cannot even be read: this run would replace it.
  init?(in folder: RunFolder, record: RunRecord?) throws(ArchiveError) {
    guard folder.has(.result) else { return nil }
    (self.folder, self.record) = (folder, record)
    let path = folder.path(.result)
    do {
      document = try ResultDocument(contentsOf: path)
    } catch .newerSchema(let file, let found, let known, let version) {
      throw .newerSchema(file: file, found: found, known: known, version: version)
    } catch {
      document = nil
    }
    let data = FileManager.default.contents(atPath: path) ?? Data()
    text = String(decoding: data, as: UTF8.self)
  }

  /// What to say, and under which name to keep this result, when another takes its place; `nil` where both are the
  /// same but for the version that made them.
  func keeping(besides result: ResultDocument) -> (name: String, remark: String)? {
    guard text != result.text else { return nil }
    guard let document else {
      let name = folder.freeName(.result, "damaged")
      return (name, "The result that was there before is damaged; it was kept as \(name).")
    }
    let name = folder.freeName(.result, "earlier")
    if document.version == result.version {
      return (
        name,
        "NOT REPRODUCIBLE: the same scenario, seed and version gave another result before, which was kept as \(name)."
      )
    }
    guard document.json(by: result.version) != result.json else { return nil }
    return (name, "Assay \(document.version) gave another result, which was kept as \(name).")
  }
}

extension RunFolder {
  /// A name for a file that makes room for another, as in `result.earlier.json`, which no file has yet.
  func freeName(_ name: Name, _ word: String) -> String {
    let file = URL(fileURLWithPath: name.rawValue)
    let (stem, ending) = (file.deletingPathExtension().lastPathComponent, file.pathExtension)
    var count = 1
    while true {
      let free = "\(stem).\(word)\(count == 1 ? "" : "-\(count)").\(ending)"
      if !FileManager.default.fileExists(atPath: path(free)) { return free }
      count += 1
    }
  }

  /// Gives a file a second name, so that it stays when another takes its place.
  func keep(_ name: Name, as other: String) {
    // File systems without second names get a new name instead.
    if unsafe link(path(name), path(other)) != 0 { _ = unsafe rename(path(name), path(other)) }
  }
}
