// SPDX-License-Identifier: Apache-2.0

/// A member's part of what the whole club did.
public struct ClubShare: Hashable, Sendable {
  /// The member's part.
  public let part: Int
  /// The club's whole, in the same unit.
  public let whole: Int

  /// A part of a whole.
  ///
  /// - Parameters:
  ///   - part: The member's, from zero to the whole.
  ///   - whole: The club's.
  public init(part: Int, whole: Int) {
    (self.part, self.whole) = (part, whole)
  }

  /// The part over the whole, the nearest double; nil where the club has nothing to share: a share of nothing is no
  /// number, neither zero nor one.
  public var fraction: Double? { ratio?.value }

  /// The share in whole tenths of a percent, halves up; nil where the club has nothing to share.
  public var tenthsOfPercent: Int? { ratio?.rounded(times: 1000) }

  private var ratio: Ratio? { Ratio(part, over: whole) }
}
