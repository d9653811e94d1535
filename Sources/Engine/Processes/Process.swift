// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness
internal import VirtualTime

extension Simulation {
  /// A process, which the simulation gives to its code: it waits and requests in its name, for one thing at a time.
  ///
  /// `@unchecked Sendable` for the reason that `Simulation` is: everything runs within `run`, one job at a time.
  @safe public final class Process: @unchecked Sendable {
    typealias Wait = UnsafeContinuation<Bool, any Error>

    /// Its name, for errors; that of a branch is `customer, branch 2`, and of its third one `customer, branch 2.3`.
    public var name: String {
      var (one, numbers) = (self, [String]())
      while let origin = one.origin {
        numbers.append("\(origin.number)")
        one = origin.parent
      }
      return one.ownName + (numbers.isEmpty ? "" : ", branch " + numbers.reversed().joined(separator: "."))
    }

    private let ownName: String
    /// The process that a branch belongs to, and which of its branches it is.
    private let origin: (parent: Process, number: Int)?
    let simulation: Simulation
    /// Its place among those that live.
    var index = 0
    var hasEnded = false
    /// True for a branch that has been given up: it waits for nothing any more.
    var isWithdrawn = false
    /// The number of resources that it has.
    var held = 0

    private var wait: Wait?
    /// The end of its time or its patience, while it waits.
    var alarm: EventQueue<Alarm>.Token?
    /// Where it waits, with its place and the amount that it waits for.
    private(set) var queue: WaitingQueue?
    private var place: EventQueue<Process>.Token?
    private(set) var amount = 0.0
    /// The preemptive resource that it waits for.
    private(set) var hold: Resource.Hold?
    /// The branches that it waits for.
    private var branches: Branches?
    /// Errors that its next waits throw, since it did not wait when it was interrupted.
    private var pending: [(error: any Error, hold: Resource.Hold?)] = []
    /// The number of waits that were refused after the end.
    private var refusals = 0

    init(_ name: String, _ simulation: Simulation) { (ownName, origin, self.simulation) = (name, nil, simulation) }

    fileprivate init(branch number: Int, of parent: Process) {
      (ownName, origin, simulation) = ("", (parent, number), parent.simulation)
    }

    var isWaiting: Bool { unsafe wait != nil }

    // MARK: Going on

    /// Its time has come, or its patience ends.
    func ring() {
      alarm = nil
      goOn(queue == nil)
    }

    /// Ends its wait; false if it gave up.
    func goOn(_ isReady: Bool = true) { unsafe endWait()?.resume(returning: isReady) }

    /// Ends its wait with an error.
    func stop(_ error: any Error) { unsafe endWait()?.resume(throwing: error) }

    private func endWait() -> Wait? {
      if let alarm { simulation.alarms.cancel(alarm) }
      if let queue, let place { queue.remove(place) }
      (alarm, queue, place, hold, branches) = (nil, nil, nil, nil, nil)
      defer { unsafe wait = nil }
      return unsafe wait
    }

    /// Throws an error out of its wait, or out of the next one if it does not wait.
    func receive(_ error: any Error, of hold: Resource.Hold? = nil) {
      if let branches, !branches.isDecided {
        branches.decide(error)
      } else if isWaiting, branches == nil {
        stop(error)
      } else {
        pending.append((error, hold))
      }
    }

    /// Forgets the loss of a resource that it did not wait to be told of.
    func forget(_ hold: Resource.Hold) { pending.removeAll { $0.hold === hold } }

    // MARK: Waiting

    /// True if a wait cannot begin, but is refused.
    var isHindered: Bool { isWithdrawn || hasEnded || simulation.isEnded || isWaiting || !pending.isEmpty }

    /// Throws if a thing is of another simulation, whose time is another one.
    func check(_ queue: WaitingQueue) throws {
      guard queue.length.clock !== simulation.clock else { return }
      throw SimulationError(problem: .foreign(queue.name), process: name, time: now)
    }

