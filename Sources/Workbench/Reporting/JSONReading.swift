// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreJSON

extension JSONValue {
  /// The deepest nesting of arrays and objects that is read.
  fileprivate static let deepestNesting = 128

  /// Reads a JSON text, strictly by RFC 8259: one value, no comments, no trailing commas, each key once.
  ///
  /// Whole numbers without a point or an exponent come back as `.integer`, those from 2^63 to 2^64-1 as `.unsigned`,
  /// so that seeds keep their 64 bits; every other number comes back as `.number`.
  ///
  /// - Throws: `ReportingError.notJSON` with line and column.
  package init(parsing text: String, file: String = "JSON") throws(ReportingError) {
    let bytes = Array(text.utf8)
    do throws(JSONFault) {
      self.init(try JSONNode(parsing: bytes, deepest: Self.deepestNesting + 1), of: bytes)
    } catch {
      throw ReportingError(error, in: bytes, of: file)
    }
  }

  private init(_ node: JSONNode, of bytes: [UInt8]) {
    switch node.value {
    case .null, .malformed: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let number):
      let text = String(decoding: bytes[node.bytes], as: UTF8.self)
      let whole = Int(text).map(JSONValue.integer) ?? UInt64(text).map(JSONValue.unsigned)
      self = text == "-0" ? .number(number) : whole ?? .number(number)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { JSONValue($0, of: bytes) })
    case .object(let members): self = .object(members.map { JSONMember($0.name, JSONValue($0.value, of: bytes)) })
    }
  }
}

extension ReportingError {
  /// The error for a text that is not JSON; columns count characters.
  fileprivate init(_ fault: JSONFault, in bytes: [UInt8], of file: String) {
    var index = fault.bytes.upperBound
    let problem: String
    switch fault.kind {
    case .noValue: problem = index == bytes.count ? "the text ends where a value is expected" : "expected a value"
    case .noName: problem = "expected a key in quotation marks"
    case .noColon(let key): problem = "expected ':' after the key '\(key)'"
    case .noSeparator(let close): problem = "expected ',' or '\(close)'"
    case .number(let expected): problem = "expected \(expected)"
    case .numberOutOfRange:
      problem = "the number \(String(decoding: bytes[fault.bytes], as: UTF8.self)) is out of range"
      index = fault.bytes.lowerBound
    case .badText:
      let digits = bytes[index...].dropFirst(2).prefix(4)
      let isHexadecimal = digits.count == 4 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      problem =
        !bytes[index...].starts(with: "\\u".utf8)
        ? "an unknown escape, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
        : isHexadecimal ? "half of a surrogate pair" : "expected four hexadecimal digits after \\u"
    case .controlCharacter: problem = "a control character in a text, expected an escape such as \\n"
    case .openText: (problem, index) = ("the text that begins here has no end", fault.bytes.lowerBound)
    case .repeated(let key):
      (problem, index) = ("the key '\(key)' stands here a second time", fault.bytes.lowerBound)
    case .tooDeep:
      (problem, index) = ("nested more than \(JSONValue.deepestNesting) deep", fault.bytes.lowerBound)
    case .trailing: problem = "found more after the end of the value"
    }
    let before = bytes[..<index]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    self = .notJSON(file: file, line: fault.line, column: column, problem: problem)
  }
}

