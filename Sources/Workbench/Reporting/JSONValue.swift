// SPDX-License-Identifier: GPL-3.0-or-later

/// A JSON document whose keys stay in the order given and whose numbers print the same everywhere.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A seed or the like, up to 64 bits.
  case unsigned(UInt64)
  /// The shortest decimal that reads back as the same number; NaN and infinities print as `null`.
  case number(Double)
  /// A number with that many decimals; NaN and infinities print as `null`.
  case fixed(Double, decimals: Int)
  case string(String)
  case array([JSONValue])
  /// Keys with their values, printed in this order.
  case object([JSONMember])

  /// A number in a form that reads back as the same: an infinity is a text, and NaN is `null`.
  package static func figure(_ number: Double) -> JSONValue {
    number.isNaN ? .null : number.isFinite ? .number(number) : .string(number > 0 ? "Infinity" : "-Infinity")
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// An object whose keys stay in the order written.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { JSONMember($0.0, $0.1) })
  }

  /// A text.
  public init(stringLiteral text: String) {
    self = .string(text)
  }

  /// A whole number.
  public init(integerLiteral number: Int) {
    self = .integer(number)
  }
}

/// A key of a JSON object with its value.
public struct JSONMember: Hashable, Sendable {
  /// Its name.
  public let key: String
  /// Its value.
  public let value: JSONValue

  /// A member by its name.
  public init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

extension JSONValue {
  /// The document, indented by two spaces, with a final line end; values without structure share a line.
  public var text: String { rendered(indent: 0) + "\n" }

  /// The document on one line, without a line end: a record of JSON Lines.
  package var line: String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  private var isLeaf: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private func rendered(indent: Int) -> String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .number(let value): value.isFinite ? NumberFormat.shortest(value) : "null"
    case .fixed(let value, let decimals):
      value.isFinite ? NumberFormat.fixed(value, decimals: decimals) : "null"
    case .string(let value): Self.quoted(value)
    case .array(let values): Self.block("[", "]", indent: indent, parts: values.map { ("", $0) })
    case .object(let members):
      Self.block("{", "}", indent: indent, parts: members.map { (Self.quoted($0.key) + ": ", $0.value) })
    }
  }

  /// A list of parts: on one line where all are leaves and it is short; else an array of leaves fills its lines, and
  /// anything else has a line a part.
  private static func block(
    _ open: String, _ close: String, indent: Int, parts: [(label: String, value: JSONValue)]
  ) -> String {
    guard !parts.isEmpty else { return open + close }
    let texts = parts.map { $0.label + $0.value.rendered(indent: indent + 2) }
    if parts.allSatisfy(\.value.isLeaf) {
      let line = open + texts.joined(separator: ", ") + close
      if line.count + indent <= 100 { return line }
    }
    let margin = String(repeating: " ", count: indent)
    let isFilled = open == "[" && parts.allSatisfy(\.value.isLeaf)
    let lines = isFilled ? filled(texts, width: 98 - indent) : texts
    return open + "\n" + lines.map { "\(margin)  \($0)" }.joined(separator: ",\n") + "\n\(margin)\(close)"
  }

  /// Elements of a list in lines of a width, commas between those of a line.
  private static func filled(_ elements: [String], width: Int) -> [String] {
    elements.reduce(into: []) { lines, element in
      if let last = lines.last, last.count + element.count + 3 <= width {
        lines[lines.count - 1] = "\(last), \(element)"
      } else {
        lines.append(element)
      }
    }
  }

  private static func quoted(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      return "\"\(text)\""
    }
    // Control characters must be escaped; others that a terminal obeys may be.
    return YAMLText.quoted(text) { scalar in
      TerminalText.isHarmful(scalar) ? "\\u" + NumberFormat.hexadecimal(scalar.value, digits: 4) : String(scalar)
    }
  }
}

extension JSONValue {
  /// The value as a YAML document that reads back as the same: mappings and lists a line each, short lists of plain
  /// values in brackets, texts quoted if they would mean something else, a final line end.
  package var yaml: String {
    (isInline ? yamlInline : block(indent: 0).joined(separator: "\n")) + "\n"
  }

  /// The value on one line, as YAML writes it.
  public var yamlInline: String {
    switch self {
    case .string(let text): YAMLText.scalar(text, isListed: false)
    case .array(let values): "[" + values.map(\.listed).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\($0.key): \($0.value.yamlInline)" }.joined(separator: ", ") + "}"
    default: String(text.dropLast())
    }
  }

  /// True if the value fits behind its key: it is plain, empty, or a short list of plain values.
  private var isInline: Bool {
    switch self {
    case .object(let members): members.isEmpty
    case .array(let values): values.allSatisfy(\.isLeaf) && yamlInline.count <= 90
    default: true
    }
  }

  /// The value as an element of a list in brackets, where commas and brackets have a meaning.
  private var listed: String {
    if case .string(let text) = self { YAMLText.scalar(text, isListed: true) } else { yamlInline }
  }

  private func block(indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    switch self {
    case .object(let members) where !members.isEmpty:
      return members.flatMap { member in
        let key = margin + YAMLText.scalar(member.key, isListed: true) + ":"
        return member.value.isInline
          ? ["\(key) \(member.value.yamlInline)"] : [key] + member.value.block(indent: indent + 2)
      }
    case .array(let values) where !values.isEmpty:
      return values.flatMap { value in
        guard !value.isInline else { return ["\(margin)- \(value.yamlInline)"] }
        let lines = value.block(indent: indent + 2)
        return ["\(margin)- \(lines[0].dropFirst(indent + 2))"] + lines.dropFirst()
      }
    default:
      return [margin + yamlInline]
    }
  }
}

/// Texts as YAML writes them.
enum YAMLText {
  /// The text bare where that is safe and in double quotes otherwise.
  static func scalar(_ text: String, isListed: Bool) -> String {
    isBare(text, isListed: isListed)
      ? text
      : quoted(text) { isPrintable($0) ? String($0) : "\\U" + NumberFormat.hexadecimal($0.value, digits: 8) }
  }

  /// Returns true if a text is safe without quotes: letters, digits and harmless signs that YAML reads as a text.
  private static func isBare(_ text: String, isListed: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, last != " " else { return false }
    let signs: Set<Unicode.Scalar> = isListed ? [" ", "_", "-", ".", "/"] : harmless
    guard text.unicodeScalars.allSatisfy({ isLetter($0) || isDigit($0) || signs.contains($0) }) else { return false }
    if isLetter(first) { return !words.contains(text.lowercased()) }
    // A text that begins with a digit and could be a number in some base, or a date, is quoted.
    return isDigit(first)
      && text.lowercased().unicodeScalars.contains { ("g"..."z").contains($0) && $0 != "o" && $0 != "x" }
  }

  private static let harmless: Set<Unicode.Scalar> = [
    " ", "_", "-", ".", "/", "[", "]", "(", ")", "<", ">", "=", "!", "%", "+", ",", "'", ";",
  ]
  private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// The text in quotes, as JSON and YAML have it; `write` writes the characters without an escape of one letter.
  static func quoted(_ text: String, _ write: (Unicode.Scalar) -> String) -> String {
    let content = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: write(scalar)
      }
    }
    return "\"" + content.joined() + "\""
  }

  /// Returns true if a character is written unescaped; line separators and the byte order mark are escaped, although
  /// YAML allows them.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2028, 0x2029, 0xfeff: false
    case 0x20...0x7e, 0xa0...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: true
    default: false
    }
  }
}
