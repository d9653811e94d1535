// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The payoff of one round by a chart: exact mean, standard deviation and, where it can be computed, the chance of
/// every payoff.
///
/// Hands of a split share the shoe and the dealer. The second moment needs them in pairs, whatever their number; the
/// chances of all payoffs need all of them together, which is done for splits into two hands and for an infinite shoe,
/// where the hands are independent given the dealer's ending.
struct ExactPayoffs: Sendable {
  struct Payoff: Hashable, Sendable {
    let tenths: Int
    let probability: Double
  }

  /// The mean payoff, in bets: equals the chart's `gameValue`, computed in another way.
  private(set) var mean = 0.0
  private var meanSquare = 0.0
  /// The chances of payoffs, by tenths of a bet.
  private var chances: [Int: Double] = [:]
  private var isComplete = true

  var standardDeviation: Double { max(meanSquare - mean * mean, 0).squareRoot() }

  /// Every possible payoff, ascending; `nil` for a finite shoe if the chart splits into more than two hands.
  var distribution: [Payoff]? {
    guard isComplete else { return nil }
    return chances.filter { $0.value > 1e-15 }.sorted { $0.key < $1.key }
      .map { Payoff(tenths: $0.key, probability: $0.value) }
  }

  /// Computes the payoffs of a chart: about a second for six decks, mostly for pairs of hands after splits.
  init(of analysis: ExactAnalysis) {
    for upcard in CardValue.allCases { add(analysis, against: upcard) }
  }

  private mutating func add(_ tenths: Int, _ chance: Double) {
    chances[tenths, default: 0] += chance
    mean += chance * Double(tenths) / 10
    meanSquare += chance * Double(tenths * tenths) / 100
  }

  private mutating func add(_ analysis: ExactAnalysis, against upcard: CardValue) {
    let game = UpcardGame(rules: analysis.rules, upcard: upcard, policy: analysis.policies?[upcard.index])
    let (squared, split) = (game.squared(), game.afterSplit)
    for number in game.tree.pairsOfCards {
      let hand = game.tree.hands[number]
      let (first, second) = game.tree.cards(ofPair: number)
      let chance = analysis.chance(first, second, against: upcard)
      let natural = game.naturalChance(number)
      // Given no natural, the loss to a natural is added separately: one bet, or nothing if the player has one, too.
      let played = game.dealer.givenNoNatural ? chance * (1 - natural) : chance
      let action = analysis.firstAction(first, second, against: upcard)
      if action == .surrender {
        let whole = analysis.rules.surrender(against: upcard) == .late ? chance * natural : 0
        add(-10, whole)
        add(-5, chance - whole)
        continue
      }
      if hand.isTwoCard21 {
        add(0, chance * natural)
        add(analysis.rules.naturalPays.tenths, chance * (1 - natural))
        continue
      }
      add(-10, chance - played)
      if action == .split {
        addSplit(first.index, in: split, chance: played)
      } else {
        let stake = action == .double ? 2 : 1
        let losesOne = action == .double ? game.chanceOfLosingOne(number) : 0
        let mean = ((game.withoutSplit(number, naturalChance: natural)[action] ?? 0) + losesOne) / Double(stake)
        let square = (squared.withoutSplit(number, naturalChance: natural)[action] ?? 0) / Double(stake)
        add(10 * stake, played * (square + mean) / 2)
        add(0, played * (1 - square - losesOne))
        if losesOne > 0 { add(-10, played * losesOne) }
        add(-10 * stake, played * (square - mean) / 2)
      }
    }
  }

