// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

/// Writes one run into its folder, which no other run uses meanwhile.
///
/// The files of an earlier complete run stay until those of this one are all written. Until then, and for good if this
/// run is not completed, its page and cases are next to them under other names.
struct RunWriter {
  let folder: RunFolder
  let earlier: EarlierResult?
  private let scenario: String
  private let lock: FolderLock

  init(of scenario: Scenario, in folder: RunFolder) throws(ArchiveError) {
    self.folder = folder
    self.scenario = scenario.resolved
    try Self.make(folder)
    lock = try FolderLock(of: folder)
    folder.removeTemporaryFiles()
    let run = try folder.intact(.run, RunFile.init(contentsOf:))
    if run == nil, folder.has(.run) { folder.keep(.run, as: folder.freeName(.run, "damaged")) }
    earlier = try EarlierResult(in: folder, record: run?.completed)
    try folder.checkOwn((run?.completed?.files ?? []).filter(RunFolder.isOwn))
  }

  var isInPlace: Bool { lock.isInPlace }

  var unfinishedReport: RunFolder.Name { earlier == nil ? .report : .partialReport }

  private var unfinishedJUnit: RunFolder.Name { earlier == nil ? .junit : .partialJUnit }

  func release() { lock.release() }

  func begin(_ record: RunRecord, report: String) throws(ArchiveError) {
    try location([(.scenario, scenario), (unfinishedReport, report)], record)
    // Cases of an earlier incomplete run would be taken for those of this one.
    folder.removeOwn(unfinishedJUnit.rawValue)
  }

  func fail(_ record: RunRecord, report: String, junit: String) throws(ArchiveError) {
    try location([(unfinishedReport, report), (unfinishedJUnit, junit)], record)
  }

  /// Writes the partial results of a run that was ended early, without figures and further files, since these could not
  /// state that they are partial.
  func interrupt(
    _ record: RunRecord, _ partial: ResultDocument, report: String, junit: String
  ) throws(ArchiveError) -> RunRecord {
    try location(
      [(.scenario, scenario), (unfinishedReport, report), (unfinishedJUnit, junit), (.partial, partial.text)], record)
  }

  func complete(
    _ record: RunRecord, _ result: ResultDocument, report: String, junit: String, others: [(name: String, text: String)]
  ) throws(ArchiveError) -> RunRecord {
    let written = try location(
      [(.scenario, scenario), (.report, report), (.junit, junit), (.result, result.text)], others: others, record,
      beforehand: {
        if let kept = earlier?.keeping(beside: result, of: record.build) { folder.keep(.result, as: kept.name) }
      })
    let names = Set(written.files)
    for old in earlier?.record?.files ?? [] where !names.contains(old) { folder.removeOwn(old) }
    for name in [RunFolder.Name.partial, .partialReport, .partialJUnit] { folder.removeOwn(name.rawValue) }
    // A shard's checkpoint is kept for the merge, even if the shard is complete.
    if record.part == nil { folder.removeOwn(RunFolder.Name.checkpoint.rawValue) }
    return written
  }

  /// Writes files and the record that lists them; the record is renamed last.
  @discardableResult
  private func location(
    _ own: [(name: RunFolder.Name, text: String)], others: [(name: String, text: String)] = [], _ record: RunRecord,
    beforehand: () -> Void = {}
  ) throws(ArchiveError) -> RunRecord {
    try folder.checkOwn([RunFolder.stage, RunFolder.Name.run.rawValue] + own.map(\.name.rawValue) + others.map(\.name))
    var staged = try StagedFiles(in: folder)
    for (name, text) in own.prefix(1).map({ ($0.name.rawValue, $0.text) }) + others { try staged.add(text, as: name) }
    for (name, text) in own.dropFirst() { try staged.add(text, as: name.rawValue) }
    var record = record
    record.files = staged.names + [RunFolder.Name.run.rawValue]
    let run = RunFile(latest: record, previous: record.status == .complete ? nil : earlier?.record)
    try staged.add(run.json.text, as: RunFolder.Name.run.rawValue)
    beforehand()
    try staged.location()
    return record
  }

