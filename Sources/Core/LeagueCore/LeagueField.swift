// SPDX-License-Identifier: Apache-2.0
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
  let value: JSONTree?

  private init(_ value: JSONTree?, at path: String, of file: String) {
    (self.value, self.path, self.file) = (value, path, file)
  }

  /// A whole document.
  ///
  /// - Throws: `LeagueDocumentError` for an empty document, a web page, and data that is not JSON.
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
    let tree: JSONTree
    do throws(JSONReader.Failure) {
      tree = try JSONReader.tree(of: Array(body))
    } catch {
      switch error {
      case .malformed: throw fault("malformed JSON", LeagueDocumentError.download)
      case .endsEarly: throw fault("JSON that ends early, after \(data.count) bytes", "download it again, completely")
      case .repeatedKey(let key, let line):
        throw LeagueDocumentError(
          file: file, found: "the key \(key.excerpt) twice in one object, in line \(line)", expected: "each key once",
          cure: LeagueDocumentError.download)
      }
    }
    self.init(tree, at: "", of: file)
  }

  /// The largest document accepted, in bytes; no league reaches it.
  private static let mostBytes = 16 << 20

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
  var games: Int { get throws(LeagueDocumentError) { try whole(in: 0...SeasonRecord.mostGames) ?? 0 } }

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

/// A JSON value of any type.
indirect enum JSONTree: Sendable {
  case null, bool(Bool), number(Double), text(String), list([JSONTree]), object([String: JSONTree])
  /// An invalid number or text, or a number that is too large.
  case malformed

  var isNull: Bool { if case .null = self { true } else { false } }

  /// The value as errors show it, shortened.
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

/// Reads JSON (RFC 8259) strictly. Foundation's decoder accepts a repeated key in an object, of which some readers take
/// the first value and some the last, and takes ten times as long for a tree of unknown shape.
private struct JSONReader {
  enum Failure: Error {
    case malformed
    /// The document ends within a text, a list or an object.
    case endsEarly
    case repeatedKey(String, line: Int)
  }

  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func tree(of bytes: [UInt8]) throws(Failure) -> JSONTree {
    var reader = JSONReader(bytes)
    let tree = try reader.value()
    guard reader.next() == nil else { throw .malformed }
    return tree
  }

  /// The next byte that is not white space.
  private mutating func next() -> UInt8? {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    return place < bytes.count ? bytes[place] : nil
  }

  private mutating func value() throws(Failure) -> JSONTree {
    switch next() {
    case UInt8(ascii: "{"):
      var members: [String: JSONTree] = [:]
      try values(upTo: UInt8(ascii: "}")) { reader throws(Failure) in
        guard reader.next() == UInt8(ascii: "\"") else { throw reader.fault }
        guard let key = try reader.text() else { throw .malformed }
        guard reader.next() == UInt8(ascii: ":") else { throw reader.fault }
        guard members[key] == nil else { throw .repeatedKey(key, line: reader.line) }
        reader.place += 1
        members[key] = try reader.value()
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONTree] = []
      try values(upTo: UInt8(ascii: "]")) { reader throws(Failure) in elements.append(try reader.value()) }
      return .list(elements)
    case UInt8(ascii: "\""): return try text().map(JSONTree.text) ?? .malformed
    case nil: throw .endsEarly
    default: return try word()
    }
  }

  /// The failure at the current position.
  private var fault: Failure { place < bytes.count ? .malformed : .endsEarly }

  private var line: Int { 1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") } }

  /// Reads comma-separated values between brackets.
  private mutating func values(
    upTo end: UInt8, _ one: (inout JSONReader) throws(Failure) -> Void
  ) throws(Failure) {
    (place, depth) = (place + 1, depth + 1)
    guard depth <= 512 else { throw .malformed }
    // A comma before the closing bracket is invalid JSON, but Foundation's decoder accepts it, too.
    while next() != end {
      try one(&self)
      if next() == end { break }
      guard next() == UInt8(ascii: ",") else { throw fault }
      place += 1
    }
    (place, depth) = (place + 1, depth - 1)
  }

  /// Reads the text whose opening quote is at the current position; `nil` if JSON does not allow it.
  private mutating func text() throws(Failure) -> String? {
    place += 1
    var (text, isSound): ([UInt8], Bool) = ([], true)
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\\") {
        guard place < bytes.count else { throw .endsEarly }
        if let sign = escape() { text += sign.utf8 } else { isSound = false }
      } else {
        text.append(byte)
        isSound = isSound && byte >= 0x20
      }
    }
    guard place < bytes.count else { throw .endsEarly }
    place += 1
    return isSound ? String(validating: text, as: UTF8.self) : nil
  }

  /// The character after a backslash.
  private mutating func escape() -> String? {
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "u"): return scalar().map { String(Character($0)) }
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case let sign where "\"\\/".utf8.contains(sign): return String(Character(Unicode.Scalar(sign)))
    default: return nil
    }
  }

  /// The character of four hexadecimal digits, or of two such escapes for one beyond `U+FFFF`.
  private mutating func scalar() -> Unicode.Scalar? {
    guard let first = unit() else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, bytes[place...].starts(with: "\\u".utf8) else { return nil }
    place += 2
    guard let second = unit(), second & 0xFC00 == 0xDC00 else { return nil }
    return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
  }

  private mutating func unit() -> UInt32? {
    let digits = bytes[place...].prefix(4).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 4 else { return nil }
    place += 4
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }

  /// A number, `true`, `false` or `null`.
  private mutating func word() throws(Failure) -> JSONTree {
    let start = place
    while place < bytes.count, bytes[place] > 0x20, !",:]}[{\"".utf8.contains(bytes[place]) { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true", "false": return .bool(word == "true")
    case _ where word.first.map { $0 == "-" || ("0"..."9").contains($0) } ?? false:
      guard Self.isNumber(word.utf8), let number = Double(word), number.isFinite else { return .malformed }
      return .number(number)
    default: throw .malformed
    }
  }

  private static func isNumber(_ word: String.UTF8View) -> Bool {
    var rest = word.first == UInt8(ascii: "-") ? word.dropFirst() : word[...]
    func digits() -> Int {
      let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole == 1 || whole > 1 && !startsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
