// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// How far a run has come, and the one line that says so.
public struct ProgressLine: Hashable, Sendable {
  /// Rounds played.
  public var rounds: Int
  /// Rounds to play; nil when nobody knows.
  public var mostRounds: Int?
  /// Time since the start.
  public var elapsed: Duration
  /// What is counted.
  public var unit: String
  /// What else there is to say, such as "cells decided 312 of 330".
  public var note: String

  /// Creates a state of affairs.
  public init(rounds: Int, mostRounds: Int?, elapsed: Duration, unit: String = "rounds", note: String = "") {
    (self.rounds, self.mostRounds, self.elapsed) = (rounds, mostRounds, elapsed)
    (self.unit, self.note) = (unit, note)
  }

  /// Rounds per second since the start; 0 at the very start.
  public var rate: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(rounds) / seconds : 0
  }

  /// The time that the rest will take at this rate; nil when it cannot be told.
  public var left: Duration? {
    guard let mostRounds, rate > 0 else { return nil }
    // A century is as good as never, and keeps the duration in range.
    return .seconds(min(Double(max(0, mostRounds - rounds)) / rate, 3.2e9))
  }

  /// The line, such as `120 M of 1 G rounds (12%), 25 M/s, 35 s left, 312 cells decided`.
  ///
  /// - Parameter columns: The terminal's width; the line is cut to fit it.
  /// - Returns: One line without its end, shorter than the width.
  public func text(columns: Int = 80) -> String {
    var parts: [String] = []
    if let mostRounds, mostRounds > 0 {
      let percent = Int(100 * Double(rounds) / Double(mostRounds))
      parts.append("\(Self.short(rounds)) of \(Self.short(mostRounds)) \(unit) (\(percent)%)")
    } else {
      parts.append("\(Self.short(rounds)) \(unit)")
    }
    if rate > 0 { parts.append("\(Self.short(Int(min(rate, 1e18))))/s") }
    if let left { parts.append("\(Self.short(left)) left") }
    if !note.isEmpty { parts.append(note) }
    return String(parts.joined(separator: ", ").prefix(max(0, columns - 1)))
  }

  /// A count in three digits or so: 950, 12.3 k, 456 M.
  static func short(_ count: Int) -> String {
    var value = Double(count)
    for unit in ["", " k", " M", " G", " T", " P"] {
      // 999.5 would be rounded to a fourth digit.
      if value < 999.5 || unit == " P" {
        let digits = unit.isEmpty || value >= 99.95 ? 0 : 1
        return String(format: "%.\(digits)f", value) + unit
      }
      value /= 1000
    }
    return "\(count)"
  }

  /// A duration in its two largest units: 35 s, 2 min 05 s, 3 h 07 min.
  static func short(_ duration: Duration) -> String {
    let seconds = Int((duration / .seconds(1)).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(two(seconds % 60)) s" }
    return "\(seconds / 3600) h \(two(seconds / 60 % 60)) min"
  }
}
