// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay league rank, export and roast-prompt, end to end")
struct LeagueFileCommandTests {
  /// What services sent.
  private static let answers = packageRoot.appendingPathComponent("Tests/LeagueCoreTests/Fixtures")
  private static let season = "espn-2018-season-roster-schedule.json"

  private func league(_ typed: String, _ more: [String] = [], input: String? = nil) throws -> AssayProcess {
    try AssayProcess(
      "league " + typed, more, in: Self.answers, input: input.map { Self.answers.appendingPathComponent($0) })
  }

  private func teams(_ process: AssayProcess) throws -> [[String: Any]] {
    try #require(try process.json()["teams"] as? [[String: Any]])
  }

  @Test("JSON lists the teams in the order of their ranks, with documented keys and full precision")
  func json() throws {
    let process = try league("rank \(Self.season) --format json")
    #expect(process.status == 0 && process.remarks.isEmpty)
    #expect(process.output.hasPrefix("{\n  \"schema\": \"assay.league.rank/1\",\n  \"teams\": [\n"))
    let teams = try teams(process)
    #expect(teams.map { $0["rank"] as? Int } == Array(1...14))
    let keys: Set = [
      "id", "name", "owner", "record", "pointsFor", "pointsAgainst", "powerScore", "rank", "rankBefore", "streak",
      "topPlayers",
    ]
    #expect(teams.allSatisfy { Set($0.keys) == keys })
    let first = try #require(teams.first)
    #expect(first["id"] as? Int == 4 && first["record"] as? String == "12-1-0" && first["streak"] as? String == "W1")
    let (scored, maximum, conceded, worst) = (1772.2, 1797.9, 1424.7, 1628.5)
    let score = 0.6 * 12 / 13 + 0.3 * scored / maximum + 0.1 * (1 - conceded / worst)
    #expect(abs(try #require(first["powerScore"] as? Double) - score) < 1e-12)
    #expect(first["pointsFor"] as? Double == scored && first["pointsAgainst"] as? Double == conceded)
    #expect((first["topPlayers"] as? [[String: Any]])?.map { $0["name"] as? String }.first == "Saquon Barkley")
  }

  @Test("the ranking shows each score's parts and each team's change of rank since the previous week")
  func explained() throws {
    let (now, before) = try (
      league("rank \(Self.season) --week 7 -f json"), league("rank \(Self.season) --week 6 -f json")
    )
    let earlier = Dictionary(
      try teams(before).compactMap { team in
        (team["id"] as? Int).flatMap { id in (team["rank"] as? Int).map { (id, $0) } }
      }
    ) { first, _ in first }
    for team in try teams(now) {
      #expect(team["rankBefore"] as? Int == earlier[try #require(team["id"] as? Int)])
    }
    let text = try league("rank \(Self.season) --week 7").output
    #expect(text.replacing("\n", with: " ").contains("0.6 of the share of games won (a tie is half a win), 0.3 of the"))
    let rows = text.matches(of: /\n[A-Z][a-z]+ [A-Z][a-z]+ +(0\.\d{4}) +(0\.\d{4}) +(0\.\d{4}) +(0\.\d{4})\n/)
    for row in rows {
      let parts = [row.1, row.2, row.3, row.4].compactMap { Double($0) }
      #expect(parts.count == 4 && abs(parts[0] + parts[1] + parts[2] - parts[3]) < 2e-4)
    }
    #expect(!rows.isEmpty)
    // The first week has none before it.
    #expect(try !league("rank \(Self.season) --week 1").output.contains("moved"))
  }

