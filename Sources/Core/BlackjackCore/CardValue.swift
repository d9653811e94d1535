// SPDX-License-Identifier: Apache-2.0

/// What a card counts for at the table: an ace, the pips two to nine, or a ten (ten, jack, queen and king alike).
@frozen
public enum CardValue: UInt8, CaseIterable, Hashable, Sendable, Comparable {
  case ace = 1
  case two, three, four, five, six, seven, eight, nine, ten

  /// The points of the card with an ace counted as one: 1 to 10.
  @inlinable public var points: Int { Int(rawValue) }

  /// The position of the value in tables of ten: ace 0, two 1, up to ten 9.
  @inlinable public var index: Int { Int(rawValue) &- 1 }

  /// How many of the thirteen ranks count for this value: four for a ten, one otherwise.
  @inlinable public var ranksPerSuit: Int { self == .ten ? 4 : 1 }

  /// The order in which charts print upcards: 2 to 10, then the ace.
  public static let chartOrder: [CardValue] = Array(allCases.dropFirst()) + [.ace]

  /// The order of points, the ace lowest.
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension CardValue: CustomStringConvertible {
  /// `A`, `2` to `10`.
  public var description: String { self == .ace ? "A" : String(rawValue) }

  /// The value that a person typed: `A`, `2` to `10`, or a face `T`, `J`, `Q`, `K`, in either case.
  public init?(_ text: some StringProtocol) {
    switch text.uppercased() {
    case "A": self = .ace
    case "T", "J", "Q", "K": self = .ten
    case let digits:
      guard let points = UInt8(digits), points != 1, digits == String(points) else { return nil }
      self.init(rawValue: points)
    }
  }
}
