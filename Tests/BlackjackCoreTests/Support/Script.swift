// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

/// What a scripted round can run out of.
enum ScriptError: Error {
  case needsCard(after: String)
  case needsDecision(after: String)
  case leftOver(cards: Int, moves: String)
}

/// Plays a round from written cards and moves to its end.
///
/// The script must fit exactly: a card or a move too few or too many is an error, so every script also says how many
/// cards the round takes and how often it asks. The rules are given by their name, the shoe as `10 9 6 8`, next card
/// first, and the moves as chart letters.
func played(_ name: String, _ shoe: String, _ moves: String = "") throws -> Round {
  let round = try unfinished(name, shoe, moves)
  switch round.need {
  case .playerCard, .dealerCard: throw ScriptError.needsCard(after: shoe)
  case .decision: throw ScriptError.needsDecision(after: moves)
  case .nothing: return round
  }
}

/// Plays written cards and moves as far as they go; all of them must be used.
func unfinished(_ name: String, _ shoe: String, _ moves: String = "") throws -> Round {
  var round = Round(rules: try Rules(name: name))
  var cards = try cards(shoe)[...]
  var moves = Substring(moves)
  while true {
    switch round.need {
    case .playerCard, .dealerCard:
      if let card = cards.popFirst() {
        try round.receive(card)
        continue
      }
    case .decision:
      if let letter = moves.popFirst() {
        try round.act(try #require(Action(letter: String(letter))))
        continue
      }
    case .nothing: break
    }
    guard cards.isEmpty && moves.isEmpty else { throw ScriptError.leftOver(cards: cards.count, moves: String(moves)) }
    return round
  }
}

/// What a scripted round pays, in tenths of a bet.
func payoff(_ name: String, _ shoe: String, _ moves: String = "") throws -> Int {
  try played(name, shoe, moves).payoffTenths
}
