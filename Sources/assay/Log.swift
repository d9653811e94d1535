// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Reporting
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

  /// Tells of a step: what was read, done or written.
  static func info(_ message: @autoclosure () -> String, _ facts: [String: String] = [:]) {
    chosen.withLock { $0 }?.info("\(message())", metadata: facts.mapValues { "\($0)" })
  }

  /// Tells of a small step.
  static func debug(_ message: @autoclosure () -> String, _ facts: [String: String] = [:]) {
    chosen.withLock { $0 }?.debug("\(message())", metadata: facts.mapValues { "\($0)" })
  }
}

/// A log as lines: the time since the start, the level, the message, and facts by name.
struct LogLines: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  /// Where a line goes, without its end.
  let write: @Sendable (String) -> Void

  init(logLevel: Logger.Level, write: @escaping @Sendable (String) -> Void) {
    (self.logLevel, self.write) = (logLevel, write)
  }

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

  /// A value on the same line, in quotes where it has spaces.
  private static func quoted(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    return line.contains(" ") || line.isEmpty ? "\"\(line)\"" : line
  }
}

/// What is told of the work while it is done.
struct LogOptions: ParsableArguments {
  @Flag(help: "Tell on the standard error what is read, done and written; as --log-level info. Example: --verbose")
  var verbose = false

  @Option(
    help: ArgumentHelp(
      "Tell no less than this: error, warning, notice, info, debug (every block) or trace (default: nothing). "
        + "Example: --log-level debug",
      valueName: "level"),
    completion: .list(Self.levels))
  var logLevel: String?

  private static var levels: [String] { Logger.Level.allCases.map(\.rawValue) }

  /// Begins to tell, before anything is done.
  ///
  /// - Throws: `CommandError` naming the value and what was expected.
  func begin() throws(CommandError) {
    guard let name = logLevel ?? (verbose ? Logger.Level.info.rawValue : nil) else { return }
    guard let level = Logger.Level(rawValue: name) else {
      let nearest = Spelling.nearest(to: name, among: Self.levels).map { " (did you mean '\($0)'?)" } ?? ""
      throw .badValue(
        option: "--log-level", found: name, expected: "one of \(Self.levels.joined(separator: ", "))\(nearest)")
    }
    Log.begin(at: level)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if verbose { echo.add(["--verbose"]) }
    if let logLevel { echo.add("--log-level", logLevel) }
  }
}
