// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueCore
import PropertyTesting
import Testing

@Suite("The eighteen properties of leagues")
struct LeagueServicePropertyTests {
  @Test(
    "hold for recorded documents however they are damaged: they give teams, or an error with a file's name",
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
      (name: name, data: try Data(contentsOf: folder.appending(path: "LeagueCoreTests/Fixtures/\(name).json")))
    }
    #expect(try League(files: files).teams.count > 0)
    for index in files.indices {
      let bytes = Gen.damaged(.just(Array(files[index].data)))
      let report = try search(bytes, settings: CheckSettings(cases: 100)) { bytes in
        var damaged = files
        damaged[index].data = Data(bytes)
        do {
          _ = try PowerRanking(League(files: damaged).teams)
        } catch let error as LeagueDocumentError {
          try require(names.contains(error.file), "the error names '\(error.file)', not one of \(names)")
          try require(!error.found.isEmpty && !error.expected.isEmpty && !error.cure.isEmpty, "\(error)")
        }
      }
      #expect(report.counterexample == nil, "\(report)")
    }
  }
}
