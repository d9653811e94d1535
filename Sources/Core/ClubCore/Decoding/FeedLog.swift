// SPDX-License-Identifier: Apache-2.0

/// What went wrong in the parts of a feed that one reader has read, by part and line within it.
struct FeedLog: Sendable {
  struct Problem {
    let part: Int
    /// From 1, within the part.
    let line: Int
    let activity: Int?
    let fault: FeedFault
  }

  /// The first of them, `FeedLimits.problems` at most.
  private(set) var problems: [Problem] = []
  /// How many there are.
  private(set) var count = 0
  /// Whether there was nothing but white space.
  var isEmpty = false
  private var parts: [(part: Int, lines: Int)] = []

  mutating func report(_ problem: Problem) {
    count += 1
    if problems.count < FeedLimits.problems { problems.append(problem) }
  }

  mutating func endPart(_ part: Int, lines: Int) { parts.append((part, lines)) }

  /// The errors of all readers of a feed in its order, with lines counted from the feed's first.
  ///
  /// Every reader meets its parts in ascending order, so the first problems of all are among the first of each.
  static func errors(_ logs: [FeedLog], source: String) -> [ClubError] {
    var linesBefore: [Int: Int] = [:]
    var lines = 0
    for (part, count) in logs.flatMap(\.parts).sorted(by: { $0.part < $1.part }) {
      linesBefore[part] = lines
      lines += count
    }
    // Sorting is stable, so that a reader's own problems keep their order.
    let problems = logs.flatMap(\.problems).sorted { ($0.part, $0.line) < ($1.part, $1.line) }
    return problems.prefix(FeedLimits.problems).map { problem in
      problem.fault.error(
        at: FeedPlace(
          source: source, line: linesBefore[problem.part, default: 0] + problem.line, activity: problem.activity))
    }
  }

  /// The error of a feed in which no reader met anything.
  static func emptiness(of source: String) -> ClubError {
    .badFeed(
      FeedPlace(source: source, line: 1), field: "", found: "an empty feed",
      expected: "a JSON array of activities, or one activity a line")
  }
}
