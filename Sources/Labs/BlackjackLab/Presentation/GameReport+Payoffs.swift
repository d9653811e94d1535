// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
package import Scenarios
internal import Statistics

extension GameReport {
  /// A payoff with what is known of its chance.
  struct PayoffChance {
    /// Tenths of a bet.
    let tenths: Int
    /// How often it occurred; `nil` where nothing was played.
    let count: Int?
    /// The share of the rounds with its interval; `nil` where nothing was played.
    let simulated: (share: Double, interval: ClosedRange<Double>)?
    /// The computed chance; `nil` where there is none.
    let exact: Double?
  }

  /// Bars of every payoff's chance on a logarithmic axis; `nil` where the chances are not known.
  package var payoffFigure: Figure? { payoffFigure(id: "payoffs") }

  /// See `payoffFigure`.
  ///
  /// - Parameters:
  ///   - id: the name of the figure's file.
  ///   - exact: the computed chances, by tenths of a bet, to stand beside those of rounds played.
  /// - Returns: the figure; `nil` where the chances are not known.
  func payoffFigure(id: String, exact: [(tenths: Int, probability: Double)]? = nil) -> Figure? {
    let rows = payoffChances(exact: exact)
    guard !rows.isEmpty else { return nil }
    var series: [Figure.Series] = []
    let played = rows.enumerated().compactMap { place, row in
      row.simulated.map { Figure.Point(Double(place), $0.share, interval: $0.interval) }
    }
    let computed = rows.enumerated().compactMap { place, row in
      row.exact.map { Figure.Point(Double(place), $0) }
    }
    if !played.isEmpty { series.append(Figure.Series("simulated", style: .bars, points: played)) }
    if !computed.isEmpty {
      series.append(Figure.Series("exact", style: played.isEmpty ? .bars : .points, points: computed))
    }
    return Figure(
      id: id, title: "What a round pays, \(chart) chart, \(rules.inShort)",
      alternative: "\(rows.count) payoffs from \(Self.bets(rows[0].tenths)) to "
        + "\(Self.bets(rows[rows.count - 1].tenths)) bets and the share of rounds with each, on a logarithmic axis.",
      x: Figure.Axis("payoff, bets", scale: .names(rows.map { Self.bets($0.tenths) })),
      y: Figure.Axis("share of rounds", scale: .logarithmic), series: series)
  }

  /// Every payoff that occurred or can occur, ascending.
  ///
  /// - Parameter exact: the computed chances where the evidence is of rounds played; otherwise the evidence has them.
  /// - Returns: the payoffs with what is known of them.
  func payoffChances(exact: [(tenths: Int, probability: Double)]? = nil) -> [PayoffChance] {
    switch evidence {
    case .computed(_, _, let chances):
      return (chances ?? []).map {
        PayoffChance(tenths: $0.tenths, count: nil, simulated: nil, exact: $0.probability)
      }
    case .played(let result, _, _, let confidence, _):
      guard result.rounds > 0 else { return [] }
      let counts = Dictionary(result.payoffs.map { ($0.tenths, $0.count) }) { $0 + $1 }
      let chances = Dictionary((exact ?? []).map { ($0.tenths, $0.probability) }) { $0 + $1 }
      return Set(counts.keys).union(chances.keys).sorted().map { tenths in
        let count = counts[tenths, default: 0]
        return PayoffChance(
          tenths: tenths, count: count, simulated: Self.share(count, of: result.rounds, confidence),
          exact: chances[tenths])
      }
    }
  }

  /// A share with Clopper and Pearson's interval.
  private static func share(
    _ count: Int, of rounds: Int, _ confidence: Double
  ) -> (share: Double, interval: ClosedRange<Double>)? {
    // Only a quantile that cannot be computed leaves a share without an interval, and then nothing honest can be said.
    guard let interval = try? BinomialInterval(successes: count, trials: rounds, confidence: confidence) else {
      return nil
    }
    return (interval.proportion, interval.lower...max(interval.lower, interval.upper))
  }
}
