// SPDX-License-Identifier: Apache-2.0

/// What can be wrong with a club's feed and what is asked of it, with what a person needs to mend it.
public enum ClubError: Error, Hashable, Sendable {
  /// Something at a place in a feed: `field` names the part of the activity, such as `athlete.firstname`, and is empty
  /// where the activity or the whole feed is meant.
  case badFeed(FeedPlace, field: String, found: String, expected: String)
  /// The service sent an error instead of activities, with its own words.
  case serviceRefused(FeedPlace, message: String)
  /// A value that is asked for in another way than by a feed.
  case badValue(field: String, found: String, expected: String)
  /// Nobody has that name; the nearest names of those who there are, best first.
  case noSuchMember(name: String, nearest: [String])
  /// Several members have that name.
  case ambiguousMember(name: String, members: [String])
}

/// A place in a feed.
public struct FeedPlace: Hashable, Sendable {
  /// The file's name as it was given; `-` for standard input; what a person would call the page otherwise.
  public let source: String
  /// The line, from 1.
  public let line: Int
  /// The activity's place in its page, from 1; nil outside of activities.
  public let activity: Int?

  /// A place.
  ///
  /// - Parameters:
  ///   - source: What a person calls the file or page.
  ///   - line: From 1.
  ///   - activity: From 1; nil outside of activities.
  public init(source: String, line: Int, activity: Int? = nil) {
    (self.source, self.line, self.activity) = (source, line, activity)
  }
}

extension FeedPlace: CustomStringConvertible {
  /// `feed.json:3: activity 2`.
  public var description: String { "\(source):\(line)" + (activity.map { ": activity \($0)" } ?? "") }
}

extension ClubError: CustomStringConvertible {
  /// One sentence: where, what was found, and what was expected.
  public var description: String {
    switch self {
    case .badFeed(let place, let field, let found, let expected):
      "\(place): \(field.isEmpty ? "" : "\(field): ")found \(found), expected \(expected)."
    case .serviceRefused(let place, let message):
      "\(place): the service sent no activities but says '\(message)'."
    case .badValue(let field, let found, let expected):
      "\(field): found \(found), expected \(expected)."
    case .noSuchMember(let name, let nearest):
      "nobody is called '\(name)'"
        + (nearest.isEmpty ? "." : "; the nearest: \(nearest.joined(separator: ", ")).")
    case .ambiguousMember(let name, let members):
      "'\(name)' may be any of \(members.joined(separator: ", "))."
    }
  }
}
