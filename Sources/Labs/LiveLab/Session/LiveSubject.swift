// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// What a session runs: the production client, or a variant of it.
///
/// A session is compiled for each subject, so a subject should be a struct without references.
package protocol LiveSubject: Sendable {
  /// A client that was not started yet.
  init(_ settings: ConnectionSettings)

  /// What the client shows of itself.
  var status: LiveStatus { get }

  /// Tells the client what happened.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: When, by the clock of the client.
  ///   - word: 64 random bits that were not used yet.
  ///   - effects: What the client wants done is added here.
  /// - Returns: Whether `word` was used.
  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool
}

extension LiveConnection: LiveSubject {}
