// SPDX-License-Identifier: Apache-2.0

/// When an activity began, as far as anything tells: bounds that hold, a best guess between them, and the week.
public struct Dating: Hashable, Sendable {
  /// What a dating rests on.
  public enum Ground: String, Hashable, Sendable, CaseIterable {
    /// The feed says when it began.
    case start
    /// It entered the feed between two fetches, and most rides are uploaded when they end.
    case firstSeen
    /// Its place among activities that are dated already contradicts the moment at which it entered: a late upload.
    case place
    /// It was there before anybody looked, at the first fetch or below the end of the listings until now. Its week
    /// is unknown, unless its bounds lie in one.
    case backlog
  }

  /// The week it counts for; nil where it is unknown: then it counts for none.
  public let week: Week?
  /// It began no earlier; nil where nothing bounds it, because uploads may be as late as they like.
  public let earliest: Moment?
  /// It began no later.
  public let latest: Moment
  /// The best guess; nil where there is none.
  public let likely: Moment?
  /// What it rests on.
  public let ground: Ground

  /// Whether it may have begun at a moment, as far as the bounds tell.
  public func admits(_ moment: Moment) -> Bool { moment <= latest && earliest.map { $0 <= moment } ?? true }
}
