// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

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