  /// Creates the folder with its parents, unless the lowest existing one is not writable.
  private static func make(_ folder: RunFolder) throws(ArchiveError) {
    var there = URL(fileURLWithPath: folder.path)
    while FileKind(behind: there.path) == .nothing, there.path != "/" { there.deleteLastPathComponent() }
    guard FileKind(behind: there.path) == .folder else { throw .notAFolder(path: there.path) }
    try folder.checkOwn(RunFolder.Name.allCases.map(\.rawValue) + [RunFolder.stage, RunFolder.lock])
    try ArchiveError.about(try AtomicFile.checkFolder(there.path))
    try ArchiveError.about(try AtomicFile.makeFolder(folder.path))
  }
}

/// Files that are all written to a temporary folder before any is renamed, so that a full disk leaves the earlier
/// files.
private struct StagedFiles {
  private let folder: RunFolder
  private(set) var names: [String] = []

  init(in folder: RunFolder) throws(ArchiveError) {
    self.folder = folder
    discard()
    try ArchiveError.about(try AtomicFile.makeFolder(folder.path(RunFolder.stage)))
  }

  mutating func add(_ text: String, as name: String) throws(ArchiveError) {
    let path = folder.path("\(RunFolder.stage)/\(name)")
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

  func location() throws(ArchiveError) {
    for name in names {
      let path = folder.path(name)
      try ArchiveError.about(try Self.makeFolder(of: path))
      guard unsafe rename(folder.path("\(RunFolder.stage)/\(name)"), path) == 0 else {
        let cause = SystemCause.message(of: errno)
        throw .file(.unwritable(path: path, cause: cause, cure: "choose another place"))
      }
    }
    discard()
  }

  private func discard() { try? FileManager.default.removeItem(atPath: folder.path(RunFolder.stage)) }

  private static func makeFolder(of path: String) throws(ReportingError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: folder) { try AtomicFile.makeFolder(folder) }
  }
}

/// The complete result of an earlier run in a folder.
struct EarlierResult {
  let record: RunRecord?
  private let folder: RunFolder
  private let text: String
  private let document: ResultDocument?

  /// The result in the folder; `nil` if there is none.
  init?(in folder: RunFolder, record: RunRecord?) throws(ArchiveError) {
    guard folder.has(.result) else { return nil }
    (self.folder, self.record) = (folder, record)
    document = try folder.intact(.result, ResultDocument.init(contentsOf:))
    let data = FileManager.default.contents(atPath: folder.path(.result)) ?? Data()
    text = String(decoding: data, as: UTF8.self)
  }

  /// The remark, and the name under which to keep this result, if another one, of a build of the code, replaces it;
  /// `nil` if both are the same except for the version.
  func keeping(beside result: ResultDocument, of build: RunRecord.Build) -> (name: String, remark: String)? {
    guard text != result.text else { return nil }
    guard let document else {
      let name = folder.freeName(.result, "damaged")
      return (name, "The result that was there before is damaged; it was kept as \(name).")
    }
    // Both are compared as read, since 2.50 is written with its decimals and read without.
    let json = try? JSONValue(parsing: result.text, file: "")
    let result = json.flatMap { try? ResultDocument(json: $0, file: "") } ?? result
    if document.baseline != result.baseline,
      document.measured(by: result.version) == result.measured(by: result.version)
    {
      return nil
    }
    // An earlier schema may write the same result in another form.
    guard document.json(by: result.version) != result.json else { return nil }
    let name = folder.freeName(.result, "earlier")
    guard document.version == result.version else {
      return (name, "Assay \(document.version) gave another result, which was kept as \(name).")
    }
    let known = record?.build ?? RunRecord.Build()
    guard known.binary == build.binary else {
      return (
        name,
        "The code changed (\(known.shortText) → \(build.shortText))\(Self.changes(from: document, to: result)). "
          + "The earlier result was kept as \(name)."
      )
    }
    return (
      name,
      "NOT REPRODUCIBLE: the same scenario, seed and program gave another result before, which was kept as \(name)."
    )
  }

  /// The measurements that changed: `: good 89.4% ±0.2 → 87.4% ±0.2`; the first three.
  private static func changes(from earlier: ResultDocument, to later: ResultDocument) -> String {
    let known = Dictionary(earlier.measurements.map { ($0.measure.fullName, $0.text(at: 0.99)) }) { first, _ in first }
    let changes = later.measurements.compactMap { one -> String? in
      let text = one.text(at: 0.99)
      guard let before = known[one.measure.fullName], before != text else { return nil }
      return "\(one.measure.fullName) \(before) → \(text)"
    }
    let more = changes.count > 3 ? ", and \(changes.count - 3) more" : ""
    return changes.isEmpty ? "" : ": " + changes.prefix(3).joined(separator: ", ") + more
  }
}
