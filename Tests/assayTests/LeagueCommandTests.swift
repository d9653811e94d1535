// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay league, end to end")
struct LeagueCommandTests {
  @Test("assay league simulate --jobs 1 and --jobs 3 write the same bytes")
  func sameBytes() throws {
    let typed = "league simulate --teams 7 --weeks 5 --seasons 4e3 --seed 11 --format json --quiet"
    let one = try AssayProcess(typed + " --jobs 1")
    let three = try AssayProcess(typed + " --jobs 3")
    #expect(one.status == 0 && one.output == three.output && one.remarks.isEmpty)
    let other = try AssayProcess(typed.replacingOccurrences(of: "seed 11", with: "seed 12"))
    #expect(other.status == 0 && other.output != one.output)
  }

  @Test("assay league simulate echoes every option and says what it found, with intervals")
  func text() throws {
    let process = try AssayProcess("league simulate --weeks 3 --seasons 2000 --jobs 1 --confidence 0.99")
    #expect(process.status == 0)
    #expect(
      process.remarks == "assay league simulate --teams 12 --weeks 3 --mean 110 --deviation 25 --strength 10 "
        + "--ties 0.005 --seasons 2000 --confidence 0.99 --seed 1 --generator mt19937 --jobs 1\n")
    #expect(
      process.output.hasPrefix("The power ranking of 12 teams over 3 weeks\nEvery estimate is from 2,000 seasons"))
    #expect(process.output.contains("the teams' strengths"))
  }

  @Test("assay league simulate --output writes files in their formats")
  func files() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let process = try AssayProcess(
      "league simulate --weeks 2 --seasons 100 --output l.csv --output l.md --output l.json --quiet", in: folder.url)
    #expect(process.status == 0 && process.output.isEmpty)
    #expect(try folder.names() == ["l.csv", "l.json", "l.md"])
    let csv = try String(contentsOf: folder.url.appendingPathComponent("l.csv"), encoding: .utf8)
    #expect(csv.hasPrefix("week,ranking,quantity,value,low,high,confidence,samples\n1,power,best-is-first,"))
  }

  @Test("Ctrl-C ends with 130, what is known, and the command to begin again")
  func interrupted() throws {
    let process = try AssayProcess("league simulate --seasons 1e12 --jobs 1", interruptedBy: "--jobs 1")
    #expect(process.status == 130)
    #expect(process.remarks.contains("Interrupted"))
    #expect(process.remarks.contains("reproduce: assay league simulate --teams 12"))
    #expect(process.remarks.hasSuffix("--seed 1 --generator mt19937 --jobs 1\n"))
    #expect(
      process.output.hasPrefix("The power ranking of 12 teams")
        || process.remarks.contains("before there was anything to say"))
  }

  @Test(
    "bad input ends with 2, says what was found and expected, and writes nothing",
    arguments: [
      ("--teams 1", "teams: found 1, expected 2 to 64."),
      ("--teams twelve", "--teams: found 'twelve', expected a whole number."),
      ("--teams 1e30", "--teams: found '1e30', expected a whole number."),
      ("--weeks 0", "weeks: found 0, expected 1 to 100."),
      ("--weeks -3", "weeks: found -3, expected 1 to 100."),
      ("--mean nan", "mean score: found nan, expected -1000 to 1000 points."),
      ("--mean much", "--mean: found 'much', expected a number."),
      ("--deviation -1", "score deviation: found -1.0, expected 0 to 1000 points."),
      ("--strength 0", "strength deviation: found 0.0, expected above 0 and at most 1000 points."),
      ("--ties 2", "tie rate: found 2.0, expected a probability, 0 to 1."),
      ("--seasons 1", "--seasons: found '1', expected a whole number from 2 to 1e12, for example 1e6."),
      ("--seasons 1.5", "--seasons: found '1.5'"),
      ("--confidence 1", "--confidence: found '1', expected a probability between 0 and 1"),
      ("--generator mt19936", "did you mean 'mt19937'?"),
      ("--jobs 0", "--jobs: found '0', expected a whole number, 1 to 1024."),
      ("--format junit", "--format: 'simulate' has no junit, expected one of text, markdown, csv, json, svg, png."),
      ("--output no/such/folder/l.csv", "does not exist; create it or choose another."),
    ])
  func badInput(typed: String, problem: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let process = try AssayProcess("league simulate " + typed, in: folder.url)
    #expect(process.status == 2)
    #expect(process.remarks.contains("error: "))
    #expect(process.remarks.contains(problem), "\(process.remarks)")
    #expect(process.output.isEmpty)
    #expect(try folder.names() == [])
  }
}
