// SPDX-License-Identifier: GPL-3.0-or-later

/// Durations as people type them: `30s`, `5m`, `1.5h`, `250ms`, `90`.
package enum TimeSpan {
  /// The duration; `nil` where the text is none.
  ///
  /// - Parameter text: a number of seconds above 0, or of what `ms`, `s`, `m` or `h` behind it says; at most a year.
  /// - Returns: the duration, or `nil`.
  package static func parse(_ text: String) -> Duration? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units: [Substring: Double] = ["": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3600]
    guard let unit = units[text.dropFirst(number.count)], let value = Double(number) else { return nil }
    let seconds = value * unit
    return seconds > 0 && seconds <= 366 * 86_400 ? .seconds(seconds) : nil
  }
}
