// SPDX-License-Identifier: Apache-2.0
/// The receiver of a card.
@frozen public enum Seat: UInt8, Hashable, Sendable {
  case player, dealer
}

/// The state of the table that the rules depend on.
@frozen @usableFromInline struct Table: Hashable, Sendable {
  @usableFromInline var need = Round.Need.playerCard
  @usableFromInline var hands = HandRow()
  @usableFromInline var active = 0
  @usableFromInline var dealer = Hand()
  @usableFromInline var upcard = CardValue.ace
  @usableFromInline var options: ActionSet = []
  @usableFromInline var isSurrendered = false
  @usableFromInline var isPlayerDone = false
  /// The number of hits of a hand that is not split, under rules with a Charlie; 0 under others.
  @usableFromInline var hits: UInt8 = 0

  @inlinable init() {}
}

/// One round of blackjack, from the first card to the payoff: the rules as a state machine.
///
/// A round waits for one input at a time (`need`): a card, a decision about the active hand, or nothing once it is
/// over. A trainer asks a person; `play(from:by:)` takes the input from a source of cards and a strategy. Cards are
/// dealt in the usual order: player, upcard, player, and the hole card if the rules have one.
///
/// A round is a value: copies continue independently, and equal rounds behave equally.
@frozen public struct Round: Hashable, Sendable {
  /// The input that a round waits for.
  @frozen public enum Need: UInt8, Hashable, Sendable {
    /// The next card of the shoe, for the player's active hand.
    case playerCard
    /// The next card of the shoe, for the dealer.
    case dealerCard
    /// An action for the active hand; `options` are allowed.
    case decision
    /// Nothing: the round is over, and `payoffTenths` is its payoff.
    case nothing
  }

  /// The game's rules.
  public let rules: Rules
  @usableFromInline var table = Table()

  /// A round before its first card.
  @inlinable public init(rules: Rules) { self.rules = rules }

  /// The input that the round waits for now.
  @inlinable public var need: Need { table.need }

  /// The number of the player's hands, 1 to 4.
  @inlinable public var handCount: Int { table.hands.count }

  /// The player's hand at a position from 0, in the order of play.
  @inlinable public func hand(at position: Int) -> PlayerHand { table.hands[position] }

  /// The hand being played.
  @inlinable public var activeHand: PlayerHand { table.hands[table.active] }

  /// The dealer's cards, including a face-down hole card.
  @inlinable public var dealer: Hand { table.dealer }

  /// The dealer's first card; `ace` before it is dealt.
  @inlinable public var upcard: CardValue { table.upcard }

  /// True if the player surrendered.
  @inlinable public var isSurrendered: Bool { table.isSurrendered }

  /// True if all of the player's hands are finished.
  @inlinable public var isPlayerDone: Bool { table.isPlayerDone }

  /// The actions allowed for the active hand while the round waits for a decision; empty otherwise.
  @inlinable public var options: ActionSet { table.options }

  /// Deals the card that the round waits for.
  ///
  /// - Throws: `BlackjackError.notAsked` when it does not wait for a card; the round is then unchanged.
  @inlinable public mutating func receive(_ card: CardValue) throws(BlackjackError) {
    switch need {
    case .playerCard:
      table.hands[table.active].hand.add(card)
      afterPlayerCard()
    case .dealerCard:
      if dealer.size == 0 { table.upcard = card }
      table.dealer.add(card)
      afterDealerCard()
    case .decision, .nothing:
      throw .notAsked(offered: "a card", needed: need.description)
    }
  }

  /// Plays the active hand by a decision.
  ///
  /// - Throws: `BlackjackError.notAsked` when no decision is due, `.illegalAction` for an action that is not allowed;
  ///   the round is then unchanged.
  @inlinable public mutating func act(_ action: Action) throws(BlackjackError) {
    guard need == .decision else { throw .notAsked(offered: action.name, needed: need.description) }
    guard options.contains(action) else { throw .illegalAction(action, hand: activeHand.hand, options: options) }
    table.options = []
    if action == .surrender && activeHand.isDoubled {
      table.hands[table.active].isRescued = true
      finishHand()
      return
    }
    if action == .surrender {
      table.isSurrendered = true
      table.isPlayerDone = true
      settleOrDraw()
      return
    }
    // Early surrender is decided before the dealer checks for a natural, so the check follows the first other action.
    if looksOnFirstAction && isFirstDecision && dealer.isTwoCard21 {
      table.need = .nothing
      table.isPlayerDone = true
      return
    }
    apply(action)
  }

  /// True if the dealer checks for a natural only after the player's first action.
  @inlinable var looksOnFirstAction: Bool { rules.holeCard == .peek && rules.surrender(against: upcard) == .early }

