// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios
internal import Statistics

extension [GameFinding] {
  func document(_ summary: Table) -> Document {
    let known = filter { $0.played.map { $0.result.rounds > 0 } ?? true }
    guard let first = known.first else { return Document([]) }
    var blocks: [ReportBlock] = known.count == 1 ? first.origin.map { .paragraph($0) } : []
    blocks.append(
      .table(
        summary, caption: "\(first.chart.inWords): the mean win of a round; a negative EV is the house edge."))
    if known.count > 1, let figure = known.differences { blocks.append(.figure(figure)) }
    var sections = [ReportSection(id: "earnings", title: "The chart's EV", blocks: blocks)]
    let paid = known.filter { !$0.payoffs.isEmpty }
    if !paid.isEmpty { sections.append(paid.section("payoffs", "The payoffs of a round", \.payoffBlocks)) }
    if known.contains(where: { !$0.stages.isEmpty }) {
      sections.append(known.section("convergence", "How the estimate converged", \.convergence))
    }
    return Document(sections)
  }

  /// Simulated minus exact for each of the rules; `nil` without comparisons.
  private var differences: Figure? {
    let compared = compactMap { finding -> (label: String, difference: Double, interval: ClosedRange<Double>)? in
      guard let exact = finding.computed?.ev, let interval = finding.interval else { return nil }
      return (finding.named.label, finding.ev - exact, (interval.lowerBound - exact)...(interval.upperBound - exact))
    }
    guard !compared.isEmpty else { return nil }
    let points = compared.enumerated().map { Figure.Point(Double($0), $1.difference, interval: $1.interval) }
    return Figure(
      id: "differences", title: "Simulated minus exact EV",
      alternative: "For each of the rules the mean of the rounds played minus the computed EV, with its interval.",
      x: Figure.Axis("rules", scale: .names(compared.map(\.label))), y: Figure.Axis("difference, bets"),
      series: [
        Figure.Series("simulated minus exact", style: .points, points: points), .level("no difference", at: 0),
      ]
    ).showing([Figure.Subject("ev.difference")])
  }
}

private struct PayoffChance {
  let tenths: Int
  /// The number of rounds with the payoff, and their share with Clopper and Pearson's interval; `nil` if no round was
  /// played.
  let played: (count: Int, share: BinomialInterval)?
  /// The computed chance; `nil` if it is unknown.
  let exact: Double?

  var bets: String { NumberFormat.bets(tenths: tenths) }
}

extension GameFinding {
  fileprivate var origin: [String] {
    let how =
      played == nil
      ? "Computed exactly." : "Played with \(simulation.generator), seed \(simulation.seed)."
    return ["\(chart.inWords) under \(named.label): \(named.rules.inWords). \(how)"]
      + (played?.reason == .interrupted ? ["Interrupted: partial results."] : [])
  }

  fileprivate var stages: [(result: PayoffTally, interval: ClosedRange<Double>)] {
    guard let played else { return [] }
    return played.course.filter { $0.rounds > 0 }.map { ($0, $0.evInterval(at: simulation.confidence)) }
  }

  fileprivate var convergence: [ReportBlock] {
    let stages = stages
    guard !stages.isEmpty else { return [] }
    let points = stages.map { Figure.Point(Double($0.result.rounds), $0.result.ev, interval: $0.interval) }
    var series = [Figure.Series("simulated", style: .line, points: points)]
    if let exact = computed?.ev {
      series.append(.level("exact", at: exact))
    }
    let figure = Figure(
      id: "convergence-\(named.label)", title: "EV by rounds played, \(named.label)",
      alternative: "The EV after the first \(NumberFormat.grouped(stages[0].result.rounds)) rounds and after each "
        + "doubling of them, with intervals that nearly halve with every fourfold number of rounds.",
      x: Figure.Axis("rounds", scale: .logarithmic), y: Figure.Axis("EV, bets"), series: series
    ).showing([Figure.Subject("ev", of: named.label), Figure.Subject("edge", of: named.label, scale: -1)])
    let table = Table(
      [], numbers: ["rounds", "EV, bets", "from", "to"],
      rows: stages.map { result, interval in
        [NumberFormat.grouped(result.rounds)]
          + [result.ev, interval.lowerBound, interval.upperBound].map { NumberFormat.signed($0, decimals: 6) }
      })
    let caption =
      "The EV under \(named.label) by the number of rounds; each interval holds separately at "
      + "\(NumberFormat.percent(simulation.confidence)) confidence."
    return [.figure(figure), .details(summary: "Every stage", [.table(table, caption: caption)])]
  }

