// SPDX-License-Identifier: Apache-2.0

/// What a fetch of a club's listing asks for, and how long it tries.
public struct FetchPlan: Hashable, Sendable {
  /// How many activities a page is asked to have, 30 to 200.
  public let perPage: Int
  /// How many pages are read at most; nil reads to the end.
  public let pageLimit: Int?
  /// The activities of the last listing: the fetch ends with the first page that reaches them.
  public let known: [ActivityFingerprint]
  /// How many activities of a page have to be known for that, at least 1; one alone may be the twin of a new one.
  ///
  /// A ride that was uploaded late may stand behind them, where the service sorts by start: a listing that has to
  /// have it, or what was deleted, is fetched without `known`.
  public let stretch: Int
  /// How often one page is asked for while the service is in trouble or out of reach.
  public var mostAttempts = 5
  /// How many refusals for a spent budget in a row are waited for.
  public var mostRefusals = 8
  /// How often one seam is read anew, and how often the whole listing, because it shifted meanwhile.
  public var mostRereads = 4
  /// How many requests one fetch sends at most.
  public var mostRequests = 1000
  /// How long an answer is waited for, in seconds.
  public var timeout = 30
  /// What is waited for between attempts.
  public var retryDelay = RetryDelay(first: 1000, most: 60_000)

  /// A plan.
  ///
  /// - Parameters:
  ///   - perPage: How many activities a page is asked to have, 30 to 200; bounded to these.
  ///   - pageLimit: How many pages are read at most, at least 1; nil reads to the end.
  ///   - known: The activities of the last listing; none reads to the end.
  ///   - stretch: How many activities of a page have to be known for an end, at least 1.
  public init(
    perPage: Int = 200, pageLimit: Int? = nil, known: [ActivityFingerprint] = [], stretch: Int = 20
  ) {
    self.perPage = min(max(perPage, 30), 200)
    self.pageLimit = pageLimit.map { max($0, 1) }
    (self.known, self.stretch) = (known, max(stretch, 1))
  }
}

/// What a fetch went through.
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
  /// Times that the listing was read anew from its first page.
  public internal(set) var restarts = 0
  /// Seams that kept shifting: what returned at the head of the next page was left out, which never counts anything
  /// twice but may have lost an activity to this fetch, or a true twin; the listing is not called whole then.
  public internal(set) var unprovedSeams = 0
  /// Headers that could not be read, each once.
  public internal(set) var remarks: [ClubError] = []
}
