// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
internal import Synchronization

/// One line on a terminal that says how far a run has come, drawn over itself ten times a second.
///
/// It writes at once, so that something is seen within 100 ms, and `finish()` leaves no trace. Workers only add to
/// a counter; a thread of Dispatch draws.
public final class ProgressMeter: Sendable {
  private let mostRounds: Int?
  private let columns: Int
  private let dim: Bool
  private let unit: String
  private let write: @Sendable (String) -> Void
  private let started = ContinuousClock.now
  private let rounds = Atomic<Int>(0)
  private let isHeard = Atomic<Bool>(false)
  private let state: Mutex<State>

  private struct State {
    var note = ""
    var listener: (@Sendable (_ rounds: Int) -> Void)?
    var isFinished = false
  }

  /// Creates a meter and draws its line for the first time.
  ///
  /// - Parameters:
  ///   - mostRounds: Rounds to play; nil when nobody knows.
  ///   - columns: The terminal's width.
  ///   - dim: Whether to draw in a fainter colour.
  ///   - unit: What is counted.
  ///   - write: Where the drawing goes; called on one thread at a time.
  public init(
    mostRounds: Int?, columns: Int = 80, dim: Bool = false, unit: String = "rounds",
    write: @escaping @Sendable (String) -> Void
  ) {
    (self.mostRounds, self.columns, self.dim, self.unit, self.write) = (mostRounds, columns, dim, unit, write)
    state = Mutex(State())
    draw()
  }

  /// A meter on this process's stderr, drawing from now on; nil where a meter would be in the way.
  ///
  /// - Parameters:
  ///   - mostRounds: Rounds to play; nil when nobody knows.
  ///   - quiet: Whether the person asked for silence.
  ///   - unit: What is counted.
  ///   - environment: Where `TERM`, `NO_COLOR` and `COLUMNS` are looked up: the process's environment.
  /// - Returns: nil when quiet, when stderr is no terminal, or when the terminal is dumb.
  public static func onStandardError(
    mostRounds: Int?, quiet: Bool, unit: String = "rounds", environment: [String: String]
  ) -> ProgressMeter? {
    guard isWelcome(quiet: quiet, isTerminal: isatty(STDERR_FILENO) == 1, environment: environment) else { return nil }
    let meter = ProgressMeter(
      mostRounds: mostRounds, columns: environment["COLUMNS"].flatMap { Int($0) } ?? 80,
      dim: environment["NO_COLOR", default: ""].isEmpty, unit: unit,
      write: { FileHandle.standardError.write(Data($0.utf8)) })
    meter.keepDrawing()
    return meter
  }

  /// Whether a meter may be drawn: on a terminal that can draw over a line, for a person who did not ask for silence.
  static func isWelcome(quiet: Bool, isTerminal: Bool, environment: [String: String]) -> Bool {
    !quiet && isTerminal && environment["TERM", default: "dumb"] != "dumb"
  }

  /// Counts rounds as played; called by workers.
  public func advance(by rounds: Int) {
    let (_, total) = self.rounds.add(rounds, ordering: .relaxed)
    guard isHeard.load(ordering: .relaxed) else { return }
    state.withLock { $0.listener }?(total)
  }

  /// Tells somebody, too, whenever rounds were played: a log, for example.
  ///
  /// - Parameter listener: Called by workers, several at a time, with all rounds played until then.
  public func listen(_ listener: @escaping @Sendable (_ rounds: Int) -> Void) {
    state.withLock { $0.listener = listener }
    isHeard.store(true, ordering: .relaxed)
  }

  /// Says something beside the rounds, such as how many cells are decided.
  public func say(_ note: String) {
    state.withLock { $0.note = note }
  }

  /// Draws the line as things stand; nothing after `finish()`.
  public func draw() {
    state.withLock { state in
      guard !state.isFinished else { return }
      let line = ProgressLine(
        rounds: rounds.load(ordering: .relaxed), mostRounds: mostRounds, elapsed: ContinuousClock.now - started,
        unit: unit, note: state.note)
      let text = line.text(columns: columns)
      write("\r" + (dim ? "\u{1B}[2m\(text)\u{1B}[0m" : text) + "\u{1B}[K")
    }
  }

  /// Stops drawing and clears the line; more than once does nothing more.
  public func finish() {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      write("\r\u{1B}[K")
    }
  }

  /// Draws again and again until finished; a meter that is dropped unfinished stops too.
  private func keepDrawing() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
      guard let self, !self.state.withLock({ $0.isFinished }) else { return }
      self.draw()
      self.keepDrawing()
    }
  }
}
