// SPDX-License-Identifier: GPL-3.0-or-later

/// The faults that a feed has at the same time: each kind at most once.
package struct FaultMix: Hashable, Sendable {
  /// The faults, in the order of their kinds.
  package let faults: [FeedFault]

  /// A feed without any fault.
  package static let none = FaultMix(checked: [])

  private init(checked faults: [FeedFault]) {
    self.faults = faults
  }

  /// The faults of a feed.
  ///
  /// - Parameter faults: Each kind at most once, in any order.
  /// - Throws: `badShape` where a kind is named twice, or where more than every request would fail.
  package init(_ faults: [FeedFault]) throws(ClubLabError) {
    for (index, fault) in faults.enumerated() where faults[..<index].contains(where: { $0.kind == fault.kind }) {
      throw .badShape(field: fault.kind.rawValue, found: "the same fault twice", expected: "each fault at most once")
    }
    let failing = faults.filter(\.kind.replacesAnswers)
    let share = failing.reduce(0) { $0 + $1.rate }
    guard share <= Self.mostFailing else {
      throw .badShape(
        field: "\(failing.last?.kind.rawValue ?? "").rate",
        found: "\(share) of all requests failing by \(failing.map(\.kind.rawValue).joined(separator: ", "))",
        expected: "at most \(Self.mostFailing) of all requests failing, so that any feed comes through")
    }
    self.faults = Self.sorted(faults)
  }

  /// Every kind of fault at its usual rate and size.
  package static var usual: FaultMix {
    // No usual value is out of its bounds; a test holds them against them.
    FaultMix(checked: FeedFault.Kind.allCases.compactMap { try? FeedFault($0) })
  }

  /// The fault of a kind; nil where the feed has none.
  package subscript(kind: FeedFault.Kind) -> FeedFault? { faults.first { $0.kind == kind } }

  /// The feed with one of its faults alone.
  package func alone(_ kind: FeedFault.Kind) -> FaultMix { FaultMix(checked: faults.filter { $0.kind == kind }) }

  private static let mostFailing = 0.9

  private static func sorted(_ faults: [FeedFault]) -> [FeedFault] {
    FeedFault.Kind.allCases.compactMap { kind in faults.first { $0.kind == kind } }
  }
}