  @Test("the output of league template can be ranked unchanged, from a file or the standard input, and drawn")
  func results() throws {
    let folder = try TemporaryFolder()
    let template = try AssayProcess("league template")
    #expect(template.status == 0)
    try Data(template.output.utf8).write(to: folder.url.appendingPathComponent("mine.csv"))
    let ranked = try AssayProcess("league rank mine.csv -o mine.svg -o mine.txt -o mine.json", in: folder.url)
    #expect(ranked.status == 0, "\(ranked.remarks)")
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
    }
    #expect(try text("mine.txt").contains("mine.csv: a table of results, which give the records."))
    #expect(try text("mine.json").contains("\"platform\": null"))
    let picture = try text("mine.svg")
    #expect(picture.hasPrefix("<svg") && picture.contains("mine: the power ranking after week 2"))
    #expect(picture.contains("1 (+1) Keen Badgers"))
    let broken = try AssayProcess("league rank nothing.csv mine.csv --platform espn", in: folder.url)
    #expect(broken.status == 2)
  }

  @Test("the text states how certain a ranking is after that many weeks, and each team's luck of the schedule")
  func text() throws {
    let process = try league("rank \(Self.season) --week 7")
    #expect(process.status == 0)
    #expect(process.output.hasPrefix("League 1776617: the power ranking after week 7\n"))
    let flat = process.output.replacing("\n", with: " ")
    #expect(flat.contains("Records computed from the schedule."))
    #expect(flat.contains("After 7 weeks the strongest of 14 teams stands first in "))
    #expect(process.output.contains(/\nQuick Badgers +79-12-0 +86\.8% +5 +6\.08 +-1\.08\n/))
    #expect(try league("rank \(Self.season) --week 7").output == process.output, "the simulation has one seed")
  }

  @Test(
    "export and roast-prompt rank after a week, and write to a file without a remark where asked to",
    arguments: ["export", "roast-prompt"])
  func files(command: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("out.txt").path
    let process = try league("\(command) \(Self.season) --week 7 -q -o", [path])
    #expect(process.status == 0 && process.output.isEmpty && process.remarks.isEmpty, "\(process.remarks)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let (week, season) = (try league("\(command) \(Self.season) --week 7"), try league("\(command) \(Self.season)"))
    #expect(text == week.output && text != season.output)
    try league("\(command) \(Self.season) --week 15").expectRefusal("--week: found '15', expected")
  }

  @Test(
    "what the ranks do not rest on is said: no game, or no points",
    arguments: [
      ("espn-2023-preseason-all-zero.json", "No game is over by these records: there are no scores and no ranks yet."),
      ("espn-2020-boxscore-week1.json", "These records are without points, as in a file of box scores"),
    ])
  func caution(file: String, sentence: String) throws {
    #expect(try league("rank \(file)").output.replacing("\n", with: " ").contains(sentence))
    #expect(try !league("rank \(Self.season)").output.contains("ranks use"))
  }

  @Test("a league without a game has no score and no rank in JSON and CSV, and a remark says why")
  func unplayed() throws {
    let file = "espn-2023-preseason-all-zero.json"
    let json = try league("rank \(file) --format json")
    let teams = try teams(json)
    #expect(!teams.isEmpty && teams.allSatisfy { $0["powerScore"] is NSNull && $0["rank"] is NSNull })
    #expect((try json.json()["remark"] as? String)?.hasPrefix("No game is over by these records") == true)
    let rows = try league("rank \(file) --format csv").output.split(separator: "\n").dropFirst()
    #expect(!rows.isEmpty && rows.allSatisfy { $0.contains("No game is over by these records") })
    #expect(rows.allSatisfy { $0.contains(",0,0,,,") }, "\(rows)")
    let played = try league("rank \(Self.season) --format json")
    #expect(try played.json()["remark"] is NSNull)
  }

  @Test("Sleeper's files form one league in any order, one of them possibly the standard input")
  func sleeper() throws {
    let files = ["", "_rosters", "_users"].map { "sleeper-2020-a-league\($0).json" }
    let process = try league("rank \(files[2]) \(files[0]) \(files[1]) --platform sleeper --format csv")
    #expect(process.status == 0)
    #expect(
      process.output.hasPrefix(
        "id,name,owner,record,pointsFor,pointsAgainst,powerScore,rank,rankBefore,streak,topPlayers,remark\n"))
    #expect(try league("rank - \(files[0]) \(files[1]) --format csv", input: files[2]).output == process.output)
  }

  @Test("an export has a block for each team, with its roast if it has one")
  func export() throws {
    let folder = try TemporaryFolder()
    let roasts = (1...14).map { id in
      "{\"teamId\": \(id), \"roast\": \"\(id == 4 ? "You are 12-1." : "No.") Sad! Truly.\"}"
    }
    let plain = try league("export \(Self.season)")
    #expect(plain.status == 0 && plain.output.components(separatedBy: "\n\n").count == 14)
    #expect(
      plain.output.hasPrefix(
        "1. Keen Badgers\nOwner: user837602\nRecord: 12-1-0\nPoints: 1772.2 for, 1424.7 against\n\n2. Quick Badgers\n"))
    let refused = try league(
      "export \(Self.season) --roasts", [folder.write("[\(roasts.joined(separator: ","))]", as: "r.json")])
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.remarks.contains("r.json', team 'Fleet Ravens': found neither the record 9-4-0 nor the points"))
    #expect(!refused.remarks.contains("'Keen Badgers'"))
  }

  @Test("a prompt contains the teams and the context")
  func prompt() throws {
    let folder = try TemporaryFolder()
    let context = try folder.write(#"{"sackoPunishment": "sings at the mall"}"#, as: "c.json")
    let process = try league("roast-prompt \(Self.season) --context", [context])
    #expect(process.status == 0 && process.output.contains(#"1. "Keen Badgers" (teamId 4): managed by "user837602";"#))
    #expect(process.output.contains("sings at the mall"))
  }

  @Test(
    "bad input ends with 2, and says what was found, what was expected, and what to do",
    arguments: [
      ("rank", "no league: name the files that ESPN or Sleeper sent"),
      ("rank none.json", "none.json"), ("rank README.md", "'README.md': found malformed JSON"),
      ("rank \(season) --platform sleeper", "found ESPN's league, expected a document of sleeper"),
      ("rank \(season) --platform yahoo", "--platform: found 'yahoo', expected one of espn, sleeper"),
      ("rank \(season) ./\(season)", "is named twice"),
      ("rank sleeper-league_1048.json sleeper-rosters_1048.json", "found Sleeper's league without Sleeper's users"),
      ("rank \(season) --week 0", "--week: found '0', expected a whole number, 1 to 1,000."),
      ("rank \(season) --week 14", "--week: found '14', expected a week that the schedule reaches: no game of week 14"),
      ("rank espn-2015-mteam-array-ties.json --week 3", "--week: found '3', expected a league with its schedule"),
      ("export \(season) --roasts README.md", "'README.md', found malformed JSON"),
      ("roast-prompt \(season) --context sleeper-league_1048.json", "sleeper-league_1048.json', bracket_id: found "),
    ])
  func badInput(typed: String, problem: String) throws {
    try league(typed).expectRefusal(problem)
  }

  // MARK: Public bug reports (issue 49): the folders of Fixtures/reported

  @Test("24: a file compressed by gzip is read; a damaged one is named")
  func compressed() throws {
    #expect(try league("rank reported/24-league-gz/league.json.gz").status == 0)
    let folder = try TemporaryFolder()
    let url = Self.answers.appendingPathComponent("reported/24-league-gz/league.json.gz")
    try Data(contentsOf: url).dropLast(20).write(to: folder.url.appendingPathComponent("half.json.gz"))
    try AssayProcess("league rank half.json.gz", in: folder.url).expectRefusal("its compressed data is damaged or ends")
  }

  @Test(
    "05 to 07, 13, 16: what decides a league, and what is missing, stands before the ranks; no --week is advised",
    arguments: [
      ("05-espn-categories", "games are about categories and not about points"),
      ("06-espn-season-points", "This league has no games: the ranks use the points of the season alone."),
      ("07-sleeper-chopped", "the team with the fewest points of a week leaves it. The ranks use points alone."),
      ("13-sleeper-week-1-running", "Sleeper says that no week is over"),
      ("16-espn-no-records", "No record was sent: records computed from the schedule."),
    ])
  func kinds(folder: String, sentence: String) throws {
    let url = Self.answers.appendingPathComponent("reported/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    let process = try AssayProcess("league rank", files, in: url)
    #expect(process.status == 0, "\(process.remarks)")
    let flat = process.output.replacing("\n", with: " ")
    #expect(flat.contains(sentence) && !flat.contains("--week"), "\(flat)")
    let isOfPoints = folder.hasPrefix("16")
    #expect(flat.contains("How sure can it be?") == isOfPoints)
    #expect(flat.contains("schedule's luck") == isOfPoints)
  }

  @Test(
    "a week is refused in a league without games, before its season, and while it is not over",
    arguments: [
      ("07-sleeper-chopped", 3, "--week: found '3', expected no week: this league has no games"),
      ("06-espn-season-points", 1, "--week: found '1', expected no week: this league has no games"),
      ("13-sleeper-week-1-running", 1, "--week: found '1', expected a week that is over: no game is over in"),
      ("14-sleeper-late-start", 2, "--week: found '2', expected a week from 3 on, when the season begins"),
      ("14-sleeper-late-start", 5, "no game of week 5 of the regular season is over in"),
    ])
  func refusedWeeks(folder: String, week: Int, words: String) throws {
    let url = Self.answers.appendingPathComponent("reported/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    try AssayProcess("league rank --week \(week)", files, in: url).expectRefusal(words)
  }

  @Test("14: movement compares with the week before in a season that begins late")
  func lateStart() throws {
    let url = Self.answers.appendingPathComponent("reported/14-sleeper-late-start")
    let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    let process = try AssayProcess("league rank --week 4", files, in: url)
    #expect(process.status == 0 && process.output.contains("moved") && process.output.contains("After 2 weeks"))
    #expect(process.output.contains(#/\n +1 +=? +Team A .* 2-0-0 /#), "\(process.output)")
  }

  @Test("21: --season chooses one of several seasons")
  func seasons() throws {
    let file = "reported/21-espn-history-two-seasons/history.json"
    try league("rank \(file)").expectRefusal("found 2 leagues of 2023, 2024, expected one league; choose one by")
    #expect(try league("rank \(file) --season 2023").output.contains("season 2023."))
  }

  @Test(
    "38: a week counts once, whether a team plays twice in it or has it off, and ranks move from week to week",
    arguments: [
      ("1,A,90,B,80 1,C,70,D,60 1,A,90,C,70 1,B,80,D,60", 1), ("1,A,90,B,80 2,A,85,C,95 3,B,80,C,85", 3),
      ("1,A,90,B,80 1,C,70,D,60 1,A,90,C,70 1,B,80,D,60 2,A,50,B,60 2,C,90,D,70 2,A,50,C,90 2,B,60,D,70", 2),
    ])
  func weeksOfGames(rows: String, weeks: Int) throws {
    let folder = try TemporaryFolder()
    let lines = ["week,home,home points,away,away points"] + rows.split(separator: " ").map(String.init)
    let file = try folder.write(lines.joined(separator: "\n"), as: "results.csv")
    let output = try league("rank", [file]).output
    #expect(output.contains("After \(weeks) week"), "\(output)")
    #expect(output.contains("moved") == (weeks > 1), "\(output)")
  }

  @Test("58: a league without teams ends with 2")
  func noTeams() throws {
    let files = ["league", "rosters", "users"].map { "reported/58-sleeper-no-rosters/\($0).json" }
    try league("rank", files).expectRefusal("found no team")
  }

  @Test("60: Markdown shows names as they are")
  func markdown() throws {
    let output = try league("rank reported/60-markdown-names/league.json --format markdown").output
    #expect(output.contains("| 1 | &lt;script&gt;alert(1)&lt;/script&gt; |"))
    #expect(output.contains(#"| ¯\\\_(ツ)\_/¯ |"#) && output.contains(#"| \*Ann\* &amp; \`co\` |"#))
  }
}
