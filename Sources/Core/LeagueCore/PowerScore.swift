// SPDX-License-Identifier: Apache-2.0

/// A team's power score: 0.6 win percentage + 0.3 PF / max PF + 0.1 (1 - PA / max PA), exactly.
///
/// The score is a fraction of integers: two scores are equal exactly when the formula makes them equal, without
/// rounding. It is a weighted mean of three shares. Each share lies from 0 to 1, and a weighted mean lies between the
/// smallest and the largest of its terms, so the score lies from 0 to 1. Both ends are reached: 1 by a team that won
/// everything, scored most and conceded nothing, and 0 by one that lost everything, scored nothing and conceded most.
///
/// Where the formula has no value, or a value out of bounds, `Share` defines the result:
/// - no game played: the win percentage is 0;
/// - negative points count as 0: -9 of 120 scored gives 0, not -0.075, and -9 conceded is as good as 0 conceded;
/// - no team has positive points: every share is 0, so PF adds 0 and PA adds its full 0.1. Before the first game every
///   team therefore scores 0.1.
public struct PowerScore: Sendable, Comparable {
  /// The win percentage.
  public let winPercentage: Share
  /// The points scored, as a share of the most that a team of the league scored.
  public let pointsFor: Share
  /// The points conceded, as a share of the most that a team of the league conceded; they count against the team.
  public let pointsAgainst: Share
  /// The weights of the shares.
  public let weights: PowerWeights

  // The exact score is numerator / denominator. Weights sum to at most 765 and a share's denominator is at most 10^11,
  // so both are at most 765 * 10^33 < 2^120.
  private let numerator: UInt128
  private let denominator: UInt128

  /// The score of a team's season, relative to the largest points of its league.
  public init(of record: SeasonRecord, among maxima: LeagueMaxima, weights: PowerWeights = .standard) {
    self.init(
      winPercentage: record.winPercentage, pointsFor: record.pointsFor.share(ofMost: maxima.pointsFor),
      pointsAgainst: record.pointsAgainst.share(ofMost: maxima.pointsAgainst), weights: weights)
  }

  /// The score of three shares; the complement of the share of points conceded counts.
  public init(winPercentage: Share, pointsFor: Share, pointsAgainst: Share, weights: PowerWeights = .standard) {
    (self.winPercentage, self.pointsFor, self.pointsAgainst) = (winPercentage, pointsFor, pointsAgainst)
    self.weights = weights
    let (games, scored, conceded) = (winPercentage.wide, pointsFor.wide, pointsAgainst.complement.wide)
    let wins = UInt128(weights.winPercentage) * games.numerator * scored.denominator * conceded.denominator
    let attack = UInt128(weights.pointsFor) * scored.numerator * games.denominator * conceded.denominator
    let defence = UInt128(weights.pointsAgainst) * conceded.numerator * games.denominator * scored.denominator
    numerator = wins + attack + defence
    denominator = UInt128(weights.total) * games.denominator * scored.denominator * conceded.denominator
  }

  /// The score as a number from 0 to 1, for display: the nearest multiple of 2^-53.
  ///
  /// Equal scores give equal numbers and a higher score never a lower number, but scores closer than 2^-53 may give the
  /// same number: compare the scores themselves.
  public var value: Double {
    let product = numerator.multipliedFullWidth(by: 1 << 53)
    let (quotient, rest) = denominator.dividingFullWidth((product.high, product.low))
    return Double(UInt64(quotient) + (2 * rest >= denominator ? 1 : 0)) * 0x1p-53
  }

  /// The three terms whose sum is the score, in the formula's order.
  public var explanation: [Component] {
    func part(_ name: Component.Name, _ weight: UInt8, _ share: Share) -> Component {
      Component(name: name, weight: Double(weight) / Double(weights.total), share: share)
    }
    return [
      part(.winPercentage, weights.winPercentage, winPercentage), part(.pointsFor, weights.pointsFor, pointsFor),
      part(.pointsAgainst, weights.pointsAgainst, pointsAgainst.complement),
    ]
  }

  /// One term of a score.
  public struct Component: Hashable, Sendable {
    /// The quantity that a term weighs.
    public enum Name: String, CaseIterable, Hashable, Sendable {
      case winPercentage = "win percentage"
      case pointsFor = "points for"
      case pointsAgainst = "points against"
    }

    /// The quantity that the term weighs.
    public let name: Name
    /// The weight of its share: 0.6, 0.3 or 0.1 with the standard weights.
    public let weight: Double
    /// The exact share; for points against, 1 minus the team's share of the maximum.
    public let share: Share

    /// The term's contribution to the score, for display.
    public var value: Double { weight * share.value }
  }

  /// Returns true if the left score is smaller, compared exactly; scores of different leagues and weights can be
  /// compared.
  public static func < (left: PowerScore, right: PowerScore) -> Bool {
    // In one league denominators differ only where teams have played unequal numbers of games.
    if left.denominator == right.denominator { return left.numerator < right.numerator }
    let (first, second) = products(left, right)
    return (first.high, first.low) < (second.high, second.low)
  }

