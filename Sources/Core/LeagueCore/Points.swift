// SPDX-License-Identifier: Apache-2.0

/// Fantasy points, held exactly in thousandths: sums do not depend on their order, and equal totals are equal.
///
/// Leagues score in hundredths, some in thousandths (a point for forty yards is 0.025 a yard); services sum them in
/// binary fractions and send 1640.6000000000004 for 1640.6. Points may be negative: -9 in a week has been seen.
public struct Points: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The points in thousandths, from -10^11 to 10^11.
  public let thousandths: Int

  /// The most thousandths either way: a hundred million points, which keeps exact scores within 128 bits.
  public static let mostThousandths = 100_000_000_000

  /// No points.
  public static let zero = Points(checked: 0)

  init(checked thousandths: Int) { self.thousandths = thousandths }

  /// Points in thousandths, from -10^11 to 10^11.
  ///
  /// - Throws: `badValue` beyond.
  public init(thousandths: Int) throws(LeagueError) {
    guard Self.range.contains(thousandths) else {
      throw .badValue(team: nil, field: "points", found: "\(thousandths) thousandths", expected: Self.expected)
    }
    self.init(checked: thousandths)
  }

  /// The thousandth nearest to a number of points, ties away from zero: what a service meant before it summed.
  ///
  /// - Parameters:
  ///   - value: Points, from -10^8 to 10^8.
  ///   - field: The number's name in errors.
  /// - Throws: `badValue` beyond, and for NaN and infinities.
  public init(_ value: Double, field: String = "points") throws(LeagueError) {
    // Bounded before it is multiplied: NaN fails every comparison, and what is left fits an Int.
    guard abs(value) <= Double(Self.mostThousandths / 1000) else {
      throw .badValue(team: nil, field: field, found: "\(value)", expected: Self.expected)
    }
    // By hand, because `rounded()` needs the C library's mathematics, which an app on this core alone does not link.
    let scaled = value * 1000
    let whole = Int(scaled)
    let rest = scaled - Double(whole)
    self.init(checked: whole + (rest >= 0.5 ? 1 : rest <= -0.5 ? -1 : 0))
  }

  /// The exact sum; `field` is its name in errors.
  ///
  /// - Throws: `badValue` where it leaves the range.
  public func adding(_ other: Points, field: String = "points") throws(LeagueError) -> Points {
    // Neither is beyond 10^11, so the sum of both fits an Int.
    let sum = thousandths + other.thousandths
    guard Self.range.contains(sum) else {
      throw .badValue(team: nil, field: field, found: "\(sum) thousandths", expected: Self.expected)
    }
    return Points(checked: sum)
  }

  /// The points as a number, for display: the nearest double.
  public var value: Double { Double(thousandths) / 1000 }

  private static let range = -mostThousandths...mostThousandths

  private static let expected = "a finite number of points from -100000000 to 100000000"

  /// Whether the left are fewer.
  public static func < (left: Points, right: Points) -> Bool { left.thousandths < right.thousandths }

  /// The exact decimal without idle zeros: `1640.6`, `-9`, `0.025`.
  public var description: String {
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    var digits = String(String(1000 + rest).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return (thousandths < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
  }
}

extension Points: Codable {
  /// The thousandth nearest to a number.
  ///
  /// - Throws: `DecodingError` for what is no number, and beyond the range.
  public init(from decoder: any Decoder) throws {
    do {
      try self.init(decoder.singleValueContainer().decode(Double.self))
    } catch let error as LeagueError {
      throw decoder.corrupted(error.description)
    }
  }

  /// Writes the nearest double, of which decoding gives the same points back.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// An error in the teams of a league, with what a person needs to fix it.
public enum LeagueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value that no season has; the team is nil where the value does not know whose it is.
  case badValue(team: String?, field: String, found: String, expected: String)
  /// Two teams with one id: a rank could belong to either.
  case duplicateTeam(id: Int, first: String, second: String)

  /// One sentence: whose value, which, what was found, and what was expected.
  public var description: String {
    switch self {
    case .badValue(let team, let field, let found, let expected):
      "\(team.map { "team '\($0)', " } ?? "")\(field): found \(found), expected \(expected)."
    case .duplicateTeam(let id, let first, let second):
      "team '\(second)', id: found \(id), expected an id of its own; '\(first)' has \(id) already."
    }
  }

  /// The same error, knowing whose value it was.
  func of(team name: String) -> LeagueError {
    guard case .badValue(nil, let field, let found, let expected) = self else { return self }
    return .badValue(team: name, field: field, found: found, expected: expected)
  }
}
