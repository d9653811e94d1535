// SPDX-License-Identifier: GPL-3.0-or-later

/// A binary search tree: smaller keys to the left, larger ones to the right.
indirect enum SearchTree: Sendable, Hashable {
  case empty
  case node(SearchTree, Int, Int, SearchTree)

  /// A key with its value.
  struct Pair: Sendable, Hashable {
    let key: Int
    let value: Int
  }

  /// Keys and values in the order of the tree.
  var pairs: [Pair] {
    switch self {
    case .empty: []
    case .node(let left, let key, let value, let right): left.pairs + [Pair(key: key, value: value)] + right.pairs
    }
  }

  /// Whether every key lies between the keys above it.
  var isOrdered: Bool {
    let keys = pairs.map(\.key)
    return zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
  }

  func value(of wanted: Int) -> Int? {
    switch self {
    case .empty: nil
    case .node(let left, let key, let value, let right):
      wanted < key ? left.value(of: wanted) : wanted > key ? right.value(of: wanted) : value
    }
  }

  /// What of the tree has keys below a bound.
  func below(_ bound: Int) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = self else { return .empty }
    return bound <= key ? left.below(bound) : .node(left, key, value, right.below(bound))
  }

  /// What of the tree has keys above a bound.
  func above(_ bound: Int) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = self else { return .empty }
    return bound >= key ? right.above(bound) : .node(left.above(bound), key, value, right)
  }

  /// The tree with another one whose keys are all larger.
  func joined(with other: SearchTree) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = self else { return other }
    guard case .node(let otherLeft, let otherKey, let otherValue, let otherRight) = other else { return self }
    return .node(left, key, value, .node(right.joined(with: otherLeft), otherKey, otherValue, otherRight))
  }
}
