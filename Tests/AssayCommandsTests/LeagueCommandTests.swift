// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay league, end to end")
struct LeagueCommandTests {
  @Test("assay league seasons echoes what was typed and prints its tables, with intervals")
  func text() throws {
    let process = try AssayProcess("league seasons --weeks 3 --seasons 2000 --confidence 0.99")
    #expect(process.status == 0)
    #expect(process.remarks == "assay league seasons --weeks 3 --seasons 2000 --confidence 0.99\n")
    #expect(process.output.hasPrefix("The power ranking of 12 teams over 3 weeks\n"))
    #expect(process.output.contains("Every estimate is from 2,000 seasons"))
    #expect(process.output.contains("the teams' strengths"))
  }

  @Test("assay league seasons --output writes files in their formats")
  func files() throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess(
      "league seasons --weeks 2 --seasons 100 --output l.csv --output l.md --output l.json --quiet", in: folder.url)
    #expect(process.status == 0 && process.output.isEmpty)
    #expect(try folder.names() == ["l.csv", "l.json", "l.md"])
    let csv = try String(contentsOf: folder.url.appendingPathComponent("l.csv"), encoding: .utf8)
    #expect(csv.hasPrefix("week,ranking,quantity,value,low,high,confidence,samples\n1,power,power.bestIsFirst,"))
  }

  @Test("a threshold that fails ends with 1 and is named")
  func threshold() throws {
    let process = try AssayProcess(
      "league seasons --weeks 2 --seasons 2000 --threshold", ["power.rankOfBest[week 2] > 6 at 0.99"])
    #expect(process.status == 1)
    #expect(process.remarks.contains("FAILS: 1 of 1 thresholds: power.rankOfBest[week 2] > 6 at 0.99"))
  }

  @Test(
    "bad input ends with 2, names what was found and expected, and writes nothing",
    arguments: [
      ("--teams twelve", "--teams: found 'twelve', expected a whole number, 2 to 64."),
      ("--weeks -3", "--weeks: found '-3', expected a whole number, 1 to 100."),
      ("--mean nan", "--mean: found 'nan', expected a number, -1000 to 1000."),
      ("--generator mt19936", "did you mean 'mt19937'?"),
      ("--jobs 0", "--jobs: found '0', expected a whole number, 1 to 1,024."),
      ("--output no/such/folder/l.csv", "does not exist; create it or choose another."),
    ])
  func badInput(typed: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess("league seasons " + typed, in: folder.url)
    process.expectRefusal(problem)
    #expect(try folder.names() == [])
  }
}
