// SPDX-License-Identifier: GPL-3.0-or-later

/// An order in which things that could run at the same time take their turns, as a property draws it.
///
/// Whoever runs them asks it, each time several are ready, which is next. The simplest order is that of becoming ready;
/// counterexamples shrink towards it, so what remains is the few turns that matter.
///
/// ```swift
/// try await check(.turnOrders(), edits) { turns, edits in
///   try VirtualClock.run(choosing: turns.chooser()) { clock in … }
/// }
/// ```
public struct TurnOrder: Sendable, Hashable {
  /// Which of those that are ready is next, turn by turn, counted from the one that has been ready longest; then 0.
  public let turns: [Int]

  /// Creates an order.
  public init(turns: [Int] = []) { self.turns = turns }

  /// Takes the turns one after the other: given how many are ready, says which is next.
  public func chooser() -> (_ count: Int) -> Int {
    var rest = turns[...]
    return { count in (rest.popFirst() ?? 0) % max(1, count) }
  }
}

extension Gen where Value == TurnOrder {
  /// Orders in which things that could run at the same time take their turns.
  ///
  /// - Parameters:
  ///   - turns: How many turns are decided at most; later ones go to what has been ready longest.
  ///   - width: How many that are ready are told apart.
  /// - Returns: Orders whose simplest is that of becoming ready.
  public static func turnOrders(turns: Int = 40, width: Int = 8) -> Gen<TurnOrder> {
    Gen<[Int]>.arrays(of: .integers(in: 0...max(0, width - 1)), count: 0...max(0, turns)).map(TurnOrder.init(turns:))
  }
}
