// SPDX-License-Identifier: Apache-2.0

/// How the dealer's hand ends, as far as a payoff depends on it.
@frozen
public enum DealerFinal: UInt8, CaseIterable, Hashable, Sendable {
  case seventeen = 0
  case eighteen, nineteen, twenty, twentyOne, bust, natural

  /// How that finished hand counts.
  @inlinable
  public init(_ hand: Hand) {
    if hand.isTwoCard21 {
      self = .natural
    } else if hand.isBust {
      self = .bust
    } else {
      self = DealerFinal(rawValue: UInt8(clamping: max(hand.total, 17) &- 17)) ?? .twentyOne
    }
  }

  /// The total that the player has to beat; 0 for a bust dealer.
  @inlinable public var total: Int {
    switch self {
    case .bust: 0
    case .natural: 21
    default: 17 &+ Int(rawValue)
    }
  }
}

extension Round {
  /// What the finished round paid, in tenths of a bet: -80 to 80.
  @inlinable
  public var payoffTenths: Int { payoffTenths(against: DealerFinal(dealer)) }

  /// What the player's finished hands pay if the dealer's hand ends that way, in tenths of a bet.
  ///
  /// A trainer need not ask; an analyser that knows the chances of every ending does.
  @inlinable
  public func payoffTenths(against final: DealerFinal) -> Int {
    let isNatural = final == .natural
    if isSurrendered { return isNatural && rules.surrender == .late && rules.holeCard != .peek ? -10 : -5 }
    if hasNatural { return isNatural ? 0 : rules.naturalPays.tenths }
    if isNatural { return payoffAgainstNatural }
    var tenths = 0
    for position in 0..<handCount {
      let played = hand(at: position)
      let sign = played.hand.isBust ? -1 : (played.hand.total &- final.total).signum()
      tenths &+= 10 &* played.bets &* sign
    }
    return tenths
  }

  /// A natural beats every hand that is none, 21 included; how much it takes is a rule.
  @inlinable
  var payoffAgainstNatural: Int {
    guard rules.holeCard == .noneAllBetsLost else { return -10 }
    var stakes = 0
    for position in 0..<handCount { stakes &+= hand(at: position).bets }
    return -10 &* stakes
  }
}
