// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Facts that a league's members state about themselves, for the roasts; every field may be empty.
public struct LeagueContext: Hashable, Sendable, Codable {
  /// Jokes that only members understand.
  public var insideJokes: [String]
  /// Members' names with what they are like.
  public var personalities: [String: String]
  /// The punishment of the last of the season.
  public var sackoPunishment: String
  /// Anything else.
  public var cultureNotes: String

  /// A context; without arguments an empty one.
  public init(
    insideJokes: [String] = [], personalities: [String: String] = [:], sackoPunishment: String = "",
    cultureNotes: String = ""
  ) {
    (self.insideJokes, self.personalities) = (insideJokes, personalities)
    (self.sackoPunishment, self.cultureNotes) = (sackoPunishment, cultureNotes)
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case insideJokes, personalities, sackoPunishment, cultureNotes
  }

  /// A context from an object of its fields, any of which may be missing.
  ///
  /// - Throws: `DecodingError` for another field too, which is most likely misspelt.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let known = CodingKeys.allCases.map(\.rawValue)
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys.sorted(by: { $0.stringValue < $1.stringValue })
    where !known.contains(key.stringValue) {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath + [key], debugDescription: "one of the keys \(known.joined(separator: ", "))"))
    }
    self.init(
      insideJokes: try fields.decodeIfPresent([String].self, forKey: .insideJokes) ?? [],
      personalities: try fields.decodeIfPresent([String: String].self, forKey: .personalities) ?? [:],
      sackoPunishment: try fields.decodeIfPresent(String.self, forKey: .sackoPunishment) ?? "",
      cultureNotes: try fields.decodeIfPresent(String.self, forKey: .cultureNotes) ?? "")
  }

  /// A context from a document of JSON.
  ///
  /// - Throws: `LeagueDocumentError` with the path of the first field that is wrong.
  public static func read(_ data: Data, named file: String) throws(LeagueDocumentError) -> LeagueContext {
    try LeagueJSON(data, named: file, expected: "the JSON of a league's context").decode(LeagueContext.self)
  }
}
