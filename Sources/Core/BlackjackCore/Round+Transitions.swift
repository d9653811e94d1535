// SPDX-License-Identifier: Apache-2.0

extension Round {
  /// Whether the dealer's look for a natural waits for the player's first action.
  @inlinable
  var looksOnFirstAction: Bool { rules.holeCard == .peek && rules.surrender == .early }

  /// Whether nothing was done with the first two cards yet.
  @inlinable
  var isFirstDecision: Bool { handCount == 1 && !table.hands.first.isSplit && table.hands.first.hand.size == 2 }

  @inlinable
  mutating func afterPlayerCard() {
    if dealer.size == 0 {
      table.need = .dealerCard
    } else if isFirstDecision {
      if rules.holeCard == .peek { table.need = .dealerCard } else { openPlay() }
    } else {
      continueHand()
    }
  }

  @inlinable
  mutating func afterDealerCard() {
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

  /// The first two cards are out and any look for a natural that comes first has been taken.
  @inlinable
  mutating func openPlay() {
    if activeHand.hand.isTwoCard21 {
      table.isPlayerDone = true
      settleOrDraw()
    } else {
      ask()
    }
  }

  /// Waits for a decision about the active hand.
  @inlinable
  mutating func ask() {
    let active = activeHand
    let drawsFreely = !active.isSplitAce || rules.hitSplitAces
    var options = drawsFreely ? ActionSet([.stand, .hit]) : .stand
    if drawsFreely && rules.mayDouble(active.hand) && (!active.isSplit || rules.doubleAfterSplit) {
      options.insert(.double)
    }
    if let pair = active.hand.pair, maySplit(pair, isSplit: active.isSplit) { options.insert(.split) }
    if rules.surrender != .none && !active.isSplit && active.hand.size == 2 { options.insert(.surrender) }
    table.options = options
    table.need = .decision
  }

  @inlinable
  func maySplit(_ pair: CardValue, isSplit: Bool) -> Bool {
    handCount < rules.maximumHands && (!isSplit || pair != .ace || rules.resplitAces)
  }

  @inlinable
  mutating func apply(_ action: Action) {
    switch action {
    case .stand: finishHand()
    case .hit: table.need = .playerCard
    case .double:
      table.hands[table.active].isDoubled = true
      table.need = .playerCard
    case .split: split()
    case .surrender: break
    }
  }

  @inlinable
  mutating func split() {
    guard let pair = activeHand.hand.pair else { return }
    var half = PlayerHand()
    half.hand.add(pair)
    half.isSplit = true
    half.isSplitAce = pair == .ace
    table.hands[table.active] = half
    table.hands.insert(half, after: table.active)
    table.need = .playerCard
  }

  /// The active hand has just taken a card: it is done, it draws again after a split, or it asks.
  @inlinable
  mutating func continueHand() {
    let active = activeHand
    if active.isDoubled || active.hand.total >= 21 {
      finishHand()
    } else if active.isSplitAce && !rules.hitSplitAces {
      // One card to a split ace; only another ace leaves anything to decide.
      if active.hand.pair == .ace && maySplit(.ace, isSplit: true) { ask() } else { finishHand() }
    } else {
      ask()
    }
  }

  @inlinable
  mutating func finishHand() {
    table.active &+= 1
    if table.active < handCount {
      table.need = .playerCard
    } else {
      table.isPlayerDone = true
      table.active = 0
      settleOrDraw()
    }
  }

  /// The player is done: the dealer draws as long as a card can still change the payoff.
  @inlinable
  mutating func settleOrDraw() {
    table.need = dealerMatters && !isDealerDone ? .dealerCard : .nothing
  }

  @inlinable
  var isDealerDone: Bool { dealer.size >= 2 && !rules.dealerDraws(to: dealer) }

  @inlinable
  var couldHoldNatural: Bool { dealer.size == 1 && (upcard == .ace || upcard == .ten) }

  /// Whether the dealer's hand can make any difference to what the round pays: not to hands that are all bust, for one.
  @inlinable
  public var dealerMatters: Bool {
    if isSurrendered { return couldHoldNatural && rules.surrender == .late }
    if hasNatural { return couldHoldNatural }
    var stakes = 0
    for position in 0..<handCount {
      if !hand(at: position).hand.isBust { return true }
      stakes &+= hand(at: position).bets
    }
    // Every hand is bust, but a natural gives back what was added to the original bet.
    return rules.holeCard == .noneOriginalBetOnly && stakes > 1 && couldHoldNatural
  }

  /// Whether the player was dealt an ace and a ten.
  @inlinable
  public var hasNatural: Bool { isFirstDecision && table.hands.first.hand.isTwoCard21 }
}
