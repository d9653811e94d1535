// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo

/// A terminal that delivers single keys and shows a separate screen. It is restored by `leave()`, while the process is
/// stopped by Ctrl-Z, and before any signal ends the process.
///
/// Signals arrive through a pipe, so that one call waits for keys and signals; the handler of a signal that ends the
/// process only writes to the terminal, sets its mode and raises the signal again.
final class KeyTerminal {
  enum Event: Hashable {
    case key(Character)
    /// The screen has to be drawn again: its size changed, or the process continues after a stop.
    case redraw
    /// Ctrl-C, or the input has ended.
    case leave
    /// SIGTERM.
    case terminated
  }

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let requests = [SIGINT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH]
  private static let endings = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGQUIT, SIGHUP]

  /// The data of the handlers, in permanent memory.
  @unsafe private struct Shared {
    var pipe: (reading: Int32, writing: Int32) = (-1, -1)
    var before = termios()
    /// The bytes that show the cursor and leave the screen.
    var farewell: UnsafeMutablePointer<UInt8>
    var farewellCount: Int
    var isEntered = false
  }

  // Sendable: one terminal at a time writes it, before its handlers are installed.
  private nonisolated(unsafe) static let memory: UnsafeMutablePointer<Shared> = {
    let bytes = Array("\u{1B}[?25h\u{1B}[?1049l".utf8)
    let farewell = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe (farewell + index).initialize(to: byte) }
    let memory = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
    unsafe memory.initialize(to: Shared(farewell: farewell, farewellCount: bytes.count))
    return unsafe memory
  }()

  private let stack = SignalStack()
  /// Typed keys that were not read yet.
  private var typed: [UInt8] = []

  /// Takes over the terminal of the standard input and output; `nil` if either is no terminal, or it cannot draw.
  init?() {
    let term = ProcessInfo.processInfo.environment["TERM", default: "dumb"]
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, term != "dumb" else { return nil }
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0, unsafe tcgetattr(STDIN_FILENO, &Self.memory.pointee.before) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    unsafe Self.memory.pointee.pipe = (ends[0], ends[1])
    for number in Self.requests {
      Self.handle(number, flags: SA_RESTART) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(KeyTerminal.memory.pointee.pipe.writing, &byte, 1)
      }
    }
    for number in Self.endings {
      Self.handle(number, flags: SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))) { number in
        KeyTerminal.restore()
        raise(number)
      }
    }
    // A program started by a thread that blocks signals would never receive them.
    var unblocked = sigset_t()
    unsafe sigemptyset(&unblocked)
    for number in Self.requests + Self.endings { _ = unsafe sigaddset(&unblocked, number) }
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    take()
  }

  private static func handle(_ number: Int32, flags: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = handler
    action.sa_flags = flags
    unsafe sigaction(number, &action, nil)
  }

  /// Restores the terminal; later calls do nothing.
  func leave() {
    Self.restore()
    for number in Self.requests + Self.endings { _ = signal(number, SIG_DFL) }
  }

  /// Restores the terminal by calls that a signal handler may make.
  private static func restore() {
    let shared = unsafe memory
    guard unsafe shared.pointee.isEntered else { return }
    unsafe shared.pointee.isEntered = false
    _ = unsafe write(STDOUT_FILENO, shared.pointee.farewell, shared.pointee.farewellCount)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &shared.pointee.before)
  }

  /// Sets the mode in which keys arrive at once and are not shown; the keys for signals keep their effect.
  private func take() {
    var mode = unsafe Self.memory.pointee.before
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    if unsafe !Self.memory.pointee.isEntered { put(Self.enter) }
    unsafe Self.memory.pointee.isEntered = true
  }

  /// Waits for the next event.
  func next() -> Event {
    let pipe = unsafe Self.memory.pointee.pipe.reading
    while true {
      if !typed.isEmpty { return .key(Character(Unicode.Scalar(typed.removeFirst()))) }
      var sources = [STDIN_FILENO, pipe].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&sources, 2, -1)
      var bytes = [UInt8](repeating: 0, count: 64)
      if sources[1].revents != 0, unsafe read(pipe, &bytes, 1) == 1 {
        if let event = event(of: Int32(bytes[0])) { return event }
      } else if sources[0].revents != 0 {
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        if count <= 0 { return .leave }
        // Keys such as arrows send several bytes, from ESC on.
        typed = bytes.prefix(count).prefix { $0 != 0x1B }.filter { $0 < 0x80 }
      }
    }
  }

  private func event(of number: Int32) -> Event? {
    switch number {
    case SIGINT: return .leave
    case SIGTERM: return .terminated
    case SIGTSTP:
      Self.restore()
      kill(getpid(), SIGSTOP)
      return nil
    case SIGCONT:
      take()
      return .redraw
    default: return .redraw
    }
  }

  /// The columns and lines of the standard output's terminal; `nil` if it is none.
  static var size: (columns: Int, lines: Int)? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Draws a screen over the last one; one that does not fit loses its empty lines, then its upper ones.
  func draw(_ lines: [String]) {
    let maximum = Self.size?.lines ?? 24
    let fitting = lines.count > maximum ? lines.filter { !$0.isEmpty } : lines
    put("\u{1B}[H" + fitting.suffix(maximum).joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J")
  }

  private func put(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}
