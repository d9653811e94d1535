// SPDX-License-Identifier: GPL-3.0-or-later

/// A JSON document whose keys stay in the order given and whose numbers print the same everywhere.
package indirect enum JSONValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A seed or the like, up to 64 bits.
  case unsigned(UInt64)
  /// The shortest decimal that reads back as the same number; what is not finite prints as `null`.
  case number(Double)
  /// A number with that many decimals; what is not finite prints as `null`.
  case fixed(Double, decimals: Int)
  /// A text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Keys with their values, printed in this order.
  case object([JSONMember])

}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// An object whose keys stay in the order written.
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { JSONMember($0.0, $0.1) })
  }

  /// A string.
  package init(stringLiteral text: String) {
    self = .string(text)
  }

  /// A whole number.
  package init(integerLiteral number: Int) {
    self = .integer(number)
  }
}

/// A key of a JSON object with its value.
package struct JSONMember: Hashable, Sendable {
  /// The key.
  package let key: String
  /// What stands there.
  package let value: JSONValue

  /// A key with its value.
  package init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

extension JSONValue {
  /// The document, indented by two spaces, with a line end behind it; values without structure share a line.
  package var text: String { rendered(indent: 0) + "\n" }

  /// The document with the elements of one of its arrays, which are made one after the other: what a long array of
  /// objects takes is its text alone.
  ///
  /// - Parameters:
  ///   - key: The array's key in this object; what stands there is left out.
  ///   - elements: Arrays and objects.
  /// - Returns: What `text` would be.
  package func text(filling key: String, with elements: some Collection<JSONValue>) -> String {
    guard case .object(let members) = self, !elements.isEmpty else { return text }
    var text = "{"
    for member in members {
      text += (text.utf8.count > 1 ? ",\n  " : "\n  ") + Self.quoted(member.key) + ": "
      guard member.key == key else {
        text += member.value.rendered(indent: 2)
        continue
      }
      var separator = "[\n    "
      for element in elements {
        text += separator
        text += element.rendered(indent: 4)
        separator = ",\n    "
      }
      text += "\n  ]"
    }
    return text + "\n}\n"
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

  /// A list of parts: on one line where all are leaves and it is short, on a line each otherwise.
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
    return open + "\n" + texts.map { "\(margin)  \($0)" }.joined(separator: ",\n") + "\n\(margin)\(close)"
  }

  private static func quoted(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      return "\"\(text)\""
    }
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where scalar.value < 0x20: "\\u" + hexadecimal(scalar.value)
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
