// SPDX-License-Identifier: GPL-3.0-or-later

/// A value of a JSON document with the place where it stands, for reading with errors that say where.
///
/// Members that nobody asks for are passed over, so that documents of a later version can be read as far as they agree.
package struct JSONField: Sendable {
  /// The file.
  package let file: String
  /// The field's full name, for example `thresholds[2].line`.
  package let path: String
  /// What stands there.
  package let value: JSONValue

  /// A whole document.
  ///
  /// - Parameters:
  ///   - value: the document.
  ///   - file: the name that errors give it.
  package init(_ value: JSONValue, file: String) {
    self.init(value, file: file, path: "")
  }

  private init(_ value: JSONValue, file: String, path: String) {
    (self.value, self.file, self.path) = (value, file, path)
  }

  /// The error that says this value is not what is expected.
  package func bad(expected: String) -> ReportingError {
    .badMember(file: file, field: path.isEmpty ? "document" : path, found: found, expected: expected)
  }

  /// The member of an object; `nil` where it is not there.
  ///
  /// - Throws: `ReportingError.badMember` where the value is no object.
  package func member(_ key: String) throws(ReportingError) -> JSONField? {
    guard case .object(let members) = value else { throw bad(expected: "an object") }
    return members.first { $0.key == key }.map {
      JSONField($0.value, file: file, path: path.isEmpty ? key : "\(path).\(key)")
    }
  }

  /// The member of an object that must be there.
  ///
  /// - Throws: `ReportingError.badMember` where it is not there, or the value is no object.
  package func required(_ key: String) throws(ReportingError) -> JSONField {
    guard let member = try member(key) else {
      let field = path.isEmpty ? key : "\(path).\(key)"
      throw .badMember(file: file, field: field, found: "nothing", expected: "a value")
    }
    return member
  }

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

  /// A whole number in a range.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func integer(in range: ClosedRange<Int> = Int.min...Int.max) throws(ReportingError) -> Int {
    guard case .integer(let number) = value, range.contains(number) else {
      throw bad(expected: range.lowerBound == .min ? "a whole number" : "a whole number from \(range.lowerBound) on")
    }
    return number
  }

  /// A seed or the like, up to 64 bits.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func unsigned() throws(ReportingError) -> UInt64 {
    switch value {
    case .unsigned(let number): return number
    case .integer(let number) where number >= 0: return UInt64(number)
    default: throw bad(expected: "a whole number from 0 to \(UInt64.max)")
    }
  }

  /// A number; `null`, which is how what is not finite was written, comes back as NaN.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func number() throws(ReportingError) -> Double {
    switch value {
    case .number(let number), .fixed(let number, _): return number
    case .integer(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .null: return .nan
    default: throw bad(expected: "a number")
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
