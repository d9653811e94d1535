// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// A fault, and when it happens.
public struct TimedFault: Hashable, Sendable {
  /// When it happens, or begins.
  public var at: Instant
  /// How long it holds; no time for a moment.
  public var lasting: Interval
  /// What happens.
  public var fault: Fault

  /// A fault.
  ///
  /// - Parameters:
  ///   - fault: What happens.
  ///   - at: When it happens, or begins.
  ///   - lasting: How long it holds; no time for a moment.
  @inlinable
  public init(_ fault: Fault, at: Instant, lasting: Interval = .zero) {
    (self.fault, self.at, self.lasting) = (fault, at, lasting)
  }

  /// When it is over.
  @inlinable public var end: Instant { at + lasting }
}
