// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A line with the progress of a run, redrawn until `finish()` draws an empty one. Workers only add to a counter; a
/// Dispatch thread draws.
public final class ProgressMeter: Sendable {
  private let maxRounds: Int?
  private let columns: Int
  private let unit: String
  private let show: @Sendable (String) -> Void
  private let started = ContinuousClock.now
  private let rounds = Atomic<Int>(0)
  private let state = Mutex(State())

  private struct State {
    var note = ""
    var isFinished = false
  }

  package init(
    maxRounds: Int?, columns: Int = 80, unit: String = "rounds", show: @escaping @Sendable (String) -> Void
  ) {
    (self.maxRounds, self.columns, self.unit, self.show) = (maxRounds, columns, unit, show)
  }

  /// Adds finished rounds, from any thread.
  public func advance(by rounds: Int) { self.rounds.add(rounds, ordering: .relaxed) }

  /// Shows a note next to the rounds, such as the number of decided cells.
  public func say(_ note: String) {
    state.withLock { $0.note = note }
  }

  /// Draws the current line; nothing after `finish()`.
  package func draw() {
    state.withLock { state in
      guard !state.isFinished else { return }
      let line = ProgressLine(
        rounds: rounds.load(ordering: .relaxed), maxRounds: maxRounds, elapsed: ContinuousClock.now - started,
        unit: unit, note: state.note)
      show(line.text(columns: columns))
    }
  }

  /// Stops drawing and clears the line; further calls have no effect.
  public func finish() {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      show("")
    }
  }

  /// Draws after `seconds` and then every `pause` seconds, until the meter is finished or released.
  package func keepDrawing(after seconds: Double, every pause: Double) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self, !self.state.withLock({ $0.isFinished }) else { return }
      self.draw()
      self.keepDrawing(after: pause, every: pause)
    }
  }
}

/// The progress of a run as one line.
struct ProgressLine: Sendable {
  let rounds: Int
  /// The number of rounds to play; `nil` if unknown.
  let maxRounds: Int?
  let elapsed: Duration
  var unit = "rounds"
  /// Additional text, such as "cells decided 312 of 330".
  var note = ""

  /// Rounds per second since the start; 0 at the start.
  var rate: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(rounds) / seconds : 0
  }

  /// The remaining time at this rate; `nil` if it cannot be estimated.
  var left: Duration? {
    guard let maxRounds, rate > 0 else { return nil }
    // A bound of a century keeps the duration in range.
    return .seconds(min(Double(max(0, maxRounds - rounds)) / rate, 3.2e9))
  }

  /// The line, such as `120 M of 1 G rounds (12%), 25 M/s, 35 s left, 312 cells decided`.
  func text(columns: Int = 80) -> String {
    var parts: [String] = []
    if let maxRounds, maxRounds > 0 {
      let percent = Int(100 * Double(rounds) / Double(maxRounds))
      parts.append("\(Self.short(rounds)) of \(Self.short(maxRounds)) \(unit) (\(percent)%)")
    } else {
      parts.append("\(Self.short(rounds)) \(unit)")
    }
    if rate > 0 { parts.append("\(Self.short(Int(min(rate, 1e18))))/s") }
    if let left { parts.append("\(Self.short(left)) left") }
    if !note.isEmpty { parts.append(note) }
    return String(parts.joined(separator: ", ").prefix(max(0, columns - 1)))
  }

  /// A count with about three digits: 950, 12.3 k, 456 M.
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
