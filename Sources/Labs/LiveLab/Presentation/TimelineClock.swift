// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// Moments and lengths of time as a timeline shows them.
enum TimelineClock {
  /// A moment as minutes, seconds and thousandths, `2:05.250`, with hours before them where there are any.
  ///
  /// - Parameter moment: What is finer than a thousandth of a second is cut off.
  /// - Returns: The text.
  static func text(of moment: Instant) -> String {
    let thousandths = moment.nanoseconds / 1_000_000
    let (hours, minutes) = (thousandths / 3_600_000, thousandths / 60_000 % 60)
    let rest = padded(thousandths / 1_000 % 60, to: 2) + "." + padded(thousandths % 1_000, to: 3)
    return hours > 0 ? "\(hours):\(padded(minutes, to: 2)):\(rest)" : "\(minutes):\(rest)"
  }

  /// A length of time as people say it: `85 ms`, `2.5 s`, `1 min 30 s`, `2 h 5 min`.
  ///
  /// - Parameter interval: What is finer than the last unit shown is cut off.
  /// - Returns: The text.
  static func text(of interval: Interval) -> String {
    let thousandths = interval.nanoseconds / 1_000_000
    switch thousandths {
    case ..<1_000: return "\(thousandths) ms"
    case ..<60_000:
      let rest = thousandths % 1_000
      var digits = rest == 0 ? "" : "." + padded(rest, to: 3)
      while digits.hasSuffix("0") { digits.removeLast() }
      return "\(thousandths / 1_000)\(digits) s"
    case ..<3_600_000:
      return joined(thousandths / 60_000, "min", thousandths / 1_000 % 60, "s")
    default:
      return joined(thousandths / 3_600_000, "h", thousandths / 60_000 % 60, "min")
    }
  }

  private static func joined(_ whole: Int64, _ unit: String, _ rest: Int64, _ smaller: String) -> String {
    rest == 0 ? "\(whole) \(unit)" : "\(whole) \(unit) \(rest) \(smaller)"
  }

  private static func padded(_ number: Int64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
