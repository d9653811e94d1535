// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A parameter of a kind of fault: its name, its unit, and what values it may have.
package struct FaultParameter: Hashable, Sendable {
  /// What a value counts.
  package enum Unit: Hashable, Sendable {
    /// Nanoseconds; written as `1m30s` or `250ms`.
    case time
    /// Millionths of a whole; written as a share from 0 to 1, or in percent.
    case portion
    /// A whole number of what the text names.
    case count(of: String)
    /// One of some words, by its place among them.
    case word([String])
  }

  /// Its name in scenarios and schedules.
  package let name: String
  /// What a value counts.
  package let unit: Unit
  /// The least and the greatest value.
  package let range: ClosedRange<Int64>
  /// The value where none is written; nil where one must be.
  package let standard: Int64?
  /// Whether there may be none; `FaultParameter.none` stands for that.
  package let isOptional: Bool
  /// Whether a schedule does not write it where it has its usual value.
  package private(set) var isLeftOutWhenUsual = false

  /// What stands for no value where a parameter is optional.
  package static let none: Int64 = -1

  init(
    _ name: String, _ unit: Unit, _ range: ClosedRange<Int64>, standard: Int64? = nil, isOptional: Bool = false
  ) {
    (self.name, self.unit, self.range, self.isOptional) = (name, unit, range, isOptional)
    self.standard = standard ?? (isOptional ? Self.none : nil)
  }

  static func time(_ name: String, standard: Int64? = nil, isOptional: Bool = false) -> FaultParameter {
    FaultParameter(
      name, .time, 0...FaultSchedule.longest.nanoseconds, standard: standard, isOptional: isOptional)
  }

  static func portion(_ name: String, standard: Int64? = nil) -> FaultParameter {
    FaultParameter(name, .portion, 0...1_000_000, standard: standard)
  }

  static func word(_ name: String, _ words: [String], standard: Int64? = nil) -> FaultParameter {
    FaultParameter(name, .word(words), 0...Int64(words.count - 1), standard: standard)
  }

  /// The same parameter, which a schedule writes only where it has another than its usual value.
  var leftOutWhenUsual: FaultParameter {
    var parameter = self
    parameter.isLeftOutWhenUsual = true
    return parameter
  }

  static func closeCode(standard: Int64) -> FaultParameter {
    FaultParameter("code", .count(of: "close code"), 1_000...4_999, standard: standard)
  }

  /// What a value must be, in words.
  package var expectation: String {
    switch unit {
    case .time:
      "a time from \(FaultText.time(range.lowerBound)) to \(FaultText.time(range.upperBound)), such as 1m30s or 250ms"
    case .portion: "a share from 0 to 1, such as 0.05 or 5%"
    case .count(let name): "a whole number from \(range.lowerBound) to \(range.upperBound) (\(name))"
    case .word(let words): words.joined(separator: " or ")
    }
  }

  /// A value as text.
  package func text(_ value: Int64) -> String {
    switch unit {
    case .time: FaultText.time(value)
    case .portion: FaultText.portion(value)
    case .count: "\(value)"
    case .word(let words): words.indices.contains(Int(value)) ? words[Int(value)] : "\(value)"
    }
  }

  /// A value, or a range of them as `least..most`.
  func text(_ spread: Spread) -> String {
    spread.least == spread.most ? text(spread.least) : "\(text(spread.least))..\(text(spread.most))"
  }

  /// The value that a text says.
  ///
  /// - Parameter text: As `text(_:)` writes it.
  /// - Returns: The value; nil where the text is none, or it is out of range.
  package func value(_ text: String) -> Int64? {
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
