// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation

/// The built executable on its own terminal, which both of its streams go to.
struct TerminalProcess {
  let status: Int32
  /// Everything that was written, control characters included.
  let written: String
  /// True if the terminal reads lines in the end, and shows what is typed.
  let isCooked: Bool

  /// Runs `assay` and sends it a signal each time that it has written the next of some texts.
  ///
  /// - Parameters:
  ///   - typed: the arguments.
  ///   - folder: the working folder.
  ///   - signals: the texts to wait for, each with the signal that is sent then.
  ///   - insisting: whether the last signal is sent again and again until the process ends.
  ///   - answers: the texts to wait for, each with what a person types then; without any there is nobody who types.
  ///   - environment: variables in addition to those of other tests.
  ///   - executable: another program to run in its place.
  /// - Throws: where there is no terminal or no executable.
  init(
    _ typed: String, in folder: URL? = nil, signals: [(sign: String, number: Int32)] = [], insisting: Bool = false,
    answers: [(sign: String, typed: String)] = [], environment: [String: String] = [:], executable: URL? = nil
  ) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard unsafe openpty(&master, &slave, nil, nil, nil) == 0 else { throw POSIXError(.ENOTTY) }
    defer { close(master) }
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    let process = Process()
    process.executableURL = try executable ?? AssayProcess.executable()
    process.arguments = typed.split(separator: " ").map(String.init)
    if let folder { process.currentDirectoryURL = folder }
    process.environment = AssayProcess.environment.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
    process.standardOutput = terminal
    process.standardError = terminal
    process.standardInput = answers.isEmpty ? FileHandle.nullDevice : terminal
    try process.run()
    try terminal.close()
    var (bytes, awaited, unanswered) = (Data(), signals[...], answers[...])
    var buffer = [UInt8](repeating: 0, count: 4096)
    var readable = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    func wait() {
      while insisting, awaited.isEmpty, let last = signals.last, process.isRunning, unsafe poll(&readable, 1, 50) == 0 {
        kill(process.processIdentifier, last.number)
      }
    }
    /// Presses the key for a signal. The terminal shows it and forgets what it has not shown yet, and only then is the
    /// signal sent.
    func press() {
      _ = unsafe write(master, "\u{3}", 1)
      var shown = Data()
      while !shown.contains(UInt8(ascii: "^")), case let count = unsafe read(master, &buffer, buffer.count), count > 0 {
        shown += buffer.prefix(count)
      }
      bytes += shown
    }
    // Linux reports the end of a terminal that nobody has open any more as an error.
    while case let count = unsafe read(master, &buffer, buffer.count), count > 0 {
      bytes += buffer.prefix(count)
      if let next = awaited.first, String(decoding: bytes, as: UTF8.self).contains(next.sign) {
        if next.number == SIGINT { press() }
        kill(process.processIdentifier, next.number)
        awaited.removeFirst()
      }
      if let next = unanswered.first, String(decoding: bytes, as: UTF8.self).contains(next.sign) {
        _ = unsafe write(master, next.typed, next.typed.utf8.count)
        unanswered.removeFirst()
      }
      wait()
    }
    process.waitUntilExit()
    var mode = termios()
    _ = unsafe tcgetattr(master, &mode)
    isCooked = mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    (status, written) = (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// The lines that the terminal shows in the end: a carriage return goes back, `ESC [ K` removes the rest of a line.
  var screen: [String] {
    var (lines, column) = ([[Unicode.Scalar]()], 0)
    var rest = Array(written.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n":
        lines.append(Array(repeating: " ", count: column))
      case "\u{1B}":
        let end = rest.firstIndex { $0.properties.isAlphabetic } ?? rest.endIndex - 1
        if rest[end] == "K" { lines[lines.count - 1] = Array(lines[lines.count - 1].prefix(column)) }
        rest = rest[(end + 1)...]
      default:
        let line = lines.count - 1
        if column < lines[line].count { lines[line][column] = scalar } else { lines[line].append(scalar) }
        column += 1
      }
    }
    return lines.map { String(String.UnicodeScalarView($0)) }
  }
}
