// SPDX-License-Identifier: GPL-3.0-or-later
public import FantasyCore
internal import Foundation
public import Reporting
public import Scenarios

/// An answer about a team, for people and for programs.
public struct FantasyAdvice {
  /// The answer with its reasons.
  public let document: Document
  /// The answer with identifiers and plain numbers.
  public let json: JSONValue

  private init(id: String, title: String, _ blocks: [ReportBlock], data: Table, json: JSONValue) {
    (document, self.json) = (Document(id: id, title: title, blocks, data: data), json)
  }

  // MARK: Captains

  /// The players as captains, best first; `nil` if nobody plays in the round.
  public static func captains(by projector: Projector, _ age: DataAge) -> FantasyAdvice? {
    let all = projector.captains().filter { $0.projection.odds.chance > 0 }
    guard let best = all.first else { return nil }
    let table = Table(
      ["player"], numbers: ["expected", "doubled", "chance", "plays"], ["link"],
      rows: all.map { one in
        [
          one.player.name, points(one.projection.score), points(2 * one.projection.score), percent(one.chance),
          NumberFormat.percent(one.projection.odds.chance, decimals: 0), Link.player(one.player.id).url,
        ]
      })
    let rotation = Table(
      [], numbers: ["round"], ["captain"],
      rows: projector.rotation().map { ["\($0.round)", "\($0.best.player.name), \(points($0.best.projection.score))"] })
    let reasons = Table(
      ["factor"], numbers: ["points", "weight"], ["evidence"],
      rows: factors(of: best, projector).map { factor, points, weight, evidence in
        [factor.rawValue, NumberFormat.signed(points, decimals: 2), "\(weight)", evidence]
      })
    let figure = Figure(
      id: "captains", title: "Projected scores of the five best captains",
      alternative:
        "The chance of at least this number of points, for each of the five players with the highest expected score.",
      x: Figure.Axis("points"), y: Figure.Axis("chance of at least this number, %"),
      series: all.prefix(5).map { one in
        let points = stride(from: 1, through: 180, by: 3).map {
          Figure.Point(Double($0), one.projection.odds.chance(of: $0) * 100)
        }
        return Figure.Series(one.player.name, style: .line, points: points)
      })
    return FantasyAdvice(
      id: "captain",
      title: "\(best.player.name) is the captain of round \(projector.team.round), with \(percent(best.chance))",
      [
        .paragraph(
          "\(age.text) The chance is to score no less than the next best; of the others, no less than the best."),
        .table(table), .part("Why \(best.player.name)", [.table(reasons)]),
        .part("The rounds that are left", [.table(rotation)]), .figure(figure),
      ], data: table,
      json: [
        "round": .integer(projector.team.round), "model": .string(projector.model.version), "freshness": age.json,
        "captains": .array(
          all.map { one in
            [
              "player": .string(one.player.id), "expected": .number(one.projection.expected),
              "confidence": .integer(Normal.percent(one.chance)),
              "factors": .array(
                factors(of: one, projector).map { factor, points, weight, evidence in
                  [
                    "factor": .string(factor.rawValue), "points": .number(points), "weight": .integer(weight),
                    "evidence": .string(evidence),
                  ]
                }),
            ]
          }),
      ])
  }

  private static func factors(
    of advice: CaptainAdvice, _ projector: Projector
  ) -> [(factor: Factor, points: Double, weight: Int, evidence: String)] {
    zip(Factor.allCases, zip(advice.projection.contributions, advice.projection.evidence)).map { factor, part in
      (factor, Double(part.0) / 100, projector.weights[factor], part.1)
    }
  }

  // MARK: Trades

