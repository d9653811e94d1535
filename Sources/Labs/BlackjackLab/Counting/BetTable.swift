// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The observed win of a unit bet at each count before a round, and the best whole bets for it.
///
/// With bets b, shares f, edges m and mean squares s of the win of a unit, a round wins W = Σ f b m with the variance
/// V = Σ f b² s − W², and the bankroll B is lost with the chance exp(−2WB/V) (Brownian motion with drift; Sileo 1992).
struct BetTable: Sendable {
  struct Row: Hashable, Sendable {
    let count: Int
    let rounds: Int
    let share: Double
    /// The mean win of a unit, by all hands of a round, and the mean of its square.
    var edge: Double
    let square: Double

    /// The standard error of the edge; rounds of a shoe are nearly independent.
    var edgeError: Double { (max(square - edge * edge, 0) / Double(max(rounds, 1))).squareRoot() }
  }

  var rows: [Row]

  /// Rows from a tally with a step of the ramp for each of the counts. A tail with less than a thousandth of the rounds
  /// is part of the next count.
  init(_ tally: CountTally, game: CountedGame) {
    let (steps, width) = (game.steps, game.payoffWidth)
    let sums = steps.indices.map { step in
      tally.payoffs[step * width..<(step + 1) * width].enumerated().reduce(into: (rounds: 0, win: 0, squares: 0)) {
        let tenths = $1.offset - width / 2
        $0 = ($0.rounds + $1.element, $0.win + tenths * $1.element, $0.squares + tenths * tenths * $1.element)
      }
    }
    let all = sums.reduce(0) { $0 + $1.rounds }
    var (first, last) = (0, sums.count - 1)
    while first < last, sums[...first].reduce(0, { $0 + $1.rounds }) * 1000 < all { first += 1 }
    while last > first, sums[last...].reduce(0, { $0 + $1.rounds }) * 1000 < all { last -= 1 }
    rows = (first...last).compactMap { index in
      let part = (index == first ? 0 : index)...(index == last ? sums.count - 1 : index)
      let sum = sums[part].reduce((0, 0, 0)) { ($0.0 + $1.rounds, $0.1 + $1.win, $0.2 + $1.squares) }
      guard sum.0 > 0 else { return nil }
      return Row(
        count: Int(steps[index].from), rounds: sum.0, share: Double(sum.0) / Double(max(all, 1)),
        edge: Double(sum.1) / Double(sum.0) / 10, square: Double(sum.2) / Double(sum.0) / 100)
    }
  }

  init(rows: [Row]) { self.rows = rows }

  /// The same with edges that do not fall as the count rises, as near to the measured ones as they can be (the
  /// pool-adjacent-violators algorithm, weighted by rounds): few rounds at a high count do not make it a bad one.
  var pooled: BetTable {
    var pools: [(end: Int, weight: Double, sum: Double)] = []
    for (index, row) in rows.enumerated() {
      var last = (end: index + 1, weight: row.share, sum: row.share * row.edge)
      while let before = pools.last, before.sum * last.weight >= last.sum * before.weight {
        last = (last.end, last.weight + before.weight, last.sum + before.sum)
        pools.removeLast()
      }
      pools.append(last)
    }
    var (table, begin) = (self, 0)
    for pool in pools {
      for index in begin..<pool.end { table.rows[index].edge = pool.sum / pool.weight }
      begin = pool.end
    }
    return table
  }

  func win(_ bets: [Int]) -> Double { zip(rows, bets).reduce(0) { $0 + $1.0.share * Double($1.1) * $1.0.edge } }

  func variance(_ bets: [Int]) -> Double {
    let win = win(bets)
    return zip(rows, bets).reduce(0) { $0 + $1.0.share * Double($1.1 * $1.1) * $1.0.square } - win * win
  }

  /// The risk of losing a bankroll, in units, for ever.
  func ruin(_ bets: [Int], bankroll: Double) -> Double {
    RuinFormula.ever(bankroll, mean: win(bets), variance: variance(bets))
  }

  /// The bets of 1 to `spread` units that win most with a risk of ruin of at most `ruin`; `nil` if none is that safe.
  ///
  /// The best bets without the rounding to units are proportional to edge over mean square, within 1 and the spread:
  /// those that maximise W for a given V. So the ramps of one factor after the other are tried first; then units are
  /// added, or moved from one count to another, as long as that wins more and is safe.
  func best(spread: Int, bankroll: Double, ruin: Double) -> [Int]? {
    func isSafe(_ bets: [Int]) -> Bool { self.ruin(bets, bankroll: bankroll) <= ruin }
    guard var bets = ramps(spread: spread).last(where: isSafe) else { return nil }
    while let next = moves(from: bets, spread: spread).filter({ $0.gain > 1e-12 && isSafe($0.bets) })
      .max(by: { $0.gain < $1.gain })
    {
      bets = next.bets
    }
    return bets
  }

  /// The smallest bankroll, in units, for a risk of ruin; `nil` if no bets of 1 to `spread` units win.
  func bankroll(spread: Int, ruin: Double) -> Double? {
    ramps(spread: spread).compactMap { bets in
      let win = win(bets)
      return win > 0 ? -log(ruin) * variance(bets) / (2 * win) : nil
    }.min()
  }

  /// The ramps in proportion to edge over mean square, rounded to units, from a flat bet of one upwards.
  func ramps(spread: Int) -> [[Int]] {
    let raises = rows.indices.flatMap { index -> [(factor: Double, index: Int)] in
      guard rows[index].edge > 0 else { return [] }
      return (1..<max(spread, 1)).map { ((Double($0) + 0.5) * rows[index].square / rows[index].edge, index) }
    }.sorted { ($0.factor, $0.index) < ($1.factor, $1.index) }
    var ramps = [Array(repeating: 1, count: rows.count)]
    for raise in raises {
      var next = ramps[ramps.count - 1]
      next[raise.index] += 1
      ramps.append(next)
    }
    return ramps
  }

  /// Bets with one unit more at a count, and with that unit taken from another count.
  private func moves(from bets: [Int], spread: Int) -> [(gain: Double, bets: [Int])] {
    rows.indices.filter { bets[$0] < spread }.flatMap { more -> [(gain: Double, bets: [Int])] in
      let raised = rows[more].share * rows[more].edge
      var one = bets
      one[more] += 1
      return [(raised, one)]
        + rows.indices.filter { $0 != more && bets[$0] > 1 }.map { less in
          var other = one
          other[less] -= 1
          return (raised - rows[less].share * rows[less].edge, other)
        }
    }
  }

  /// All ramps with one unit more or less at one count.
  func neighbours(of bets: [Int], spread: Int) -> [(index: Int, bets: [Int])] {
    rows.indices.flatMap { index in
      [-1, 1].compactMap { change in
        guard 1...spread ~= bets[index] + change else { return nil }
        var other = bets
        other[index] += change
        return (index, other)
      }
    }
  }
}
