// SPDX-License-Identifier: GPL-3.0-or-later

extension StateMachine {
  /// The statement that the system does what the model does, whatever the program.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  /// - Returns: A property of one argument, the program.
  public func property(_ id: String, _ sentence: String) -> Property {
    Property(id, sentence, programs()) { program in try execute(program) }
  }

  /// Looks for a program after which the system and the model differ.
  ///
  /// - Parameter settings: How much to test, and how.
  /// - Returns: What came of it.
  /// - Throws: What is wrong with the settings.
  public func check(_ settings: CheckSettings = CheckSettings()) throws -> CheckReport {
    try search(programs(), settings: settings) { program in try execute(program) }
  }
}

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// The statement that the system is linearizable: whatever runs at the same time, on threads, could have run in turn.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - shape: How large the programs are.
  ///   - repetitions: How often each program is run. From the first failure on it is ten times as often, because what
  ///     follows is shrinking, and a smaller program may fail more rarely.
  /// - Returns: A property of one argument, the program.
  public func parallelProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape(), repetitions: Int = 100
  ) -> Property {
    let machine = self
    let effort = RepetitionEffort(repetitions)
    return Property(id, sentence, parallelPrograms(shape)) { program in
      do {
        try machine.execute(program, repetitions: effort.repetitions)
      } catch {
        effort.raise()
        throw error
      }
    }
  }

  /// The statement that the system is linearizable however its tasks take turns where they await.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - shape: How large the programs are.
  /// - Returns: A property of one argument, the program with its turns.
  public func interleavedProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape()
  ) -> Property {
    Property(id, sentence, interleavings(shape)) { interleaving in try execute(interleaving) }
  }
}
