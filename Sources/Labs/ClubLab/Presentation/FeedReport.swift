// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What a trial of the ledger came to, ready to be written as text, Markdown, CSV or JSON.
struct FeedReport: Sendable {
  /// What came out.
  let result: FeedResult

  /// The report of a result.
  init(_ result: FeedResult) {
    self.result = result
  }

  /// The report in a format; nil for a picture, which there is none of.
  func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: text
    case .markdown: markdown
    case .csv: csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }

  var heading: String {
    let trial = result.trial
    let club = trial.setting.club
    return "The week ledger over \(club.weeks) \(club.weeks == 1 ? "week" : "weeks") of a club of \(club.members)"
  }

  /// What the numbers rest on, a sentence each.
  var origin: [String] {
    let (trial, setting) = (result.trial, result.trial.setting)
    let service = setting.service
    return [
      "\(trial.seasons) seasons under each variant of the faults, \(trial.together) under the last, "
        + "with the half-width of a "
        + "\(NumberFormat.shortest(result.confidence * 100))% interval over seasons: rides of one season are not "
        + "independent.",
      "A fetch every \(setting.interval) s of a listing of at most \(service.depth) activities, sorted by "
        + "\(service.order.rawValue), in pages of \(setting.perPage).",
      "A ride counts as known where its week follows from what such fetches could see, whoever looks at it; what that "
        + "is was settled before anything was judged.",
      "Drawn with \(trial.generator), seed \(trial.seed).",
    ]
  }

  /// Ledger accuracy by fault.
  var accuracy: Table {
    var table = Table(
      [Table.Column("faults")]
        + ["rides", "in the right week", "wrong week", "lost", "counted twice", "still there", "ranks wrong"].map {
          Table.Column($0, .right)
        })
    for finding in result.findings {
      let rides = finding.counts.rides
      table.add([
        finding.variant.name, NumberFormat.grouped(rides.knowable), cell(finding, .rightWeek), "\(rides.wrong)",
        "\(rides.lost)", "\(rides.doubles)", "\(rides.phantoms) of \(rides.removed)", cell(finding, .misranked),
      ])
    }
    return table
  }

  /// What nobody could know, and why.
  var unknown: Table {
    var table = Table([
      Table.Column("faults"), Table.Column("why"), Table.Column("rides", .right),
      Table.Column("of a hundred", .right), Table.Column("right nevertheless", .right),
    ])
    for finding in result.findings {
      let rides = finding.counts.rides
      for (index, reason) in Unknowable.allCases.enumerated() where rides.unknowable[index] > 0 {
        let share = Double(rides.unknowable[index]) / Double(max(1, rides.present))
        table.add([
          finding.variant.name, reason.rawValue, "\(rides.unknowable[index])",
          NumberFormat.share(share * 100, decimals: 2, of: 100), "\(rides.guessed[index])",
        ])
      }
    }
    return table
  }

  /// Requests against the budget.
  var requests: Table {
    let headings = [
      "requests a day", "most a day", "most a quarter", "over budget", "too soon", "fetches", "given up",
    ]
    var table = Table([Table.Column("faults")] + headings.map { Table.Column($0, .right) })
    for finding in result.findings {
      let counts = finding.counts
      table.add([
        finding.variant.name, cell(finding, .requests), "\(counts.mostInDay)", "\(counts.mostInQuarterHour)",
        "\(counts.violations)", "\(counts.hasty)", NumberFormat.grouped(counts.fetching.begun),
        "\(counts.fetching.failed)",
      ])
    }
    return table
  }

  /// An estimate with the larger distance to an end of its interval: `99.81% ±0.12`.
  func cell(_ finding: FeedResult.Finding, _ quantity: FeedQuantity) -> String {
    guard let estimate = finding.estimate(of: quantity) else { return "" }
    let (factor, decimals, unit) = quantity == .requests ? (1.0, 1, "") : (100.0, 2, "%")
    let wide = max(estimate.mean - estimate.interval.lowerBound, estimate.interval.upperBound - estimate.mean)
    return NumberFormat.fixed(estimate.mean * factor, decimals: decimals) + unit + " ±"
      + NumberFormat.fixed(wide * factor, decimals: decimals)
  }

  private var parts: [(title: String, table: Table)] {
    [
      ("Rides in their weeks", accuracy), ("What nobody could know, and why", unknown),
      ("Requests against the budget (\(budget))", requests),
    ]
  }

  var text: String {
    ([heading] + origin).joined(separator: "\n") + "\n" + parts.map { "\n\($0.title)\n\n\($0.table.text)" }.joined()
  }

  private var markdown: String {
    "# \(heading)\n\n" + origin.map { "- \($0)\n" }.joined()
      + parts.map { "\n## \($0.title)\n\n\($0.table.markdown)" }.joined()
  }
}
