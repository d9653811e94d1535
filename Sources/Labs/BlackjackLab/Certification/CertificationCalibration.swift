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
      problems { law, confidence in
        var cell = try ActionComparison(
          actions: actions, rules: try Rules(name: "6d-s17-das"), error: (1 - confidence) / Double(cells),
          indifference: law.indifference)
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
  private typealias Law = (name: String, wave: Int, values: [Double], indifference: Double)

  private static let laws: [Law] = [
    ("few", 1, [0, 0, 0], 0.01), ("skewed", 200, [0.96, 0.95, 0.95], 0.01), ("null", 200, [0, 0, 0], 0.01),
    ("all alike", 100, [1, 1, 1], 0.25), ("nearly indifferent", 100, [0.951, 0.7, 0.7], 0.25),
  ]

  private static func problems(
    _ race: @escaping @Sendable (Law, _ confidence: Double) throws -> Race
  ) -> [CalibrationProblem] {
    laws.map { law in
      CalibrationProblem(law.name) { generator, confidence in
        var (isMade, isWrong) = (false, false)
        for _ in 0..<cells {
          let absorb = try race(law, confidence)
          for _ in 0..<12 {
            let (standing, leader) = absorb(wave(of: law, using: &generator))
            if case .open = standing { continue }
            let gap = gap(of: leader, law)
            isMade = true
            if standing == .certified ? gap <= 0 : abs(gap) > law.indifference { isWrong = true }
            break
          }
        }
        return .decision(isMade: isMade, isWrong: isWrong)
      }
    }
  }

  /// The true advantage of an action over the best other one.
  private static func gap(of leader: Action?, _ law: Law) -> Double {
    guard let place = actions.firstIndex(where: { $0 == leader }) else { return 0 }
    let others = law.values.indices.filter { $0 != place }.map { law.values[$0] }
    return law.values[place] - (others.max() ?? 0)
  }

  private static func wave(of law: Law, using generator: inout GSLGenerator) -> CellTally {
    let bet = 10 * CellTally.unitsPerTenth
    var sums = BlockSums(actions: actions)
    for _ in 0..<law.wave {
      var values = InlineArray<5, Int>(repeating: 0)
      for place in actions.indices {
        values[place] = generator.share() < (1 + law.values[place]) / 2 ? bet : -bet
      }
      sums.add(values, count: actions.count)
    }
    return sums.tally
  }
}
