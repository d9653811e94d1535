// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value of a JSON document with its path. Its readers return a value of the requested type, or `nil` where it is
/// missing or null; they throw an error with the path, the value found and the expected value.
struct LeagueField: Sendable {
  /// The document's name in errors.
  let file: String
  /// The path, such as `teams[3].record.overall.wins`; empty for the whole document.
  private let path: String
  /// `nil` where the object has no such key.
  let node: JSONNode?

  var value: JSONNode.Value? { node?.value }

  private init(_ node: JSONNode?, at path: String, of file: String) {
    (self.node, self.path, self.file) = (node, path, file)
  }

  /// A whole document.
  ///
  /// - Throws: `LeagueDocumentError` for an empty document, a web page, data that is not JSON, and several documents.
  init(_ data: Data, named file: String, expected: String) throws(LeagueDocumentError) {
    let all = try Self.all(data, named: file, expected: expected)
    guard all.count == 1 else {
      throw LeagueDocumentError(
        file: file, found: "\(all.count) documents", expected: expected, cure: "write each to its own file")
    }
    self = all[0]
  }

  /// The documents of a file: one or several, one after another.
  ///
  /// - Throws: `LeagueDocumentError` for an empty file, a web page, and data that is not JSON.
  static func all(
    _ data: Data, named file: String, expected: String, cureForPage: String = LeagueDocumentError.download
  ) throws(LeagueDocumentError) -> [LeagueField] {
    let fault = { (found: String, cure: String) in
      LeagueDocumentError(file: file, found: found, expected: expected, cure: cure)
    }
    let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    guard let first = body.first(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) else {
      throw fault("nothing", LeagueDocumentError.download)
    }
    guard first != UInt8(ascii: "<") else { throw fault("a web page (HTML)", cureForPage) }
    guard data.count <= maxBytes else {
      throw LeagueDocumentError(
        file: file, found: "\(data.count) bytes", expected: "at most \(maxBytes)",
        cure: "name the league's own file")
    }
    let bytes = Array(data)
    var roots: [JSONNode] = []
    do throws(JSONFault) {
      // A malformed value matters only where it is read.
      var values = JSONValues(parsing: bytes, deepest: 512, isForgiving: true, opensArrays: false)
      while let node = try values.next() { roots.append(node) }
    } catch {
      if case .repeated(let key) = error.kind {
        throw LeagueDocumentError(
          file: file, found: "the key \(key.excerpt) twice in one object, in line \(error.line)",
          expected: "each key once", cure: LeagueDocumentError.download)
      }
      throw error.bytes.upperBound < bytes.count
        ? fault("malformed JSON", LeagueDocumentError.download)
        : fault("JSON that ends early, after \(data.count) bytes", "download it again, completely")
    }
    // The elements of a list without their brackets, as jq writes them.
    if roots.count > 1, roots.allSatisfy({ $0["roster_id"] != nil || $0["user_id"] != nil }) {
      roots = [JSONNode(listing: roots)]
    }
    guard roots.count > 1 else { return [LeagueField(roots[0], at: "", of: file)] }
    return roots.enumerated().map { LeagueField($1, at: "(document \($0 + 1))", of: file) }
  }

  /// The largest document accepted, in bytes; no league reaches it.
  private static let maxBytes = 16 << 20

  /// An error about this value.
  func error(
    found: String? = nil, expected: String, cure: String = LeagueDocumentError.download
  ) -> LeagueDocumentError {
    let isMalformed = if case .malformed = value { true } else { false }
    return LeagueDocumentError(
      file: file, field: path, found: found ?? value?.shown ?? "nothing",
      expected: isMalformed ? "a number or a text that JSON allows" : expected, cure: cure)
  }

  /// The value of a key; missing where this value itself is missing or null.
  subscript(key: String) -> LeagueField {
    get throws(LeagueDocumentError) {
      guard isThere, let node else { return self }
      guard node.isObject else { throw error(expected: "an object") }
      return member(key, node[key])
    }
  }

  /// The values of an object by their keys, which are sorted.
  var members: [(name: String, value: LeagueField)] {
    get throws(LeagueDocumentError) {
      let members = try read("an object") { $0.isObject ? $0.members : nil } ?? []
      return members.sorted { $0.name < $1.name }.map { ($0.name, member($0.name, $0.value)) }
    }
  }

