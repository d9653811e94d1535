// SPDX-License-Identifier: GPL-3.0-or-later

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
