import Workbench

/// Customers at one counter, one after the other (Lindley's recursion). Serving one takes a minute on average.
struct Day { var wait: [Double] }

struct Counter: SampledExperiment {
  static let kind = "coffee.counter"
  static let summary = "Customers at one counter, and how long they wait."

  var arrivals = 0.8
  var customers = 200
  var isSettled = false

  static let parameters: [Parameter<Self>] = [
    Parameter(
      "arrivals", \.arrivals, .number(0...10, isOpen: true, named: "a minute"), "Customers a minute.",
      example: "0.9"),
    Parameter("customers", \.customers, .count(1...1_000_000), "Customers of a day.", example: "500"),
    Parameter("settled", \.isSettled, .flag, "The day begins as a long one goes on; for arrivals below 1."),
  ]

  static let measures: [SampleMeasure<Day>] = [
    .mean("wait", "How long customers wait on average.", unit: "min") { $0.wait.mean },
    .share("rush", "Days on which somebody waits longer than ten minutes.") { $0.wait.contains { $0 > 10 } },
    .percentiles("longest", "The longest wait of a day.", unit: "min", [50, 95, 99]) { $0.wait.max() ?? 0 },
  ]

  func sample(_ random: inout RandomStream) -> Day {
    var wait = 0.0
    if isSettled, random.happens(arrivals) { wait = random.exponential(mean: 1 / (1 - arrivals)) }
    return Day(
      wait: (0..<customers).map { _ in
        defer { wait = max(0, wait + random.exponential(mean: 1) - random.exponential(mean: 1 / arrivals)) }
        return wait
      })
  }
}

@main struct Coffee: WorkbenchProgram {
  static let experiments: [any Experiment.Type] = [Counter.self]
}
