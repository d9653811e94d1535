// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import FantasyCore
internal import Foundation
internal import Reporting
internal import Scenarios
internal import Workbench

/// The team of the advice, and the weights of its factors.
struct FantasyTeamOptions: ParsableArguments {
  @Argument(
    help: "The team and its league; - is the standard input. Example: team.json",
    completion: .file(extensions: ["json"]))
  var team: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much factors count, the others 1; 0 removes one: average, form, venue, opponent, role, rest, taper. "
        + "Example: --weights form=3,venue=0",
      valueName: "weights"))
  var weights: String?

  @Option(
    "at",
    ValueType<String>.text("moment", expected: "a moment such as 2026-06-11T09:30:00Z")
      .map {
        try? Date($0, strategy: .iso8601)
      } back: {
        $0.formatted(.iso8601)
      },
    "When the advice is read (default: when the team was written).", example: "2026-06-11T09:30:00Z")
  var at: Date?

  /// The file, projections by the weights, and the age of the data, with a warning if it affects an answer.
  func read(
    for answer: Freshness.Answer
  ) throws -> (file: FantasyTeamFile, projector: Projector, age: (freshness: String, text: String)) {
    let weights = try FactorWeights(option: weights)
    let file = try FantasyTeamFile(team)
    let team = file.team
    let now = at.map { Int(($0.timeIntervalSince1970 / 60).rounded(.down)) } ?? team.asOf
    let freshness = Freshness(of: answer, asOf: team.asOf, now: now, lockout: team.lockout)
    let hours = NumberFormat.fixed(Double(now - team.asOf) / 60, decimals: 1)
    let word =
      switch freshness {
      case .fresh: "fresh"
      case .stale: "stale: the data is \(hours) hours old"
      case .wrong: "unreliable: the data is \(hours) hours old, or the round is locked"
      }
    let projector = Projector(team, weights: weights)
    let text = "Model \(projector.model.version), round \(team.round); \(word)."
    return (file, projector, (freshness.rawValue, text))
  }
}

extension FactorWeights {
  /// Weights of an option: `form=3,venue=0`.
  fileprivate init(option: String?) throws {
    var weights: [Factor: Int] = [:]
    for part in (option ?? "").split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let factor = Factor(rawValue: sides[0]) else {
        let known = Factor.weighable.map(\.rawValue)
        throw CommandError.badValue(
          option: "--weights", found: sides[0], expected: "one of \(known.joined(separator: ", "))")
      }
      guard sides.count == 2, let weight = Int(sides[1]) else {
        throw CommandError.badValue(
          option: "--weights", found: String(part), expected: "a factor and a whole number, such as form=3")
      }
      weights[factor] = weight
    }
    do {
      try self.init(weights)
    } catch {
      throw CommandError.badValue(option: "--\(error.field)", found: error.found, expected: error.expected)
    }
  }
}

/// Advice is a table, and a picture.
enum FantasyFormats: OutputFormats {
  static let formats = ReportFormat.tables + [.svg, .png]
}

private func points(_ hundredths: Int) -> String { NumberFormat.fixed(Double(hundredths) / 100, decimals: 1) }
private func signed(_ hundredths: Int) -> String { NumberFormat.signed(Double(hundredths) / 100, decimals: 1) }
private func dollars(_ value: Int) -> String { NumberFormat.grouped(value) }
private func percent(_ chance: Double) -> String { "\(Normal.percent(chance))%" }

private func reasons(_ projection: Projection, _ weights: FactorWeights) -> Table {
  Table(
    ["factor"], numbers: ["points", "weight"], ["evidence"],
    rows: zip(Factor.allCases, zip(projection.contributions, projection.evidence)).map { factor, part in
      [factor.rawValue, NumberFormat.signed(Double(part.0) / 100, decimals: 2), "\(weights[factor])", part.1]
    })
}

