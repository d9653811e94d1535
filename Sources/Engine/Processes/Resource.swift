// SPDX-License-Identifier: GPL-3.0-or-later
internal import VirtualTime

/// A process that waits in a queue.
@safe final class Waiting {
  private let wait: Simulation.Wait
  let process: String
  /// The amount that it waits for, of a container.
  let amount: Double
  /// Cancels the end of its patience.
  var cancelPatience: (() -> Void)?
  fileprivate var token: EventQueue<Waiting>.Token?
  private unowned let queue: WaitingQueue

  init(_ wait: Simulation.Wait, _ process: String, amount: Double, _ queue: WaitingQueue) {
    (unsafe self.wait, self.process, self.amount, self.queue) = (unsafe wait, process, amount, queue)
  }

  func goOn() {
    cancelPatience?()
    unsafe wait.resume(returning: true)
  }

  func giveUp() {
    queue.remove(self)
    unsafe wait.resume(returning: false)
  }

  fileprivate func leave() { unsafe wait.resume(throwing: SimulationEnded()) }
}

/// The processes that wait for one thing, in the order of a discipline.
final class WaitingQueue {
  let name: String
  private let discipline: Resource.Discipline
  /// The number of processes that wait.
  let length: Level
  private var waiting = EventQueue<Waiting>()
  private var arrived: Int64 = 0
  /// True if a process that never comes to its turn is a mistake.
  var isOfResource = false

  init(_ name: String, _ discipline: Resource.Discipline, _ length: Level) {
    (self.name, self.discipline, self.length) = (name, discipline, length)
  }

  func add(_ one: Waiting, priority: Int) {
    arrived += 1
    let order: Int64 =
      switch discipline {
      case .first: 0
      case .last: -arrived
      case .priority: Int64(priority)
      }
    one.token = waiting.schedule(one, at: VirtualInstant(nanoseconds: order))
    length.value += 1
  }

  func remove(_ one: Waiting) {
    if let token = one.token, waiting.cancel(token) != nil { length.value -= 1 }
  }

  /// Takes the next one, which goes on; `nil` if nobody waits.
  func next() -> Waiting? {
    guard let (_, one) = waiting.next() else { return nil }
    length.value -= 1
    return one
  }

  /// The next one, which stays in the queue; `nil` if nobody waits.
  var first: Waiting? { waiting.first }

  /// Who waits, in order, with what for.
  var names: [(process: String, resource: String)] {
    var left = waiting
    var names: [(String, String)] = []
    while let (_, one) = left.next() { names.append((one.process, name)) }
    return names
  }

  func leave() { while let one = next() { one.leave() } }
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

  init(_ name: String, count: Int, _ queue: WaitingQueue, busy: Level) {
    (self.count, self.queue, self.busy) = (count, queue, busy)
    queue.isOfResource = true
  }

  /// True if one was free and is taken now.
  fileprivate func take() -> Bool {
    guard busy.value < Double(count) else { return false }
    busy.value += 1
    return true
  }

  /// Gives one to the next process, if any.
  fileprivate func release() {
    if let next = queue.next() { next.goOn() } else { busy.value -= 1 }
  }
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
  /// - Throws: the error of the code, and `SimulationEnded` at the end of the run.
  @discardableResult
  public func request<Value>(
    _ resource: Resource, priority: Int = 0, _ code: () async throws -> Value
  ) async throws -> Value {
    try simulation.check()
    if !resource.take() {
      _ = try await simulation.wait(self, in: resource.queue, priority: priority, amount: 1, patience: .infinity)
    }
    defer { resource.release() }
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
  /// - Throws: the error of the code, `SimulationError` for a patience below 0, and `SimulationEnded` at the end of the
  ///   run.
  @discardableResult
  public func request<Value>(
    _ resource: Resource, priority: Int = 0, patience: Double, _ code: () async throws -> Value
  ) async throws -> Value? {
    try simulation.check()
    if !resource.take() {
      let isReady = try await simulation.wait(
        self, in: resource.queue, priority: priority, amount: 1, patience: patience)
      guard isReady else { return nil }
    }
    defer { resource.release() }
    return try await code()
  }
}
