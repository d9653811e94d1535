// SPDX-License-Identifier: GPL-3.0-or-later
public import ClubCore

/// What a lenient reading passed over: the first problems in the files' order, and how many there were.
public struct FeedProblems: Hashable, Sendable {
  /// The first problems, each with its file and line.
  public private(set) var first: [ClubError] = []
  /// How many there were in all.
  public private(set) var count = 0
  /// How many are kept at most.
  public let mostKept: Int

  /// No problems.
  ///
  /// - Parameter mostKept: How many are kept at most; the others are counted.
  public init(keeping mostKept: Int) {
    self.mostKept = mostKept
  }

  /// Whether nothing was passed over.
  public var isEmpty: Bool { count == 0 }

  /// Notes what comes behind everything noted before.
  ///
  /// - Parameters:
  ///   - problems: The first of them, in order.
  ///   - total: How many there are.
  mutating func append(_ problems: some Sequence<ClubError>, total: Int) {
    first += problems.prefix(mostKept - first.count)
    count += total
  }
}
