// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Randomness
import Testing

@Suite("Processes in simulated time")
struct SimulationTests {
  private let simulation: Simulation

  init() throws { simulation = Simulation(try RandomStream(seed: 1)) }

  private struct Failure: Error {}

  /// The description of what a run throws.
  private func problem(_ run: () throws -> Void) -> String {
    do { try run() } catch { return "\(error)" }
    return "none"
  }

  @Test("go on in the order of their times, and at the same time in that of their waits")
  func order() throws {
    var seen: [String] = []
    for (name, pause) in [("a", 2.0), ("b", 1), ("c", 2), ("d", 0)] {
      simulation.process(name) { process in
        seen.append("\(name) \(process.now)")
        try await process.delay(pause)
        seen.append("\(name) \(process.now)")
      }
    }
    try simulation.run()
    #expect(
      seen == ["a 0.0", "b 0.0", "c 0.0", "d 0.0", "d 0.0", "b 1.0", "a 2.0", "c 2.0"] && simulation.now == 2)
  }

  @Test(
    "get a resource by its discipline",
    arguments: [
      (Resource.Discipline.first, ["a", "b", "c", "d"]), (.last, ["a", "d", "c", "b"]),
      (.priority, ["a", "c", "d", "b"]),
    ])
  func disciplines(discipline: Resource.Discipline, expected: [String]) throws {
    let server = simulation.resource("server", discipline: discipline)
    var served: [String] = []
    for (number, (name, priority)) in [("a", 9), ("b", 3), ("c", 1), ("d", 1)].enumerated() {
      simulation.process(name) { process in
        try await process.delay(Double(number))
        try await process.request(server, priority: priority) {
          served.append(name)
          try await process.delay(10)
        }
      }
    }
    try simulation.run()
    #expect(served == expected && simulation.now == 40)
    #expect(server.waiting.maximum == 3 && server.busy.mean == 1 && server.waiting.mean == (9 + 18 + 27) / 40.0)
  }

  @Test("give up when their patience ends, and the place behind them is not lost")
  func patience() throws {
    let server = simulation.resource("server")
    var ends: [String] = []
    for (name, patience) in [("a", 1.0), ("b", 5), ("c", 20)] {
      simulation.process(name) { process in
        let isServed: Void? = try await process.request(server, patience: patience) { try await process.delay(10) }
        ends.append("\(name) \(isServed == nil ? "left" : "served") \(process.now)")
      }
    }
    try simulation.run()
    #expect(ends == ["b left 5.0", "a served 10.0", "c served 20.0"])
  }

  @Test("take from stores and containers in the order of their waits")
  func stores() throws {
    let (shelf, tank) = (simulation.store("shelf", of: Int.self), simulation.container("tank", 5))
    var taken: [String] = []
    for name in ["a", "b"] {
      simulation.process(name) { taken.append("\(name) \(try await $0.take(from: shelf)) at \($0.now)") }
    }
    simulation.process("impatient") {
      taken.append("\(try await $0.take(from: shelf, patience: 0.5) == nil) at \($0.now)")
    }
    for (name, amount) in [("large", 8.0), ("small", 1)] {
      simulation.process(name) { process in
        try await process.take(amount, from: tank)
        taken.append("\(name) at \(process.now)")
      }
    }
    simulation.process("supplier") { supplier in
      for number in 1...3 {
        try await supplier.delay(1)
        shelf.put(number)
        tank.put(2)
      }
    }
    try simulation.run(until: 10)
    #expect(taken == ["true at 0.5", "a 1 at 1.0", "b 2 at 2.0", "large at 2.0", "small at 2.0"])
    #expect(shelf.stock.value == 1 && tank.amount.value == 2 && simulation.now == 10)
  }

  @Test("measure a level by its time, from the end of the warm-up")
  func levels() throws {
    let level = simulation.level(100)
    simulation.process { process in
      try await process.delay(10)
      level.value = 1
      try await process.delay(3)
      level.value = 4.5
      try await process.delay(1)
      level.value = 0
    }
    try simulation.run(until: 20, warmUp: 10)
    #expect(level.mean == (3 * 1 + 1 * 4.5) / 10 && level.maximum == 4.5)
    #expect(level.histogram.map(\.value) == [0, 1, 4.5] && level.histogram.map(\.share) == [0.6, 0.3, 0.1])
    #expect(level.share { $0 >= 1 } == 0.4)
  }

  @Test("start others, and are the same in every run of the same seed")
  func repeatable() throws {
    func run() throws -> [Double] {
      let simulation = Simulation(try RandomStream(seed: 5))
      var times: [Double] = []
      simulation.process { parent in
        for _ in 0..<20 {
          try await parent.delay(simulation.random.exponential(mean: 1))
          simulation.process { child in
            try await child.delay(simulation.random.exponential(mean: 3))
            times.append(child.now)
          }
        }
      }
      try simulation.run()
      return times
    }
    let times = try run()
    #expect(try times.count == 20 && times == run() && times == times.sorted())
  }

  @Test("that still wait are let go at the end, with what they hold")
  func left() throws {
    final class Held: Sendable {}
    weak var held: Held?
    var hasLeft = false
    do {
      let object = Held()
      held = object
      simulation.process { process in
        defer { hasLeft = true }
        try await process.delay(100)
        withExtendedLifetime(object) {}
      }
    }
    try simulation.run(until: 1)
    #expect(hasLeft && held == nil)
    #expect(throws: SimulationEnded.self) { try simulation.run(until: 2) }
  }

  @Test("that fail end the run with their name, the time and their error")
  func failures() throws {
    simulation.process("clerk") { clerk in
      try await clerk.delay(2)
      throw Failure()
    }
    #expect(problem { try simulation.run() } == "process 'clerk' at 2.0: Failure()")
  }

  @Test("that misuse the simulation end the run with their name, the time and what was expected")
  func misuses() throws {
    func message(_ code: @escaping (Simulation, Simulation.Process) async throws -> Void) throws -> String {
      let shop = Simulation(try RandomStream(seed: 1))
      shop.process("clerk") { clerk in
        try await clerk.delay(1)
        try await code(shop, clerk)
      }
      let problem = problem { try shop.run() }
      let place = "process 'clerk' at 1.0: "
      #expect(problem.hasPrefix(place))
      return String(problem.dropFirst(place.count))
    }
    #expect(try message { try await $1.delay(-1) } == "the delay is -1.0, expected a number from 0")
    #expect(try message { try await $1.delay(.nan) } == "the delay is nan, expected a number from 0")
    #expect(
      try message {
        try await $1.take(1, from: Simulation(RandomStream(seed: 1)).container("tank"))
        _ = $0
      } == "'tank' is of another simulation, expected one of the process's own")
    #expect(try message { try await $1.delay(.infinity) } == "the delay is inf, expected a number from 0")
    #expect(
      try message { try await $1.take(-2, from: $0.container("tank")) }
        == "what is taken from 'tank' is -2.0, expected a number from 0")
    #expect(
      try message { shop, _ in shop.container("tank").put(.nan) }
        == "what 'tank' gets is nan, expected a number from 0")
    #expect(
      try message { shop, _ in _ = shop.container("tank", -1) }
        == "the amount of 'tank' is -1.0, expected a number from 0")
    #expect(
      try message { shop, _ in _ = shop.resource("desk", count: 0) } == "the count of 'desk' is 0, expected 1 or more")
    #expect(try message { shop, _ in shop.level().value = .nan } == "a level is nan, expected a finite number")
    #expect(try message { shop, _ in try shop.run() }.hasPrefix("the run begins again within itself"))
    #expect(
      try message { shop, clerk in
        let desk = shop.resource("desk")
        try await clerk.request(desk) { try await clerk.request(desk, patience: .nan) {} }
      } == "the patience is nan, expected a number from 0")
    #expect(
      try message { _, clerk in
        try await clerk.any(of: [Int]()) { _, _ in }
      } == "'any' has no branches, expected one at least")
  }

  @Test("that wait by another process, or twice at once, are refused, not mixed up")
  func twice() throws {
    let waits = "process 'clerk' at 0.0: it waits already or has ended; expected each process"
    func message(_ code: @escaping (Simulation, Simulation.Process) async throws -> Void) throws -> String {
      let simulation = Simulation(try RandomStream(seed: 1))
      simulation.process("clerk") { try await code(simulation, $0) }
      return problem { try simulation.run() }
    }
    #expect(try message { _, clerk in try await clerk.all({ _ in try await clerk.delay(1) }) }.hasPrefix(waits))
    #expect(
      try message { _, clerk in
        async let one: Void = clerk.delay(1)
        async let other: Void = clerk.delay(2)
        _ = try await (one, other)
      }.hasPrefix(waits))
    #expect(
      try message { simulation, clerk in simulation.process("other") { _ in try await clerk.delay(1) } }
        .hasPrefix(waits))
  }

  @Test("that await something else are named")
  func elsewhere() throws {
    var outside: CheckedContinuation<Void, Never>?
    simulation.process("clerk") { _ in await withCheckedContinuation { outside = $0 } }
    simulation.process("customer") { try await $0.delay(1) }
    #expect(
      problem { try simulation.run() }.hasPrefix(
        "at 1.0: 'clerk' awaits something outside of the simulation; expected only its own waits"))
    outside?.resume()
  }

  @Test("that never let the time go on, or never end, are named instead of running for ever")
  func endless() throws {
    simulation.process("spinner") { spinner in while true { try await spinner.delay(0) } }
    #expect(problem { try simulation.run(until: 1) }.hasPrefix("process 'spinner' at 0.0: 1000001 waits have ended"))
    func message(_ code: @escaping (Simulation.Process) async throws -> Void) throws -> String {
      let simulation = Simulation(try RandomStream(seed: 1))
      simulation.process("deaf", code)
      return problem { try simulation.run(until: 5) }
    }
    let goesOn = "it goes on although its waits throw"
    #expect(
      try message { deaf in while true { try? await deaf.delay(1) } }.hasPrefix("process 'deaf' at 5.0: \(goesOn)"))
    #expect(
      try message { deaf in
        try await deaf.any(
          { try await $0.delay(2) },
          { try await $0.all({ branch in while true { try? await branch.delay(1) } }) })
      }.hasPrefix("process 'deaf, branch 2.1' at 2.0: \(goesOn)"))
  }

  @Test("take an impossible time of a run, before it begins", arguments: [(-1, 0), (Double.nan, 0), (5, 5), (5, .nan)])
  func times(end: Double, warmUp: Double) {
    #expect(problem { try simulation.run(until: end, warmUp: warmUp) }.contains("expected a time from 0"))
  }

  @Test("that wait for one another are listed, each with what it waits for")
  func deadlock() throws {
    let forks = [simulation.resource("fork 1"), simulation.resource("fork 2")]
    for (name, first, second) in [("Kant", 0, 1), ("Hume", 1, 0)] {
      simulation.process(name) { philosopher in
        try await philosopher.request(forks[first]) {
          try await philosopher.delay(1)
          try await philosopher.request(forks[second]) {}
        }
      }
    }
    #expect(
      problem { try simulation.run(until: 100) }
        == "at 1.0: no process can go on: 'Hume' waits for 'fork 1', 'Kant' waits for 'fork 2'")
  }
}

