import Processes
import Workbench

/// A month of a hall, in which machines fail after 40 hours on average.
struct Month {
  var broken: Double
  var waiting: Double
  var isStopped: Bool
}

struct Repairs: SampledExperiment {
  static let kind = "garage.repairs"
  static let summary = "Machines that fail, and mechanics who repair one at a time."

  var machines = 5
  var mechanics = 1
  var repair = 4.0

  static let parameters: [Parameter<Self>] = [
    Parameter("machines", \.machines, .count(1...100), "Machines in the hall.", example: "8"),
    Parameter("mechanics", \.mechanics, .count(1...100), "Mechanics.", example: "2"),
    Parameter(
      "repair", \.repair, .number(0...1_000, isOpen: true, named: "hours"), "The mean time of a repair.", example: "3"),
  ]

  static let measures: [SampleMeasure<Month>] = [
    .mean("broken", "Machines that stand still.") { $0.broken },
    .exact("expected", "The same, by the formula of M/M/c//N.", \Repairs.expected),
    .mean("waiting", "Machines that wait for a mechanic.") { $0.waiting },
    .share("stopped", "Months in which all machines stand still at once.") { $0.isStopped },
  ]

  func sample(_ random: inout RandomStream) throws -> Month {
    let hall = Simulation(random.substream("hall"))
    let (mechanics, broken) = (hall.resource("mechanics", count: mechanics), hall.level())
    for number in 1...machines {
      hall.process("machine \(number)") { machine in
        while true {
          try await machine.delay(hall.random.exponential(mean: 40))
          broken.value += 1
          try await machine.request(mechanics) { try await machine.delay(hall.random.exponential(mean: repair)) }
          broken.value -= 1
        }
      }
    }
    try hall.run(until: 920, warmUp: 200)
    return Month(broken: broken.mean, waiting: mechanics.waiting.mean, isStopped: broken.maximum == Double(machines))
  }

  /// The machines that stand still in the long run: the weight of each number of them is that of the one before, times
  /// the rate at which one more fails, over that at which one is repaired.
  var expected: Double {
    var (weight, sum, broken) = (1.0, 1.0, 0.0)
    for number in 1...machines {
      weight *= Double(machines - number + 1) / 40 * repair / Double(min(number, mechanics))
      (sum, broken) = (sum + weight, broken + weight * Double(number))
    }
    return broken / sum
  }
}

@main struct Garage: WorkbenchProgram {
  static let experiments: [any Experiment.Type] = [Repairs.self]
}
