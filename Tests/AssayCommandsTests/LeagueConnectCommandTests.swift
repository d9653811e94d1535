// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Bad input to the commands of connected leagues ends with 2, and nothing is stored")
struct LeagueConnectCommandTests {
  /// Runs the program in its own folder, where it keeps its leagues too.
  private func run(_ typed: String, in folder: TemporaryFolder, _ environment: [String: String] = [:]) throws
    -> AssayProcess
  {
    try AssayProcess(
      "league " + typed, in: folder.url, environment: environment.merging(["XDG_DATA_HOME": folder.url.path]) { $1 })
  }

  @Test(
    "numbers, seasons, credentials, addresses and leagues that are not",
    arguments: [
      ("connect espn 12", "--season: found none, expected the year that the season began in"),
      ("connect yahoo 12 --season 2020", "<platform>: found 'yahoo', expected one of espn, sleeper."),
      ("connect espn 12a --season 2020", "league: found '12a', expected 1 to 20 digits"),
      ("connect espn 12 --season 1066", "--season: found '1066', expected a year from 1990 to 2100."),
      ("connect espn 12 --season 2020 --swid {1}", "SWID: found another text, expected a UUID in braces"),
      ("connect espn 12 --season 2020 --espn-s2 abc", "SWID: found nothing, expected a UUID in braces"),
      (
        "connect sleeper 12 --season 2020 --swid {01234567-89AB-CDEF-0123-456789ABCDEF} --espn-s2 abc",
        "espn_s2: found 3 characters, expected 100 to 4096"
      ),
      ("connect espn 12 --season 2020 --base-url ftp://x", "base URL: found 'ftp://x', expected http:// or https://"),
      ("refresh 12", "league 12 is not connected; 'assay league list' shows the leagues that are."),
      ("remove 12", "league 12 is not connected"), ("remove 12 --season x", "--season: found 'x', expected a year"),
      ("context 12 --context none.json", "cannot read 'none.json': no such file"),
      ("list --database no/such.sqlite", "'no/such.sqlite': unable to open database file; check that its folder"),
      ("list --database text", "'text': found a file that is no SQLite database, expected a database of leagues"),
    ])
  func badInput(typed: String, problem: String) throws {
    let folder = try TemporaryFolder(["text": "a text of more than sixteen letters"])
    try run(typed, in: folder).expectRefusal(problem)
    let after = try run("list", in: folder)
    #expect(after.status == 0 && after.output.isEmpty && after.remarks.contains("no league is connected"))
  }

  @Test("ESPN's credentials may come from the environment, and no message shows them")
  func environment() throws {
    let folder = try TemporaryFolder()
    let secret = ["ASSAY_ESPN_SWID": "{not-a-uuid}", "ASSAY_ESPN_S2": "hidden"]
    let process = try run("connect espn 12 --season 2020", in: folder, secret)
    #expect(process.status == 2 && process.remarks.contains("SWID: found another text"))
    #expect(!process.remarks.contains("not-a-uuid") && !process.remarks.contains("hidden"))
    let sleeper = try run("connect sleeper 12 --season 2020 --base-url ftp://x", in: folder, secret)
    #expect(sleeper.status == 2 && sleeper.remarks.contains("base URL"))
  }

  @Test("assay names assay-live, which has the commands on sockets")
  func withoutSockets() throws {
    let process = try AssayProcess("live listen")
    #expect(process.status == 64 && process.remarks.contains("'live listen' is in assay-live"))
  }
}
