// SPDX-License-Identifier: Apache-2.0
internal import CoreTables

#if canImport(Glibc)
  // Rounding uses the C library's functions, which no other import links.
  internal import Glibc
#endif

/// A card counting system: the tags that the seen cards add to the running count.
///
/// Tags are stored in halves of a point, so that those of Wong's Halves are integers. Red cards may have another tag
/// than black ones, as in Red Seven; each deck has two of each colour for every rank. Side counts are not supported.
public struct CountingSystem: Hashable, Sendable {
  /// The name, for example `hi-lo`.
  public let name: String
  /// The tags of black cards in halves of a point, ace to ten.
  public let black: [Int]
  /// The tags of red cards in halves of a point, ace to ten.
  public let red: [Int]
  /// The initial running count in halves of a point: a constant, plus `startPerDeck` for each deck.
  private let start: Int
  private let startPerDeck: Int

  private init(
    _ name: String, _ points: [Double], red: [Double]? = nil, start: Int = 0, perDeck: Int = 0
  ) {
    self.name = name
    black = points.map { Int(2 * $0) }
    self.red = (red ?? points).map { Int(2 * $0) }
    (self.start, startPerDeck) = (2 * start, 2 * perDeck)
  }

  /// The built-in systems; tags from ace to ten.
  ///
  /// Sources: Dubner 1963 (Hi-Lo), Vancura and Fuchs, "Knock-Out Blackjack" (KO), Einstein and Humble (Hi-Opt), Carlson
  /// (Omega II), Snyder (Zen, Red Seven), Wong (Halves).
  public static let all: [CountingSystem] = [
    CountingSystem("hi-lo", [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1]),
    CountingSystem("ko", [-1, 1, 1, 1, 1, 1, 1, 0, 0, -1], start: 4, perDeck: -4),
    CountingSystem("hi-opt-1", [0, 0, 1, 1, 1, 1, 0, 0, 0, -1]),
    CountingSystem("hi-opt-2", [0, 1, 1, 2, 2, 1, 1, 0, 0, -2]),
    CountingSystem("omega-2", [0, 1, 1, 2, 2, 2, 1, 0, -1, -2]),
    CountingSystem("zen", [-1, 1, 1, 2, 2, 2, 1, 0, 0, -2]),
    CountingSystem("halves", [-1, 0.5, 1, 1, 1.5, 1, 0.5, 0, -0.5, -1]),
    CountingSystem(
      "red-seven", [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1], red: [-1, 1, 1, 1, 1, 1, 1, 0, 0, -1], perDeck: -2),
  ]

  /// The usual system of beginners.
  public static let hiLo = all[0]

  /// The mean tag of a value, in points.
  public func tag(of value: CardValue) -> Double { Double(black[value.index] + red[value.index]) / 4 }

  /// The sum of the tags of a deck, in points; 0 for a balanced system.
  public var sumOfDeck: Double { CardValue.allCases.reduce(0) { $0 + 4 * Double($1.ranksPerSuit) * tag(of: $1) } }

  /// True if the tags of a deck sum to 0, as a true count requires.
  public var isBalanced: Bool { sumOfDeck == 0 }

  /// The initial running count, in halves of a point.
  public func start(decks: Int) -> Int { start + startPerDeck * decks }

