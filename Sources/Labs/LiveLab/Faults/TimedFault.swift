// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// A fault, and when it happens.
package struct TimedFault: Hashable, Sendable {
  /// When it happens, or begins.
  package var at: Instant
  /// How long it holds; no time for a moment.
  package var lasting: Interval
  /// What happens.
  package var fault: Fault

  /// A fault.
  ///
  /// - Parameters:
  ///   - fault: What happens.
  ///   - at: When it happens, or begins.
  ///   - lasting: How long it holds; no time for a moment.
  @inlinable
  package init(_ fault: Fault, at: Instant, lasting: Interval = .zero) {
    (self.fault, self.at, self.lasting) = (fault, at, lasting)
  }

  /// When it is over.
  @inlinable package var end: Instant { at + lasting }
}
