// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness
internal import VirtualTime

/// The processes that wait for one thing, in the order of a discipline.
final class WaitingQueue {
  let name: String
  private let discipline: Resource.Discipline
  /// The number of processes that wait.
  let length: Level
  private var waiting = EventQueue<Simulation.Process>()
  private var arrived: Int64 = 0
  /// True if a process that never comes to its turn is a mistake.
  var isOfResource = false
  /// Called when one has left without its turn.
  var hasLeft: () -> Void = {}

  init(_ name: String, _ discipline: Resource.Discipline, _ length: Level) {
    (self.name, self.discipline, self.length) = (name, discipline, length)
  }

  func add(_ one: Simulation.Process, priority: Int) -> EventQueue<Simulation.Process>.Token {
    arrived += 1
    let order: Int64 =
      switch discipline {
      case .first: 0
      case .last: -arrived
      case .priority, .preemptive: Int64(priority)
      }
    length.value += 1
    return waiting.schedule(one, at: VirtualInstant(nanoseconds: order))
  }

  func remove(_ place: EventQueue<Simulation.Process>.Token) {
    guard waiting.cancel(place) != nil else { return }
    length.value -= 1
    hasLeft()
  }

  /// Takes the next one; `nil` if nobody waits.
  func next() -> Simulation.Process? {
    guard let (_, one) = waiting.next() else { return nil }
    length.value -= 1
    return one
  }

  /// The next one, which stays in the queue; `nil` if nobody waits.
  var first: Simulation.Process? { waiting.first }

  /// The processes that can never go on if nothing is left to happen, in order, each with what it waits for: those
  /// that wait for a resource, and those that have one while they wait for something else.
  var stuck: [(process: String, resource: String)] {
    var left = waiting
    var names: [(String, String)] = []
    while let (_, one) = left.next() { if isOfResource || one.held > 0 { names.append((one.name, name)) } }
    return names
  }
}

/// Several equal servers, machines or places, each of which one process has at a time.
public final class Resource {
  /// Who is next.
  public enum Discipline: Sendable {
    /// Who has waited longest.
    case first
    /// Who came last.
    case last
    /// Who has the lowest number as its priority; of those with the same, who has waited longest.
    case priority
    /// The same, and a process takes it from one with a higher number: of those with the highest, from who has it for
    /// the shortest time. That one gets a `Preemption`.
    case preemptive
  }

  /// A process that has one of a preemptive resource, or waits for it.
  final class Hold {
    let process: Simulation.Process
    let priority: Int
    /// The time from which it has it.
    fileprivate var since = 0.0
    fileprivate var isLost = false

    fileprivate init(_ process: Simulation.Process, _ priority: Int) {
      (self.process, self.priority) = (process, priority)
    }
  }

  /// Its name in errors.
  public var name: String { queue.name }
  /// The number of its servers, machines or places.
  public let count: Int
  /// The number of processes that wait.
  public var waiting: Level { queue.length }
  /// The number of those in use.
  public let busy: Level
  let queue: WaitingQueue
  private let isPreemptive: Bool
  /// The holds of a preemptive resource, the latest last.
  private var holds: [Hold] = []

  init(_ name: String, count: Int, _ queue: WaitingQueue, _ discipline: Discipline, busy: Level) {
    (self.count, self.queue, self.busy) = (count, queue, busy)
    isPreemptive = discipline == .preemptive
    queue.isOfResource = true
  }

  /// The hold of a process to be; `nil` unless it can be lost.
  fileprivate func hold(of process: Simulation.Process, _ priority: Int) -> Hold? {
    isPreemptive ? Hold(process, priority) : nil
  }

  /// True if one was free, or had by a process of a higher number, and is taken now.
  fileprivate func take(_ hold: Hold?) -> Bool {
    if busy.value < Double(count) {
      busy.value += 1
    } else {
      guard let hold, let last = holds.max(by: { $0.priority < $1.priority })?.priority, last > hold.priority,
        let index = holds.lastIndex(where: { $0.priority == last })
      else { return false }
      let lost = holds.remove(at: index)
      lost.isLost = true
      let now = hold.process.now
      lost.process.log("loses '\(name)' to '\(hold.process.name)'", .leaves(name))
      lost.process.receive(Preemption(resource: name, by: hold.process.name, held: now - lost.since), of: lost)
    }
    begin(hold)
    return true
  }

