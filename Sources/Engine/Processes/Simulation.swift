// SPDX-License-Identifier: GPL-3.0-or-later
public import Randomness
internal import VirtualTime

/// Processes in simulated time: customers, machines or mechanics, each an asynchronous function that waits.
///
///     let shop = Simulation(random.substream("shop"))
///     let mechanic = shop.resource("mechanic")
///     for number in 1...5 {
///       shop.process("machine \(number)") { machine in
///         while true {
///           try await machine.delay(shop.random.exponential(mean: 40))
///           try await machine.request(mechanic) { try await machine.delay(shop.random.exponential(mean: 4)) }
///         }
///       }
///     }
///     try shop.run(until: 168)
///     return mechanic.waiting.mean
///
/// Processes run one at a time on the thread that calls `run`, so that they may change variables of the model. The
/// order depends on the model alone: the soonest goes on first, and at the same time the one that began to wait first.
/// Times are in a unit of the model's choice.
///
/// `@unchecked Sendable`, since every job of its processes runs within `run`, on its caller's thread, one at a time.
public final class Simulation: @unchecked Sendable {
  typealias Wait = UnsafeContinuation<Bool, any Error>

  /// An event of the simulation.
  @safe private enum Alarm {
    case goOn(Wait)
    case giveUp(Waiting)
    case warm
  }

  /// The time, from 0.
  public var now: Double { clock.now }
  private let clock = SimulationClock()
  /// The random numbers of the model. A part of it has its own numbers by a substream.
  public var random: RandomStream

  private let executor = ManualExecutor()
  private var alarms = EventQueue<Alarm>()
  private var levels: [Level] = []
  private var queues: [WaitingQueue] = []
  private var failure: (any Error)?
  private var isEnded = false
  /// The numbers of processes that have begun, have not ended, and wait.
  private var (started, live, waits) = (0, 0, 0)

  /// A simulation without processes, at time 0.
  ///
  /// - Parameter random: a stream of the sample, for example `random.substream("shop")`.
  public init(_ random: consuming RandomStream) { self.random = random }

  // MARK: Parts

  /// A process, which the simulation gives to its code: it waits and requests in its name.
  public struct Process: Sendable {
    /// Its name, for errors.
    public let name: String
    let simulation: Simulation
  }

  /// Code of a process. It runs within `run` alone, like everything else of the simulation.
  private struct Body: @unchecked Sendable {
    let code: (Process) async throws -> Void
  }

  /// Starts a process, before the run or from another process; it begins at the present time, after those that are
  /// ready.
  ///
  /// - Parameters:
  ///   - name: its name in errors; a number unless given.
  ///   - code: what it does. An error of it ends the run; `SimulationEnded`, which every wait throws at the end of the
  ///     run, may pass.
  public func process(_ name: String? = nil, _ code: @escaping (Process) async throws -> Void) {
    started += 1
    live += 1
    let process = Process(name: name ?? "\(started)", simulation: self)
    let body = Body(code: code)
    Task(executorPreference: executor) {
      do {
        try await body.code(process)
      } catch is SimulationEnded {
        // Whatever still waits is left at the end.
      } catch {
        self.fail(error, process)
      }
      self.live -= 1
    }
  }

  /// Several equal servers, machines or places, each of which one process has at a time.
  ///
  /// - Parameters:
  ///   - name: its name in errors.
  ///   - count: how many there are; 1 at least.
  ///   - discipline: who is next.
  /// - Returns: the resource, for `Process.request`.
  public func resource(_ name: String, count: Int = 1, discipline: Resource.Discipline = .first) -> Resource {
    Resource(name, count: max(1, count), queue(name, discipline), busy: level())
  }

  /// A place from which processes take elements, and wait where there is none.
  public func store<Element>(_ name: String, of type: Element.Type = Element.self) -> Store<Element> {
    Store(queue(name, .first), level())
  }

  /// An amount, such as fuel in a tank, which processes take from and wait for.
  ///
  /// - Parameters:
  ///   - name: its name in errors.
  ///   - amount: the first amount; from 0.
  /// - Returns: the container, for `Process.take(_:from:)`.
  public func container(_ name: String, _ amount: Double = 0) -> Container {
    Container(queue(name, .first), level(amount))
  }

  /// A quantity over time, with its time-weighted mean.
  public func level(_ value: Double = 0) -> Level {
    let level = Level(value, clock)
    levels.append(level)
    return level
  }

