// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

package struct TreeTask: Sendable {
  package let fault: TreeFault
  package let property: String
  package let challenge: Challenge

  /// All 52, fault by fault.
  package static let all: [TreeTask] = {
    let properties = Dictionary(uniqueKeysWithValues: TreeProperty.all.map { ($0.name, $0) })
    return shown.flatMap { fault, names in
      names.split(separator: " ").compactMap { name in
        properties[String(name)].map { property in
          TreeTask(
            fault: fault, property: property.name, challenge: property.challenge(TreeOperations(fault: fault)))
        }
      }
    }
  }()

  /// A property of the tree without a fault: a search that must find nothing.
  package static let correct: [Challenge] = TreeProperty.all.map { $0.challenge(TreeOperations(fault: nil)) }

  private static let shown: [(TreeFault, String)] = [
    (.insert_1, "InsertPost InsertModel InsertInsert InsertUnion UnionDeleteInsert DeleteInsert"),
    (.insert_2, "InsertPost InsertModel InsertInsert InsertUnion UnionDeleteInsert DeleteInsert InsertDelete"),
    (.insert_3, "InsertPost InsertModel InsertInsert InsertUnion UnionDeleteInsert InsertDelete"),
    (.delete_4, "DeletePost DeleteModel DeleteDelete DeleteInsert DeleteUnion UnionDeleteInsert InsertDelete"),
    (.delete_5, "DeletePost DeleteModel DeleteDelete DeleteInsert DeleteUnion UnionDeleteInsert"),
    (.union_6, "UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc UnionValid"),
    (.union_7, "UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc UnionValid"),
    (.union_8, "UnionPost UnionModel DeleteUnion InsertUnion UnionDeleteInsert UnionUnionAssoc"),
  ]
}

