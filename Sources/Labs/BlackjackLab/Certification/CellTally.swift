// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Statistics

/// What samples of a cell gave: for every action its value, for every pair of actions the difference of their values
/// in the same sample. Values are in millionths of a bet, exact in whole numbers, so that the order of merging does
/// not matter.
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

  /// Whether no sample was played.
  var isEmpty: Bool { values.allSatisfy { $0.count == 0 } }

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
  private var values = InlineArray<5, Sums>(repeating: Sums())
  private var differences = InlineArray<10, Sums>(repeating: Sums())

  private struct Sums {
    var sum = 0
    var squares = 0

    @inline(__always)
    mutating func add(_ value: Int) {
      sum &+= value
      squares &+= value &* value
    }
  }

  init(actions: [Action]) {
    self.actions = actions
  }

  /// Adds one sample: a value for each action, in units.
  @inline(__always)
  mutating func add(_ sample: InlineArray<5, Int>, count: Int) {
    samples &+= 1
    var pair = 0
    for first in 0..<count {
      values[first].add(sample[first])
      var second = first &+ 1
      while second < count {
        differences[pair].add(sample[first] &- sample[second])
        second &+= 1
        pair &+= 1
      }
    }
  }

  /// The sums as a tally.
  var tally: CellTally {
    var tally = CellTally(actions: actions)
    for index in tally.values.indices { tally.values[index] = moments(values[index]) }
    for index in tally.differences.indices { tally.differences[index] = moments(differences[index]) }
    return tally
  }

  private func moments(_ sums: Sums) -> MomentTally {
    MomentTally(count: samples, sum: sums.sum, sumOfSquares: Int128(sums.squares))
  }
}
