// SPDX-License-Identifier: Apache-2.0

/// A place in the app as a deep link; a link is read only in the exact form in which it is printed.
public enum Link: Hashable, Sendable {
  case player(String)
  case captain(round: Int)
  case trade(out: String, into: String)
  case alerts

  private static let scheme = "aflfantasy://"

  /// The link, as `aflfantasy://trade/p-1/p-2`.
  public var url: String {
    switch self {
    case .player(let id): "\(Self.scheme)player/\(id)"
    case .captain(let round): "\(Self.scheme)captain/\(round)"
    case .trade(let out, let into): "\(Self.scheme)trade/\(out)/\(into)"
    case .alerts: "\(Self.scheme)alerts"
    }
  }

  /// Reads a link strictly: nothing is decoded, trimmed or ignored.
  ///
  /// - Throws: `FantasyProblem` for another scheme, an unknown route, and segments with other characters.
  public init(_ text: String) throws(FantasyProblem) {
    func bad(_ expected: String) -> FantasyProblem {
      let shown = String(
        String.UnicodeScalarView(text.unicodeScalars.prefix(80).map { $0.value < 32 || $0.value == 127 ? "?" : $0 }))
      return FantasyProblem(field: "link", found: "'\(shown)'", expected: expected)
    }
    guard text.utf8.count <= 200, text.utf8.starts(with: Self.scheme.utf8) else {
      throw bad("a link that begins with \(Self.scheme), of at most 200 bytes")
    }
    let segments = text.utf8.dropFirst(Self.scheme.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    )
    .map { String(Substring($0)) }
    guard segments.allSatisfy(Self.isIdentifier) else {
      throw bad("segments of lower-case letters, digits and hyphens: no '..', '%', query or control characters")
    }
    let link: Link? =
      switch (segments[0], segments.count) {
      case ("player", 2): .player(segments[1])
      case ("captain", 2): Int(segments[1]).flatMap { (1...99).contains($0) ? .captain(round: $0) : nil }
      case ("trade", 3): segments[1] == segments[2] ? nil : .trade(out: segments[1], into: segments[2])
      case ("alerts", 1): .alerts
      default: nil
      }
    // A round with leading zeros is refused here, because it is printed without them.
    guard let link, link.url == text else { throw bad("player/ID, captain/ROUND, trade/OUT/IN or alerts") }
    self = link
  }

  /// Returns true if a text is a valid player id: 1 to 64 lower-case letters, digits and hyphens.
  public static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}
