// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Processes
import Randomness
import Testing

/// Thirty independent runs of a model.
private struct Runs {
  var values: [Double] = []

  init(_ measure: (Simulation) throws -> Double) throws {
    let root = try RandomStream(named: "taus2", seed: 11)
    values = try (0..<30).map { try measure(Simulation(root.substream("run", $0))) }
  }

  /// Returns true if a mean lies in Student's interval at 0.999.
  func agree(with mean: Double) -> Bool { BatchMeans(values).interval(at: 0.999).contains(mean) }
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

extension Simulation {
  /// Customers who arrive at a rate, each a process.
  fileprivate func customers(rate: Double, _ serve: @escaping (Process) async throws -> Void) {
    process("source") { source in
      while true {
        try await source.delay(self.random.exponential(mean: 1 / rate))
        self.process { try await serve($0) }
      }
    }
  }

  /// One or more counters, with customers at a rate whose service is drawn.
  fileprivate func bank(
    rate: Double, counters: Int = 1, _ discipline: Resource.Discipline = .first,
    service: @escaping (inout RandomStream) -> Double = { $0.exponential(mean: 1) },
    waited: @escaping (Double) -> Void = { _ in }
  ) -> Resource {
    let counter = resource("counter", count: counters, discipline: discipline)
    customers(rate: rate) { customer in
      let arrived = customer.now
      try await customer.request(counter) {
        waited(customer.now - arrived)
        try await customer.delay(service(&self.random))
      }
    }
    return counter
  }
}

/// A rule of the library with a model whose closed form depends on it, and a mutant: the model without the rule.
private struct Rule: CustomTestStringConvertible, Sendable {
  let rule: String
  let fault: String
  let expected: Double
  let model: @Sendable (Simulation, _ isMutant: Bool) throws -> Double

  init(
    _ rule: String, without fault: String, _ expected: Double,
    _ model: @escaping @Sendable (Simulation, _ isMutant: Bool) throws -> Double
  ) {
    (self.rule, self.fault, self.expected, self.model) = (rule, fault, expected, model)
  }

  var testDescription: String { "\(rule); mutant: \(fault)" }

  static let all: [Rule] =
    queues + disciplines + [patience, interrupts] + conditions + stocks + measurements

  private static let queues = [
    Rule("a customer waits while the counter is busy: M/M/1", without: "two are served at once", 0.8 * 0.8 / 0.2) {
      let counter = $0.bank(rate: 0.8, counters: $1 ? 2 : 1)
      try $0.run(until: 4_000, warmUp: 400)
      return counter.waiting.mean
    },
    Rule(
      "a delay lasts as long as it is drawn: M/G/1, by Pollaczek and Khinchine", without: "another distribution",
      0.8 * 0.8 * (1 + 1.0 / 12) / (2 * 0.2)
    ) { bank, isMutant in
      let counter = bank.bank(rate: 0.8) { isMutant ? $0.exponential(mean: 1) : $0.uniform(from: 0.5, to: 1.5) }
      try bank.run(until: 4_000, warmUp: 400)
      return counter.waiting.mean
    },
    Rule("as many are served as there are counters: M/M/3, by Erlang C", without: "one more", erlangC) {
      let counters = $0.bank(rate: 2.4, counters: $1 ? 4 : 3)
      try $0.run(until: 1_500, warmUp: 150)
      return counters.busy.share { $0 >= 3 }
    },
    Rule("machines that wait do not fail: M/M/1//5", without: "they do", mean(machines)) { shop, isMutant in
      let (mechanic, broken) = (shop.resource("mechanic", count: isMutant ? 5 : 1), shop.level())
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
    },
    // Every third customer goes back: each counter has 0.4 / (2 / 3) = 0.6 customers a minute.
    Rule("customers go from counter to counter: Jackson", without: "nobody goes back", 0.6 / 0.4 + 0.75 / 0.25) {
      office, isMutant in
      let (first, second, inside) = (office.resource("first"), office.resource("second"), office.level())
      office.customers(rate: 0.4) { customer in
        inside.value += 1
        repeat {
          try await customer.request(first) { try await customer.delay(office.random.exponential(mean: 1)) }
          try await customer.request(second) { try await customer.delay(office.random.exponential(mean: 1.25)) }
        } while office.random.happens(1.0 / 3) && !isMutant
        inside.value -= 1
      }
      try office.run(until: 6_000, warmUp: 600)
      return inside.mean
    },
  ]

