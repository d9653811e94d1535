// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios
internal import Statistics

extension [GameFinding] {
  func blocks(_ summary: Table) -> [ReportBlock] {
    guard let first else { return [] }
    let caption = "\(first.chart.inWords): the mean win of a round; a negative EV is the house edge."
    var earned: [ReportBlock] = [.table(summary, caption: caption)]
    if count == 1 {
      earned.insert(
        .paragraph("\(first.chart.inWords) under \(first.named.label): \(first.named.rules.inWords)."), at: 0)
    } else if let differences {
      earned.append(.figure(differences))
    }
    var blocks: [ReportBlock] = [.part("The chart's EV", earned)]
    let paid = filter { !$0.payoffs.isEmpty }
    if !paid.isEmpty { blocks.append(.part("The payoffs of a round", paid.parts(\.payoffBlocks))) }
    if first.isPlayed { blocks.append(.part("How the estimate converged", parts(\.convergence))) }
    return blocks
  }

  /// Simulated minus exact for each of the rules; `nil` without comparisons.
  private var differences: Figure? {
    let compared = compactMap { finding -> (label: String, difference: Double, interval: ClosedRange<Double>)? in
      guard finding.isPlayed, let exact = finding.computed?.ev else { return nil }
      let interval = finding.result.evInterval(at: finding.confidence)
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
  fileprivate var convergence: [ReportBlock] {
    let stages = course.map { (result: $0, interval: $0.evInterval(at: confidence)) }
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
      + "\(NumberFormat.percent(stated)) confidence."
    return [.figure(figure), .details(summary: "Every stage", [.table(table, caption: caption)])]
  }

  /// Every payoff that occurred or can occur, ascending; empty if no chance is known.
  fileprivate var payoffs: [PayoffChance] {
    let chances = Dictionary((computed?.chances ?? []).map { ($0.tenths, $0.probability) }) { $0 + $1 }
    guard isPlayed else {
      return chances.sorted { $0.key < $1.key }.map { PayoffChance(tenths: $0.key, played: nil, exact: $0.value) }
    }
    let counts = Dictionary(result.payoffs.map { ($0.tenths, $0.count) }) { $0 + $1 }
    return Set(counts.keys).union(chances.keys).sorted().map { tenths in
      let count = counts[tenths, default: 0]
      // An interval is missing only if its quantile cannot be computed.
      let share = try? BinomialInterval(successes: count, trials: result.rounds, confidence: confidence)
      return PayoffChance(tenths: tenths, played: share.map { (count, $0) }, exact: chances[tenths])
    }
  }

  fileprivate var payoffBlocks: [ReportBlock] {
    let rows = payoffs
    let isComputed = rows.contains { $0.exact != nil }
    let titles = (isPlayed ? ["rounds", "share", "from", "to"] : []) + (isComputed ? ["exact"] : [])
    var table = Table([], numbers: ["payoff, bets"] + titles)
    func percent(_ share: Double?) -> String { share.map { NumberFormat.percent($0, decimals: 6) } ?? "" }
    for row in rows {
      var texts = [row.bets]
      if isPlayed {
        let share = row.played?.share
        texts.append(row.played.map { NumberFormat.grouped($0.count) } ?? "")
        texts += [share?.proportion, share?.lower, share?.upper].map(percent)
      }
      if isComputed { texts.append(percent(row.exact)) }
      table.add(texts)
    }
    let intervals =
      isPlayed
      ? ", each share with its own \(NumberFormat.percent(stated)) interval, not simultaneous" : ""
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
    return ["rules": .string(named.label), isPlayed ? "payoffs" : "chances": .object(payoffs)]
  }
}
