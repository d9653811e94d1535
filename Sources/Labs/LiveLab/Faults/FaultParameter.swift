// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreDates
internal import LiveCore
internal import Reporting

public struct FaultParameter: Hashable, Sendable {
  public enum Unit: Hashable, Sendable {
    /// Nanoseconds, written as `1m30s` or `250ms`.
    case time
    /// Millionths, written as a share from 0 to 1 or in percent.
    case portion
    /// An integer, with the name of its unit.
    case count(of: String)
    /// One of several words, by its index.
    case word([String])
  }

  public let name: String
  public let unit: Unit
  public let range: ClosedRange<Int64>
  /// The default value; nil if a value is required.
  public let standard: Int64?
  /// True if the value may be absent, which is `FaultParameter.none`.
  public let isOptional: Bool
  /// True if a schedule omits the parameter if it has its default value.
  private var isOmittedWhenDefault = false

  /// The value of an absent optional parameter.
  public static let none: Int64 = -1
  public static let whole: Int64 = 1_000_000

  init(_ name: String, _ unit: Unit, _ range: ClosedRange<Int64>, standard: Int64? = nil, isOptional: Bool = false) {
    (self.name, self.unit, self.range, self.isOptional) = (name, unit, range, isOptional)
    self.standard = standard ?? (isOptional ? Self.none : nil)
  }

  static func time(_ name: String, standard: Int64? = nil, isOptional: Bool = false) -> FaultParameter {
    FaultParameter(name, .time, 0...FaultSchedule.longest.nanoseconds, standard: standard, isOptional: isOptional)
  }

  static let time = time("time")

  static let number = FaultParameter("count", .count(of: "times"), 1...100)

  /// Any integer.
  static let any = FaultParameter("number", .count(of: "anything"), 0 ... .max)

  static func bytes(standard: Int64? = nil, isOptional: Bool = false) -> FaultParameter {
    FaultParameter("bytes", .count(of: "bytes"), 1...Int64(UInt32.max), standard: standard, isOptional: isOptional)
  }

  static func portion(_ name: String, standard: Int64? = nil) -> FaultParameter {
    FaultParameter(name, .portion, 0...whole, standard: standard)
  }

  static func word(_ name: String, _ words: [String], standard: Int64? = nil) -> FaultParameter {
    FaultParameter(name, .word(words), 0...Int64(words.count - 1), standard: standard)
  }

  static func closeCode(standard: Int64) -> FaultParameter {
    FaultParameter("code", .count(of: "close code"), 1_000...4_999, standard: standard)
  }

  var omittedWhenDefault: FaultParameter {
    var parameter = self
    parameter.isOmittedWhenDefault = true
    return parameter
  }

  var expectation: String {
    switch unit {
    case .time:
      "a time from \(FaultText.time(range.lowerBound)) to \(FaultText.time(range.upperBound)), such as 1m30s or 250ms"
    case .portion: "a share from 0 to 1, such as 0.05 or 5%"
    case .count(let name): "a whole number from \(range.lowerBound) to \(range.upperBound) (\(name))"
    case .word(let words): words.joined(separator: " or ")
    }
  }

  /// True if users may write a range of values: not for words and codes.
  var hasRanges: Bool {
    switch unit {
    case .word, .count(of: "close code"), .count(of: "HTTP status"): false
    default: true
    }
  }

  func text(_ value: Int64) -> String {
    switch unit {
    case .time: FaultText.time(value)
    case .portion: FaultText.portion(value)
    case .count: "\(value)"
    case .word(let words): words.indices.contains(Int(value)) ? words[Int(value)] : "\(value)"
    }
  }

  /// A value, or a range of them as `minimum..maximum`.
  func text(_ spread: Spread) -> String {
    spread.minimum == spread.maximum ? text(spread.minimum) : "\(text(spread.minimum))..\(text(spread.maximum))"
  }

  /// The value as a schedule writes it; nil if it is omitted.
  func written(_ spread: Spread) -> String? {
    let isAbsent = isOptional && spread == Spread(Self.none)
    let isDefault = isOmittedWhenDefault && standard.map { Spread($0) } == spread
    return isAbsent || isDefault ? nil : text(spread)
  }

  /// The value of a text as `text(_:)` writes it; nil if the text is invalid or the value out of range.
  func value(_ text: String) -> Int64? {
    let value: Int64? =
      switch unit {
      case .time: FaultText.readTime(text)
      case .portion: FaultText.readPortion(text)
      case .count: Int64(text)
      case .word(let words): words.firstIndex(of: text).map(Int64.init)
      }
    return value.flatMap { range.contains($0) ? $0 : nil }
  }
}

/// Times and shares as texts that can be read back without loss: `1h2m3.5s`, `250ms`, `5%`.
enum FaultText {
  static func text(_ interval: Interval) -> String { time(interval.nanoseconds) }

  /// Hours, minutes and seconds; below a second, milliseconds if they are whole.
  static func time(_ nanoseconds: Int64) -> String {
    if nanoseconds < 0 { return nanoseconds == .min ? "-\(time(.max))" : "-\(time(-nanoseconds))" }
    if nanoseconds == 0 { return "0s" }
    if nanoseconds < 1_000_000_000, nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
    let (minutes, rest) = nanoseconds.quotientAndRemainder(dividingBy: 60_000_000_000)
    let (hours, left) = minutes.quotientAndRemainder(dividingBy: 60)
    let front = (hours > 0 ? "\(hours)h" : "") + (left > 0 ? "\(left)m" : "")
    return rest == 0 ? front : front + "\(decimal(rest, digits: 9))s"
  }

  /// The time in nanoseconds; nil if the text is invalid or the time longer than a year.
  static func readTime(_ text: String) -> Int64? {
    if text == "forever" { return FaultSchedule.longest.nanoseconds }
    return TimeSpan.parse(text).map { Interval($0).nanoseconds }
  }

  static func millionths(_ share: Double) -> Int64 { Int64((share * 1e6).rounded()) }

  /// Millionths as a share in percent.
  static func portion(_ millionths: Int64) -> String { "\(decimal(millionths, digits: 4))%" }

  static func readPortion(_ text: String) -> Int64? {
    WholeNumber.parse(text.hasSuffix("%") ? text.dropLast() + "e4" : text[...] + "e6").map(Int64.init)
  }

  /// An integer divided by a power of ten, without trailing zeros.
  private static func decimal(_ value: Int64, digits: Int) -> String {
    let text = Int(value).padded(to: digits + 1)
    let fraction = text.suffix(digits).reversed().drop { $0 == "0" }.reversed()
    return text.dropLast(digits) + (fraction.isEmpty ? "" : "." + String(fraction))
  }
}
