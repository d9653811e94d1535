// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo

/// A session that went wrong, with the seed that plays it again.
package struct SessionFailure: Hashable, Sendable {
  /// What went wrong.
  package enum What: Hashable, Sendable {
    /// An invariant did not hold.
    case breach(Breach)
    /// After the outage of that place the client was not back within the profile's limit.
    case notBack(Outage, OutageCause)
  }

  /// The session's number within its profile.
  package let session: Int
  /// The seed of all its randomness.
  package let seed: UInt32
  /// What went wrong.
  package let what: What

  /// A session that went wrong.
  package init(session: Int, seed: UInt32, _ what: What) {
    (self.session, self.seed, self.what) = (session, seed, what)
  }
}

/// The first sessions that went wrong, few of each sort: those of the lowest numbers, whoever ran them.
package struct FailureList: MergeableTally, Hashable {
  /// How many of each sort are kept.
  package static let most = 3

  /// Sessions in which an invariant was broken.
  package private(set) var breaches: [SessionFailure] = []
  /// Sessions in which the client was not back in time.
  package private(set) var notBack: [SessionFailure] = []

  /// None.
  package init() {}

  /// Notes a failure, if it is among the first; one of each sort for each session.
  package mutating func add(_ failure: SessionFailure) {
    switch failure.what {
    case .breach: Self.merge([failure], into: &breaches)
    case .notBack: Self.merge([failure], into: &notBack)
    }
  }

  /// Adds what another list holds.
  package mutating func merge(_ other: FailureList) {
    Self.merge(other.breaches, into: &breaches)
    Self.merge(other.notBack, into: &notBack)
  }

  private static func merge(_ others: [SessionFailure], into failures: inout [SessionFailure]) {
    for failure in others {
      // A session has one failure of a sort, so that a number that is there already is the same failure.
      guard !failures.contains(where: { $0.session == failure.session }) else { continue }
      let place = failures.firstIndex { $0.session > failure.session } ?? failures.count
      failures.insert(failure, at: place)
      if failures.count > most { failures.removeLast() }
    }
  }

  /// All that were kept, those of broken invariants first.
  package var all: [SessionFailure] { breaches + notBack }
}
