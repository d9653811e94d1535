// SPDX-License-Identifier: Apache-2.0

/// A table of texts, by RFC 4180 and as spreadsheets write it.
///
/// The separator is the one of a first line `sep=;`, or else the comma, semicolon or tab that the heading has most of.
/// Lines end with LF, CR LF or CR. A byte order mark, empty rows, rows of separators alone and empty columns are
/// skipped. A value in quotation marks may hold separators, line ends, and quotation marks written twice. White space
/// around values is removed.
///
/// Lines that begin with `#` are comments above the heading. Below it, such a line is a row if it has as many values as
/// the heading, or several values and no space after the `#`: `#1 Stunners,120`.
public struct TextTable: Sendable {
  /// A row.
  public struct Row: Sendable {
    /// The line in which the row begins, from 1.
    public let line: Int
    /// The values, at most one for each column; trailing ones may be missing.
    public let cells: [String]
  }

  /// The name of the table in errors.
  public let file: String
  /// The character between values.
  public let separator: Character
  /// The names of the columns, as the table spells them; a column without a name has an empty one.
  public let heading: [String]
  /// The line of the heading; `nil` for a table without one.
  public let headingLine: Int?
  /// The rows below the heading.
  public let rows: [Row]
  /// True if numbers have a decimal comma: `nil` for either, in a table without commas as separators.
  private let decimalComma: Bool?

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - text: The table.
  ///   - file: The name of the table in errors.
  ///   - defaultHeading: The names of the columns of a table that may lack a heading: the first row is then a heading
  ///     if its first value is the first of these names. `nil` for a table that must have a heading.
  /// - Throws: `TableError` for a quotation mark without its counterpart, a row with more values than the heading, and
  ///   a table without a heading.
  public init(_ text: String, file: String, defaultHeading: [String]? = nil) throws(TableError) {
    var reader = TableReader(text, file: file)
    try reader.readSeparator()
    var heading: (line: Int?, cells: [String])?
    var rows: [(line: Int, cells: [String])] = []
    while true {
      if reader.skipsComment(columns: heading?.cells.count) { continue }
      guard let row = try reader.row(heading: heading?.cells ?? []) else { break }
      guard row.cells.contains(where: { !$0.isEmpty }) else { continue }
      if heading == nil {
        guard let defaultHeading, Self.key(row.cells[0]) != defaultHeading.first.map(Self.key) else {
          heading = (row.line, row.cells)
          continue
        }
        heading = (nil, defaultHeading)
      }
      rows.append(row)
    }
    guard let heading else {
      throw TableError(
        file: file, line: nil, column: "table", found: "nothing",
        expected: "a line with the names of the columns, and a line for each row")
    }
    // A table that does not begin in a spreadsheet's first column.
    let all = (heading.line == nil ? [] : [heading.cells]) + rows.map(\.cells)
    let left = all.map { $0.prefix { $0.isEmpty }.count }.min() ?? 0
    let names = heading.line == nil ? heading.cells : Array(heading.cells.dropFirst(left))
    let count = (names.lastIndex { !$0.isEmpty } ?? -1) + 1
    self.heading = Array(names.prefix(count))
    self.rows = try rows.map { row throws(TableError) in
      let cells = Array(row.cells.dropFirst(left))
      // The first column may lack a name: R and pandas write the numbers of the rows there.
      if let surplus = cells.indices.first(where: { index in
        !cells[index].isEmpty && (index >= count || index > 0 && names[index].isEmpty)
      }) {
        throw TableError(
          file: file, line: row.line, column: "column \(left + surplus + 1)", found: TableError.quoted(cells[surplus]),
          expected: "no value where the heading has no name; a value that contains the separator needs quotation marks")
      }
      return Row(line: row.line, cells: Array(cells.prefix(count)))
    }
    self.file = file
    headingLine = heading.line
    separator = Character(Unicode.Scalar(reader.separator))
    decimalComma =
      reader.separator == UInt8(ascii: ",")
      ? false : self.rows.contains { $0.cells.contains(where: TableCell.hasDecimalComma) } ? true : nil
  }

