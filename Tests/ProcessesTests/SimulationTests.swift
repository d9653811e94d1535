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

  @Test("that fail or misuse the simulation end the run with their name and the time")
  func failures() throws {
    simulation.process("clerk") { clerk in
      try await clerk.delay(2)
      throw Failure()
    }
    #expect(problem { try simulation.run() } == "process 'clerk' at 2.0: Failure()")
    func message(_ code: @escaping (Simulation.Process) async throws -> Void) throws -> String {
      let simulation = Simulation(try RandomStream(seed: 1))
      simulation.process("clerk", code)
      return problem { try simulation.run() }
    }
    #expect(
      try message { try await $0.delay(-1) } == "process 'clerk' at 0.0: the delay is -1.0, expected a number from 0")
    #expect(try message { try await $0.delay(.nan) }.contains("the delay is nan"))
    let tank = simulation.container("tank")
    #expect(
      try message { try await $0.take(-2, from: tank) }
        == "process 'clerk' at 0.0: 'tank' gets -2.0, expected a request of a number from 0")
    var outside: CheckedContinuation<Void, Never>?
    #expect(
      try message { _ in await withCheckedContinuation { outside = $0 } }.hasPrefix(
        "at 0.0: 1 process awaits something outside of the simulation; expected only its own waits"))
    outside?.resume()
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
