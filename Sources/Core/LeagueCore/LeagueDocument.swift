// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A JSON document of a service whose kind has been recognised.
public struct LeagueDocument: Sendable {
  /// The kinds of answers of services, distinguished by the keys of the document, or of the first element of a list.
  public enum Kind: String, Hashable, Sendable {
    /// ESPN's league, an object or a list of one.
    case espnLeague = "ESPN's league"
    case sleeperLeague = "Sleeper's league"
    case sleeperRosters = "Sleeper's rosters"
    case sleeperUsers = "Sleeper's users"
    case sleeperMatchups = "Sleeper's matchups"

    /// The service and the kind of document, as errors and messages name it.
    public var name: String { rawValue }

    /// The service that sends documents of this kind.
    public var platform: LeaguePlatform { self == .espnLeague ? .espn : .sleeper }
  }

  /// The kind of document.
  public let kind: Kind
  let root: LeagueField

  /// The name of the document in errors.
  public var file: String { root.file }

  /// The league that a document of the whole league is about; nil where it does not say, and for other kinds.
  package var connection: LeagueConnection? {
    guard let node = root.node else { return nil }
    if case .array(let elements) = node.value { return elements.first.flatMap(connection(in:)) }
    return connection(in: node)
  }

  private func connection(in node: JSONNode) -> LeagueConnection? {
    switch kind {
    case .espnLeague:
      guard let id = node["id"]?.number, let season = node["seasonId"]?.number,
        let whole = Int(exactly: id), let year = Int(exactly: season)
      else { return nil }
      return LeagueConnection(platform: .espn, leagueID: "\(whole)", season: year)
    case .sleeperLeague:
      guard let id = node["league_id"]?.string, let season = node["season"]?.string, let year = Int(season) else {
        return nil
      }
      return LeagueConnection(platform: .sleeper, leagueID: id, season: year)
    case .sleeperRosters, .sleeperUsers, .sleeperMatchups: return nil
    }
  }

  /// Recognises a document by its content; an empty list has no content, so the file's name decides.
  ///
  /// - Throws: `LeagueDocumentError` for data that is not JSON, for a service's refusal, for unrecognised JSON, and for
  ///   several documents in one.
  public init(_ data: Data, named file: String) throws(LeagueDocumentError) {
    let all = try Self.all(data, named: file)
    guard all.count == 1 else {
      throw all[0].error(
        found: "\(all.count) documents", expected: "one", cure: "write each to its own file")
    }
    self = all[0]
  }

  private init(_ root: LeagueField) throws(LeagueDocumentError) { (self.root, kind) = (root, try Self.kind(root)) }

  /// The documents of a file: one or several, one after another.
  ///
  /// - Throws: `LeagueDocumentError` as `init(_:named:)` does.
  public static func all(_ data: Data, named file: String) throws(LeagueDocumentError) -> [LeagueDocument] {
    let roots = try LeagueField.all(
      data, named: file, expected: expected,
      cureForPage: "download the API's answer, not the page; a private league of ESPN needs its cookies")
    return try roots.map { root throws(LeagueDocumentError) in try LeagueDocument(root) }
  }

  static let expected =
    "the JSON of a league from ESPN or Sleeper, or a table of results as 'assay league template' prints one"

  private static func kind(_ root: LeagueField) throws(LeagueDocumentError) -> Kind {
    let fault = { (found: String, cure: String) in root.error(found: found, expected: expected, cure: cure) }
    let node = root.node
    switch node?.value {
    case .null?, nil:
      throw fault("null, which Sleeper sends for an unknown league", "check the league's identifier")
    case .array(let elements)? where elements.isEmpty:
      let words: [(word: String, kind: Kind)] = [
        ("rosters", .sleeperRosters), ("users", .sleeperUsers), ("matchups", .sleeperMatchups),
      ]
      guard let word = words.first(where: { root.file.lowercased().contains($0.word) }) else {
        throw fault("an empty list", "name the file after its content: rosters, users or matchups")
      }
      return word.kind
    case .array(let elements)?:
      let first = elements[0]
      guard first.isObject else { break }
      if first["teams"] != nil || first["seasonId"] != nil { return .espnLeague }
      if first["roster_id"] != nil { return first["matchup_id"] == nil ? .sleeperRosters : .sleeperMatchups }
      if first["user_id"] != nil { return .sleeperUsers }
      throw unknown(first.members.map(\.name), fault)
    case .object(let members)?:
      if node?["teams"] != nil || node?["seasonId"] != nil { return .espnLeague }
      if node?["roster_id"] != nil || node?["user_id"] != nil {
        throw fault("one element of a list", "name the whole list, as the service sends it")
      }
      if node?["league_id"] != nil { return .sleeperLeague }
      if let messages = node?["messages"] {
        let reason = messages.elements.first?.string.map { ": \($0.excerpt)" } ?? ""
        throw fault("ESPN's refusal\(reason)", "check the league's identifier, the season and the cookies")
      }
      if let reason = node?.refusal {
        throw fault("an error of the service: \(reason.excerpt)", "check the league's identifier and the season")
      }
      throw unknown(members.map(\.name), fault)
    default: throw fault("JSON that is neither an object nor a list", LeagueDocumentError.download)
    }
    throw unknown([], fault)
  }

  private static func unknown(
    _ keys: [String], _ fault: (String, String) -> LeagueDocumentError
  ) -> LeagueDocumentError {
    let shown = keys.sorted().prefix(5).map(\.excerpt).joined(separator: ", ")
    return fault(
      keys.isEmpty ? "JSON without any key of a league" : "JSON with the keys \(shown)",
      "name a league's document: for Sleeper its league, rosters and users")
  }

  /// Refuses a document of any other kind.
  func require(_ wanted: Kind) throws(LeagueDocumentError) {
    guard kind != wanted else { return }
    throw error(
      found: kind.name, expected: wanted.name,
      cure: kind.platform == wanted.platform
        ? "pass each document in its place" : "read it as \(kind.platform.rawValue)'s")
  }

  /// An error about the whole document.
  func error(found: String, expected: String, cure: String = LeagueDocumentError.download) -> LeagueDocumentError {
    root.error(found: found, expected: expected, cure: cure)
  }
}

extension JSONNode {
  /// The message of a service that answers with an error in JSON.
  fileprivate var refusal: String? {
    for key in ["error", "errors", "message", "detail", "details"] {
      guard let value = self[key] else { continue }
      let inner = value.elements.first ?? value
      if let text = inner.string ?? inner["message"]?.string { return text }
    }
    return nil
  }
}
