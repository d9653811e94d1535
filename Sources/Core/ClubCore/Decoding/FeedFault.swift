// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the bytes of an activity, told before anybody knows where in the feed they stand.
struct FeedFault: Error, Hashable {
  /// Where, in bytes from the activity's first.
  var offset: Int
  /// The part of the activity; empty for the whole.
  var field: String
  /// What stands there, shortened.
  var found: String
  /// What should stand there; nil where the service itself says, in `found`, why it sends nothing.
  var expected: String?

  /// The error for a place in a feed.
  func error(at place: FeedPlace) -> ClubError {
    guard let expected else { return .serviceRefused(place, message: found) }
    return .badFeed(place, field: field, found: found, expected: expected)
  }
}

/// What lies behind the last byte that a scanner may read.
enum FeedEnding: String {
  case line = "the end of the line"
  case feed = "the end of the feed"
}
