// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Logging
internal import Synchronization

/// What the process tells of its work: nothing, unless it was asked to.
enum Log {
  private static let chosen = Mutex<Logger?>(nil)

  /// Begins to tell; what was told of before is lost. Only the first level counts.
  static func begin(at level: Logger.Level) {
    chosen.withLock { logger in
      guard logger == nil else { return }
      let start = ContinuousClock.now
      let clearsLine = Console.errorsReachTerminal
      LoggingSystem.bootstrap { _ in
        LogLines(logLevel: level) { text in
          // A line of progress may stand where the next one is to be written.
          Console.say((clearsLine ? "\r\u{1B}[K" : "") + LogLines.stamp(ContinuousClock.now - start) + text)
        }
      }
      logger = Logger(label: "assay")
    }
  }

  /// Whether every block of work is told of.
  static var tellsBlocks: Bool { chosen.withLock { ($0?.logLevel ?? .critical) <= .debug } }

  /// Tells of a step: what was read, done or written.
  static func info(_ message: @autoclosure () -> String, _ facts: [String: String] = [:]) {
    chosen.withLock { $0 }?.info("\(message())", metadata: facts.mapValues { "\($0)" })
  }

  /// Tells of a small step.
  static func debug(_ message: @autoclosure () -> String, _ facts: [String: String] = [:]) {
    chosen.withLock { $0 }?.debug("\(message())", metadata: facts.mapValues { "\($0)" })
  }
}
