// SPDX-License-Identifier: Apache-2.0

/// A short text without zero bytes in three machine words, so that comparing it is comparing three integers.
struct PackedText: Hashable {
  /// The most bytes.
  static let capacity = 24

  var low: UInt64 = 0
  var middle: UInt64 = 0
  var high: UInt64 = 0

  /// Nothing.
  init() {}

  /// Some bytes; nil where they are too many, and where one is zero.
  init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    guard end - start <= Self.capacity else { return nil }
    for (place, index) in (start..<end).enumerated() {
      guard bytes[index] != 0 else { return nil }
      let shifted = UInt64(bytes[index]) << UInt64(place & 7 * 8)
      switch place / 8 {
      case 0: low |= shifted
      case 1: middle |= shifted
      default: high |= shifted
      }
    }
  }
}
