// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

/// Writes one run into its folder, alone there from its beginning to its end.
///
/// The files of an earlier complete run stay until those of this one are all written. Until then, and for good where
/// this run does not come to its end, its own page and cases lie beside them under names of their own.
struct RunWriter {
  let folder: RunFolder
  /// The complete result that lay there before.
  let earlier: EarlierResult?
  private let scenario: String
  private let lock: FolderLock

  /// Makes the folder where there is none, and keeps others from it.
  ///
  /// - Parameters:
  ///   - scenario: what is to run.
  ///   - root: the folder of all runs.
  /// - Throws: `ArchiveError` where nothing can be written there, another run writes there, or a newer Assay did.
  init(of scenario: Scenario, in root: String) throws(ArchiveError) {
    folder = RunFolder(root: root, slug: scenario.slug, digest: scenario.digest)
    self.scenario = scenario.resolved
    try Self.make(folder)
    lock = try FolderLock(of: folder)
    folder.removeLeavings()
    let run = try Self.runFile(in: folder)
    earlier = try EarlierResult(in: folder, record: run?.completed)
  }

  /// Whether the folder is still there, and still this run's.
  var isInPlace: Bool { lock.isInPlace }

  /// Where the page of a run that is not complete goes.
  var unfinishedReport: RunFolder.Name { earlier == nil ? .report : .partialReport }

  /// Where the cases of a run that is not complete go.
  private var unfinishedJUnit: RunFolder.Name { earlier == nil ? .junit : .partialJUnit }

  /// Lets others write into the folder.
  func release() { lock.release() }

  /// Marks the folder as that of a run that has begun.
  func begin(_ record: RunRecord, report: String) throws(ArchiveError) {
    try place([(RunFolder.Name.scenario.rawValue, scenario), (unfinishedReport.rawValue, report)], record)
    // Cases of an earlier run that was not completed either would be taken for those of this one.
    folder.removeOwn(unfinishedJUnit.rawValue)
  }

  /// Writes what a run that failed leaves.
  func fail(_ record: RunRecord, report: String, junit: String) throws(ArchiveError) {
    try place([(unfinishedReport.rawValue, report), (unfinishedJUnit.rawValue, junit)], record)
  }

  /// Writes what a run that was ended early leaves. Nothing in a figure or in a further file says that it is not the
  /// whole, so there are none.
  ///
  /// - Returns: the record as written.
  func interrupt(
    _ record: RunRecord, _ partial: ResultDocument, report: String, junit: String
  ) throws(ArchiveError) -> RunRecord {
    let files = [
      (RunFolder.Name.scenario.rawValue, scenario), (unfinishedReport.rawValue, report),
      (unfinishedJUnit.rawValue, junit), (RunFolder.Name.partial.rawValue, partial.text),
    ]
    return try place(files, record)
  }

  /// Writes everything that a complete run has.
  ///
  /// - Returns: the record as written.
  func complete(
    _ record: RunRecord, _ result: ResultDocument, report: String, junit: String, others: [(name: String, text: String)]
  ) throws(ArchiveError) -> RunRecord {
    let files =
      [(RunFolder.Name.scenario.rawValue, scenario)] + others
      + [
        (RunFolder.Name.report.rawValue, report), (RunFolder.Name.junit.rawValue, junit),
        (RunFolder.Name.result.rawValue, result.text),
      ]
    let written = try place(
      files, record,
      beforehand: {
        if let kept = earlier?.keeping(besides: result) { folder.keep(.result, as: kept.name) }
      })
    let names = Set(written.files)
    for old in earlier?.record?.files ?? [] where !names.contains(old) { folder.removeOwn(old) }
    for name in [RunFolder.Name.partial, .partialReport, .partialJUnit] { folder.removeOwn(name.rawValue) }
    return written
  }

  /// Writes files and the record that lists them; the record takes its place last.
  @discardableResult
  private func place(
    _ files: [(name: String, text: String)], _ record: RunRecord, beforehand: () -> Void = {}
  ) throws(ArchiveError) -> RunRecord {
    var staged = try StagedFiles(in: folder)
    for (name, text) in files { try staged.add(text, as: name) }
    var record = record
    record.files = staged.names + [RunFolder.Name.run.rawValue]
    let run = RunFile(latest: record, previous: record.status == .complete ? nil : earlier?.record)
    try staged.add(run.json.text, as: RunFolder.Name.run.rawValue)
    beforehand()
    try staged.place()
    return record
  }

  /// What `run.json` says; `nil` where there is none, or where it is damaged and so was kept under another name.
  private static func runFile(in folder: RunFolder) throws(ArchiveError) -> RunFile? {
    guard folder.has(.run) else { return nil }
    do {
      return try RunFile(contentsOf: folder.path(.run))
    } catch .newerSchema(let file, let found, let known, let version) {
      throw .newerSchema(file: file, found: found, known: known, version: version)
    } catch {
      folder.keep(.run, as: folder.freeName(.run, "damaged"))
      return nil
    }
  }

  /// Makes the folder with those above it, unless the lowest one that is there does not let itself be written.
  private static func make(_ folder: RunFolder) throws(ArchiveError) {
    let manager = FileManager.default
    var there = URL(fileURLWithPath: folder.path)
    while !manager.fileExists(atPath: there.path), there.path != "/" { there.deleteLastPathComponent() }
    var isFolder: ObjCBool = false
    guard unsafe manager.fileExists(atPath: there.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw .notAFolder(path: there.path)
    }
    try ArchiveError.about { () throws(ReportingError) in
      try AtomicFile.checkWritable(there.appendingPathComponent("probe").path)
      try AtomicFile.makeFolder(folder.path)
    }
  }
}

extension RunFolder {
  /// Whether a name is that of a plain file in the folder, and not of one that every run's folder has.
  static func isFree(_ name: String) -> Bool { isPlain(name) && Name(rawValue: name) == nil }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
  }

  /// Removes a file that a run wrote. Names come from files that anybody may have changed, so nothing elsewhere is
  /// touched.
  func removeOwn(_ name: String) {
    let figures = Name.figures.rawValue + "/"
    guard Self.isPlain(name.hasPrefix(figures) ? String(name.dropFirst(figures.count)) : name) else { return }
    _ = unsafe unlink(path(name))
  }

  /// Removes the temporary files that a killed run left.
  func removeLeavings() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name.hasPrefix(".") && name.hasSuffix(".partial") { _ = unsafe unlink(path(name)) }
  }
}
