// SPDX-License-Identifier: Apache-2.0

import BlackjackCore

/// Every combination of rules except how many decks there are and where the cut card lies.
enum RulesSpace {
  /// The tokens of one rule, the unspoken default first as an empty text.
  static let spellings: [[String]] = [
    ["", "h17"], ["", "nodas"], ["", "spl2", "spl1"], ["", "rsa"], ["", "hsa"], ["", "d9", "d10", "d11"],
    ["", "ls", "es", "es10"], ["", "rescue", "charlie5"], ["", "enhc", "obo", "bb1"],
    ["", "bj65", "bj11", "bj21", "bj75"],
  ]

  /// The tokens of all 46080 of them, those that contradict themselves included.
  static let tails: [[String]] = spellings.reduce([[]]) { tails, choices in
    tails.flatMap { tail in choices.map { $0.isEmpty ? tail : tail + [$0] } }
  }

  /// Those that hold together, as rules of a six-deck game.
  static let all: [Rules] = tails.compactMap { try? Rules(name: (["6d"] + $0).joined(separator: "-")) }
}
