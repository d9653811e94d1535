// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

extension StormSettings {
  /// A capacity as people type it: `5000/s`, `5k`, `unlimited`.
  ///
  /// - Parameter text: A whole number with or without `/s` behind it; 0 and `unlimited` are for as many as come.
  /// - Returns: Handshakes a second; nil where the text is none.
  static func capacity(from text: String) -> Int? {
    if text == "unlimited" { return 0 }
    guard let rate = WholeNumber.parse(text.hasSuffix("/s") ? text.dropLast(2) : text[...]), rate >= 0 else {
      return nil
    }
    return rate
  }

  /// A length of time as people type it, to the microsecond: `30s`, `250ms`, `1.5h`.
  ///
  /// - Parameter text: What `TimeSpan` reads.
  /// - Returns: The interval; nil where the text is none.
  static func interval(from text: String) -> Interval? {
    TimeSpan.parse(text).map { duration in
      let (seconds, attoseconds) = duration.components
      return .seconds(seconds) + Interval(nanoseconds: (attoseconds + 500_000_000_000) / 1_000_000_000_000 * 1_000)
    }
  }

  /// An interval as `interval(from:)` reads it.
  static func text(_ interval: Interval) -> String { NumberFormat.shortest(interval.seconds) + "s" }

  /// The capacity as `capacity(from:)` reads it.
  var capacityText: String { capacity == 0 ? "unlimited" : "\(capacity)/s" }
}