  private static let erlangC = stationary(400, birth: { _ in 2.4 }, death: { Double(min($0, 3)) })[3...].reduce(0, +)
  private static let machines = stationary(6, birth: { Double(5 - $0) / 40 }, death: { _ in 1.0 / 4 })

  // MARK: Who is next

  /// The mean squared wait at a load of 0.5: the mean is the same in every order, the square is not. First come, first
  /// served: 2 r / (1 - r)^2; last come, first served: 1 / (1 - r) times that (Takács 1963).
  private static func square(_ right: Resource.Discipline, _ wrong: Resource.Discipline, _ expected: Double) -> Rule {
    Rule("the next is '\(right)', by the squared wait", without: "the next is '\(wrong)'", expected) {
      bank, isMutant in
      var (squares, count) = (0.0, 0.0)
      _ = bank.bank(
        rate: 0.5, isMutant ? wrong : right, waited: { (squares, count) = (squares + $0 * $0, count + 1) })
      try bank.run(until: 6_000)
      return squares / count
    }
  }

  private enum Loss { case resume, restart, goOn }

  /// Two kinds of jobs for one machine at rates of 0.2 and 0.6, and the time that one of them is inside.
  private static func inside(
    _ shop: Simulation, _ measured: Int, _ discipline: Resource.Discipline, _ loss: Loss = .resume
  ) throws -> Double {
    let machine = shop.resource("machine", discipline: discipline)
    var (time, count) = (0.0, 0.0)
    shop.customers(rate: 0.8) { job in
      let (own, arrived) = (shop.random.happens(0.25) ? 1 : 2, shop.now)
      let work = shop.random.exponential(mean: 1)
      var left = work
      while left > 0 {
        do {
          try await job.request(machine, priority: own) {
            do {
              try await job.delay(left)
            } catch let lost as Preemption where loss == .goOn {
              try await job.delay(left - lost.held)
            }
          }
          left = 0
        } catch let lost as Preemption {
          left = loss == .restart ? work : left - lost.held
        }
      }
      if own == measured { (time, count) = (time + shop.now - arrived, count + 1) }
    }
    try shop.run(until: 6_000)
    return time / count
  }

  private static let disciplines = [
    square(.first, .last, 2 * 0.5 / 0.25), square(.last, .first, 2 * 0.5 / 0.25 / 0.5),
    // Cobham 1954: a wait of 0.8 / (1 - 0.2), and 0.8 / ((1 - 0.2) (1 - 0.8)); and the service.
    Rule("the urgent are next, of priorities: Cobham", without: "the first is", 1 + 0.8 / 0.8) {
      try inside($0, 1, $1 ? .first : .priority)
    },
    Rule("the others wait for them: Cobham", without: "the first is next", 1 + 0.8 / (0.8 * 0.2)) {
      try inside($0, 2, $1 ? .first : .priority)
    },
    // Preemptive-resume: 1 / (1 - 0.2), and 1 / (1 - 0.2) + 0.8 / ((1 - 0.2) (1 - 0.8)).
    Rule("the urgent take the machine", without: "they wait for its release", 1 / 0.8) {
      try inside($0, 1, $1 ? .priority : .preemptive)
    },
    Rule("the others go on with the rest", without: "they begin again", 1 / 0.8 + 0.8 / (0.8 * 0.2)) {
      try inside($0, 2, .preemptive, $1 ? .restart : .resume)
    },
    Rule("the others wait again", without: "they go on without the machine", 1 / 0.8 + 0.8 / (0.8 * 0.2)) {
      try inside($0, 2, .preemptive, $1 ? .goOn : .resume)
    },
  ]

