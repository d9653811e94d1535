// SPDX-License-Identifier: Apache-2.0

/// The pages that a fetch of a club's listing asks for, and how long it tries.
public struct FetchPlan: Hashable, Sendable {
  /// How many activities a page is asked to have, 30 to 200.
  public let perPage: Int
  /// How many pages are read at most; nil reads to the end.
  public let pageLimit: Int?
  /// How often one page is asked for while the service is in trouble or out of reach.
  public var mostAttempts = 5
  /// How many refusals for a spent budget in a row are waited for.
  public var mostRefusals = 8
  /// How often one seam is read again, and how often the whole listing, because it shifted meanwhile.
  public var mostRereads = 4
  /// How many requests one fetch sends at most.
  public var mostRequests = 1000
  /// How long an answer is waited for, in seconds.
  public var timeout = 30
  /// The waits between attempts.
  public var retryDelay = RetryDelay(first: 1000, most: 60_000)

  /// A plan; numbers out of bounds are taken to the nearest bound.
  public init(perPage: Int = 200, pageLimit: Int? = nil) {
    self.perPage = min(max(perPage, 30), 200)
    self.pageLimit = pageLimit.map { max($0, 1) }
  }
}

/// The requests, refusals and waits of a fetch.
public struct FetchReport: Hashable, Sendable {
  /// Requests sent.
  public internal(set) var requests = 0
  /// Requests sent again because of the service's trouble.
  public internal(set) var retries = 0
  /// Answers that said that the budget is spent.
  public internal(set) var refusals = 0
  /// Pages read a second time to prove a seam.
  public internal(set) var checks = 0
  /// Seams that had shifted between the two readings.
  public internal(set) var shifts = 0
  /// How often the listing was read again from its first page.
  public internal(set) var restarts = 0
  /// Seams that kept shifting: what returned at the head of the next page was left out, which never counts anything
  /// twice but may have lost an activity to this fetch, or a true twin; the listing is not called whole then.
  public internal(set) var unprovedSeams = 0
  /// Headers that could not be read, each once.
  public internal(set) var remarks: [ClubError] = []
}

/// A request to the service: one page of a club's activities, the newest first.
public struct FeedRequest: Hashable, Sendable {
  /// The page, from 1.
  public let page: Int
  /// How many activities a page should have, 1 to 200. The service may send fewer, and pages shift between requests.
  public let perPage: Int

  /// A request for a page from 1, with 1 to 200 activities.
  public init(page: Int, perPage: Int) {
    (self.page, self.perPage) = (page, perPage)
  }
}

/// A response of the service.
public struct FeedResponse: Hashable, Sendable {
  /// One line of a response's head.
  public struct Header: Hashable, Sendable {
    /// Its name, in any case.
    public let name: String
    /// The text behind the colon, without spaces around it.
    public let value: String

    /// A header.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The status code of HTTP.
  public let status: Int
  /// The headers, in the order in which they came.
  public let headers: [Header]
  /// The body as it came; it may have been cut off.
  public let body: [UInt8]

  /// A response.
  public init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// The value of the first header of a name, whatever the case of either.
  public subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// How an exchange with the service ended.
public enum FeedReply: Hashable, Sendable {
  case response(FeedResponse)
  case timedOut
  /// There was no connection, and why.
  case unreachable(reason: String)
}

/// How long to wait before a next attempt: twice as long each time, up to a bound, with jitter from a seed, so that
/// many clients do not come back at once and one client always behaves the same.
public struct RetryDelay: Hashable, Sendable {
  /// The longest delay before the second attempt, in milliseconds.
  public let first: Int
  /// The longest delay at all, in milliseconds.
  public let most: Int
  /// The seed of the jitter.
  public let seed: UInt64

  /// Delays from 1 to 10^9 ms; other numbers are taken to the nearest bound.
  public init(first: Int = 1000, most: Int = 300_000, seed: UInt64 = 0) {
    self.first = min(max(first, 1), 1_000_000_000)
    self.most = min(max(most, self.first), 1_000_000_000)
    self.seed = seed
  }

  /// The delay in milliseconds after so many failures in a row: from half of `first`, doubled for each failure before
  /// it and bounded by `most`, to the whole of that; none after 0 failures.
  public func delay(after failures: Int) -> Int {
    guard failures > 0 else { return 0 }
    var whole = first
    for _ in 1..<min(failures, 64) where whole < most { whole *= 2 }
    whole = min(whole, most)
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
