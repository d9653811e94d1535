// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Randomness
public import Scenarios
internal import Statistics

/// Tests the certification of charts on cells with known values: each action wins or loses one bet with a known chance.
public enum CertificationCalibration {
  public static let methods: [CalibrationMethod] = [
    CalibrationMethod(
      "certification", "the decisions of a chart of two cells, each after at most 12 waves",
      problems { distribution, confidence in
        var cell = try ActionComparison(
          actions: actions, rules: try Rules(name: "6d-s17-das"), error: (1 - confidence) / Double(cells),
          indifference: distribution.indifference)
        return { wave in
          cell.absorb(wave)
          return (cell.standing(of: actions), cell.ranking(of: actions).first)
        }
      }),
    CalibrationMethod(
      "hasty-certification", "the leader after the first wave in which bounds for one look and one pair do not overlap",
      mutantOf: "certification",
      problems { _, confidence in
        let quantile = try Quantile.normal((1 + confidence) / 2)
        var total = CellTally(actions: actions)
        return { wave in
          total.merge(wave)
          let leader = actions.indices.max { total.values[$0].sum < total.values[$1].sum } ?? 0
          let isApart = actions.indices.allSatisfy { other in
            guard other != leader else { return true }
            // The pairs are stand and hit, stand and double, hit and double.
            let difference = total.differences[leader + other - 1]
            return abs(difference.mean) > quantile * difference.standardError
          }
          return (isApart ? .certified : .open(actions), actions[leader])
        }
      }),
  ]

  /// Takes in a wave of a cell; returns its standing and its leading action.
  private typealias Race = (CellTally) -> (standing: ActionComparison.Standing, leader: Action?)

  private static let actions: [Action] = [.stand, .hit, .double]
  private static let cells = 2

  /// The mean winnings of each action, in bets, and the difference within which they count as equal.
  private typealias Distribution = (name: String, wave: Int, values: [Double], indifference: Double)

  private static let distributions: [Distribution] = [
    ("few", 1, [0, 0, 0], 0.01), ("skewed", 200, [0.96, 0.95, 0.95], 0.01), ("null", 200, [0, 0, 0], 0.01),
    ("all alike", 100, [1, 1, 1], 0.25), ("nearly indifferent", 100, [0.951, 0.7, 0.7], 0.25),
  ]

  private static func problems(
    _ race: @escaping @Sendable (Distribution, _ confidence: Double) throws -> Race
  ) -> [CalibrationProblem] {
    distributions.map { distribution in
      CalibrationProblem(distribution.name) { generator, confidence in
        var (isMade, isWrong) = (false, false)
        for _ in 0..<cells {
          let absorb = try race(distribution, confidence)
          for _ in 0..<12 {
            let (standing, leader) = absorb(wave(of: distribution, using: &generator))
            if case .open = standing { continue }
            let gap = gap(of: leader, distribution)
            isMade = true
            if standing == .certified ? gap <= 0 : abs(gap) > distribution.indifference { isWrong = true }
            break
          }
        }
        return .decision(isMade: isMade, isWrong: isWrong)
      }
    }
  }

  /// The true advantage of an action over the best other one.
  private static func gap(of leader: Action?, _ distribution: Distribution) -> Double {
    guard let index = actions.firstIndex(where: { $0 == leader }) else { return 0 }
    let others = distribution.values.indices.filter { $0 != index }.map { distribution.values[$0] }
    return distribution.values[index] - (others.max() ?? 0)
  }

  private static func wave(of distribution: Distribution, using generator: inout GSLGenerator) -> CellTally {
    let bet = 10 * CellTally.unitsPerTenth
    var sums = BlockSums(actions: actions)
    for _ in 0..<distribution.wave {
      var values = InlineArray<5, Int>(repeating: 0)
      for index in actions.indices {
        values[index] = generator.share() < (1 + distribution.values[index]) / 2 ? bet : -bet
      }
      sums.add(values, count: actions.count)
    }
    return sums.tally
  }
}