  private func begin(_ hold: Hold?) {
    guard let hold else { return }
    hold.since = hold.process.now
    holds.append(hold)
  }

  /// Gives one to the next process, if any, unless it has been taken from its holder.
  fileprivate func release(_ process: Simulation.Process, _ hold: Hold?) {
    process.held -= 1
    if let hold {
      if hold.isLost { return process.forget(hold) }
      holds.removeAll { $0 === hold }
    }
    process.log("releases '\(name)'", .leaves(name))
    guard let next = queue.next() else { return busy.value -= 1 }
    begin(next.hold)
    next.goOn()
  }
}

/// Thrown from a wait of a process that loses a resource to another. A process that can lose one catches it around its
/// request, and goes on with the rest, begins again, or gives up.
///
///     var left = 5.0
///     while left > 0 {
///       do {
///         try await job.request(machine, priority: 2) { try await job.delay(left) }
///         left = 0
///       } catch let loss as Preemption { left -= loss.held }
///     }
public struct Preemption: Error, Sendable, CustomStringConvertible {
  /// The name of the resource.
  public let resource: String
  /// The name of the process that has it now.
  public let by: String
  /// For how long the process had it.
  public let held: Double

  /// A sentence for the error of a process that does not catch it.
  public var description: String { "it loses '\(resource)' to '\(by)' after \(held); expected to catch Preemption" }
}

extension Simulation.Process {
  /// Waits for one of a resource, and has it for the duration of some code.
  ///
  ///     try await customer.request(counter) { try await customer.delay(3) }
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - priority: the priority, where the resource's discipline is one: the lowest number is next.
  ///   - code: what it does with it; the resource is released at its end.
  /// - Returns: what the code returns.
  /// - Throws: the error of the code, an interruption or `Preemption`, and `SimulationEnded` at the end of the run.
  @discardableResult
  public func request<Value>(
    _ resource: Resource, priority: Int = 0, _ code: () async throws -> Value
  ) async throws -> Value {
    let hold = resource.hold(of: self, priority)
    _ = try await take(resource, priority, hold, patience: .infinity)
    defer { resource.release(self, hold) }
    return try await code()
  }

  /// Waits for one of a resource, but no longer than its patience lasts.
  ///
  ///     let isServed = try await customer.request(counter, patience: 5) { try await customer.delay(3) } != nil
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - priority: the priority, where the resource's discipline is one: the lowest number is next.
  ///   - patience: the longest time to wait; from 0.
  ///   - code: what it does with it; the resource is released at its end.
  /// - Returns: what the code returns; `nil` if the process gave up.
  /// - Throws: the error of the code, an interruption or `Preemption`, `SimulationError` for a patience below 0, and
  ///   `SimulationEnded` at the end of the run.
  @discardableResult
  public func request<Value>(
    _ resource: Resource, priority: Int = 0, patience: Double, _ code: () async throws -> Value
  ) async throws -> Value? {
    let hold = resource.hold(of: self, priority)
    guard try await take(resource, priority, hold, patience: patience) else { return nil }
    defer { resource.release(self, hold) }
    return try await code()
  }

  /// False if it gave up.
  private func take(
    _ resource: Resource, _ priority: Int, _ hold: Resource.Hold?, patience: Double
  ) async throws -> Bool {
    if isHindered { try await refuse() }
    try check(resource.queue)
    if !resource.take(hold) {
      guard try await wait(in: resource.queue, priority: priority, hold: hold, patience: patience) else { return false }
    }
    held += 1
    log("has '\(resource.name)'", .has(resource.name))
    // A branch that was given up before it could go on.
    if isWithdrawn {
      resource.release(self, hold)
      throw CancellationError()
    }
    return true
  }
}