@Suite("Processes that are interrupted")
struct InterruptionTests {
  private let simulation: Simulation

  init() throws { simulation = Simulation(try RandomStream(seed: 1)) }

  private struct Breakdown: Error { let hours: Double }

  /// A process that does something at a time.
  private func at(_ time: Double, _ act: @escaping () -> Void) {
    simulation.process("at \(time)") { process in
      try await process.delay(time)
      act()
    }
  }

  @Test("get the error out of the delay, and go on from then")
  func delay() throws {
    var seen: [String] = []
    let machine = simulation.process("machine") { machine in
      do {
        try await machine.delay(8)
      } catch let breakdown as Breakdown {
        seen.append("broken at \(machine.now)")
        try await machine.delay(breakdown.hours)
      }
      seen.append("done at \(machine.now)")
    }
    at(5) { seen.append("\(machine.interrupt(Breakdown(hours: 2)))") }
    at(9) { seen.append("\(machine.interrupt())") }
    try simulation.run()
    #expect(seen == ["true", "broken at 5.0", "done at 7.0", "false"])
    #expect(!machine.interrupt())
  }

  @Test("leave the queue, and release what they have")
  func queue() throws {
    let (desk, shelf) = (simulation.resource("desk"), simulation.store("shelf", of: Int.self))
    let tank = simulation.container("tank", 1)
    var seen: [String] = []
    func visitor(_ name: String, _ code: @escaping (Simulation.Process) async throws -> Void) -> Simulation.Process {
      simulation.process(name) { process in
        do { try await code(process) } catch is Interruption {}
        seen.append("\(name) \(process.now)")
      }
    }
    let all = [
      visitor("a") { a in try await a.request(desk) { try await a.delay(10) } },
      visitor("b") { b in try await b.request(desk) { try await b.delay(10) } },
      visitor("c") { c in _ = try await c.take(from: shelf) },
      visitor("d") { d in try await d.take(2, from: tank) },
    ]
    _ = visitor("e") { e in try await e.request(desk) { try await e.delay(1) } }
    _ = visitor("f") { f in try await f.take(1, from: tank) }
    at(2) {
      for one in all { one.interrupt() }
      shelf.put(1)
    }
    try simulation.run()
    #expect(seen == ["a 2.0", "b 2.0", "c 2.0", "f 2.0", "d 2.0", "e 3.0"])
    #expect(desk.busy.value == 0 && desk.waiting.value == 0 && shelf.stock.value == 1 && tank.amount.value == 0)
  }