  // MARK: Patience and interrupts

  private static let callers = stationary(
    200, birth: { _ in 3 }, death: { Double(min($0, 2)) + 0.5 * Double(max(0, $0 - 2)) })

  private static let patience = Rule(
    "the impatient leave: Erlang A", without: "they leave after twice the time",
    0.5 * mean(callers) { max(0, $0 - 2) } / 3
  ) { centre, isMutant in
    let agents = centre.resource("agents", count: 2)
    var (calls, lost) = (0.0, 0.0)
    centre.customers(rate: 3) { caller in
      calls += 1
      let patience = centre.random.exponential(mean: isMutant ? 4 : 2)
      let served: Void? = try await caller.request(agents, patience: patience) {
        try await caller.delay(centre.random.exponential(mean: 1))
      }
      if served == nil { lost += 1 }
    }
    try centre.run(until: 2_000)
    return lost / calls
  }

  /// A service of mean 1 is interrupted every 10, for a repair of mean 2: it lasts 1.2 on average, its square
  /// 2 * 1.2^2 + 0.1 * 8, and customers at a rate of 0.5 wait as Pollaczek and Khinchine say (Avi-Itzhak and Naor
  /// 1963).
  private static let interrupts = Rule(
    "breakdowns interrupt the service", without: "the interrupted goes on at once",
    0.5 * 0.5 * (2 * 1.2 * 1.2 + 0.1 * 8) / (2 * (1 - 0.6))
  ) { shop, isMutant in
    let machine = shop.resource("machine")
    var working: Simulation.Process?
    shop.process("wear") { wear in
      while true {
        try await wear.delay(shop.random.exponential(mean: 10))
        working?.interrupt()
      }
    }
    shop.customers(rate: 0.5) { customer in
      var left = shop.random.exponential(mean: 1)
      try await customer.request(machine) {
        while left > 0 {
          let begun = customer.now
          working = customer
          do {
            try await customer.delay(left)
            left = 0
          } catch is Interruption {
            left -= customer.now - begun
            working = nil
            if !isMutant { try await customer.delay(shop.random.exponential(mean: 2)) }
          }
        }
        working = nil
      }
    }
    try shop.run(until: 4_000, warmUp: 400)
    return machine.waiting.mean
  }

  // MARK: Conditions

  /// The mean time of two exponential ones at rates of 1 and 0.5: the first after 1 / 1.5, both after 1 + 2 - 1 / 1.5.
  private static func lives(_ shop: Simulation, isAll: Bool) throws -> Double {
    shop.process { system in
      for _ in 0..<500 {
        func live(_ part: Simulation.Process, _ mean: Double) async throws {
          try await part.delay(shop.random.exponential(mean: mean))
        }
        if isAll { try await system.all(of: [1, 2], live) } else { try await system.any(of: [1, 2], live) }
      }
    }
    try shop.run()
    return shop.now / 500
  }

  private static let conditions = [
    Rule("any waits for the first", without: "it waits for all", 1 / 1.5) { try lives($0, isAll: $1) },
    Rule("all waits for the last", without: "it waits for the first", 3 - 1 / 1.5) { try lives($0, isAll: !$1) },
  ]

  // MARK: Stocks

