// SPDX-License-Identifier: GPL-3.0-or-later
internal import FantasyCore
internal import Foundation
internal import Reporting

/// A team of a file, with the preferences for alerts and the facts it has.
struct FantasyTeamFile {
  static let schema = "assay.fantasy.team/1"

  let team: FantasyTeam
  let preferences: AlertPreferences
  let facts: [Fact]

  /// Reads a file; - is the standard input. docs/fantasy.md has its fields.
  ///
  /// - Throws: `ReportingError` with all problems, each with its field.
  init(_ path: String) throws(ReportingError) {
    let root = try JSONField(reading: path)
    let schema = try root.required("schema")
    guard try schema.string() == Self.schema else { throw schema.bad(expected: "'\(Self.schema)'") }
    try root.only([
      "schema", "round", "rounds", "asOf", "lockout", "salaryCap", "trades", "slots", "clubs", "fixtures", "players",
      "squad", "alerts", "facts", "$schema",
    ])
    let rounds = try root.required("rounds").integer(in: 1...60)
    let round = try root.required("round").integer(in: 1...rounds)
    let lockout = try Self.minute(root.required("lockout"))
    let squad = try root.required("squad").elements().each { field throws(ReportingError) in
      try field.only(["player", "slot", "captain"])
      return Pick(
        try field.required("player").string(), as: try Self.choice(field.required("slot")),
        isCaptain: try field.optional("captain")?.bool() ?? false)
    }
    team = FantasyTeam(
      round: round, rounds: rounds, salaryCap: try root.required("salaryCap").integer(in: 0...1_000_000_000),
      trades: try root.required("trades").integer(in: 0...1000),
      slots: try Self.byPosition(root.required("slots"), in: 0...100),
      clubs: try root.required("clubs").elements().each { field throws(ReportingError) in
        try field.only(["name", "concedes", "bye"])
        return Club(
          name: try field.required("name").string(),
          concedes: try Self.byPosition(field.optional("concedes"), in: -50...50),
          bye: try field.optional("bye")?.integer(in: 1...60))
      },
      fixtures: try root.required("fixtures").elements().each { field throws(ReportingError) in
        try field.only(["round", "home", "away", "venue", "day"])
        return Fixture(
          round: try field.required("round").integer(in: 1...rounds), home: try field.required("home").string(),
          away: try field.required("away").string(), venue: try field.required("venue").string(),
          day: try field.required("day").integer(in: 0...1000))
      },
      players: try root.required("players").elements().each(Self.player), squad: squad,
      asOf: try Self.minute(root.required("asOf")), lockout: lockout)
    var errors = ReportingErrors()
    for problem in team.problems {
      errors.add(.badMember(file: root.file, field: problem.field, found: problem.found, expected: problem.expected))
    }
    try errors.check()
    preferences = try Self.preferences(root.optional("alerts"), root)
    let known = Set(team.players.map(\.id))
    facts =
      try root.optional("facts").map { field throws(ReportingError) in
        try field.elements().each { field throws(ReportingError) in
          try field.only(["key", "player", "category", "relevance", "at"])
          if let player = try field.optional("player"), !known.contains(try player.string()) {
            throw player.bad(expected: "the id of one of the players")
          }
          return Fact(
            key: try field.required("key").string(), category: try Self.choice(field.required("category")),
            relevance: try field.required("relevance").integer(in: 0...100), at: try Self.minute(field.required("at")),
            lockout: lockout)
        }
      } ?? []
  }