    /// Throws the reason why a wait cannot begin.
    func refuse() async throws {
      guard simulation.isEnded || isWithdrawn else {
        if !pending.isEmpty { throw pending.removeFirst().error }
        throw SimulationError(problem: .waitsTwice, process: name, time: now)
      }
      refusals += 1
      if refusals < 1_000 { throw simulation.isEnded ? SimulationEnded() as any Error : CancellationError() }
      // Code that goes on whatever its waits throw would never end.
      simulation.clock.refuse(.endless, by: self)
      await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Waits in a queue; false if it gave up.
    func wait(
      in queue: WaitingQueue, priority: Int = 0, amount: Double = 1, hold: Resource.Hold? = nil, patience: Double
    ) async throws -> Bool {
      guard patience >= 0 else {
        throw SimulationError(
          problem: .badNumber(patience, "the patience", expected: "a number from 0"), process: name, time: now)
      }
      log("waits for '\(queue.name)'", .waits(queue.name))
      (self.queue, self.amount, self.hold) = (queue, amount, hold)
      place = queue.add(self, priority: priority)
      if now + patience < .infinity {
        alarm = simulation.alarms.schedule(.ring(self), at: VirtualInstant(ordering: now + patience))
      }
      defer { simulation.clock.current = self }
      do {
        let isReady = try await unsafe withUnsafeThrowingContinuation { unsafe wait = $0 }
        if !isReady { log("gives up '\(queue.name)'", .leaves(queue.name)) }
        return isReady
      } catch {
        log("leaves '\(queue.name)'", .leaves(queue.name))
        throw error
      }
    }

    // MARK: For models

    /// The time.
    public var now: Double { simulation.now }

    /// Waits.
    ///
    /// - Parameter delay: the time from now; from 0.
    /// - Throws: `SimulationError` for any other delay, and `SimulationEnded` at the end of the run.
    public func delay(_ delay: Double) async throws {
      if isHindered { try await refuse() }
      let end = now + delay
      guard delay >= 0, end < .infinity else {
        let expected = delay < .infinity && delay >= 0 ? "a time that ends" : "a number from 0"
        throw SimulationError(problem: .badNumber(delay, "the delay", expected: expected), process: name, time: now)
      }
      alarm = simulation.alarms.schedule(.ring(self), at: VirtualInstant(ordering: end))
      defer { simulation.clock.current = self }
      _ = try await unsafe withUnsafeThrowingContinuation { unsafe wait = $0 }
    }

    /// Throws an error out of the wait of this process, for another one to call: a breakdown, or news.
    ///
    ///     let machine = shop.process("machine") { machine in
    ///       do { try await machine.delay(8) } catch is Interruption { try await machine.delay(2) }
    ///     }
    ///     shop.process("wear") { wear in
    ///       try await wear.delay(5)
    ///       machine.interrupt()
    ///     }
    ///
    /// A resource that it waits for goes to the next, and one that it has is released as the error leaves the block. If
    /// it does not wait, its next wait throws the error.
    ///
    /// - Parameter error: the error that the process gets, by which it may know the reason. One that it does not catch
    ///   ends the run.
    /// - Returns: false, without an effect, if the process has ended.
    @discardableResult
    public func interrupt(_ error: any Error = Interruption()) -> Bool {
      guard !hasEnded, !simulation.isEnded else { return false }
      log("is interrupted: \(error)", .told)
      receive(error)
      return true
    }

    /// Does several things at the same time, and goes on when the first of them is done. The others are given up: their
    /// waits throw `CancellationError`, and their resources are released. An element that one of them had taken before
    /// is not put back.
    ///
    ///     let part: Part? = try await fitter.any(
    ///       { try await $0.take(from: shelf) },
    ///       { try await $0.delay(5); return nil })
    ///
    /// - Parameter branches: the things; at least one. Each waits by the process that it gets.
    /// - Returns: what the first returns that is done. Of two at the same time it is the one that went on first.
    /// - Throws: the error of the first, if that is how it ends; an interruption; `SimulationError` without a branch.
    @discardableResult
    public func any<Value>(_ branches: ((Process) async throws -> Value)...) async throws -> Value {
      try await any(of: branches.indices) { try await branches[$1]($0) }
    }

    /// Does the same with each element at the same time, and goes on when the first of them is done, as `any` does.
    ///
    ///     let part = try await fitter.any(of: shelves) { fitter, shelf in try await fitter.take(from: shelf) }
    ///
    /// - Parameters:
    ///   - elements: the elements; at least one.
    ///   - code: what is done with one, by the process that it gets.
    /// - Returns: what the first returns that is done.
    /// - Throws: the error of the first, if that is how it ends; an interruption; `SimulationError` without an element.
    @discardableResult
    public func any<Element, Value>(
      of elements: some Collection<Element>, _ code: @escaping (Process, Element) async throws -> Value
    ) async throws -> Value {
      var first: Value?
      try await branch(Array(elements), code) { group, _, value in
        if !group.isDecided { first = value }
        group.decide(nil)
      }
      guard let first else { throw SimulationError(problem: .noBranch, process: name, time: now) }
      return first
    }

    /// Does several things at the same time, and goes on when all of them are done.
    ///
    ///     try await order.all({ try await $0.take(from: frames) }, { try await $0.take(from: wheels) })
    ///
    /// - Parameter branches: the things. Each waits by the process that it gets.
    /// - Returns: what they return, in their order.
    /// - Throws: the first error of one, after the others have been given up; an interruption.
    @discardableResult
    public func all<Value>(_ branches: ((Process) async throws -> Value)...) async throws -> [Value] {
      try await all(of: branches.indices) { try await branches[$1]($0) }
    }

    /// Does the same with each element at the same time, and goes on when all are done.
    ///
    ///     try await order.all(of: shelves) { picker, shelf in try await picker.take(from: shelf) }
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - code: what is done with one, by the process that it gets.
    /// - Returns: what is returned for each, in their order.
    /// - Throws: the first error of one, after the others have been given up; an interruption.
    @discardableResult
    public func all<Element, Value>(
      of elements: some Collection<Element>, _ code: @escaping (Process, Element) async throws -> Value
    ) async throws -> [Value] {
      var values = [Value?](repeating: nil, count: elements.count)
      try await branch(Array(elements), code) { _, index, value in values[index] = value }
      return values.compactMap(\.self)
    }

    /// Starts a branch for each element, and waits until all have ended.
    private func branch<Element, Value>(
      _ elements: [Element], _ code: @escaping (Process, Element) async throws -> Value,
      _ done: @escaping (Branches, Int, Value) -> Void
    ) async throws {
      if isHindered { try await refuse() }
      guard !elements.isEmpty else { return }
      let group = Branches(self, count: elements.count)
      for (index, element) in elements.enumerated() {
        simulation.start(group.members[index], { done(group, index, try await code($0, element)) }, group.end)
      }
      branches = group
      defer { simulation.clock.current = self }
      _ = try await unsafe withUnsafeThrowingContinuation { unsafe wait = $0 }
    }

    /// Adds a line to the log of a sample that is drawn alone (`--only`).
    ///
    ///     machine.log("breaks down")
    ///
    /// - Parameter text: what happens, which is evaluated then alone.
    public func log(_ text: @autoclosure () -> String) { log(text(), .told) }

    func log(_ text: @autoclosure () -> String, _ change: DrawRecord.Happening.Change) {
      guard let record = simulation.record, !simulation.isEnded else { return }
      record.add(DrawRecord.Happening(time: now, who: name, text: text(), change: change))
    }
  }
}

/// Thrown out of a wait of a process that another one interrupts.
public struct Interruption: Error, CustomStringConvertible {
  /// The error of a process that is interrupted without another one.
  public init() {}

