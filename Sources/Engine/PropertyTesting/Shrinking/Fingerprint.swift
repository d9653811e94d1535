// SPDX-License-Identifier: GPL-3.0-or-later

/// 128 bits that stand for a sequence of entries, so that the cases already seen need little room.
struct Fingerprint: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// - Complexity: O(n); two multiplications an entry.
  init(_ entries: [TapeEntry]) {
    var high: UInt64 = 0x9e37_79b9_7f4a_7c15
    var low: UInt64 = 0xc2b2_ae3d_27d4_eb4f
    for entry in entries {
      let word = entry.value ^ UInt64(entry.tag.rawValue) << 59
      let product = (low ^ word).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
      low = product.low ^ high
      high = (high ^ word &+ product.high) &* 0xff51_afd7_ed55_8ccd
      high ^= high >> 32
    }
    self.high = high
    self.low = low
  }
}
