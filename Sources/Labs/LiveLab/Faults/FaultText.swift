// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// Times and shares as texts that are read back without a loss: `1h2m3.5s`, `250ms`, `5%`.
enum FaultText {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000),
  ]

  static func text(_ interval: Interval) -> String { time(interval.nanoseconds) }

  /// Hours, minutes and seconds; below a second whole milliseconds where they are whole.
  static func time(_ nanoseconds: Int64) -> String {
    if nanoseconds < 0 { return nanoseconds == .min ? "-\(time(.max))" : "-\(time(-nanoseconds))" }
    if nanoseconds == 0 { return "0s" }
    if nanoseconds < 1_000_000_000, nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
    let (minutes, rest) = nanoseconds.quotientAndRemainder(dividingBy: 60_000_000_000)
    let (hours, left) = minutes.quotientAndRemainder(dividingBy: 60)
    let front = (hours > 0 ? "\(hours)h" : "") + (left > 0 ? "\(left)m" : "")
    return rest == 0 ? front : front + "\(decimal(rest, digits: 9))s"
  }

  /// The exact time in nanoseconds; a bare number is in seconds. Nil where the text is none, or is too fine.
  static func readTime(_ text: String) -> Int64? {
    if text == "forever" { return FaultSchedule.longest.nanoseconds }
    var (rest, sum, next) = (Substring(text), Int64(0), 0)
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(number.count)
      let name = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(name.count)
      let isBare = name.isEmpty && rest.isEmpty && next == 0
      guard let place = units[next...].firstIndex(where: { isBare ? $0.name == "s" : $0.name == name }),
        let part = scaled(number, by: units[place].nanoseconds)
      else { return nil }
      let (total, isTooLong) = sum.addingReportingOverflow(part)
      guard !isTooLong else { return nil }
      (sum, next) = (total, place + 1)
    }
    return sum
  }

  /// Millionths as a share in percent.
  static func portion(_ millionths: Int64) -> String { "\(decimal(millionths, digits: 4))%" }

  static func readPortion(_ text: String) -> Int64? {
    text.hasSuffix("%") ? scaled(text.dropLast(), by: 10_000) : scaled(Substring(text), by: 1_000_000)
  }

  /// A whole number over a power of ten, without trailing zeros.
  private static func decimal(_ value: Int64, digits: Int) -> String {
    var text = String(value)
    text = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    let fraction = text.suffix(digits).reversed().drop { $0 == "0" }.reversed()
    return text.dropLast(digits) + (fraction.isEmpty ? "" : "." + String(fraction))
  }

  /// A decimal number times a scale, exactly; nil where it is no number, or the product is not whole or too great.
  private static func scaled(_ text: Substring, by scale: Int64) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty, first.allSatisfy({ $0.isASCII && $0.isNumber }),
      let whole = Int64(first)
    else { return nil }
    let (product, isTooGreat) = whole.multipliedReportingOverflow(by: scale)
    guard !isTooGreat else { return nil }
    guard parts.count == 2 else { return product }
    guard !parts[1].isEmpty, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    var (sum, unit) = (product, scale)
    for digit in parts[1].compactMap(\.wholeNumberValue) {
      guard unit % 10 == 0 || digit == 0 else { return nil }
      unit /= 10
      let (total, isTooLong) = sum.addingReportingOverflow(Int64(digit) * unit)
      guard !isTooLong else { return nil }
      sum = total
    }
    return sum
  }
}
