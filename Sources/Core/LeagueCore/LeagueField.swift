// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value of a JSON document, which knows where it stands: whoever reads it gets the type that was asked for, nil where
/// it is missing or null, or an error with the path, what is there and what should be.
struct LeagueField: Sendable {
  /// The document's name in errors.
  let file: String
  /// Such as `teams[3].record.overall.wins`; empty for the whole document.
  private let path: String
  /// Nil where the object has no such key.
  let value: JSONTree?

  private init(_ value: JSONTree?, at path: String, of file: String) {
    (self.value, self.path, self.file) = (value, path, file)
  }

  /// A whole document.
  ///
  /// - Throws: `LeagueDocumentError` for nothing at all, for a web page, and for what is no JSON.
  init(
    _ data: Data, named file: String, expected: String, cureForPage: String = LeagueDocumentError.download
  ) throws(LeagueDocumentError) {
    let fault = { (found: String, cure: String) in
      LeagueDocumentError(file: file, found: found, expected: expected, cure: cure)
    }
    let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    guard let first = body.first(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) else {
      throw fault("nothing", LeagueDocumentError.download)
    }
    guard first != UInt8(ascii: "<") else { throw fault("a web page (HTML)", cureForPage) }
    guard data.count <= Self.mostBytes else {
      throw LeagueDocumentError(
        file: file, found: "\(data.count) bytes", expected: "at most \(Self.mostBytes)",
        cure: "name the league's own file")
    }
    let form = JSONForm(of: body)
    if let (key, line) = form.repeatedKey {
      throw LeagueDocumentError(
        file: file, found: "the key \(key.excerpt) twice in one object, in line \(line)", expected: "each key once",
        cure: LeagueDocumentError.download)
    }
    guard !form.breaksOff else {
      throw fault("JSON that breaks off after \(data.count) bytes", "download it again, completely")
    }
    guard let tree = try? JSONDecoder().decode(JSONTree.self, from: data) else {
      throw fault("malformed JSON", LeagueDocumentError.download)
    }
    self.init(tree, at: "", of: file)
  }

  /// More than any league has: readers take a second for a few million bytes of text.
  private static let mostBytes = 16 << 20

  /// An error about this value.
  func error(
    found: String? = nil, expected: String, cure: String = LeagueDocumentError.download
  ) -> LeagueDocumentError {
    let isMalformed = if case .malformed = value { true } else { false }
    return LeagueDocumentError(
      file: file, field: path, found: found ?? value?.shown ?? "nothing",
      expected: isMalformed ? "a number or a text as JSON writes them" : expected, cure: cure)
  }

  /// The value of a key; of an object that is missing or null every value is missing with it.
  subscript(key: String) -> LeagueField {
    get throws(LeagueDocumentError) {
      guard isThere, let value else { return self }
      guard case .object(let members) = value else { throw error(expected: "an object") }
      return LeagueField(members[key], at: path.isEmpty ? key : "\(path).\(key)", of: file)
    }
  }

  /// The keys of an object, sorted.
  var keys: [String] {
    get throws(LeagueDocumentError) {
      try read("an object") { if case .object(let members) = $0 { members.keys.sorted() } else { nil } } ?? []
    }
  }

  /// The values of a list.
  var elements: [LeagueField] {
    get throws(LeagueDocumentError) {
      let values: [JSONTree] = try read("a list") { if case .list(let values) = $0 { values } else { nil } } ?? []
      return values.enumerated().map { LeagueField($1, at: "\(path)[\($0)]", of: file) }
    }
  }

  var text: String? {
    get throws(LeagueDocumentError) { try read("a text") { if case .text(let text) = $0 { text } else { nil } } }
  }

  private var number: Double? {
    get throws(LeagueDocumentError) {
      try read("a number") { if case .number(let number) = $0 { number } else { nil } }
    }
  }

  private func read<Value>(
    _ kind: String, _ value: (JSONTree) -> Value?
  ) throws(LeagueDocumentError) -> Value? {
    guard isThere, let tree = self.value else { return nil }
    guard let found = value(tree) else { throw error(expected: kind) }
    return found
  }

