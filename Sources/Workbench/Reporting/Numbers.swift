// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Numbers as text, the same on every machine: no locale, no negative zero.
public enum NumberFormat {
  /// A number with a fixed number of decimals, correctly rounded; `nan` and infinities by their names.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    let text = String(format: "%.\(min(max(decimals, 0), 17))f", value)
    return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
  }

  /// A share with a fixed number of decimals, and more where needed: a share above 0 never reads as 0, and one below
  /// the whole never as the whole. A very small one has an exponent: `1.95e-14`.
  package static func share(_ value: Double, decimals: Int, of whole: Double = 1) -> String {
    guard value > 0, value < whole else { return fixed(value, decimals: decimals) }
    if value < 1e-6 {
      let digits = min(17, max(3, decimals + 1 + Int(log10(value).rounded(.down))))
      return String(format: "%.\(digits)g", value)
    }
    for decimals in min(max(decimals, 0), 17)...17 {
      let text = fixed(value, decimals: decimals)
      if let printed = Double(text), printed > 0, printed < whole { return text }
    }
    return shortest(value)
  }

  /// A share in percent, with as many decimals as it has, at most eight: `99.9%`. A share below the whole never reads
  /// as the whole.
  public static func percent(_ share: Double) -> String {
    let tidied = (share * 1e10).rounded() / 1e8
    return shortest(tidied >= 100 && share < 1 ? share * 100 : tidied) + "%"
  }

  /// A share in percent, with decimals as `share` has them: `99.98%`.
  public static func percent(_ share: Double, decimals: Int) -> String {
    Self.share(share * 100, decimals: decimals, of: 100) + "%"
  }

  /// As `fixed`, with separated thousands, and an exponent for very small numbers: `17,020.7`, `4.9e-11`.
  package static func readable(_ value: Double, decimals: Int) -> String {
    if decimals > 8, abs(value) < 1e-6 { return value == 0 ? "0" : String(format: "%.3g", value) }
    let text = fixed(value, decimals: decimals)
    let whole = text.prefix { $0 != "." }
    guard abs(value) >= 1000, let count = Int(whole) else { return text }
    return grouped(count) + text.dropFirst(whole.count)
  }

  /// The decimals of a number without trailing zeros, at most the given number: 3 of 19.905 and 4.
  package static func decimals(of value: Double, maximum: Int) -> Int {
    let text = fixed(value, decimals: maximum)
    guard maximum > 0, value.isFinite, text.contains(where: { ("1"..."9").contains($0) }) else { return maximum }
    return maximum - text.reversed().prefix { $0 == "0" }.count
  }

  /// As `fixed`, with a plus sign unless the number is negative.
  public static func signed(_ value: Double, decimals: Int) -> String {
    let text = fixed(value, decimals: decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// A count with its sign and separated thousands: `+9,000`.
  public static func signed(_ count: Int) -> String { (count < 0 ? "" : "+") + grouped(count) }

  /// The shortest decimal that reads back as the same number; whole numbers without a point.
  public static func shortest(_ value: Double) -> String {
    let text = "\(value == 0 ? 0 : value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A number in hexadecimal, padded to at least `digits` digits: `0007`.
  package static func hexadecimal(_ value: some BinaryInteger, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// A count with its noun: `1 run`, `2,000 runs`.
  public static func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(grouped(Int(clamping: count))) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The unit after a figure, with a space before it: ` prices` for 2, ` price` for 1; empty if there is no unit.
  package static func unit(_ unit: String, of figure: String) -> String {
    let noun = unit.prefix { $0 != " " }
    guard figure == "1", noun.count > 3, noun.hasSuffix("s") else { return unit.isEmpty ? "" : " \(unit)" }
    let endings = ["ndices": "ndex", "ies": "y", "ches": "ch"].sorted { $0.key.count > $1.key.count }
    let (plural, singular) = endings.first { noun.hasSuffix($0.key) } ?? ("s", "")
    return " \(noun.dropLast(plural.count))\(singular)\(unit.dropFirst(noun.count))"
  }

  /// A count with separated thousands, for people: `1,000,000`.
  public static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    let groups = digits.enumerated().map { offset, digit in
      let isBoundary = offset > 0 && (digits.count - offset).isMultiple(of: 3)
      return isBoundary ? ",\(digit)" : "\(digit)"
    }
    return (count < 0 ? "-" : "") + groups.joined()
  }
}

/// Whole numbers as people type them: `250000`, `1_000_000`, `1e9`, `2.5e6`, `10k`, `2.5M`, `1G`; and as they are
/// printed: `1,000,000`.
public enum WholeNumber {
  /// The number as people type it, in the largest unit that it reaches: `300k`.
  package static func text(_ number: Int) -> String {
    let unit = [("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)].first { number >= $0.1 }
    return unit.map { NumberFormat.shortest(Double(number) / Double($0.1)) + $0.0 } ?? "\(number)"
  }

  /// The number, read exactly; `nil` if the text is no whole number or does not fit.
  public static func parse(_ text: some StringProtocol) -> Int? {
    var rest = text.lowercased()[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    if let unit = rest.last, let zeros = ["k": "e3", "m": "e6", "g": "e9"][unit], !rest.contains("e") {
      rest = rest.dropLast() + zeros
    }
    let parts = rest.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = parts.first, let exponent = parts.count == 2 ? exponent(parts[1]) : 0 else { return nil }
    let halves = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first.flatMap(digits), !whole.isEmpty else { return nil }
    guard var fraction = halves.count == 2 ? digits(halves[1]) : "" else { return nil }
    if halves.count == 2 && fraction.isEmpty { return nil }
    while fraction.last == "0" { fraction.removeLast() }
    guard fraction.count <= exponent else { return nil }
    let zeros = String(repeating: "0", count: exponent - fraction.count)
    return Int((isNegative ? "-" : "") + whole + fraction + zeros)
  }

  /// An exponent small enough that its zeros fit.
  private static func exponent(_ text: Substring) -> Int? {
    let unsigned = text.first == "+" ? text.dropFirst() : text
    guard (1...2).contains(unsigned.count), let plain = digits(unsigned), let value = Int(plain) else { return nil }
    return value
  }

  /// The digits without the underscores between them, or the commas before each three; `nil` if there is anything else.
  private static func digits(_ text: Substring) -> String? {
    if text.contains(",") {
      let groups = text.split(separator: ",", omittingEmptySubsequences: false)
      guard (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
      return groups.joined().allSatisfy { ("0"..."9").contains($0) } ? groups.joined() : nil
    }
    guard text.first != "_", text.last != "_", !text.contains("__") else { return nil }
    let plain = text.filter { $0 != "_" }
    return plain.allSatisfy { ("0"..."9").contains($0) } ? String(plain) : nil
  }
}

/// Lengths of time as people type them: `30s`, `5m`, `1.5h`, `250ms`, `2d`, `1h30m`. A number without a unit is
/// refused, except 0: some people mean seconds, others milliseconds. The form of reports is read as well: `1 min 30 s`.
public enum TimeSpan {
  private static let units: [(name: String, nanoseconds: Int128)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("min", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// The duration, rounded to whole nanoseconds; `nil` if the text is no duration or longer than a year.
  public static func parse(_ text: String) -> Duration? {
    var rest = text[...]
    var sum = Int128(0)
    repeat {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      guard let size = text == "0" ? 1 : units.first(where: { $0.name == unit })?.nanoseconds,
        let part = product(number, size)
      else { return nil }
      sum += part
    } while !rest.isEmpty
    guard sum <= 366 * 86_400_000_000_000 else { return nil }
    return .nanoseconds(Int64(sum))
  }

  /// The seconds of a unit; `nil` for an unknown one.
  package static func seconds(in unit: String) -> Double? {
    units.first { $0.name == unit }.map { Double($0.nanoseconds) / 1e9 }
  }

  /// The length in seconds of the unit of a measure, in which `m` is a metre and a minute is `min`.
  package static func seconds(ofMeasuresIn unit: String) -> Double? { unit == "m" ? nil : seconds(in: unit) }

  /// The expectation for an error about a length of time; a number without a unit is shown in both readings.
  public static func expected(_ expected: String, in text: String) -> String {
    guard Double(text) != nil,
      let (seconds, milliseconds) = parse(text + "s").flatMap({ seconds in
        parse(text + "ms").map { (seconds, $0) }
      })
    else { return expected }
    return "\(expected), with its unit: '\(text)s' is \(Self.text(seconds)), '\(text)ms' is \(Self.text(milliseconds))"
  }

  /// The duration in the largest unit that gives a whole number of it.
  public static func text(_ duration: Duration) -> String {
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
