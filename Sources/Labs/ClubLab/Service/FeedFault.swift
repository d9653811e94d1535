// SPDX-License-Identifier: GPL-3.0-or-later

/// Something that goes wrong with a club's feed, as a value: what, how often, and how much.
///
/// Some happen to rides (their owners upload late, rename, delete), some to the service's answers. What the rate and
/// the size mean, and within which bounds, is the kind's.
package struct FeedFault: Hashable, Sendable {
  /// What goes wrong.
  package let kind: Kind
  /// How often: the share of what the kind says that it happens to.
  package let rate: Double
  /// How much, in the kind's unit.
  package let size: Double

  /// A fault.
  ///
  /// - Parameters:
  ///   - kind: What goes wrong.
  ///   - rate: How often, above 0 and at most 1; the kind's usual rate where nothing is said.
  ///   - size: How much, within the kind's bounds; the kind's usual size where nothing is said.
  /// - Throws: `badShape` naming the fault and the first value that is out of its range.
  package init(_ kind: Kind, rate: Double? = nil, size: Double? = nil) throws(ClubLabError) {
    let (rate, size) = (rate ?? kind.usual.rate, size ?? kind.usual.size)
    guard rate > 0, rate <= 1 else {
      throw .badShape(
        field: "\(kind).rate", found: "\(rate)", expected: "a share above 0 and at most 1 of \(kind.whose)")
    }
    let bounds = kind.bounds
    guard bounds.contains(size) else {
      throw .badShape(
        field: "\(kind).\(kind.unit)", found: "\(size)",
        expected: "\(Int(bounds.lowerBound)) to \(Int(bounds.upperBound)) \(kind.unit)")
    }
    (self.kind, self.rate, self.size) = (kind, rate, size)
  }

  /// The kinds of fault, by the names that scenarios and reports use.
  package enum Kind: String, CaseIterable, Sendable {
    /// A ride is uploaded long after it ended.
    case lateUploads = "late uploads"
    /// A ride is followed by another one with the very same numbers.
    case identicalRides = "identical rides"
    /// A ride gets another title.
    case renames
    /// A ride's distance is corrected by up to a tenth.
    case edits
    /// A ride is deleted.
    case deletions
    /// A ride is hidden for a while, half of them from the beginning.
    case privacy
    /// A member's first name is spelt with other case and idle spaces from some day on.
    case spellings
    /// A request is answered from a copy of the service that lags behind, so that pages shift against each other.
    case stalePages = "stale pages"
    /// A ride is uploaded in the seconds after a fetch began, so that pages shift while they are read.
    case shiftingPages = "shifting pages"
    /// Behind a ride come rows that the service leaves out of their page, which is then shorter than was asked for.
    case shortPages = "short pages"
    /// A quarter of an hour's requests are used up by others; in all others a few are.
    case otherUsers = "other users"
    /// An answer of status 429 though the budget is not used up, half of them with `Retry-After`.
    case refusals
    /// An answer of a status from 500 to 504.
    case serverErrors = "server errors"
    /// The service does not answer at all for a while.
    case outages
    /// An answer comes so late that nobody waits for it any more.
    case timeouts
    /// An answer of status 401: the token has to be renewed.
    case refusedTokens = "refused tokens"
    /// A body is cut off before its end.
    case truncatedBodies = "truncated bodies"
    /// A body of something else than the feed.
    case garbageBodies = "garbage bodies"
    /// The fetcher's clock is wrong.
    case clockSkew = "clock skew"
  }
}

extension FeedFault.Kind: CustomStringConvertible {
  /// The name that scenarios and reports use.
  package var description: String { rawValue }
}

extension FeedFault.Kind {
  /// What the size counts, and the key that scenarios give it by.
  package var unit: String {
    switch self {
    case .lateUploads, .identicalRides, .renames, .edits, .deletions, .privacy: "hours"
    case .spellings: "spaces"
    case .stalePages, .shiftingPages, .refusals, .timeouts, .refusedTokens, .clockSkew: "seconds"
    case .shortPages: "rows"
    case .otherUsers, .serverErrors: "requests"
    case .outages: "minutes"
    case .truncatedBodies, .garbageBodies: "bytes"
    }
  }

  /// What the rate is a share of.
  package var whose: String {
    switch self {
    case .lateUploads, .identicalRides, .renames, .edits, .deletions, .privacy, .shiftingPages, .shortPages:
      "all rides"
    case .spellings: "all members"
    case .otherUsers: "all quarters of an hour"
    case .outages: "all days"
    case .clockSkew: "all seasons"
    case .stalePages, .refusals, .serverErrors, .timeouts, .refusedTokens, .truncatedBodies, .garbageBodies:
      "all requests"
    }
  }

  /// One line for people: what the size says.
  package var meaningOfSize: String {
    switch self {
    case .lateUploads: "the mean delay of such an upload"
    case .identicalRides: "how much later the second ride starts"
    case .renames, .edits, .deletions: "the mean time from the upload"
    case .privacy: "the mean time that a ride is hidden"
    case .spellings: "the most idle spaces behind the name"
    case .stalePages: "the most that a copy lags behind"
    case .shiftingPages: "how long after the fetch began at most"
    case .shortPages: "the most rows that are left out behind one ride"
    case .otherUsers: "the mean number of the others' requests in a quarter of an hour that is not used up"
    case .refusals: "what Retry-After says"
    case .serverErrors: "how many requests in a row fail"
    case .outages: "how long an outage lasts"
    case .timeouts: "how late the answer is"
    case .refusedTokens: "how long it takes to get another token"
    case .truncatedBodies: "the most bytes that are missing"
    case .garbageBodies: "the length of such a body"
    case .clockSkew: "the most that the clock is ahead or behind"
    }
  }

  /// The rate and the size where nothing is said.
  var usual: (rate: Double, size: Double) {
    switch self {
    case .lateUploads: (0.05, 24)
    case .identicalRides: (0.03, 10)
    case .renames: (0.1, 12)
    case .edits: (0.03, 12)
    case .deletions: (0.02, 12)
    case .privacy: (0.02, 24)
    case .spellings: (0.1, 3)
    case .stalePages: (0.05, 300)
    case .shiftingPages: (0.2, 5)
    case .shortPages: (0.05, 5)
    case .otherUsers: (0.01, 5)
    case .refusals: (0.02, 60)
    case .serverErrors: (0.03, 2)
    case .outages: (0.05, 90)
    case .timeouts: (0.02, 45)
    case .refusedTokens: (0.005, 2)
    case .truncatedBodies: (0.02, 4000)
    case .garbageBodies: (0.02, 500)
    case .clockSkew: (1, 20)
    }
  }

  /// The bounds of the size.
  var bounds: ClosedRange<Double> {
    switch self {
    case .lateUploads, .renames, .edits, .deletions, .privacy: 1...1000
    case .identicalRides: 3...1000
    case .spellings: 0...100
    case .stalePages, .shiftingPages, .refusals, .refusedTokens: 1...3600
    case .shortPages: 1...29
    case .otherUsers: 0...90
    case .serverErrors: 1...20
    case .outages: 1...10_000
    case .timeouts: 31...3600
    case .truncatedBodies, .garbageBodies: 1...1_000_000
    case .clockSkew: 1...600
    }
  }

  /// Whether the fault puts something else in the place of a page.
  var replacesAnswers: Bool {
    switch self {
    case .refusals, .serverErrors, .timeouts, .refusedTokens, .truncatedBodies, .garbageBodies: true
    default: false
    }
  }
}
