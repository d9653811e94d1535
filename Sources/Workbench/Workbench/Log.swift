// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Reporting
internal import Scenarios
internal import Synchronization

/// The log of the process: empty unless requested.
package enum Log {
  private static let chosen = Mutex<Logger?>(nil)

  /// Starts the log. Only the first level counts.
  static func begin(at level: Logger.Level) {
    chosen.withLock { logger in
      guard logger == nil else { return }
      let start = ContinuousClock.now
      LoggingSystem.bootstrap { _ in
        LogLines(logLevel: level) { text in
          Console.say(LogLines.stamp(ContinuousClock.now - start) + text)
        }
      }
      logger = Logger(label: "assay")
    }
  }

  /// True if a log was requested.
  static var isWanted: Bool { chosen.withLock { $0 } != nil }

  package static func info(_ message: @autoclosure () -> String, _ facts: [String: String] = [:]) {
    chosen.withLock { $0 }?.info("\(message())", metadata: facts.mapValues { "\($0)" })
  }
}

/// A log of lines: the time since the start, the level, the message, and facts by name.
struct LogLines: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  /// The output of a line, without its line end.
  let write: @Sendable (String) -> Void

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let words = facts.map { "\($0.key)=\(Self.quoted("\($0.value)"))" }
    write((["\(event.level.rawValue):", "\(event.message)"] + words).joined(separator: " "))
  }

  /// The time since the start, in seconds, before a line.
  static func stamp(_ elapsed: Duration) -> String {
    let seconds = NumberFormat.fixed(elapsed / .seconds(1), decimals: 3)
    return String(repeating: " ", count: max(0, 8 - seconds.count)) + seconds + " "
  }

  /// A value on the same line, in quotes if it has spaces.
  private static func quoted(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    return line.contains(" ") || line.isEmpty ? "\"\(line)\"" : line
  }
}

struct LogOptions: ParsableArguments {
  @Flag(help: "Show details and evidence as well, and, without --quiet, log as --log-level info does.")
  var verbose = false

  @Option(
    "log-level", .choice, "The lowest level to log: error, warning, notice, info, debug or trace (default: nothing).",
    example: "info", valueName: "level")
  var logLevel: Logger.Level?

  /// Starts the log, unless the command is quiet.
  func begin(quiet: Bool) {
    if !quiet { (logLevel ?? (verbose ? .info : nil)).map(Log.begin) }
  }
}