  @Test("get it at their next wait if they do not wait, each error in its order")
  func pending() throws {
    let desk = simulation.resource("desk")
    var seen: [String] = []
    let late = simulation.process("late") { late in
      for _ in 1...3 {
        do {
          try await late.request(desk) { try await late.delay(1) }
          seen.append("done at \(late.now)")
        } catch let breakdown as Breakdown {
          seen.append("\(breakdown.hours) at \(late.now)")
        }
      }
    }
    late.interrupt(Breakdown(hours: 1))
    late.interrupt(Breakdown(hours: 2))
    try simulation.run()
    #expect(seen == ["1.0 at 0.0", "2.0 at 0.0", "done at 1.0"])
  }

  @Test("end the run if they do not catch it")
  func uncaught() throws {
    let machine = simulation.process("machine") { try await $0.delay(8) }
    at(5) { machine.interrupt() }
    do {
      try simulation.run()
      Issue.record("it ends without an error")
    } catch {
      #expect("\(error)" == "process 'machine' at 5.0: it is interrupted; expected to catch Interruption")
    }
  }
}

@Suite("Processes that lose a resource to a more urgent one")
struct PreemptionTests {
  private let simulation: Simulation

  init() throws { simulation = Simulation(try RandomStream(seed: 1)) }

  /// A job with work of a time, which goes on with the rest after a loss.
  private func job(
    _ name: String, _ machine: Resource, at time: Double, priority: Int, work: Double,
    _ done: @escaping (String) -> Void
  ) {
    simulation.process(name) { job in
      try await job.delay(time)
      var left = work
      while left > 0 {
        do {
          try await job.request(machine, priority: priority) { try await job.delay(left) }
          left = 0
        } catch let loss as Preemption {
          done("\(name) loses \(loss.resource) to \(loss.by) after \(loss.held)")
          left -= loss.held
        }
      }
      done("\(name) \(job.now)")
    }
  }

