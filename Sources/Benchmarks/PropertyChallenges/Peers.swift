// SPDX-License-Identifier: GPL-3.0-or-later

/// The results of other engines on the same challenges.
///
/// Measured on a machine with two cores (Debian 12), Hypothesis 6.155.2 under CPython and Exhaust 0.26.0 in a release
/// build, with 200 seeds each and equivalent generators: for Exhaust the plain filter in `coupling` and the `bind` in
/// `lengthlist`, as here.
package enum Peers {
  /// The share of seeds that reach the minimal form, and the mean number of evaluations from the first failure on.
  package typealias Shrinking = (share: Double, evaluations: Double)

  /// Hypothesis, by challenge.
  package static let hypothesis: [String: Shrinking] = [
    "bound5": (0.845, 244.1), "large_union_list": (0.995, 189.6), "reverse": (1, 10.6), "calculator": (1, 55.1),
    "lengthlist": (1, 85.5), "difference_not_zero": (1, 28.2), "difference_not_small": (1, 41.6),
    "difference_not_one": (1, 39.6), "binheap": (0.745, 133.6), "coupling": (0.27, 40.2), "deletion": (1, 10.3),
    "distinct": (1, 35.9), "nestedlists": (1, 30.2), "x_weighted_linear": (0.06, 27.3),
    "x_chunked_decoder": (1, 45.1), "x_invoice": (0.21, 76.3), "x_nested_ps2": (0.24, 64.8),
    "x_nested_ps3": (0.15, 94.3),
  ]

  /// Exhaust, by challenge.
  package static let exhaust: [String: Shrinking] = [
    "bound5": (1, 106.7), "large_union_list": (1, 70.5), "reverse": (1, 8.9), "calculator": (1, 14.0),
    "lengthlist": (0.005, 124.4), "difference_not_zero": (1, 63.7), "difference_not_small": (1, 81.7),
    "difference_not_one": (1, 71.4), "binheap": (0.655, 127.5), "coupling": (0.365, 29.5), "deletion": (1, 13.9),
    "distinct": (1, 21.3), "nestedlists": (1, 38.4),
  ]

  /// Exhaust 0.26.0 by fault and property of the tree, in ten trials each, all of them solved: the mean numbers of
  /// cases until the first failure and of evaluations to shrink it.
  package static let exhaustOnTrees: [String: (cases: Double, evaluations: Double)] = [
    "insert_1|InsertPost": (10.1, 19.9), "insert_1|InsertModel": (9.4, 10.7), "insert_1|InsertInsert": (9.4, 9.8),
    "insert_1|InsertUnion": (9.3, 11.9), "insert_1|UnionDeleteInsert": (9.6, 13.4),
    "insert_1|DeleteInsert": (13.9, 20.3), "insert_2|InsertPost": (15.5, 23.9),
    "insert_2|InsertModel": (11.8, 13.2), "insert_2|InsertInsert": (10.9, 9.5),
    "insert_2|InsertUnion": (25.2, 21.4), "insert_2|UnionDeleteInsert": (11.5, 23.2),
    "insert_2|DeleteInsert": (13.6, 19.5), "insert_2|InsertDelete": (13.2, 21.9),
    "insert_3|InsertPost": (14.5, 25.1), "insert_3|InsertModel": (10.6, 22.4),
    "insert_3|InsertInsert": (64.7, 10.8), "insert_3|InsertUnion": (14.4, 25.2),
    "insert_3|UnionDeleteInsert": (9.9, 26.8), "insert_3|InsertDelete": (14.5, 25.1),
    "delete_4|DeletePost": (12.7, 17.2), "delete_4|DeleteModel": (10.0, 6.2), "delete_4|DeleteDelete": (16.4, 65.2),
    "delete_4|DeleteInsert": (9.6, 6.9), "delete_4|DeleteUnion": (11.5, 28.1),
    "delete_4|UnionDeleteInsert": (10.4, 13.0), "delete_4|InsertDelete": (9.6, 9.3),
    "delete_5|DeletePost": (15.3, 29.2), "delete_5|DeleteModel": (11.3, 18.6),
    "delete_5|DeleteDelete": (23.4, 42.8), "delete_5|DeleteInsert": (17.6, 22.3),
    "delete_5|DeleteUnion": (14.5, 38.7), "delete_5|UnionDeleteInsert": (11.6, 31.9),
    "union_6|UnionPost": (13.4, 45.0), "union_6|UnionModel": (2.5, 5.7), "union_6|DeleteUnion": (2.5, 5.7),
    "union_6|InsertUnion": (4.8, 3.4), "union_6|UnionDeleteInsert": (2.5, 5.7),
    "union_6|UnionUnionAssoc": (3.3, 18.5), "union_6|UnionValid": (2.5, 5.7), "union_7|UnionPost": (14.1, 69.9),
    "union_7|UnionModel": (10.1, 35.4), "union_7|DeleteUnion": (10.2, 41.9), "union_7|InsertUnion": (10.9, 30.9),
    "union_7|UnionDeleteInsert": (10.4, 47.4), "union_7|UnionUnionAssoc": (10.2, 59.0),
    "union_7|UnionValid": (10.1, 35.4), "union_8|UnionPost": (14.9, 63.6), "union_8|UnionModel": (11.0, 46.8),
    "union_8|DeleteUnion": (11.8, 68.4), "union_8|InsertUnion": (14.8, 41.6),
    "union_8|UnionDeleteInsert": (17.5, 105.4), "union_8|UnionUnionAssoc": (15.8, 78.0),
  ]
}
