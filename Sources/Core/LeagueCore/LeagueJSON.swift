// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A document of JSON, whose errors name the field, what is there and what should be.
struct LeagueJSON {
  let file: String
  private let data: Data
  private let expected: String

  /// - Throws: `LeagueDocumentError` for nothing at all, for a web page, and for what breaks off.
  init(
    _ data: Data, named file: String, expected: String, cureForPage: String = LeagueDocumentError.download
  ) throws(LeagueDocumentError) {
    (self.data, self.file, self.expected) = (data, file, expected)
    let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    guard let first = body.first(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) else {
      throw error("", found: "nothing", expected: expected)
    }
    guard first != UInt8(ascii: "<") else {
      throw error("", found: "a web page (HTML)", expected: expected, cure: cureForPage)
    }
    guard data.count <= Self.mostBytes else {
      throw error(
        "", found: "\(data.count) bytes", expected: "at most \(Self.mostBytes)", cure: "name the league's own file")
    }
    try checkForm(of: body)
  }

  /// More than any league has: readers take a second for a few million bytes of text.
  private static let mostBytes = 16 << 20

  /// Checks what readers of JSON pass over: that no text or bracket is open at the end, and that no object has a key
  /// twice, of which some take the first and some the last.
  private func checkForm(of body: Data) throws(LeagueDocumentError) {
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
          let key = String(decoding: body[text].dropFirst(), as: UTF8.self)
          throw error(
            "", found: "the key \(Excerpt.quoted(key)) twice in one object, in line \(line)", expected: "each key once")
        }
      default: break
      }
    }
    guard !isText, keys.isEmpty else {
      throw error(
        "", found: "JSON that breaks off after \(data.count) bytes", expected: expected,
        cure: "download it again, completely")
    }
  }

  /// The document as a type.
  ///
  /// - Throws: `LeagueDocumentError` with the path of the first field that is wrong.
  func decode<Value: Decodable>(_ type: Value.Type) throws(LeagueDocumentError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as DecodingError {
      throw self.error(error)
    } catch {
      throw self.error("", found: "\(error)", expected: expected)
    }
  }

  private func error(
    _ field: String, found: String, expected: String, cure: String = LeagueDocumentError.download
  ) -> LeagueDocumentError {
    LeagueDocumentError(file: file, field: field, found: found, expected: expected, cure: cure)
  }

  /// The path of what is wrong, as far as a decoder says.
  static func path(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      path(context.codingPath)
    case .keyNotFound(let key, let context): path(context.codingPath + [key])
    @unknown default: ""
    }
  }

  private func error(_ error: DecodingError) -> LeagueDocumentError {
    let place = Self.path(of: error)
    return switch error {
    case .typeMismatch(let type, let context):
      self.error(place, found: excerpt(context), expected: Self.words(for: type))
    case .valueNotFound(let type, _): self.error(place, found: "null", expected: Self.words(for: type))
    case .keyNotFound: self.error(place, found: "no such key", expected: "the key in every such object")
    case .dataCorrupted(let context) where context.codingPath.isEmpty: malformedValue
    case .dataCorrupted(let context):
      self.error(
        place, found: excerpt(context),
        expected: (context.underlyingError as? LeagueError)?.expectation ?? context.debugDescription)
    @unknown default: self.error(place, found: "\(error)", expected: expected)
    }
  }

  /// Something that JSON does not have, for which a decoder has no path: the first of all such values, or else the
  /// document.
  private var malformedValue: LeagueDocumentError {
    do {
      _ = try JSONDecoder().decode(Excerpt.self, from: data)
    } catch let error as DecodingError {
      let place = Self.path(of: error)
      if !place.isEmpty {
        return self.error(place, found: "a malformed value", expected: "a number or a text as JSON writes them")
      }
    } catch {
      // Then it is the document.
    }
    return error("", found: "malformed JSON", expected: expected)
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
  }

  /// The value at a path, shortened; decoded again because a decoder's errors do not say.
  private func excerpt(_ context: DecodingError.Context) -> String {
    let tree = try? JSONDecoder().decode(Excerpt.self, from: data)
    return context.codingPath.reduce(tree) { $0?.value(at: $1) }?.shown ?? "a malformed value"
  }

  private static func words(for type: any Any.Type) -> String {
    if type == String.self { return "a text" }
    if type == Double.self { return "a number" }
    return "\(type)".hasPrefix("Array") ? "a list" : "an object"
  }
}

extension LeagueError {
  /// The value that was expected instead of a bad one.
  var expectation: String? {
    guard case .badValue(_, _, _, let expected) = self else { return nil }
    return expected
  }
}

struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }

  init?(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { return nil }
}

/// Any JSON, so far as an error shows it.
indirect enum Excerpt: Decodable {
  case null, bool(Bool), number(Double), text(String), list([Excerpt]), object([String: Excerpt])

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: AnyKey.self) {
      self = .object(
        try object.allKeys.reduce(into: [:]) { $0[$1.stringValue] = try object.decode(Excerpt.self, forKey: $1) })
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var elements: [Excerpt] = []
      while !list.isAtEnd { elements.append(try list.decode(Excerpt.self)) }
      self = .list(elements)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else {
      throw decoder.corrupted("a value of JSON")
    }
  }

  func value(at key: any CodingKey) -> Excerpt? {
    switch self {
    case .list(let elements): key.intValue.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    case .object(let members): members[key.stringValue]
    default: nil
    }
  }

  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .text(let text): Self.quoted(text)
    case .list(let elements): "a list of \(elements.count)"
    case .object: "an object"
    }
  }

  static func quoted(_ text: String) -> String {
    let plain = text.singleLine
    return "\"\(plain.prefix(60))\(plain.count > 60 ? "…" : "")\""
  }
}
