// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// What a player does with every hand against one upcard, by the hand's own cards alone ("zero memory"): what follows
/// the first action, and what follows a split.
struct HandPolicy {
  /// Stand or hit, for a hand that may do nothing else; by the hand's number in the tree.
  var later: [Action]
  /// Stand, hit or double, for a two-card hand made by a split that is not split again; by the hand's number.
  var afterSplit: [Action]
  /// Whether a pair of that value (0 for the ace) made by a split is split again where that is allowed.
  var splitsAgain: [Bool]

  /// The policy before anything is decided: stand, and split every pair again.
  init(undecidedFor tree: HandTree) {
    later = Array(repeating: .stand, count: tree.count)
    afterSplit = later
    splitsAgain = Array(repeating: true, count: 10)
  }

  /// The policy of a chart.
  ///
  /// - Throws: `BlackjackError.noCell` or `.noLegalAction` where the chart has no answer to a hand that can be dealt.
  init(following chart: StrategyChart, against upcard: CardValue, rules: Rules, tree: HandTree) throws(BlackjackError) {
    self.init(undecidedFor: tree)
    for number in HandTree.empty..<tree.count where tree.sizes[number] >= 2 {
      let hand = tree.hands[number]
      if hand.total >= 21 { continue }
      guard tree.sizes[number] == 2 else {
        later[number] = try chart.action(for: hand, against: upcard, options: [.stand, .hit])
        continue
      }
      let options = rules.optionsAfterSplit(hand)
      afterSplit[number] = try chart.action(for: hand, against: upcard, options: options)
      if let pair = hand.pair {
        let again = rules.takesOneCard(afterSplitting: pair) ? [.stand, .split] : options.union(.split)
        splitsAgain[pair.index] = try chart.action(for: hand, against: upcard, options: again) == .split
      }
    }
  }
}

extension Rules {
  /// What a two-card hand made by a split may do if it is not split again and draws freely.
  func optionsAfterSplit(_ hand: Hand) -> ActionSet {
    doubleAfterSplit && mayDouble(hand) ? [.stand, .hit, .double] : [.stand, .hit]
  }

  /// Whether a split card of that value takes one card and no more.
  func takesOneCard(afterSplitting value: CardValue) -> Bool { value == .ace && !hitSplitAces }

  /// The most hands that splitting a pair of that value may make.
  func maximumHands(splitting value: CardValue) -> Int { value == .ace && !resplitAces ? 2 : maximumHands }
}