  /// A sentence for the error of a process that does not catch it.
  public var description: String { "it is interrupted; expected to catch Interruption" }
}

/// The branches of a process that waits for one or all of them.
private final class Branches {
  private let parent: Simulation.Process
  let members: [Simulation.Process]
  private var left: Int
  private(set) var isDecided = false
  private var failure: (any Error)?

  init(_ parent: Simulation.Process, count: Int) {
    (self.parent, left) = (parent, count)
    members = (1...count).map { Simulation.Process(branch: $0, of: parent) }
  }

  /// Gives up those that have not ended; the first error counts.
  func decide(_ error: (any Error)?) {
    guard !isDecided else { return }
    (isDecided, failure) = (true, error)
    var (others, next) = (members, 0)
    while next < others.count {
      let one = others[next]
      next += 1
      guard !one.hasEnded, !one.isWithdrawn else { continue }
      one.isWithdrawn = true
      // Not by calling itself: branches of branches may be many.
      others += one.withdraw()
    }
  }

  /// One has ended; the process goes on after the last.
  func end(_ error: (any Error)?) {
    if let error { decide(error) }
    left -= 1
    guard left == 0 else { return }
    if let failure { parent.stop(failure) } else { parent.goOn() }
  }

  /// Marks the group as given up from outside; returns the members to give up.
  fileprivate func abandon() -> [Simulation.Process] {
    guard !isDecided else { return [] }
    (isDecided, failure) = (true, CancellationError())
    return members
  }
}

extension Simulation.Process {
  /// Ends the wait of a branch that is given up; returns its own branches, which are given up next.
  fileprivate func withdraw() -> [Simulation.Process] {
    if let branches { return branches.abandon() }
    stop(CancellationError())
    return []
  }
}
