// SPDX-License-Identifier: GPL-3.0-or-later
internal import Logging
internal import Reporting

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