  private func queue(_ name: String, _ discipline: Resource.Discipline) -> WaitingQueue {
    let queue = WaitingQueue(name, discipline, level())
    queues.append(queue)
    return queue
  }

  // MARK: The run

  /// Lets the processes go on until the end. Those that still wait then are left, and the simulation is over.
  ///
  /// - Parameters:
  ///   - end: the time of the end; without one, the run ends when nothing is left to happen.
  ///   - warmUp: the time from which levels are measured.
  /// - Throws: the first error of a process, and `SimulationError` for a misuse or where processes wait for resources
  ///   that nobody can release.
  public func run(until end: Double = .infinity, warmUp: Double = 0) throws {
    try check()
    if warmUp > 0 { alarms.schedule(.warm, at: VirtualInstant(ordering: warmUp)) }
    let limit = VirtualInstant(ordering: max(0, end))
    goOn()
    while failure == nil, let (instant, alarm) = alarms.next(until: limit) {
      clock.now = instant.ordered
      switch alarm {
      case .goOn(let wait): unsafe wait.resume(returning: true)
      case .giveUp(let waiting): waiting.giveUp()
      case .warm: for level in levels { level.restart() }
      }
      goOn()
    }
    let stuck = queues.filter(\.isOfResource).flatMap(\.names)
    if failure == nil, live > waits {
      failure = SimulationError(problem: .elsewhere(live - waits), process: nil, time: now)
    } else if failure == nil, alarms.isEmpty, !stuck.isEmpty {
      failure = SimulationError(problem: .deadlock(stuck), process: nil, time: now)
    }
    if failure == nil, end < .infinity { clock.now = max(now, end) }
    leave()
    if let failure { throw failure }
  }

  /// Runs the processes that are ready.
  private func goOn() { while executor.runJob() {} }

  /// Lets every wait end with an error, so that no process is kept for ever.
  private func leave() {
    isEnded = true
    while let (_, alarm) = alarms.next() {
      if case .goOn(let wait) = alarm { unsafe wait.resume(throwing: SimulationEnded()) }
    }
    for queue in queues { queue.leave() }
    goOn()
    executor.retire()
  }

  private func fail(_ error: any Error, _ process: Process) {
    guard !isEnded else { return }
    failure =
      failure
      ?? (error is SimulationError
        ? error : SimulationError(problem: .failed(error), process: process.name, time: now))
  }

  // MARK: Waiting

  func sleep(_ process: Process, _ delay: Double) async throws {
    try check()
    guard delay >= 0, delay < .infinity else {
      throw SimulationError(problem: .badDelay(delay), process: process.name, time: now)
    }
    let time = VirtualInstant(ordering: now + delay)
    waits += 1
    defer { waits -= 1 }
    _ = try await unsafe withUnsafeThrowingContinuation { (wait: Wait) in
      unsafe alarms.schedule(.goOn(wait), at: time)
    }
  }

  /// Waits in a queue; false if it gave up.
  func wait(_ process: Process, in queue: WaitingQueue, priority: Int, amount: Double, patience: Double) async throws
    -> Bool
  {
    try check()
    guard patience >= 0 else {
      throw SimulationError(problem: .badDelay(patience), process: process.name, time: now)
    }
    waits += 1
    defer { waits -= 1 }
    return try await unsafe withUnsafeThrowingContinuation { (wait: Wait) in
      let waiting = unsafe Waiting(wait, process.name, amount: amount, queue)
      queue.add(waiting, priority: priority)
      guard patience < .infinity else { return }
      let token = alarms.schedule(.giveUp(waiting), at: VirtualInstant(ordering: now + patience))
      waiting.cancelPatience = { [unowned self] in alarms.cancel(token) }
    }
  }

  /// After the end nothing waits any more.
  func check() throws { if isEnded { throw SimulationEnded() } }
}

/// The time of a simulation, which its levels need after it as well.
final class SimulationClock {
  var now = 0.0
}

/// Thrown by every wait of a process at the end of the run, so that the process ends. It may pass.
public struct SimulationEnded: Error {}

extension Simulation.Process {
  /// The time.
  public var now: Double { simulation.now }

  /// Waits.
  ///
  /// - Parameter delay: the time from now; from 0.
  /// - Throws: `SimulationError` for any other delay, and `SimulationEnded` at the end of the run.
  public func delay(_ delay: Double) async throws { try await simulation.sleep(self, delay) }
}
