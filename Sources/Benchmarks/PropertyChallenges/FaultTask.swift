// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// A fault to find with a property, to measure searching.
///
/// Source: the workloads of Shi et al., "Etna: an evaluation platform for property-based testing", ICFP 2023.
package struct FaultTask: Sendable {
  /// The name of the fault; `nil` for the correct code, for which every property holds.
  package let fault: String?
  package let property: String
  package let challenge: Challenge

  /// Every fault with each law that shows it: the listed laws, or all of them if none are listed.
  static func all<Operations: FaultyOperations>(
    _ laws: [Law<Operations>], shown: [Operations.Fault: String] = [:]
  ) -> [FaultTask] {
    Operations.Fault.allCases.flatMap { fault in
      let names = shown[fault]?.split(separator: " ").map(String.init)
      return laws.filter { names?.contains($0.name) ?? true }.map { $0.task(fault) }
    }
  }
}

/// Code under test, correct or with a fault.
protocol FaultyOperations: Sendable {
  associatedtype Fault: RawRepresentable<String> & CaseIterable & Hashable & Sendable

  init(fault: Fault?)
}

/// A statement about the code under test, which holds for the correct code.
struct Law<Operations: FaultyOperations>: Sendable {
  let name: String
  /// The task to find a fault with this law.
  let task: @Sendable (Operations.Fault?) -> FaultTask

  init<each Value>(
    _ name: String, _ generators: repeat Gen<each Value>,
    holds: @escaping @Sendable (Operations, repeat each Value) throws -> Bool
  ) {
    self.name = name
    task = { fault in
      let operations = Operations(fault: fault)
      let challenge = Challenge("\(fault?.rawValue ?? "correct")|\(name)", name, repeat each generators) {
        (values: repeat each Value) in
        // Operations that throw an error do not satisfy the law.
        (try? holds(operations, repeat each values)) ?? false
      }
      return FaultTask(fault: fault?.rawValue, property: name, challenge: challenge)
    }
  }
}

/// A key with its value in a tree.
struct Pair: Sendable, Hashable {
  let key: Int
  let value: Int
}

/// A search tree: smaller keys to the left, larger ones to the right.
protocol KeyedTree: Sendable {
  static var empty: Self { get }

  /// Keys and values in the order of the tree.
  var pairs: [Pair] { get }
  /// True if the keys are in order, and the tree is balanced if its type requires that.
  var isValid: Bool { get }

  func value(of wanted: Int) -> Int?
}

extension KeyedTree {
  /// True if every key lies between the keys above it.
  var isOrdered: Bool {
    let keys = pairs.map(\.key)
    return Swift.zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
  }
}

protocol TreeOperations: FaultyOperations {
  associatedtype Tree: KeyedTree

  func insert(_ key: Int, _ value: Int, into tree: Tree) -> Tree
  func delete(_ key: Int, from tree: Tree) throws -> Tree
}

/// The laws of the operations on any search tree.
///
/// Source: Hughes, "How to specify it!", TFP 2019.
extension TreeOperations {
  /// The tree of keys and values, inserted one after another by the correct operation.
  static func tree(of pairs: [(Int, Int)]) -> Tree {
    pairs.reduce(.empty) { Self(fault: nil).insert($1.0, $1.1, into: $0) }
  }

  func insertPost(_ tree: Tree, _ key: Int, _ other: Int, _ value: Int) -> Bool {
    insert(key, value, into: tree).value(of: other) == (key == other ? value : tree.value(of: other))
  }

  func deletePost(_ tree: Tree, _ key: Int, _ other: Int) throws -> Bool {
    try delete(key, from: tree).value(of: other) == (key == other ? nil : tree.value(of: other))
  }

  func insertModel(_ tree: Tree, _ key: Int, _ value: Int) -> Bool {
    let model = tree.pairs.filter { $0.key != key } + [Pair(key: key, value: value)]
    return insert(key, value, into: tree).pairs == model.sorted { $0.key < $1.key }
  }

  func deleteModel(_ tree: Tree, _ key: Int) throws -> Bool {
    try delete(key, from: tree).pairs == tree.pairs.filter { $0.key != key }
  }

  func insertInsert(_ tree: Tree, _ one: (key: Int, value: Int), _ other: (key: Int, value: Int)) -> Bool {
    let once = insert(one.key, one.value, into: tree)
    return insert(one.key, one.value, into: insert(other.key, other.value, into: tree)).pairs
      == (one.key == other.key ? once : insert(other.key, other.value, into: once)).pairs
  }

  func insertDelete(_ tree: Tree, _ key: Int, _ value: Int, _ deleted: Int) throws -> Bool {
    let once = insert(key, value, into: tree)
    return try insert(key, value, into: delete(deleted, from: tree)).pairs
      == (key == deleted ? once : delete(deleted, from: once)).pairs
  }

  func deleteInsert(_ tree: Tree, _ deleted: Int, _ key: Int, _ value: Int) throws -> Bool {
    let rest = try delete(deleted, from: tree)
    return try delete(deleted, from: insert(key, value, into: tree)).pairs
      == (deleted == key ? rest : insert(key, value, into: rest)).pairs
  }

  func deleteDelete(_ tree: Tree, _ key: Int, _ other: Int) throws -> Bool {
    try delete(key, from: delete(other, from: tree)).pairs == delete(other, from: delete(key, from: tree)).pairs
  }
}
