// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// A wish to stop, which any thread may raise and every run looks at between blocks.
public final class Interrupt: Sendable {
  /// What whoever raised it should do.
  public enum Response: Hashable, Sendable {
    /// The first time: let the blocks in hand be finished and write what is known.
    case stopAtBlockEnd
    /// Any further time: leave at once.
    case exitNow
  }

  /// Who wishes it. The raw value is the exit code of a process that ends for it: 128 and the number of the signal.
  public enum Cause: Int32, Hashable, Sendable {
    /// Somebody at the terminal, by SIGINT.
    case interrupted = 130
    /// Another process, by SIGTERM.
    case terminated = 143
  }

  /// The raw value of the first cause; 0 as long as there is none.
  private let first = Atomic<Int32>(0)

  /// Creates an interrupt that nobody has raised.
  public init() {}

  /// Whether anybody has raised it.
  public var isRaised: Bool { first.load(ordering: .acquiring) != 0 }

  /// Who raised it first; nil as long as nobody has.
  public var cause: Cause? { Cause(rawValue: first.load(ordering: .acquiring)) }

  /// Raises it.
  ///
  /// - Parameter cause: Who wishes it.
  /// - Returns: What to do: the answer differs between the first time and all later ones.
  @discardableResult
  public func raise(_ cause: Cause = .interrupted) -> Response {
    first.compareExchange(expected: 0, desired: cause.rawValue, ordering: .acquiringAndReleasing).exchanged
      ? .stopAtBlockEnd : .exitNow
  }
}
