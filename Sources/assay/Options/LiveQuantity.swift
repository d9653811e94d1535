// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// Numbers with their units, as options about connections have them.
enum LiveQuantity {
  /// A count: `1M`, `10k`, `250000`.
  ///
  /// - Parameters:
  ///   - option: The option.
  ///   - text: Its value.
  ///   - range: What it may be.
  ///   - example: A value for the error.
  /// - Returns: The count.
  /// - Throws: `CommandError.badValue`.
  static func count(
    _ option: String, _ text: String, in range: ClosedRange<Int>, example: String
  ) throws(CommandError) -> Int {
    guard let count = WholeNumber.parse(text), range.contains(count) else {
      let (least, most) = (NumberFormat.grouped(range.lowerBound), NumberFormat.grouped(range.upperBound))
      throw .badValue(
        option: option, found: text, expected: "a whole number from \(least) to \(most), for example \(example)")
    }
    return count
  }

  /// A length of time: `30s`, `2m`, `250ms`.
  ///
  /// - Parameters:
  ///   - option: The option.
  ///   - text: Its value.
  ///   - most: The longest it may be, in seconds.
  ///   - example: A value for the error.
  /// - Returns: The length.
  /// - Throws: `CommandError.badValue`.
  static func span(
    _ option: String, _ text: String, upTo most: Int64, example: String
  ) throws(CommandError) -> Interval {
    guard let duration = TimeSpan.parse(text), duration <= .seconds(most) else {
      throw .badValue(
        option: option, found: text,
        expected: "a duration above 0 and up to \(most / 3_600)h in ms, s, m or h, for example \(example)")
    }
    let (seconds, attoseconds) = duration.components
    return .seconds(seconds) + Interval(nanoseconds: attoseconds / 1_000_000_000)
  }

  /// How many a second: `5000/s`, `300k/m`, or `5000` for so many a second.
  ///
  /// - Parameters:
  ///   - option: The option.
  ///   - text: Its value.
  /// - Returns: How many a second, above 0.
  /// - Throws: `CommandError.badValue`; also for what is no whole number a second.
  static func rate(_ option: String, _ text: String) throws(CommandError) -> Int {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let units: [Substring: Int] = ["s": 1, "m": 60, "h": 3_600]
    guard let number = parts.first.flatMap({ WholeNumber.parse($0) }), number > 0,
      let unit = parts.count == 2 ? units[parts[1]] : 1, number.isMultiple(of: unit)
    else {
      throw .badValue(
        option: option, found: text,
        expected:
          "a whole number above 0 a second, for example 5000/s, or what comes to one by the minute or hour, 300k/m")
    }
    return number / unit
  }
}
