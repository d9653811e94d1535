// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Randomness

/// A fault of a club's feed: its kind, rate and size.
///
/// Some faults affect rides (late uploads, renames, deletions), others the service's answers.
struct FeedFault: Hashable, Sendable {
  let kind: Kind
  /// The share of all `kind.facts.whose` that are affected.
  var rate: Double
  /// The size in `kind.facts.unit`.
  var size: Double

  /// A fault with the kind's default rate and size unless others are given.
  init(_ kind: Kind, rate: Double? = nil, size: Double? = nil) {
    (self.kind, self.rate, self.size) = (kind, rate ?? kind.facts.rate, size ?? kind.facts.size)
  }

  /// The kinds by their names in scenarios and reports.
  enum Kind: String, CaseIterable, Sendable {
    /// A ride is uploaded long after it ended.
    case lateUploads = "late uploads"
    /// A ride is followed by another one with exactly the same numbers.
    case identicalRides = "identical rides"
    case renames
    /// A ride's distance is corrected by up to a tenth.
    case edits
    case deletions
    /// A ride is hidden for a while; half of such rides are hidden from the beginning.
    case privacy
    /// A member's first name is spelt with other case and extra spaces from some day on.
    case spellings
    /// A request is answered from an outdated copy of the service, so that pages shift against each other.
    case stalePages = "stale pages"
    /// A ride is uploaded within seconds after the start of a fetch, so that pages shift while they are read.
    case shiftingPages = "shifting pages"
    /// After a ride the service leaves rows out of the page, which is then shorter than requested.
    case shortPages = "short pages"
    /// Other users exhaust the requests of a quarter of an hour; in all other quarters they use a few.
    case otherUsers = "other users"
    /// An answer has status 429 though the budget is not exhausted, half of them with `Retry-After`.
    case refusals
    /// An answer has a status from 500 to 504.
    case serverErrors = "server errors"
    /// The service does not answer at all for a while.
    case outages
    /// An answer comes after the fetcher's timeout.
    case timeouts
    /// An answer has status 401: the token has to be renewed.
    case refusedTokens = "refused tokens"
    case truncatedBodies = "truncated bodies"
    /// The body is not the feed.
    case garbageBodies = "garbage bodies"
    case clockSkew = "clock skew"
  }
}

extension FeedFault.Kind {
  /// `unit` is also the size's key in scenarios; `whose` is the population that the rate refers to; then the default
  /// rate and size, the bounds of the size, and its meaning in words.
  typealias Facts = (
    unit: String, whose: String, rate: Double, size: Double, bounds: ClosedRange<Double>, meaningOfSize: String
  )

  var facts: Facts {
    switch self {
    case .lateUploads: ("hours", "rides", 0.05, 24, 1...1000, "the mean delay of such an upload")
    case .identicalRides: ("hours", "rides", 0.03, 10, 3...1000, "how much later the second ride starts")
    case .renames: ("hours", "rides", 0.1, 12, 1...1000, "the mean time from the upload")
    case .edits: ("hours", "rides", 0.03, 12, 1...1000, "the mean time from the upload")
    case .deletions: ("hours", "rides", 0.02, 12, 1...1000, "the mean time from the upload")
    case .privacy: ("hours", "rides", 0.02, 24, 1...1000, "the mean time that a ride is hidden")
    case .spellings: ("spaces", "members", 0.1, 3, 0...100, "the most extra spaces after the name")
    case .stalePages: ("seconds", "requests", 0.05, 300, 1...3600, "the largest lag of a copy")
    case .shiftingPages: ("seconds", "rides", 0.2, 5, 1...3600, "the most after the fetch began")
    case .shortPages: ("rows", "rides", 0.05, 5, 1...29, "the most rows left out after one ride")
    case .otherUsers:
      (
        "requests", "quarters of an hour", 0.01, 5, 0...90,
        "the mean number of the others' requests in a quarter of an hour that they do not exhaust"
      )
    case .refusals: ("seconds", "requests", 0.02, 60, 1...3600, "the value of Retry-After")
    case .serverErrors: ("requests", "requests", 0.03, 2, 1...20, "how many requests in a row fail")
    case .outages: ("minutes", "days", 0.05, 90, 1...10_000, "how long an outage lasts")
    case .timeouts: ("seconds", "requests", 0.02, 45, 31...3600, "how late the answer is")
    case .refusedTokens: ("seconds", "requests", 0.005, 2, 1...3600, "how long it takes to get another token")
    case .truncatedBodies: ("bytes", "requests", 0.02, 4000, 1...1_000_000, "the most bytes that are missing")
    case .garbageBodies: ("bytes", "requests", 0.02, 500, 1...1_000_000, "the length of such a body")
    case .clockSkew: ("seconds", "seasons", 1, 20, 1...600, "the most that the clock is ahead or behind")
    }
  }

  /// True if the fault replaces the page in an answer.
  var replacesAnswers: Bool {
    switch self {
    case .refusals, .serverErrors, .timeouts, .refusedTokens, .truncatedBodies, .garbageBodies: true
    default: false
    }
  }
}

/// Faults that affect a feed at the same time, each kind at most once.
struct FaultMix: Hashable, Sendable {
  let faults: [FeedFault]

  static let none = FaultMix([])

  /// Every kind of fault at its default rate and size.
  static var `default`: FaultMix { FaultMix(FeedFault.Kind.allCases.map { FeedFault($0) }) }

  init(_ faults: [FeedFault]) {
    self.faults = FeedFault.Kind.allCases.compactMap { kind in faults.first { $0.kind == kind } }
  }

  /// The share of requests whose answers are replaced by a fault.
  var failingShare: Double { faults.filter(\.kind.replacesAnswers).reduce(0) { $0 + $1.rate } }

  subscript(kind: FeedFault.Kind) -> FeedFault? { faults.first { $0.kind == kind } }
}

/// Random numbers drawn in sets of one size, so that one fault's draws never shift another's: everything else is the
/// same with and without it.
struct Chances: ~Copyable {
  /// The random numbers for one fault of one ride or request.
  struct Draw {
    /// Uniform in [0, 1); below the rate the fault happens.
    let whether: Double
    /// Exponential of mean 1.
    let exponential: Double
    /// Uniform in [0, 1).
    let uniform: Double

    func happening(_ fault: FeedFault?) -> FeedFault? {
      fault.flatMap { whether < $0.rate ? $0 : nil }
    }

    /// A uniform integer from 1 to a greatest.
    func count(to greatest: Double) -> Int { 1 + min(Int(uniform * greatest), Int(greatest) - 1) }

    /// Seconds, exponentially distributed with a mean in hours.
    func seconds(hours: Double) -> Int { Int(exponential * hours * 3600) }
  }

  private var stream: WordStream

  init(named generator: String, seed: UInt32) throws(RandomnessError) {
    stream = try WordStream(named: generator, seed: seed)
  }

  mutating func draw() -> Draw {
    let (whether, exponential, uniform) = (stream.unitInterval(), stream.unitInterval(), stream.unitInterval())
    return Draw(whether: whether, exponential: -log(1 - exponential), uniform: uniform)
  }
}
