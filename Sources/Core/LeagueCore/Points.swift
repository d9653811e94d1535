// SPDX-License-Identifier: Apache-2.0

/// Fantasy points, held exactly in thousandths: sums do not depend on their order, and equal totals are equal.
///
/// Leagues score in hundredths, some in thousandths (a point for forty yards is 0.025 a yard); services sum them in
/// binary fractions and send 1640.6000000000004 for 1640.6. Points may be negative: -9 in a week has been seen.
public struct Points: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The points in thousandths, from -10^11 to 10^11.
  public let thousandths: Int

  /// The largest magnitude in thousandths: a hundred million points, which keeps exact scores within 128 bits.
  public static let maxThousandths = 100_000_000_000

  /// No points.
  public static let zero = Points(checked: 0)

  init(checked thousandths: Int) { self.thousandths = thousandths }

  /// Points in thousandths, from -10^11 to 10^11.
  ///
  /// - Throws: `badValue` for a number out of this range.
  public init(thousandths: Int) throws(LeagueError) {
    guard Self.range.contains(thousandths) else {
      throw .badValue(team: nil, field: "points", found: "\(thousandths) thousandths", expected: Self.expected)
    }
    self.init(checked: thousandths)
  }

  /// The thousandth nearest to a number of points, ties away from zero; it undoes a service's rounding errors.
  ///
  /// - Parameters:
  ///   - value: Points, from -10^8 to 10^8.
  ///   - field: The number's name in errors.
  /// - Throws: `badValue` for a number out of this range, NaN and infinities.
  public init(_ value: Double, field: String = "points") throws(LeagueError) {
    // Checked before the multiplication: NaN fails every comparison, and the result of any other value fits an Int.
    guard abs(value) <= Double(Self.maxThousandths / 1000) else {
      throw .badValue(team: nil, field: field, found: "\(value)", expected: Self.expected)
    }
    // Rounded without `rounded()`, which needs the C library's mathematics: an app on this core alone does not link it.
    let scaled = value * 1000
    let whole = Int(scaled)
    let rest = scaled - Double(whole)
    self.init(checked: whole + (rest >= 0.5 ? 1 : rest <= -0.5 ? -1 : 0))
  }

  /// The exact sum; `field` is its name in errors.
  ///
  /// - Throws: `badValue` for a sum out of range.
  public func adding(_ other: Points, field: String = "points") throws(LeagueError) -> Points {
    // Both are at most 10^11, so their sum fits an Int.
    let sum = thousandths + other.thousandths
    guard Self.range.contains(sum) else {
      throw .badValue(team: nil, field: field, found: "\(sum) thousandths", expected: Self.expected)
    }
    return Points(checked: sum)
  }

  /// The points as a number, for display: the nearest double.
  public var value: Double { Double(thousandths) / 1000 }

  private static let range = -maxThousandths...maxThousandths

  private static let expected = "a finite number of points from -100000000 to 100000000"

  /// Returns true if the left value is smaller.
  public static func < (left: Points, right: Points) -> Bool { left.thousandths < right.thousandths }

  /// The exact decimal without trailing zeros: `1640.6`, `-9`, `0.025`.
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
  /// - Throws: `DecodingError` for anything but a number, and for a number out of range.
  public init(from decoder: any Decoder) throws {
    do {
      try self.init(decoder.singleValueContainer().decode(Double.self))
    } catch let error as LeagueError {
      throw decoder.corrupted(error.description)
    }
  }

  /// Writes the nearest double, which decodes to the same points.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// An error in the teams of a league.
public enum LeagueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value out of the bounds of a season; the team is `nil` where the value's owner is not known yet.
  case badValue(team: String?, field: String, found: String, expected: String)
  /// Two teams with the same id, so that a rank could belong to either.
  case duplicateTeam(id: Int, first: String, second: String)

  /// One sentence: the team and field, the value found, and the value expected.
  public var description: String {
    switch self {
    case .badValue(let team, let field, let found, let expected):
      "\(team.map { "team '\($0)', " } ?? "")\(field): found \(found), expected \(expected)."
    case .duplicateTeam(let id, let first, let second):
      "team '\(second)', id: found \(id), expected a unique id; '\(first)' has \(id) already."
    }
  }

  /// The same error with the name of the team that the value belongs to.
  func of(team name: String) -> LeagueError {
    guard case .badValue(nil, let field, let found, let expected) = self else { return self }
    return .badValue(team: name, field: field, found: found, expected: expected)
  }
}
