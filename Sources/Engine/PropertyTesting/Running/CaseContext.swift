// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// What the body of a property says about the case in hand besides passing or failing.
///
/// One context serves one thread of cases; it is cleared between them.
final class CaseContext: Sendable {
  /// The context of the case that is running, if this code runs inside a property.
  @TaskLocal static var current: CaseContext?

  /// What was said.
  struct Remarks: Sendable {
    /// A failure recorded by the host, such as an expectation of the test library that did not hold.
    var failure: Failure?
  }

  private let remarks = Mutex(Remarks())

  /// Changes or reads what was said.
  func withRemarks<Result: Sendable>(_ body: (inout sending Remarks) -> sending Result) -> Result {
    remarks.withLock(body)
  }
}

/// Discards the case unless a condition holds: the property says nothing about it.
///
/// - Throws: `Discard.assumption`.
public func assume(_ condition: Bool) throws {
  if !condition { throw Discard.assumption }
}

/// Fails the case unless a condition holds.
///
/// - Parameters:
///   - condition: What the property promises.
///   - message: What is wrong when it does not hold; made only then.
/// - Throws: `Failure`, whose origin is the place of the call.
public func claim(
  _ condition: Bool, _ message: @autoclosure () -> String = "the claim does not hold",
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  if !condition { throw Failure(message(), origin: "\(fileID):\(line)") }
}
