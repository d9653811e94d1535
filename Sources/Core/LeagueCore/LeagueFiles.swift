// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension League {
  /// A league from a service's documents in any order, each recognised by its content: one of ESPN, or Sleeper's
  /// league, rosters and users with the matchups of any weeks; or from a table of results (`LeagueResults`). A file may
  /// hold several documents, one after another. A document of matchups does not hold its week: the week is the number
  /// in the file's name, as in `matchups-3.json`.
  ///
  /// - Parameters:
  ///   - files: The documents, each with its name in errors.
  ///   - platform: The service that the documents must come from; `nil` for any.
  ///   - season: The season that the league must have, and that is chosen from several of ESPN; `nil` for any.
  /// - Throws: `LeagueDocumentError`, also where a document is missing.
  public init(
    files: [(name: String, data: Data)], platform: LeaguePlatform? = nil, season: Int? = nil
  ) throws(LeagueDocumentError) {
    if let index = files.firstIndex(where: {
      LeagueResults.recognises(String(decoding: $0.data.prefix(4_096), as: UTF8.self), named: $0.name)
    }) {
      let file = files[index]
      guard files.count == 1, platform == nil else {
        throw LeagueDocumentError(
          file: file.name, found: "a table of results",
          expected: platform.map { "a document of \($0.rawValue)" } ?? "no other document with it",
          cure: "name one league at a time, and no platform with a table")
      }
      guard season == nil else {
        throw LeagueDocumentError(
          file: file.name, found: "a table of results", expected: "a document with a season",
          cure: "leave the season out")
      }
      let stem = file.name.lastComponent.prefix { $0 != "." }
      self = try LeagueResults.read(String(decoding: file.data, as: UTF8.self), named: file.name, as: String(stem))
      return
    }
    var documents: [LeagueDocument] = []
    for file in files { documents += try LeagueDocument.all(file.data, named: file.name) }
    for document in documents {
      if let platform, document.kind.platform != platform {
        throw document.error(
          found: document.kind.name, expected: "a document of \(platform.rawValue)",
          cure: "leave the platform out, or name the other one's documents")
      }
    }
    guard let first = documents.first else {
      throw LeagueDocumentError(
        file: "", found: "no document", expected: LeagueDocument.expected, cure: "name a league's documents")
    }
    if let espn = documents.first(where: { $0.kind == .espnLeague }) {
      if let other = documents.first(where: { $0.kind != .espnLeague }) {
        throw espn.error(
          found: "\(espn.kind.name) and \(other.kind.name)", expected: "no other document with it",
          cure: "name one league at a time")
      }
      self = try ESPNLeague.read(documents, season: season)
      return
    }
    let only = { (kind: LeagueDocument.Kind) throws(LeagueDocumentError) -> LeagueDocument in
      let all = documents.filter { $0.kind == kind }
      guard let document = all.first else {
        throw first.error(
          found: "\(first.kind.name) without \(kind.name)",
          expected: "Sleeper's league, rosters and users together",
          cure: "name the missing document too")
      }
      if all.count > 1 {
        throw all[1].error(
          found: "\(kind.name) again", expected: "them once, as in '\(document.file)'",
          cure: "name one league at a time")
      }
      return document
    }
    self = try SleeperLeague.read(
      league: only(.sleeperLeague), rosters: only(.sleeperRosters), users: only(.sleeperUsers),
      matchups: Self.weeks(of: documents.filter { $0.kind == .sleeperMatchups }))
    if let season, season != connection.season {
      throw try only(.sleeperLeague).error(
        found: "the season \(connection.season)", expected: "\(season)",
        cure: "leave the season out: a league of Sleeper has one")
    }
  }

  private static func weeks(of documents: [LeagueDocument]) throws(LeagueDocumentError) -> [SleeperLeague.Week] {
    var weeks: [Int: LeagueDocument] = [:]
    for document in documents {
      let numbers = document.file.lastComponent.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
      let candidates = Set(numbers.filter(LeagueGame.weeks.contains)).sorted()
      guard let week = candidates.first else {
        throw document.error(
          found: "matchups without a week", expected: "the week as a number in the file's name",
          cure: "name the file after its week, for example matchups-3.json")
      }
      guard candidates.count == 1 else {
        let named = candidates.map { "\($0)" }.joined(separator: " and ")
        throw document.error(
          found: "the numbers \(named) in the file's name", expected: "one number, the week of these matchups",
          cure: "name the file after its week alone, for example matchups-3.json")
      }
      if let earlier = weeks.updateValue(document, forKey: week) {
        throw document.error(
          found: "week \(week) again", expected: "each week once; '\(earlier.file)' has it already",
          cure: "name each file after its week, and write each week to its own file")
      }
    }
    return weeks.sorted { $0.key < $1.key }.map { SleeperLeague.Week(week: $0.key, document: $0.value) }
  }
}

extension String {
  /// The last component of a path or an address.
  fileprivate var lastComponent: Substring { split(separator: "/").last ?? "" }
}