  /// The names of the columns of a text; `nil` unless it begins like a table.
  public static func heading(of text: String) -> [String]? {
    var reader = TableReader(text, file: "")
    do {
      try reader.readSeparator()
      while true {
        if reader.skipsComment(columns: nil) { continue }
        guard let row = try reader.row(heading: []) else { return nil }
        if row.cells.contains(where: { !$0.isEmpty }) { return row.cells }
      }
    } catch {
      return nil
    }
  }

  /// Two names of a column are the same if they differ only in case, or in spaces for underscores.
  static func key(_ name: String) -> String { name.lowercased().replacing("_", with: " ") }

  /// The index of a column; `nil` if there is none of the name.
  ///
  /// - Throws: `TableError` if there are several.
  public func index(of name: String) throws(TableError) -> Int? {
    let key = Self.key(name)
    let all = heading.indices.filter { Self.key(heading[$0]) == key }
    guard all.count <= 1 else {
      throw TableError(
        file: file, line: headingLine, column: "heading",
        found: "the column '\(heading[all[0]])' at \(all[0] + 1) and \(all[1] + 1)", expected: "one column of this name"
      )
    }
    return all.first
  }

  /// The cells of some columns, row by row: first those that the table must have, then those that it may have. A cell
  /// of a column that the table lacks is empty.
  ///
  /// - Throws: `TableError` if a column is missing or there twice, if a row ends before a column that the table must
  ///   have, and if there are no rows.
  public func columns(_ names: [String], optional: [String] = []) throws(TableError) -> [[TableCell]] {
    let required = try names.map { name throws(TableError) in
      if let index = try index(of: name) { return index }
      let known = heading.map { $0.isEmpty ? "''" : $0 }.joined(separator: ", ")
      throw TableError(
        file: file, line: headingLine, column: "heading", found: known, expected: "a column '\(name)'")
    }
    let others = try optional.map { name throws(TableError) in try index(of: name) }
    guard !rows.isEmpty else {
      throw TableError(
        file: file, line: nil, column: "table", found: "a heading without rows",
        expected: "a line with the names of the columns, and a line for each row")
    }
    let last = required.max() ?? 0
    return try rows.map { row throws(TableError) in
      guard last < row.cells.count else {
        throw TableError(
          file: file, line: row.line, column: "row",
          found: "\(row.cells.count) value\(row.cells.count == 1 ? "" : "s")",
          expected: "\(heading.count), one for each column of the heading")
      }
      return zip(names + optional, required + others).map { cell(in: row, at: $1, named: $0) }
    }
  }

  /// The cell of a row in a column; empty where the row or the table lacks it.
  public func cell(in row: Row, at index: Int?, named name: String) -> TableCell {
    TableCell(
      file: file, line: row.line, column: name,
      text: index.flatMap { row.cells.indices.contains($0) ? row.cells[$0] : nil } ?? "", decimalComma: decimalComma)
  }
}

/// A value of a table, with its place.
public struct TableCell: Sendable {
  /// The name of the table in errors.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The name of the column.
  public let column: String
  /// The value without white space around it.
  public let text: String
  let decimalComma: Bool?

  /// The number in decimal digits, with an exponent or without; `nil` for any other text, such as `0x10`, `nan` and
  /// `1,234`. In a table without commas as separators the decimal sign may be a comma; it must be one if it is one
  /// anywhere.
  public var number: Double? { Self.number(text, decimalComma: decimalComma) }

  /// The whole number, also of `1.0` and `5e5`; `nil` for any other text, and beyond 2^53.
  public var whole: Int? {
    guard let number, abs(number) <= 9_007_199_254_740_992 else { return nil }
    let whole = Int(number)
    return Double(whole) == number ? whole : nil
  }

  /// The number.
  ///
  /// - Throws: `TableError` for any other text, and for a number out of the range.
  public func number(in range: ClosedRange<Double>) throws(TableError) -> Double {
    guard let number, range.contains(number) else {
      throw bad("a number from \(Self.shortest(range.lowerBound)) to \(Self.shortest(range.upperBound))\(advice)")
    }
    return number
  }

