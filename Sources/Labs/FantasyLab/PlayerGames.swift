// SPDX-License-Identifier: GPL-3.0-or-later
public import CoreTables
public import Reporting
internal import Scenarios

extension TableError: @retroactive InputError {}

extension TextTable {
  /// Reads a file; - is the standard input.
  static func read(_ path: String) throws -> TextTable {
    try TextTable(TextFile.read(path), file: TextFile.name(of: path))
  }

  /// The cells of columns that options name, row by row, and of one that may be missing.
  func columns(named options: [(option: String, column: String)], optional: [String] = []) throws -> [[TableCell]] {
    for (option, column) in options where try index(of: column) == nil {
      let names = heading.filter { !$0.isEmpty }
      throw TableError(
        file: file, line: headingLine, column: "heading", found: names.joined(separator: ", "),
        expected: "a column '\(column)'\(Spelling.hint(for: column, among: names)); --\(option) names another")
    }
    return try columns(options.map(\.column), optional: optional)
  }
}

/// The columns of a file of games. Club and season are found by their usual names unless given.
struct GameColumns: Hashable, Sendable {
  var player = "player"
  var round = "round"
  var score = "score"
  var club: String?
  var season: String?

  static let clubs = ["club", "team"]
  static let seasons = ["season", "year"]

  private static let column = ValueType<String>.text("column", expected: "the name of a column")

  /// The columns as parameters of an experiment.
  static func parameters<Owner: ReadsGames>(of owner: Owner.Type) -> [Parameter<Owner>] {
    [
      Parameter(
        "games", \Owner.games, .text("file", expected: "a file of games"), "The games.", example: "games.csv",
        form: .positional, isRequired: true),
      Parameter(
        "player", \Owner.columns.player, column, "The column of players: names, or ids if two players have one name.",
        example: "\"Player ID\""),
      Parameter(
        "round", \Owner.columns.round, column, "The column of rounds: 7, Round 7, Opening Round, Grand Final.",
        example: "Rd"),
      Parameter("score", \Owner.columns.score, column, "The column of scores.", example: "AF"),
      Parameter(
        "club", \Owner.columns.club, column.optional,
        "The column of clubs, which are part of a player's identity; without it, 'club' or 'team' distinguishes "
          + "players of one name.", example: "Squad"),
      Parameter(
        "season", \Owner.columns.season, column.optional,
        "The column of seasons, each of which stands alone; without it, 'season' or 'year' if there is one.",
        example: "Yr"),
    ]
  }
}

/// An experiment on a file of games.
protocol ReadsGames: Experiment {
  var games: String { get set }
  var columns: GameColumns { get set }
}

/// The games of a player in a season, in the order of the rounds.
struct PlayerGames {
  struct Game {
    let round: Round
    /// `nil` where the player did not play.
    var score: Int?
    /// The price before the round, in dollars; 0 if prices are not read.
    let price: Int
    let line: Int
  }

  /// The name, with the club and the season where they distinguish players of the file.
  let name: String
  /// Empty for a file without seasons.
  let season: String
  var games: [Game]

