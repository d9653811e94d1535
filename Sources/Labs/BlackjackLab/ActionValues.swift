// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// The value of each action of a hand, in bets; `nil` where the rules do not allow the action.
///
/// With a peek the values are conditional on the dealer holding no natural, without one they are not. An early
/// surrender is decided before the peek; its conditional value is what half a bet is worth beside the other actions,
/// (P - 1/2) / (1 - P) with P the chance of a natural, so that comparing the five columns decides it.
package struct ActionValues: Hashable, Sendable {
  private var stand: Double?
  private var hit: Double?
  private var double: Double?
  private var split: Double?
  private var surrender: Double?

  /// No action allowed yet.
  package init() {}

  /// The value of an action, in bets.
  package subscript(action: Action) -> Double? {
    get {
      switch action {
      case .stand: stand
      case .hit: hit
      case .double: double
      case .split: split
      case .surrender: surrender
      }
    }
    set {
      switch action {
      case .stand: stand = newValue
      case .hit: hit = newValue
      case .double: double = newValue
      case .split: split = newValue
      case .surrender: surrender = newValue
      }
    }
  }

  /// The allowed actions from best to worst; equal values in the order stand, hit, double, split, surrender.
  package var ranked: [(action: Action, value: Double)] {
    Action.allCases.compactMap { action in self[action].map { (action, $0) } }
      .sorted { ($0.value, $1.action.rawValue) > ($1.value, $0.action.rawValue) }
  }

  /// The best action and its value; `nil` where nothing is allowed.
  package var best: (action: Action, value: Double)? { ranked.first }
}
