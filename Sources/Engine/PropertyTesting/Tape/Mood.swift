// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// How one case is drawn: how often a choice repeats an earlier one, and how often it is an edge of its range.
///
/// Faults that need two equal values, or many extreme ones, are rare among independent draws. Every case is therefore
/// drawn in a mood of its own, so that each of these meets plain cases, repetitive ones and extreme ones.
/// Source of the idea: Groce et al., "Swarm testing", ISSTA 2012.
struct Mood: Sendable {
  /// Of 256 choices, how many are an edge of their range.
  private(set) var edges: UInt32 = 16
  /// Of 256 choices, how many repeat an earlier one, or come next to it.
  private(set) var echoes: UInt32 = 0
  /// Whether every case has some alternatives switched off.
  var isSwarming = false
  /// Which alternatives are switched off in this case.
  var features = FeatureMask()

  /// How many elements a collection may have beyond the fewest allowed.
  private(set) var spread = UInt64.max

  /// How far wide integers may be from the simplest value.
  private(set) var window = UInt64.max

  mutating func change(_ words: inout WordStream) {
    let word = words.next()
    switch word & 7 {
    case 0, 1: echoes = 0
    case 2: echoes = 32
    case 3, 4: echoes = 96
    default: echoes = 192
    }
    edges = word & 8 == 0 ? 12 : 40
    switch word >> 4 & 7 {
    case 0, 1, 2: spread = 3
    case 3, 4: spread = 8
    default: spread = .max
    }
    switch word >> 7 & 7 {
    case 0: window = 3
    case 1: window = 8
    default: window = .max
    }
    if isSwarming { features.change(words.next()) }
  }
}
