// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo

/// How far a piece of work has come: drawn on a terminal, told of in the log, or both.
enum Progress {
  /// Makes the display of one piece of work.
  ///
  /// - Parameters:
  ///   - most: how much it is; `nil` where nobody knows.
  ///   - unit: what is counted.
  ///   - isDrawn: whether it may be drawn, where the error stream is a terminal.
  /// - Returns: the display; `nil` where nobody would see it.
  static func meter(most: Int?, unit: String, isDrawn: Bool) -> ProgressMeter? {
    let drawn = ProgressMeter.onStandardError(
      mostRounds: most, quiet: !isDrawn, unit: unit, environment: ProcessInfo.processInfo.environment)
    guard Log.tellsBlocks else { return drawn }
    let meter = drawn ?? ProgressMeter(mostRounds: most, unit: unit, write: { _ in })
    meter.listen { done in
      Log.debug("block done", [unit: "\(done)", "of": most.map { "\($0)" } ?? "an unknown number"])
    }
    return meter
  }
}
