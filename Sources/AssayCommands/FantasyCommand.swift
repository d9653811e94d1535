// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import FantasyCore
internal import FantasyLab
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
    "weights", .weights,
    "How much each factor counts: average, form, venue, opponent, role, rest, taper. 0 removes a factor; a factor that "
      + "is not named counts 1.",
    example: "form=3,venue=0", valueName: "weights")
  var weights: FactorWeights?

  @Option(
    "at",
    ValueType<String>.text("moment", expected: "a moment such as 2026-06-11T09:30:00Z")
      .map {
        try? Date($0, strategy: .iso8601)
      } back: {
        $0.formatted(.iso8601)
      },
    "The time at which the advice is used (default: the time of the team file).", example: "2026-06-11T09:30:00Z")
  var at: Date?

  /// Reads the file, and writes the advice about its team.
  func advise<Formats: OutputFormats>(
    _ command: String, _ answer: Freshness.Answer, to destination: OutputOptions<Formats>,
    _ advice: (FantasyTeamFile, Projector, DataAge) throws -> FantasyAdvice
  ) throws {
    let plan = try destination.plan(for: "fantasy \(command)")
    let file = try FantasyTeamFile(team)
    let projector = Projector(file.team, weights: weights ?? FactorWeights())
    let minute = at.map { Int(($0.timeIntervalSince1970 / 60).rounded(.down)) } ?? file.team.asOf
    let made = try advice(file, projector, DataAge(of: answer, at: minute, projector))
    try plan.write(made.document, json: made.json)
  }
}

extension ValueType where Value == FactorWeights {
  /// Weights such as `form=3,venue=0`.
  fileprivate static var weights: Self {
    Self("weights", expected: "weights such as form=3,venue=0") { field throws(ReportingError) in
      let settings = try field.settings(keys: Factor.weighable.map(\.rawValue), separator: ",")
      var weights: [Factor: Int] = [:]
      for factor in Factor.weighable {
        weights[factor] = try settings[factor.rawValue].map(ValueType<Int>.count(0...1000).read)
      }
      guard let all = try? FactorWeights(weights) else { throw field.bad(expected: "a weight above 0") }
      return all
    } write: { weights in
      .string(Factor.weighable.map { "\($0.rawValue)=\(weights[$0])" }.joined(separator: ","))
    }
  }
}

/// Advice is a table, and a picture.
enum FantasyFormats: OutputFormats {
  static let formats = ReportFormat.tables + [.svg, .png]
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
    try source.advise("captain", .captain, to: destination) { file, projector, age in
      guard let advice = FantasyAdvice.captains(by: projector, age) else {
        throw CommandError.refused(
          "\(source.team): squad: found nobody who plays in round \(file.team.round), expected players.")
      }
      return advice
    }
  }
}

struct FantasyTradeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trade",
    abstract: "Computes the points that a trade gains over the remaining rounds, or finds the best trades.",
    discussion: """
      Example: assay fantasy trade team.json
      Example: assay fantasy trade team.json --out quill --in ferro
      """)

  @OptionGroup var source: FantasyTeamOptions

  @Option(help: ArgumentHelp("The id of the player to trade away. Example: --out quill", valueName: "player"))
  var out: String?
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The id of the player to trade for. Example: --in ferro", valueName: "player"))
  var into: String?

  @OptionGroup var destination: OutputOptions<FantasyFormats>

  func run() throws {
    try source.advise("trade", .trades, to: destination) { file, projector, age in
      FantasyAdvice.trades(try trades(file.team, projector), of: file.team, age)
    }
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
          + "who is not in it, of at most $\(NumberFormat.grouped(team.bank + one.price)), with a trade left.")
    }
    return [advice]
  }
}

struct FantasyByesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "byes",
    abstract: "Shows who is missing in which round, and how difficult each club's games are.",
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
    try source.advise("byes", .byes, to: destination) { FantasyAdvice.byes(by: $1, for: position, $2) }
  }
}

struct FantasyPathsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paths",
    abstract: "Finds the combination of trades that gains most within the cap, the slots and the remaining trades.",
    discussion: """
      Example: assay fantasy paths team.json
      Example: assay fantasy paths team.json --trades 2 --nodes 1e6

      The answer states whether the path is proven to be the best, or by how much at most another could gain more. \
      Downgrades come first, so that the money for each step is there.
      """)

  @OptionGroup var source: FantasyTeamOptions
  @Option(
    "trades", .count(0...1000), "The maximum number of trades (default: all remaining).", example: "2")
  var trades: Int?
  @Option("nodes", .count(1...1_000_000_000), "The maximum number of search nodes.", example: "1e6") var nodes = 500_000
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    try source.advise("paths", .paths, to: destination) {
      FantasyAdvice.path(by: $1, trades: trades, nodes: nodes, $2)
    }
  }
}

struct FantasyAlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts",
    abstract: "Shows which facts of a team file alert its owner at once, and which wait for the summary.",
    discussion: "Example: assay fantasy alerts team.json")

  @OptionGroup var source: FantasyTeamOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    try source.advise("alerts", .alerts, to: destination) { file, _, age in
      FantasyAdvice.alerts(of: file.facts, until: file.team.lockout, file.preferences, age)
    }
  }
}
