// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Rows and cells of a chart") struct ChartRowTests {
  @Test("33 rows: hard 5 to 19, soft 13 to 20, ten pairs; 330 cells; each at its own place")
  func places() {
    #expect(ChartRow.all.count == 33)
    #expect(ChartRow.all.map(\.index) == Array(0..<33))
    #expect(ChartCellKey.all.count == 330)
    #expect(ChartCellKey.all.map(\.index) == Array(0..<330))
    #expect(Set(ChartCellKey.all).count == 330)
  }

  @Test("Every two-card hand short of 21 has its row, by the kind that it is, which alone lists it")
  func everyHand() {
    for first in CardValue.allCases {
      for second in CardValue.allCases {
        let row = ChartRow(of: Hand(first, second), asPair: true)
        if first == second {
          #expect(row == .pair(first))
        } else if [first, second].contains(.ace) {
          let other = max(first, second)
          #expect(row == (other == .ten ? nil : ChartRow.soft(11 + other.points)))
        } else {
          #expect(row == ChartRow.hard(first.points + second.points))
        }
        let listing = ChartRow.all.filter { row in
          row.twoCardHands.contains { Set([$0.0, $0.1]) == Set([first, second]) }
        }
        #expect(listing == [row].compactMap(\.self))
      }
    }
  }

  @Test("Two-card hands are listed once each, the larger card first")
  func listedOnce() throws {
    let sixteen = try #require(ChartRow.hard(16)).twoCardHands.map { "\($0.0),\($0.1)" }
    #expect(sixteen == ["9,7", "10,6"])
    #expect(try #require(ChartRow.soft(18)).twoCardHands.map { "\($0.0),\($0.1)" } == ["7,A"])
    #expect(ChartRow.pair(.ace).twoCardHands.map { "\($0.0),\($0.1)" } == ["A,A"])
    #expect(ChartRow.all.map(\.twoCardHands.count).reduce(0, +) == 54)
    #expect(ChartRow.all.allSatisfy { !$0.twoCardHands.isEmpty })
  }

  @Test("A pair that may not be split is its total; A,A and 2,2 have none")
  func pairsAsTotals() throws {
    for value in CardValue.allCases where value != .ace {
      #expect(ChartRow(of: Hand(value, value), asPair: false) == .hard(2 * value.points))
    }
    #expect(try ChartRow(of: hand("A A"), asPair: false) == nil)
    #expect(try ChartRow(of: hand("2 2"), asPair: false) == nil)
    #expect(try ChartRow(of: hand("10 10"), asPair: false) == nil)
  }

  @Test("There is no row beyond the charts", arguments: [Int.min, -1, 0, 4, 20, 21, 22, 255, 256, Int.max])
  func noRow(total: Int) {
    #expect(ChartRow.hard(total) == nil)
    #expect((13...20).contains(total) == (ChartRow.soft(total) != nil))
  }

  @Test(
    "Hands of no or one card, 20, 21 and bust hands have no row",
    arguments: ["", "A", "9", "A 10", "10 7 3", "7 7 7", "10 6 10"])
  func withoutRow(text: String) throws {
    #expect(try ChartRow(of: hand(text), asPair: true) == nil)
  }

  @Test("Rows and cells are written as charts write them")
  func words() throws {
    #expect(ChartRow.all.map(\.label).suffix(10) == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"])
    #expect(ChartRow.hard(16)?.description == "hard 16")
    #expect(ChartRow.pair(.ace).description == "pair A,A")
    let row = try #require(ChartRow.soft(18))
    #expect(ChartCellKey(row, against: .ace).description == "soft 18 v A")
  }
}
