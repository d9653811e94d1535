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
  /// An event of the simulation.
  enum Alarm {
    /// A process has waited for its time, or its patience ends.
    case ring(Process)
    /// The measurement of levels begins again.
    case mark
  }

  /// The time, from 0.
  public var now: Double { clock.now }
  let clock = SimulationClock()
  /// The random numbers of the model. A part of it has its own numbers by a substream.
  public var random: RandomStream

  private let executor = ManualExecutor()
  var alarms = EventQueue<Alarm>()
  private var levels: [Level] = []
  private var queues: [WaitingQueue] = []
  private(set) var isEnded = false
  private var isRunning = false
  private var started = 0
  /// The processes that have begun and have not ended, each at its `index`.
  private var live: [Process] = []
  /// The jobs since time went on.
  private var jobs = 0
  /// The log, if the sample is drawn alone.
  let record: DrawRecord?

  /// A simulation without processes, at time 0.
  ///
  /// - Parameter random: a stream of the sample, for example `random.substream("shop")`.
  public init(_ random: consuming RandomStream) {
    record = random.record
    self.random = random
  }

  // MARK: Parts

  /// Starts a process, before the run or from another process; it begins at the present time, after those that are
  /// ready.
  ///
  /// - Parameters:
  ///   - name: its name in errors; a number unless given.
  ///   - code: what it does. An error of it ends the run; `SimulationEnded`, which every wait throws at the end of the
  ///     run, may pass.
  /// - Returns: the process, for another one that interrupts it.
  @discardableResult
  public func process(_ name: String? = nil, _ code: @escaping (Process) async throws -> Void) -> Process {
    started += 1
    let process = Process(name ?? "\(started)", self)
    guard !isEnded else {
      process.hasEnded = true
      return process
    }
    start(process, code) { error in
      if let error, !(error is SimulationEnded) { self.clock.fail(error, process.name) }
    }
    return process
  }

  /// Code of a process. It runs within `run` alone, like everything else of the simulation.
  private struct Body: @unchecked Sendable {
    let code: (Process) async throws -> Void
    let end: ((any Error)?) -> Void
  }

  /// Starts a process or a branch of one; `end` gets its error.
  func start(
    _ process: Process, _ code: @escaping (Process) async throws -> Void, _ end: @escaping ((any Error)?) -> Void
  ) {
    process.index = live.count
    live.append(process)
    let body = Body(code: code, end: end)
    Task(executorPreference: executor) {
      self.clock.current = process
      process.log("begins")
      var failure: (any Error)?
      do {
        if !process.isWithdrawn { try await body.code(process) }
      } catch {
        failure = error
      }
      self.remove(process)
      body.end(failure)
    }
  }

  private func remove(_ process: Process) {
    process.log("ends", .ended)
    process.hasEnded = true
    guard let last = live.popLast(), last !== process else { return }
    live[process.index] = last
    last.index = process.index
  }

  /// Several equal servers, machines or places, each of which one process has at a time.
  ///
  /// - Parameters:
  ///   - name: its name in errors.
  ///   - count: how many there are; from 1. Any other number is an error of the run.
  ///   - discipline: who is next.
  /// - Returns: the resource, for `Process.request`.
  public func resource(_ name: String, count: Int = 1, discipline: Resource.Discipline = .first) -> Resource {
    if count < 1 { clock.refuse(.badCount(count, "the count of '\(name)'", expected: "1 or more")) }
    return Resource(name, count: count, queue(name, discipline), discipline, busy: level())
  }

  /// A place from which processes take elements, and wait where there is none.
  public func store<Element>(_ name: String, of type: Element.Type = Element.self) -> Store<Element> {
    Store(queue(name, .first), level())
  }

  /// An amount, such as fuel in a tank, which processes take from and wait for.
  ///
  /// - Parameters:
  ///   - name: its name in errors.
  ///   - amount: the first amount; from 0. Any other number is an error of the run.
  /// - Returns: the container, for `Process.take(_:from:)`.
  public func container(_ name: String, _ amount: Double = 0) -> Container {
    let isAmount = clock.checkAmount(amount, "the amount of '\(name)'")
    return Container(queue(name, .first), level(isAmount ? amount : 0), clock)
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
  ///   - warmUp: the time from which levels are measured; before the end.
  /// - Throws: the first error of a process, and `SimulationError` for a misuse or where processes wait for resources
  ///   that nobody can release.
  public func run(until end: Double = .infinity, warmUp: Double = 0) throws {
    try run(until: end, warmUp: warmUp, marks: warmUp > 0 ? [warmUp] : []) {}
  }

  /// Lets the processes go on until the end, and measures the time after the warm-up in batches of equal length, for an
  /// interval from one long run.
  ///
  ///     let waiting = try bank.run(until: 101_000, warmUp: 1_000, batches: 30) { counter.waiting.mean }
  ///     print(waiting.mean, waiting.interval(at: 0.99), waiting.warning ?? "")
  ///
  /// Levels are measured for each batch alone. A model that counts by itself does so from one call of `measure` to the
  /// next; the first call is at the end of the warm-up, and what it returns is not used.
  ///
  /// - Parameters:
  ///   - end: the time of the end; finite.
  ///   - warmUp: the time from which batches are measured; before the end.
  ///   - batches: how many batches; from 2. Between 10 and 30 are enough (Schmeiser, "Batch size effects in the
  ///     analysis of simulation output", Operations Research 30 (1982)).
  ///   - measure: the figure of a batch, at its end.
  /// - Returns: the figures of the batches.
  /// - Throws: what `run(until:warmUp:)` throws, the error of `measure`, and `SimulationError` for a figure that is not
  ///   finite.
  public func run(
    until end: Double, warmUp: Double = 0, batches: Int, _ measure: () throws -> Double
  ) throws -> BatchMeans {
    let isPossible = (2...1_000_000).contains(batches)
    if !isPossible {
      clock.refuse(.badCount(batches, "the number of batches", expected: "2 to 1,000,000"))
    }
    if end == .infinity { clock.refuse(.badNumber(end, "the end of a run in batches", expected: "a finite time")) }
    let length = (end - warmUp) / Double(batches)
    let begins = isPossible ? (0..<batches).map { warmUp + Double($0) * length } : []
    var values: [Double] = []
    var hasBegun = false
    try run(until: end, warmUp: warmUp, marks: begins) {
      let value = try measure()
      defer { hasBegun = true }
      guard hasBegun else { return }
      guard abs(value) < .infinity else {
        throw SimulationError(
          problem: .badNumber(value, "batch \(values.count + 1)", expected: "a finite figure"), process: nil, time: now)
      }
      values.append(value)
    }
    return BatchMeans(values)
  }

  /// Runs to the end. `mark` is called at each mark, before anything else happens then, and at the end.
  private func run(until end: Double, warmUp: Double, marks: [Double], _ mark: () throws -> Void) throws {
    guard !isRunning else { throw SimulationError(problem: .runsAlready, process: clock.current?.name, time: now) }
    if isEnded { throw SimulationEnded() }
    if !(end >= 0) { clock.refuse(.badNumber(end, "the end", expected: "a time from 0")) }
    if !(warmUp >= 0 && warmUp < end) && warmUp != 0 {
      clock.refuse(.badNumber(warmUp, "the warm-up", expected: "a time from 0 and before the end, \(end)"))
    }
    isRunning = true
    defer { isRunning = false }
    do {
      if clock.failure == nil { try play(until: end, marks: marks, mark) }
    } catch {
      clock.fail(error, nil)
    }
    leave()
    if let failure = clock.failure { throw failure }
  }

  private func play(until end: Double, marks: [Double], _ mark: () throws -> Void) throws {
    for time in marks { alarms.schedule(.mark, at: VirtualInstant(ordering: time)) }
    let limit = VirtualInstant(ordering: end)
    goOn()
    while clock.failure == nil, let (instant, alarm) = alarms.next(until: limit) {
      let time = instant.ordered
      if time > now { (clock.now, jobs) = (time, 0) }
      switch alarm {
      case .ring(let process): process.ring()
      case .mark:
        try mark()
        for level in levels { level.restart() }
      }
      goOn()
    }
    guard clock.failure == nil else { return }
    let elsewhere = live.filter { !$0.isWaiting }.map(\.name)
    let stuck = queues.flatMap(\.stuck)
    if !elsewhere.isEmpty {
      clock.refuse(.elsewhere(elsewhere), by: nil)
    } else if alarms.isEmpty, !stuck.isEmpty {
      clock.refuse(.deadlock(stuck), by: nil)
    } else {
      if end < .infinity { clock.now = max(now, end) }
      if !marks.isEmpty { try mark() }
    }
  }

  /// The most jobs without time going on, for one process and for each.
  private static let maximumJobs = (all: 1_000_000, each: 100)

  /// Runs the processes that are ready.
  private func goOn() {
    while executor.runJob() {
      jobs += 1
      guard jobs > Self.maximumJobs.all, jobs > Self.maximumJobs.each * live.count, !isEnded else { continue }
      clock.refuse(.standstill(jobs))
      return
    }
  }

  /// Lets every wait end with an error, so that no process is kept for ever.
  private func leave() {
    isEnded = true
    record?.add(DrawRecord.Happening(time: now, who: "", text: "the run ends", change: .told))
    while let (_, alarm) = alarms.next() {
      if case .ring(let process) = alarm { process.stop(SimulationEnded()) }
    }
    for queue in queues { while let one = queue.first { one.stop(SimulationEnded()) } }
    goOn()
    executor.retire()
    clock.current = nil
  }
}

/// The time of a simulation, which its levels need after it as well, and its first error.
final class SimulationClock {
  var now = 0.0
  /// The process that runs.
  var current: Simulation.Process?
  private(set) var failure: (any Error)?

  /// Ends the run by the error of a process, unless it has one.
  func fail(_ error: any Error, _ process: String?) {
    failure =
      failure
      ?? (error is SimulationError || process == nil
        ? error : SimulationError(problem: .failed(error), process: process, time: now))
  }

  /// Ends the run by a mistake of the process that runs.
  func refuse(_ problem: SimulationError.Problem) { refuse(problem, by: current) }

  func refuse(_ problem: SimulationError.Problem, by process: Simulation.Process?) {
    fail(SimulationError(problem: problem, process: process?.name, time: now), process?.name)
  }

  /// True for a number from 0; any other ends the run.
  func checkAmount(_ amount: Double, _ what: String) -> Bool {
    if amount >= 0, amount < .infinity { return true }
    refuse(.badNumber(amount, what, expected: "a number from 0"))
    return false
  }
}

/// Thrown by every wait of a process at the end of the run, so that the process ends. It may pass.
public struct SimulationEnded: Error {}
