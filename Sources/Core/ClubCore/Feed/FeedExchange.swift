// SPDX-License-Identifier: Apache-2.0

/// What the fetcher asks the service for: one page of a club's activities, the newest first.
public struct FeedRequest: Hashable, Sendable {
  /// The page, from 1.
  public let page: Int
  /// How many activities a page should have, 1 to 200. The service may send fewer, and pages shift between requests.
  public let perPage: Int

  /// A request.
  ///
  /// - Parameters:
  ///   - page: From 1.
  ///   - perPage: 1 to 200.
  public init(page: Int, perPage: Int) {
    (self.page, self.perPage) = (page, perPage)
  }
}

/// What the service sent.
public struct FeedResponse: Hashable, Sendable {
  /// One line of a response's head.
  public struct Header: Hashable, Sendable {
    /// Its name, in any case.
    public let name: String
    /// What stands behind the colon, without spaces around it.
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
  ///
  /// - Parameters:
  ///   - status: The status code of HTTP.
  ///   - headers: The headers, in the order in which they came.
  ///   - body: The body as it came.
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
  /// The service answered.
  case response(FeedResponse)
  /// Nothing came in time.
  case timedOut
  /// There was no connection, and why.
  case unreachable(reason: String)
}
