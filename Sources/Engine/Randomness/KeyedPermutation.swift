// SPDX-License-Identifier: GPL-3.0-or-later

/// A permutation of the 32-bit numbers chosen by a key: a Feistel network of six rounds on 16-bit halves.
///
/// Each round adds a function of one half to the other, which can be undone whatever the function is, so the whole is a
/// bijection. Four rounds with random functions are a strong pseudorandom permutation (Luby and Rackoff, 1988); six
/// leave a margin for functions that are merely well mixed.
struct KeyedPermutation: Sendable, Equatable {
  private let roundKeys: SIMD8<UInt64>
  private static let rounds = 6

  /// Derives the round keys from the key with SplitMix64.
  init(key: UInt64) {
    var roundKeys = SIMD8<UInt64>()
    for round in 0..<Self.rounds {
      roundKeys[round] = mixed(key &+ UInt64(round + 1) &* 0x9e37_79b9_7f4a_7c15)
    }
    self.roundKeys = roundKeys
  }

  /// Where the permutation takes a number.
  func image(of number: UInt32) -> UInt32 {
    var left = UInt16(truncatingIfNeeded: number >> 16)
    var right = UInt16(truncatingIfNeeded: number)
    for round in 0..<Self.rounds {
      (left, right) = (right, left ^ UInt16(truncatingIfNeeded: mixed(roundKeys[round] ^ UInt64(right)) >> 48))
    }
    return UInt32(left) << 16 | UInt32(right)
  }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014; Stafford's mix 13): every input bit reaches every
/// output bit.
private func mixed(_ value: UInt64) -> UInt64 {
  var mixed = value
  mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  return mixed ^ (mixed >> 31)
}
