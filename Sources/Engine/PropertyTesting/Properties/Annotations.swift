// SPDX-License-Identifier: Apache-2.0
internal import MonteCarlo
internal import Synchronization

/// Labels the case; the report gives the share of the cases with each label.
///
///     label("empty", when: numbers.isEmpty)
///
/// Repeated labels of one case count once. Outside a property it does nothing.
public func label(_ text: @autoclosure () -> String, when condition: Bool = true) {
  guard condition, let context = CaseContext.current else { return }
  let text = text()
  context.withAnnotations { if !$0.labels.contains(text) { $0.labels.append(text) } }
}

/// Counts a value in a table of the report, such as a winner or the length of a list.
///
///     classify("length", by: numbers.count)
///
/// Every call counts, also several in one case. Outside a property it does nothing.
public func classify(_ table: String, by value: @autoclosure () -> some CustomStringConvertible) {
  guard let context = CaseContext.current else { return }
  let text = value().description
  context.withAnnotations { $0.values.append((table: table, value: text)) }
}

/// Claims that at least a share of the passing cases, from 0 to 1, meets a condition, so that a vacuous test fails.
///
///     cover("a repeated number", Set(numbers).count < numbers.count, atLeast: 0.1)
///
/// The claim is decided by a sequential test with a stated error. A case that does not reach the call does not meet the
/// condition; one with several calls meets it if one of them does. Outside a property it does nothing.
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

/// Gives the case a score; a search with `SearchMode.target` looks for cases with higher scores.
///
///     target(Double(numbers.count), "length")
///
/// Each label is maximised separately; the score of a case is its highest one. Numbers that are not finite are ignored.
/// Outside a property it does nothing.
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

/// Adds a text to the report of a counterexample; the text is created only then.
///
///     note("sorted: \(numbers.sorted())")
///
/// Outside a property it does nothing.
public func note(_ text: @autoclosure () -> String) {
  guard let context = CaseContext.current, context.keepsNotes else { return }
  context.keep(note: text())
}

