// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Rows and cells of a chart") struct ChartRowTests {
  @Test("Two-card hands are listed once each, the larger card first")
  func listedOnce() throws {
    let sixteen = try #require(ChartRow.hard(16)).twoCardHands.map { "\($0.0),\($0.1)" }
    #expect(sixteen == ["9,7", "10,6"])
    #expect(try #require(ChartRow.soft(18)).twoCardHands.map { "\($0.0),\($0.1)" } == ["7,A"])
    #expect(ChartRow.pair(.ace).twoCardHands.map { "\($0.0),\($0.1)" } == ["A,A"])
    #expect(ChartRow.all.map(\.twoCardHands.count).reduce(0, +) == 54)
    #expect(ChartRow.all.allSatisfy { !$0.twoCardHands.isEmpty })
  }

  @Test("Totals outside the chart have no row", arguments: [Int.min, -1, 0, 4, 20, 21, 22, 255, 256, Int.max])
  func noRow(total: Int) {
    #expect(ChartRow.hard(total) == nil)
    #expect((13...20).contains(total) == (ChartRow.soft(total) != nil))
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