  /// A stock of 3 that a factory fills up, order by order, at a load of 0.6: of N orders that are open, 3 are missing
  /// from the stock, and more wait. N is geometric, so that the stock is 3 - 1.5 (1 - 0.6^3) and 0.6^4 / 0.4 wait.
  private static func factory(_ shop: Simulation, lost: Bool, _ measure: (Store<Int>) -> Double) throws -> Double {
    let (factory, shelf) = (shop.resource("factory"), shop.store("shelf", of: Int.self))
    for number in 0..<3 { shelf.put(number) }
    shop.customers(rate: 0.6) { customer in
      if lost, shelf.stock.value == 0 { return }
      shop.process { order in
        try await order.request(factory) { try await order.delay(shop.random.exponential(mean: 1)) }
        shelf.put(0)
      }
      _ = try await customer.take(from: shelf)
    }
    try shop.run(until: 4_000, warmUp: 400)
    return measure(shelf)
  }

  /// A stock with backorders: five a day leave it one by one, and where stock and orders are down to 8 it is ordered up
  /// to 20, for after a day and a half. Stock and orders have each number from 9 to 20 equally often (Hadley and Whitin
  /// 1963), so that stock less backorders is their mean less what leaves in that time.
  private static let inventory = Rule(
    "a container keeps what is ordered by (s, S)", without: "it is ordered up to 19", (9.0 + 20) / 2 - 5 * 1.5
  ) { shop, isMutant in
    let (shelf, full) = (shop.container("shelf", 20), isMutant ? 19.0 : 20)
    var position = 20.0
    shop.customers(rate: 5) { customer in
      position -= 1
      if position <= 8 {
        let amount = full - position
        position = full
        shop.process("order") { order in
          try await order.delay(1.5)
          shelf.put(amount)
        }
      }
      try await customer.take(1, from: shelf)
    }
    try shop.run(until: 310, warmUp: 10)
    return shelf.amount.mean - shelf.waiting.mean
  }

  private static let stocks = [
    inventory,
    Rule("a stock is what nobody waits for", without: "customers leave without one", 3 - 1.5 * (1 - 0.216)) {
      try factory($0, lost: $1) { $0.stock.mean }
    },
    Rule("customers wait for a stock", without: "they leave", 0.6 * 0.216 / 0.4) {
      try factory($0, lost: $1) { $0.waiting.mean }
    },
  ]

  // MARK: Measurements

  private static let measurements = [
    Rule("levels are weighted by time", without: "each change counts the same", 0.3 / 0.7) { bank, isMutant in
      let counter = bank.resource("counter")
      let inside = bank.level()
      var (sum, changes) = (0.0, 0.0)
      func change(by step: Double) {
        inside.value += step
        (sum, changes) = (sum + inside.value, changes + 1)
      }
      bank.customers(rate: 0.3) { customer in
        change(by: 1)
        try await customer.request(counter) { try await customer.delay(bank.random.exponential(mean: 1)) }
        change(by: -1)
      }
      try bank.run(until: 4_000, warmUp: 400)
      return isMutant ? sum / changes : inside.mean
    },
    Rule("the warm-up is not measured", without: "it is", 0.8 * 0.8 / 0.2) { bank, isMutant in
      let counter = bank.bank(rate: 0.8)
      for _ in 0..<60 {
        bank.process { customer in
          try await customer.request(counter) { try await customer.delay(bank.random.exponential(mean: 1)) }
        }
      }
      try bank.run(until: 4_600, warmUp: isMutant ? 0 : 600)
      return counter.waiting.mean
    },
  ]
}

@Suite("Queues of processes, by their formulas")
struct QueueTests {
  @Test("each rule gives what its formula says, at 0.999", arguments: Rule.all)
  fileprivate func formula(rule: Rule) throws {
    let runs = try Runs { try rule.model($0, false) }
    #expect(runs.agree(with: rule.expected), "\(runs.values.reduce(0, +) / 30), expected \(rule.expected)")
  }

  @Test("each mutant is caught: without the rule the formula is refused", arguments: Rule.all)
  fileprivate func mutant(rule: Rule) throws {
    let runs = try Runs { try rule.model($0, true) }
    #expect(!runs.agree(with: rule.expected), "\(runs.values.reduce(0, +) / 30), not to be \(rule.expected)")
  }
}
