// SPDX-License-Identifier: GPL-3.0-or-later

/// Fails the case that is running, on behalf of a test library whose expectations do not throw.
///
/// The first failure of a case counts; the body runs on.
///
/// - Parameter failure: What went wrong; its origin is the place of the expectation.
/// - Returns: Whether a case is running here: if not, the failure belongs to nobody.
@discardableResult
public func recordFailure(_ failure: @autoclosure () -> Failure) -> Bool {
  guard let context = CaseContext.current else { return false }
  context.withRemarks { remarks in
    if remarks.failure == nil { remarks.failure = failure() }
  }
  return true
}
