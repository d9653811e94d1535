// SPDX-License-Identifier: GPL-3.0-or-later

/// A property with its generators, whatever their types: draws one case, and evaluates it if it is wanted.
struct Trial: Sendable {
  /// Draws a case, asks whether it is wanted, and evaluates it.
  var attempt: @Sendable (_ draws: inout Draws, _ isWanted: (borrowing Draws) -> Bool) -> CaseOutcome
  let outline: @Sendable (_ draws: inout Draws) -> [ValueOutline]

  /// Whether evaluating a case may block its thread, waiting for other tasks.
  var waits = false
  /// Why no check can be made: the body returns what is neither nothing nor a condition.
  let refusal: CheckError?

  init<each Value, Result>(
    _ generators: repeat Gen<each Value>, body: @escaping @Sendable (repeat each Value) throws -> Result
  ) {
    let isCondition = Result.self == Bool.self
    let isVerdict = isCondition || Result.self == Void.self || Result.self == Never.self
    refusal = isVerdict ? nil : .badResult(type: "\(Result.self)")
    let draw: @Sendable (inout Draws) throws -> (repeat each Value) = { draws in
      try draws.open(SpanKind.root.rawValue)
      let values = (repeat try (each generators).make(&draws))
      try draws.close()
      return values
    }
    attempt = { draws, isWanted in
      var isDrawn = false
      do {
        let values = try draw(&draws)
        isDrawn = true
        guard isWanted(draws) else { return .declined }
        let result =
          if let context = draws.context {
            try context.lending(&draws) { try body(repeat each values) }
          } else {
            try body(repeat each values)
          }
        if isCondition, result as? Bool != true {
          return .failed(Failure("the condition is false", origin: "the body"))
        }
        return .passed
      } catch let discard as Discard {
        return .discarded(discard)
      } catch is CancellationError where Task.isCancelled {
        // Nobody wants the verdict any more.
        return .discarded(.assumption)
      } catch {
        let failure = error as? Failure ?? Failure("\(error)", origin: Failure.origin(of: error))
        return isDrawn ? .failed(failure) : .generatorFailed(failure)
      }
    }
    outline = { draws in
      var outlines: [ValueOutline] = []
      if let values = try? draw(&draws) {
        repeat outlines.append(ValueOutline(each values))
      }
      return outlines
    }
  }

  func describe(_ draws: inout Draws) -> [String] { outline(&draws).map { $0.text() } }

  func evaluate(_ tape: Tape, _ draws: inout Draws, in context: CaseContext = CaseContext()) -> CaseOutcome {
    draws.begin(reading: tape)
    return CaseContext.$current.withValue(context) { recording(into: context).attempt(&draws) { _ in true } }
  }

  /// The same trial, in which known failures pass, so that others are found.
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

  /// The same trial, with the annotations of a context cleared before every case and a recorded failure counted after
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
      // What was recorded happened before whatever ended the case.
      guard let recorded = context.withAnnotations({ $0.failure }) else { return verdict }
      return isDrawn ? .failed(recorded) : .generatorFailed(recorded)
    }
    return recording
  }
}
