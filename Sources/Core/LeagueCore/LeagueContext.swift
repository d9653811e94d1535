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
  /// Members' names with descriptions of their characters.
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

  /// A context from a JSON object of its fields, any of which may be missing.
  ///
  /// - Throws: `LeagueDocumentError` with the path of the first wrong field, or of an unknown field, which is most
  ///   likely misspelt.
  public static func read(_ data: Data, named file: String) throws(LeagueDocumentError) -> LeagueContext {
    let root = try LeagueField(data, named: file, expected: "the JSON of a league's context").required("an object")
    let known = CodingKeys.allCases.map(\.rawValue)
    if let other = try root.members.first(where: { !known.contains($0.name) }) {
      throw other.value.error(expected: "one of the keys \(known.joined(separator: ", "))")
    }
    var context = LeagueContext(insideJokes: try root["insideJokes"].allTexts)
    for (name, text) in try root["personalities"].members { context.personalities[name] = try text.requiredText() }
    context.sackoPunishment = try root["sackoPunishment"].text ?? ""
    context.cultureNotes = try root["cultureNotes"].text ?? ""
    return context
  }
}