  /// Trades with the points that they gain.
  public static func trades(_ all: [TradeAdvice], of team: FantasyTeam, _ age: DataAge) -> FantasyAdvice {
    let rounds = Array(team.remaining)
    let table = Table(
      ["out", "in", "slot"], numbers: ["gain", "risk", "chance", "bank, $", "price, $"], ["link"],
      rows: all.map { one in
        [
          one.out.name, one.into.name, one.slot.rawValue, signed(one.gain), NumberFormat.fixed(one.risk, decimals: 1),
          percent(one.chance), NumberFormat.grouped(one.bank), NumberFormat.signed(one.priceGain),
          Link.trade(out: one.out.id, into: one.into.id).url,
        ]
      })
    let byRound = Table(
      ["trade"], numbers: rounds.map { "\($0)" },
      rows: all.map { one in ["\(one.out.name) to \(one.into.name)"] + one.byRound.map(signed) })
    let figure = Figure(
      id: "trades", title: "Points that trades gain, by round",
      alternative: "The sum of points gained until each round that is left, of each trade.",
      x: Figure.Axis("round"), y: Figure.Axis("points gained so far"),
      series: all.prefix(5).map { one in
        var sum = 0
        let points = zip(rounds, one.byRound).map { round, gain in
          sum += gain
          return Figure.Point(Double(round), Double(sum) / 100)
        }
        return Figure.Series("\(one.out.name) to \(one.into.name)", style: .line, points: points)
      })
    let given =
      "\(age.text) Gain: expected points over rounds \(rounds.first ?? 0) to \(rounds.last ?? 0). Given up: one of "
      + "\(NumberFormat.counted(team.trades, "trade")), and each round in which the gain is negative."
    return FantasyAdvice(
      id: "trade", title: all.isEmpty ? "No trade gains points" : "\(NumberFormat.counted(all.count, "trade"))",
      [.paragraph(given), .table(table), .table(byRound, caption: "Points gained by round")]
        + (all.isEmpty ? [] : [.figure(figure)]), data: table,
      json: [
        "round": .integer(team.round), "freshness": age.json,
        "trades": .array(
          all.map { one in
            [
              "out": .string(one.out.id), "in": .string(one.into.id), "gain": hundredths(one.gain),
              "risk": .number(one.risk), "confidence": .integer(Normal.percent(one.chance)), "bank": .integer(one.bank),
              "priceGain": .integer(one.priceGain), "byRound": .array(one.byRound.map(hundredths)),
            ]
          }),
      ])
  }

  // MARK: Byes

  /// The missing players of each round, and the difficulty of the games for a position.
  public static func byes(by projector: Projector, for position: Position, _ age: DataAge) -> FantasyAdvice {
    let (byes, difficulty) = (projector.byes(), projector.difficulty(for: position))
    let rounds = projector.team.remaining.map { "\($0)" }
    let table = Table(
      [], numbers: ["round", "missing"] + Position.allCases.map(\.rawValue) + ["expected"], ["who"],
      rows: byes.map { one in
        ["\(one.round)", "\(one.missing.count)"] + Position.allCases.map { "\(one.covered[$0] ?? 0)" }
          + [points(one.expected), one.missing.map(\.name).joined(separator: ", ")]
      })
    let calendar = Table(
      ["club"], numbers: rounds,
      rows: difficulty.map { one in
        [one.club] + one.rounds.map { $0.map { NumberFormat.signed(Double($0), decimals: 0) } ?? "bye" }
      })
    let upwards = difficulty.reversed()
    let figure = Figure(
      id: "calendar", title: "Points conceded by opponents to \(position.rawValue)",
      alternative: "A calendar of clubs and rounds, shaded by the points above the usual that the opponent concedes; "
        + "byes are empty.",
      x: Figure.Axis("round", scale: .names(rounds)), y: Figure.Axis("club", scale: .names(upwards.map(\.club))),
      series: [
        Figure.Series(
          "points above the usual", style: .cells,
          points: upwards.enumerated().flatMap { row, one in
            one.rounds.enumerated().compactMap { column, value in
              value.map { Figure.Point(column: column, row: row, value: Double($0)) }
            }
          })
      ])
    let worst = byes.max { $0.missing.count < $1.missing.count }
    return FantasyAdvice(
      id: "byes",
      title: worst.map { "At most \($0.missing.count) are missing, in round \($0.round)" } ?? "No rounds are left",
      [
        .paragraph(age.text), .table(table, caption: "The squad by round: missing, playing in each slot"),
        .table(calendar, caption: "Points that opponents concede to \(position.rawValue) above the usual"),
        .figure(figure),
      ], data: table,
      json: [
        "freshness": age.json,
        "rounds": .array(
          byes.map { one in
            [
              "round": .integer(one.round), "missing": .array(one.missing.map { .string($0.id) }),
              "expected": hundredths(one.expected),
            ]
          }),
        "difficulty": .array(
          difficulty.map { one in
            ["club": .string(one.club), "rounds": .array(one.rounds.map { $0.map { .integer($0) } ?? .null })]
          }),
      ])
  }

  // MARK: Paths

