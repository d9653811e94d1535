// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Faults of a red-black tree, after the mutants of Etna's workload.
///
/// Sources: Okasaki, "Red-black trees in a functional setting", 1999; Kahrs, "Red-black trees with types", 2001.
package enum RedBlackFault: String, Sendable, CaseIterable {
  /// A new node is black, deletion leaves a red root, or a subtree has the wrong colour.
  case miscolor_insert, miscolor_delete, miscolor_balLeft, miscolor_balRight, miscolor_join_1, miscolor_join_2
  /// Insertion returns a single node, never goes right, or keeps the old value.
  case insert_1, insert_2, insert_3
  /// Insertion into the left or the right subtree does not balance.
  case no_balance_insert_1, no_balance_insert_2
  /// Deletion drops the parent and the other subtree, or goes to the wrong side.
  case delete_4, delete_5
  /// A rotation exchanges two subtrees.
  case swap_cd, swap_bc
}

package enum RedBlackTasks {
  private typealias Operations = RedBlackOperations

  package static let all: [FaultTask] = FaultTask.all(laws, shown: shown)
  /// The correct tree.
  package static let correct: [FaultTask] = laws.map { $0.task(nil) }

  private static let keys = Gen<Int>.integers(in: -100...100)
  private static let values = Gen<Int>.integers(in: 0...1)
  private static let trees = Gen.arrays(of: zip(keys, values)).map(Operations.tree)

  private static let laws: [Law<Operations>] = [
    law("InsertValid") { code, t, k, _, v, _ in code.insert(k, v, into: t).isValid },
    law("DeleteValid") { code, t, k, _, _, _ in try code.delete(k, from: t).isValid },
    law("InsertPost") { code, t, k, l, v, _ in code.insertPost(t, k, l, v) },
    law("DeletePost") { code, t, k, l, _, _ in try code.deletePost(t, k, l) },
    law("InsertModel") { code, t, k, _, v, _ in code.insertModel(t, k, v) },
    law("DeleteModel") { code, t, k, _, _, _ in try code.deleteModel(t, k) },
    law("InsertInsert") { code, t, k, l, v, w in code.insertInsert(t, (k, v), (l, w)) },
    law("InsertDelete") { code, t, k, l, v, _ in try code.insertDelete(t, k, v, l) },
    law("DeleteInsert") { code, t, k, l, _, w in try code.deleteInsert(t, k, l, w) },
    law("DeleteDelete") { code, t, k, l, _, _ in try code.deleteDelete(t, k, l) },
  ]

  /// Two keys and two values for each law; unused ones shrink to the simplest.
  private static func law(
    _ name: String, holds: @escaping @Sendable (Operations, Operations.Tree, Int, Int, Int, Int) throws -> Bool
  ) -> Law<Operations> {
    Law(name, trees, keys, keys, values, values, holds: holds)
  }

  /// The laws that show a fault; all of them for a fault that exchanges subtrees.
  private static let shown: [RedBlackFault: String] = [
    .miscolor_insert: "InsertValid DeleteInsert",
    .miscolor_delete: "DeleteValid",
    .miscolor_balLeft: "DeleteValid DeleteDelete",
    .miscolor_balRight: "DeleteValid DeleteDelete",
    .miscolor_join_1: "DeleteValid",
    .miscolor_join_2: "DeleteValid DeleteDelete",
    .insert_1: "InsertPost InsertModel InsertInsert DeleteInsert",
    .insert_2: "InsertPost InsertModel InsertInsert InsertDelete DeleteInsert",
    .insert_3: "InsertPost InsertModel InsertInsert InsertDelete",
    .no_balance_insert_1: "InsertValid InsertDelete DeleteInsert",
    .no_balance_insert_2: "InsertValid InsertDelete DeleteInsert",
    .delete_4: "DeletePost DeleteModel InsertDelete DeleteInsert DeleteDelete",
    .delete_5: "DeletePost DeleteModel InsertDelete DeleteInsert DeleteDelete",
  ]
}

struct InvariantBroken: Error {}

indirect enum RedBlackTree: KeyedTree, Hashable {
  case empty
  case node(isRed: Bool, RedBlackTree, Pair, RedBlackTree)

  static func red(_ left: RedBlackTree, _ pair: Pair, _ right: RedBlackTree) -> RedBlackTree {
    .node(isRed: true, left, pair, right)
  }

  static func black(_ left: RedBlackTree, _ pair: Pair, _ right: RedBlackTree) -> RedBlackTree {
    .node(isRed: false, left, pair, right)
  }

  var isRed: Bool { if case .node(true, _, _, _) = self { true } else { false } }
  var isBlackNode: Bool { if case .node(false, _, _, _) = self { true } else { false } }

  var pairs: [Pair] {
    guard case .node(_, let left, let pair, let right) = self else { return [] }
    return left.pairs + [pair] + right.pairs
  }

  func value(of wanted: Int) -> Int? {
    guard case .node(_, let left, let pair, let right) = self else { return nil }
    return wanted == pair.key ? pair.value : (wanted < pair.key ? left : right).value(of: wanted)
  }

  /// True if it is ordered, its root is black, no red node has a red child, and all paths have as many black nodes.
  var isValid: Bool { !isRed && blackHeight != nil && isOrdered }

  private var blackHeight: Int? {
    guard case .node(let isRed, let left, _, let right) = self else { return 1 }
    guard let height = left.blackHeight, height == right.blackHeight else { return nil }
    return isRed ? (left.isRed || right.isRed ? nil : height) : height + 1
  }

  var blackened: RedBlackTree {
    guard case .node(_, let left, let pair, let right) = self else { return .empty }
    return .black(left, pair, right)
  }

  func reddened() throws -> RedBlackTree {
    guard case .node(false, let left, let pair, let right) = self else { throw InvariantBroken() }
    return .red(left, pair, right)
  }
}