  /// Every payoff that occurred or can occur, ascending; empty if no chance is known.
  fileprivate var payoffs: [PayoffChance] {
    let chances = Dictionary((computed?.chances ?? []).map { ($0.tenths, $0.probability) }) { $0 + $1 }
    guard let played else {
      return chances.sorted { $0.key < $1.key }.map { PayoffChance(tenths: $0.key, played: nil, exact: $0.value) }
    }
    let counts = Dictionary(played.result.payoffs.map { ($0.tenths, $0.count) }) { $0 + $1 }
    return Set(counts.keys).union(chances.keys).sorted().map { tenths in
      let count = counts[tenths, default: 0]
      // An interval is missing only if its quantile cannot be computed.
      let share = try? BinomialInterval(
        successes: count, trials: played.result.rounds, confidence: simulation.confidence)
      return PayoffChance(tenths: tenths, played: share.map { (count, $0) }, exact: chances[tenths])
    }
  }

  fileprivate var payoffBlocks: [ReportBlock] {
    let rows = payoffs
    let isComputed = rows.contains { $0.exact != nil }
    let titles = (played != nil ? ["rounds", "share", "from", "to"] : []) + (isComputed ? ["exact"] : [])
    var table = Table([], numbers: ["payoff, bets"] + titles)
    func percent(_ share: Double?) -> String { share.map { NumberFormat.percent($0, decimals: 6) } ?? "" }
    for row in rows {
      var texts = [row.bets]
      if played != nil {
        let share = row.played?.share
        texts.append(row.played.map { NumberFormat.grouped($0.count) } ?? "")
        texts += [share?.proportion, share?.lower, share?.upper].map(percent)
      }
      if isComputed { texts.append(percent(row.exact)) }
      table.add(texts)
    }
    let confidence = NumberFormat.percent(simulation.confidence)
    let intervals =
      played == nil ? "" : ", each share with its own \(confidence) interval, not simultaneous"
    let caption = "Every payoff of a round under \(named.label)\(intervals)."
    return [.figure(payoffFigure(rows)), .table(table, caption: caption)]
  }

  private func payoffFigure(_ rows: [PayoffChance]) -> Figure {
    let simulated = rows.enumerated().compactMap { index, row in
      (row.played?.share).map {
        Figure.Point(Double(index), $0.proportion, interval: $0.lower...max($0.lower, $0.upper))
      }
    }
    let exact = rows.enumerated().compactMap { index, row in row.exact.map { Figure.Point(Double(index), $0) } }
    let series = [
      Figure.Series("simulated", style: .bars, points: simulated),
      Figure.Series("exact", style: simulated.isEmpty ? .bars : .points, points: exact),
    ]
    return Figure(
      id: "payoffs-\(named.label)", title: "The payoffs of a round, \(chart.name) chart, \(named.rules.inShort)",
      alternative:
        "\(rows.count) payoffs from \(rows.first?.bets ?? "") to \(rows.last?.bets ?? "") bets and the share "
        + "of rounds with each, on a logarithmic axis.",
      x: Figure.Axis("payoff, bets", scale: .names(rows.map(\.bets))),
      y: Figure.Axis("share of rounds", scale: .logarithmic), series: series.filter { !$0.points.isEmpty })
  }

  var json: JSONValue {
    let payoffs = payoffs.map { row in
      JSONMember(row.bets, row.played.map { .integer($0.count) } ?? row.exact.map(JSONValue.number) ?? .null)
    }
    return ["rules": .string(named.label), played == nil ? "chances" : "payoffs": .object(payoffs)]
  }
}