/// The annotations of the running case by the body of its property.
///
/// One context serves one thread of cases; it is cleared between cases. A case without annotations costs two loads.
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
    /// The number of values drawn by the body, if notes are kept.
    var draws = 0

    /// Removes all annotations, keeping the memory.
    mutating func clear() {
      failure = nil
      labels.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
      covers.removeAll(keepingCapacity: true)
      scores.removeAll(keepingCapacity: true)
      notes.removeAll(keepingCapacity: true)
      draws = 0
    }
  }

  /// The address of the draws of the running body's case, for `draw`; 0 without one, and odd while a thread draws.
  private let loan = Atomic<UInt>(0)

  /// True if notes are kept: only for the case that is reported.
  let keepsNotes: Bool
  /// True if the notes of values show parts, as `Trial.showsParts` says.
  let showsParts: Bool
  /// True if state machines count the commands of their programs.
  let countsCommands: Bool
  /// Receives every note immediately, for a case that does not end.
  private let noted: (@Sendable (String) -> Void)?
  private let annotations = Mutex(Annotations())
  private let hasAnnotations = Atomic<Bool>(false)

  init(
    keepsNotes: Bool = false, showsParts: Bool = false, countsCommands: Bool = false,
    noted: (@Sendable (String) -> Void)? = nil
  ) {
    (self.keepsNotes, self.showsParts, self.countsCommands, self.noted) = (
      keepsNotes, showsParts, countsCommands, noted
    )
  }

  func keep(note: String) {
    withAnnotations { $0.notes.append(note) }
    noted?(note)
  }

  @inline(__always)
  var isSilent: Bool { !hasAnnotations.load(ordering: .acquiring) }

  func withAnnotations<Result: Sendable>(_ body: (inout sending Annotations) -> sending Result) -> Result {
    hasAnnotations.store(true, ordering: .releasing)
    return annotations.withLock(body)
  }

  /// Runs a body that may draw from the draws of its case.
  // Not generic, because a generic function is not specialised where the values of a case are a pack.
  @inline(__always)
  func withCurrentSource(_ draws: inout ChoiceSource, _ body: () throws -> CaseOutcome) rethrows -> CaseOutcome {
    defer { draws.closeBody() }
    return try unsafe withUnsafeMutablePointer(to: &draws) { pointer in
      let address = UInt(bitPattern: pointer)
      loan.store(address, ordering: .releasing)
      // A task started by the body may still be drawing.
      defer {
        while !loan.compareExchange(expected: address, desired: 0, ordering: .acquiringAndReleasing).exchanged {}
      }
      return try body()
    }
  }

  /// Draws from the case whose body runs; `nil` without one. The tasks of a body take turns.
  func useSource<Result>(_ work: (inout ChoiceSource) throws -> Result) rethrows -> Result? {
    let mine = UInt(TrapReporter.thisThread) | 1
    while true {
      let address = loan.load(ordering: .acquiring)
      // A generator that the body draws from must use the draws passed to it.
      if address == mine { return nil }
      if address & 1 == 1 { continue }
      guard let draws = unsafe UnsafeMutablePointer<ChoiceSource>(bitPattern: address) else { return nil }
      guard loan.compareExchange(expected: address, desired: mine, ordering: .acquiringAndReleasing).exchanged else {
        continue
      }
      defer { loan.store(address, ordering: .releasing) }
      return try unsafe work(&draws.pointee)
    }
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

/// Discards the case unless a condition holds.
///
///     try assume(!numbers.isEmpty)
public func assume(_ condition: Bool) throws {
  if !condition { throw Discard.assumption }
}

/// Fails the case unless a condition holds: throws a `Failure` whose origin is the call.
///
///     try require(numbers.count <= 20, "\(numbers.count) are too many")
public func require(
  _ condition: Bool, _ message: @autoclosure () -> String = "the claim does not hold",
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  if !condition { throw Failure(message(), origin: "\(fileID):\(line)") }
}

/// Draws a value inside the body of a property, when the generator depends on earlier results of the body.
///
///     let place = try draw(Gen<Int>.integers(in: 0..<numbers.count), "place")
///
/// ```swift
/// let report = try search(Gen.arrays(of: Gen<Int>.integers(), count: 1...9)) { numbers in
///   let place = try draw(Gen<Int>.integers(in: 0..<numbers.count), "place")
///   try require(numbers[place] < 1000, "the one in place \(place) is large")
/// }
/// ```
///
/// The value shrinks and replays with the arguments, and the report of a counterexample notes it. Tasks that draw
/// concurrently take turns in an undetermined order. The default name in the report is `draw` with its number. Throws
/// the errors of the generator, and a `Failure` outside the body of a property.
public func draw<Value>(
  _ generator: Gen<Value>, _ name: @autoclosure () -> String? = nil, fileID: StaticString = #fileID, line: Int = #line
) throws -> Value {
  guard let context = CaseContext.current, let value = try context.useSource({ try $0.drawInBody(generator) }) else {
    throw Failure("draw is called outside of a property's body, or within a generator", origin: "\(fileID):\(line)")
  }
  guard context.keepsNotes else { return value }
  let number = context.withAnnotations { annotations in
    annotations.draws += 1
    return annotations.draws
  }
  context.keep(note: "\(name() ?? "draw \(number)"): \(ValueOutline(value, showsParts: context.showsParts).text())")
  return value
}

/// Fails the running case, on behalf of a test library whose expectations do not throw.
///
/// The first failure of a case counts; the body continues.
@discardableResult
package func recordFailure(_ failure: @autoclosure () -> Failure) -> Bool {
  guard let context = CaseContext.current else { return false }
  context.withAnnotations { annotations in
    if annotations.failure == nil { annotations.failure = failure() }
  }
  return true
}
