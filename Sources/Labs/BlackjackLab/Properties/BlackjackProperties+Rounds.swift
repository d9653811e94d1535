// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension BlackjackProperties {
  static func payoffs(of code: BlackjackOperations) -> [Property] {
    let script = RoundScript.any()
    return [
      Property(
        "blackjack.13",
        "Any round ends, and pays whole bets up to its stakes, half a bet back, or what a natural pays",
        reference: "rules of the game: payoffs", arguments: ["round"], script
      ) { script in
        let round = try script.play(code)
        let rules = round.rules
        try claim(round.isPlayerDone, "it is over before the player is done")
        try claim(round.handCount <= rules.maximumHands, "\(round.handCount) hands")
        let paid = code.payoffTenths(round)
        if round.isSurrendered {
          let mayLose = rules.surrender == .late && rules.holeCard != .peek
          try claim(paid == -5 || (mayLose && paid == -10), "a surrender pays \(paid) tenths")
        } else if round.hasNatural {
          try claim(paid == 0 || paid == rules.naturalPays.tenths, "a natural pays \(paid) tenths")
        } else {
          let most = 10 * round.stakes
          try claim(paid.isMultiple(of: 10) && abs(paid) <= most, "pays \(paid) tenths, \(most) at stake")
          try claim(round.stakes <= 2 * round.handCount, "\(round.stakes) bets on \(round.handCount) hands")
        }
      },
      Property(
        "blackjack.14", "A finished round pays what its hands are worth against the dealer's",
        reference: "rules of the game: payoffs", arguments: ["round"], script
      ) { script in
        let round = try script.play(code)
        let (paid, owed) = (code.payoffTenths(round), round.owedTenths)
        try claim(paid == owed, "pays \(paid) tenths of a bet, owes \(owed)")
      },
    ]
  }

  static func moves(of code: BlackjackOperations) -> [Property] {
    let script = RoundScript.any()
    return [
      Property(
        "blackjack.15", "What may be done is what the rules say of the hands on the table",
        reference: "rules of the game: doubling, splitting, surrender", arguments: ["round"], script
      ) { script in
        _ = try script.play(code) { round in
          let options = code.options(round)
          let allowed = round.need == .decision ? round.allowedActions : []
          try claim(options == allowed, "allows \(options.names), the rules \(allowed.names)")
        }
      },
      Property(
        "blackjack.16", "What is not allowed is an error and changes nothing",
        reference: "contract of the core", arguments: ["round", "attempt"],
        script, .elements(of: Action.allCases)
      ) { script, attempt in
        _ = try script.play(code) { round in
          if !round.options.contains(attempt) {
            var copy = round
            let isRefused = isError { try code.act(&copy, attempt) }
            try claim(isRefused, "\(attempt.name) is accepted when the round waits for \(round.need)")
            try claim(copy == round, "a refused \(attempt.name) changes the round")
          }
          guard round.need == .decision || round.need == .nothing else { return }
          var copy = round
          let isRefused = isError { try code.receive(&copy, .ten) }
          try claim(isRefused && copy == round, "a card is accepted when the round waits for \(round.need)")
        }
      },
      Property(
        "blackjack.17", "The dealer finishes the hand unless nothing depends on it any more",
        reference: "rules of the game: the dealer's play", arguments: ["round"], script
      ) { script in
        let round = try script.play(code)
        let isOpen = !round.isSurrendered && !round.hasNatural && !round.dealerHasNatural
        guard isOpen, (0..<round.handCount).contains(where: { !round.hand(at: $0).hand.isBust }) else { return }
        let dealer = round.dealer
        let isDone = dealer.total > 17 || (dealer.total == 17 && !(dealer.isSoft && round.rules.dealerHitsSoft17))
        try claim(isDone, "the dealer ends with \(dealer)")
      },
    ]
  }

  /// Whether something throws.
  private static func isError(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      return true
    }
  }
}