  /// True if the player has not acted on the first two cards yet.
  @inlinable
  var isFirstDecision: Bool { handCount == 1 && !table.hands.first.isSplit && table.hands.first.hand.size == 2 }

  @inlinable mutating func afterPlayerCard() {
    if dealer.size == 0 {
      table.need = .dealerCard
    } else if isFirstDecision {
      if rules.holeCard == .peek { table.need = .dealerCard } else { openPlay() }
    } else {
      continueHand()
    }
  }

  @inlinable mutating func afterDealerCard() {
    if dealer.size == 1 {
      table.need = .playerCard
    } else if isPlayerDone {
      settleOrDraw()
    } else if !looksOnFirstAction && dealer.isTwoCard21 {
      table.isPlayerDone = true
      table.need = .nothing
    } else {
      openPlay()
    }
  }

  /// Starts the player's turn, after the first two cards and a preceding check for a natural.
  @inlinable mutating func openPlay() {
    if activeHand.hand.isTwoCard21 {
      table.isPlayerDone = true
      settleOrDraw()
    } else {
      ask()
    }
  }

  /// Starts to wait for a decision about the active hand.
  @inlinable mutating func ask() {
    let active = activeHand
    let drawsFreely = !active.isSplitAce || rules.hitSplitAces
    var options = drawsFreely ? ActionSet([.stand, .hit]) : .stand
    if drawsFreely && rules.mayDouble(active.hand) && (!active.isSplit || rules.doubleAfterSplit) {
      options.insert(.double)
    }
    if let pair = active.hand.pair, maySplit(pair, isSplit: active.isSplit) { options.insert(.split) }
    if rules.surrender(against: upcard) != .none && !active.isSplit && active.hand.size == 2 {
      options.insert(.surrender)
    }
    table.options = options
    table.need = .decision
  }

  @inlinable func maySplit(_ pair: CardValue, isSplit: Bool) -> Bool {
    handCount < rules.maximumHands && (!isSplit || pair != .ace || rules.resplitAces)
  }

  @inlinable mutating func apply(_ action: Action) {
    switch action {
    case .stand: finishHand()
    case .hit:
      table.need = .playerCard
      if rules.charlie > 0 && !activeHand.isSplit { table.hits &+= 1 }
    case .double:
      table.hands[table.active].isDoubled = true
      table.need = .playerCard
    case .split: split()
    case .surrender: break
    }
  }

  @inlinable mutating func split() {
    guard let pair = activeHand.hand.pair else { return }
    var half = PlayerHand()
    half.hand.add(pair)
    half.isSplit = true
    half.isSplitAce = pair == .ace
    table.hands[table.active] = half
    table.hands.insert(half, after: table.active)
    table.need = .playerCard
  }

  /// Continues the active hand after it received a card: it is finished, or it waits for a decision.
  @inlinable mutating func continueHand() {
    let active = activeHand
    if active.isDoubled || active.hand.total >= 21 {
      if rules.surrenderAfterDouble && active.hand.total < 21 {
        table.options = [.stand, .surrender]
        table.need = .decision
      } else {
        finishHand()
      }
    } else if isCharlie {
      finishHand()
    } else if active.isSplitAce && !rules.hitSplitAces {
      // A split ace gets one card; only a second ace allows a decision.
      if active.hand.pair == .ace && maySplit(.ace, isSplit: true) { ask() } else { finishHand() }
    } else {
      ask()
    }
  }

  /// True if the player's only hand has as many cards as win. Hands of a split do not win so.
  @inlinable var isCharlie: Bool {
    rules.charlie > 0 && handCount == 1 && table.hits &+ 2 >= rules.charlie
      && !table.hands.first.hand.isBust
  }

  @inlinable mutating func finishHand() {
    table.active &+= 1
    if table.active < handCount {
      table.need = .playerCard
    } else {
      table.isPlayerDone = true
      table.active = 0
      settleOrDraw()
    }
  }

  /// Ends the player's turn: the dealer draws as long as a card can still change the payoff.
  @inlinable mutating func settleOrDraw() { table.need = dealerMatters && !isDealerDone ? .dealerCard : .nothing }

  @inlinable var isDealerDone: Bool { dealer.size >= 2 && !rules.dealerDraws(to: dealer) }

  @inlinable var couldHoldNatural: Bool { dealer.size == 1 && (upcard == .ace || upcard == .ten) }

