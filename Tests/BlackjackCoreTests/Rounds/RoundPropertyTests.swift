// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Any round") struct RoundPropertyTests {
  @Test("the longest hands still end: all aces, all twos, every hand hit until it is done", arguments: ["A", "2", "3"])
  func longest(card: String) throws {
    let value = try #require(CardValue(card))
    var round = Round(rules: try Rules(name: "inf-hsa-rsa-enhc-h17"))
    var dealt = 0
    while round.need != .nothing && dealt < 100 {
      if round.need == .decision {
        try round.act(round.options.actions.contains(.split) ? .split : .hit)
      } else {
        try round.receive(value)
        dealt += 1
      }
    }
    #expect(round.need == .nothing)
    #expect(round.handCount == 4)
    #expect(dealt <= 60)
  }
}
