// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// What the body of a property says about the case in hand besides passing or failing.
///
/// One context serves one thread of cases; it is cleared between them. A case about which nothing is said costs two
/// loads.
final class CaseContext: Sendable {
  /// The context of the case that is running, if this code runs inside a property.
  @TaskLocal static var current: CaseContext?

  /// What was said.
  struct Remarks: Sendable {
    /// A failure recorded by the host, such as an expectation of the test library that did not hold.
    var failure: Failure?
    /// The labels given, each once.
    var labels: [String] = []
    /// The values put into tables.
    var values: [(table: String, value: String)] = []
    /// The claims of `cover`, each once.
    var covers: [(name: String, atLeast: Double, isMet: Bool)] = []
    /// The scores of `target`, each label once.
    var scores: [(label: String, score: Double)] = []
    /// What is shown with a counterexample.
    var notes: [String] = []

    mutating func clear() {
      failure = nil
      labels.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
      covers.removeAll(keepingCapacity: true)
      scores.removeAll(keepingCapacity: true)
      notes.removeAll(keepingCapacity: true)
    }
  }

  /// Whether notes are kept: only where a counterexample is shown.
  let keepsNotes: Bool
  private let remarks = Mutex(Remarks())
  private let hasRemarks = Atomic<Bool>(false)

  init(keepsNotes: Bool = false) {
    self.keepsNotes = keepsNotes
  }

  /// Whether anything was said since the case began.
  @inline(__always)
  var isSilent: Bool { !hasRemarks.load(ordering: .acquiring) }

  /// Changes or reads what was said.
  func withRemarks<Result: Sendable>(_ body: (inout sending Remarks) -> sending Result) -> Result {
    hasRemarks.store(true, ordering: .releasing)
    return remarks.withLock(body)
  }

  /// Counts what was said about a case that passed.
  @inline(__always)
  func count(in tally: inout CaseTally) {
    if isSilent { return }
    tally.add(remarks.withLock { $0 })
  }

  /// Forgets what was said about the last case.
  @inline(__always)
  func clear() {
    if isSilent { return }
    remarks.withLock { $0.clear() }
    hasRemarks.store(false, ordering: .releasing)
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
///   - fileID: The file of the call.
///   - line: The line of the call.
/// - Throws: `Failure`, whose origin is the place of the call.
public func claim(
  _ condition: Bool, _ message: @autoclosure () -> String = "the claim does not hold",
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  if !condition { throw Failure(message(), origin: "\(fileID):\(line)") }
}
