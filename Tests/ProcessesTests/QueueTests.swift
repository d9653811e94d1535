// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Processes
import Randomness
import Testing

/// Thirty independent runs of a model.
private struct Runs {
  var values: [Double] = []

  init(_ measure: (consuming RandomStream) throws -> Double) throws {
    let root = try RandomStream(named: "taus2", seed: 11)
    values = try (0..<30).map { try measure(root.substream("run", $0)) }
  }

  /// Returns true if a mean lies in Student's interval at 0.999.
  func agree(with mean: Double) -> Bool {
    let (count, average) = (Double(values.count), values.reduce(0, +) / Double(values.count))
    let deviation = (values.reduce(0) { $0 + ($1 - average) * ($1 - average) } / (count - 1)).squareRoot()
    // The quantile of 29 degrees of freedom.
    return abs(average - mean) <= 3.659 * deviation / count.squareRoot()
  }
}

/// The stationary distribution of a birth-and-death process, by the rates of its states.
private func stationary(_ states: Int, birth: (Int) -> Double, death: (Int) -> Double) -> [Double] {
  var weights = [1.0]
  for state in 1..<states { weights.append(weights[state - 1] * birth(state - 1) / death(state)) }
  return weights.map { $0 / weights.reduce(0, +) }
}

private func mean(_ distribution: [Double], _ value: (Double) -> Double = { $0 }) -> Double {
  distribution.enumerated().reduce(0) { $0 + $1.element * value(Double($1.offset)) }
}

@Suite("Queues of processes, by their formulas")
struct QueueTests {
  /// Customers who arrive at a rate, each a process.
  private func customers(
    _ simulation: Simulation, rate: Double, _ serve: @escaping (Simulation.Process) async throws -> Void
  ) {
    simulation.process("source") { source in
      while true {
        try await source.delay(simulation.random.exponential(mean: 1 / rate))
        simulation.process { try await serve($0) }
      }
    }
  }

  @Test("one counter has as many waiting as M/M/1 says, and with another service as Pollaczek and Khinchine say")
  func oneCounter() throws {
    func waiting(_ service: @escaping (inout RandomStream) -> Double) throws -> Runs {
      try Runs { random in
        let bank = Simulation(random)
        let counter = bank.resource("counter")
        customers(bank, rate: 0.8) { customer in
          try await customer.request(counter) { try await customer.delay(service(&bank.random)) }
        }
        try bank.run(until: 4_000, warmUp: 400)
        return counter.waiting.mean
      }
    }
    #expect(try waiting { $0.exponential(mean: 1) }.agree(with: 0.8 * 0.8 / 0.2))
    let square = 1 + 1.0 / 12
    #expect(try waiting { $0.uniform(from: 0.5, to: 1.5) }.agree(with: 0.8 * 0.8 * square / (2 * 0.2)))
    #expect(try !waiting { $0.uniform(from: 0.5, to: 1.5) }.agree(with: 0.8 * 0.8 / 0.2))
  }

  @Test("several counters have as many waiting and busy as Erlang's formula says")
  func severalCounters() throws {
    let states = stationary(400, birth: { _ in 2.4 }, death: { Double(min($0, 3)) })
    func measured(_ measure: @escaping (Resource) -> Double) throws -> Runs {
      try Runs { random in
        let bank = Simulation(random)
        let counters = bank.resource("counters", count: 3)
        customers(bank, rate: 2.4) { customer in
          try await customer.request(counters) { try await customer.delay(bank.random.exponential(mean: 1)) }
        }
        try bank.run(until: 1_500, warmUp: 150)
        return measure(counters)
      }
    }
    #expect(try measured(\.waiting.mean).agree(with: mean(states) { max(0, $0 - 3) }))
    #expect(try measured(\.busy.mean).agree(with: 2.4))
    #expect(try measured { $0.busy.share { $0 == 3 } }.agree(with: states[3...].reduce(0, +)))
  }

  @Test("a mechanic of five machines has as many of them as M/M/1//5 says")
  func machines() throws {
    let states = stationary(6, birth: { Double(5 - $0) / 40 }, death: { _ in 1.0 / 4 })
    let broken = try Runs { random in
      let shop = Simulation(random)
      let (mechanic, broken) = (shop.resource("mechanic"), shop.level())
      for number in 1...5 {
        shop.process("machine \(number)") { machine in
          while true {
            try await machine.delay(shop.random.exponential(mean: 40))
            broken.value += 1
            try await machine.request(mechanic) { try await machine.delay(shop.random.exponential(mean: 4)) }
            broken.value -= 1
          }
        }
      }
      try shop.run(until: 10_000, warmUp: 500)
      return broken.mean
    }
    #expect(broken.agree(with: mean(states)))
  }

  @Test("impatient callers leave as often as Erlang A says")
  func patience() throws {
    let states = stationary(
      200, birth: { _ in 3 }, death: { Double(min($0, 2)) + 0.5 * Double(max(0, $0 - 2)) })
    let left = try Runs { random in
      let centre = Simulation(random)
      let agents = centre.resource("agents", count: 2)
      var (calls, lost) = (0, 0)
      customers(centre, rate: 3) { caller in
        calls += 1
        let patience = centre.random.exponential(mean: 2)
        let served: Void? = try await caller.request(agents, patience: patience) {
          try await caller.delay(centre.random.exponential(mean: 1))
        }
        if served == nil { lost += 1 }
      }
      try centre.run(until: 2_000)
      return Double(lost) / Double(calls)
    }
    #expect(left.agree(with: 0.5 * mean(states) { max(0, $0 - 2) } / 3))
  }

  @Test("urgent customers wait as Cobham says, and the others longer")
  func priorities() throws {
    func wait(_ priority: Int) throws -> Runs {
      try Runs { random in
        let ward = Simulation(random)
        let doctor = ward.resource("doctor", discipline: .priority)
        var (waited, served) = (0.0, 0)
        customers(ward, rate: 0.8) { patient in
          let own = ward.random.happens(0.25) ? 1 : 2
          let arrived = ward.now
          try await patient.request(doctor, priority: own) {
            if own == priority { (waited, served) = (waited + ward.now - arrived, served + 1) }
            try await patient.delay(ward.random.exponential(mean: 1))
          }
        }
        try ward.run(until: 6_000)
        return waited / Double(served)
      }
    }
    #expect(try wait(1).agree(with: 0.8 / (1 - 0.2)))
    #expect(try wait(2).agree(with: 0.8 / ((1 - 0.2) * (1 - 0.8))))
  }

  @Test("two counters, from the second of which some go back, have as many customers as Jackson says")
  func network() throws {
    // Every third customer goes back: each counter has 0.4 / (2 / 3) = 0.6 customers a minute.
    let inside = try Runs { random in
      let office = Simulation(random)
      let (first, second, inside) = (office.resource("first"), office.resource("second"), office.level())
      customers(office, rate: 0.4) { customer in
        inside.value += 1
        repeat {
          try await customer.request(first) { try await customer.delay(office.random.exponential(mean: 1)) }
          try await customer.request(second) { try await customer.delay(office.random.exponential(mean: 1.25)) }
        } while office.random.happens(1.0 / 3)
        inside.value -= 1
      }
      try office.run(until: 6_000, warmUp: 600)
      return inside.mean
    }
    #expect(inside.agree(with: 0.6 / 0.4 + 0.75 / 0.25))
  }
}
