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
    let usual = try AssayProcess("fantasy captain \(Self.team)").output
    #expect(try AssayProcess("\(words) average=3,form=3,venue=3,opponent=3,role=3,rest=3,taper=3").output != usual)
    #expect(try AssayProcess("\(words) average=0").output != usual)
    for (text, message) in [
      ("form=-1", "--weights.form: found '-1', expected 0 to 1000."),
      (
        "average=0,form=0,venue=0,opponent=0,role=0,rest=0,taper=0",
        "--weights: found '0 for every factor', expected one above 0."
      ),
      ("luck=2", "--weights: found 'luck', expected one of average, form,"),
      ("form", "--weights: found 'form', expected a factor and a whole number"),
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
      ("\"Australia/Melbourne\"", "\"Nowhere/City\"", "alerts.zone: found 'Nowhere/City', expected a time zone"),
    ])
  func wrong(part: String, instead: String, message: String) throws {
    let text = try String(contentsOfFile: Self.team, encoding: .utf8)
    let place = try #require(text.range(of: part))
    let folder = try TemporaryFolder(["team.json": text.replacingCharacters(in: place, with: instead)])
    let run = try AssayProcess("fantasy captain team.json", in: folder.url)
    #expect(run.status == 2 && run.remarks.contains("team.json: ") && run.remarks.contains(message), "\(run.remarks)")
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
