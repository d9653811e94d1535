// SPDX-License-Identifier: Apache-2.0

/// A source of 32-bit words, each uniform over all values. Public only for the hot loops of other modules.
@_documentation(visibility: internal)
public protocol WordSource: ~Copyable {
  /// The next word.
  mutating func next() -> UInt32
}

extension WordSource where Self: ~Copyable {
  /// An exactly uniform draw from `0..<bound`, by Lemire's multiply-shift with rejection.
  ///
  /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
  ///
  /// - Complexity: One word in most cases, fewer than 2 on average; a division only when rejection is possible.
  @inlinable @inline(__always)
  public mutating func below(_ bound: UInt32) -> UInt32 {
    var product = UInt64(next()) &* UInt64(bound)
    if UInt32(truncatingIfNeeded: product) < bound {
      let threshold = (0 &- bound) % bound
      while UInt32(truncatingIfNeeded: product) < threshold {
        product = UInt64(next()) &* UInt64(bound)
      }
    }
    return UInt32(truncatingIfNeeded: product &>> 32)
  }

  /// A multiple of 2^-53, uniform in `[0, 1)`, from two words.
  @inlinable
  public mutating func unitInterval() -> Double {
    let high = UInt64(next()) &<< 21
    let low = UInt64(next()) &>> 11
    return Double(high | low) * 0x1p-53
  }
}
