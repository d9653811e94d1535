// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Reporting
internal import Scenarios

extension ResultsReport {
  /// Runs, the newest first.
  ///
  /// - Parameters:
  ///   - runs: the runs.
  ///   - history: the file they are recorded in.
  /// - Returns: the report.
  static func list(of runs: [RecordedRun], in history: String) -> ResultsReport {
    var table = Table([
      Table.Column("run", .right), Table.Column("started (UTC)"), Table.Column("scenario"), Table.Column("digest"),
      Table.Column("judgement"), Table.Column("seconds", .right), Table.Column("version"), Table.Column("host"),
    ])
    let names = ["run", "started", "scenario", "digest", "judgement", "status", "seconds", "version", "host", "folder"]
    var csv = Table(names.map { Table.Column($0) })
    for run in runs {
      table.add([
        "\(run.id)", run.startedText, run.slug, run.digest, run.outcomeText, run.secondsText, run.version,
        run.machine.host,
      ])
      csv.add([
        "\(run.id)", RunRecord.text(of: run.started), run.slug, run.digest, run.judgement.rawValue,
        run.status.rawValue, run.seconds?.digits ?? "", run.version, run.machine.host, run.folder,
      ])
    }
    return ResultsReport(
      title: "\(runs.count) \(runs.count == 1 ? "run" : "runs") in \(history)", parts: [.table("", table)], csv: csv,
      json: ["history": .string(history), "runs": .array(runs.map(\.json))])
  }
}