  /// Reads a system from a table with the columns `card` and `tag`, which need no heading: a line for each of A and 2
  /// to 10, a card of one colour as `7 red`, a line `balanced,yes` or `balanced,no`, and for an initial running count
  /// other than 0 `start,4` and `start per deck,-4`.
  ///
  /// - Throws: `BlackjackError.badChart` with the line, the field and the expected value: tags in whole or half points
  ///   up to 4, each card once, and `balanced` in agreement with the sum of a deck.
  public init(csv: String, name: String) throws(BlackjackError) {
    var tags: [[Int?]] = [Array(repeating: nil, count: 10), Array(repeating: nil, count: 10)]
    var (declared, declaredLine) = (Bool?.none, Int?.none)
    var starts = [0, 0]
    let rows = try BlackjackError.chart { () throws(TableError) in
      let columns = ["card", "tag"]
      return try TextTable(csv, file: "", defaultHeading: columns).columns(columns)
    }
    for row in rows {
      let (card, tag, line) = (row[0].text, row[1].text, row[0].line)
      if card == "balanced" {
        guard tag == "yes" || tag == "no" else {
          throw .badChart(line: line, field: card, found: TableError.quoted(tag), expected: "yes or no")
        }
        (declared, declaredLine) = (tag == "yes", line)
        continue
      }
      let isStart = card.hasPrefix("start")
      guard let points = row[1].number, abs(points) <= (isStart ? 40 : 4), Double(Int(2 * points)) == 2 * points
      else {
        throw .badChart(
          line: line, field: card, found: TableError.quoted(tag),
          expected: "whole or half points, \(isStart ? "-40 to 40" : "-4 to 4")\(row[1].advice)")
      }
      if isStart {
        starts[card == "start" ? 0 : 1] = Int(2 * points)
        continue
      }
      let words = card.split(separator: " ")
      guard let value = words.first.flatMap({ CardValue($0) }),
        words.count == 1 || ["red", "black"].contains(words[1])
      else {
        throw .badChart(
          line: line, field: "card", found: TableError.quoted(card), expected: "A, 2 to 10, or one such as 7 red")
      }
      for colour in 0...1 where words.count == 1 || (words[1] == "red") == (colour == 1) {
        guard tags[colour][value.index] == nil else {
          throw .badChart(line: line, field: "card", found: "\(card) a second time", expected: "each card once")
        }
        tags[colour][value.index] = Int(2 * points)
      }
    }
    guard let missing = CardValue.allCases.first(where: { tags[0][$0.index] == nil || tags[1][$0.index] == nil }) else {
      self.name = name
      (black, red) = (tags[0].compactMap(\.self), tags[1].compactMap(\.self))
      (start, startPerDeck) = (starts[0], starts[1])
      guard let declared, declared == isBalanced else {
        let sum = sumOfDeck == sumOfDeck.rounded() ? "\(Int(sumOfDeck))" : "\(sumOfDeck)"
        throw .badChart(
          line: declaredLine, field: "balanced", found: declared.map { $0 ? "yes" : "no" } ?? "nothing",
          expected: "\(isBalanced ? "yes" : "no"): the tags of a deck sum to \(sum)")
      }
      return
    }
    throw .badChart(line: nil, field: "card", found: "\(missing) missing", expected: "a tag of A and each of 2 to 10")
  }
}

/// The conversion of a running count into the count that a player uses: divided by the remaining decks and rounded.
@frozen public struct CountReading: Hashable, Sendable {
  /// The divisor of the running count.
  @frozen public enum Division: String, CaseIterable, Hashable, Sendable {
    /// 1: the running count itself, as for unbalanced systems.
    case none
    /// The decks of unseen cards, exactly.
    case exact
    /// The decks of unseen cards, to the nearest half deck, at least one half.
    case half
    /// The decks of unseen cards, to the nearest whole deck, at least one.
    case whole
  }

  /// The rounding of the quotient.
  @frozen public enum Rounding: String, CaseIterable, Hashable, Sendable {
    case none, floor, truncate, round
  }

  /// The divisor of the running count.
  public let division: Division
  /// The rounding of the quotient.
  public let rounding: Rounding

  /// A reading.
  public init(_ division: Division, _ rounding: Rounding) { (self.division, self.rounding) = (division, rounding) }

  /// The factor of the running count, in halves of a point, before the division.
  @inlinable public var factor: Double { division == .exact ? 26 : division == .none ? 0.5 : 1 }

  /// The divisor for a number of unseen cards: an integer, so that integer quotients are exact.
  @inlinable public func divisor(unseen: Int) -> Double {
    switch division {
    case .none: 1
    case .exact: Double(max(unseen, 1))
    // The tags are in halves of a point, so half decks and half points cancel.
    case .half: Double(max((unseen &+ 13) / 26, 1))
    case .whole: Double(2 &* max((unseen &+ 26) / 52, 1))
    }
  }

  /// The count as the player reads it.
  ///
  /// - Parameters:
  ///   - running: the running count in halves of a point.
  ///   - unseen: the number of cards that the player has not seen, including a hole card and burnt cards.
  /// - Returns: the true count in points, or the running count in points for the division `none`.
  @inlinable @inline(__always) public func value(running: Int, unseen: Int) -> Double {
    rounded(factor * Double(running) / divisor(unseen: unseen))
  }

  /// A count rounded by this conversion.
  @inlinable @inline(__always) public func rounded(_ count: Double) -> Double {
    switch rounding {
    case .none: count
    case .floor: count.rounded(.down)
    case .truncate: count.rounded(.towardZero)
    case .round: count.rounded(.toNearestOrAwayFromZero)
    }
  }
}
