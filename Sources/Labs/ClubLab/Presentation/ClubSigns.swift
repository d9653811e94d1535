// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// The signs of a club's reports: bars, arrows and medals, or plain letters where those would not show.
package enum ClubSigns: Hashable, Sendable {
  /// `🥇`, `↑`, `█▌`.
  case pictures
  /// `1st`, `up`, `###`.
  case letters

  /// The signs that an environment shows: pictures where its locale is encoded in UTF-8 and its terminal is not dumb.
  ///
  /// - Parameter environment: The process's variables; the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty
  ///   names the locale, as POSIX has it.
  package init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let encoding = locale.lowercased().filter { $0 != "-" }
    self = encoding.contains("utf8") && environment["TERM"] != "dumb" ? .pictures : .letters
  }

  /// A bar.
  ///
  /// - Parameters:
  ///   - share: How full it is, 0 to 1; what is beyond is cut off.
  ///   - width: How many columns a full one takes.
  /// - Returns: As many columns as the share fills; whatever is above zero shows.
  package func bar(_ share: Double, width: Int) -> String {
    guard share > 0 else { return "" }
    let full = min(share, 1) * Double(width)
    switch self {
    case .letters: return String(repeating: "#", count: max(1, Int(full + 0.5)))
    case .pictures:
      let eighths = max(1, Int(full * 8 + 0.5))
      return String(repeating: "█", count: eighths / 8) + Self.parts[eighths % 8]
    }
  }

  /// A place in a ranking: the first three have medals.
  package func rank(_ rank: Int) -> String {
    switch (self, rank) {
    case (.pictures, 1): "🥇 1"
    case (.pictures, 2): "🥈 2"
    case (.pictures, 3): "🥉 3"
    case (.letters, 1): "1st"
    case (.letters, 2): "2nd"
    case (.letters, 3): "3rd"
    default: "\(rank)"
    }
  }

  /// A trend: where it goes and, where there is one, by which percentage.
  package func trend(_ trend: Trend) -> String {
    let sign =
      switch (self, trend.direction) {
      case (.pictures, .up): "↑"
      case (.pictures, .down): "↓"
      case (.pictures, .flat): "→"
      default: trend.direction.rawValue
      }
    guard trend.direction != .gone, let tenths = trend.tenthsOfPercent else { return sign }
    return "\(sign) \(tenths < 0 ? "" : "+")\(ClubDisplay.percentage(tenths))"
  }

  private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
