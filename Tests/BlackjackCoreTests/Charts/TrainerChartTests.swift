// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Foundation
import Testing

/// One line of the trainer's own file.
private struct TrainerLine {
  let kind: String
  let cards: String
  let upcard: CardValue
  let action: Action
  let isAbsolute: Bool

  /// The fixture's lines; a quoted field holds the two cards.
  static func all() throws -> [TrainerLine] {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/trainer_chart", withExtension: "csv"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
    #expect(lines.first == "kind,player,dealer_up,action,absolute")
    return try lines.dropFirst().map { line in
      let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
      let fields =
        quoted.count == 3
        ? [quoted[0].dropLast(), quoted[1]] + quoted[2].dropFirst().split(separator: ",")
        : line.split(separator: ",")
      try #require(fields.count == 5)
      let letter = fields[3] == "Y" ? "P" : String(fields[3])
      return TrainerLine(
        kind: String(fields[0]), cards: String(fields[1]), upcard: try #require(CardValue(fields[2])),
        action: try #require(Action(letter: letter)), isAbsolute: fields[4] == "1")
    }
  }

  /// The chart's row for the line; `nil` for hard 20, hard 21 and A,10, which charts leave out.
  var row: ChartRow? {
    let parts = cards.split(separator: ",").compactMap { CardValue($0) }
    switch kind {
    case "hard": return Int(cards).flatMap(ChartRow.hard)
    case "soft": return parts.last.flatMap { ChartRow.soft(11 + $0.points) }
    default: return parts.first.map(ChartRow.pair)
    }
  }
}

@Suite("The trainer's chart") struct TrainerChartTests {
  @Test("equals the file that the trainer ships, cell by cell")
  func cellByCell() throws {
    let lines = try TrainerLine.all()
    #expect(lines.count == 360)
    var covered: Set<ChartCellKey> = []
    for line in lines {
      guard let row = line.row else { continue }
      let key = ChartCellKey(row, against: line.upcard)
      covered.insert(key)
      #expect(StrategyChart.trainer[key]?.action == line.action, "\(key)")
    }
    #expect(covered.count == 330)
  }

  @Test("stands where the file has a row and charts need none: hard 20, hard 21 and A,10")
  func standing() throws {
    let rest = try TrainerLine.all().filter { $0.row == nil }
    #expect(rest.count == 30)
    #expect(rest.allSatisfy { $0.action == .stand && $0.isAbsolute })
    for upcard in CardValue.allCases {
      for text in ["10 7 3", "10 8 3", "A 10"] {
        #expect(try StrategyChart.trainer.cell(for: hand(text), against: upcard).action == .stand)
      }
    }
  }

  @Test("has its absolutes where the file marks them, and hits every hard hand to 8")
  func absolutes() throws {
    let lesson = try lesson()
    let marked = try TrainerLine.all().filter(\.isAbsolute).compactMap(\.row)
    let low = (5...8).compactMap(ChartRow.hard)
    #expect(Set(lesson.absolutes.flatMap(\.rows)) == Set(marked + low))
    #expect(
      lesson.absolutes.map(\.description) == [
        "hit on hard 5 to 8", "stand on hard 17 to 19", "stand on soft 19 to 20", "never split 5,5", "split 8,8",
        "never split 10,10", "split A,A",
      ])
  }

  @Test("falls back as trainers say: a double hits, on soft 18 it stands; nothing else needs a fallback")
  func fallbacks() {
    for key in ChartCellKey.all {
      guard let cell = StrategyChart.trainer[key] else { continue }
      let expected: Action? = cell.action != .double ? nil : key.row == .soft(18) ? .stand : .hit
      #expect(cell.fallback == expected, "\(key)")
    }
  }

  @Test("The dealer's upcards fall into weak 4 5 6, medium 2 3 7 8 and strong 9 10 A")
  func groups() {
    #expect(DealerGroup.weak.upcards == [.four, .five, .six])
    #expect(DealerGroup.medium.upcards == [.two, .three, .seven, .eight])
    #expect(DealerGroup.strong.upcards == [.nine, .ten, .ace])
    #expect(DealerGroup.allCases.flatMap(\.upcards).count == 10)
    for group in DealerGroup.allCases { #expect(group.upcards.allSatisfy { DealerGroup(of: $0) == group }) }
  }
}