struct FantasyCaptainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "captain",
    abstract: "Ranks captains of a team by expected points, with reasons and the chance to beat the next best.",
    discussion: """
      Example: assay fantasy captain team.json
      Example: assay fantasy captain team.json --weights form=3,venue=0 --output captains.svg

      The reasons add up to the expected score exactly. The picture has the projected distributions.
      """)

  @OptionGroup var source: FantasyTeamOptions
  @OptionGroup var destination: OutputOptions<FantasyFormats>

  func run() throws {
    let plan = try destination.plan(for: "fantasy captain")
    let (file, projector, age) = try source.read(for: .captain)
    let all = projector.captains().filter { $0.projection.odds.chance > 0 }
    guard let best = all.first else {
      throw CommandError.refused(
        "\(source.team): squad: found nobody who plays in round \(file.team.round), expected players.")
    }
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
    let json: JSONValue = [
      "round": .integer(file.team.round), "model": .string(projector.model.version),
      "freshness": .string(age.freshness),
      "captains": .array(
        all.map { one in
          [
            "player": .string(one.player.id), "expected": .number(one.projection.expected),
            "confidence": .integer(Normal.percent(one.chance)),
            "factors": .array(
              zip(Factor.allCases, zip(one.projection.contributions, one.projection.evidence)).map { factor, part in
                [
                  "factor": .string(factor.rawValue), "points": .number(Double(part.0) / 100),
                  "weight": .integer(projector.weights[factor]), "evidence": .string(part.1),
                ]
              }),
          ]
        }),
    ]
    let figure = Figure(
      id: "captains", title: "Projected scores of the five best captains",
      alternative:
        "The chance of at least this number of points, for each of the five players with the highest expected score.",
      x: Figure.Axis("points"), y: Figure.Axis("chance of at least this number, %"),
      series: all.prefix(5).map { one in
        Figure.Series(
          one.player.name, style: .line,
          points: stride(from: 1, through: 180, by: 3).map {
            Figure.Point(Double($0), one.projection.odds.chance(of: $0) * 100)
          })
      })
    try plan.write(
      Document(
        id: "captain",
        title: "\(best.player.name) is the captain of round \(file.team.round), with \(percent(best.chance))",
        [
          .paragraph(
            "\(age.text) The chance is to score no less than the next best; of the others, no less than the best."),
          .table(table), .part("Why \(best.player.name)", [.table(reasons(best.projection, projector.weights))]),
          .part("The rounds that are left", [.table(rotation)]), .figure(figure),
        ], data: table), json: json)
  }
}

struct FantasyTradeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trade",
    abstract: "Says what a trade changes over the rounds that are left, or which trades gain most.",
    discussion: """
      Example: assay fantasy trade team.json
      Example: assay fantasy trade team.json --out quill --in ferro
      """)

  @OptionGroup var source: FantasyTeamOptions

  @Option(help: ArgumentHelp("The id of the player who goes. Example: --out quill", valueName: "player"))
  var out: String?
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The id of the player who comes. Example: --in ferro", valueName: "player"))
  var into: String?

  @OptionGroup var destination: OutputOptions<FantasyFormats>

  func run() throws {
    let plan = try destination.plan(for: "fantasy trade")
    let (file, projector, age) = try source.read(for: .trades)
    let all = try trades(file.team, projector)
    let table = Table(
      ["out", "in", "slot"], numbers: ["gain", "risk", "chance", "bank, $", "price, $"], ["link"],
      rows: all.map { one in
        [
          one.out.name, one.into.name, one.slot.rawValue, signed(one.gain), NumberFormat.fixed(one.risk, decimals: 1),
          percent(one.chance), dollars(one.bank), NumberFormat.signed(one.priceGain),
          Link.trade(out: one.out.id, into: one.into.id).url,
        ]
      })
    let rounds = Array(file.team.remaining)
    let byRound = Table(
      ["trade"], numbers: rounds.map { "\($0)" },
      rows: all.map { one in ["\(one.out.name) to \(one.into.name)"] + one.byRound.map(signed) })
    let figure = Figure(
      id: "trades", title: "Points that trades gain, by round",
      alternative: "The sum of points gained until each round that is left, of each trade.",
      x: Figure.Axis("round"), y: Figure.Axis("points gained so far"),
      series: all.prefix(5).map { one in
        var sum = 0
        return Figure.Series(
          "\(one.out.name) to \(one.into.name)", style: .line,
          points: zip(rounds, one.byRound).map { round, gain in
            sum += gain
            return Figure.Point(Double(round), Double(sum) / 100)
          })
      })
    let json: JSONValue = [
      "round": .integer(file.team.round), "freshness": .string(age.freshness),
      "trades": .array(
        all.map { one in
          [
            "out": .string(one.out.id), "in": .string(one.into.id), "gain": .number(Double(one.gain) / 100),
            "risk": .number(one.risk), "confidence": .integer(Normal.percent(one.chance)), "bank": .integer(one.bank),
            "priceGain": .integer(one.priceGain), "byRound": .array(one.byRound.map { .number(Double($0) / 100) }),
          ]
        }),
    ]
    let given =
      "\(age.text) Gain: expected points over rounds \(rounds.first ?? 0) to \(rounds.last ?? 0). Given up: one of "
      + "\(NumberFormat.counted(file.team.trades, "trade")), and each round in which the gain is negative."
    try plan.write(
      Document(
        id: "trade", title: all.isEmpty ? "No trade gains points" : "\(NumberFormat.counted(all.count, "trade"))",
        [.paragraph(given), .table(table), .table(byRound, caption: "Points gained by round")]
          + (all.isEmpty ? [] : [.figure(figure)]), data: table), json: json)
  }

  private func trades(_ team: FantasyTeam, _ projector: Projector) throws -> [TradeAdvice] {
    guard out != nil || into != nil else { return projector.trades(atMost: 8) }
    func player(_ id: String?, _ option: String) throws(CommandError) -> Player {
      guard let id else { throw .refused("\(option): found nothing, expected both --out and --in, or neither.") }
      guard let player = team.player(id) else {
        throw .badValue(option: option, found: id, expected: "the id of a player of \(source.team)")
      }
      return player
    }
    let (one, other) = (try player(out, "--out"), try player(into, "--in"))
    guard let advice = projector.trade(one, for: other) else {
      throw CommandError.refused(
        "\(one.name) cannot be traded for \(other.name): expected a player of the squad for one of the same position "
          + "who is not in it, of at most $\(dollars(team.bank + one.price)), with a trade left.")
    }
    return [advice]
  }
}

