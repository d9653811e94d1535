// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Foundation

/// The distribution of a round's win, in tenths of a unit.
struct WinDistribution: Hashable, Sendable {
  /// The distinct wins, ascending, with chances above 0 that sum to 1.
  let wins: [(tenths: Int, chance: Double)]
  let mean: Double
  let variance: Double
  /// The greatest common divisor of the wins, in tenths of a unit: the bankroll moves in steps of this size.
  let step: Int

  init(_ wins: [(tenths: Int, chance: Double)]) {
    let possible = wins.filter { $0.chance > 0 }.sorted { $0.tenths < $1.tenths }
    let total = possible.reduce(0) { $0 + $1.chance }
    self.wins = possible.map { ($0.tenths, $0.chance / total) }
    let mean = self.wins.reduce(0) { $0 + $1.chance * Double($1.tenths) / 10 }
    self.mean = mean
    variance = self.wins.reduce(0) {
      $0 + $1.chance * (Double($1.tenths) / 10 - mean) * (Double($1.tenths) / 10 - mean)
    }
    step = max(self.wins.reduce(0) { Self.divisor($0, abs($1.tenths)) }, 1)
  }

  private static func divisor(_ one: Int, _ other: Int) -> Int { other == 0 ? one : divisor(other, one % other) }

  static func == (one: Self, other: Self) -> Bool {
    one.wins.map(\.tenths) == other.wins.map(\.tenths) && one.wins.map(\.chance) == other.wins.map(\.chance)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(wins.map(\.tenths)) }

  /// The t > 0 with E exp(-tX) = 1; the ruin for ever is nearly exp(-tB) (Lundberg). `nil` if the mean win is not
  /// positive or no round can lose.
  var exponent: Double? {
    guard mean > 0, wins.contains(where: { $0.tenths < 0 }) else { return nil }
    func moment(_ t: Double) -> Double { wins.reduce(0) { $0 + $1.chance * exp(-t * Double($1.tenths) / 10) } - 1 }
    var (low, high) = (0.0, 2 * mean / variance)
    while moment(high) < 0 { high *= 2 }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if moment(middle) < 0 { low = middle } else { high = middle }
    }
    return high
  }

  // MARK: Exact

  /// The most multiplications that are done; they take some seconds.
  private static let maxWork = 3e9

  /// The chances of ruin within a number of rounds, checked after each, and of reaching a goal before: the absorbing
  /// walk, exact to rounding. `nil` if it takes too long.
  func trip(bankroll: Double, goal: Double? = nil, rounds: Int) -> (ruin: Double, goal: Double)? {
    let start = lattice(bankroll)
    // The walk is cut off at ten standard deviations, beyond which the chance is below 1e-22.
    let far = bankroll + 10 * (variance * Double(rounds)).squareRoot() + abs(mean) * Double(rounds)
    let top = goal.map { lattice($0) } ?? lattice(far)
    guard Double(top) * Double(rounds) * Double(wins.count) < Self.maxWork, start > 0, top > start else { return nil }
    let moves = wins.map { ($0.tenths / step, $0.chance) }
    var here = Array(repeating: 0.0, count: top)
    here[start] = 1
    var (ruin, reached, low, high) = (0.0, 0.0, start, start)
    for _ in 0..<rounds {
      var next = Array(repeating: 0.0, count: top)
      let (first, last) = (low, high)
      for index in first...last where here[index] > 0 {
        let chance = here[index]
        for (move, share) in moves {
          let to = index + move
          if to <= 0 {
            ruin += chance * share
          } else if to >= top {
            reached += chance * share
          } else {
            next[to] += chance * share
            low = min(low, to)
            high = max(high, to)
          }
        }
      }
      here = next
    }
    return (ruin, goal == nil ? 0 : reached)
  }

  /// The chance of ruin before a goal, or ever: a linear system, exact to rounding. `nil` if it is too large; 1 without
  /// a goal if the mean win is not positive.
  func ruin(bankroll: Double, before goal: Double? = nil) -> Double? {
    guard goal != nil || mean > 0 else { return 1 }
    // Without a goal, one so far away that a later ruin does not change the first twelve digits.
    let top = lattice(goal ?? bankroll + 28 / (exponent ?? 1))
    let start = lattice(bankroll)
    let moves = wins.map { ($0.tenths / step, $0.chance) }
    let (below, above) = (max(-(moves.map(\.0).min() ?? 0), 1), max(moves.map(\.0).max() ?? 0, 1))
    let width = below + above + 1
    let count = top - 1
    guard start > 0, start < top, Double(count) * Double(below) * Double(above) < Self.maxWork,
      count * width < 1 << 27
    else { return start >= top ? 0 : nil }
    // The rows of I - P, each starting `below` places before the diagonal; an M-matrix, which needs no pivoting.
    var rows = Array(repeating: 0.0, count: count * width)
    var right = Array(repeating: 0.0, count: count)
    for row in 0..<count {
      rows[row * width + below] += 1
      for (move, chance) in moves {
        if row + move < 0 {
          right[row] += chance
        } else if row + move < count {
          rows[row * width + below + move] -= chance
        }
      }
    }
    for row in 0..<count {
      let pivot = rows[row * width + below]
      let last = min(row + above, count - 1)
      for other in row + 1..<max(row + 1, min(row + below, count - 1) + 1) {
        let index = other * width + below - (other - row)
        let factor = rows[index] / pivot
        if factor == 0 { continue }
        for column in row...last {
          rows[other * width + below + column - other] -= factor * rows[row * width + below + column - row]
        }
        right[other] -= factor * right[row]
      }
    }
    var values = right
    for row in (0..<count).reversed() {
      var sum = right[row]
      for column in row + 1..<max(row + 1, min(row + above, count - 1) + 1) {
        sum -= rows[row * width + below + column - row] * values[column]
      }
      values[row] = sum / rows[row * width + below]
    }
    return values[start - 1]
  }

  /// A bankroll in steps, rounded up; the player is ruined at 0 or less.
  private func lattice(_ units: Double) -> Int { Int((units * 10 / Double(step) - 1e-9).rounded(.up)) }
}

