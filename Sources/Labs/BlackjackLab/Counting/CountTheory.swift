// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// What one card less in the shoe does, exactly, by card.
struct RemovalEffects: Sendable {
  /// The gain of a round by the chart of the full shoe, in bets, and of a round by best play.
  let fixed: [Double]
  let best: [Double]
  /// The gain of an insurance bet, in such bets.
  let insurance: [Double]
  /// What a round by the chart earns from the full shoe, in bets.
  let edge: Double

  /// Eleven analyses twice: some seconds.
  init(rules: Rules) throws(BlackjackError) {
    let full = ShoeContents(rules: rules)
    let analysis = ExactAnalysis(rules: rules)
    let chart = analysis.chart.chart
    let edge = try ExactAnalysis(rules: rules, following: chart).gameValue
    var (fixed, best): ([Double], [Double]) = ([], [])
    var insurance: [Double] = []
    for card in CardValue.allCases {
      var shoe = full
      shoe.remove(card.index)
      fixed.append(try ExactAnalysis(rules: rules, following: chart, shoe: shoe).gameValue - edge)
      best.append(ExactAnalysis(rules: rules, shoe: shoe).gameValue - analysis.gameValue)
      insurance.append(3 * (shoe.chance(of: 9) - full.chance(of: 9)))
    }
    (self.fixed, self.best, self.insurance, self.edge) = (fixed, best, insurance, edge)
  }

  /// The mean effect of a random card: 0 where the strategy is fixed.
  static func weightedSum(_ effects: [Double]) -> Double {
    CardValue.allCases.reduce(0) { $0 + Double($1.ranksPerSuit) * effects[$1.index] } / 13
  }

  /// The correlation of effects with the tags of a count, cards weighted as a deck has them.
  static func correlation(_ effects: [Double], _ system: CountingSystem) -> Double {
    let tags = CardValue.allCases.map(system.tag)
    func moment(_ one: [Double], _ other: [Double]) -> Double {
      let product = weightedSum(zip(one, other).map { $0 * $1 })
      return product - weightedSum(one) * weightedSum(other)
    }
    return moment(effects, tags) / (moment(effects, effects) * moment(tags, tags)).squareRoot()
  }

  /// What a bet gains by one point of the true count: the slope of the effects on the tags, a deck having 52 cards.
  static func slope(_ effects: [Double], _ system: CountingSystem, decks: Int) -> Double {
    let tags = CardValue.allCases.map(system.tag)
    let mean = weightedSum(tags)
    let products = weightedSum(zip(effects, tags).map { $0 * ($1 - mean) })
    // The effects are of one card of so many decks; one point a deck is that many cards.
    return products / weightedSum(tags.map { ($0 - mean) * ($0 - mean) }) * Double(52 * decks - 1) / 52
  }
}

/// The chances of the running count after so many cards of a shuffled shoe, exactly.
///
/// Cards with the same tag are alike: the ways to draw so many of each are binomial coefficients, and the tens among
/// their like are as many as their share.
struct CountDistribution {
  /// The chances by the running count in halves of a point from `least` on, and how many tens are seen then on average.
  private var rows: [[(chance: Double, tens: Double)]] = []
  private let least: Int
  private let tens: Double
  private let size: Int

  /// The distributions after 0 to `most` cards; `seen` are out already and count.
  init(_ system: CountingSystem, decks: Int, seen: [CardValue] = [], most: Int) {
    var groups: [Int: (cards: Int, tens: Int)] = [:]
    for value in CardValue.allCases {
      let cards = 4 * decks * value.ranksPerSuit
      let gone = seen.count { $0 == value }
      for (colour, tag) in [system.black[value.index], system.red[value.index]].enumerated() {
        let left = cards / 2 - (colour == 0 ? gone : 0)
        groups[tag, default: (0, 0)].cards += left
        if value == .ten { groups[tag, default: (0, 0)].tens += left }
      }
    }
    let sorted = groups.sorted { $0.key < $1.key }
    size = 52 * decks - seen.count
    tens = Double(sorted.reduce(0) { $0 + $1.value.tens })
    let start = system.start(decks: decks) + seen.reduce(0) { $0 + system.black[$1.index] }
    let reach = sorted.map { abs($0.key) * min(most, $0.value.cards) }.reduce(0, +)
    least = start - reach
    let width = 2 * reach + 1
    var ways = Array(repeating: Array(repeating: 0.0, count: width), count: most + 1)
    var sums = ways
    ways[0][reach] = 1
    for (tag, group) in sorted {
      var binomial = [1.0]
      for drawn in 0..<min(group.cards, most) {
        binomial.append(binomial[drawn] * Double(group.cards - drawn) / Double(drawn + 1))
      }
      let share = group.cards > 0 ? Double(group.tens) / Double(group.cards) : 0
      var (nextWays, nextSums) = (ways, sums)
      for drawn in 1..<binomial.count {
        for before in 0...(most - drawn) {
          for place in max(0, -drawn * tag)..<min(width, width - drawn * tag) where ways[before][place] > 0 {
            let factor = binomial[drawn]
            nextWays[before + drawn][place + drawn * tag] += ways[before][place] * factor
            nextSums[before + drawn][place + drawn * tag] +=
              (sums[before][place] + ways[before][place] * Double(drawn) * share) * factor
          }
        }
      }
      (ways, sums) = (nextWays, nextSums)
    }
    rows = zip(ways, sums).map { ways, sums in
      let all = ways.reduce(0, +)
      return zip(ways, sums).map { ($0 / all, $0 > 0 ? $1 / $0 : 0) }
    }
  }

  /// The chances of the count as it is read, after so many cards; `unseen` are left.
  func chances(after cards: Int, _ reading: CountReading) -> [Double: Double] {
    rows[cards].enumerated().reduce(into: [:]) { chances, row in
      guard row.element.chance > 0 else { return }
      chances[reading.value(running: least + row.offset, unseen: size - cards), default: 0] += row.element.chance
    }
  }

  /// The true count at which the next card is a ten with a chance of a third, that of insurance, between the running
  /// counts where it is less and more: by a straight line.
  func insuranceIndex(after cards: Int) -> Double? {
    let unseen = Double(size - cards)
    let points = rows[cards].enumerated().filter { $0.element.chance > 0 }.map {
      (running: Double(least + $0.offset), ten: (tens - $0.element.tens) / unseen)
    }
    guard let place = points.firstIndex(where: { $0.ten >= 1.0 / 3 }), place > 0 else { return nil }
    let (one, other) = (points[place - 1], points[place])
    let running = one.running + (1.0 / 3 - one.ten) / (other.ten - one.ten) * (other.running - one.running)
    return 26 * running / unseen
  }
}
