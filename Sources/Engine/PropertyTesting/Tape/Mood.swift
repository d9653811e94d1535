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

  mutating func change(_ words: inout WordStream) {
    let word = words.next()
    switch word & 7 {
    case 0, 1, 2: echoes = 0
    case 3, 4, 5: echoes = 32
    default: echoes = 96
    }
    edges = word & 8 == 0 ? 12 : 40
    if isSwarming { features.change(words.next()) }
  }
}