  private mutating func addSplit(_ value: Int, in game: UpcardGame, chance: Double) {
    let hands = game.maximumHands(splitting: value)
    let patterns = SplitPattern.all(maximumHands: hands)
    var joint = SplitJoint(value: value, in: game)
    if hands == 2 {
      addTwoHands(joint.endings(level: 0, in: game), chance: chance, under: game.rules)
      return
    }
    var levels = SplitLevels()
    var all: [SplitEndings] = []
    for level in 0...SplitPattern.deepestLevel(of: patterns) {
      var shoe = game.shoe
      shoe.remove(value, 2 + level)
      guard shoe.isPossible else { break }
      var draws = Array(repeating: 0.0, count: 10)
      shoe.drawChances(hidden: game.dealer.hidden, into: &draws)
      let endings = joint.endings(level: level, in: game)
      all.append(endings)
      levels.pairChance.append(draws[value])
      if level == 0 && game.shoe.isInfinite {
        addIndependentHands(
          endings, pairChance: draws[value], patterns: patterns, chance: chance, under: game.rules)
      }
    }
    if !game.shoe.isInfinite { isComplete = false }
    let payoffs = SplitEndings.payoffs(under: game.rules)
    levels.open = all.map { SplitEndings.mean($0.open, of: payoffs) }
    levels.closed = all.map { SplitEndings.mean($0.closed, of: payoffs) }
    mean += chance * levels.sum(over: patterns)
    meanSquare += chance * levels.meanSquare(over: patterns, endings: all, of: payoffs)
    guard game.rules.takesBustedBetsPlusOne else { return }
    var allLost = AllLost(value, rules: game.rules)
    let taken = allLost.plusOne(over: patterns, levels.pairChance, in: game)
    // E (A - N)^2 = E A^2 - 2 E AN + E N, where N is the one bet that a natural takes from all hands together: AN is
    // what lost hands pay against a natural, unless all are lost; they pay about a bet each then.
    func lost(_ chances: [DealerChances]) -> Double {
      zip(chances, payoffs).reduce(0) { $0 + $1.0[UpcardGame.natural] * $1.1[UpcardGame.natural] }
    }
    levels.open = all.map { lost($0.open) }
    levels.closed = all.map { lost($0.closed) }
    let whole = patterns.reduce(0) {
      $0 - Double($1.arrivals + 2) * allLost.chance(of: $1, levels.pairChance, in: game)
    }
    mean -= chance * taken
    meanSquare += chance * (taken - 2 * (levels.sum(over: patterns) - whole))
  }

  private mutating func addTwoHands(_ endings: SplitEndings, chance: Double, under rules: Rules) {
    for first in 0..<EndingClass.count {
      for second in 0..<EndingClass.count {
        let chances = endings.bothOpen[first * EndingClass.count + second]
        for final in DealerFinal.allCases {
          let hands = [first, second].map { EndingClass(index: $0) }
          let isPlusOne = rules.takesBustedBetsPlusOne && final == .natural && !hands.allSatisfy(\.isLost)
          let bets = hands.reduce(isPlusOne ? -1 : 0) { $0 + $1.payoff(against: final, under: rules) }
          add(10 * bets, chance * chances[Int(final.rawValue)])
        }
      }
    }
  }

  /// Adds the chances of payoffs, but not the moments, for hands that are independent given the dealer's ending: with
  /// an infinite shoe.
  private mutating func addIndependentHands(
    _ endings: SplitEndings, pairChance: Double, patterns: [SplitPattern], chance: Double, under rules: Rules
  ) {
    for final in DealerFinal.allCases {
      let lane = Int(final.rawValue)
      let dealer = endings.open.reduce(0) { $0 + $1[lane] }
      guard dealer > 0 else { continue }
      let open = Self.payoffs(endings.open.map { $0[lane] / dealer }, against: final, under: rules)
      let closed = Self.payoffs(endings.closed.map { $0[lane] / dealer }, against: final, under: rules)
      for pattern in patterns {
        var sum = [0: chance * dealer * Double(pattern.orders)]
        for _ in 0..<pattern.arrivals { sum = sum.mapValues { $0 * pairChance } }
        for _ in 0..<pattern.closed { sum = Self.adding(closed, to: sum) }
        for _ in 0..<pattern.open { sum = Self.adding(open, to: sum) }
        for (sum, chance) in sum {
          let isPlusOne = sum >= Self.kept / 2
          let bets = isPlusOne ? (sum + Self.kept / 2) % Self.kept - Self.kept / 2 - 1 : sum
          chances[10 * bets, default: 0] += chance
        }
      }
    }
  }

  /// Stands for a hand that keeps its bets until a natural takes one from all such hands: more than any payoffs.
  private static let kept = 1 << 10

  private static func payoffs(
    _ classes: [Double], against final: DealerFinal, under rules: Rules
  ) -> [Int: Double] {
    classes.indices.reduce(into: [:]) { payoffs, index in
      let ending = EndingClass(index: index)
      let isKept = rules.takesBustedBetsPlusOne && final == .natural && !ending.isLost
      payoffs[isKept ? Self.kept : ending.payoff(against: final, under: rules), default: 0] += classes[index]
    }
  }

  private static func adding(_ payoffs: [Int: Double], to sum: [Int: Double]) -> [Int: Double] {
    var result: [Int: Double] = [:]
    for first in sum.keys.sorted() {
      for second in payoffs.keys.sorted() {
        result[first + second, default: 0] += (sum[first] ?? 0) * (payoffs[second] ?? 0)
      }
    }
    return result
  }
}

extension HandTree {
  func cards(ofPair hand: Int) -> (CardValue, CardValue) {
    let cards = CardValue.allCases.flatMap { Array(repeating: $0, count: count($0.index, in: hand)) }
    return (cards.first ?? .ace, cards.last ?? .ace)
  }
}
