// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreTables
internal import FantasyCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// Recomputes the prices of a file by the league's rule.
struct PricesRun: ReadsGames {
  static let kind = "fantasy.prices"
  static let isDrawn = false
  static let summary = "Computes prices by the league's rule: the next ones, break-evens, and where given ones differ."
  static let discussion = """
    Example: assay fantasy prices games.csv

    The file has a line for each player and round, with the columns player, round, score and price; options give \
    other names. The price is that before the round, in dollars. An empty score is a game not played. Seasons are \
    separate. A score of 0 means a withdrawal, as leagues report it; with --zeros it is a game. Lines without a score \
    after the last round may give the prices after it.
    """

  var games = ""
  var columns = GameColumns()
  var price = "price"
  var zeros = false
  var tolerance = 2000

  init() {}

  static let parameters: [Parameter<Self>] =
    GameColumns.parameters(of: Self.self) + [
      Parameter(
        "price", \.price, .text("column", expected: "the name of a column"), "The column of prices.",
        example: "Salary"),
      Parameter("zeros", \.zeros, .flag, "A score of 0 is a game, not a withdrawal."),
      Parameter(
        "tolerance", \.tolerance, .count(0...1_000_000), "The accepted difference from the rule's price, in dollars.",
        example: "1000"),
    ]

  static let defaultThresholds = ["prices.differ == 0"]

  private static let rows: [MeasureRow<Outcome>] = [
    .count("prices.steps", "Prices that the rule gives and the file has", unit: "prices") { $0.steps.count },
    .count("prices.differ", "Prices that differ by more than the tolerance", unit: "prices") { $0.differing.count },
    .exact("prices.largest", "The largest difference", unit: "$") { $0.steps.map { Double(abs($0.difference)) }.max() },
    .count("prices.withdrawn", "Scores of 0 taken for withdrawals", unit: "scores") { $0.withdrawn },
  ]

  var measures: [Measure] { Self.rows.measures() }

  struct Step {
    var player: String
    var round: Round
    var given: Int
    var byRule: Int
    var line: Int
    var difference: Int { given - byRule }
  }

  struct Next {
    var player: String
    var price: Int
    var next: Int?
    var breakEven: Double?
  }

  struct Outcome {
    var steps: [Step] = []
    var next: [Next] = []
    var withdrawn = 0
    /// The magic numbers, in the order of the rounds.
    var magics: [(season: String, round: Round, magic: Double)] = []
    var tolerance: Int

    var differing: [Step] { steps.filter { abs($0.difference) > tolerance } }
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised else { return .interrupted }
    let outcome = try outcome()
    func dollars(_ value: Int?) -> String { value.map { NumberFormat.grouped($0) } ?? "" }
    func next(_ titles: [String], _ dollars: (Int?) -> String) -> Table {
      Table(
        ["player"], numbers: titles,
        rows: outcome.next.map { one in
          [
            one.player, dollars(one.price), dollars(one.next),
            one.breakEven.map { NumberFormat.fixed($0, decimals: 1) } ?? "",
          ]
        })
    }
    let differing = Table(
      ["player"], numbers: ["round", "given, $", "by the rule, $", "difference, $", "line"],
      rows: outcome.differing.map { one in
        [
          one.player, "\(one.round)", dollars(one.given), dollars(one.byRule),
          NumberFormat.signed(one.difference), "\(one.line)",
        ]
      })
    let seasons = Set(outcome.magics.map(\.season)).count
    let magics = outcome.magics.map { one in
      (seasons > 1 ? "\(one.season), " : "") + "round \(one.round): \(NumberFormat.fixed(one.magic, decimals: 1))"
    }
    let text =
      "\(outcome.differing.count) of \(NumberFormat.counted(outcome.steps.count, "given price")) differ from the rule "
      + "by more than $\(NumberFormat.grouped(tolerance))."
      + (outcome.withdrawn == 0
        ? "" : " \(NumberFormat.counted(outcome.withdrawn, "score")) of 0 taken for withdrawals.")
    return ScenarioResult(
      measurements: Self.rows.measurements(in: outcome),
      document: Document(
        id: "prices", title: "Prices of \(games)",
        [.paragraph(text)] + (outcome.differing.isEmpty ? [] : [.table(differing, caption: "Prices off the rule")])
          + [
            .table(
              next(["price, $", "next, $", "break-even, points"], dollars),
              caption: "After the last game; the break-even is the score that keeps the price"),
            .details(summary: "The magic number by round", [.list(magics)]),
          ], data: next(["price", "next", "breakEven"]) { $0.map(String.init) ?? "" }))
  }

  private func outcome() throws -> Outcome {
    var players = try PlayerGames.all(in: .read(games), by: columns, price: price)
    var outcome = Outcome(tolerance: tolerance)
    for player in players.indices where !zeros {
      for game in players[player].games.indices where players[player].games[game].score == 0 {
        players[player].games[game].score = nil
        outcome.withdrawn += 1
      }
    }
    var seasons: [String] = []
    for player in players where !seasons.contains(player.season) { seasons.append(player.season) }
    for season in seasons { follow(players.filter { $0.season == season }, of: season, into: &outcome) }
    return outcome
  }

  /// Computes each round's magic number from the players who played, and with it every player's next price.
  private func follow(_ players: [PlayerGames], of season: String, into outcome: inout Outcome) {
    let rule = PriceRule.aflFantasy
    var latest = players.map { _ in [Int]() }
    var next = players.map { Next(player: $0.name, price: $0.games.last?.price ?? 0) }
    for round in Set(players.flatMap { $0.games.map(\.round) }).sorted() {
      var market: [(player: Int, entry: Int, price: Int, latest: [Int])] = []
      for (player, one) in players.enumerated() {
        guard let entry = one.games.firstIndex(where: { $0.round == round }), let score = one.games[entry].score
        else { continue }
        latest[player] = [score] + latest[player].prefix(rule.weights.count - 1)
        market.append((player, entry, one.games[entry].price, latest[player]))
      }
      guard let magic = rule.magic(of: market.map { ($0.price, $0.latest) }) else { continue }
      outcome.magics.append((season, round, magic))
      for one in market {
        let entries = players[one.player].games
        let price = rule.next(price: one.price, latest: one.latest, magic: magic)
        if one.entry + 1 < entries.count {
          let given = entries[one.entry + 1]
          outcome.steps.append(
            Step(
              player: players[one.player].name, round: given.round, given: given.price, byRule: price, line: given.line)
          )
        } else {
          next[one.player].next = price
        }
      }
    }
    if let last = outcome.magics.last, last.season == season {
      let magic = last.magic
      for (index, one) in next.enumerated() {
        next[index].breakEven = rule.breakEven(price: one.next ?? one.price, older: latest[index], magic: magic)
      }
    }
    outcome.next += next
  }
}
