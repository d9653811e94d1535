// SPDX-License-Identifier: Apache-2.0

/// How much of anything a feed may carry: far more than the service sends, little enough to keep memory small. Texts
/// are measured as they are written in the feed, escapes included.
public enum FeedLimits {
  /// Bytes of an activity, from brace to brace, and of a line: one MiB.
  public static let activityBytes = 1_048_576
  /// Bytes of a first name, and of a last name.
  public static let nameBytes = 500
  /// Bytes of a title.
  public static let titleBytes = 5000
  /// Bytes of the word for a sport, and of an athlete's token.
  public static let wordBytes = 100
  /// How deep objects and arrays may nest in an activity, which is the first level itself.
  public static let depth = 64
  /// How many problems of a lenient reading are kept; the others are counted.
  public static let problems = 1000
}
