// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// One hand of a split: what it can become under the policy, and what it is worth with further pair cards gone.
///
/// Hands of a split are exchangeable, because each is played by its own cards alone: the value of all follows from one.
struct SplitHand {
  /// The value of the split card, 0 for the ace.
  let value: Int
  /// The hands that the policy reaches, in the tree's order.
  let reached: [Int]
  /// What is asked of each hand of the tree: whether it plays on, and whether it only stands (after a double).
  private let tasks: [Task]

  /// What may be asked of a hand.
  private struct Task: OptionSet {
    let rawValue: UInt8
    static let plays = Task(rawValue: 1)
    static let stands = Task(rawValue: 2)
  }

  /// What the policy of a game makes of a split card.
  init(value: Int, in game: UpcardGame) {
    self.value = value
    let tree = game.tree
    let half = tree.child(HandTree.empty, value)
    var tasks = Array(repeating: Task(), count: tree.count)
    for second in 0..<10 { tasks[tree.child(half, second)] = .plays }
    var reached: [Int] = []
    for hand in half..<tree.count where !tasks[hand].isEmpty {
      reached.append(hand)
      guard tasks[hand].contains(.plays) else { continue }
      let action = game.action(afterSplitting: value, with: hand)
      if action == .stand { continue }
      for card in 0..<10 { tasks[tree.child(hand, card)].insert(action == .double ? .stands : .plays) }
    }
    self.tasks = tasks
    self.reached = reached
  }

  /// The expectations of one hand at the levels 0 to `deepest`, as far as the shoe has the cards.
  func levels(to deepest: Int, in game: inout UpcardGame, scratch: inout Scratch) -> SplitLevels {
    var levels = SplitLevels()
    let half = game.tree.child(HandTree.empty, value)
    for level in 0...deepest {
      var shoe = game.shoe
      shoe.remove(value, 2 + level)
      guard shoe.counts[value] >= 0 else { break }
      play(in: &game, further: 1 + level, scratch: &scratch)
      shoe.drawChances(hidden: game.dealer.hidden, into: &scratch.chances)
      let chance = scratch.chances[value]
      let all = game.expectation(of: scratch.playing, after: half, chances: scratch.chances)
      levels.pairChance.append(chance)
      levels.open.append(all)
      levels.closed.append(all - chance * scratch.playing[game.tree.child(half, value)])
    }
    return levels
  }

  /// Room for the values of one level.
  struct Scratch {
    var chances = Array(repeating: 0.0, count: 10)
    var standing = Self.values
    var playing = Self.values

    private static var values: [Double] {
      var values = Array(repeating: 0.0, count: HandTree.shared.count)
      values[HandTree.bust] = -1
      return values
    }
  }

  /// Fills the values of the reached hands with that many further pair cards gone.
  private func play(in game: inout UpcardGame, further: Int, scratch: inout Scratch) {
    stand(in: &game, further: further, scratch: &scratch)
    let tree = game.tree
    var shoe = game.shoe
    shoe.remove(value, further)
    for hand in reached.reversed() where tasks[hand].contains(.plays) {
      let action = game.action(afterSplitting: value, with: hand)
      guard action != .stand else {
        scratch.playing[hand] = scratch.standing[hand]
        continue
      }
      shoe.remove(hand: hand, of: tree)
      defer { shoe.restore(hand: hand, of: tree) }
      guard shoe.isPossible else { continue }
      shoe.drawChances(hidden: game.dealer.hidden, into: &scratch.chances)
      scratch.playing[hand] =
        action == .hit
        ? game.expectation(of: scratch.playing, after: hand, chances: scratch.chances)
        : 2 * game.expectation(of: scratch.standing, after: hand, chances: scratch.chances)
    }
  }

  /// Fills what standing is worth.
  private func stand(in game: inout UpcardGame, further: Int, scratch: inout Scratch) {
    var stands: [Int] = []
    var shoe = game.shoe
    shoe.remove(value, further)
    for hand in reached where tasks[hand].contains(.stands) || game.action(afterSplitting: value, with: hand) == .stand
    {
      shoe.remove(hand: hand, of: game.tree)
      defer { shoe.restore(hand: hand, of: game.tree) }
      guard shoe.isPossible else { continue }
      stands.append(hand)
      game.odds.want(hand, further: further, of: value, shoe: shoe)
    }
    game.odds.compute()
    for hand in stands {
      let chances = game.odds.chances(hand, further: further, of: value)
      scratch.standing[hand] = (chances * game.results[game.tree.hands[hand].total]).sum()
    }
  }
}

extension UpcardGame {
  /// What a hand made by splitting that value does with its cards when it is not split again.
  func action(afterSplitting value: Int, with hand: Int) -> Action {
    if tree.hands[hand].total >= 21 || hand == HandTree.bust { return .stand }
    if tree.sizes[hand] > 2 { return policy.later[hand] }
    return value == 0 && !rules.hitSplitAces ? .stand : policy.afterSplit[hand]
  }
}
