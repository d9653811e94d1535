// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// What one parallel run showed: when every command of every branch began and ended, and what it returned.
struct ConcurrentHistory<Model: Hashable & Sendable, System>: Sendable {
  let branches: [[CommandRecord<Model, System>]]

  /// Fails unless the commands could have happened one at a time, between their beginnings and their ends.
  func check(from model: Model) throws {
    guard Interleavings(branches).explanation(from: model) == nil else { return }
    let message = (["no order of the commands explains what they returned:"] + lines).joined(separator: "\n  ")
    throw Failure(message, origin: "not linearizable")
  }

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

  func begin(_ steps: [any Step<Model, System>]) async throws -> (system: System, model: Model) {
    var system = try await freshSystem()
    let model = try await advance(&system, by: steps, checkingInvariants: false)
    return (system, model)
  }
}

/// Something that happens in a branch, atomically as far as the model is concerned.
protocol BranchEvent<Model> {
  associatedtype Model

  /// When it began: a number that grows with time.
  var invoked: Int { get }
  var returned: Int { get }
  /// Changes the model as the event does.
  func happen(to model: inout Model) -> Bool
}

/// The orders in which the events of several branches can have happened, each branch in its own order.
///
/// An event that had ended before another began comes before it. The states reached are remembered by how far each
/// branch has come and by the model, so that what was seen not to lead anywhere is not tried again.
/// Sources: Wing and Gong, "Testing and verifying concurrent objects", 1993; Lowe, "Testing for linearizability", 2017.
struct Interleavings<Model: Hashable, Event: BranchEvent> where Event.Model == Model {
  private struct State: Hashable {
    var positions: [Int]
    var model: Model
  }

  private let branches: [[Event]]

  init(_ branches: [[Event]]) {
    self.branches = branches
  }

  /// An order in which everything happened as it did.
  ///
  /// - Complexity: As many states as there are ways to cut the branches, times the models reached at each.
  func explanation(from model: Model) -> [Int]? {
    var seen: Set<State> = []
    var order: [Int] = []
    let start = State(positions: branches.map { _ in 0 }, model: model)
    return explain(start, &seen, &order) ? order : nil
  }

  private func explain(_ state: State, _ seen: inout Set<State>, _ order: inout [Int]) -> Bool {
    guard seen.insert(state).inserted else { return false }
    let waiting = branches.indices.filter { state.positions[$0] < branches[$0].count }
    if waiting.isEmpty { return true }
    let firstEnd = waiting.map { branches[$0][state.positions[$0]].returned }.min() ?? .max
    for branch in waiting {
      let event = branches[branch][state.positions[branch]]
      if event.invoked > firstEnd { continue }
      var next = state
      guard event.happen(to: &next.model) else { continue }
      next.positions[branch] += 1
      order.append(branch)
      if explain(next, &seen, &order) { return true }
      order.removeLast()
    }
    return false
  }

  /// Whether every event can happen wherever an order may place it.
  func allAllow(from model: Model) -> Bool {
    var seen: Set<State> = []
    return allow(State(positions: branches.map { _ in 0 }, model: model), &seen)
  }

  private func allow(_ state: State, _ seen: inout Set<State>) -> Bool {
    guard seen.insert(state).inserted else { return true }
    for branch in branches.indices where state.positions[branch] < branches[branch].count {
      var next = state
      guard branches[branch][state.positions[branch]].happen(to: &next.model) else { return false }
      next.positions[branch] += 1
      if !allow(next, &seen) { return false }
    }
    return true
  }
}

/// A command that has not run: it can happen wherever its precondition holds.
struct Proposal<Model: Sendable, System>: BranchEvent {
  private let step: any Step<Model, System>

  init(_ step: any Step<Model, System>) {
    self.step = step
  }

  var invoked: Int { 0 }
  var returned: Int { .max }

  func happen(to model: inout Model) -> Bool {
    guard step.allows(model) else { return false }
    step.advance(&model)
    return true
  }
}

/// A command that has run: it can have happened wherever the model allows what it returned.
struct CommandRecord<Model: Sendable, System>: BranchEvent, Sendable {
  let step: any Step<Model, System>
  let response: any Sendable
  let invoked: Int
  let returned: Int

  func happen(to model: inout Model) -> Bool {
    do {
      try step.settle(response, &model)
      return true
    } catch {
      return false
    }
  }
}
