// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Reporting

extension ResultsReport {
  /// What pruning removed, or would.
  ///
  /// - Parameters:
  ///   - pruning: the runs and folders.
  ///   - isRehearsal: whether nothing was removed yet.
  /// - Returns: the report.
  static func pruning(_ pruning: Pruning, isRehearsal: Bool) -> ResultsReport {
    var (runs, folders) = (
      Table([
        Table.Column("run", .right), Table.Column("started (UTC)"), Table.Column("scenario"), Table.Column("digest"),
      ]),
      Table([Table.Column("folder"), Table.Column("what becomes of it")])
    )
    var csv = Table(["what", "name", "removed", "cause"].map { Table.Column($0) })
    for run in pruning.runs {
      runs.add(["\(run.id)", run.startedText, run.slug, run.digest])
      csv.add(["run", "\(run.id)", "true", ""])
    }
    for folder in pruning.folders {
      folders.add([folder.path, folder.obstacle.map { "stays: \($0)" } ?? (isRehearsal ? "would go" : "removed")])
      csv.add(["folder", folder.path, folder.obstacle == nil ? "true" : "false", folder.obstacle?.description ?? ""])
    }
    let count = pruning.runs.count
    let what = "\(count) \(count == 1 ? "run" : "runs")"
    let gone = pruning.folders.count { $0.obstacle == nil }
    let title = "\(what) and \(gone) \(gone == 1 ? "folder" : "folders") \(isRehearsal ? "would be " : "")removed"
    return ResultsReport(
      title: title,
      parts: (pruning.runs.isEmpty ? [] : [.table("", runs)]) + (pruning.folders.isEmpty ? [] : [.table("", folders)]),
      csv: csv,
      json: [
        "rehearsal": .bool(isRehearsal), "runs": .array(pruning.runs.map(\.json)),
        "folders": .array(
          pruning.folders.map { folder in
            [
              "path": .string(folder.path), "removed": .bool(folder.obstacle == nil),
              "cause": folder.obstacle.map { .string($0.description) } ?? .null,
            ]
          }),
      ])
  }

  /// What was read of the folders of runs.
  static func rebuilding(_ rebuilding: Rebuilding, from root: String) -> ResultsReport {
    var table = Table([Table.Column("folder"), Table.Column("what became of it")])
    for folder in rebuilding.added { table.add([folder, "added"]) }
    for folder in rebuilding.known { table.add([folder, "known already"]) }
    for one in rebuilding.passedOver { table.add([one.folder, "passed over: \(one.cause)"]) }
    let count = rebuilding.added.count
    return ResultsReport(
      title: "\(count) \(count == 1 ? "run" : "runs") added from \(root)",
      parts: table.rows.isEmpty ? [.paragraph("There is no folder of a run.")] : [.table("", table)], csv: table,
      json: [
        "added": .array(rebuilding.added.map { .string($0) }), "known": .array(rebuilding.known.map { .string($0) }),
        "passedOver": .array(
          rebuilding.passedOver.map { ["folder": .string($0.folder), "cause": .string($0.cause)] }),
      ])
  }
}
