// SPDX-License-Identifier: GPL-3.0-or-later

/// What began an outage: a fault of a kind, or none.
package enum OutageCause: Hashable, Sendable {
  /// A fault of that kind.
  case fault(Fault.Kind)
  /// No fault: the client's own doing.
  case none

  /// All causes, in the order in which they are told.
  package static let all = Fault.Kind.allCases.map(OutageCause.fault) + [OutageCause.none]
  static let count = Fault.Kind.allCases.count + 1

  /// What measures and tables call it.
  package var name: String {
    switch self {
    case .fault(let kind): kind.rawValue
    case .none: "no-fault"
    }
  }

  /// What happens, in a few words.
  package var meaning: String {
    switch self {
    case .fault(let kind): kind.meaning
    case .none: "no fault began it"
    }
  }

  /// Its place among all.
  var place: Int {
    switch self {
    case .fault(let kind): Self.places[kind] ?? Self.count - 1
    case .none: Self.count - 1
    }
  }

  private static let places = Dictionary(uniqueKeysWithValues: Fault.Kind.allCases.enumerated().map { ($1, $0) })
}
