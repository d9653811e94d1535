// SPDX-License-Identifier: GPL-3.0-or-later

/// A fault of the tree with a property that can show it.
package struct TreeTask: Sendable {
  /// What is wrong.
  package let fault: TreeFault
  /// The name of the property.
  package let property: String
  /// The search for a case that shows it.
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
