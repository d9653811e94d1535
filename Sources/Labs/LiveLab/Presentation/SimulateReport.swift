// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import Reporting

/// What a trial of a client came to, ready to be written as text, Markdown, CSV or JSON.
package struct SimulateReport: Sendable {
  /// What came out.
  package let result: SimulationResult

  /// The report of a result.
  package init(_ result: SimulationResult) {
    self.result = result
  }

  /// The report in a format; nil for a picture, which there is none of.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: text
    case .markdown: markdown
    case .csv: csv
    case .json: document.text
    case .svg, .png, .junit: nil
    }
  }

  var heading: String { "How often the connection comes back: \(result.trial.client.title)" }

  /// What the numbers rest on, a sentence each.
  var origin: [String] {
    let (trial, counts) = (result.trial, result.counts)
    let hours = NumberFormat.grouped(Int(counts.hours.rounded()))
    return [
      "\(NumberFormat.grouped(result.sessions)) sessions of one client, \(hours) hours of it, "
        + "\(NumberFormat.grouped(counts.events)) events; drawn with \(trial.generator), seed \(trial.seed)."
        + (result.isComplete ? "" : interruption),
      "Back means connected and current again within the profile's limit, counted from when an attempt could have "
        + "succeeded.",
      "The intervals by profile hold together at \(percent(trial.confidence)), and so do those by what began the "
        + "outage: whenever one looks, and by the spread between sessions, for outages of one session are not "
        + "independent.",
      trial.endsWhenDecided
        ? "A profile's sessions end as soon as its share is known to be above or below \(percent(trial.target))."
        : "All sessions were to be run, whatever came out.",
    ]
  }

  /// What an interruption left out.
  private var interruption: String {
    let begun = Set(result.findings.map(\.profile.name))
    let others = result.trial.profiles.map(\.name).filter { !begun.contains($0) }
    return " Interrupted: this is what is known so far"
      + (others.isEmpty ? "." : "; nothing is known of \(others.joined(separator: ", ")).")
  }

  /// How often the client was back, by profile.
  var success: Table {
    var table = Table(
      [Table.Column("profile")]
        + ["limit", "sessions", "outages", "back in time", "at least", "at most"].map { Table.Column($0, .right) }
        + [Table.Column("target")])
    for finding in result.findings {
      let estimate = finding.success
      table.add([
        finding.profile.name, time(finding.profile.limit), NumberFormat.grouped(finding.tally.sessions),
        NumberFormat.grouped(estimate?.outages ?? 0), estimate.map { share($0.share, $0.successes, $0.outages) } ?? "",
        estimate.map { atLeast($0.interval.lowerBound, decimals: 3) } ?? "",
        estimate.map { atMost($0.interval.upperBound, decimals: 3) } ?? "", words(finding.verdict),
      ])
    }
    return table
  }

  /// How often the client was back, by what began the outage.
  var causes: Table {
    var table = Table(
      [Table.Column("profile"), Table.Column("what began it")]
        + ["outages", "back in time", "at least", "at most", "median"].map { Table.Column($0, .right) })
    for finding in result.findings {
      for (cause, estimate, median) in finding.causes {
        table.add([
          finding.profile.name, cause.name, NumberFormat.grouped(estimate.outages),
          share(estimate.share, estimate.successes, estimate.outages),
          atLeast(estimate.interval.lowerBound, decimals: 2), atMost(estimate.interval.upperBound, decimals: 2),
          median.map(time) ?? "never",
        ])
      }
    }
    return table
  }

  /// The percentiles that tables show.
  static let percentiles = [("50%", 0.5), ("90%", 0.9), ("99%", 0.99), ("99.9%", 0.999)]

  /// How long it took, by profile.
  var times: Table {
    var table = Table(
      [Table.Column("profile")] + Self.percentiles.map { Table.Column($0.0, .right) }
        + ["99% lies in", "outlived", "served"].map { Table.Column($0, .right) })
    for finding in result.findings {
      let found = Self.percentiles.map { finding.percentile($0.1, confidence: 1 - result.trial.alpha) }
      let range = found[2].map { between($0.interval) } ?? ""
      let counts = finding.tally.counts
      let served = Double(counts.servedMilliseconds) / Double(max(1, counts.milliseconds))
      let outlived = Double(finding.tally.outlived) / Double(max(1, finding.tally.returns.count))
      table.add(
        [finding.profile.name] + found.map { $0.map { time($0.time) } ?? "" }
          + [range, atLeast(outlived, decimals: 1), atLeast(served, decimals: 2)])
    }
    return table
  }

  /// Invariants that were broken, and in how many sessions.
  var breaches: Table {
    var table = Table([
      Table.Column("profile"), Table.Column("invariant"), Table.Column("sessions", .right), Table.Column("it says"),
    ])
    for finding in result.findings {
      for invariant in Invariant.allCases where finding.tally.breaches[Int(invariant.rawValue)] > 0 {
        table.add([
          finding.profile.name, invariant.name,
          NumberFormat.grouped(finding.tally.breaches[Int(invariant.rawValue)]), invariant.sentence,
        ])
      }
    }
    return table
  }

  /// What to know of invariants, in a sentence.
  var invariants: String {
    let sessions = NumberFormat.grouped(result.sessions)
    let broken = result.brokenSessions
    return broken == 0
      ? "None of \(Invariant.ofOneClient.count) invariants was broken at any step of \(sessions) sessions."
      : "Invariants were broken in \(NumberFormat.grouped(broken)) of \(sessions) sessions."
  }
}
