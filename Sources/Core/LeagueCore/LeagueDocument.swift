// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A document of a service, of which so much is known that it is JSON and whose it is.
public struct LeagueDocument: Sendable {
  /// The kinds of answers of services, distinguished by the keys of the document, or of the first element of a list.
  public enum Kind: String, Hashable, Sendable {
    /// ESPN's league, an object or a list of one.
    case espnLeague = "ESPN's league"
    case sleeperLeague = "Sleeper's league"
    case sleeperRosters = "Sleeper's rosters"
    case sleeperUsers = "Sleeper's users"
    case sleeperMatchups = "Sleeper's matchups"

    /// The service, and what the document is called.
    public var name: String { rawValue }

    /// Which service sends it.
    public var platform: LeaguePlatform { self == .espnLeague ? .espn : .sleeper }
  }

  /// The kind of document.
  public let kind: Kind
  private let json: LeagueJSON

  /// The name of the document in errors.
  public var file: String { json.file }

  /// Recognises a document by its content; an empty list, which has none, is what the file's name says that it is.
  ///
  /// - Throws: `LeagueDocumentError` for what is no JSON, for a service's refusal, and for JSON of anything else.
  public init(_ data: Data, named file: String) throws(LeagueDocumentError) {
    json = try LeagueJSON(
      data, named: file, expected: Self.expected,
      cureForPage: "download the API's answer, not the page; a private league of ESPN needs its cookies")
    kind = try Self.kind(json.decode(Outline.self), file)
  }

  static let expected =
    "the JSON of a league from ESPN or Sleeper, or a table of results as 'assay league template' prints one"

  private static func kind(_ outline: Outline, _ file: String) throws(LeagueDocumentError) -> Kind {
    let has = { (keys: [String]) in outline.keys.isSuperset(of: keys) }
    let fault = { (found: String, cure: String) in
      LeagueDocumentError(file: file, found: found, expected: expected, cure: cure)
    }
    switch outline.shape {
    case .null:
      throw fault("null, which Sleeper answers for a league that it does not know", "check the league's identifier")
    case .emptyList:
      let words: [(word: String, kind: Kind)] = [
        ("rosters", .sleeperRosters), ("users", .sleeperUsers), ("matchups", .sleeperMatchups),
      ]
      guard let word = words.first(where: { file.lowercased().contains($0.word) }) else {
        throw fault("an empty list", "call the file after what it is: rosters, users or matchups")
      }
      return word.kind
    case .object, .list:
      if has(["teams"]) || has(["seasonId"]) { return .espnLeague }
      if outline.shape == .object {
        if has(["league_id"]) { return .sleeperLeague }
        if has(["messages"]) {
          let reason = outline.messages.first.map { ": \(Excerpt.quoted($0))" } ?? ""
          throw fault("ESPN's refusal\(reason)", "check the league's identifier, the season and the cookies")
        }
      } else {
        if has(["roster_id", "matchup_id"]) { return .sleeperMatchups }
        if has(["roster_id"]) { return .sleeperRosters }
        if has(["user_id"]) { return .sleeperUsers }
      }
      let keys = outline.keys.sorted().prefix(5).map(Excerpt.quoted).joined(separator: ", ")
      throw fault(
        outline.keys.isEmpty ? "JSON without any key of a league" : "JSON with the keys \(keys)",
        "name a league's document: for Sleeper its league, rosters and users")
    case .other: throw fault("JSON that is neither an object nor a list", LeagueDocumentError.download)
    }
  }

  /// Refuses what is not one of these.
  func require(_ wanted: Kind) throws(LeagueDocumentError) {
    guard kind != wanted else { return }
    throw error(
      found: kind.name, expected: wanted.name,
      cure: kind.platform == wanted.platform
        ? "give each document its place" : "read it as \(kind.platform.rawValue)'s")
  }

  /// The document as a type, every value checked on the way.
  ///
  /// - Throws: `LeagueDocumentError` with the path of the first field that is wrong.
  func decode<Value: Decodable>(_ type: Value.Type) throws(LeagueDocumentError) -> Value { try json.decode(type) }

  /// An error about a field of this document, or about the whole of it.
  func error(
    _ field: String = "", found: String, expected: String, cure: String = LeagueDocumentError.download
  ) -> LeagueDocumentError {
    LeagueDocumentError(file: file, field: field, found: found, expected: expected, cure: cure)
  }
}

/// The shape of a document and the keys that tell it from others.
private struct Outline: Decodable {
  enum Shape { case null, emptyList, list, object, other }

  let shape: Shape
  /// Of the object, or of the list's first element.
  var keys: Set<String> = []
  var messages: [String] = []

  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      shape = list.isAtEnd ? .emptyList : .list
      guard let first = try? list.nestedContainer(keyedBy: AnyKey.self) else { return }
      keys = Set(first.allKeys.map(\.stringValue))
    } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
      shape = .object
      keys = Set(object.allKeys.map(\.stringValue))
      messages = (try? object.decode([String].self, forKey: AnyKey("messages"))) ?? []
    } else {
      shape = try decoder.singleValueContainer().decodeNil() ? .null : .other
    }
  }
}
