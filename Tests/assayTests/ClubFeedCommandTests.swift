// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay club feed, end to end")
struct ClubFeedCommandTests {
  private static let scenario = """
    name: Two short seasons
    kind: club.feed
    club: {members: 5, weeks: 1}
    faults: {renames: usual}
    seasons: 2
    thresholds:
      - feed.doubleCounts == 0

    """

  private func run(_ yaml: String, _ typed: String = "") throws -> AssayProcess {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write(yaml, as: "feed.yaml")
    let process = try AssayProcess("club feed feed.yaml \(typed)", in: folder.url)
    #expect(try folder.names() == ["feed.yaml"], "nothing is left behind")
    return process
  }

  @Test("the tables of the trial stand above its thresholds, and what it comes to is the exit code")
  func text() throws {
    let process = try run(Self.scenario, "--jobs 1")
    #expect(process.status == 0 && process.remarks == "assay club feed feed.yaml --jobs 1\n")
    #expect(process.output.contains("The week ledger over 1 week of a club of 5"))
    #expect(process.output.contains(/\nholds +feed\.doubleCounts\[renames\] == 0 +0 rides\n/))
    #expect(process.output.hasSuffix("\nHOLDS: all 4 thresholds.\n"))
  }

  @Test("a threshold that fails ends with 1, and the command that shows it again")
  func fails() throws {
    let process = try run(
      Self.scenario.replacingOccurrences(of: "doubleCounts == 0", with: "doubleCounts >= 1e6"), "--jobs 1")
    #expect(process.status == 1)
    #expect(
      process.remarks.contains("FAILS: 4 of 4 thresholds failed.\n")
        && process.remarks.hasSuffix("reproduce: assay club feed feed.yaml --jobs 1\n"))
  }

  @Test("any number of workers comes to the same bytes, in JSON and in CSV")
  func sameBytes() throws {
    for format in ["json", "csv"] {
      let one = try run(Self.scenario, "--format \(format) --quiet --jobs 1")
      #expect(one.status == 0 && !one.output.isEmpty)
      #expect(try run(Self.scenario, "--format \(format) --quiet --jobs 3").output == one.output)
    }
  }

  @Test(
    "bad input ends with 2",
    arguments: [
      ("kind: club.feed", "kind: club.fed", "kind: found 'club.fed', expected one of club.feed"),
      ("kind: club.feed", "kind: blackjack.play", "expected one of club.feed"),
      ("members: 5", "members: -5", "members: found"),
      ("doubleCounts == 0", "doubelCounts == 0", "did you mean"),
    ])
  func badInput(good: String, bad: String, problem: String) throws {
    let process = try run(Self.scenario.replacingOccurrences(of: good, with: bad))
    #expect(process.status == 2 && process.output.isEmpty)
    #expect(process.remarks.contains("feed.yaml:") && process.remarks.contains(problem), "\(process.remarks)")
  }
}