/// Formulas for a walk with a mean and a variance per round, by Brownian motion or a coin.
enum RuinFormula {
  /// The risk of ruin for ever: exp(-2mB/v), at most 1.
  static func ever(_ bankroll: Double, mean: Double, variance: Double) -> Double {
    min(1, exp(-2 * mean * bankroll / variance))
  }

  /// The risk of ruin for ever with a coin of equal mean and variance (George C.).
  static func coin(_ bankroll: Double, mean: Double, variance: Double) -> Double {
    let size = (variance + mean * mean).squareRoot()
    return min(1, pow((1 - mean / size) / (1 + mean / size), bankroll / size))
  }

  /// The risk of ruin within a number of rounds: the first passage of a barrier.
  static func trip(_ bankroll: Double, rounds: Int, mean: Double, variance: Double) -> Double {
    let (deviation, drift) = ((variance * Double(rounds)).squareRoot(), mean * Double(rounds))
    func phi(_ x: Double) -> Double { 0.5 * erfc(-x / 2.0.squareRoot()) }
    return phi((-bankroll - drift) / deviation)
      + exp(-2 * mean * bankroll / variance) * phi((-bankroll + drift) / deviation)
  }

  /// The risk of ruin before the bankroll reaches `goal`.
  static func before(_ goal: Double, from bankroll: Double, mean: Double, variance: Double) -> Double {
    let rate = 2 * mean / variance
    guard abs(rate * goal) > 1e-12 else { return 1 - bankroll / goal }
    return (exp(-rate * bankroll) - exp(-rate * goal)) / (1 - exp(-rate * goal))
  }
}