  /// Returns true if both have exactly the same value; their shares may differ.
  public static func == (left: PowerScore, right: PowerScore) -> Bool {
    if left.denominator == right.denominator { return left.numerator == right.numerator }
    let (first, second) = products(left, right)
    return (first.high, first.low) == (second.high, second.low)
  }

  /// Both numerators over the common denominator, each in 256 bits.
  private static func products(
    _ left: PowerScore, _ right: PowerScore
  ) -> (first: (high: UInt128, low: UInt128), second: (high: UInt128, low: UInt128)) {
    (
      left.numerator.multipliedFullWidth(by: right.denominator),
      right.numerator.multipliedFullWidth(by: left.denominator)
    )
  }
}

extension Share {
  fileprivate var wide: (numerator: UInt128, denominator: UInt128) {
    (UInt128(truncatingIfNeeded: numerator), UInt128(truncatingIfNeeded: denominator))
  }
}

/// The weights of the parts of a power score; only their proportions matter.
public struct PowerWeights: Hashable, Sendable {
  /// The weight of the win percentage.
  public let winPercentage: UInt8
  /// The weight of the points scored.
  public let pointsFor: UInt8
  /// The weight of the points not conceded.
  public let pointsAgainst: UInt8

  /// Weights in these proportions.
  public init(winPercentage: UInt8, pointsFor: UInt8, pointsAgainst: UInt8) {
    (self.winPercentage, self.pointsFor, self.pointsAgainst) = (winPercentage, pointsFor, pointsAgainst)
  }

  /// The product's weights: 0.6, 0.3 and 0.1.
  public static var standard: PowerWeights { PowerWeights(winPercentage: 6, pointsFor: 3, pointsAgainst: 1) }

  /// The sum of the weights; 1 where all are 0, so that it is a valid divisor.
  var total: Int { max(1, Int(winPercentage) + Int(pointsFor) + Int(pointsAgainst)) }
}

/// The largest points of a league; a team's points are divided by them.
public struct LeagueMaxima: Hashable, Sendable {
  /// The most points scored by a team; 0 for a league without teams.
  public let pointsFor: Points
  /// The most points conceded by a team; 0 for a league without teams.
  public let pointsAgainst: Points

  /// These maxima.
  public init(pointsFor: Points, pointsAgainst: Points) {
    (self.pointsFor, self.pointsAgainst) = (pointsFor, pointsAgainst)
  }

  /// The maxima of a league.
  ///
  /// - Complexity: O(n) for n teams.
  public init(of records: [SeasonRecord]) {
    guard var (scored, conceded) = records.first.map({ ($0.pointsFor, $0.pointsAgainst) }) else {
      self.init(pointsFor: .zero, pointsAgainst: .zero)
      return
    }
    for record in records {
      scored = max(scored, record.pointsFor)
      conceded = max(conceded, record.pointsAgainst)
    }
    self.init(pointsFor: scored, pointsAgainst: conceded)
  }
}

extension SeasonRecord {
  /// The win percentage as an exact share: a tie counts as half a win; without a game it is 0.
  public var winPercentage: Share { Share(clamping: 2 * wins + ties, of: 2 * games) }
}

extension Points {
  /// These points as a share of the league's maximum. Negative points count as 0; where the maximum is 0 or less, every
  /// share is 0.
  public func share(ofMost maximum: Points) -> Share { Share(clamping: thousandths, of: maximum.thousandths) }
}

/// An exact fraction from 0 to 1.
public struct Share: Hashable, Sendable {
  /// The part, from 0 to `denominator`.
  public let numerator: Int
  /// The whole, from 1 to 10^11.
  public let denominator: Int

  /// The largest denominator.
  public static let maxDenominator = Points.maxThousandths

  init(checked numerator: Int, of denominator: Int) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// A fraction, clamped to 0 and 1; 0 for a whole of 0 or less.
  ///
  /// - Throws: `badValue` for a whole above 10^11.
  public init(_ part: Int, of whole: Int) throws(LeagueError) {
    guard whole <= Self.maxDenominator else {
      throw .badValue(
        team: nil, field: "whole of a share", found: "\(whole)", expected: "at most \(Self.maxDenominator)")
    }
    self.init(clamping: part, of: whole)
  }

  /// The same as `init(_:of:)` for a whole that is known to be at most 10^11.
  init(clamping part: Int, of whole: Int) {
    self.init(checked: whole > 0 ? min(max(part, 0), whole) : 0, of: max(whole, 1))
  }

  /// 1 minus the share.
  public var complement: Share { Share(checked: denominator - numerator, of: denominator) }

  /// The share as a number from 0 to 1: the nearest double.
  public var value: Double { Double(numerator) / Double(denominator) }
}