struct FantasyByesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "byes",
    abstract: "Shows who is missing when, and how difficult the games of each club are.",
    discussion: """
      Example: assay fantasy byes team.json
      Example: assay fantasy byes team.json --position FWD --output calendar.svg

      The picture is a calendar: what opponents concede to the position, by club and round.
      """)

  @OptionGroup var source: FantasyTeamOptions
  @Option(
    "position", .choice, "The position of the calendar: DEF, MID, RUC, FWD.", example: "FWD", valueName: "position")
  var position = Position.midfielder
  @OptionGroup var destination: OutputOptions<FantasyFormats>

  func run() throws {
    let plan = try destination.plan(for: "fantasy byes")
    let (file, projector, age) = try source.read(for: .byes)
    let byes = projector.byes()
    let difficulty = projector.difficulty(for: position)
    let table = Table(
      [], numbers: ["round", "missing"] + Position.allCases.map(\.rawValue) + ["expected"], ["who"],
      rows: byes.map { one in
        ["\(one.round)", "\(one.missing.count)"] + Position.allCases.map { "\(one.covered[$0] ?? 0)" }
          + [points(one.expected), one.missing.map(\.name).joined(separator: ", ")]
      })
    let rounds = file.team.remaining.map { "\($0)" }
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
    let title = worst.map { "At most \($0.missing.count) are missing, in round \($0.round)" } ?? "No rounds are left"
    let json: JSONValue = [
      "freshness": .string(age.freshness),
      "rounds": .array(
        byes.map { one in
          [
            "round": .integer(one.round), "missing": .array(one.missing.map { .string($0.id) }),
            "expected": .number(Double(one.expected) / 100),
          ]
        }),
      "difficulty": .array(
        difficulty.map { one in
          ["club": .string(one.club), "rounds": .array(one.rounds.map { $0.map { .integer($0) } ?? .null })]
        }),
    ]
    try plan.write(
      Document(
        id: "byes", title: title,
        [
          .paragraph(age.text), .table(table, caption: "The squad by round: missing, playing in each slot"),
          .table(calendar, caption: "Points that opponents concede to \(position.rawValue) above the usual"),
          .figure(figure),
        ], data: table), json: json)
  }
}

