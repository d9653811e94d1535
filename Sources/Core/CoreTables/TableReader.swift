// SPDX-License-Identifier: Apache-2.0

/// Reads the rows of a table, one after the other.
struct TableReader {
  let file: String
  /// The byte between values.
  private(set) var separator = UInt8(ascii: ",")
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ text: String, file: String) {
    self.file = file
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private static let candidates = [UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\t")]

  /// Reads a first line `sep=;`; without one, the separator is the one that the first row has most of.
  ///
  /// - Throws: `TableError` for a line `sep=` with anything but one character.
  mutating func readSeparator() throws(TableError) {
    let first = String(decoding: bytes[position..<endOfLine(from: position)], as: UTF8.self)
    let words = first.filter { $0 != "\"" }
    if words.lowercased().hasPrefix("sep=") {
      let sign = Array(words.dropFirst(4).utf8)
      guard sign.count == 1, sign[0] < 0x80, sign[0] != UInt8(ascii: " ") else {
        throw TableError(
          file: file, line: 1, column: "sep", found: TableError.quoted(first),
          expected: "one character behind 'sep=', such as 'sep=;'")
      }
      separator = sign[0]
      skipLine()
      return
    }
    var (isQuoted, counts, start) = (false, [0, 0, 0], position)
    while start < bytes.count {
      let end = endOfLine(from: start)
      let content = bytes[start..<end].drop(while: Self.isBlank)
      if isQuoted || content.first.map({ $0 != UInt8(ascii: "#") }) ?? false {
        if !isQuoted { counts = [0, 0, 0] }
        for byte in bytes[start..<end] {
          if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
          if !isQuoted, let index = Self.candidates.firstIndex(of: byte) { counts[index] += 1 }
        }
        let isEmpty = content.allSatisfy { Self.candidates.contains($0) || Self.isBlank($0) }
        if !isEmpty, !isQuoted { break }
      }
      start = end + 1
    }
    let maximum = counts.max() ?? 0
    if maximum > 0, let index = counts.firstIndex(of: maximum) { separator = Self.candidates[index] }
  }

  /// Skips the next line and returns true if it is a comment. `columns` is the number of columns of the heading, `nil`
  /// above it.
  mutating func skipsComment(columns: Int?) -> Bool {
    var start = position
    while start < bytes.count, Self.isBlank(bytes[start]), bytes[start] != separator { start += 1 }
    guard start < bytes.count, bytes[start] == UInt8(ascii: "#") else { return false }
    if let columns {
      let content = bytes[start..<endOfLine(from: start)]
      let values = content.split(separator: separator, omittingEmptySubsequences: false).count
      let begins = content.dropFirst().first.map { Character(Unicode.Scalar($0)) }
      let isName = begins.map { $0.isLetter || $0.isNumber } ?? false
      // Words after a `#` with one comma among them are hardly a row of a table of two columns.
      if values > 1, isName || values == columns && columns > 2 { return false }
    }
    skipLine()
    return true
  }

  /// Reads the next row; `nil` at the end. The heading names the columns in errors.
  mutating func row(heading: [String]) throws(TableError) -> (line: Int, cells: [String])? {
    guard position < bytes.count else { return nil }
    let first = line
    var cells: [String] = []
    repeat {
      let name = heading.indices.contains(cells.count) ? heading[cells.count] : ""
      cells.append(try cell(in: name.isEmpty ? "column \(cells.count + 1)" : name))
    } while skip(separator)
    skipLine()
    return (first, cells)
  }

  private mutating func cell(in column: String) throws(TableError) -> String {
    skipBlanks()
    guard next == UInt8(ascii: "\"") else {
      let start = position
      while let byte = next, byte != separator, byte != 0x0A, byte != 0x0D { position += 1 }
      return Self.trimmed(bytes[start..<position])
    }
    let (start, opening) = (position, line)
    position += 1
    // The content before `plain`, with doubled quotation marks resolved; empty without one.
    var (content, plain) = ([UInt8](), position)
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") else { break }
        content += bytes[plain...position]
        position += 1
        plain = position + 1
      } else if byte == 0x0A || byte == 0x0D && (position + 1 == bytes.count || bytes[position + 1] != 0x0A) {
        line += 1
      }
      position += 1
    }
    guard next != nil else {
      throw TableError(
        file: file, line: opening, column: column, found: "a quotation mark that nothing closes",
        expected: "quotation marks around a whole value, and one within them written twice")
    }
    let text = Self.trimmed(content.isEmpty ? bytes[plain..<position] : (content + bytes[plain..<position])[...])
    position += 1
    skipBlanks()
    if let byte = next, byte != separator, byte != 0x0A, byte != 0x0D {
      let end = bytes[position...].firstIndex { $0 == separator || $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      throw TableError(
        file: file, line: line, column: column,
        found: TableError.quoted(String(decoding: bytes[start..<end], as: UTF8.self)),
        expected: "quotation marks around a whole value, and one within them written twice")
    }
    return text
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = next, Self.isBlank(byte), byte != separator { position += 1 }
  }

  /// Skips the rest of the line and its end.
  private mutating func skipLine() {
    position = endOfLine(from: position)
    let isReturn = skip(0x0D)
    if skip(0x0A) || isReturn { line += 1 }
  }

  private func endOfLine(from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    return end
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The text without white space and byte order marks at its ends.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // Most values are plain, which the bytes at their ends show.
    guard let first = bytes.first, let last = bytes.last, first <= 0x20 || last <= 0x20 || first > 0x7E || last > 0x7E
    else { return text }
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace || scalar == "\u{FEFF}" }
    let left = text.unicodeScalars.drop(while: isSpace)
    return String(String.UnicodeScalarView(left.reversed().drop(while: isSpace).reversed()))
  }
}