  /// Whether it is neither missing nor null.
  var isThere: Bool { value.map { !$0.isNull } ?? false }

  /// The value itself, unless it is missing or null.
  func required(_ kind: String) throws(LeagueDocumentError) -> LeagueField {
    guard let value else { throw error(found: "no such key", expected: "the key in every such object") }
    guard isThere else { throw error(found: value.shown, expected: kind) }
    return self
  }

  /// Several texts of an object.
  func texts(_ keys: String...) throws(LeagueDocumentError) -> [String?] {
    try keys.map { key throws(LeagueDocumentError) in try self[key].text }
  }

  /// The texts of a list, all of which are there.
  var allTexts: [String] {
    get throws(LeagueDocumentError) {
      try elements.map { element throws(LeagueDocumentError) in try element.requiredText() }
    }
  }

  func requiredText() throws(LeagueDocumentError) -> String { try required("a text").text ?? "" }

  /// The meaning of a text.
  func text<Meaning>(
    _ expected: String, _ meaning: (String) -> Meaning?
  ) throws(LeagueDocumentError) -> Meaning? {
    guard let text = try text else { return nil }
    guard let found = meaning(text) else { throw error(expected: expected) }
    return found
  }

  /// A whole number, written as JSON may write one: `3`, `3.0`.
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

  /// How many games, within what a record holds; 0 where nothing says.
  var games: Int { get throws(LeagueDocumentError) { try whole(in: 0...SeasonRecord.mostGames) ?? 0 } }

  var points: Points? {
    get throws(LeagueDocumentError) {
      guard let number = try number else { return nil }
      return try within { () throws(LeagueError) in try Points(number) }
    }
  }

  /// Something made of this value, which has to be within bounds.
  func within<Value>(_ value: () throws(LeagueError) -> Value) throws(LeagueDocumentError) -> Value {
    do throws(LeagueError) {
      return try value()
    } catch {
      if case .badValue(_, _, _, let expected) = error { throw self.error(expected: expected) }
      throw self.error(expected: error.description)
    }
  }
}

/// Any JSON.
indirect enum JSONTree: Decodable, Sendable {
  case null, bool(Bool), number(Double), text(String), list([JSONTree]), object([String: JSONTree])
  /// A number or word that JSON does not have.
  case malformed

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // The most frequent first: a decoder's refusal takes longer than what it accepts.
    if value.decodeNil() {
      self = .null
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let members = try? value.decode([String: JSONTree].self) {
      self = .object(members)
    } else if let elements = try? value.decode([JSONTree].self) {
      self = .list(elements)
    } else {
      self = (try? value.decode(Bool.self)).map(JSONTree.bool) ?? .malformed
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// The value for a person, shortened.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .text(let text): text.excerpt
    case .list(let elements): "a list of \(elements.count)"
    case .object: "an object"
    case .malformed: "a malformed value"
    }
  }
}

/// What readers of JSON pass over: whether a text or bracket is open at the end, and the first key that an object has
/// twice, of which some take the first and some the last.
private struct JSONForm {
  var repeatedKey: (key: String, line: Int)?
  var breaksOff = false

  init(of body: Data) {
    var (keys, text, line) = ([Set<Data>](), body.startIndex..<body.startIndex, 1)
    var (isText, isEscaped) = (false, false)
    for (place, byte) in zip(body.indices, body) {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isText
      case UInt8(ascii: "\""):
        isText.toggle()
        text = isText ? place..<place : text.lowerBound..<place
      case _ where isText: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): keys.append([])
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = keys.popLast()
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: ":") where !keys.isEmpty:
        guard keys[keys.count - 1].insert(body[text]).inserted else {
          repeatedKey = (String(decoding: body[text].dropFirst(), as: UTF8.self), line)
          return
        }
      default: break
      }
    }
    breaksOff = isText || !keys.isEmpty
  }
}
