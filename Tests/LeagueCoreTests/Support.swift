// SPDX-License-Identifier: Apache-2.0
import Foundation
import LeagueCore
import Testing

/// A record in whole points.
func season(
  _ wins: Int, _ losses: Int, _ ties: Int = 0, for scored: Double, against conceded: Double
) throws -> SeasonRecord {
  try SeasonRecord(
    wins: wins, losses: losses, ties: ties, pointsFor: Points(scored), pointsAgainst: Points(conceded))
}

/// A team that is called like its number.
func team(
  _ id: Int, _ name: String? = nil, _ wins: Int = 0, _ losses: Int = 0, _ ties: Int = 0, for scored: Double = 0,
  against conceded: Double = 0
) throws -> Team {
  try Team(
    id: id, name: name ?? "Team \(id)", wins: wins, losses: losses, ties: ties, pointsFor: scored,
    pointsAgainst: conceded)
}

/// A recorded answer of a service.
func recorded(_ name: String) throws -> (name: String, data: Data) {
  let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
  return (name, try Data(contentsOf: url))
}

/// The league of recorded answers.
func recordedLeague(_ names: String...) throws -> League { try League(files: names.map(recorded)) }

/// The league of one document.
func league(_ json: String) throws -> League { try League(files: [("league.json", Data(json.utf8))]) }

/// What is wrong with documents, each with its name.
func problem(_ files: [(name: String, json: String)]) throws -> String {
  try #require(throws: LeagueDocumentError.self) {
    try League(files: files.map { (name: $0.name, data: Data($0.json.utf8)) })
  }.description
}
