// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Statistics

/// What samples of a cell gave: for every action its value, for every pair of actions the difference of their values in the
/// same sample. Values are in millionths of a bet, exact in whole numbers, so that the order of merging does not matter.
struct CellTally: Sendable {
  /// One unit of the tallies, in bets.
  static let unit = 1e-6
  /// Units in a tenth of a bet.
  static let unitsPerTenth = 100_000

  /// The actions under trial.
  let actions: [Action]
  fileprivate(set) var values: [MomentTally]
  fileprivate(set) var differences: [MomentTally]

  init(actions: [Action]) {
    self.actions = actions
    values = Array(repeating: MomentTally(), count: actions.count)
    differences = Array(repeating: MomentTally(), count: actions.count * (actions.count - 1) / 2)
  }

  mutating func merge(_ other: CellTally) {
    for index in values.indices { values[index].merge(other.values[index]) }
    for index in differences.indices { differences[index].merge(other.differences[index]) }
  }
}

/// Sums over the samples of one block, in machine words: a block is short enough for that.
///
/// The largest value is 16 bets, 2^24 units; the squares of 2^14 of them stay below 2^62.
struct BlockSums {
  static let mostSamples = 1 << 14

  private let actions: [Action]
  private var samples = 0
  private var values = SIMD8<Int>.zero
  private var valueSquares = SIMD8<Int>.zero
  private var differences = SIMD16<Int>.zero
  private var differenceSquares = SIMD16<Int>.zero

  init(actions: [Action]) {
    self.actions = actions
  }

  /// Adds one sample: a value for each action, in units.
  @inline(__always)
  mutating func add(_ sample: SIMD8<Int>, count: Int) {
    samples &+= 1
    values &+= sample
    valueSquares &+= sample &* sample
    var spread = SIMD16<Int>.zero
    var pair = 0
    for first in 0..<count {
      for second in (first &+ 1)..<max(count, first &+ 1) {
        spread[pair] = sample[first] &- sample[second]
        pair &+= 1
      }
    }
    differences &+= spread
    differenceSquares &+= spread &* spread
  }

  /// The sums as a tally.
  var tally: CellTally {
    var tally = CellTally(actions: actions)
    for index in tally.values.indices {
      tally.values[index] = MomentTally(
        count: samples, sum: values[index], sumOfSquares: Int128(valueSquares[index]))
    }
    for index in tally.differences.indices {
      tally.differences[index] = MomentTally(
        count: samples, sum: differences[index], sumOfSquares: Int128(differenceSquares[index]))
    }
    return tally
  }
}
