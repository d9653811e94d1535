// SPDX-License-Identifier: Apache-2.0

/// A place in the app, as a deep link has it: one table of routes reads links and prints them.
public enum Link: Hashable, Sendable {
  case player(String)
  case captain(round: Int)
  case trade(out: String, into: String)
  case alerts

  /// The routes: the host, how many segments follow, and how they are read. Printing and reading both go by it.
  private static let routes: [(host: String, segments: Int, read: @Sendable ([String]) -> Link?)] = [
    ("player", 1, { isIdentifier($0[0]) ? .player($0[0]) : nil }),
    ("captain", 1, { round($0[0]).map { .captain(round: $0) } }),
    (
      "trade", 2,
      { isIdentifier($0[0]) && isIdentifier($0[1]) && $0[0] != $0[1] ? .trade(out: $0[0], into: $0[1]) : nil }
    ),
    ("alerts", 0, { _ in .alerts }),
  ]

  private var parts: (host: String, segments: [String]) {
    switch self {
    case .player(let id): ("player", [id])
    case .captain(let round): ("captain", ["\(round)"])
    case .trade(let out, let into): ("trade", [out, into])
    case .alerts: ("alerts", [])
    }
  }

  /// The link, as `aflfantasy://trade/p-1/p-2`.
  public var url: String {
    let (host, segments) = parts
    return "aflfantasy://" + ([host] + segments).joined(separator: "/")
  }

  /// Reads a link, strictly: nothing is decoded, trimmed or passed over.
  ///
  /// - Throws: `FantasyProblem` for another scheme, an unknown route, and anything but plain segments.
  public init(_ text: String) throws(FantasyProblem) {
    func bad(_ expected: String) -> FantasyProblem {
      let shown = String(
        String.UnicodeScalarView(text.unicodeScalars.prefix(80).map { $0.value < 32 || $0.value == 127 ? "?" : $0 }))
      return FantasyProblem(field: "link", found: "'\(shown)'", expected: expected)
    }
    let scheme = "aflfantasy://"
    guard text.utf8.count <= 200, text.utf8.starts(with: scheme.utf8) else {
      throw bad("a link that begins with \(scheme), of at most 200 bytes")
    }
    let segments = text.utf8.dropFirst(scheme.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    )
    .map { String(Substring($0)) }
    guard segments.allSatisfy(Self.isIdentifier) else {
      throw bad("segments of lower-case letters, digits and hyphens: no '..', '%', query or control characters")
    }
    guard let route = Self.routes.first(where: { $0.host == segments[0] && $0.segments == segments.count - 1 }),
      let link = route.read(Array(segments.dropFirst()))
    else {
      throw bad("player/ID, captain/ROUND, trade/OUT/IN or alerts")
    }
    self = link
  }

  /// Whether a text may name a player: 1 to 64 lower-case letters, digits and hyphens.
  public static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }

  /// A round as it is printed: 1 to 99 without leading zeros.
  private static func round(_ text: String) -> Int? {
    Int(text).flatMap { (1...99).contains($0) && "\($0)" == text ? $0 : nil }
  }
}
