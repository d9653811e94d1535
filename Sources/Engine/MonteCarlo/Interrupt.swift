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

  /// The exit code of a process that was interrupted: 128 and the number of SIGINT.
  public static let exitCode: Int32 = 130

  private let raised = Atomic<Bool>(false)

  /// Creates an interrupt that nobody has raised.
  public init() {}

  /// Whether anybody has raised it.
  public var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Raises it.
  ///
  /// - Returns: What to do: the answer differs between the first time and all later ones.
  @discardableResult
  public func raise() -> Response {
    raised.exchange(true, ordering: .acquiringAndReleasing) ? .exitNow : .stopAtBlockEnd
  }
}
