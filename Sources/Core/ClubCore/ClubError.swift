// SPDX-License-Identifier: Apache-2.0

/// An error in a club's feed, or in a request about it.
public enum ClubError: Error, Hashable, Sendable {
  /// An error at a place in a feed: `field` names the part of the activity, such as `athlete.firstname`; it is empty
  /// for the whole activity or feed.
  case badFeed(FeedLocation, field: String, found: String, expected: String)
  /// The service sent an error instead of activities; `message` is its text.
  case serviceRefused(FeedLocation, message: String)
  /// An invalid value from another source than a feed.
  case badValue(field: String, found: String, expected: String)
  /// No member has this name; `nearest` are the closest names, best first.
  case noSuchMember(name: String, nearest: [String])
  /// Several members match this name.
  case ambiguousMember(name: String, members: [String])
  /// The service answered a page with a status that a retry does not resolve; `message` is empty or begins with a
  /// colon.
  case pageRefused(page: Int, status: Int, message: String)
  /// All attempts failed because of the service or the connection; `last` is the last failure.
  case serviceFailed(page: Int, attempts: Int, last: String)
  /// The service sent a page again instead of the next one.
  case repeatedPage(page: Int)
}

/// A place in a feed.
public struct FeedLocation: Hashable, Sendable {
  /// The name of the file as given; `-` for standard input, or a description of the page.
  public let source: String
  /// The line, from 1.
  public let line: Int
  /// The number of the activity in its page, from 1; `nil` outside of activities.
  public let activity: Int?

  /// A place.
  public init(source: String, line: Int, activity: Int? = nil) {
    (self.source, self.line, self.activity) = (source, line, activity)
  }
}

extension FeedLocation: CustomStringConvertible {
  /// `feed.json:3: activity 2`.
  public var description: String { "\(source):\(line)" + (activity.map { ": activity \($0)" } ?? "") }
}

extension ClubError: CustomStringConvertible {
  /// One sentence: the place, the value found, and the value expected.
  public var description: String {
    switch self {
    case .badFeed(let location, let field, let found, let expected):
      "\(location): \(field.isEmpty ? "" : "\(field): ")found \(found), expected \(expected)."
    case .serviceRefused(let location, let message):
      "\(location): the service sent no activities but says '\(message)'.\(Self.advice(on: message))"
    case .badValue(let field, let found, let expected):
      "\(field): found \(found), expected \(expected)."
    case .noSuchMember(let name, let nearest):
      ClubDisplay.sentence(
        "nobody is called '\(name)'" + (nearest.isEmpty ? "" : "; the nearest: \(nearest.joined(separator: ", "))"))
    case .ambiguousMember(let name, let members):
      ClubDisplay.sentence("'\(name)' may be any of \(members.joined(separator: ", "))")
    case .pageRefused(let page, let status, let message):
      "page \(page): the service answers \(status)\(message); \(Self.cure(of: status))."
    case .serviceFailed(let page, let attempts, let last):
      "page \(page): given up after \(attempts) attempts; the last time: \(last)."
    case .repeatedPage(let page):
      "page \(page): the service sends the page before it again; ask with a page limit of \(max(1, page - 1))."
    }
  }
}

extension ClubError {
  /// The way on from a message of the service, with a space before it; empty for an unknown message.
  private static func advice(on message: String) -> String {
    let message = message.lowercased()
    if message.contains("not found") {
      return " Strava removed GET /clubs/ID/activities on 1 September 2026, so no club's number is found; use the"
        + " activities that each member shares, GET /athlete/activities, or their exports."
    }
    if message.contains("authorization") || message.contains("unauthorized") || message.contains("forbidden") {
      return " Get a new access token whose scope has activity:read."
    }
    return message.contains("rate limit") ? " Ask again after the next quarter of an hour, or tomorrow." : ""
  }

  private static func cure(of status: Int) -> String {
    switch status {
    case 401: "sign in again"
    case 403: "only members may read a club's activities, and the access has to cover reading"
    case 404: "Strava has no feed of clubs since 1 September 2026; of another service, check the club's number"
    case 429: "the budget is spent again and again; ask less often, or ask who else spends it"
    default: "check the request against the service's documentation"
    }
  }
}