/// A value of a JSON document with its place, for errors that name it.
///
/// Members that are not read are ignored, so that documents of a later version can be read as far as they agree.
package struct JSONField: Sendable {
  package let file: String
  /// The field's full name, for example `thresholds[2].line`.
  package let path: String
  package let value: JSONValue

  package init(_ value: JSONValue, file: String) { self.init(value, file: file, path: "") }

  private init(_ value: JSONValue, file: String, path: String) {
    (self.value, self.file, self.path) = (value, file, path)
  }

  /// The error that this value is not what is expected.
  package func bad(expected: String) -> ReportingError {
    .badMember(file: file, field: path.isEmpty ? "document" : path, found: found, expected: expected)
  }

  /// The member of an object; `nil` if it is missing.
  ///
  /// - Throws: `ReportingError.badMember` if the value is no object.
  package func member(_ key: String) throws(ReportingError) -> JSONField? {
    guard case .object(let members) = value else { throw bad(expected: "an object") }
    return members.first { $0.key == key }.map {
      JSONField($0.value, file: file, path: path(of: key))
    }
  }

  /// The member of an object that must be there.
  ///
  /// - Throws: `ReportingError.badMember` if it is missing, or the value is no object.
  package func required(_ key: String) throws(ReportingError) -> JSONField {
    guard let member = try member(key) else {
      throw .badMember(file: file, field: path(of: key), found: "nothing", expected: "a value")
    }
    return member
  }

  /// The member of an object; `nil` if it is missing or `null`.
  ///
  /// - Throws: `ReportingError.badMember` if the value is no object.
  package func optional(_ key: String) throws(ReportingError) -> JSONField? {
    guard let member = try member(key), member.value != .null else { return nil }
    return member
  }

  /// Refuses the members of an object that its reader does not know, such as a misspelt one.
  ///
  /// - Throws: `ReportingError` with all of them, or if the value is no object.
  package func only(_ keys: [String]) throws(ReportingError) {
    guard case .object(let members) = value else { throw bad(expected: "an object") }
    var errors = ReportingErrors()
    for member in members where !keys.contains(member.key) {
      errors.add(
        .badMember(
          file: file, field: path(of: member.key), found: "an unknown key",
          expected: "one of \(keys.joined(separator: ", "))" + Spelling.hint(for: member.key, among: keys)))
    }
    try errors.check()
  }

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// The elements of an array.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func elements() throws(ReportingError) -> [JSONField] {
    guard case .array(let values) = value else { throw bad(expected: "an array") }
    return values.enumerated().map { JSONField($1, file: file, path: "\(path)[\($0 + 1)]") }
  }

  /// A text.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func string() throws(ReportingError) -> String {
    guard case .string(let text) = value else { throw bad(expected: "a text") }
    return text
  }

  /// `true` or `false`.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func bool() throws(ReportingError) -> Bool {
    guard case .bool(let flag) = value else { throw bad(expected: "true or false") }
    return flag
  }

  /// A whole number in a range; `5.0` is one as well.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func integer(in range: ClosedRange<Int> = Int.min...Int.max) throws(ReportingError) -> Int {
    guard let number = whole, range.contains(number) else {
      let (low, high) = (range.lowerBound, range.upperBound)
      let bounds = low == .min ? "" : high == .max ? " from \(low) on" : " from \(low) to \(high)"
      throw bad(expected: "a whole number\(bounds)")
    }
    return number
  }

  /// A finite number in a range.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func number(in range: ClosedRange<Double>) throws(ReportingError) -> Double {
    guard let number, number.isFinite, range.contains(number) else {
      let (low, high) = (NumberFormat.shortest(range.lowerBound), NumberFormat.shortest(range.upperBound))
      throw bad(expected: "a number from \(low) " + (range.upperBound == .infinity ? "on" : "to \(high)"))
    }
    return number
  }

  /// A number as `JSONValue.figure` writes it, infinities and NaN included, that is not below `minimum`.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func figure(from minimum: Double = -.infinity) throws(ReportingError) -> Double {
    let figure: Double? =
      switch value {
      case .null: .nan
      case .string("Infinity"): .infinity
      case .string("-Infinity"): -.infinity
      default: number
      }
    guard let figure, !(figure < minimum) else {
      let bound = minimum > -.infinity ? " from \(NumberFormat.shortest(minimum)) on" : ", '-Infinity'"
      throw bad(expected: "a number\(bound), 'Infinity' or null")
    }
    return figure
  }

  private var whole: Int? {
    switch value {
    case .integer(let number): number
    // Beyond 2^53 not every whole number is a double.
    case .number(let number) where abs(number) <= 0x1p53 && number == number.rounded(): Int(number)
    default: nil
    }
  }

  private var number: Double? {
    switch value {
    case .number(let number), .fixed(let number, _): number
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    default: nil
    }
  }

  private var found: String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .number(let number), .fixed(let number, _): NumberFormat.shortest(number)
    case .string(let text): "'\(text)'"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
