// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Which alternatives are switched off in one case.
///
/// A fault that needs many of one command and none of another is rare when every command is as likely as the others all
/// the time. With a random half of them switched off per case, each such combination gets its share.
/// Source: Groce, Zhang, Eide, Chen and Regehr, "Swarm testing", ISSTA 2012.
struct FeatureMask: Sendable {
  private var key: UInt64 = 0
  private var isPlain = true
  /// The kinds of choices met in this case, in the order in which they were met: what is the same in every process.
  private var kinds: [UInt64] = []

  /// Begins a case: one in four has everything switched on.
  mutating func change(_ word: UInt32) {
    isPlain = word & 3 == 0
    key = UInt64(word >> 2)
    kinds.removeAll(keepingCapacity: true)
  }

  /// The alternatives that are on, as bits; never none.
  ///
  /// - Parameters:
  ///   - kind: Equal for choices among equal alternatives.
  ///   - count: How many alternatives there are; beyond 64 all are on.
  /// - Returns: A bit for every alternative, the lowest for the first.
  mutating func alternatives(_ kind: UInt64, of count: Int) -> UInt64 {
    let all = count >= 64 ? UInt64.max : 1 << UInt64(count) - 1
    if isPlain || count > 64 { return all }
    let place = kinds.firstIndex(of: kind) ?? kinds.count
    if place == kinds.count { kinds.append(kind) }
    let on = Self.mixed(key ^ UInt64(place) << 32) & all
    return on == 0 ? all : on
  }

  /// Steele, Lea and Flood's SplitMix64 finaliser: any change of the input changes half of the bits.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value &+ 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}

extension Draws {
  /// A random alternative among those that are on in this case.
  mutating func featuredBranch(_ count: Int) -> UInt64 {
    // A case that has grown large may need the alternative that ends a recursion.
    guard recorded.count < 2048 else { return UInt64(words.below(UInt32(truncatingIfNeeded: count))) }
    // Alternatives of one number share their switches: a span's label differs from process to process.
    var on = mood.features.alternatives(UInt64(count), of: count)
    if count > 64 { return UInt64(words.below(UInt32(truncatingIfNeeded: count))) }
    for _ in 0..<words.below(UInt32(on.nonzeroBitCount)) { on &= on - 1 }
    return UInt64(on.trailingZeroBitCount)
  }
}
