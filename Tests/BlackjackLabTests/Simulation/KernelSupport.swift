// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore

/// A small generator with a fixed seed, so that a random test is the same test every time.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct KernelRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x1234_5678_9ABC_DEF1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Rules with every token drawn at random.
  mutating func rules(decks: [String] = ["1d", "2d", "4d", "6d", "8d", "inf"]) throws -> Rules {
    let tokens = [
      decks, ["s17", "h17"], ["das", "nodas"], ["spl1", "spl2", "spl3", "spl2-rsa", "spl3-rsa"], ["", "hsa"],
      ["doa", "d9", "d10"], ["", "ls", "es"], ["peek", "enhc", "obo"], ["bj32", "bj65", "bj11", "bj21"],
    ]
    let chosen = tokens.compactMap { $0.randomElement(using: &self) }.filter { !$0.isEmpty }
    return try Rules(name: chosen.joined(separator: "-"))
  }

  /// A chart that answers every hand with something legal and has no other merit.
  mutating func chart() -> StrategyChart {
    var chart = StrategyChart()
    for key in ChartCellKey.all {
      let isPair = key.row.kind == .pair
      let action = Action.allCases.filter { isPair || $0 != .split }.randomElement(using: &self) ?? .stand
      let fallbacks: [Action] = isPair && action == .surrender ? [.stand, .hit, .split] : [.stand, .hit]
      let needsFallback = action == .double || action == .surrender
      chart[key] = StrategyChart.Cell(action, else: needsFallback ? fallbacks.randomElement(using: &self) : nil)
    }
    return chart
  }

  /// Any card value, each as likely.
  mutating func card() -> CardValue { CardValue.allCases.randomElement(using: &self) ?? .ten }
}
