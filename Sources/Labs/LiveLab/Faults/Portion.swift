// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of a whole in whole millionths, so that it is written and read back without a loss.
@frozen
package struct Portion: Hashable, Sendable {
  /// How many millionths, from 0 to 1 000 000.
  package let millionths: UInt32

  /// So many millionths; more than all are all.
  @inlinable
  package init(millionths: UInt32) { self.millionths = min(millionths, 1_000_000) }

  /// The nearest millionth of a share.
  ///
  /// - Parameter share: From 0 to 1; what is less is none, what is more is all, and what is no number is none.
  package init(_ share: Double) {
    let wanted = share * 1e6
    millionths = wanted > 0 ? UInt32(min(wanted, 1e6).rounded()) : 0
  }

  /// Nothing of it.
  package static let none = Portion(millionths: 0)
  /// All of it.
  package static let all = Portion(millionths: 1_000_000)

  /// The share, from 0 to 1.
  @inlinable package var share: Double { Double(millionths) / 1e6 }
}
