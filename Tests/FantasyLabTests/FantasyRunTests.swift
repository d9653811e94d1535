// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import FantasyLab
import Foundation
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("Fantasy seasons")
struct SeasonTests {
  private static func run(_ yaml: String) throws -> [String: Scenarios.Measurement] {
    let (result, _) = try outcome("fantasy.season", yaml + "\nteams: 6", among: Fantasy.experiments.map { $0.runnable })
    return Dictionary(uniqueKeysWithValues: result.measurements.map { ($0.measure.fullName, $0) })
  }

  @Test("advice beats the baselines, and no forecast beats the one that knows the truth")
  func value() throws {
    let found = try Self.run("seasons: 400")
    func low(_ name: String) -> Double { found[name]?.interval(at: 0.999).lowerBound ?? -.infinity }
    func high(_ name: String) -> Double { found[name]?.interval(at: 0.999).upperBound ?? .infinity }
    #expect(low("value.captain") > 0 && low("value.trades") > 0)
    #expect(high("crps.truth") < low("crps.advice") && high("crps.advice") < low("crps.average"))
    // Of a normal distribution with a deviation of 21: 21 / sqrt(pi).
    #expect(high("crps.truth") > 11.848 && low("crps.truth") < 11.848)
  }

  @Test("where nobody is hurt and no trade is left, no trade gains, and no late change is missed")
  func nothing() throws {
    let found = try Self.run("seasons: 20\ninjuries: 0%\ndoubts: 0%\ntrades: 0")
    for name in ["trades", "value.trades", "alerts.missed"] { #expect(found[name]?.estimate == 0, "\(name)") }
    #expect(found["alerts"].map { $0.estimate > 0 } == true)
    #expect(found["alerts.useful"].map { 0...1 ~= $0.estimate } == true)
  }

  @Test("overconfident advice is found, with the direction of its error")
  func overconfident() throws {
    let found = try Self.run("seasons: 3000\nbelieved: 7")
    #expect(found["calibration.outside[captain]"].map { $0.estimate > 0 } == true)
    let (miscalibration, calibrated) = (
      found["calibration.miscalibration[captain]"], found["calibration.expected[captain]"]
    )
    #expect((miscalibration?.estimate ?? 0) > (calibrated?.estimate ?? 1))
    #expect(found["calibration.bias[captain]"].map { $0.interval(at: 0.99).upperBound < 0 } == true)
  }
}

@Suite("Forecasts and prices of files")
struct FantasyFileTests {
  private static let examples = URL(fileURLWithPath: #filePath).appending(path: "../../../Examples/fantasy")
    .standardizedFileURL.path

  private static func run(_ kind: String, _ yaml: String) throws -> (result: ScenarioResult, found: [String: Double]) {
    try outcome("fantasy.\(kind)", yaml, among: Fantasy.experiments)
  }

  @Test("the Niamey forecasts have the published decomposition, which shows the ensemble's miscalibration")
  func calibration() throws {
    let niamey = "forecasts: \(Self.examples)/niamey-2016.csv\noutcome: obs\nprobability: "
    let emos = try Self.run("calibration", niamey + "EMOS").found
    for (name, expected) in [("brier", 0.232025179), ("miscalibration", 0.018282943), ("discrimination", 0.030468539)] {
      #expect(emos["calibration.\(name)"].map { abs($0 - expected) < 1e-6 } == true)
    }
    #expect((emos["calibration.miscalibration"] ?? 1) < (emos["calibration.expected"] ?? 0))
    let ensemble = try Self.run("calibration", niamey + "ENS").found
    #expect(ensemble["calibration.miscalibration"].map { abs($0 - 0.066072228) < 1e-6 } == true)
    #expect((ensemble["calibration.miscalibration"] ?? 0) > (ensemble["calibration.expected"] ?? 1))
  }

  @Test("forecasts whose decomposition is known by hand, with their figure", arguments: [(4, 0.0), (1, 0.27)])
  func reliability(hits: Int, miscalibration: Double) throws {
    // Five forecasts of 80% with that number of hits, and five of 20% with as many misses; pooled, they are one of 50%.
    let rows = (0..<5).map { "0.8,\($0 < hits ? 1 : 0)\n0.2,\($0 < hits ? 0 : 1)" }
    let folder = try TemporaryFolder(["f.csv": "probability,outcome\n" + rows.joined(separator: "\n")])
    let (result, found) = try Self.run("calibration", "forecasts: \(folder.path("f.csv"))")
    let brier = Double(hits * 4 + (5 - hits) * 64) / 500
    for (name, value) in [
      ("brier", brier), ("miscalibration", miscalibration), ("discrimination", 0.25 + miscalibration - brier),
      ("uncertainty", 0.25), ("bias", 0), ("outside", 0),
    ] { #expect(found["calibration.\(name)"].map { abs($0 - value) < 1e-12 } == true, "\(name)") }
    let figure = try #require(result.document.figures.first)
    let points = figure.series.map { $0.points.map { [$0.x, $0.y].map { ($0 * 1e9).rounded() / 1e9 } } }
    #expect(points == [[[20, 20], [80, 80]], hits == 4 ? [[20, 20], [80, 80]] : [[20, 50], [80, 50]]])
  }

  @Test("prices that follow the rule pass, another is reported with its line, and a withdrawal is not a game")
  func prices() throws {
    let games = "\(Self.examples)/games.csv"
    let (result, found) = try Self.run("prices", "games: \(games)")
    #expect(found["prices.withdrawn"] == 1 && found["prices.steps"].map { $0 > 60 } == true)
    #expect(found["prices.differ"] == 1 && found["prices.largest"] == 9000)
    let text = result.document.text(width: 200)
    let row = try #require(text.firstMatch(of: /\n(\w+ \w+) +7 +([\d,]+) +[\d,]+ +\+9,?000 +(\d+)\n/), "\(text)")
    let line = try TextFile.read(games).split(separator: "\n")[(Int(row.3) ?? 1) - 1]
    #expect(line.hasPrefix("\(row.1),7,") && line.hasSuffix(",\(row.2.filter { $0 != "," })"), "\(line)")
    #expect(try Self.run("prices", "games: \(games)\nzeros: true").found["prices.differ"].map { $0 > 1 } == true)
  }

  @Test("for scores that only vary around a mean, shrunk forecasts are the best")
  func scores() throws {
    var lines = ["player,round,score"]
    var word: UInt64 = 9
    func next() -> Int {
      word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(word >> 33) % 31
    }
    for player in 0..<40 {
      for round in 1...12 { lines.append("p\(player),\(round),\(25 + next() + next() + next() + player % 5)") }
    }
    let folder = try TemporaryFolder(["games.csv": lines.joined(separator: "\n")])
    let found = try Self.run("scores", "games: \(folder.path("games.csv"))").found
    #expect(found["scores.forecasts[model]"] == 280)
    let errors = ["shrunk", "average", "last-five"].compactMap { found["scores.crps[\($0)]"] }
    #expect(errors.count == 3 && errors == errors.sorted())
  }

  @Test(
    "files of games that people sent are read: rounds by name, several seasons, two players of one name",
    arguments: [
      ("25-bom", "", 3), ("47-round-words", "\nscore: AF", 3), ("49-two-seasons", "\nscore: AF", 6),
      ("50-two-of-one-name", "\nscore: AF", 6), ("50-two-of-one-name", "\nscore: AF\nclub: Team", 6),
      ("49-two-seasons", "\nscore: AF\nseason: season\nearlier: 7", 2),
    ])
  func sent(name: String, settings: String, forecasts: Double) throws {
    let file = try #require(Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
    let run = try Self.run("scores", "games: \(file.path)" + settings)
    #expect(run.found["scores.forecasts[model]"] == forecasts)
    let text = run.result.document.text(width: 200)
    let counted = forecasts == 3 ? "1 player" : name == "49-two-seasons" ? "2 player seasons" : "2 players"
    #expect(text.contains("\n\(counted) with more than "), "\(text)")
  }

  @Test("rounds come in the order of the season: the opening round, numbers in any spelling, and the finals")
  func rounds() throws {
    let names = [
      "Opening Round", "1.0", "R2", "Rd 3", "round 4", "5", "Wildcard Round", "2nd Elimination Final", "Semi-Final",
      "Preliminary Final", "GF",
    ]
    let rows = names.enumerated().reversed().map { "Ivo Orr,\($1),\(60 + $0),\($0 == 8 ? 520_000 : 500_000)" }
    let folder = try TemporaryFolder([
      "games.csv": (["Name,Rd,AF,Salary"] + rows).joined(separator: "\n")
    ])
    let settings = "games: \(folder.path("games.csv"))\nplayer: Name\nround: Rd\nscore: AF"
    let last = try Self.run("scores", settings + "\nearlier: 10")
    // The last game is the one of 70 points, forecast as the mean of 60 to 69.
    #expect(last.found["scores.forecasts[average]"] == 1 && last.found["scores.error[average]"] == 5.5)
    // A normal score of a deviation d, observed at d: d (2 Phi(1) - 1 + 2 phi(1) - 1 / sqrt(pi)). The last five have
    // 67.
    let unit = 0.682_689_492_137 + 0.483_941_449_038 - 0.564_189_583_548
    for (name, value) in [
      ("error[last-five]", 3), ("crps[average]", 5.5 * unit), ("crps[last-five]", 3 * unit),
      ("better[last-five]", 2.5 * unit), ("better[average]", 0), ("brier[average]", 0), ("miscalibration[average]", 0),
    ] { #expect(last.found["scores.\(name)"].map { abs($0 - value) < 1e-8 } == true, "\(name)") }
    let prices = try Self.run("prices", settings + "\nprice: Salary").result.document.text(width: 200)
    // One price is off the rule, and so is the step back from it.
    #expect(prices.contains(/Ivo Orr +Semi Final +520,000 +500,000/), "\(prices)")
    #expect(prices.contains(/Ivo Orr +Preliminary Final +500,000 +520,000/), "\(prices)")
  }

  @Test(
    "a bad table is refused at its line and column",
    arguments: [
      ("player,round,score\na,1,NaN", "games.csv:2: score: found 'NaN', expected a whole number from -50 to 400."),
      (
        "player,round,score\na,1,5\na,1,6",
        "games.csv:3: round: found '1', expected another round: a has it already in line 2; a column of clubs (--club) "
          + "or ids (--player) distinguishes players of one name; a column of seasons (--season) distinguishes years."
      ),
      ("player,round,score\na,1", "games.csv:2: row: found 2 values, expected 3, one for each column of the heading."),
      (
        "player,round\na,1",
        "games.csv:1: heading: found player, round, expected a column 'score'; --score names another."
      ),
      (
        "# nothing",
        "games.csv: table: found nothing, expected a line with the names of the columns, and a line for each row."
      ),
      (
        "player,round,score\n\"a,1,5",
        "games.csv:2: player: found a quotation mark that nothing closes, expected quotation marks around a whole "
          + "value, and one within them written twice."
      ),
      (
        "player,round,score\na,Roundabout,5",
        "games.csv:2: round: found 'Roundabout', expected a round from 0 to 100, such as 7 or Round 7, or a final, "
          + "such as Grand Final."
      ),
      (
        "Player,Season,Team,Round,Score\na,2024,Gales,1,5\na,2024,Gales,Round 1,6",
        "games.csv:3: round: found 'Round 1', expected another round: a has it already in line 2."
      ),
      (
        "player,round,score\na,1,5", "games.csv: games: found no player with more than 5 games, expected such a player."
      ),
    ])
  func wrong(text: String, message: String) throws {
    let folder = try TemporaryFolder(["games.csv": text])
    let error = #expect(throws: (any Error).self) { try Self.run("scores", "games: \(folder.path("games.csv"))") }
    #expect(error is any InputError && error.map { "\($0)" } == folder.path(message))
  }

  @Test("a probability beyond 1 or an outcome of 2 is refused")
  func wrongForecasts() throws {
    for (row, column) in [("1.2,1", "probability"), ("nan,0", "probability"), ("0.5,2", "outcome")] {
      let folder = try TemporaryFolder(["f.csv": "probability,outcome\n\(row)"])
      let error = #expect(throws: (any Error).self) {
        try Self.run("calibration", "forecasts: \(folder.path("f.csv"))")
      }
      #expect(error.map { "\($0)".contains("f.csv:2: \(column): found") } == true)
    }
  }
}
