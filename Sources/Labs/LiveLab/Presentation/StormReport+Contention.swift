// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Scenarios
internal import Statistics

extension ContentionFindings {
  /// What was played, in a sentence or two.
  var conditions: String {
    let settings = contention.settings
    let spans = [settings.delay, settings.deviation, settings.base, settings.cap].map { TimelineClock.text(of: $0) }
    let interrupted = isComplete ? "" : " Interrupted: what is shown was finished by then."
    return """
      All clients begin at one moment to read a row and to write it if nobody else did; who is too late waits and \
      begins again. A message takes \(spans[0]), with a deviation of \(spans[1]); waits grow from \(spans[2]) to \
      \(spans[3]). Means of \(NumberFormat.grouped(settings.repetitions)) repetitions, with their standard \
      errors.\(interrupted)
      """
  }

  /// When the last client is through, and how many writes were tried.
  var table: Table {
    var table = Table([
      Table.Column("clients", .right), Table.Column("policy"), Table.Column("last is through", .right),
      Table.Column("±", .right), Table.Column("calls", .right), Table.Column("±", .right),
      Table.Column("calls a client", .right),
    ])
    for result in results {
      let (time, calls) = (result.nanoseconds, result.calls)
      table.add([
        NumberFormat.grouped(result.clients), result.policy,
        NumberFormat.fixed(time.mean / 1e9, decimals: 3) + " s",
        NumberFormat.fixed(time.standardError / 1e9, decimals: 3),
        NumberFormat.fixed(calls.mean, decimals: 1), NumberFormat.fixed(calls.standardError, decimals: 1),
        NumberFormat.fixed(calls.mean / Double(result.clients), decimals: 2),
      ])
    }
    return table
  }

  /// What `result.json` keeps.
  var data: JSONValue {
    [
      "repetitions": .integer(contention.settings.repetitions), "isComplete": .bool(isComplete),
      "results": .array(
        results.map { result in
          [
            "clients": .integer(result.clients), "policy": .string(result.policy),
            "meanSeconds": .number(result.nanoseconds.mean / 1e9),
            "standardErrorSeconds": .number(result.nanoseconds.standardError / 1e9),
            "meanCalls": .number(result.calls.mean), "standardErrorCalls": .number(result.calls.standardError),
          ]
        }),
    ]
  }

  /// The part of a storm's report.
  var part: ReportBlock {
    .part(
      title: "In each other's way", judgement: nil,
      [
        .paragraph(conditions),
        .table(ReportTable(caption: "What jitter buys where clients contend for one row", table)),
      ])
  }
}
