// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// What a report shows of what a chart earns.
struct GameSections {
  private let findings: [GameFindings]

  /// The sections of these games.
  init(_ findings: [GameFindings]) {
    self.findings = findings.filter { $0.played.map { $0.result.rounds > 1 } ?? true }
  }

  /// All sections, in order; none where nothing was played.
  var all: [ReportSection] {
    guard let first = findings.first else { return [] }
    let caption =
      "What the \(first.report.chart) chart earns a round, in percent of the bet; a negative EV is the house's edge."
    var sections = [
      ReportSection(
        id: "earnings", title: "What the chart earns",
        blocks: [.table(ReportTable(caption: caption, summary(decimals: 6)))]
          + (differences.map { [.figure($0)] } ?? []))
    ]
    if findings.contains(where: { !$0.course.isEmpty }) {
      sections.append(
        ReportSection(
          id: "convergence", title: "How the estimate converged",
          blocks: SectionText.parts(findings, named: \.named) { GameCourse($0).blocks }))
    }
    let payoffs = SectionText.parts(findings.filter(\.knowsPayoffs), named: \.named, blocks: Self.payoffs)
    if !payoffs.isEmpty {
      sections.append(ReportSection(id: "payoffs", title: "What a round pays", blocks: payoffs))
    }
    return sections
  }

  /// A line for each of the rules.
  func summary(decimals: Int) -> Table {
    let isPlayed = findings.contains { $0.played != nil }
    let isCompared = findings.contains { $0.exact != nil }
    var titles = ["EV"] + (isPlayed ? ["from", "to"] : []) + (isCompared ? ["exact", "difference"] : [])
    let hasDeviation = findings.contains { $0.deviation != nil }
    titles += (hasDeviation ? ["deviation, bets"] : []) + (isPlayed ? ["rounds"] : [])
    var table = Table([Table.Column("rules")] + titles.map { Table.Column($0, .right) })
    func percent(_ bets: Double?) -> String {
      bets.map { NumberFormat.signed($0 * 100, decimals: decimals) + "%" } ?? ""
    }
    for finding in findings {
      var row = [finding.named.label, percent(finding.ev)]
      if isPlayed { row += [finding.played?.interval.lowerBound, finding.played?.interval.upperBound].map(percent) }
      if isCompared { row += [percent(finding.exact?.ev), percent(finding.exact.map { finding.ev - $0.ev })] }
      if hasDeviation { row.append(finding.deviation.map { NumberFormat.fixed($0, decimals: 4) } ?? "") }
      if isPlayed { row.append(finding.played.map { NumberFormat.grouped($0.result.rounds) } ?? "") }
      table.add(row)
    }
    return table
  }

  /// Simulated minus exact for each of the rules; `nil` where nothing is compared.
  private var differences: Figure? {
    let compared = findings.compactMap { finding -> (label: String, point: (Double, ClosedRange<Double>))? in
      guard let exact = finding.exact, let played = finding.played else { return nil }
      let interval = (played.interval.lowerBound - exact.ev)...(played.interval.upperBound - exact.ev)
      return (finding.named.label, (played.result.ev - exact.ev, interval))
    }
    guard !compared.isEmpty else { return nil }
    let points = compared.enumerated().map { Figure.Point(Double($0), $1.point.0, interval: $1.point.1) }
    let ends = [0, Double(max(compared.count - 1, 0))].map { Figure.Point($0, 0) }
    return Figure(
      id: "differences", title: "Simulated minus exact EV",
      alternative: "For each of the rules the mean of the rounds played minus the computed EV, with its interval; "
        + "a line marks no difference.",
      x: Figure.Axis("rules", scale: .names(compared.map(\.label))), y: Figure.Axis("difference, bets"),
      series: [
        Figure.Series("simulated minus exact", style: .points, points: points),
        Figure.Series("none", style: .reference, points: ends),
      ])
  }

  private static func payoffs(_ finding: GameFindings) -> [ReportBlock] {
    let rows = finding.report.payoffChances(exact: finding.exact?.chances)
    let isPlayed = finding.played != nil
    let isComputed = rows.contains { $0.exact != nil }
    let titles = (isPlayed ? ["rounds", "share", "from", "to"] : []) + (isComputed ? ["exact"] : [])
    var table = Table([Table.Column("payoff, bets", .right)] + titles.map { Table.Column($0, .right) })
    func percent(_ share: Double?) -> String { share.map { NumberFormat.fixed($0 * 100, decimals: 6) + "%" } ?? "" }
    for row in rows {
      var texts = [GameReport.bets(row.tenths)]
      if isPlayed {
        let interval = row.simulated?.interval
        texts += [
          row.count.map(NumberFormat.grouped) ?? "", percent(row.simulated?.share), percent(interval?.lowerBound),
          percent(interval?.upperBound),
        ]
      }
      if isComputed { texts.append(percent(row.exact)) }
      table.add(texts)
    }
    let confidence = finding.played.map {
      ", each share with an interval that holds for itself at \(Evidence.percent($0.confidence)) confidence"
    }
    let caption = "Every payoff of a round under \(finding.named.label)\(confidence ?? "")."
    let figure = finding.report.payoffFigure(id: "payoffs-\(finding.named.label)", exact: finding.exact?.chances)
    return (figure.map { [.figure($0)] } ?? []) + [.table(ReportTable(caption: caption, table))]
  }
}

extension GameFindings {
  /// The EV, in bets.
  var ev: Double {
    switch report.evidence {
    case .played(let result, _, _, _, _): result.ev
    case .computed(let ev, _, _): ev
    }
  }

  /// The standard deviation of a round, in bets; `nil` where it is not known.
  var deviation: Double? {
    switch report.evidence {
    case .played(let result, _, _, _, _): result.standardDeviation
    case .computed(_, let standardDeviation, _): standardDeviation
    }
  }

  /// Whether there is anything to say of single payoffs.
  var knowsPayoffs: Bool { !report.payoffChances().isEmpty }
}
