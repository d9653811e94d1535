// SPDX-License-Identifier: GPL-3.0-or-later

/// What is wrong with the operations on a tree.
///
/// Source: the mutants of the binary search tree in Shi et al., "Etna: an evaluation platform for property-based
/// testing", ICFP 2023, after Hughes, "How to specify it!", TFP 2019.
package enum TreeFault: String, Sendable, Hashable, CaseIterable {
  /// Inserting into a tree gives a tree of one node.
  case insert_1
  /// Inserting never goes right: a larger key overwrites the value met.
  case insert_2
  /// Inserting a known key keeps the old value.
  case insert_3
  /// Deleting gives the subtree in which it went on.
  case delete_4
  /// Deleting goes to the wrong side.
  case delete_5
  /// A union grafts the other tree on without splitting it.
  case union_6
  /// A union grafts the tree with the larger root on the right without splitting it.
  case union_7
  /// A union forgets whose values come first.
  case union_8
}

/// The operations of the tree, with a fault or without.
struct TreeOperations: Sendable {
  let fault: TreeFault?

  func insert(_ key: Int, _ value: Int, into tree: SearchTree) -> SearchTree {
    guard case .node(let left, let own, let old, let right) = tree else { return .node(.empty, key, value, .empty) }
    if fault == .insert_1 { return .node(.empty, key, value, .empty) }
    if key < own { return .node(insert(key, value, into: left), own, old, right) }
    if key > own, fault != .insert_2 { return .node(left, own, old, insert(key, value, into: right)) }
    return .node(left, own, fault == .insert_3 ? old : value, right)
  }

  func delete(_ key: Int, from tree: SearchTree) -> SearchTree {
    guard case .node(let left, let own, let value, let right) = tree else { return .empty }
    if key == own { return left.joined(with: right) }
    let goesLeft = fault == .delete_5 ? key > own : key < own
    if fault == .delete_4 { return delete(key, from: goesLeft ? left : right) }
    return goesLeft
      ? .node(delete(key, from: left), own, value, right) : .node(left, own, value, delete(key, from: right))
  }

  /// All keys of both; where both have one, the value of the first.
  func union(_ first: SearchTree, _ second: SearchTree) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = first else { return second }
    guard case .node(let otherLeft, let otherKey, let otherValue, let otherRight) = second else { return first }
    switch fault {
    case .union_6:
      return .node(left, key, value, .node(union(right, otherLeft), otherKey, otherValue, otherRight))
    case .union_7, .union_8:
      if key == otherKey { return .node(union(left, otherLeft), key, value, union(right, otherRight)) }
      if key > otherKey { return union(second, first) }
      if fault == .union_7 {
        return .node(left, key, value, .node(union(right, otherLeft), otherKey, otherValue, otherRight))
      }
      return .node(
        union(left, otherLeft.below(key)), key, value,
        union(right, .node(otherLeft.above(key), otherKey, otherValue, otherRight)))
    default:
      return .node(union(left, second.below(key)), key, value, union(right, second.above(key)))
    }
  }
}
