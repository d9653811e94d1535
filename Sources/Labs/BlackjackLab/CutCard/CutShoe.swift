// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Randomness

/// A shoe that one player deals to the end by a chart, with the rest of it at the start of each round.
struct CutShoe: ~Copyable, CardSource {
  /// The cards left behind a cut card: enough for a round, except one in many millions.
  static let reserve = 24
  /// The fewest cards with which a round is dealt.
  private static let least = 14

  private let automaton: RoundAutomaton
  private let player: ChartPlayer
  private let full: ShoeContents
  private var left: ShoeContents
  private var cards: [UInt8]
  private var dealt = 0
  private var stream: WordStream

  init(rules: Rules, chart: StrategyChart, automaton: RoundAutomaton, generator: String) throws {
    self.automaton = automaton
    player = ChartPlayer(chart)
    full = ShoeContents(rules: rules)
    left = full
    cards = full.counts.enumerated().flatMap { Array(repeating: UInt8($0), count: Int($1)) }
    stream = try WordStream(named: generator, seed: 1)
  }

  mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try stream.reseed(seed)
    cards.sort()
  }

  /// Shuffles, and deals rounds while `begins` returns true, given the round's number from 1, the cards dealt before
  /// and the rest, and while there are cards for one.
  mutating func deal(while begins: (_ round: Int, _ dealt: Int, _ left: ShoeContents) -> Bool) throws {
    (dealt, left) = (0, full)
    var round = 1
    while cards.count - dealt >= Self.least, begins(round, dealt, left) {
      do {
        try playRound()
      } catch BlackjackError.outOfCards {
        return
      }
      round += 1
    }
  }

  private mutating func playRound() throws {
    var position = Int(automaton.start)
    while position >= Int(automaton.exitLimit) { position = Int(automaton.next[position + (try nextCard())]) }
    guard case .onward(let split) = automaton.exits[position / 10] else { return }
    var (round, player) = (split.round, player)
    try round.finish(from: &self, by: &player)
  }

  mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue { CardValue.allCases[try nextCard()] }

  private mutating func nextCard() throws(BlackjackError) -> Int {
    guard dealt < cards.count else { throw .outOfCards(dealt: dealt) }
    let other = dealt + Int(stream.below(UInt32(cards.count - dealt)))
    cards.swapAt(dealt, other)
    let card = Int(cards[dealt])
    dealt += 1
    left.remove(card)
    return card
  }
}

/// Sums of vectors and of their products, for means and covariances.
struct VectorMoments {
  let width: Int
  var count = 0.0
  var sums: [Double]

  /// The number of sums for vectors of a width.
  static func size(_ width: Int) -> Int { width + width * (width + 1) / 2 }

  init(width: Int) {
    self.width = width
    sums = Array(repeating: 0, count: Self.size(width))
  }

  /// Adds a vector that begins at a place of an array to the sums at a place of another.
  static func add(_ width: Int, _ vector: [Double], at start: Int, to sums: inout [Double], at beginning: Int) {
    var place = beginning + width
    for first in 0..<width {
      let value = vector[start + first]
      sums[beginning + first] += value
      for second in first..<width {
        sums[place] += value * vector[start + second]
        place += 1
      }
    }
  }

  mutating func merge(_ other: ArraySlice<Double>, count: Double) {
    for (place, value) in zip(sums.indices, other) { sums[place] += value }
    self.count += count
  }

  /// The mean of a weighted sum of the numbers, and the variance of that mean.
  func mean(weighted weights: [Double]) -> (value: Double, variance: Double) {
    var (mean, variance) = (0.0, 0.0)
    var place = width
    for first in 0..<width {
      mean += weights[first] * sums[first] / count
      for second in first..<width {
        let covariance = (sums[place] - sums[first] * sums[second] / count) / (count - 1)
        variance += (first == second ? 1 : 2) * weights[first] * weights[second] * covariance
        place += 1
      }
    }
    return (mean, max(variance, 0) / count)
  }
}
