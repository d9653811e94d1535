// SPDX-License-Identifier: Apache-2.0

/// The pages to request in a fetch of a club's listing, and the limits of retries.
public struct FetchPlan: Hashable, Sendable {
  /// The requested number of activities of a page, 30 to 200.
  public let perPage: Int
  /// The largest number of pages; `nil` reads to the end.
  public let pageLimit: Int?
  /// The largest number of attempts for one page while the service fails or cannot be reached.
  public var maxAttempts = 5
  /// The largest number of consecutive refusals for a spent budget.
  public var maxRefusals = 8
  /// The largest number of readings of one shifted seam, and of the whole listing after shifts.
  public var maxRereads = 4
  /// The largest number of requests of a fetch.
  public var maxRequests = 1000
  /// The time to wait for an answer, in seconds.
  public var timeout = 30
  /// The waits between attempts.
  public var retryDelay = RetryDelay(first: 1000, maximum: 60_000)

  /// A plan; numbers out of bounds are clamped.
  public init(perPage: Int = 200, pageLimit: Int? = nil) {
    self.perPage = min(max(perPage, 30), 200)
    self.pageLimit = pageLimit.map { max($0, 1) }
  }
}

/// The requests, refusals and waits of a fetch.
public struct FetchReport: Hashable, Sendable {
  /// Requests sent.
  public internal(set) var requests = 0
  /// Requests repeated because of failures of the service.
  public internal(set) var retries = 0
  /// Refusals because the budget was spent.
  public internal(set) var refusals = 0
  /// Second readings of a page to verify a seam.
  public internal(set) var checks = 0
  /// Seams that shifted between the two readings.
  public internal(set) var shifts = 0
  /// Restarts from the first page of the listing.
  public internal(set) var restarts = 0
  /// Seams that kept shifting: activities repeated at the head of the next page were left out. No activity is counted
  /// twice, but one may be missing, or a true twin; `isWhole` is then false.
  public internal(set) var unprovedSeams = 0
  /// Headers that could not be parsed, each once.
  public internal(set) var remarks: [ClubError] = []
}

/// A request for one page of a club's activities, the newest first.
public struct FeedRequest: Hashable, Sendable {
  /// The page, from 1.
  public let page: Int
  /// The requested number of activities, 1 to 200. The service may send fewer, and pages shift between requests.
  public let perPage: Int

  /// A request for a page from 1, with 1 to 200 activities.
  public init(page: Int, perPage: Int) {
    (self.page, self.perPage) = (page, perPage)
  }
}

/// A response of the service.
public struct FeedResponse: Hashable, Sendable {
  /// A header field of a response.
  public struct Header: Hashable, Sendable {
    /// The name, in any case.
    public let name: String
    /// The text after the colon, without surrounding spaces.
    public let value: String

    /// A header.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The status code of HTTP.
  public let status: Int
  /// The headers, in the order received.
  public let headers: [Header]
  /// The body as received; it may be truncated.
  public let body: [UInt8]

  /// A response.
  public init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// The value of the first header with a name, in any case.
  public subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The outcome of an exchange with the service.
public enum FeedReply: Hashable, Sendable {
  case response(FeedResponse)
  case timedOut
  /// There was no connection, for this reason.
  case unreachable(reason: String)
}

/// The delays between attempts: doubled each time up to a bound, with jitter from a seed, so that clients do not return
/// together and each one is reproducible.
public struct RetryDelay: Hashable, Sendable {
  /// The longest delay before the second attempt, in milliseconds.
  public let first: Int
  /// The upper bound of all delays, in milliseconds.
  public let maximum: Int
  /// The seed of the jitter.
  public let seed: UInt64

  /// Delays from 1 to 10^9 ms; other numbers are clamped.
  public init(first: Int = 1000, maximum: Int = 300_000, seed: UInt64 = 0) {
    self.first = min(max(first, 1), 1_000_000_000)
    self.maximum = min(max(maximum, self.first), 1_000_000_000)
    self.seed = seed
  }

  /// The delay in milliseconds after a number of consecutive failures: from half of a bound to the bound, which is
  /// `first` doubled for each earlier failure and at most `maximum`; 0 after no failures.
  public func delay(after failures: Int) -> Int {
    guard failures > 0 else { return 0 }
    var whole = first
    for _ in 1..<min(failures, 64) where whole < maximum { whole *= 2 }
    whole = min(whole, maximum)
    let half = whole / 2
    return half + Int(Self.mixed(seed &+ UInt64(failures)) % UInt64(whole - half + 1))
  }

  /// The finaliser of SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