  /// The whole number.
  ///
  /// - Throws: `TableError` for any other text, and for a number out of the range.
  public func whole(in range: ClosedRange<Int>) throws(TableError) -> Int {
    guard let whole, range.contains(whole) else {
      throw bad("a whole number from \(range.lowerBound) to \(range.upperBound)\(advice)")
    }
    return whole
  }

  /// An error about this cell.
  public func bad(_ expected: String) -> TableError {
    TableError(file: file, line: line, column: column, found: TableError.quoted(text), expected: expected)
  }

  /// The advice for a number that is written in another way; empty for any other text.
  public var advice: String {
    let digits = text.drop { "+-\u{2212}".contains($0) }
    if digits.lowercased().hasPrefix("0x") { return ", in decimal digits and not hexadecimal" }
    guard number == nil, text.last?.isNumber == true else { return "" }
    if decimalComma == true, Self.number(text, decimalComma: nil) != nil {
      return ", with a decimal comma like other numbers of the table"
    }
    guard Self.number(text.filter { $0 != "," && $0 != "." }, decimalComma: false) != nil else { return "" }
    return decimalComma == false
      ? ", with a decimal point and without commas" : ", without separators of thousands"
  }

  /// Reads a number in decimal digits, whose decimal sign is a comma, a point, or for `nil` either.
  public static func number(_ text: String, decimalComma: Bool?) -> Double? {
    var plain: [UInt8] = []
    var (digits, signs) = (0, 0)
    // Spreadsheets of some languages write U+2212 for a minus.
    let bytes = Array((text.hasPrefix("\u{2212}") ? "-" + text.dropFirst() : text).utf8)
    var position = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? 1 : 0
    plain += bytes[..<position]
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        plain.append(bytes[position])
      case UInt8(ascii: ".") where decimalComma != true && signs == 0,
        UInt8(ascii: ",") where decimalComma != false && signs == 0:
        signs += 1
        if digits == 0 { plain.append(UInt8(ascii: "0")) }
        plain.append(UInt8(ascii: "."))
        // A decimal sign has digits behind it.
        guard position + 1 < bytes.count, isDigit(bytes[position + 1]) else { return nil }
      case UInt8(ascii: "e") where digits > 0, UInt8(ascii: "E") where digits > 0:
        let sign =
          position + 1 < bytes.count
          && (bytes[position + 1] == UInt8(ascii: "-") || bytes[position + 1] == UInt8(ascii: "+"))
        let exponent = bytes[(position + (sign ? 2 : 1))...]
        guard !exponent.isEmpty, exponent.allSatisfy(isDigit) else { return nil }
        plain += bytes[position...]
        position = bytes.count
      default: return nil
      }
      position += 1
    }
    guard digits > 0, let number = Double(String(decoding: plain, as: UTF8.self)), number.isFinite else { return nil }
    return number
  }

  static func hasDecimalComma(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: ",")) && number(text, decimalComma: true) != nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func shortest(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// An error in a table.
public struct TableError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the table; it may be empty.
  public let file: String
  /// The line, from 1; `nil` for the whole table.
  public let line: Int?
  /// The name of the column, or of the part of the table.
  public let column: String
  /// The value that was found.
  public let found: String
  /// The value that was expected.
  public let expected: String

  /// An error in a column of a line.
  public init(file: String, line: Int?, column: String, found: String, expected: String) {
    (self.file, self.line, self.column, self.found, self.expected) = (file, line, column, found, expected)
  }

  /// One sentence: the file, the line and the column, what was found and what was expected.
  public var description: String {
    let location = file.isEmpty ? line.map { "line \($0)" } : line.map { "\(file):\($0)" } ?? file
    return "\(location.map { "\($0): " } ?? "")\(column): found \(found), expected \(expected)."
  }

  /// A value in quotes, cut off where it is long; `nothing` for an empty one.
  public static func quoted(_ text: String) -> String {
    text.isEmpty ? "nothing" : "'\(text.prefix(80))\(text.count > 80 ? "…" : "")'"
  }
}
