// SPDX-License-Identifier: Apache-2.0

/// A distance or a climb, held exactly in decimetres: sums do not depend on their order.
///
/// The feed sends metres with at most one decimal (`10399.9`, `0`, `0.0`), so a decimetre is all that it says.
public struct Length: Hashable, Sendable {
  /// The length in decimetres; never negative.
  public let decimetres: Int

  /// The longest length of one activity, in decimetres: a hundred thousand kilometres. Ten thousand million activities
  /// of that length still sum within 64 bits.
  public static let mostDecimetres = 1_000_000_000

  /// No length.
  public static let zero = Length(checked: 0)

  init(checked decimetres: Int) {
    self.decimetres = decimetres
  }

  /// A length in decimetres; nil beyond the bounds.
  ///
  /// - Parameter decimetres: From 0 to 10^9.
  public init?(decimetres: Int) {
    guard (0...Self.mostDecimetres).contains(decimetres) else { return nil }
    self.init(checked: decimetres)
  }

  /// The decimetre nearest to a number of metres, ties up; nil beyond the bounds, and for NaN and infinities.
  ///
  /// - Parameter metres: From 0 to 10^8.
  public init?(metres: Double) {
    // Bounded before it is multiplied: NaN fails every comparison, and what is left fits an Int.
    guard metres >= 0, metres <= Double(Self.mostDecimetres / 10) else { return nil }
    // By hand, because `rounded()` needs the C library's mathematics, which an app on this core alone does not link.
    self.init(checked: Int(metres * 10 + 0.5))
  }

  /// The length in metres: the nearest double.
  public var metres: Double { Double(decimetres) / 10 }

  /// The length in kilometres: the nearest double.
  public var kilometres: Double { Double(decimetres) / 10_000 }
}

extension Length: Comparable {
  /// Whether the left is shorter.
  public static func < (left: Length, right: Length) -> Bool { left.decimetres < right.decimetres }
}