  @Test("wait again and go on with the rest; one of the same priority takes nothing")
  func resume() throws {
    let machine = simulation.resource("machine", discipline: .preemptive)
    var seen: [String] = []
    job("slow", machine, at: 0, priority: 2, work: 5) { seen.append($0) }
    job("equal", machine, at: 1, priority: 2, work: 1) { seen.append($0) }
    job("urgent", machine, at: 2, priority: 1, work: 3) { seen.append($0) }
    try simulation.run()
    #expect(seen == ["slow loses machine to urgent after 2.0", "urgent 5.0", "equal 6.0", "slow 9.0"])
    #expect(machine.busy.mean == 1 && machine.busy.value == 0 && machine.waiting.value == 0)
  }

  @Test("of several the lowest priority loses, and of the same the one that has it for the shortest time")
  func victim() throws {
    let machines = simulation.resource("machines", count: 3, discipline: .preemptive)
    var seen: [String] = []
    for (name, time, priority) in [("a", 0.0, 3), ("b", 1, 3), ("c", 2, 2)] {
      job(name, machines, at: time, priority: priority, work: 10) { seen.append($0) }
    }
    job("urgent", machines, at: 3, priority: 1, work: 1) { seen.append($0) }
    try simulation.run()
    #expect(
      seen == ["b loses machines to urgent after 2.0", "urgent 4.0", "a 10.0", "c 12.0", "b 12.0"])
    #expect(machines.busy.maximum == 3)
  }

  @Test("that catch the loss within their code go on without the resource, which is not released twice")
  func within() throws {
    let machine = simulation.resource("machine", discipline: .preemptive)
    var seen: [String] = []
    simulation.process("stubborn") { stubborn in
      try await stubborn.request(machine, priority: 2) {
        do { try await stubborn.delay(5) } catch is Preemption { try await stubborn.delay(1) }
      }
      seen.append("stubborn \(stubborn.now)")
    }
    job("urgent", machine, at: 2, priority: 1, work: 3) { seen.append($0) }
    job("next", machine, at: 3, priority: 1, work: 3) { seen.append($0) }
    try simulation.run()
    #expect(seen == ["stubborn 3.0", "urgent 5.0", "next 8.0"] && machine.busy.value == 0)
  }

  @Test("that lose it before they could go on have had it for no time, and hear of no loss once they have released it")
  func atOnce() throws {
    let machine = simulation.resource("machine", discipline: .preemptive)
    var seen: [String] = []
    simulation.process("first") { first in
      try await first.request(machine, priority: 3) { try await first.delay(2) }
      // Two others get it in turn, and lose it again before they go on.
      try await first.request(machine, priority: 1) { try await first.delay(1) }
      try await first.request(machine, priority: 1) { try await first.delay(1) }
    }
    simulation.process("brief") { brief in
      try await brief.delay(1)
      try await brief.request(machine, priority: 3) { seen.append("brief has it at \(brief.now)") }
      try await brief.delay(1)
      seen.append("brief \(brief.now)")
    }
    job("slow", machine, at: 1, priority: 3, work: 1) { seen.append($0) }
    try simulation.run()
    #expect(
      seen == ["brief has it at 2.0", "slow loses machine to first after 0.0", "brief 3.0", "slow 5.0"]
        && machine.busy.value == 0)
  }

  @Test("that do not catch it end the run")
  func uncaught() throws {
    let machine = simulation.resource("machine", discipline: .preemptive)
    simulation.process("job") { job in try await job.request(machine, priority: 2) { try await job.delay(5) } }
    job("urgent", machine, at: 2, priority: 1, work: 3) { _ in }
    do {
      try simulation.run()
      Issue.record("it ends without an error")
    } catch {
      #expect(
        "\(error)"
          == "process 'job' at 2.0: it loses 'machine' to 'urgent' after 2.0; expected to catch Preemption")
    }
  }
}

