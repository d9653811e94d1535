// SPDX-License-Identifier: GPL-3.0-or-later

/// A short number that two different texts seldom share: 64-bit FNV-1a.
/// Source: Fowler, Noll, Vo; RFC 9923.
struct Checksum: Sendable, Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Both halves folded into 32 bits.
  var folded: UInt32 { UInt32(truncatingIfNeeded: value >> 32 ^ value) }

  /// Twelve hexadecimal digits, for names of files.
  var shortName: String {
    let digits = String(value, radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(12))
  }
}
