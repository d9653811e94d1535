// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Foundation
import Testing

/// A reference table of this folder, read as rows of named fields.
struct ExactFixture {
  let rows: [[String: String]]

  init(_ name: String) throws {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).map(Self.fields)
    let header = try #require(lines.first)
    rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }

  /// Splits a line at its commas, those between quotation marks apart.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for letter in line {
      if letter == "\"" {
        isQuoted.toggle()
      } else if letter == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(letter)
      }
    }
    return fields
  }
}

extension [String: String] {
  /// A field that holds a number; `nil` where it is empty.
  func number(_ field: String) -> Double? { self[field].flatMap(Double.init) }

  /// A field that holds a card.
  func card(_ field: String) throws -> CardValue { try #require(CardValue(self[field] ?? "")) }

  /// The cell that the columns `kind` and `hand` and `dealer_up` name; a pair's hand is `8,8`.
  func cellKey() throws -> ChartCellKey {
    let hand = self["hand"] ?? ""
    let row =
      switch self["kind"] {
      case "hard": Int(hand).flatMap(ChartRow.hard)
      case "soft": Int(hand).flatMap(ChartRow.soft)
      default: CardValue(hand.prefix { $0 != "," }).map(ChartRow.pair)
      }
    return ChartCellKey(try #require(row), against: try card("dealer_up"))
  }
}
