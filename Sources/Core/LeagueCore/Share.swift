// SPDX-License-Identifier: Apache-2.0

/// An exact fraction from 0 to 1.
public struct Share: Hashable, Sendable {
  /// What is counted, from 0 to `denominator`.
  public let numerator: Int
  /// What it is counted of, from 1 to 10^11.
  public let denominator: Int

  /// The largest denominator.
  public static let mostDenominator = Points.mostThousandths

  init(checked numerator: Int, of denominator: Int) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// A fraction, with what lies outside 0 to 1 taken to the nearer end.
  ///
  /// - Parameters:
  ///   - part: What is counted; below 0 counts as 0, above the whole as the whole.
  ///   - whole: What it is counted of; a whole of 0 or less, of which nobody can have a part, gives the share 0.
  /// - Throws: `badValue` for a whole above 10^11.
  public init(_ part: Int, of whole: Int) throws(LeagueError) {
    guard whole <= Self.mostDenominator else {
      throw .badValue(
        team: nil, field: "whole of a share", found: "\(whole)", expected: "at most \(Self.mostDenominator)")
    }
    self.init(clamping: part, of: whole)
  }

  /// As `init(_:of:)`, where the whole is known to be small enough.
  init(clamping part: Int, of whole: Int) {
    if whole > 0 {
      self.init(checked: min(max(part, 0), whole), of: whole)
    } else {
      self.init(checked: 0, of: 1)
    }
  }

  /// What is left of the whole: 1 minus the share.
  public var complement: Share { Share(checked: denominator - numerator, of: denominator) }

  /// The share as a number from 0 to 1: the nearest double.
  public var value: Double { Double(numerator) / Double(denominator) }
}
