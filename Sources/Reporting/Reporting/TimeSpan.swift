// SPDX-License-Identifier: GPL-3.0-or-later

/// Lengths of time as people type them: `30s`, `5m`, `1.5h`, `250ms`, `2d`, `1h30m`; a number alone is seconds.
package enum TimeSpan {
  private static let units: [(name: String, nanoseconds: Int128)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
    ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// The duration, rounded to whole nanoseconds; `nil` where the text is none or longer than a year.
  package static func parse(_ text: String) -> Duration? {
    var rest = text[...]
    var (sum, isFirst) = (Int128(0), true)
    repeat {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      let isBare = unit.isEmpty && isFirst && rest.isEmpty
      guard let size = isBare ? 1_000_000_000 : units.first(where: { $0.name == unit })?.nanoseconds,
        let part = product(number, size)
      else { return nil }
      (sum, isFirst) = (sum + part, false)
    } while !rest.isEmpty
    guard sum <= 366 * 86_400_000_000_000 else { return nil }
    return .nanoseconds(Int64(sum))
  }

  /// The duration in the largest unit that gives a whole number of it.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    guard nanoseconds != 0 else { return "0s" }
    let unit = units.first { nanoseconds.isMultiple(of: $0.nanoseconds) } ?? ("ns", 1)
    return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
  }

  private static func product(_ number: Substring, _ size: Int128) -> Int128? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, whole.count <= 12, let value = Int128(whole) else { return nil }
    guard parts.count == 2 else { return value * size }
    let digits = parts[1]
    guard !digits.isEmpty, digits.count <= 18, let fraction = Int128(digits) else { return nil }
    let scale = (0..<digits.count).reduce(Int128(1)) { power, _ in power * 10 }
    return value * size + (fraction * size + scale / 2) / scale
  }
}
