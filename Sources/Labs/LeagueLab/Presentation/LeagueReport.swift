// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// What simulated seasons say about the power ranking, ready to be written as text, Markdown, CSV or JSON.
package struct LeagueReport {
  /// What came out.
  package let result: LeagueResult

  /// The report of a result.
  package init(_ result: LeagueResult) {
    self.result = result
  }

  /// The report in a format; `nil` for a picture, which there is none of.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: text
    case .markdown: markdown
    case .csv: csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }
}

extension LeagueReport {
  /// A column of a table by weeks: a heading and the quantity below it.
  private typealias Column = (title: String, quantity: LeagueEstimate.Quantity, ranking: LeagueEstimate.Ranking)

  private var sections: [(title: String, table: Table)] {
    [
      ("\(finding.question) (\(finding.note))", finding.table),
      ("\(knowing.question) (\(knowing.note))", knowing.table),
      (ties.question, ties.table), ("\(causes.question) (\(causes.note))", causes.table),
    ]
  }

  /// A question with what its words mean and the table that answers it.
  typealias Answer = (question: String, note: String, table: Table)

  /// Does it find the best team?
  var finding: Answer {
    (
      "Does it find the best team?", "first: the chance that the strongest team stands first",
      byWeek([
        ("first: power", .bestIsFirst, .power), ("by record", .bestIsFirst, .record),
        ("power's lead", .leadInBestIsFirst, .power), ("its mean rank: power", .rankOfBest, .power),
        ("by record", .rankOfBest, .record),
      ])
    )
  }

  /// Does it know all teams?
  var knowing: Answer {
    (
      "Does it know all teams?",
      "Spearman's correlation; misled: who stands first is not one of the best three",
      byWeek([
        ("correlation: power", .correlation, .power), ("by record", .correlation, .record),
        ("power's lead", .leadInCorrelation, .power), ("misled: power", .firstIsNotAmongBestThree, .power),
        ("by record", .firstIsNotAmongBestThree, .record),
      ])
    )
  }

  /// What is decided by a tie?
  var ties: Answer {
    (
      "What is decided by a tie?", "",
      byWeek([
        ("a power rank is shared", .rankIsShared, .power),
        ("first by record needs points", .firstIsDecidedByPoints, .record),
        ("teams level on record", .teamsLevelOnRecord, .record),
      ])
    )
  }

  /// Where does the final rank come from?
  var causes: Answer { ("Where the final rank comes from", "shares of its variance", tableOfCauses) }

  private func byWeek(_ columns: [Column]) -> Table {
    var table = Table([Table.Column("week", .right)] + columns.map { Table.Column($0.title, .right) })
    for week in 1...result.shape.weeks {
      table.add(["\(week)"] + columns.map { cell($0.quantity, $0.ranking, week) })
    }
    return table
  }

  private var tableOfCauses: Table {
    var table = Table([Table.Column("cause"), Table.Column("power", .right), Table.Column("by record", .right)])
    let causes: [(String, LeagueEstimate.Quantity)] = [
      ("the teams' strengths", .varianceOfStrength), ("their scores in single weeks", .varianceOfScores),
      ("whom they met in which week", .varianceOfSchedule),
    ]
    for (name, quantity) in causes {
      table.add([name] + LeagueEstimate.Ranking.allCases.map { cell(quantity, $0, result.shape.weeks) })
    }
    return table
  }

  /// An estimate with the larger distance to an end of its interval: `49.1% ±0.2`.
  func cell(_ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, _ week: Int) -> String {
    guard let estimate = result.estimate(of: quantity, by: ranking, week: week) else { return "" }
    let (factor, decimals, unit) = quantity.isShare ? (100.0, 2, "%") : (1.0, 4, "")
    let wide = max(estimate.value - estimate.interval.lowerBound, estimate.interval.upperBound - estimate.value)
    let digits =
      quantity.isDifference
      ? NumberFormat.signed(estimate.value * factor, decimals: decimals)
      : NumberFormat.fixed(estimate.value * factor, decimals: decimals)
    return digits + unit + " ±"
      + NumberFormat.fixed(wide * factor, decimals: decimals)
  }

  var heading: String {
    "The power ranking of \(result.shape.teams) teams over \(result.shape.weeks) weeks"
  }

  var origin: [String] {
    let shape = result.shape
    let number = { (value: Double) in NumberFormat.shortest(value) }
    return [
      "Every estimate is from \(NumberFormat.grouped(result.seasons)) seasons, with the half-width of a "
        + "\(number(result.confidence * 100))% interval of its own.",
      "Weekly scores: mean \(number(shape.meanScore)), deviation \(number(shape.scoreDeviation)) around the team's "
        + "strength, which deviates by \(number(shape.strengthDeviation)); ties \(number(shape.tieRate * 100))%.",
      "By record means by win percentage, and where that is equal by points scored.",
      "Played with \(result.generator), seed \(result.seed).",
    ]
  }

  private var text: String {
    ([heading] + origin).joined(separator: "\n") + "\n"
      + sections.map { "\n\($0.title)\n\n\($0.table.text)" }.joined()
  }

  private var markdown: String {
    "# \(heading)\n\n" + origin.joined(separator: "\n") + "\n"
      + sections.map { "\n## \($0.title)\n\n\($0.table.markdown)" }.joined()
  }
}

extension LeagueEstimate.Quantity {
  /// Whether the quantity is a share, which people read in percent.
  fileprivate var isShare: Bool {
    switch self {
    case .rankOfBest, .correlation, .leadInCorrelation, .teamsLevelOnRecord: false
    case .bestIsFirst, .leadInBestIsFirst, .firstIsNotAmongBestThree, .rankIsShared, .firstIsDecidedByPoints,
      .varianceOfStrength,
      .varianceOfScores, .varianceOfSchedule:
      true
    }
  }

  /// Whether the quantity's sign says which ranking is ahead.
  fileprivate var isDifference: Bool { self == .leadInBestIsFirst || self == .leadInCorrelation }
}
