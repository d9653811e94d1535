// SPDX-License-Identifier: GPL-3.0-or-later

/// A property with its generators, whatever their types: draws one case, and judges it if it is wanted.
struct Trial: Sendable {
  /// Draws a case, asks whether it is wanted, and judges it.
  let attempt: @Sendable (_ draws: inout Draws, _ isWanted: (borrowing Draws) -> Bool) -> Verdict
  /// Draws a case and describes its arguments.
  let describe: @Sendable (_ draws: inout Draws) -> [String]
  /// Whether judging a case may block its thread, waiting for other tasks.
  var waits = false

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - generators: What makes the arguments.
  ///   - body: Returns for a case that passes, throws for one that fails.
  init<each Value>(_ generators: repeat Gen<each Value>, body: @escaping @Sendable (repeat each Value) throws -> Void) {
    let draw: @Sendable (inout Draws) throws -> (repeat each Value) = { draws in
      try draws.open(SpanKind.root.rawValue)
      let values = (repeat try (each generators).make(&draws))
      try draws.close()
      return values
    }
    attempt = { draws, isWanted in
      var thrown: Verdict?
      do {
        let values = try draw(&draws)
        guard isWanted(draws) else { return .declined }
        try body(repeat each values)
      } catch let discard as Discard {
        thrown = .discarded(discard)
      } catch let failure as Failure {
        thrown = .failed(failure)
      } catch is CancellationError where Task.isCancelled {
        thrown = .discarded(.assumption)
      } catch {
        thrown = .failed(Failure("\(error)", origin: "\(type(of: error))"))
      }
      if let recorded = CaseContext.takeFailure() { return .failed(recorded) }
      return thrown ?? .passed
    }
    describe = { draws in
      var descriptions: [String] = []
      if let values = try? draw(&draws) {
        repeat descriptions.append(String(reflecting: each values))
      }
      return descriptions
    }
  }
}
