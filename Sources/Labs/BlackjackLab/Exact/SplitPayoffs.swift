// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

extension PayoffSum {
  /// Adds the rounds in which a pair of that value (0 for the ace) is split.
  mutating func addSplit(_ value: Int, in game: UpcardGame, chance: Double) {
    guard let hands = game.maximumHands(splitting: value) else { return }
    let patterns = SplitPattern.all(maximumHands: hands)
    var joint = SplitJoint(value: value, in: game)
    if hands == 2 {
      addTwoHands(joint.endings(level: 0, in: game), chance: chance)
      return
    }
    var moments = SplitMoments()
    for level in 0...SplitPattern.deepestLevel(of: patterns) {
      var shoe = game.shoe
      shoe.remove(value, 2 + level)
      guard shoe.isPossible else { break }
      var draws = Array(repeating: 0.0, count: 10)
      shoe.drawChances(hidden: game.dealer.hidden, into: &draws)
      let endings = joint.endings(level: level, in: game)
      moments.append(endings, pairChance: draws[value])
      if level == 0 && game.shoe.isInfinite {
        addIndependentHands(endings, pairChance: draws[value], patterns: patterns, chance: chance)
      }
    }
    if !game.shoe.isInfinite { isComplete = false }
    addMoments(mean: chance * moments.mean(over: patterns), square: chance * moments.meanSquare(over: patterns))
  }

  /// Adds two hands whose chances are known together.
  private mutating func addTwoHands(_ endings: SplitEndings, chance: Double) {
    for first in 0..<EndingClass.count {
      for second in 0..<EndingClass.count {
        let chances = endings.bothOpen[first * EndingClass.count + second]
        for final in DealerFinal.allCases {
          let payoffs = [first, second].map { EndingClass(index: $0).payoff(against: final) }
          add(10 * payoffs.reduce(0, +), chance * chances[Int(final.rawValue)])
        }
      }
    }
  }

  /// Adds the payoffs' chances, not the moments, of hands that are independent given the dealer's ending: with an
  /// infinite shoe.
  private mutating func addIndependentHands(
    _ endings: SplitEndings, pairChance: Double, patterns: [SplitPattern], chance: Double
  ) {
    for final in DealerFinal.allCases {
      let lane = Int(final.rawValue)
      let dealer = endings.open.reduce(0) { $0 + $1[lane] }
      guard dealer > 0 else { continue }
      let open = Self.payoffs(endings.open.map { $0[lane] / dealer }, against: final)
      let closed = Self.payoffs(endings.closed.map { $0[lane] / dealer }, against: final)
      for pattern in patterns {
        var sum = [0: chance * dealer * Double(pattern.orders)]
        for _ in 0..<pattern.arrivals { sum = sum.mapValues { $0 * pairChance } }
        for _ in 0..<pattern.closed { sum = Self.adding(closed, to: sum) }
        for _ in 0..<pattern.open { sum = Self.adding(open, to: sum) }
        for (bets, chance) in sum { addChance(10 * bets, chance) }
      }
    }
  }

  /// The chances of one hand's payoffs in bets, from those of its classes.
  private static func payoffs(_ classes: [Double], against final: DealerFinal) -> [Int: Double] {
    classes.indices.reduce(into: [:]) { payoffs, index in
      payoffs[EndingClass(index: index).payoff(against: final), default: 0] += classes[index]
    }
  }

  /// The chances of the sum of two independent payoffs.
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
