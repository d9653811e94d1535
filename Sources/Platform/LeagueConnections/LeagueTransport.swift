// SPDX-License-Identifier: GPL-3.0-or-later
public import Foundation

/// A GET request to a league's service.
public struct LeagueRequest: Hashable, Sendable {
  public var url: String
  /// Header fields by their names.
  public var headers: [String: String]

  package init(_ url: String, headers: [String: String] = [:]) { (self.url, self.headers) = (url, headers) }
}

/// An answer with any status.
public struct LeagueResponse: Hashable, Sendable {
  package let status: Int
  /// Header fields by their lower-case names.
  package let headers: [String: String]
  package let body: Data
  /// The number of requests made for it.
  package var attempts = 1

  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// Sends requests: by libcurl in `LeagueHTTP`, from a script in tests.
public protocol LeagueTransport: Sendable {
  /// Sends a request and returns its answer. It follows no redirect, keeps no cookies, and ends when its task is
  /// cancelled.
  ///
  /// - Throws: `TransportError` if there is no answer.
  func send(_ request: LeagueRequest) async throws -> LeagueResponse
}

/// The reason why a request has no answer.
public enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No answer came in time.
  case timeout(seconds: Double)
  /// No connection, or one that ended before the whole answer came.
  case connection(String)
  /// An error that the next attempt would repeat: a bad certificate, too many bytes.
  case unusable(String)

  /// True if another attempt may succeed.
  package var isTransient: Bool {
    if case .unusable = self { false } else { true }
  }

  public var description: String {
    switch self {
    case .timeout(let seconds): "no answer within \(seconds) s"
    case .connection(let cause), .unusable(let cause): cause
    }
  }
}