/// A statement about the operations on a binary search tree.
///
/// Source: Hughes, "How to specify it!", TFP 2019; the names are those of Shi et al., "Etna", ICFP 2023.
package struct TreeProperty: Sendable {
  /// Its name, such as `InsertPost`.
  package let name: String
  let challenge: @Sendable (TreeOperations) -> Challenge

  private init<each Value>(
    _ name: String, _ generators: repeat Gen<each Value>,
    holds: @escaping @Sendable (TreeOperations, repeat each Value) -> Bool
  ) {
    self.name = name
    challenge = { operations in
      Challenge("\(operations.fault?.rawValue ?? "correct")|\(name)", name, repeat each generators) {
        (values: repeat each Value) in holds(operations, repeat each values)
      }
    }
  }

  private static let keys = Gen<Int>.integers(in: -100...100)
  private static let values = Gen<Int>.integers()
  /// A list of keys and values, inserted one after the other by an operation that is right.
  private static let trees = Gen.arrays(of: zip(keys, values)).map { pairs in
    pairs.reduce(SearchTree.empty) { TreeOperations(fault: nil).insert($1.0, $1.1, into: $0) }
  }

  /// All eighteen.
  package static let all: [TreeProperty] = validity + postconditions + models + insertLaws + deleteLaws + unionLaws

  private static let validity = [
    TreeProperty("InsertValid", trees, keys, values) { $0.insert($2, $3, into: $1).isOrdered },
    TreeProperty("DeleteValid", trees, keys) { $0.delete($2, from: $1).isOrdered },
    TreeProperty("UnionValid", trees, trees) { $0.union($1, $2).isOrdered },
  ]

  private static let postconditions = [
    TreeProperty("InsertPost", trees, keys, keys, values) { tree, subject, key, other, value in
      tree.insert(key, value, into: subject).value(of: other) == (key == other ? value : subject.value(of: other))
    },
    TreeProperty("DeletePost", trees, keys, keys) { tree, subject, key, other in
      tree.delete(key, from: subject).value(of: other) == (key == other ? nil : subject.value(of: other))
    },
    TreeProperty("UnionPost", trees, trees, keys) { tree, first, second, key in
      tree.union(first, second).value(of: key) == first.value(of: key) ?? second.value(of: key)
    },
  ]

  private static let models = [
    TreeProperty("InsertModel", trees, keys, values) { tree, subject, key, value in
      tree.insert(key, value, into: subject).pairs
        == (subject.pairs.without(key) + [SearchTree.Pair(key: key, value: value)]).sorted { $0.key < $1.key }
    },
    TreeProperty("DeleteModel", trees, keys) { tree, subject, key in
      tree.delete(key, from: subject).pairs == subject.pairs.without(key)
    },
    TreeProperty("UnionModel", trees, trees) { tree, first, second in
      let known = Set(first.pairs.map(\.key))
      return tree.union(first, second).pairs
        == (first.pairs + second.pairs.filter { !known.contains($0.key) }).sorted { $0.key < $1.key }
    },
  ]

  private static let insertLaws = [
    TreeProperty("InsertInsert", trees, zip(keys, values), zip(keys, values)) { tree, subject, first, second in
      let once = tree.insert(first.0, first.1, into: subject)
      return tree.insert(first.0, first.1, into: tree.insert(second.0, second.1, into: subject)).pairs
        == (first.0 == second.0 ? once : tree.insert(second.0, second.1, into: once)).pairs
    },
    TreeProperty("InsertDelete", trees, keys, values, keys) { tree, subject, key, value, deleted in
      let inserted = tree.insert(key, value, into: subject)
      return tree.insert(key, value, into: tree.delete(deleted, from: subject)).pairs
        == (key == deleted ? inserted : tree.delete(deleted, from: inserted)).pairs
    },
    TreeProperty("InsertUnion", trees, trees, keys, values) { tree, first, second, key, value in
      tree.insert(key, value, into: tree.union(first, second)).pairs
        == tree.union(tree.insert(key, value, into: first), second).pairs
    },
  ]

  private static let deleteLaws = [
    TreeProperty("DeleteInsert", trees, keys, keys, values) { tree, subject, deleted, key, value in
      let rest = tree.delete(deleted, from: subject)
      return tree.delete(deleted, from: tree.insert(key, value, into: subject)).pairs
        == (deleted == key ? rest : tree.insert(key, value, into: rest)).pairs
    },
    TreeProperty("DeleteDelete", trees, keys, keys) { tree, subject, key, other in
      tree.delete(key, from: tree.delete(other, from: subject)).pairs
        == tree.delete(other, from: tree.delete(key, from: subject)).pairs
    },
    TreeProperty("DeleteUnion", trees, trees, keys) { tree, first, second, key in
      tree.delete(key, from: tree.union(first, second)).pairs
        == tree.union(tree.delete(key, from: first), tree.delete(key, from: second)).pairs
    },
  ]

  private static let unionLaws = [
    TreeProperty("UnionDeleteInsert", trees, trees, keys, values) { tree, first, second, key, value in
      tree.union(tree.delete(key, from: first), tree.insert(key, value, into: second)).pairs
        == tree.insert(key, value, into: tree.union(first, second)).pairs
    },
    TreeProperty("UnionUnionIdem", trees) { $0.union($1, $1).pairs == $1.pairs },
    TreeProperty("UnionUnionAssoc", trees, trees, trees) { tree, first, second, third in
      tree.union(tree.union(first, second), third) == tree.union(first, tree.union(second, third))
    },
  ]
}

extension [SearchTree.Pair] {
  fileprivate func without(_ key: Int) -> Self { filter { $0.key != key } }
}

/// A binary search tree: smaller keys to the left, larger ones to the right.
indirect enum SearchTree: Sendable, Hashable {
  case empty
  case node(SearchTree, Int, Int, SearchTree)

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

  /// The part of the tree whose keys are below a bound.
  func below(_ bound: Int) -> SearchTree {
    guard case .node(let left, let key, let value, let right) = self else { return .empty }
    return bound <= key ? left.below(bound) : .node(left, key, value, right.below(bound))
  }

  /// The part of the tree whose keys are above a bound.
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

/// The faults of the operations on a tree.
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