  private static func choice<Value: RawRepresentable & CaseIterable>(
    _ field: JSONField
  ) throws(ReportingError) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try field.string()) else {
      throw field.bad(expected: "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }

  /// A moment by RFC 3339, in minutes of the Unix epoch.
  private static func minute(_ field: JSONField) throws(ReportingError) -> Int {
    guard let date = try? Date(try field.string(), strategy: .iso8601) else {
      throw field.bad(expected: "a moment such as 2026-06-11T09:30:00Z")
    }
    return Int((date.timeIntervalSince1970 / 60).rounded(.down))
  }

  /// Numbers by position, for the positions in the file.
  private static func byPosition(
    _ field: JSONField?, in range: ClosedRange<Int>
  ) throws(ReportingError) -> [Position: Int] {
    try field?.only(Position.allCases.map(\.rawValue))
    var values: [Position: Int] = [:]
    for position in Position.allCases {
      values[position] = try field?.optional(position.rawValue)?.integer(in: range)
    }
    return values
  }

  private static func player(_ field: JSONField) throws(ReportingError) -> Player {
    try field.only([
      "id", "name", "club", "positions", "price", "scores", "lastSeason", "chance", "outUntil", "roleChange", "venues",
    ])
    var player = Player(
      id: try field.required("id").string(), name: try field.required("name").string(),
      club: try field.required("club").string(),
      positions: try field.required("positions").elements().each(choice),
      price: try field.required("price").integer(in: 1...100_000_000),
      scores: try field.required("scores").elements().each { field throws(ReportingError) in
        field.value == .null ? nil : try field.integer(in: -50...400)
      })
    player.lastSeason = try field.optional("lastSeason")?.number(in: -50...400)
    player.roleChange = try field.optional("roleChange")?.integer(in: -50...50) ?? 0
    if let venues = try field.optional("venues") {
      guard case .object(let members) = venues.value else { throw venues.bad(expected: "an object of points by venue") }
      for member in members { player.venues[member.key] = try venues.required(member.key).integer(in: -50...50) }
    }
    if let chance = try field.optional("chance") {
      player.availability = .doubtful(chance: try chance.number(in: 0...1))
    }
    if let until = try field.optional("outUntil") { player.availability = .out(until: try until.integer(in: 1...100)) }
    return player
  }

  private static func preferences(_ field: JSONField?, _ root: JSONField) throws(ReportingError) -> AlertPreferences {
    let zone = try field?.optional("zone")
    guard let known = TimeZone(identifier: try zone?.string() ?? "GMT") else {
      throw (zone ?? root).bad(expected: "a time zone such as Australia/Melbourne")
    }
    var preferences = AlertPreferences(zone: known)
    guard let field else { return preferences }
    try field.only(["zone", "muted", "minRelevance", "maxPerDay", "quiet", "summaryBefore"])
    if let muted = try field.optional("muted") { preferences.muted = Set(try muted.elements().each(choice)) }
    if let minimum = try field.optional("minRelevance") { preferences.minRelevance = try minimum.integer(in: 0...100) }
    if let maximum = try field.optional("maxPerDay") { preferences.maxPerDay = try maximum.integer(in: 0...100) }
    if let quiet = try field.optional("quiet") {
      try quiet.only(["from", "until"])
      preferences.quietFrom = try clock(quiet.required("from"))
      preferences.quietUntil = try clock(quiet.required("until"))
    }
    if let before = try field.optional("summaryBefore") { preferences.summaryBefore = try before.integer(in: 0...1440) }
    return preferences
  }

  /// A time of the day, 22:30, in minutes.
  private static func clock(_ field: JSONField) throws(ReportingError) -> Int {
    let parts = try field.string().split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
      (0...59).contains(minute)
    else { throw field.bad(expected: "a time of the day such as 22:30") }
    return hour * 60 + minute
  }
}

extension JSONField {
  /// The document of a file; - is the standard input.
  init(reading path: String) throws(ReportingError) {
    let name = TextFile.name(of: path)
    self.init(try JSONValue(parsing: TextFile.read(path), file: name), file: name)
  }
}

extension [JSONField] {
  /// The values of all fields; the error has the problems of all.
  func each<Value>(_ read: (JSONField) throws(ReportingError) -> Value) throws(ReportingError) -> [Value] {
    var errors = ReportingErrors()
    let values = compactMap { field in errors.collect { () throws(ReportingError) in try read(field) } }
    try errors.check()
    return values
  }
}
