// SPDX-License-Identifier: GPL-3.0-or-later

/// What other engines reach on the same challenges.
///
/// Measured on a machine with two cores (Debian 12), Hypothesis 6.155.2 under CPython and Exhaust 0.26.0 in a release
/// build, 200 seeds each, with generators of the same meaning: for Exhaust the plain filter in `coupling` and the
/// `bind` in `lengthlist`, as here.
package struct Peer: Sendable, Hashable {
  /// The share of seeds that reach the minimal form.
  package let share: Double
  /// The mean number of evaluations from the first failure on.
  package let evaluations: Double

  init(_ share: Double, _ evaluations: Double) {
    self.share = share
    self.evaluations = evaluations
  }

  /// Hypothesis, by challenge.
  package static let hypothesis: [String: Peer] = [
    "bound5": Peer(0.845, 244.1), "large_union_list": Peer(0.995, 189.6), "reverse": Peer(1, 10.6),
    "calculator": Peer(1, 55.1), "lengthlist": Peer(1, 85.5), "difference_not_zero": Peer(1, 28.2),
    "difference_not_small": Peer(1, 41.6), "difference_not_one": Peer(1, 39.6), "binheap": Peer(0.745, 133.6),
    "coupling": Peer(0.27, 40.2), "deletion": Peer(1, 10.3), "distinct": Peer(1, 35.9), "nestedlists": Peer(1, 30.2),
    "x_weighted_linear": Peer(0.06, 27.3), "x_chunked_decoder": Peer(1, 45.1), "x_invoice": Peer(0.21, 76.3),
    "x_nested_ps2": Peer(0.24, 64.8), "x_nested_ps3": Peer(0.15, 94.3),
  ]

  /// Exhaust, by challenge.
  package static let exhaust: [String: Peer] = [
    "bound5": Peer(1, 106.7), "large_union_list": Peer(1, 70.5), "reverse": Peer(1, 8.9), "calculator": Peer(1, 14.0),
    "lengthlist": Peer(0.005, 124.4), "difference_not_zero": Peer(1, 63.7), "difference_not_small": Peer(1, 81.7),
    "difference_not_one": Peer(1, 71.4), "binheap": Peer(0.655, 127.5), "coupling": Peer(0.365, 29.5),
    "deletion": Peer(1, 13.9), "distinct": Peer(1, 21.3), "nestedlists": Peer(1, 38.4),
  ]
}

extension Peer {
  /// What another engine needs to find and shrink a fault of the tree.
  package struct Search: Sendable, Hashable {
    /// The mean number of cases until the first failure.
    package let cases: Double
    /// The mean number of evaluations to shrink it.
    package let evaluations: Double

    init(_ cases: Double, _ evaluations: Double) {
      self.cases = cases
      self.evaluations = evaluations
    }
  }

  /// Exhaust 0.26.0 by fault and property, ten trials each, all of them solved.
  package static let exhaustOnTrees: [String: Search] = [
    "insert_1|InsertPost": Search(10.1, 19.9), "insert_1|InsertModel": Search(9.4, 10.7),
    "insert_1|InsertInsert": Search(9.4, 9.8), "insert_1|InsertUnion": Search(9.3, 11.9),
    "insert_1|UnionDeleteInsert": Search(9.6, 13.4), "insert_1|DeleteInsert": Search(13.9, 20.3),
    "insert_2|InsertPost": Search(15.5, 23.9), "insert_2|InsertModel": Search(11.8, 13.2),
    "insert_2|InsertInsert": Search(10.9, 9.5), "insert_2|InsertUnion": Search(25.2, 21.4),
    "insert_2|UnionDeleteInsert": Search(11.5, 23.2), "insert_2|DeleteInsert": Search(13.6, 19.5),
    "insert_2|InsertDelete": Search(13.2, 21.9), "insert_3|InsertPost": Search(14.5, 25.1),
    "insert_3|InsertModel": Search(10.6, 22.4), "insert_3|InsertInsert": Search(64.7, 10.8),
    "insert_3|InsertUnion": Search(14.4, 25.2), "insert_3|UnionDeleteInsert": Search(9.9, 26.8),
    "insert_3|InsertDelete": Search(14.5, 25.1), "delete_4|DeletePost": Search(12.7, 17.2),
    "delete_4|DeleteModel": Search(10.0, 6.2), "delete_4|DeleteDelete": Search(16.4, 65.2),
    "delete_4|DeleteInsert": Search(9.6, 6.9), "delete_4|DeleteUnion": Search(11.5, 28.1),
    "delete_4|UnionDeleteInsert": Search(10.4, 13.0), "delete_4|InsertDelete": Search(9.6, 9.3),
    "delete_5|DeletePost": Search(15.3, 29.2), "delete_5|DeleteModel": Search(11.3, 18.6),
    "delete_5|DeleteDelete": Search(23.4, 42.8), "delete_5|DeleteInsert": Search(17.6, 22.3),
    "delete_5|DeleteUnion": Search(14.5, 38.7), "delete_5|UnionDeleteInsert": Search(11.6, 31.9),
    "union_6|UnionPost": Search(13.4, 45.0), "union_6|UnionModel": Search(2.5, 5.7),
    "union_6|DeleteUnion": Search(2.5, 5.7), "union_6|InsertUnion": Search(4.8, 3.4),
    "union_6|UnionDeleteInsert": Search(2.5, 5.7), "union_6|UnionUnionAssoc": Search(3.3, 18.5),
    "union_6|UnionValid": Search(2.5, 5.7), "union_7|UnionPost": Search(14.1, 69.9),
    "union_7|UnionModel": Search(10.1, 35.4), "union_7|DeleteUnion": Search(10.2, 41.9),
    "union_7|InsertUnion": Search(10.9, 30.9), "union_7|UnionDeleteInsert": Search(10.4, 47.4),
    "union_7|UnionUnionAssoc": Search(10.2, 59.0), "union_7|UnionValid": Search(10.1, 35.4),
    "union_8|UnionPost": Search(14.9, 63.6), "union_8|UnionModel": Search(11.0, 46.8),
    "union_8|DeleteUnion": Search(11.8, 68.4), "union_8|InsertUnion": Search(14.8, 41.6),
    "union_8|UnionDeleteInsert": Search(17.5, 105.4), "union_8|UnionUnionAssoc": Search(15.8, 78.0),
  ]
}