  /// The players of a file, in its order; an empty score means not played. Lines without a score are left out unless
  /// prices are read. Each season stands alone.
  ///
  /// - Throws: `TableError` for an invalid round, score or price, and for a second line of a player in a round.
  static func all(in table: TextTable, by columns: GameColumns, price: String? = nil) throws -> [PlayerGames] {
    func found(_ names: [String], _ given: String?) throws -> String? {
      if let given { return given }
      return try names.first { try table.index(of: $0) != nil }
    }
    let (season, club) = (
      try found(GameColumns.seasons, columns.season), try found(GameColumns.clubs, columns.club)
    )
    var options = [("player", columns.player), ("round", columns.round), ("score", columns.score)]
    if let price { options.append(("price", price)) }
    let given = [("season", columns.season), ("club", columns.club)]
    let required = options.count
    let rows = try table.columns(
      named: options + given.compactMap { option, name in name.map { (option, $0) } },
      optional: [season ?? "", club ?? ""])
    struct Entry {
      let player, club, season: String
      let game: Game
      let round: TableCell
    }
    var entries: [Entry] = []
    for row in rows {
      guard !row[0].text.isEmpty else { throw row[0].bad("a player's name") }
      if row[2].text.isEmpty, price == nil { continue }
      guard let round = Round(row[1]) else {
        throw row[1].bad("a round from 0 to 100, such as 7 or Round 7, or a final, such as Grand Final")
      }
      let (year, side) = (row[row.count - 2], row[row.count - 1])
      guard season == nil || !year.text.isEmpty else { throw year.bad("a season") }
      let points = row[2].text.isEmpty ? nil : try row[2].whole(in: -50...400)
      let dollars = try price == nil ? 0 : row[required - 1].whole(in: 1...100_000_000)
      entries.append(
        Entry(
          player: row[0].text, club: side.text, season: year.whole.map { "\($0)" } ?? year.text,
          game: Game(round: round, score: points, price: dollars, line: row[1].line), round: row[1]))
    }
    /// The entries with the same texts, in the order of the file.
    func groups(_ entries: [Entry], by key: (Entry) -> String) -> [[Entry]] {
      var (groups, indices) = ([[Entry]](), [String: Int]())
      for entry in entries {
        let position = indices[key(entry)] ?? groups.count
        if position == groups.count { groups.append([]) }
        indices[key(entry)] = position
        groups[position].append(entry)
      }
      return groups
    }
    let hasSeasons = Set(entries.map(\.season)).count > 1
    var players: [PlayerGames] = []
    for group in groups(entries, by: { "\($0.player)\n\($0.season)" }) {
      let isTwice = Set(group.map(\.game.round)).count < group.count
      let parts = isTwice || columns.club != nil ? groups(group, by: \.club) : [group]
      for part in parts {
        var lines: [Round: Int] = [:]
        for entry in part {
          guard let earlier = lines.updateValue(entry.game.line, forKey: entry.game.round) else { continue }
          throw entry.round.bad(
            "another round: \(entry.player) has it already in line \(earlier)"
              + (club == nil ? "; a column of clubs (--club) or ids (--player) distinguishes players of one name" : "")
              + (season == nil ? "; a column of seasons (--season) distinguishes years" : ""))
        }
        let marks = (parts.count > 1 ? [part[0].club] : []) + (hasSeasons ? [part[0].season] : [])
        players.append(
          PlayerGames(
            name: part[0].player + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"),
            season: part[0].season, games: part.map(\.game).sorted { $0.round < $1.round }))
      }
    }
    return players
  }
}

/// A round of a season: rounds from 0, then the weeks of the finals.
struct Round: Hashable, Comparable, CustomStringConvertible {
  /// The number, or 101 and more in the finals.
  private let order: Int

  /// The weeks of the finals with the names of their games, and the short names of AFL Tables.
  private static let finals: [(week: String, names: [String])] = [
    ("Wildcard Round", ["wildcard round", "wildcard final", "wc", "wf"]),
    ("Finals Week 1", ["qualifying final", "elimination final", "qf", "ef"]),
    ("Semi Final", ["semi final", "semifinal", "finals week 2", "sf"]),
    ("Preliminary Final", ["preliminary final", "finals week 3", "pf"]),
    ("Grand Final", ["grand final", "finals week 4", "gf"]),
    ("Grand Final Replay", ["grand final replay"]),
  ]

  /// Reads `7`, `7.0`, `R7`, `Round 7`, `Opening Round` and the names of finals, also of one of several such as `1st
  /// Semi-Final`; `nil` for any other text.
  init?(_ cell: TableCell) {
    let words = cell.text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "." }.map(String.init)
    let text = words.joined(separator: " ")
    if let whole = cell.whole, (0...100).contains(whole) {
      order = whole
    } else if let match = text.wholeMatch(of: /(?:round|rnd|rd|r) ?([0-9]{1,3})(?:\.0+)?/), let number = Int(match.1),
      number <= 100
    {
      order = number
    } else if ["opening round", "or"].contains(text) {
      order = 0
    } else {
      // Without the ordinal of a game, and with "finals" as "final".
      let name = words.filter { $0.wholeMatch(of: /[0-9]+(?:st|nd|rd|th)?/) == nil }.joined(separator: " ")
      let singular = name.hasSuffix("finals") ? String(name.dropLast()) : name
      guard
        let week = Self.finals.firstIndex(where: { final in
          final.week.lowercased() == text || final.names.contains(text) || final.names.contains(singular)
        })
      else { return nil }
      order = 101 + week
    }
  }

  static func < (left: Round, right: Round) -> Bool { left.order < right.order }

  var description: String { order > 100 ? Self.finals[order - 101].week : "\(order)" }
}
