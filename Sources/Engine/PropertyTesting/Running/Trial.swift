// SPDX-License-Identifier: Apache-2.0

/// A property with its generators of any types: draws a case, and evaluates it if it is wanted.
struct Trial: Sendable {
  /// Draws a case, asks `isWanted`, and evaluates it.
  var attempt: @Sendable (_ draws: inout ChoiceSource, _ isWanted: (borrowing ChoiceSource) -> Bool) -> CaseOutcome
  private let outlines: @Sendable (_ draws: inout ChoiceSource, _ showsParts: Bool) -> [ValueOutline]

  /// True if the types' own descriptions of arguments are followed by their stored properties.
  var showsParts = false

  /// True if evaluating a case may block its thread, waiting for other tasks.
  var waits = false
  /// The reason why no check is possible: the body returns a condition that may be `nil`.
  let refusal: CheckError?

  init<each Value, Result>(
    _ generators: repeat Gen<each Value>, body: @escaping @Sendable (repeat each Value) throws -> Result
  ) {
    let isCondition = Result.self == Bool.self
    refusal = Result.self == Bool?.self ? .badResult(type: "\(Result.self)") : nil
    let draw: @Sendable (inout ChoiceSource) throws -> (repeat each Value) = { draws in
      try draws.open(SpanKind.root.rawValue)
      let values = (repeat try (each generators).make(&draws))
      try draws.close()
      return values
    }
    let outcome: @Sendable (Result) -> CaseOutcome = { result in
      guard isCondition, result as? Bool != true else { return .passed }
      return .failed(Failure("the condition is false", origin: "the body"))
    }
    attempt = { draws, isWanted in
      var isDrawn = false
      do {
        let values = try draw(&draws)
        isDrawn = true
        guard isWanted(draws) else { return .declined }
        guard let context = draws.context else { return try outcome(body(repeat each values)) }
        return try context.withCurrentSource(&draws) { try outcome(body(repeat each values)) }
      } catch let discard as Discard {
        return .discarded(discard)
      } catch  where Task.isCancelled {
        // The verdict is no longer needed; `Test.cancel` throws an error of an internal type.
        return .declined
      } catch {
        let failure = error as? Failure ?? Failure("\(error)", origin: Failure.origin(of: error))
        return isDrawn ? .failed(failure) : .generatorFailed(failure)
      }
    }
    outlines = { draws, showsParts in
      var outlines: [ValueOutline] = []
      if let values = try? draw(&draws) {
        repeat outlines.append(ValueOutline(each values, showsParts: showsParts))
      }
      return outlines
    }
  }

  func outline(_ draws: inout ChoiceSource) -> [ValueOutline] { outlines(&draws, showsParts) }

  func describe(_ draws: inout ChoiceSource) -> [String] { outline(&draws).map { $0.text() } }

  func evaluate(_ choices: ChoiceSequence, _ draws: inout ChoiceSource, in context: CaseContext = CaseContext())
    -> CaseOutcome
  {
    draws.begin(reading: choices)
    return CaseContext.$current.withValue(context) { recording(into: context).attempt(&draws) { _ in true } }
  }

  /// The same trial with known failures passing, so that others are found.
  func passing(_ known: Set<String>) -> Trial {
    guard !known.isEmpty else { return self }
    var passing = self
    let attempt = attempt
    passing.attempt = { draws, isWanted in
      let verdict = attempt(&draws, isWanted)
      if case .failed(let failure) = verdict, known.contains(failure.origin) { return .passed }
      return verdict
    }
    return passing
  }

  /// The same trial, which clears the annotations of a context before every case and applies a recorded failure after
  /// it.
  func recording(into context: CaseContext) -> Trial {
    var recording = self
    let attempt = attempt
    recording.attempt = { draws, isWanted in
      context.clear()
      if draws.context !== context { draws.context = context }
      var isDrawn = false
      let verdict = attempt(&draws) { drawn in
        isDrawn = true
        return isWanted(drawn)
      }
      if context.isSilent || verdict == .declined { return verdict }
      // The recorded failure happened before the end of the case.
      guard let recorded = context.withAnnotations({ $0.failure }) else { return verdict }
      return isDrawn ? .failed(recorded) : .generatorFailed(recorded)
    }
    return recording
  }
}
