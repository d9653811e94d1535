// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// How one case is drawn: how often a choice repeats an earlier one, and how often it is an edge of its range.
///
/// Faults that need two equal values, or many extreme ones, are rare among independent draws. Every case is therefore
/// drawn with a profile of its own, so that each of these meets plain cases, repetitive ones and extreme ones.
/// Source of the idea: Groce et al., "Swarm testing", ISSTA 2012.
///
/// What is drawn besides a collection (the key to look up, to insert, to delete) repeats one of its elements in most
/// cases: of a wide range it would never be among them by chance. The elements themselves differ in half of the cases:
/// repeated ones make a tree, a heap or a table of twenty keys as small as one of five.
///
/// Collections are as long as their ranges allow, all lengths equally often: of 0 to 20 elements a fifth have 0 to 3
/// anyway, and profiles for short ones, tried for up to 5 cases in 8, took more cases for every kind of subject, small
/// search trees included, and up to twice as many for structures that balance themselves or grow.
struct GenerationProfile: Sendable {
  /// Of 256 choices, how many are an edge of their range.
  private(set) var edges: UInt32 = 16
  /// Of 256 choices in a collection, how many repeat an earlier one, or come next to it.
  private(set) var echoesWithin: UInt32 = 0
  /// Of 256 choices in no collection, how many repeat an earlier one, or come next to it.
  private(set) var echoesOutside: UInt32 = 0
  /// Whether every case has some alternatives switched off.
  var isSwarming = false
  var features = FeatureMask()

  /// How many elements a collection of a wide range may have beyond the fewest allowed.
  private(set) var spread = UInt64.max
  /// How far wide integers may be from the simplest value.
  private(set) var window = UInt64.max

  mutating func change(_ words: inout WordStream) {
    let word = words.next()
    switch word & 3 {
    case 0, 1: echoesWithin = 0
    case 2: echoesWithin = 96
    default: echoesWithin = 192
    }
    switch word >> 2 & 3 {
    case 0: echoesOutside = 0
    case 1: echoesOutside = 96
    case 2: echoesOutside = 192
    default: echoesOutside = 216
    }
    edges = word >> 4 & 1 == 0 ? 12 : 40
    switch word >> 5 & 7 {
    case 0: window = 3
    case 1: window = 8
    default: window = .max
    }
    switch word >> 8 & 3 {
    case 0: spread = 8
    case 1: spread = 32
    default: spread = .max
    }
    if isSwarming { features.change(words.next()) }
  }

  /// How many elements beyond the fewest a collection may have.
  @inline(__always)
  func most(_ room: UInt64) -> UInt64 { room <= 32 ? room : min(room, spread) }
}

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
    var on = profile.features.alternatives(UInt64(count), of: count)
    if count > 64 { return UInt64(words.below(UInt32(truncatingIfNeeded: count))) }
    for _ in 0..<words.below(UInt32(on.nonzeroBitCount)) { on &= on - 1 }
    return UInt64(on.trailingZeroBitCount)
  }
}