  /// The trades that together gain most, from a search with a limited number of nodes.
  public static func path(by projector: Projector, trades: Int?, nodes: Int, _ age: DataAge) -> FantasyAdvice {
    let (path, squad, market) = projector.path(trades: trades, nodes: nodes)
    let table = Table(
      ["out", "in"], numbers: ["gain", "price, $", "bank, $"], ["link"],
      rows: path.steps.map { step in
        let (out, into) = (squad[step.out], market[step.into])
        let gain = projector.outlook(of: into).reduce(0, +) - projector.outlook(of: out).reduce(0, +)
        return [
          out.name, into.name, signed(gain), NumberFormat.signed(into.price - out.price),
          NumberFormat.grouped(step.bank), Link.trade(out: out.id, into: into.id).url,
        ]
      })
    let sure =
      path.isBest
      ? "No path gains more: proven in \(NumberFormat.counted(path.nodes, "node"))."
      : "A better path may gain \(points(path.bound - path.gain)) more at most; --nodes searches further."
    return FantasyAdvice(
      id: "paths",
      title: path.steps.isEmpty
        ? "No trades gain points"
        : "\(NumberFormat.counted(path.steps.count, "trade")) gain \(points(path.gain)) points",
      [.paragraph("\(age.text) \(sure)"), .table(table)], data: table,
      json: [
        "freshness": age.json, "gain": hundredths(path.gain), "bound": hundredths(path.bound),
        "isBest": .bool(path.isBest), "nodes": .integer(path.nodes),
        "steps": .array(
          path.steps.map { step in
            ["out": .string(squad[step.out].id), "in": .string(market[step.into].id), "bank": .integer(step.bank)]
          }),
      ])
  }

  // MARK: Alerts

  /// The deliveries of an inbox until the lockout.
  public static func alerts(
    of facts: [Fact], until lockout: Int, _ preferences: AlertPreferences, _ age: DataAge
  ) -> FantasyAdvice {
    var inbox = AlertInbox(preferences)
    let deliveries = inbox.receive(facts, until: lockout)
    func moment(_ minute: Int, _ zone: TimeZone) -> String {
      Date(timeIntervalSince1970: Double(minute) * 60).formatted(
        Date.ISO8601FormatStyle(timeZone: zone).year().month().day().dateTimeSeparator(.space).time(
          includingFractionalSeconds: false))
    }
    let table = Table(
      ["at", "kind", "interrupts", "facts"],
      rows: deliveries.map { one in
        [
          moment(one.at, preferences.zone), one.isSummary ? "summary" : one.facts.first?.category.rawValue ?? "",
          "\(one.interruption)", one.facts.map(\.key).joined(separator: ", "),
        ]
      })
    let zone = preferences.zone
    return FantasyAdvice(
      id: "alerts",
      title: "\(NumberFormat.counted(deliveries.count { $0.interruption > .passive }, "alert")) for "
        + NumberFormat.counted(facts.count, "fact"),
      [
        .paragraph("\(age.text) Times are of \(zone.identifier); lockout at \(moment(lockout, zone))."), .table(table),
      ], data: table,
      json: [
        "freshness": age.json,
        "deliveries": .array(
          deliveries.map { one in
            [
              "at": .string(moment(one.at, .gmt)), "interruption": .string("\(one.interruption)"),
              "summary": .bool(one.isSummary), "facts": .array(one.facts.map { .string($0.key) }),
            ]
          }),
      ])
  }

  // MARK: Parts

  private static func points(_ hundredths: Int) -> String { NumberFormat.fixed(Double(hundredths) / 100, decimals: 1) }
  private static func signed(_ hundredths: Int) -> String { NumberFormat.signed(Double(hundredths) / 100, decimals: 1) }
  private static func percent(_ chance: Double) -> String { "\(Normal.percent(chance))%" }
  private static func hundredths(_ value: Int) -> JSONValue { .number(Double(value) / 100) }
}

/// The age of a team's data, with a warning if it affects an answer.
public struct DataAge {
  fileprivate let json: JSONValue
  fileprivate let text: String

  /// The age at a minute of the Unix epoch.
  public init(of answer: Freshness.Answer, at minute: Int, _ projector: Projector) {
    let team = projector.team
    let freshness = Freshness(of: answer, asOf: team.asOf, now: minute, lockout: team.lockout)
    let hours = NumberFormat.fixed(Double(minute - team.asOf) / 60, decimals: 1)
    let word =
      switch freshness {
      case .fresh: "fresh"
      case .stale: "stale: the data is \(hours) hours old"
      case .wrong: "unreliable: the data is \(hours) hours old, or the round is locked"
      }
    json = .string(freshness.rawValue)
    text = "Model \(projector.model.version), round \(team.round); \(word)."
  }
}
