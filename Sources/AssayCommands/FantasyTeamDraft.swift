// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import FantasyCore
internal import Foundation
internal import Reporting
internal import Scenarios
internal import Workbench

struct FantasyTeamCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "team",
    abstract: "Writes a team file to fill in from the league's public players and rounds.",
    discussion: """
      Example: assay fantasy team --players players.json --fixtures rounds.json --output team.json

      The files are those that AFL Fantasy's own page loads: players.json has names, clubs, positions, prices and \
      scores, rounds.json the games. What they do not say is null in the team file, and a note names it: the salary \
      cap, the trades left, the slots, and the squad, which is a list of {"player": "ivo-orr", "slot": "MID"}.
      """)

  @Option(
    help: ArgumentHelp(
      "The league's players; - is the standard input. Example: --players players.json", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var players: String

  @Option(
    help: ArgumentHelp("The league's rounds with their games. Example: --fixtures rounds.json", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var fixtures: String?

  @Option(
    "round", .count(1...60), "The coming round (default: the first after the last with scores).", example: "12",
    valueName: "number")
  var round: Int?

  @OptionGroup var destination: FileOptions

  func run() throws {
    try destination.write {
      let draft = try FantasyTeamDraft(
        players: JSONField(reading: players), fixtures: fixtures.map { try JSONField(reading: $0) }, round: round,
        now: Date())
      if !destination.quiet { for remark in draft.remarks { Console.say(remark) } }
      return draft.json.text
    }
  }
}

/// A team file to fill in, made from the public documents of AFL Fantasy: those until 2025 (`first_name`, `squad_id`,
/// `cost`, positions as numbers) and those since (`firstName`, `squadId`, `price`, positions as words).
struct FantasyTeamDraft {
  let json: JSONValue
  /// The entries still to fill in or to check.
  let remarks: [String]

  private struct Entry {
    let id: String
    let name: String
    let club: String
    let positions: [Position]
    let price: Int
    /// The scores by round.
    let scores: [Int: Int]
    let status: String
  }

  private struct Game {
    let round: Int
    let home: String
    let away: String
    let venue: String
    let date: String?
  }

  /// - Throws: `ReportingError` with all problems of a document, each with its field.
  init(players: JSONField, fixtures: JSONField?, round given: Int?, now: Date) throws(ReportingError) {
    let entries = try Self.elements(players, within: "players").each(Self.entry)
    let games = try fixtures.map { field throws(ReportingError) in
      try Self.elements(field, within: "rounds").each(Self.games).flatMap(\.self)
    }
    guard !entries.isEmpty else { throw players.bad(expected: "players") }
    let scored = entries.flatMap(\.scores.keys).max()
    let round = max(1, given ?? (scored ?? 0) + 1)
    let out = entries.filter { ["injured", "suspended", "not-playing", "not_playing"].contains($0.status) }.map(\.id)
    let doubtful = entries.filter { ["uncertain", "doubtful"].contains($0.status) }.map(\.id)
    let ids = Self.slugs(entries.map { (name: $0.name, id: $0.id) })
    let kept = (games ?? []).filter { $0.round >= 1 }
    let first = kept.compactMap { $0.date.flatMap(Self.date) }.min()
    let lockout = kept.filter { $0.round == round }.compactMap { $0.date.flatMap(Self.date) }.min()
    let clubs = Set(entries.map(\.club) + kept.flatMap { [$0.home, $0.away] }).sorted()
    json = [
      "schema": .string(FantasyTeamFile.schema), "round": .integer(round),
      "rounds": kept.map(\.round).max().map { .integer(max($0, round)) } ?? .null,
      "asOf": .string(Self.moment(now)), "lockout": lockout.map { .string(Self.moment($0)) } ?? .null,
      "salaryCap": .null, "trades": .null,
      "slots": .object(Position.allCases.map { JSONMember($0.rawValue, .null) }),
      "clubs": .array(clubs.map { ["name": .string($0)] }),
      "fixtures": .array(
        kept.map { game in
          let day = game.date.flatMap(Self.date).flatMap { date in
            first.map { Int((date.timeIntervalSince($0) / 86_400).rounded(.down)) }
          }
          return [
            "round": .integer(game.round), "home": .string(game.home), "away": .string(game.away),
            "venue": .string(game.venue), "day": day.map(JSONValue.integer) ?? .null,
          ]
        }),
      "players": .array(
        zip(entries, ids).map { entry, id in
          var members = [
            JSONMember("id", .string(id)), JSONMember("name", .string(entry.name)),
            JSONMember("club", .string(entry.club)),
            JSONMember("positions", .array(entry.positions.map { .string($0.rawValue) })),
            JSONMember("price", .integer(entry.price)),
            JSONMember(
              "scores", .array((1..<round).map { round in entry.scores[round].map(JSONValue.integer) ?? .null })),
          ]
          if out.contains(entry.id) { members.append(JSONMember("outUntil", .integer(round + 1))) }
          if doubtful.contains(entry.id) { members.append(JSONMember("chance", .number(0.5))) }
          return .object(members)
        }),
      "squad": .array([]),
    ]
    var open = ["salaryCap", "trades", "slots", "squad"]
    if lockout == nil { open.append("lockout") }
    if games == nil { open += ["rounds", "fixtures (or give --fixtures)"] }
    if kept.contains(where: { $0.date == nil }) { open.append("day of the games without a date") }
    var remarks = [
      "\(NumberFormat.counted(entries.count, "player")) of \(NumberFormat.counted(clubs.count, "club")), "
        + "round \(round). Fill in: \(open.joined(separator: ", "))."
    ]
    if !out.isEmpty {
      remarks.append(
        "\(NumberFormat.counted(out.count, "player")) injured or not playing: outUntil is round \(round + 1); correct "
          + "it where a return is known.")
    }
    if !doubtful.isEmpty {
      remarks.append("\(NumberFormat.counted(doubtful.count, "player")) doubtful: chance is 0.5; correct it.")
    }
    let early = entries.count { $0.scores.keys.contains { $0 < 1 } } + (games ?? []).count { $0.round < 1 }
    if early > 0 { remarks.append("Games and scores of round 0 are left out: a team file begins with round 1.") }
    let late = entries.count { $0.scores.keys.contains { $0 >= round } }
    if late > 0 {
      remarks.append("Scores of \(NumberFormat.counted(late, "player")) from round \(round) on are left out.")
    }
    self.remarks = remarks
  }

  /// The elements of a list, or of the list that an object has as its member.
  private static func elements(_ field: JSONField, within key: String) throws(ReportingError) -> [JSONField] {
    if case .object = field.value, let list = try field.optional(key) { return try list.elements() }
    return try field.elements()
  }

  /// The first member that the object has of some names; `nil` if it has none.
  private static func optional(_ field: JSONField, _ keys: [String]) throws(ReportingError) -> JSONField? {
    for key in keys { if let member = try field.optional(key) { return member } }
    return nil
  }

  private static func first(_ field: JSONField, _ keys: [String]) throws(ReportingError) -> JSONField {
    if let member = try optional(field, keys) { return member }
    throw .badMember(
      file: field.file, field: "\(field.path).\(keys[0])", found: "nothing",
      expected: "a value of \(keys.joined(separator: " or "))")
  }

  private static func entry(_ field: JSONField) throws(ReportingError) -> Entry {
    let names = [["first_name", "firstName"], ["last_name", "lastName"]]
    let name = try names.map { keys throws(ReportingError) in try first(field, keys).string() }.joined(separator: " ")
    var scores = try field.optional("scores")
    if scores == nil { scores = try field.optional("stats")?.optional("scores") }
    var points: [Int: Int] = [:]
    if let scores, case .object(let members) = scores.value {
      for member in members {
        guard let round = Int(member.key), (0...60).contains(round) else {
          throw .badMember(
            file: field.file, field: scores.path, found: "'\(member.key)'", expected: "the number of a round")
        }
        points[round] = try scores.optional(member.key)?.integer(in: -50...400)
      }
    }
    return Entry(
      id: try identifier(first(field, ["id"])), name: name, club: try club(first(field, ["squad_id", "squadId"])),
      positions: try positions(first(field, ["positions", "position"])),
      price: try first(field, ["cost", "price"]).integer(in: 1...100_000_000), scores: points,
      status: try field.optional("status")?.string().lowercased() ?? "")
  }

  private static func identifier(_ field: JSONField) throws(ReportingError) -> String {
    if case .integer(let number) = field.value { return "\(number)" }
    return try field.string()
  }

  /// The clubs by the numbers that AFL Fantasy gives them.
  private static let clubs = [
    10: "Adelaide", 20: "Brisbane", 30: "Carlton", 40: "Collingwood", 50: "Essendon", 60: "Fremantle", 70: "Geelong",
    80: "Hawthorn", 90: "Melbourne", 100: "North Melbourne", 110: "Port Adelaide", 120: "Richmond", 130: "St Kilda",
    140: "Western Bulldogs", 150: "West Coast", 160: "Sydney", 1000: "Gold Coast", 1010: "GWS",
  ]

  private static func club(_ field: JSONField) throws(ReportingError) -> String {
    let number = try field.integer(in: 0...1_000_000)
    return clubs[number] ?? "Club \(number)"
  }

  private static func positions(_ field: JSONField) throws(ReportingError) -> [Position] {
    let expected = "1 to 4, or one of DEF, MID, RUC, FWD"
    if case .string(let text) = field.value {
      let all = text.split(whereSeparator: { "/, ".contains($0) }).map { Position(rawValue: String($0)) }
      guard !all.isEmpty, !all.contains(nil) else { throw field.bad(expected: expected) }
      return all.compactMap(\.self)
    }
    return try field.elements().each { field throws(ReportingError) in
      if case .string(let text) = field.value {
        guard let position = Position(rawValue: text) else { throw field.bad(expected: expected) }
        return position
      }
      return Position.allCases[try field.integer(in: 1...Position.allCases.count) - 1]
    }
  }

  private static func games(_ field: JSONField) throws(ReportingError) -> [Game] {
    let round = try first(field, ["roundNumber", "id", "round"]).integer(in: 0...60)
    return try first(field, ["games", "matches"]).elements().each { field throws(ReportingError) in
      let venue = try optional(field, ["venue_name", "venueName", "venue"])?.string()
      let number = try optional(field, ["venue_id", "venueId"]).map { field throws(ReportingError) in
        "Venue \(try identifier(field))"
      }
      return Game(
        round: round, home: try club(first(field, ["homeId", "home_squad_id", "homeSquadId"])),
        away: try club(first(field, ["awayId", "away_squad_id", "awaySquadId"])),
        venue: venue ?? number ?? "",
        date: try optional(field, ["date", "startTime"])?.string())
    }
  }

  /// A moment by RFC 3339; without a time zone, as the documents of 2017 had it, the day alone counts.
  private static func date(_ text: String) -> Date? {
    if let date = try? Date(text, strategy: .iso8601) { return date }
    return try? Date(text.prefix(10) + "T00:00:00Z", strategy: .iso8601)
  }

  private static func moment(_ date: Date) -> String { date.formatted(.iso8601) }

  /// Identifiers from names: lower-case letters, digits and hyphens; those of one name end with their numbers.
  private static func slugs(_ players: [(name: String, id: String)]) -> [String] {
    func slug(_ text: String) -> String {
      let plain = text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).lowercased()
      let words = plain.filter { $0 != "'" && $0 != "’" }.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      return String(words.joined(separator: "-").prefix(50))
    }
    let names = players.map { slug($0.name) }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(names, players).map { name, player in
      name.isEmpty ? slug(player.id) : counts[name] == 1 ? name : "\(name)-\(slug(player.id))"
    }
  }
}
