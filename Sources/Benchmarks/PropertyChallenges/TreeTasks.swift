// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Faults of a binary search tree; the names of the laws are those of Shi et al., "Etna", ICFP 2023.
package enum TreeTasks {
  /// All 52 tasks, by fault.
  package static let all: [FaultTask] = FaultTask.all(laws, shown: shown)
  /// The correct tree.
  package static let correct: [FaultTask] = laws.map { $0.task(nil) }

  private static let keys = Gen<Int>.integers(in: -100...100)
  private static let values = Gen<Int>.integers()
  private static let trees = Gen.arrays(of: zip(keys, values)).map(SearchTreeOperations.tree)

  private static let laws: [Law<SearchTreeOperations>] = [
    Law("InsertValid", trees, keys, values) { $0.insert($2, $3, into: $1).isValid },
    Law("DeleteValid", trees, keys) { $0.delete($2, from: $1).isValid },
    Law("UnionValid", trees, trees) { $0.union($1, $2).isValid },
    Law("InsertPost", trees, keys, keys, values) { $0.insertPost($1, $2, $3, $4) },
    Law("DeletePost", trees, keys, keys) { try $0.deletePost($1, $2, $3) },
    Law("UnionPost", trees, trees, keys) { tree, first, second, key in
      tree.union(first, second).value(of: key) == first.value(of: key) ?? second.value(of: key)
    },
    Law("InsertModel", trees, keys, values) { $0.insertModel($1, $2, $3) },
    Law("DeleteModel", trees, keys) { try $0.deleteModel($1, $2) },
    Law("UnionModel", trees, trees) { tree, first, second in
      let known = Set(first.pairs.map(\.key))
      return tree.union(first, second).pairs
        == (first.pairs + second.pairs.filter { !known.contains($0.key) }).sorted { $0.key < $1.key }
    },
    Law("InsertInsert", trees, zip(keys, values), zip(keys, values)) { $0.insertInsert($1, $2, $3) },
    Law("InsertDelete", trees, keys, values, keys) { try $0.insertDelete($1, $2, $3, $4) },
    Law("InsertUnion", trees, trees, keys, values) { tree, first, second, key, value in
      tree.insert(key, value, into: tree.union(first, second)).pairs
        == tree.union(tree.insert(key, value, into: first), second).pairs
    },
    Law("DeleteInsert", trees, keys, keys, values) { try $0.deleteInsert($1, $2, $3, $4) },
    Law("DeleteDelete", trees, keys, keys) { try $0.deleteDelete($1, $2, $3) },
    Law("DeleteUnion", trees, trees, keys) { tree, first, second, key in
      tree.delete(key, from: tree.union(first, second)).pairs
        == tree.union(tree.delete(key, from: first), tree.delete(key, from: second)).pairs
    },
    Law("UnionDeleteInsert", trees, trees, keys, values) { tree, first, second, key, value in
      tree.union(tree.delete(key, from: first), tree.insert(key, value, into: second)).pairs
        == tree.insert(key, value, into: tree.union(first, second)).pairs
    },
    Law("UnionUnionIdem", trees) { $0.union($1, $1).pairs == $1.pairs },
    Law("UnionUnionAssoc", trees, trees, trees) { tree, first, second, third in
      tree.union(tree.union(first, second), third) == tree.union(first, tree.union(second, third))
    },
  ]

  private static let shown: [TreeFault: String] = [
    .insert_1: "InsertPost InsertModel InsertInsert InsertUnion UnionDeleteInsert DeleteInsert",
    .insert_2: "InsertPost InsertModel InsertInsert InsertUnion UnionDeleteInsert DeleteInsert InsertDelete",
    .insert_3: "InsertPost InsertModel InsertInsert InsertUnion UnionDeleteInsert InsertDelete",
    .delete_4: "DeletePost DeleteModel DeleteDelete DeleteInsert DeleteUnion UnionDeleteInsert InsertDelete",
    .delete_5: "DeletePost DeleteModel DeleteDelete DeleteInsert DeleteUnion UnionDeleteInsert",
    .union_6: "UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc UnionValid",
    .union_7: "UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc UnionValid",
    .union_8: "UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc",
  ]
}

/// A binary search tree.
indirect enum SearchTree: KeyedTree, Hashable {
  case empty
  case node(SearchTree, Int, Int, SearchTree)

  var pairs: [Pair] {
    switch self {
    case .empty: []
    case .node(let left, let key, let value, let right): left.pairs + [Pair(key: key, value: value)] + right.pairs
    }
  }

  var isValid: Bool { isOrdered }

  func value(of wanted: Int) -> Int? {
    switch self {
    case .empty: nil
    case .node(let left, let key, let value, let right):
      wanted < key ? left.value(of: wanted) : wanted > key ? right.value(of: wanted) : value
    }
  }

  func below(_ bound: Int) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = self else { return .empty }
    return bound <= key ? left.below(bound) : .node(left, key, value, right.below(bound))
  }

  func above(_ bound: Int) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = self else { return .empty }
    return bound >= key ? right.above(bound) : .node(left.above(bound), key, value, right)
  }

  /// The tree joined with another one whose keys are all larger.
  func joined(with other: SearchTree) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = self else { return other }
    guard case .node(let otherLeft, let otherKey, let otherValue, let otherRight) = other else { return self }
    return .node(left, key, value, .node(right.joined(with: otherLeft), otherKey, otherValue, otherRight))
  }
}

/// The faults of the operations on a tree.
///
/// Source: the mutants of the binary search tree in Shi et al., "Etna: an evaluation platform for property-based
/// testing", ICFP 2023, after Hughes, "How to specify it!", TFP 2019.
package enum TreeFault: String, Sendable, Hashable, CaseIterable {
  /// Insertion returns a tree of one node.
  case insert_1
  /// Insertion never goes right: a larger key overwrites an existing value.
  case insert_2
  /// Insertion of an existing key keeps the old value.
  case insert_3
  /// Deletion returns the subtree that it descended into.
  case delete_4
  /// Deletion goes to the wrong side.
  case delete_5
  /// A union attaches the other tree without splitting it.
  case union_6
  /// A union attaches the tree with the larger root on the right without splitting it.
  case union_7
  /// A union takes the values of the wrong tree.
  case union_8
}

struct SearchTreeOperations: TreeOperations {
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

  /// All keys of both trees; for common keys the values of the first tree.
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