struct RedBlackOperations: TreeOperations {
  typealias Tree = RedBlackTree

  let fault: RedBlackFault?

  func insert(_ key: Int, _ value: Int, into tree: Tree) -> Tree {
    inserted(Pair(key: key, value: value), tree).blackened
  }

  private func inserted(_ new: Pair, _ tree: Tree) -> Tree {
    guard case .node(let isRed, let left, let pair, let right) = tree else {
      return .node(isRed: fault != .miscolor_insert, .empty, new, .empty)
    }
    if fault == .insert_1 { return .red(.empty, new, .empty) }
    if new.key < pair.key {
      let grown = inserted(new, left)
      return fault == .no_balance_insert_1
        ? .node(isRed: isRed, grown, pair, right) : balanced(isRed, grown, pair, right)
    }
    if new.key > pair.key, fault != .insert_2 {
      return fault == .no_balance_insert_2
        ? .node(isRed: isRed, left, pair, inserted(new, right).blackened)
        : balanced(isRed, left, pair, inserted(new, right))
    }
    return .node(isRed: isRed, left, Pair(key: pair.key, value: fault == .insert_3 ? pair.value : new.value), right)
  }

  func delete(_ key: Int, from tree: Tree) throws -> Tree {
    let rest = try deleted(key, tree)
    return fault == .miscolor_delete ? rest : rest.blackened
  }

  private func deleted(_ key: Int, _ tree: Tree) throws -> Tree {
    guard case .node(_, let left, let pair, let right) = tree else { return .empty }
    if key == pair.key { return try joined(left, right) }
    let goesLeft = fault == .delete_5 ? key > pair.key : key < pair.key
    if fault == .delete_4 { return try deleted(key, goesLeft ? left : right) }
    if goesLeft {
      let rest = try deleted(key, left)
      return left.isBlackNode ? try balancedLeft(rest, pair, right) : .red(rest, pair, right)
    }
    let rest = try deleted(key, right)
    return right.isBlackNode ? try balancedRight(left, pair, rest) : .red(left, pair, rest)
  }

  private func balanced(_ isRed: Bool, _ left: Tree, _ pair: Pair, _ right: Tree) -> Tree {
    guard !isRed else { return .red(left, pair, right) }
    switch (left, right) {
    case (.node(true, .node(true, let a, let x, let b), let y, let c), let d):
      return fault == .swap_cd
        ? .red(.black(a, x, b), y, .black(d, pair, c)) : .red(.black(a, x, b), y, .black(c, pair, d))
    case (.node(true, let a, let x, .node(true, let b, let y, let c)), let d):
      return .red(.black(a, x, b), y, .black(c, pair, d))
    case (let a, .node(true, .node(true, let b, let y, let c), let z, let d)):
      return fault == .swap_bc
        ? .red(.black(a, pair, c), y, .black(b, z, d)) : .red(.black(a, pair, b), y, .black(c, z, d))
    case (let a, .node(true, let b, let y, .node(true, let c, let z, let d))):
      return .red(.black(a, pair, b), y, .black(c, z, d))
    default: return .black(left, pair, right)
    }
  }

  /// Balances a node whose left subtree has one black node too few.
  private func balancedLeft(_ left: Tree, _ pair: Pair, _ right: Tree) throws -> Tree {
    if left.isRed { return .red(left.blackened, pair, right) }
    if right.isBlackNode { return balanced(false, left, pair, try right.reddened()) }
    guard case .node(true, .node(false, let a, let y, let b), let z, let c) = right else { throw InvariantBroken() }
    return .red(.black(left, pair, a), y, balanced(false, b, z, fault == .miscolor_balLeft ? c : try c.reddened()))
  }

  private func balancedRight(_ left: Tree, _ pair: Pair, _ right: Tree) throws -> Tree {
    if right.isRed { return .red(left, pair, right.blackened) }
    if left.isBlackNode { return balanced(false, try left.reddened(), pair, right) }
    guard case .node(true, let a, let x, .node(false, let b, let y, let c)) = left else { throw InvariantBroken() }
    return .red(balanced(false, fault == .miscolor_balRight ? a : try a.reddened(), x, b), y, .black(c, pair, right))
  }

  private func joined(_ left: Tree, _ right: Tree) throws -> Tree {
    switch (left, right) {
    case (.empty, let other), (let other, .empty): return other
    case (.node(true, let a, let x, let b), .node(true, let c, let y, let d)):
      let middle = try joined(b, c)
      guard case .node(true, let b, let z, let c) = middle else { return .red(a, x, .red(middle, y, d)) }
      let isRed = fault != .miscolor_join_1
      return .red(.node(isRed: isRed, a, x, b), z, .node(isRed: isRed, c, y, d))
    case (.node(false, let a, let x, let b), .node(false, let c, let y, let d)):
      let middle = try joined(b, c)
      guard case .node(true, let b, let z, let c) = middle else { return try balancedLeft(a, x, .black(middle, y, d)) }
      let isRed = fault == .miscolor_join_2
      return .red(.node(isRed: isRed, a, x, b), z, .node(isRed: isRed, c, y, d))
    case (let a, .node(true, let b, let x, let c)): return .red(try joined(a, b), x, c)
    case (.node(_, let a, let x, let b), let c): return .red(a, x, try joined(b, c))
    }
  }
}
