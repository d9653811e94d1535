// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

extension SimulateReport {
  private typealias Part = (title: String, note: String?, table: Table)

  private var parts: [Part] {
    let always: [Part] = [
      ("Back in time, by profile", nil, success), ("Back in time, by what began the outage", causesNote, causes),
      ("How long it took from when an attempt could succeed", timesNote, times),
    ]
    let broken: [Part] = result.brokenSessions > 0 ? [("Broken invariants", nil, breaches)] : []
    return (always + broken).filter { !$0.table.rows.isEmpty }
  }

  var text: String {
    let replay = failures.isEmpty ? "" : "\nThe first failures, and what shows them\n\n"
    return ([heading] + origin).map { ReadableText.wrapped($0) + "\n" }.joined()
      + parts.map { part in
        "\n\(part.title)\n" + (part.note.map { ReadableText.wrapped($0) + "\n" } ?? "") + "\n\(part.table.text)"
      }.joined()
      + "\n" + ([invariants] + remarks).map { ReadableText.wrapped($0) + "\n" }.joined() + replay
      + failures.map { ReadableText.wrapped($0.what, mark: "  ") + "\n    \($0.command)\n" }.joined()
  }

  var markdown: String {
    "# \(heading)\n\n" + (origin + [invariants] + remarks).map { "- \($0)\n" }.joined()
      + parts.map { part in
        "\n## \(part.title)\n\n" + (part.note.map { "\($0)\n\n" } ?? "") + part.table.markdown
      }.joined()
      + (failures.isEmpty ? "" : "\n## The first failures, and what shows them\n\n")
      + failures.map { "- \($0.what)\n\n      \($0.command)\n" }.joined()
  }

  /// A line a share: `profile,cause,sessions,outages,back,share,low,high,confidence`; the cause is empty for all. The
  /// confidence is that of the one interval.
  var csv: String {
    let columns = ["profile", "cause", "sessions", "outages", "back", "share", "low", "high", "confidence"]
    var table = Table(columns.map { Table.Column($0) })
    for finding in result.findings {
      let (alpha, alphaOfCause) = (result.trial.alpha, result.trial.alphaOfCause)
      let all = finding.success.map { [("", $0, alpha)] } ?? []
      for (cause, estimate, error) in all + finding.causes.map({ ($0.cause.name, $0.success, alphaOfCause) }) {
        table.add(
          [
            finding.profile.name, cause, "\(estimate.sessions)", "\(estimate.outages)", "\(estimate.successes)",
          ]
            + [estimate.share, estimate.interval.lowerBound, estimate.interval.upperBound].map {
              NumberFormat.fixed($0, decimals: 9)
            } + [NumberFormat.shortest(1 - error)])
      }
    }
    return table.csv
  }

  /// The survival curves: `profile,seconds,away,low,high,confidence`.
  var timesCSV: String {
    var table = Table(["profile", "seconds", "away", "low", "high", "confidence"].map { Table.Column($0) })
    for finding in result.findings {
      for point in curve(of: finding, most: 400) {
        table.add([
          finding.profile.name, NumberFormat.fixed(point.seconds, decimals: 6),
          NumberFormat.fixed(point.away, decimals: 9), NumberFormat.fixed(point.interval.lowerBound, decimals: 9),
          NumberFormat.fixed(point.interval.upperBound, decimals: 9), NumberFormat.shortest(1 - result.trial.alpha),
        ])
      }
    }
    return table.csv
  }
}
