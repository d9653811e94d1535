// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Scenarios

/// A figure of every style, as labs make them.
enum Gallery {
  static let all = [convergence, actions, payoffs, twoBars, trend, single]

  /// Lines with bands that narrow, against exact values, over a logarithmic axis.
  static let convergence = Figure(
    id: "convergence", title: "The estimate of the best action's EV narrows as hands are played",
    alternative: "Three lines with bands that narrow around 0.0123.",
    x: Figure.Axis("hands played", scale: .logarithmic), y: Figure.Axis("EV, bets"),
    series: [
      narrowing("hit", to: 0.0123), narrowing("stand", to: 0.06), narrowing("double", to: -0.03),
      Figure.Series("exact EV of hit", style: .reference, points: [Figure.Point(1_000, 0.0123)]),
    ])

  private static func narrowing(_ name: String, to exact: Double) -> Figure.Series {
    let points = (0..<25).map { step -> Figure.Point in
      let hands: Double = pow(10, 3 + Double(step) / 4)
      let error: Double = 3.3 / hands.squareRoot()
      let value: Double = exact + error * 0.7 * sin(Double(step) * 1.7 + exact * 100)
      return Figure.Point(hands, value, interval: (value - error)...(value + error))
    }
    return Figure.Series(name, style: .line, points: points)
  }

  /// Points with error bars over names.
  static let actions = Figure(
    id: "actions", title: "Hard 16 against 10: simulated and exact", alternative: "Four actions with intervals.",
    x: Figure.Axis("action", scale: .names(["stand", "hit", "double", "surrender"])), y: Figure.Axis("EV, bets"),
    series: [
      Figure.Series(
        "simulated, with 99.9% intervals", style: .points,
        points: zip([-0.54, -0.54, -1.05, -0.5], [0.04, 0.03, 0.08, 0]).enumerated().map { index, value in
          Figure.Point(Double(index), value.0, interval: (value.0 - value.1)...(value.0 + value.1))
        }),
      Figure.Series(
        "exact", style: .points,
        points: [-0.5404, -0.5398, -1.0796, -0.5].enumerated().map { Figure.Point(Double($0), $1) }),
    ])

  /// Bars on a logarithmic axis over thirty names, with exact values.
  static let payoffs: Figure = {
    let payoffs = (0..<30).map { Double($0) / 2 - 7.5 }
    let shares = payoffs.map { payoff in 0.4 * exp(-abs(payoff) * 1.7) }
    return Figure(
      id: "payoffs", title: "What a round pays, basic chart, six decks, dealer stands on soft 17, double after split",
      alternative: "Thirty payoffs and their shares on a logarithmic axis.",
      x: Figure.Axis("payoff, bets", scale: .names(payoffs.map { "\($0)" })),
      y: Figure.Axis("share of rounds", scale: .logarithmic),
      series: [
        Figure.Series(
          "simulated", style: .bars,
          points: shares.enumerated().map { index, share in
            Figure.Point(Double(index), share, interval: max(0, share - 2e-6)...(share + 2e-6))
          }),
        Figure.Series("exact", style: .points, points: shares.enumerated().map { Figure.Point(Double($0), $1) }),
      ])
  }()

  /// Several bars side by side, below zero too.
  static let twoBars = Figure(
    id: "two-bars", title: "What the rules are worth", alternative: "Bars for three decks, side by side.",
    x: Figure.Axis("", scale: .names(["stands on soft 17", "double after split", "late surrender", "resplit aces"])),
    y: Figure.Axis("EV against the usual game, %"),
    series: ["one deck", "two decks", "six decks", "eight decks"].enumerated().map { place, name in
      Figure.Series(
        name, style: .bars,
        points: [0.2, 0.14, 0.07, -0.08].enumerated().map { index, value in
          Figure.Point(Double(index), value * (1 + Double(place) / 3) - 0.02)
        })
    })

  /// Six lines of many points, one with a gap.
  static let trend = Figure(
    id: "trend", title: "Six series", alternative: "Six waves.", x: Figure.Axis("week"),
    y: Figure.Axis("rank correlation"),
    series: (0..<6).map { place in
      Figure.Series(
        "series \(place + 1)", style: .line,
        points: (0..<120).map { step -> Figure.Point in
          let height: Double = sin(Double(step) / 15 + Double(place)) + Double(place) / 3
          return Figure.Point(Double(step), place == 2 && (40..<60).contains(step) ? .nan : height)
        })
    })

  /// A single point.
  static let single = Figure(
    id: "single", title: "One run so far", alternative: "A single run.", x: Figure.Axis("run"),
    y: Figure.Axis("rounds per second"),
    series: [
      Figure.Series("speed", style: .line, points: [Figure.Point(1, 12_345_678, interval: 12_000_000...12_600_000)]),
      Figure.Series("without data", style: .points, points: []),
    ])
}
