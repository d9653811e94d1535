// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// Gives the case a label; the report says what share of the cases had it.
///
/// Outside a property it does nothing.
///
/// - Parameters:
///   - text: The label; the same text twice in one case counts once.
///   - condition: Whether the case deserves it.
public func label(_ text: @autoclosure () -> String, when condition: Bool = true) {
  guard condition, let context = CaseContext.current else { return }
  let text = text()
  context.withAnnotations { if !$0.labels.contains(text) { $0.labels.append(text) } }
}

/// Counts a value in a table of the report, such as who won or how long a list was.
///
/// Outside a property it does nothing.
///
/// - Parameters:
///   - table: What the values are values of.
///   - value: Every call counts, however often the case makes it.
public func classify(_ table: String, by value: @autoclosure () -> some CustomStringConvertible) {
  guard let context = CaseContext.current else { return }
  let text = value().description
  context.withAnnotations { $0.values.append((table: table, value: text)) }
}

/// Claims that a share of the cases meets a condition, so that a test which tests nothing is noticed.
///
/// The claim is judged by a sequential test with a stated error. A case in which the call is not reached does not meet
/// the condition; one that makes the call several times meets it when one of them does. Outside a property it does
/// nothing.
///
/// - Parameters:
///   - name: What the cases are called that meet the condition.
///   - condition: Whether this one does.
///   - share: The smallest share of the passing cases, from 0 to 1.
public func cover(_ name: String, _ condition: Bool, atLeast share: Double) {
  guard let context = CaseContext.current else { return }
  // A share that is not a number can never be met.
  let share = share.isNaN ? 1 : min(max(share, 0), 1)
  context.withAnnotations { annotations in
    if let known = annotations.covers.firstIndex(where: { $0.name == name }) {
      annotations.covers[known].isMet = annotations.covers[known].isMet || condition
      annotations.covers[known].atLeast = max(annotations.covers[known].atLeast, share)
    } else {
      annotations.covers.append((name: name, atLeast: share, isMet: condition))
    }
  }
}

/// Gives the case a score; a search by `SearchMode.target` looks for cases with higher ones.
///
/// Outside a property it does nothing.
///
/// - Parameters:
///   - score: How near the case comes to what is looked for; numbers that are not finite are not counted.
///   - label: Tells several scores apart; each is climbed towards on its own, and a case has the highest it was given.
public func target(_ score: Double, _ label: String = "score") {
  guard score.isFinite, let context = CaseContext.current else { return }
  context.withAnnotations { annotations in
    if let known = annotations.scores.firstIndex(where: { $0.label == label }) {
      annotations.scores[known].score = max(annotations.scores[known].score, score)
    } else {
      annotations.scores.append((label: label, score: score))
    }
  }
}

/// Says something about the case that is shown if it turns out to be the counterexample, and made only then.
///
/// Outside a property it does nothing.
public func note(_ text: @autoclosure () -> String) {
  guard let context = CaseContext.current, context.keepsNotes else { return }
  let text = text()
  context.withAnnotations { $0.notes.append(text) }
}

/// What the body of a property says about the case in hand besides passing or failing.
///
/// One context serves one thread of cases; it is cleared between them. A case about which nothing is said costs two
/// loads.
final class CaseContext: Sendable {
  @TaskLocal static var current: CaseContext?

  struct Annotations: Sendable {
    /// A failure recorded by the host, such as an expectation of the test library that did not hold.
    var failure: Failure?
    var labels: [String] = []
    var values: [(table: String, value: String)] = []
    var covers: [(name: String, atLeast: Double, isMet: Bool)] = []
    var scores: [(label: String, score: Double)] = []
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
  private let annotations = Mutex(Annotations())
  private let hasAnnotations = Atomic<Bool>(false)

  init(keepsNotes: Bool = false) {
    self.keepsNotes = keepsNotes
  }

  @inline(__always)
  var isSilent: Bool { !hasAnnotations.load(ordering: .acquiring) }

  func withAnnotations<Result: Sendable>(_ body: (inout sending Annotations) -> sending Result) -> Result {
    hasAnnotations.store(true, ordering: .releasing)
    return annotations.withLock(body)
  }

  @inline(__always)
  func count(in tally: inout CaseTally) {
    if isSilent { return }
    tally.add(annotations.withLock { $0 })
  }

  @inline(__always)
  func clear() {
    if isSilent { return }
    annotations.withLock { $0.clear() }
    hasAnnotations.store(false, ordering: .releasing)
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

/// Fails the case that is running, on behalf of a test library whose expectations do not throw.
///
/// The first failure of a case counts; the body runs on.
@discardableResult
package func recordFailure(_ failure: @autoclosure () -> Failure) -> Bool {
  guard let context = CaseContext.current else { return false }
  context.withAnnotations { annotations in
    if annotations.failure == nil { annotations.failure = failure() }
  }
  return true
}
