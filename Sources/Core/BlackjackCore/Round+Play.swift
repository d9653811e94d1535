// SPDX-License-Identifier: Apache-2.0

/// Where the cards of a round come from: a shoe, a deck on the screen, a script.
public protocol CardSource: ~Copyable {
  /// The next card, for that seat.
  ///
  /// - Throws: `BlackjackError.outOfCards` when there is none.
  mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue
}

/// Whoever decides: a chart, a person, an experiment.
public protocol Strategy: ~Copyable {
  /// What to do with the active hand of a round that waits for a decision.
  ///
  /// - Throws: `BlackjackError` when it has no answer.
  mutating func decide(_ round: borrowing Round) throws(BlackjackError) -> Action
}

extension Round {
  /// Plays a whole round.
  ///
  /// - Returns: what it pays, in tenths of a bet.
  /// - Throws: what the source or the strategy throws, and `BlackjackError.illegalAction` for an answer that the
  ///   rules forbid.
  @inlinable
  public static func play<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
    rules: Rules, from source: inout Source, by player: inout Player
  ) throws(BlackjackError) -> Int {
    var round = Round(rules: rules)
    try round.finish(from: &source, by: &player)
    return round.payoffTenths
  }

  /// Plays on from here to the end of the round.
  @inlinable
  public mutating func finish<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
    from source: inout Source, by player: inout Player
  ) throws(BlackjackError) {
    while need != .nothing { try step(from: &source, by: &player) }
  }

  /// Plays on until the player's hands are done, the dealer's still to be drawn.
  @inlinable
  public mutating func finishPlayer<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
    from source: inout Source, by player: inout Player
  ) throws(BlackjackError) {
    while !isPlayerDone { try step(from: &source, by: &player) }
  }

  @inlinable
  mutating func step<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
    from source: inout Source, by player: inout Player
  ) throws(BlackjackError) {
    switch need {
    case .playerCard: try receive(source.draw(for: .player))
    case .dealerCard: try receive(source.draw(for: .dealer))
    case .decision: try act(player.decide(self))
    case .nothing: break
    }
  }
}
