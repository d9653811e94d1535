// SPDX-License-Identifier: Apache-2.0

/// How much each part of a power score weighs; only the proportions matter.
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

  /// All weights together; 1 where there are none, so that it can always be divided by.
  var total: Int { max(1, Int(winPercentage) + Int(pointsFor) + Int(pointsAgainst)) }
}

/// The largest points of a league, which a team's own are measured against.
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
  /// The win percentage as an exact share: a tie counts half a win, and a team without a game has won none of them: 0.
  public var winPercentage: Share { Share(clamping: 2 * wins + ties, of: 2 * games) }
}

extension Points {
  /// These points as a share of the league's most: negative points count as 0, and so does everybody's share where
  /// the most is 0 or less, because nobody has anything then that could be shared.
  public func share(ofMost most: Points) -> Share {
    Share(clamping: thousandths, of: most.thousandths)
  }
}
