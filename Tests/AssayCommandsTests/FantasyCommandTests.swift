// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Commands of fantasy")
struct FantasyCommandTests {
  private static let team = "\(packageRoot.path)/Examples/fantasy/team.json"

  @Test("each command gives advice on the example as text, as JSON with a schema, and as a picture if it has one")
  func example() throws {
    for (words, isDrawn) in [("captain", true), ("trade", true), ("byes", true), ("paths", false), ("alerts", false)] {
      let run = try AssayProcess("fantasy \(words) \(Self.team)")
      #expect(run.status == 0 && run.output.contains("round 12; fresh."), "\(run.remarks)")
      let json = try AssayProcess("fantasy \(words) \(Self.team) --format json").output
      #expect(json.contains("\"schema\": \"assay.fantasy.\(words)/1\"") && json.contains("\"freshness\": \"fresh\""))
      guard isDrawn else { continue }
      let drawn = try AssayProcess("fantasy \(words) \(Self.team) --format svg")
      #expect(drawn.output.hasPrefix("<svg") || drawn.output.contains("<svg"))
    }
  }

  @Test("advice is stale after its time and unreliable after the lockout")
  func age() throws {
    let words = "fantasy captain \(Self.team) --at"
    #expect(try AssayProcess("\(words) 2026-06-11T09:29:00Z").output.contains("round 12; fresh."))
    #expect(try AssayProcess("\(words) 2026-06-11T09:30:00Z").output.contains("unreliable: the data"))
    #expect(
      try AssayProcess("fantasy paths \(Self.team) --at 2026-06-18T09:30:00Z").output.contains("unreliable: the data"))
    #expect(try AssayProcess("\(words) tomorrow").status == 2)
  }

  @Test("weights are read; a factor that cannot be weighted is refused with 2")
  func weights() throws {
    let words = "fantasy captain \(Self.team) --weights"
    let `default` = try AssayProcess("fantasy captain \(Self.team)").output
    #expect(try AssayProcess("\(words) average=3,form=3,venue=3,opponent=3,role=3,rest=3,taper=3").output != `default`)
    #expect(try AssayProcess("\(words) average=0").output != `default`)
    for (text, message) in [
      ("form=-1", "--weights.form: found '-1', expected a whole number, 0 to 1,000."),
      (
        "average=0,form=0,venue=0,opponent=0,role=0,rest=0,taper=0",
        "role=0,rest=0,taper=0', expected a weight above 0."
      ),
      ("from=2", "--weights.from: unknown key; did you mean 'form'? Known here: average, form,"),
      ("form", "--weights: found 'form', expected words of a key, = and a value, each of average, form,"),
    ] {
      let run = try AssayProcess("\(words) \(text)")
      #expect(run.status == 2 && run.remarks.contains(message), "\(run.remarks)")
    }
  }

  @Test(
    "everything that is wrong with a team is refused with its field",
    arguments: [
      ("\"salaryCap\": 12360000", "\"salaryCap\": 1000", "salaryCap: found $1000 for a squad of"),
      ("\"trades\": 6", "\"trades\": -1", "trades: found -1, expected a whole number from 0 to 1000."),
      ("\"2026-06-11T09:30:00Z\"", "\"soon\"", "lockout: found 'soon', expected a moment such as"),
      ("{\"player\": \"", "{\"player\": \"x-", "expected the id of one of the players"),
      (
        "\"outUntil\"", "\"outuntil\"",
        "].outuntil: found an unknown key, expected one of id, name, club, positions, price, scores, lastSeason, "
          + "chance, outUntil, roleChange, venues (did you mean 'outUntil'?)."
      ),
      (
        "\"slots\": {", "\"slots\": {\"UTIL\": 1, ",
        "slots.UTIL: found an unknown key, expected one of DEF, MID, RUC, FWD."
      ),
      ("\"trades\": 6", "\"trades\": 6, \"trade\": 1", "trade: found an unknown key, expected one of schema, round,"),
      ("\"slots\": {\"DEF\": 6", "\"slots\": {\"DEF\": 6.5", "slots.DEF: found 6.5, expected a whole number from 0"),
      ("\"slot\": \"DEF\"", "\"slot\": \"RUCK\"", "slot: found 'RUCK', expected one of DEF, MID, RUC, FWD."),
      ("\"Australia/Melbourne\"", "\"Nowhere/City\"", "alerts.zone: found 'Nowhere/City', expected a time zone"),
    ])
  func wrong(part: String, instead: String, message: String) throws {
    let text = try String(contentsOfFile: Self.team, encoding: .utf8)
    let index = try #require(text.range(of: part))
    let folder = try TemporaryFolder(["team.json": text.replacingCharacters(in: index, with: instead)])
    let run = try AssayProcess("fantasy captain team.json", in: folder.url)
    #expect(run.status == 2 && run.remarks.contains("team.json: ") && run.remarks.contains(message), "\(run.remarks)")
  }

  @Test("a whole number with a point is one, as tables of pandas and R write them")
  func floats() throws {
    let text = try String(contentsOfFile: Self.team, encoding: .utf8)
    let price = try #require(text.firstMatch(of: /"price": \d+/))
    let folder = try TemporaryFolder([
      "team.json": text.replacing(price.0, with: price.0 + ".0").replacing("\"trades\": 6", with: "\"trades\": 6.0")
    ])
    let run = try AssayProcess("fantasy captain team.json --format csv", in: folder.url)
    #expect(try run.status == 0 && run.output == AssayProcess("fantasy captain \(Self.team) --format csv").output)
  }

  @Test(
    "a team file to fill in is made from the public players and rounds, in the form until 2025 and in that since",
    arguments: [
      (
        """
        [{"id": 7, "first_name": "Ivo", "last_name": "Orr", "squad_id": 10, "cost": 500000, "status": "playing",
          "positions": [2, 4], "stats": {"scores": {"1": 89, "3": 70}}},
         {"id": 8, "first_name": "Ivo", "last_name": "Orr", "squad_id": 150, "cost": 400000, "status": "injured",
          "positions": [1], "stats": {"scores": {}}},
         {"id": 9, "first_name": "Zoë", "last_name": "O'Day", "squad_id": 150, "cost": 300000, "status": "uncertain",
          "positions": [3], "stats": {"scores": {"2": 51}}}]
        """,
        """
        [{"id": 3, "matches": [{"home_squad_id": 10, "away_squad_id": 150, "date": "2025-03-27T19:30:00+11:00",
          "venue_id": 40}]},
         {"id": 4, "matches": [{"home_squad_id": 150, "away_squad_id": 10, "date": "2025-04-03T19:30:00+11:00",
          "venue_id": 41}]}]
        """
      ),
      (
        """
        [{"id": 7, "firstName": "Ivo", "lastName": "Orr", "squadId": 10, "price": 500000, "status": "playing",
          "position": ["MID", "FWD"], "scores": {"1": 89, "3": 70}},
         {"id": 8, "firstName": "Ivo", "lastName": "Orr", "squadId": 150, "price": 400000, "status": "injured",
          "position": ["DEF"], "scores": null},
         {"id": 9, "firstName": "Zoë", "lastName": "O'Day", "squadId": 150, "price": 300000, "status": "uncertain",
          "position": ["RUC"], "scores": {"2": 51}}]
        """,
        """
        [{"roundNumber": 3, "games": [{"homeId": 10, "awayId": 150, "date": "2025-03-27T08:30:00Z",
          "venueId": 40}]},
         {"roundNumber": 4, "games": [{"homeId": 150, "awayId": 10, "date": "2025-04-03T08:30:00Z", "venueId": 41}]}]
        """
      ),
    ])
  func draft(players: String, rounds: String) throws {
    let folder = try TemporaryFolder(["players.json": players, "rounds.json": rounds])
    let words = "fantasy team --players players.json"
    let run = try AssayProcess("\(words) --fixtures rounds.json --output team.json", in: folder.url)
    #expect(run.status == 0 && run.remarks.contains("round 4. Fill in: salaryCap, trades, slots, squad."))
    #expect(run.remarks.contains("1 player injured or not playing: outUntil is round 5;"), "\(run.remarks)")
    let text = try String(contentsOfFile: folder.path("team.json"), encoding: .utf8)
    for part in [
      "\"round\": 4,", "\"rounds\": 4,", "\"lockout\": \"2025-04-03T08:30:00Z\"", "\"id\": \"ivo-orr-7\"",
      "\"id\": \"ivo-orr-8\"", "\"id\": \"zoe-oday\"", "\"outUntil\": 5", "\"chance\": 0.5", "\"venue\": \"Venue 41\"",
      "\"day\": 7",
    ] { #expect(text.contains(part), "\(part): \(text)") }
    let open = try AssayProcess("fantasy captain team.json", in: folder.url)
    #expect(open.status == 2 && open.remarks.contains("salaryCap: found null, expected a whole number"))
    // Filled in as the note says, the file gives advice.
    let filled = text.replacing("\"salaryCap\": null", with: "\"salaryCap\": 2000000").replacing(
      "\"trades\": null", with: "\"trades\": 2"
    ).replacing(/("(?:DEF|MID|RUC|FWD)": )null/) { "\($0.1)1" }.replacing(
      "\"squad\": []",
      with: "\"squad\": [{\"player\": \"ivo-orr-7\", \"slot\": \"MID\"}, {\"player\": \"zoe-oday\", \"slot\": \"RUC\"}]"
    )
    let other = try TemporaryFolder(["team.json": filled])
    let captain = try AssayProcess("fantasy captain team.json --format csv", in: other.url)
    #expect(captain.status == 0 && captain.output.contains("\nIvo Orr,"), "\(captain.remarks)")
    let alone = try AssayProcess(words, in: folder.url)
    #expect(alone.status == 0 && alone.remarks.contains("rounds, fixtures (or give --fixtures)."), "\(alone.remarks)")
  }

  @Test("players that are something else are refused with the field")
  func noPlayers() throws {
    for (text, message) in [
      ("[{\"id\": 7}]", "[1].first_name: found nothing, expected a value of first_name or firstName."),
      ("{}", "document: found an object, expected an array."), ("[]", "document: found an array, expected players."),
    ] {
      let folder = try TemporaryFolder(["p.json": text])
      let run = try AssayProcess("fantasy team --players p.json", in: folder.url)
      #expect(run.status == 2 && run.remarks.contains(message), "\(run.remarks)")
    }
  }

  @Test("a trade against the rules and an incomplete trade are refused")
  func trades() throws {
    #expect(try AssayProcess("fantasy trade \(Self.team) --out nobody --in vic-pike").status == 2)
    let half = try AssayProcess("fantasy trade \(Self.team) --in vic-pike")
    #expect(half.status == 2 && half.remarks.contains("expected both --out and --in, or neither"))
    let same = try AssayProcess("fantasy trade \(Self.team) --out vic-pike --in vic-pike")
    #expect(same.status == 2 && same.remarks.contains("cannot be traded for"))
  }
}