struct FantasyPathsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paths",
    abstract: "Finds the trades that together gain most within the cap, the slots and the trades left.",
    discussion: """
      Example: assay fantasy paths team.json
      Example: assay fantasy paths team.json --trades 2 --nodes 1e6

      The path is the best of all, or the answer says by how much at most it falls short. Steps are in an order in \
      which the money is always there: downgrades first.
      """)

  @OptionGroup var source: FantasyTeamOptions
  @Option(
    "trades", .count(0...1000), "The maximum number of trades (default: all that are left).", example: "2")
  var trades: Int?
  @Option("nodes", .count(1...1_000_000_000), "How far the search goes.", example: "1e6") var nodes = 500_000
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "fantasy paths")
    let (_, projector, age) = try source.read(for: .paths)
    let (path, squad, market) = projector.path(trades: trades, nodes: nodes)
    let table = Table(
      ["out", "in"], numbers: ["gain", "price, $", "bank, $"], ["link"],
      rows: path.steps.map { step in
        let (out, into) = (squad[step.out], market[step.into])
        let gain = projector.outlook(of: into).reduce(0, +) - projector.outlook(of: out).reduce(0, +)
        return [
          out.name, into.name, signed(gain), NumberFormat.signed(into.price - out.price),
          dollars(step.bank), Link.trade(out: out.id, into: into.id).url,
        ]
      })
    let sure =
      path.isBest
      ? "No path gains more: proven in \(NumberFormat.counted(path.nodes, "node"))."
      : "A better path may gain \(points(path.bound - path.gain)) more at most; --nodes searches further."
    let json: JSONValue = [
      "freshness": .string(age.freshness), "gain": .number(Double(path.gain) / 100),
      "bound": .number(Double(path.bound) / 100), "isBest": .bool(path.isBest), "nodes": .integer(path.nodes),
      "steps": .array(
        path.steps.map { step in
          [
            "out": .string(squad[step.out].id), "in": .string(market[step.into].id), "bank": .integer(step.bank),
          ]
        }),
    ]
    try plan.write(
      Document(
        id: "paths",
        title: path.steps.isEmpty
          ? "No trades gain points"
          : "\(NumberFormat.counted(path.steps.count, "trade")) gain \(points(path.gain)) points",
        [.paragraph("\(age.text) \(sure)"), .table(table)], data: table), json: json)
  }
}

struct FantasyAlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts",
    abstract: "Shows which facts of a team file would alert its owner, when, and what waits for the summary.",
    discussion: "Example: assay fantasy alerts team.json")

  @OptionGroup var source: FantasyTeamOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "fantasy alerts")
    let (file, _, age) = try source.read(for: .alerts)
    var inbox = AlertInbox(file.preferences)
    let deliveries = inbox.receive(file.facts, until: file.team.lockout)
    let table = Table(
      ["at", "kind", "interrupts", "facts"],
      rows: deliveries.map { one in
        [
          moment(one.at, file.preferences.zone), one.isSummary ? "summary" : one.facts.first?.category.rawValue ?? "",
          "\(one.interruption)", one.facts.map(\.key).joined(separator: ", "),
        ]
      })
    let json: JSONValue = [
      "freshness": .string(age.freshness),
      "deliveries": .array(
        deliveries.map { one in
          [
            "at": .string(moment(one.at, .gmt)), "interruption": .string("\(one.interruption)"),
            "summary": .bool(one.isSummary), "facts": .array(one.facts.map { .string($0.key) }),
          ]
        }),
    ]
    let sounding = deliveries.count { $0.interruption > .passive }
    try plan.write(
      Document(
        id: "alerts",
        title: "\(NumberFormat.counted(sounding, "alert")) for \(NumberFormat.counted(file.facts.count, "fact"))",
        [
          .paragraph(
            "\(age.text) Times are of \(file.preferences.zone.identifier); lockout at "
              + "\(moment(file.team.lockout, file.preferences.zone))."), .table(table),
        ], data: table), json: json)
  }

  private func moment(_ minute: Int, _ zone: TimeZone) -> String {
    Date(timeIntervalSince1970: Double(minute) * 60).formatted(
      Date.ISO8601FormatStyle(timeZone: zone).year().month().day().dateTimeSeparator(.space).time(
        includingFractionalSeconds: false))
  }
}
