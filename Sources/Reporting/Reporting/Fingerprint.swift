// SPDX-License-Identifier: GPL-3.0-or-later

/// A short name for a text, that two different texts seldom share. It protects against mistakes, not against intent.
package enum Fingerprint {
  /// The 64-bit FNV-1a hash of the text's UTF-8 bytes.
  ///
  /// Source: Fowler, Noll, Vo and Eastlake, "The FNV Non-Cryptographic Hash Algorithm", RFC 9923.
  package static func fnv1a(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Eight hexadecimal digits: the hash folded to 32 bits, its upper half and its lower half combined by exclusive or,
  /// as the authors of the hash recommend for shorter ones.
  package static func short(_ text: String) -> String {
    let hash = fnv1a(text)
    let digits = String(UInt32(truncatingIfNeeded: hash >> 32) ^ UInt32(truncatingIfNeeded: hash), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
