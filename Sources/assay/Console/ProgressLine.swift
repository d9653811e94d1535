// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Synchronization

/// One line on the terminal that says how far the work is; silent where there is no terminal to say it to.
final class ProgressLine: Sendable {
  private let isShown: Bool
  private let lastShown: Mutex<ContinuousClock.Instant?> = Mutex(nil)

  /// A line, shown on a terminal only and never where quiet is asked for.
  init(quiet: Bool) {
    isShown = !quiet && Console.errorsReachTerminal
  }

  /// Shows a state, at most ten times a second.
  func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    let isDue = lastShown.withLock { last in
      guard last.map({ now - $0 > .milliseconds(100) }) ?? true else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text())".utf8))
  }

  /// Takes the line away.
  func clear() {
    guard isShown else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8))
  }
}
