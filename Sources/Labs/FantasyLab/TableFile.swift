// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// A table of comma-separated values with a heading; its errors name file, line and column.
struct TableFile {
  let file: String
  private let head: [String: Int]
  private let rows: [(line: Int, cells: [String])]

  /// Reads a file; - is the standard input. Lines that begin with # are comments.
  ///
  /// - Throws: `ReportingError` if the file cannot be read, the heading or all rows are missing, or a row has another
  ///   number of cells than the heading.
  init(_ path: String) throws(ReportingError) {
    try self.init(TextFile.read(path == "-" ? "/dev/stdin" : path), file: path == "-" ? "standard input" : path)
  }

  init(_ text: String, file: String) throws(ReportingError) {
    self.file = file
    var rows: [(line: Int, cells: [String])] = []
    for (place, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      guard let cells = Self.cells(of: line) else {
        throw .badValue(
          file: file, line: place + 1, field: "row", found: "a quotation mark that nothing closes",
          expected: "quotation marks around a whole value")
      }
      rows.append((place + 1, cells))
    }
    guard let first = rows.first, rows.count > 1 else {
      throw .badMember(
        file: file, field: "table", found: rows.isEmpty ? "nothing" : "a heading without rows",
        expected: "a line with the names of the columns, and a line a row")
    }
    var head: [String: Int] = [:]
    for (place, name) in first.cells.enumerated() { head[name.lowercased(), default: place] = place }
    for row in rows where row.cells.count != first.cells.count {
      throw .badValue(
        file: file, line: row.line, field: "row", found: "\(row.cells.count) values",
        expected: "\(first.cells.count), one for each column of the heading")
    }
    (self.head, self.rows) = (head, Array(rows.dropFirst()))
  }

  private static func cells(of line: some StringProtocol) -> [String]? {
    var (cells, cell, isQuoted, wasQuote) = ([String](), "", false, false)
    for character in line {
      if isQuoted {
        if character == "\"" { (isQuoted, wasQuote) = (false, true) } else { cell.append(character) }
        continue
      }
      switch character {
      case "\"":
        // Two quotation marks in a quoted value stand for one.
        if wasQuote { cell.append(character) }
        isQuoted = true
      case ",":
        cells.append(cell.trimmingCharacters(in: .whitespaces))
        cell = ""
      default: cell.append(character)
      }
      wasQuote = false
    }
    return isQuoted ? nil : cells + [cell.trimmingCharacters(in: .whitespaces)]
  }

  /// A cell with its file, line and column.
  struct Cell {
    let file: String
    let line: Int
    let column: String
    let text: String

    func bad(_ expected: String) -> ReportingError {
      .badValue(
        file: file, line: line, field: column, found: text.isEmpty ? "nothing" : "'\(text)'", expected: expected)
    }

    func number(in range: ClosedRange<Double>) throws(ReportingError) -> Double {
      guard let value = Double(text), range.contains(value) else {
        let (low, high) = (NumberFormat.shortest(range.lowerBound), NumberFormat.shortest(range.upperBound))
        throw bad("a number from \(low) to \(high)")
      }
      return value
    }

    func whole(in range: ClosedRange<Int>) throws(ReportingError) -> Int {
      guard let value = Int(text), range.contains(value) else {
        throw bad("a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
  }

  func has(_ column: String) -> Bool { head[column.lowercased()] != nil }

  /// The cells of some columns, row by row.
  ///
  /// - Throws: `ReportingError` if a column is missing.
  func columns(_ names: [String]) throws(ReportingError) -> [[Cell]] {
    for name in names where !has(name) {
      let known = head.sorted { $0.value < $1.value }.map(\.key).joined(separator: ", ")
      throw .badMember(
        file: file, field: "heading", found: known,
        expected: "a column '\(name)'; rename one, or name another if there is an option for it")
    }
    return rows.map { row in
      names.map { name in
        Cell(file: file, line: row.line, column: name, text: head[name.lowercased()].map { row.cells[$0] } ?? "")
      }
    }
  }
}

/// The games of a player, in the order of the rounds.
struct PlayerGames {
  struct Game {
    let round: Int
    /// `nil` where the player did not play.
    var score: Int?
    /// The price before the round, in dollars; 0 if prices are not read.
    let price: Int
    let line: Int
  }

  let name: String
  var games: [Game] = []

  /// The players of a file with the columns player, round and score, in its order; an empty score means not played.
  /// Lines without a score are left out unless prices are read.
  ///
  /// - Throws: `ReportingError` for an invalid score or price, and for a second line of a player in a round.
  static func all(in table: TableFile, score: String, price: String? = nil) throws(ReportingError) -> [PlayerGames] {
    var (players, places): ([PlayerGames], [String: Int]) = ([], [:])
    for row in try table.columns(["player", "round", score] + (price.map { [$0] } ?? [])) {
      guard !row[0].text.isEmpty else { throw row[0].bad("a player's name") }
      if row[2].text.isEmpty, price == nil { continue }
      let place = places[row[0].text] ?? players.count
      if place == players.count { players.append(PlayerGames(name: row[0].text)) }
      places[row[0].text] = place
      let round = try row[1].whole(in: 1...100)
      let points = row[2].text.isEmpty ? nil : try row[2].whole(in: -50...400)
      if players[place].games.contains(where: { $0.round == round }) {
        throw row[1].bad("another round: \(row[0].text) has a \(price == nil ? "score" : "line") of it already")
      }
      let dollars = try price == nil ? 0 : row[3].whole(in: 1...100_000_000)
      players[place].games.append(Game(round: round, score: points, price: dollars, line: row[1].line))
    }
    for place in players.indices { players[place].games.sort { $0.round < $1.round } }
    return players
  }
}
