// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

extension JSONNode {
  /// A file of tokens, at most 100 levels deep.
  ///
  /// - Throws: `ContrastError` with file, line and what was expected.
  static func tokens(_ text: String, file: String, document: Int = 0) throws(ContrastError) -> JSONNode {
    let bytes = Array(text.utf8)
    do throws(JSONFault) {
      return try JSONNode(parsing: bytes, document: document, deepest: 100)
    } catch {
      throw ContrastError(error, in: bytes, of: file)
    }
  }

  /// The value for an error: the text of a string, or the kind of value.
  var found: String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .string(let text): "'\(text.prefix(60))'"
    case .array: "a list"
    case .object: "an object"
    case .malformed: "a malformed value"
    }
  }

  /// The same object, at its place, with other members.
  func with(_ members: [(name: String, value: JSONNode)]) -> JSONNode {
    var node = self
    node.value = .object(members)
    return node
  }

  /// True if the value is a token, in any form.
  private var isWhole: Bool {
    self["$value"] != nil || self["value"] != nil && self["value"]?.isObject != true
      || self["$ref"] != nil && members.allSatisfy { $0.name.hasPrefix("$") }
  }

  /// The value merged with another: members of the same name are merged if both are objects, else replaced.
  func merged(with other: JSONNode) -> JSONNode {
    guard case .object(var joined) = value, case .object(let more) = other.value else { return other }
    // A token is replaced as a whole.
    if isWhole || other.isWhole { return other }
    var indices = Dictionary(uniqueKeysWithValues: joined.enumerated().map { ($1.name, $0) })
    for (name, value) in more {
      if let index = indices[name] {
        joined[index].value = joined[index].value.merged(with: value)
      } else {
        indices[name] = joined.count
        joined.append((name, value))
      }
    }
    return other.with(joined)
  }
}

/// An error in tokens, pairs or a colour.
public struct ContrastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file; empty for a value from the command line.
  public let file: String
  /// The line, from 1; 0 if unknown.
  public let line: Int
  /// The token or member, names joined by points; may be empty.
  public let path: String
  /// The value that was found.
  public let found: String
  /// The value that was expected, and how to correct it.
  public let expected: String
  /// A name that no token has, if that is the error: for a suggestion.
  public let unknownName: String?
  /// True if the value may be right, but this reader does not compute it, such as a gradient.
  let isUnread: Bool

  init(
    file: String, line: Int, path: String, found: String, expected: String, unknownName: String? = nil,
    isUnread: Bool = false
  ) {
    (self.file, self.line, self.path, self.found, self.expected) = (file, line, path, found, expected)
    (self.unknownName, self.isUnread) = (unknownName, isUnread)
  }

  /// An error in a file that is not JSON.
  init(_ fault: JSONFault, in bytes: [UInt8], of file: String) {
    var (index, found) = (fault.bytes.upperBound, String?.none)
    switch fault.kind {
    case .noValue: expected = "a value"
    case .noName: expected = "a name in quotation marks"
    case .noColon: expected = "':'"
    case .noSeparator(let close): expected = "',' or '\(close)'"
    case .number, .numberOutOfRange: (expected, index) = ("a value", fault.bytes.lowerBound)
    case .badText: (expected, index) = ("a text with the escapes of JSON, surrogates in pairs", fault.bytes.lowerBound)
    case .controlCharacter: expected = "'\"' before the end of the line"
    case .openText: expected = "'\"'"
    case .repeated(let name): (expected, found) = ("each name once in an object", "'\(name)' again")
    case .tooDeep: expected = "at most 100 levels"
    case .trailing: expected = "the end of the file"
    }
    let rest = bytes[index...].prefix(20).prefix { $0 != UInt8(ascii: "\n") }
    let end = index == bytes.count ? "the end of the file" : "the end of a line"
    self.found = found ?? (rest.isEmpty ? end : "'\(String(decoding: rest, as: UTF8.self))'")
    (self.file, line, path, unknownName, isUnread) = (file, fault.line, "", nil, false)
  }

  /// One sentence: the place, what was found, and what was expected.
  public var description: String {
    let location = file.isEmpty ? "" : line > 0 ? "\(file):\(line): " : "\(file): "
    return "\(location)\(path.isEmpty ? "" : "\(path): ")found \(found), expected \(expected)."
  }
}