  private func member(_ key: String, _ node: JSONNode?) -> LeagueField {
    LeagueField(node, at: path.isEmpty ? key : "\(path).\(key)", of: file)
  }

  /// The values of a list.
  var elements: [LeagueField] {
    get throws(LeagueDocumentError) {
      let values: [JSONNode] =
        try read("a list") { if case .array(let values) = $0.value { values } else { nil } } ?? []
      return values.enumerated().map { LeagueField($1, at: "\(path)[\($0)]", of: file) }
    }
  }

  var text: String? {
    get throws(LeagueDocumentError) {
      let text = try read("a text", \.string)
      if let count = text?.utf8.count, count > Self.maxTextBytes {
        throw error(found: "a text of \(count) bytes", expected: "at most \(Self.maxTextBytes) bytes")
      }
      return text
    }
  }

  /// The largest text accepted, in bytes; no name or remark of a league reaches it.
  private static let maxTextBytes = 100_000

  private var number: Double? {
    get throws(LeagueDocumentError) { try read("a number", \.number) }
  }

  private func read<Value>(
    _ kind: String, _ value: (JSONNode) -> Value?
  ) throws(LeagueDocumentError) -> Value? {
    guard isThere, let node else { return nil }
    guard let found = value(node) else { throw error(expected: kind) }
    return found
  }

  /// True if it is neither missing nor null.
  var isThere: Bool { value.map { !$0.isNull } ?? false }

  /// The value itself, unless it is missing or null.
  func required(_ kind: String) throws(LeagueDocumentError) -> LeagueField {
    guard let value else { throw error(found: "no such key", expected: "the key in every such object") }
    guard isThere else { throw error(found: value.shown, expected: kind) }
    return self
  }

  /// The texts under several keys of an object.
  func texts(_ keys: String...) throws(LeagueDocumentError) -> [String?] {
    try keys.map { key throws(LeagueDocumentError) in try self[key].text }
  }

  /// The texts of a list; none may be null.
  var allTexts: [String] {
    get throws(LeagueDocumentError) {
      try elements.map { element throws(LeagueDocumentError) in try element.requiredText() }
    }
  }

  func requiredText() throws(LeagueDocumentError) -> String { try required("a text").text ?? "" }

  /// The text converted by `meaning`; a text without a meaning is an error.
  func text<Meaning>(
    _ expected: String, _ meaning: (String) -> Meaning?
  ) throws(LeagueDocumentError) -> Meaning? {
    guard let text = try text else { return nil }
    guard let found = meaning(text) else { throw error(expected: expected) }
    return found
  }

  /// An integer in any notation of JSON: `3`, `3.0`.
  func whole(in range: ClosedRange<Int> = -(1 << 53)...(1 << 53)) throws(LeagueDocumentError) -> Int? {
    guard let number = try number else { return nil }
    guard let whole = Int(exactly: number), range.contains(whole) else {
      throw error(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  func requiredWhole(in range: ClosedRange<Int> = -(1 << 53)...(1 << 53)) throws(LeagueDocumentError) -> Int {
    try required("a number").whole(in: range) ?? 0
  }

  /// A number of games within the bounds of a record; 0 where it is missing.
  var games: Int { get throws(LeagueDocumentError) { try whole(in: 0...SeasonRecord.maxGames) ?? 0 } }

  var points: Points? {
    get throws(LeagueDocumentError) {
      guard let number = try number else { return nil }
      return try within { () throws(LeagueError) in try Points(number) }
    }
  }

  /// The result of a conversion that fails for a value out of bounds; its error gets this value's path.
  func within<Value>(_ value: () throws(LeagueError) -> Value) throws(LeagueDocumentError) -> Value {
    do throws(LeagueError) {
      return try value()
    } catch {
      if case .badValue(_, _, _, let expected) = error { throw self.error(expected: expected) }
      throw self.error(expected: error.description)
    }
  }
}

extension JSONNode.Value {
  var isNull: Bool { if case .null = self { true } else { false } }

  /// The value as errors show it, shortened.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let text): text.excerpt
    case .array(let elements): "a list of \(elements.count)"
    case .object: "an object"
    case .malformed: "a malformed value"
    }
  }
}
