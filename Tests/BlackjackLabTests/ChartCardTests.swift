// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Scenarios
import TestSupport
import Testing

@testable import BlackjackLab

@Suite("A chart is read from the text of a card as people paste it")
struct ChartCardTests {
  /// A common card of four to eight decks, H17, DAS and late surrender, with the rows that cards usually have.
  private static let card = """
    Basic strategy, 4-8 decks

    Hard   2  3  4  5  6  7  8  9  10 A
    8      H  H  H  H  H  H  H  H  H  H
    9      H  Dh Dh Dh Dh H  H  H  H  H
    10     Dh Dh Dh Dh Dh Dh Dh Dh H  H
    11     Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
    12     H  H  S  S  S  H  H  H  H  H
    13-14  S  S  S  S  S  H  H  H  H  H
    15     S  S  S  S  S  H  H  H  Rh Rh
    16     S  S  S  S  S  H  H  Rh Rh Rh
    17     S  S  S  S  S  S  S  S  S  Rs
    18+    S  S  S  S  S  S  S  S  S  S

    Soft   2  3  4  5  6  7  8  9  10 A
    A,2    H  H  H  Dh Dh H  H  H  H  H
    A,3    H  H  H  Dh Dh H  H  H  H  H
    A,4    H  H  Dh Dh Dh H  H  H  H  H
    A,5    H  H  Dh Dh Dh H  H  H  H  H
    A,6    H  Dh Dh Dh Dh H  H  H  H  H
    A,7    Ds Ds Ds Ds Ds S  S  H  H  H
    A,8    S  S  S  S  Ds S  S  S  S  S
    A,9    S  S  S  S  S  S  S  S  S  S

    Pairs  2  3  4  5  6  7  8  9  10 A
    2,2    Ph Ph P  P  P  P  H  H  H  H
    3,3    Ph Ph P  P  P  P  H  H  H  H
    4,4    H  H  H  Ph Ph H  H  H  H  H
    6,6    Ph P  P  P  P  H  H  H  H  H
    7,7    P  P  P  P  P  P  H  H  H  H
    8,8    P  P  P  P  P  P  P  P  P  Rp
    9,9    P  P  P  P  P  S  P  P  S  S
    A,A    P  P  P  P  P  P  P  P  P  P
    """

  private static func chart(_ text: String) throws -> StrategyChart { try #require(try ChartCard.chart(text)) }

  @Test("with its fallbacks, and the rows that cards leave out")
  func read() throws {
    let chart = try Self.chart(Self.card)
    func cell(_ row: ChartRow?, _ upcard: CardValue) throws -> StrategyChart.Cell? {
      chart[ChartCellKey(try #require(row), against: upcard)]
    }
    #expect(try cell(.hard(9), .three) == .init(.double, else: .hit))
    #expect(try cell(.hard(17), .ace) == .init(.surrender, else: .stand))
    #expect(try cell(.soft(18), .two) == .init(.double, else: .stand))
    #expect(try cell(.pair(.two), .two) == .init(.split, else: .hit))
    #expect(try cell(.pair(.eight), .ace) == .init(.surrender, else: .split))
    #expect(try cell(.hard(5), .six) == .init(.hit) && cell(.hard(13), .two) == .init(.stand))
    #expect(try cell(.pair(.five), .nine) == .init(.double, else: .hit) && cell(.pair(.ten), .six) == .init(.stand))
  }

  @Test("in any layout: other orders of the dealer's cards and of the parts, bars, tabs, commas, other names of hands")
  func layouts() throws {
    let chart = try Self.chart(Self.card)
    let parts = Self.card.split(separator: "\n\n").map(String.init)
    #expect(try Self.chart([parts[0], parts[3], parts[2], parts[1]].joined(separator: "\n\n")) == chart)
    /// The card with each row changed by its hand and its cells.
    func card(_ change: (String, [String]) -> String) -> String {
      Self.card.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let words = line.split(separator: " ").map(String.init)
        return words.count == 11 ? change(words[0], Array(words.dropFirst())) : String(line)
      }.joined(separator: "\n")
    }
    #expect(try Self.chart(card { "\($0) | " + ([$1[9]] + $1[..<9]).joined(separator: " | ") }) == chart)
    #expect(try Self.chart(card { "| **\($0)** | " + $1.joined(separator: " | ") + " |" }) == chart)
    #expect(try Self.chart(card { "\($0)\t" + $1.joined(separator: "\t") }) == chart)
    #expect(try Self.chart(card { "\"\($0)\"," + $1.joined(separator: ",") }.replacing("\"A,", with: "\"A")) == chart)
    #expect(
      try Self.chart(
        card { hand, cells in
          let name =
            hand == "10"
            ? "Hard 10"
            : hand == "8,8"
              ? "8s"
              : hand.hasPrefix("A,")
                ? "A" + hand.dropFirst(2) : hand.replacing(",", with: "").replacing("18+", with: "18-20")
          return name + " " + cells.map { $0.count > 1 ? "\($0.prefix(1))/\($0.suffix(1))" : $0 }.joined(separator: " ")
        }) == chart)
  }

  @Test("what is no card is not taken for one; a hand twice and a text that is no hand are named by their line")
  func wrong() throws {
    #expect(try ChartCard.chart("kind,player,dealer,action\nhard,5,2,H\n") == nil && ChartCard.chart("") == nil)
    let row = " H H H H H H H H H H"
    for (text, expected) in [
      ("16\(row)\n16\(row)", "line 2, hand: found hard 16 a second time, expected each hand once; it is in line 1."),
      ("\nHand\(row)", "line 2, hand: found 'Hand', expected a hand such as 16, 17+, A,7 or 8,8 before ten actions."),
      ("A,7\(row)", "cell: found hard 5 v 2 missing (320 in all), expected all 330 cells."),
      (
        "16 S S S S S H H Rx R H",
        "line 1, action: found 'Rx', expected ten actions, each H, S, D, P or R with its fallback after it, such as Dh."
      ),
      ("16 P H H H H H H H H H", "line 1, action: found 'P', expected a split only of a pair, not of hard 16."),
    ] {
      #expect { try ChartCard.chart(text) } throws: { "\($0)" == expected }
    }
  }
}
