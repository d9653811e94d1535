// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// How one case is drawn: how often a choice repeats an earlier one, and how often it is an edge of its range.
///
/// Faults that need two equal values, or many extreme ones, are rare among independent draws. Every case is therefore
/// drawn in a mood of its own, so that each of these meets plain cases, repetitive ones and extreme ones.
/// Source of the idea: Groce et al., "Swarm testing", ISSTA 2012.
///
/// What is drawn besides a collection (the key to look up, to insert, to delete) repeats one of its elements in most
/// cases: of a wide range it would never be among them by chance. The elements themselves differ in half of the cases:
/// repeated ones make a tree, a heap or a table of twenty keys as small as one of five.
///
/// Collections are as long as their ranges allow, all lengths equally often: of 0 to 20 elements a fifth have 0 to 3
/// anyway, and moods for short ones, tried for up to 5 cases in 8, took more cases for every kind of subject, small
/// search trees included, and up to twice as many for structures that balance themselves or grow.
struct Mood: Sendable {
  /// Of 256 choices, how many are an edge of their range.
  private(set) var edges: UInt32 = 16
  /// Of 256 choices in a collection, how many repeat an earlier one, or come next to it.
  private(set) var echoesWithin: UInt32 = 0
  /// Of 256 choices in no collection, how many repeat an earlier one, or come next to it.
  private(set) var echoesOutside: UInt32 = 0
  /// Whether every case has some alternatives switched off.
  var isSwarming = false
  /// Which alternatives are switched off in this case.
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
  ///
  /// - Parameter room: How many its range allows.
  /// - Returns: The same, or fewer when that is many.
  @inline(__always)
  func most(_ room: UInt64) -> UInt64 { room <= 32 ? room : min(room, spread) }
}