@Suite("Processes that wait for any or all of several things")
struct ConditionTests {
  private let simulation: Simulation

  init() throws { simulation = Simulation(try RandomStream(seed: 1)) }

  private struct Failure: Error {}

  @Test("go on with the first, and give the others up: they leave the queue and release what they have")
  func any() throws {
    let (desk, shelf) = (simulation.resource("desk"), simulation.store("shelf", of: String.self))
    var seen: [String] = []
    simulation.process("visitor") { visitor in
      let first: String? = try await visitor.any(
        { try await $0.take(from: shelf) },
        { branch in
          try await branch.request(desk) { try await branch.delay(9) }
          return "served"
        },
        { branch in
          defer { seen.append("given up at \(branch.now)") }
          try await branch.delay(9)
          return nil
        })
      seen.append("\(first ?? "nothing") at \(visitor.now)")
    }
    simulation.process("supplier") { supplier in
      try await supplier.delay(3)
      #expect(desk.busy.value == 1)
      shelf.put("part")
      shelf.put("another")
    }
    try simulation.run()
    #expect(seen == ["given up at 3.0", "part at 3.0"])
    #expect(desk.busy.value == 0 && shelf.stock.value == 1 && shelf.waiting.value == 0 && simulation.now == 3)
  }

  @Test("lose nothing of two things that come at the same time")
  func ties() throws {
    let stores = [simulation.store("a", of: Int.self), simulation.store("b", of: Int.self)]
    let (tank, desk) = (simulation.container("tank"), simulation.resource("desk"))
    simulation.process("visitor") { visitor in
      try await visitor.any(
        { _ = try await $0.take(from: stores[0]) }, { _ = try await $0.take(from: stores[1]) },
        { try await $0.take(2, from: tank) }, { try await $0.request(desk) {} })
    }
    simulation.process("supplier") { supplier in
      try await supplier.request(desk) {
        try await supplier.delay(1)
        for store in stores { store.put(1) }
        tank.put(2)
      }
    }
    try simulation.run()
    #expect(stores.map(\.stock.value) == [0, 1] && tank.amount.value == 2 && desk.busy.value == 0)
  }

