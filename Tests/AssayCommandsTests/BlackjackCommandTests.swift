// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Foundation
import TestSupport
import Testing

@Suite("assay blackjack, end to end")
struct BlackjackCommandTests {
  @Test("a ramp that begins below 0 is read, and a running count's gaps between steps are no mistake")
  func negativeRamp() throws {
    let words = "blackjack count --count ko --rules 6d-cut75 --shoes 50 --chart trainer --quiet"
    let run = try AssayProcess("\(words) --ramp -20:1 -4:2 -2:4 0:6 2:8")
    #expect(run.status == 0 && run.remarks.isEmpty, "\(run.remarks)")
    let line = run.output.replacing("\n", with: " ")
    #expect(line.contains("starts at -20: -20: 1, -4: 2, -2: 4, 0: 6, 2: 8."), "\(run.output)")
    #expect(!line.contains("The ramp:"))
    #expect(try AssayProcess("\(words) --ramp=-20:1,-4:2,-2:4,0:6,2:8").output == run.output)
    let single = try AssayProcess("blackjack bankroll --win -0.01 --deviation 1.1 --rounds 10 --trips 10 --format csv")
    #expect(single.status == 0 && single.output.contains("win,,units,-0.00999999999999"), "\(single.remarks)")
  }

  @Test("assay blackjack chart --format csv --output chart.txt believes the format, not the ending")
  func formatBeatsEnding() throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess(
      "blackjack chart --rules inf --method exact --format csv --output chart.txt --quiet", in: folder.url)
    #expect(process.status == 0)
    #expect(process.remarks.isEmpty && process.output.isEmpty)
    let text = try String(contentsOf: folder.url.appendingPathComponent("chart.txt"), encoding: .utf8)
    #expect(text.hasPrefix("kind,player,dealer,action,"))
  }

  /// What a play's JSON has of its only game's measure.
  private func measured(_ name: String, _ process: AssayProcess) throws -> [String: Any] {
    let all = try #require(try process.json()["measurements"] as? [[String: Any]])
    return try #require(all.first { $0["name"] as? String == name })
  }

  @Test("assay blackjack play prints the mean and deviation of the EV, the rounds, and each payoff's frequency")
  func playJSON() throws {
    let process = try AssayProcess("blackjack play --rounds 1e5 --confidence 0.99 --format json")
    let games = try #require((try process.json()["data"] as? [String: Any])?["games"] as? [[String: Any]])
    let payoffs = try #require(games.first?["payoffs"] as? [String: Int])
    #expect(payoffs.values.reduce(0, +) == 100_000)
    #expect(try measured("rounds", process)["count"] as? Int == 100_000)
    let mean = payoffs.reduce(0.0) { $0 + (Double($1.key) ?? .nan) * Double($1.value) } / 100_000
    let ev = try measured("ev", process)
    #expect(abs(try #require(ev["mean"] as? Double) - mean) < 1e-9 && ev["samples"] as? Int == 100_000)
    let deviation = try measured("deviation", process)
    #expect(deviation["value"] as? Double == ev["standardDeviation"] as? Double)
  }

  @Test(
    "assay blackjack play --half-width 0.01 stops when the interval is that narrow, and is undecided if it never is")
  func halfWidth() throws {
    let reached = try AssayProcess("blackjack play --half-width 0.01 --confidence 0.99 --format json --quiet")
    #expect(reached.status == 0)
    let ev = try measured("ev", reached)
    let (rounds, deviation) = (try #require(ev["samples"] as? Int), try #require(ev["standardDeviation"] as? Double))
    // A look has a part of the error of 0.01 only, so that its quantile is above that of 0.99.
    #expect(2.576 * deviation / Double(rounds).squareRoot() < 0.01 && rounds < 2_000_000)
    let short = try AssayProcess("blackjack play --half-width 0.0001 --rounds 1e5 --quiet")
    #expect(short.status == 3)
    #expect(short.remarks.contains("half-width of ev[6d-s17-das] <= 0.0001"))
  }

  @Test("assay blackjack play --method exact reproduces the trainer's EV to the last published digit")
  func playExact() throws {
    let process = try AssayProcess("blackjack play --rules 6d-s17-das-spl1 --chart trainer --method exact --format csv")
    #expect(process.output.contains("\nev,6d-s17-das-spl1,bets,-0.0045993559"))
    #expect(process.output.contains("\ndeviation,6d-s17-das-spl1,bets,1.1463914625"))
  }

  @Test("a printed chart can be read again, as text and as Markdown", arguments: ["txt", "md"])
  func printedChart(ending: String) throws {
    let folder = try TemporaryFolder()
    let chart = "blackjack chart --rules 8d-h17-das-ls --method exact -q"
    #expect(try AssayProcess("\(chart) -o mine.\(ending)", in: folder.url).status == 0)
    let process = try AssayProcess("\(chart) --against mine.\(ending)", in: folder.url)
    #expect(process.output.contains("The mine chart agrees in all 330 decided cells"), "\(process.remarks)")
    let notes = try TemporaryFolder(["notes.csv": "16 stand"])
    let other = try AssayProcess("\(chart) --against notes.csv", in: notes.url)
    #expect(other.remarks.contains("which 'assay blackjack chart --output mine.csv' begins"), "\(other.remarks)")
  }

  @Test("assay blackjack hand A,A A accepts a single deck")
  func aces() throws {
    let process = try AssayProcess("blackjack hand A,A A --rules 1d --rounds 1e3 --quiet")
    #expect(process.status == 0 && process.output.contains("split"))
  }

  @Test("assay blackjack verify --chart wrong.csv fails, names the cell and its cost, and prints the command")
  func verifyWrong() throws {
    let folder = try TemporaryFolder()
    var chart = StrategyChart.trainer
    chart[ChartCellKey(.pair(.eight), against: .six)] = StrategyChart.Cell(.hit)
    let lines = ChartCellKey.all.map { key in
      "\(key.row.kind.rawValue),\(key.row.label),\(key.upcard),\(chart[key]?.action.letter ?? "?")\n"
    }
    let path = try folder.write("kind,player,dealer,action\n" + lines.joined(), as: "wrong.csv")
    let process = try AssayProcess(
      "blackjack verify --rules inf --chart \(path) --confidence 0.6 --indifference 0.3 --quiet")
    #expect(process.status == 1)
    #expect(
      process.output.contains(
        "FAILS: 1 cell certainly wrong, the worst pair 8,8 v 6: hit costs 0."))
    let last = process.remarks.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("reproduce: assay blackjack verify --rules inf --chart \(path) --confidence 0.6"))
  }
}