  /// True if the dealer's hand can affect the payoff; it cannot for hands that are all bust, for example.
  @inlinable public var dealerMatters: Bool {
    if isSurrendered { return couldHoldNatural && rules.surrender(against: upcard) == .late }
    if hasNatural || isCharlie { return couldHoldNatural }
    var stakes = 0
    for position in 0..<handCount {
      let played = hand(at: position)
      if !played.hand.isBust && !played.isRescued { return true }
      stakes &+= played.bets
    }
    // All hands are bust or given up, but against a natural only the original bet is lost.
    return rules.holeCard == .noneOriginalBetOnly && stakes > 1 && couldHoldNatural
  }

  /// True if the player was dealt an ace and a ten.
  @inlinable public var hasNatural: Bool { isFirstDecision && table.hands.first.hand.isTwoCard21 }

  /// The payoff of the finished round, in tenths of a bet: -80 to 80.
  @inlinable public var payoffTenths: Int { payoffTenths(against: DealerFinal(dealer)) }

  /// The payoff of the player's finished hands for a final hand of the dealer, in tenths of a bet.
  ///
  /// Analysers use it with the probabilities of all final hands.
  @inlinable public func payoffTenths(against final: DealerFinal) -> Int {
    let isNatural = final == .natural
    if isSurrendered {
      return isNatural && rules.surrender(against: upcard) == .late && rules.holeCard != .peek ? -10 : -5
    }
    if hasNatural { return isNatural ? 0 : rules.naturalPays.tenths }
    if isNatural { return payoffAgainstNatural }
    if isCharlie { return 10 }
    var tenths = 0
    for position in 0..<handCount {
      let played = hand(at: position)
      if played.isRescued {
        tenths &-= 10
        continue
      }
      let sign = played.hand.isBust ? -1 : (played.hand.total &- final.total).signum()
      tenths &+= 10 &* played.bets &* sign
    }
    return tenths
  }

  /// The payoff against a natural, which beats every other hand, 21 included; a rule decides the amount lost.
  @inlinable var payoffAgainstNatural: Int {
    guard rules.holeCard == .noneAllBetsLost || rules.holeCard == .noneBustedBetsPlusOne else { return -10 }
    var (lost, plusOne) = (0, 0)
    for position in 0..<handCount {
      let played = hand(at: position)
      if rules.holeCard == .noneAllBetsLost || played.hand.isBust || played.isRescued {
        lost &+= played.isRescued ? 1 : played.bets
      } else {
        plusOne = 1
      }
    }
    return -10 &* (lost &+ plusOne)
  }

  /// Plays a whole round.
  ///
  /// - Returns: the payoff, in tenths of a bet.
  /// - Throws: the errors of the source and the strategy, and `BlackjackError.illegalAction` for a decision that the
  ///   rules forbid.
  @inlinable public static func play<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
    rules: Rules, from source: inout Source, by player: inout Player
  ) throws(BlackjackError) -> Int {
    var round = Round(rules: rules)
    try round.finish(from: &source, by: &player)
    return round.payoffTenths
  }

  /// Plays the rest of the round.
  @inlinable public mutating func finish<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
    from source: inout Source, by player: inout Player
  ) throws(BlackjackError) {
    while need != .nothing { try step(from: &source, by: &player) }
  }

  /// Plays until the player's hands are finished and the dealer has still to draw.
  @inlinable public mutating func finishPlayer<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
    from source: inout Source, by player: inout Player
  ) throws(BlackjackError) {
    while !isPlayerDone { try step(from: &source, by: &player) }
  }

  @inlinable mutating func step<Source: CardSource & ~Copyable, Player: Strategy & ~Copyable>(
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

extension Round.Need: CustomStringConvertible {
  /// The required input in words.
  public var description: String {
    switch self {
    case .playerCard: "a card for the player"
    case .dealerCard: "a card for the dealer"
    case .decision: "a decision"
    case .nothing: "nothing: it is over"
    }
  }
}

/// The dealer's final hand, as far as payoffs depend on it.
@frozen public enum DealerFinal: UInt8, CaseIterable, Hashable, Sendable {
  case seventeen = 0
  case eighteen, nineteen, twenty, twentyOne, bust, natural

  /// The class of a finished hand.
  @inlinable public init(_ hand: Hand) {
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

/// A source of the cards of a round: a shoe, a deck on the screen, a script.
public protocol CardSource: ~Copyable {
  /// The next card, for a seat.
  ///
  /// - Throws: `BlackjackError.outOfCards` when there is none.
  mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue
}

/// A source of decisions: a chart, a person, an experiment.
public protocol Strategy: ~Copyable {
  /// The action for the active hand of a round that waits for a decision.
  ///
  /// - Throws: `BlackjackError` if it has no decision.
  mutating func decide(_ round: borrowing Round) throws(BlackjackError) -> Action
}
