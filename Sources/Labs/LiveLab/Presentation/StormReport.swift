// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import Reporting

/// A storm of several policies, ready to be written as text, Markdown, CSV or JSON.
package struct StormReport: Sendable {
  /// What came out.
  package let findings: StormFindings

  package init(_ findings: StormFindings) { self.findings = findings }

  /// The report in a format; nil for a picture and for build servers' cases, which there are none of.
  ///
  /// - Parameter format: The format. CSV holds the attempts of every tenth of a second.
  /// - Returns: The text, with a line end behind it.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: text
    case .markdown: markdown
    case .csv: bins.csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }

  /// The report for a terminal.
  package var text: String {
    let head = ([heading] + conditions).map { ReadableText.wrapped($0) + "\n" }.joined()
    let points = costs.map { ReadableText.wrapped($0, mark: "  - ") + "\n" }.joined()
    let tables = findings.findings.isEmpty ? [] : [(timesTitle, timesNote, times), (loadsTitle, loadsNote, loads)]
    let parts = tables.map { title, note, table in
      "\n\(title)\n\(ReadableText.wrapped(note))\n\n\(table.text)"
    }
    return head + parts.joined()
      + advice.map { "\n" + ReadableText.wrapped($0) + "\n" }.joined() + points
      + (interruption.map { "\n\($0)\n" } ?? "")
  }

  private var markdown: String {
    "# \(heading)\n\n" + conditions.map { "- \($0)\n" }.joined()
      + "\n## \(timesTitle)\n\n\(timesNote)\n\n\(times.markdown)"
      + "\n## \(loadsTitle)\n\n\(loadsNote)\n\n\(loads.markdown)"
      + (advice.isEmpty ? "" : "\n## Recommendation\n") + advice.map { "\n\($0)\n" }.joined()
      + (costs.isEmpty ? "" : "\n") + costs.map { "- \($0)\n" }.joined()
      + (interruption.map { "\n\($0)\n" } ?? "")
  }
}

extension StormReport {
  var settings: StormSettings { findings.comparison.settings }

  var heading: String {
    let capacity = settings.capacity == 0 ? "as many as come" : "\(NumberFormat.grouped(settings.capacity)) a second"
    return
      "\(NumberFormat.grouped(settings.clients)) \(settings.clients == 1 ? "client" : "clients"), a server down for "
      + "\(TimelineClock.text(of: settings.outage)) that then accepts \(capacity)"
  }

  /// What the storm depends on, a sentence each.
  var conditions: [String] {
    let shed =
      switch settings.shedding {
      case .refused: "refused"
      case .unavailable(nil): "answered 503"
      case .unavailable(let wish?): "answered 503 with Retry-After \(TimelineClock.text(of: wish))"
      }
    let cadence =
      settings.suspendedCadence.map {
        "A client that has used up its attempts is suspended, and tries every \(StormText.cadence($0)) from then on."
      } ?? "A client that has used up its attempts never tries again."
    let limit =
      settings.capacity == 0
      ? ""
      : " What is beyond the capacity, of which \(TimelineClock.text(of: settings.burst)) can be saved up, is \(shed)."
    return [
      "All clients notice within \(TimelineClock.text(of: settings.detectionWindow)); an attempt fails after "
        + "\(TimelineClock.text(of: settings.attemptTimeout)) while the server is down.\(limit)",
      "\(cadence) The storm is watched for \(TimelineClock.text(of: settings.horizon)) after the return.",
      "Drawn with \(settings.generator), seed \(settings.seed).",
    ]
  }

  /// The recommendation, and whether it has a price.
  var advice: [String] {
    guard let recommendation = findings.recommendation, findings.findings.count > 1 else { return [] }
    return [recommendation.why]
      + [costs.isEmpty ? "It costs nothing: no other policy does anything better." : "What it costs:"]
  }

  /// What others do better than the recommended policy, a sentence each.
  var costs: [String] {
    findings.findings.count > 1 ? findings.recommendation?.costs ?? [] : []
  }

  /// What to know of an interrupted storm; nil for one that was played to its end.
  var interruption: String? {
    findings.isComplete
      ? nil
      : "Interrupted: only policies that were played to the end are shown; nothing is known of "
        + "\(findings.unplayed.joined(separator: ", "))."
  }

  var timesTitle: String { "When clients are back, and how many are not" }

  var timesNote: String {
    "Times are counted from the server's return. Used up: clients that had no attempt left at some time, also where "
      + "the slow cadence brought them back. 95% outlast: the longest outage after which 95% of the clients still have "
      + "an attempt left, where each fails at once."
  }

  var loadsTitle: String { "What the server sees" }

  var loadsNote: String {
    "Peak, down and back: the most attempts of all clients in a second while the server is down, and after its return; "
      + "in 0.1 s: in a tenth of a second after it. Accepted: the most clients that came back in a second. Shed: "
      + "attempts that the returned server turned away."
  }

  /// When clients are back, and how many are not.
  var times: Table {
    var table = Table([
      Table.Column("policy"), Table.Column("50% back", .right), Table.Column("95%", .right),
      Table.Column("99%", .right), Table.Column("100%", .right), Table.Column("mean", .right),
      Table.Column("used up", .right), Table.Column("not back", .right), Table.Column("95% outlast", .right),
    ])
    for finding in findings.findings {
      let result = finding.result
      table.add(
        [result.policy] + [0.5, 0.95, 0.99, 1].map { StormText.back(result, share: $0) } + [
          (result.missing > 0 ? "≥ " : "") + StormText.fixed(result.meanBack),
          StormText.percent(result.gaveUp, of: result.clients), StormText.percent(result.missing, of: result.clients),
          StormText.fixed(finding.survives95),
        ])
    }
    return table
  }

  /// What the server sees.
  var loads: Table {
    var table = Table([
      Table.Column("policy"), Table.Column("attempts a client", .right), Table.Column("peak, down", .right),
      Table.Column("peak, back", .right), Table.Column("in 0.1 s", .right),
      Table.Column("accepted", .right), Table.Column("shed", .right),
    ])
    for result in findings.findings.map(\.result) {
      table.add([
        result.policy,
        StormText.attemptsPerClient(result),
        NumberFormat.grouped(result.peakDuring), NumberFormat.grouped(result.peakAfter),
        NumberFormat.grouped(result.peakTenth), NumberFormat.grouped(result.peakAccepted),
        NumberFormat.grouped(result.shed),
      ])
    }
    return table
  }

  /// Attempts and acceptances in every tenth of a second in which there were any.
  var bins: Table {
    var table = Table([
      Table.Column("policy"), Table.Column("seconds after the return", .right), Table.Column("attempts", .right),
      Table.Column("accepted", .right),
    ])
    for result in findings.findings.map(\.result) {
      let (during, accepted) = (result.attemptsDuring, result.acceptedAfter)
      for (index, count) in (during + result.attemptsAfter).enumerated() where count > 0 {
        let tenth = index - during.count
        let back = accepted.indices.contains(tenth) ? accepted[tenth] : 0
        table.add([
          result.policy, NumberFormat.fixed(Double(tenth) / 10, decimals: 1), "\(count)", "\(back)",
        ])
      }
    }
    return table
  }
}
