// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore

@testable import BlackjackLab

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
