// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PropertyTesting
import Reporting
import Testing

@testable import LeagueLab

@Suite("The eighteen promises about leagues")
struct LeagueServicePropertyTests {
  @Test(
    "hold of recorded documents too: however they are damaged, they give teams or an error with the file's name",
    arguments: [
      ["espn-2015-mteam-array-ties"], ["espn-2018-mteam-masked-owners"], ["espn-2023-preseason-all-zero"],
      [
        "sleeper-2020-b-league", "sleeper-2020-b-league_rosters", "sleeper-2020-b-league_users",
        "sleeper-2020-b-matchups-1",
      ],
    ])
  func damagedRecordings(names: [String]) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = try names.map { name in
      let path = folder.appending(path: "LeagueCoreTests/Fixtures/\(name).json")
      return LeagueFile(name: name, json: try JSONValue(parsing: String(contentsOf: path, encoding: .utf8)))
    }
    try LeagueServiceProperties.readsOrNames(files, .shipping)
    let documents = SentLeague(league: try PromiseOperations.shipping.read(files), files: files)
    let report = try search(.damaged(.just(documents)), settings: CheckSettings(cases: 300)) { sent in
      try LeagueServiceProperties.readsOrNames(sent.files, .shipping)
    }
    #expect(report.counterexample == nil, "\(report)")
  }
}