  @Test("wait for all, and get what they return in their order")
  func all() throws {
    var found: [Int] = []
    simulation.process("order") { order in
      found = try await order.all(of: [3, 1, 2]) { branch, time in
        try await branch.delay(Double(time))
        return time
      }
      found.append(Int(order.now))
      #expect(try await order.all(of: [Int]()) { $1 }.isEmpty)
    }
    try simulation.run()
    #expect(found == [3, 1, 2, 3])
  }

  @Test("throw the first error, after the others have been given up")
  func errors() throws {
    var ends: [Double] = []
    simulation.process("order") { order in
      do {
        try await order.all(
          { branch in
            try await branch.delay(2)
            throw Failure()
          },
          { branch in
            defer { ends.append(branch.now) }
            try await branch.delay(5)
          })
      } catch is Failure { ends.append(order.now) }
    }
    try simulation.run()
    #expect(ends == [2, 2])
  }

  @Test("are interrupted with all that they wait for, branches of branches too")
  func interrupted() throws {
    let desk = simulation.resource("desk")
    var seen: [String] = []
    let visitor = simulation.process("visitor") { visitor in
      do {
        try await visitor.any(
          { branch in
            try await branch.all(
              { inner in try await inner.request(desk) { try await inner.delay(9) } }, { try await $0.delay(5) })
          },
          { branch in
            try await branch.delay(8)
            return []
          })
      } catch is Interruption { seen.append("interrupted at \(visitor.now)") }
    }
    simulation.process("wear") { wear in
      try await wear.delay(1)
      visitor.interrupt()
    }
    try simulation.run()
    #expect(seen == ["interrupted at 1.0"] && desk.busy.value == 0 && simulation.now == 1)
  }

  @Test("thousands, and branches within branches a thousand deep, are no trap")
  func many() throws {
    func nested(_ process: Simulation.Process, _ depth: Int) async throws {
      if depth == 0 { return try await process.delay(100) }
      try await process.any({ try await nested($0, depth - 1) })
    }
    var end = 0.0
    let deep = simulation.process("deep") { deep in
      do { try await nested(deep, 1_000) } catch is Interruption { end = deep.now }
    }
    let desk = simulation.resource("desk", count: 10)
    for _ in 0..<5_000 {
      simulation.process { one in try await one.request(desk) { try await one.delay(0.01) } }
    }
    simulation.process { one in
      try await one.delay(50)
      deep.interrupt()
    }
    try simulation.run()
    #expect(end == 50 && desk.busy.maximum == 10 && desk.waiting.value == 0)
  }
}

@Suite("An agenda of events")
struct AgendaTests {
  private enum Event: Equatable { case arrival(Int), end }

  @Test("lets them happen in the order of their times, and at the same time in that of scheduling")
  func order() throws {
    var agenda = Agenda<Event>()
    var seen: [Double] = []
    for (number, time) in [3.5, 0, 1e-9, 3.5, 1e9].enumerated() { agenda.schedule(.arrival(number), after: time) }
    var numbers: [Int] = []
    try agenda.run(until: 1e6) { agenda, event in
      seen.append(agenda.now)
      guard case .arrival(let number) = event else { return }
      numbers.append(number)
      if number == 1 { agenda.schedule(.end, after: 2) }
    }
    #expect(seen == [0, 1e-9, 2, 3.5, 3.5] && numbers == [1, 2, 0, 3] && agenda.now == 1e6 && agenda.count == 1)
  }

  @Test("forgets what is cancelled")
  func cancelled() throws {
    var agenda = Agenda<Event>()
    let token = agenda.schedule(.end, after: 1)
    agenda.schedule(.arrival(1), after: 2)
    #expect(agenda.cancel(token) == .end && agenda.cancel(token) == nil)
    var count = 0
    try agenda.run { _, _ in count += 1 }
    #expect(count == 1 && agenda.now == 2)
  }

  @Test("ends with an error after a delay that is no number from 0", arguments: [-1, .nan, .infinity])
  func refused(delay: Double) throws {
    var agenda = Agenda<Event>()
    agenda.schedule(.end, after: 4)
    #expect(throws: SimulationError.self) {
      try agenda.run { agenda, _ in agenda.schedule(.arrival(1), after: delay) }
    }
    #expect(agenda.now == 4)
  }
}
