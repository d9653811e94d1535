// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// What one parallel run showed: when every command of every branch began and ended, and what it returned.
struct ConcurrentHistory<Model: Hashable & Sendable, System>: Sendable {
  let branches: [[CommandRecord<Model, System>]]

  /// Fails unless the commands could have happened one at a time, between their beginnings and their ends.
  ///
  /// - Parameter model: The state when the branches parted.
  /// - Throws: `Failure`.
  func check(from model: Model) throws {
    guard Interleavings(branches).explanation(from: model) == nil else { return }
    let message = (["no order of the commands explains what they returned:"] + lines).joined(separator: "\n  ")
    throw Failure(message, origin: "not linearizable")
  }

  /// What happened, in time.
  private var lines: [String] {
    var events: [(time: Int, text: String)] = []
    for (index, records) in branches.enumerated() {
      for record in records {
        events.append((record.invoked, "branch \(index + 1) calls \(record.step.description)"))
        let returned = CommandSpelling.value(record.response)
        events.append((record.returned, "branch \(index + 1) gets \(returned) from \(record.step.call)"))
      }
    }
    return events.sorted { $0.time < $1.time }.map(\.text)
  }
}

/// A clock that ticks once at every look.
final class LogicalClock: Sendable {
  private let ticks = Atomic<Int>(0)

  /// The time, later than every time told before.
  func tick() -> Int { ticks.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}

extension StateMachine where System: Sendable {
  /// Runs the commands of one branch and records them.
  ///
  /// - Parameters:
  ///   - steps: The commands.
  ///   - system: What the branches share.
  ///   - clock: What the branches share.
  ///   - pause: Awaited before every command; is given its place in the branch.
  /// - Returns: What each command returned, and when.
  /// - Throws: `Failure` when a command throws.
  func record(
    _ steps: [any Step<Model, System>], _ system: System, _ clock: LogicalClock,
    pausing pause: @Sendable (Int) async -> Void
  ) async throws -> [CommandRecord<Model, System>] {
    var records: [CommandRecord<Model, System>] = []
    var system = system
    for (place, step) in steps.enumerated() {
      await pause(place)
      let invoked = clock.tick()
      let response = try await respond(step, &system)
      records.append(CommandRecord(step: step, response: response, invoked: invoked, returned: clock.tick()))
    }
    return records
  }

  /// Makes a system and runs the commands before the branches.
  func begin(_ steps: [any Step<Model, System>]) async throws -> (system: System, model: Model) {
    var system = try await freshSystem()
    let model = try await advance(&system, by: steps, checkingInvariants: false)
    return (system, model)
  }
}
