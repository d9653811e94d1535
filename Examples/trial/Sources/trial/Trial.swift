// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import Workbench

/// A comparison of two versions that is looked at several times, and ends as soon as a look finds a difference: with
/// the same bound at every look (Pocock, "Group sequential methods", Biometrika 64 (1977)).
struct Looks: SampledExperiment {
  static let kind = "trial.looks"
  static let summary = "A test that is looked at several times, and how often it finds a difference."

  /// The true difference, in standard errors at the last look.
  var effect = 0.0
  var looks = 5
  var bound = 2.413

  static let parameters: [Parameter<Self>] = [
    Parameter(
      "effect", \.effect, .number(-10...10, named: "standard errors"),
      "The true difference, in standard errors at the last look.", example: "3"),
    Parameter("looks", \.looks, .count(1...100), "How often the data are looked at, at equal steps.", example: "1"),
    Parameter(
      "bound", \.bound, .number(0...10, named: "standard errors"), "A look finds a difference beyond it.",
      example: "1.96"),
  ]

  struct Outcome { var isFound: Bool, looks: Int }

  static let measures: [SampleMeasure<Outcome>] = [
    .share("found", "Trials that find a difference; without one, the error.") { $0.isFound },
    .mean("looks", "Looks until the trial ends.", range: 1...100) { Double($0.looks) },
  ]

  func sample(_ random: inout RandomStream) -> Outcome {
    var sum = 0.0
    for look in 1...looks {
      sum += random.gaussian(mean: effect / Double(looks).squareRoot())
      if Self.isFound(sum, look, bound) { return Outcome(isFound: true, looks: look) }
    }
    return Outcome(isFound: false, looks: looks)
  }

  @Sendable static func isFound(_ sum: Double, _ look: Int, _ bound: Double) -> Bool {
    abs(sum) / Double(look).squareRoot() > bound
  }
}

/// A claim about a look for any data, and a mutant that the claim has to catch.
let claims = PropertyCatalogue(
  core: "Trial", production: Looks.isFound,
  properties: { isFound in
    let (sums, looks) = (Gen<Double>.doubles(in: -100...100), Gen<Int>.integers(in: 1...100))
    return [
      Property("trial.1", "The opposite data end it at the same look", arguments: ["sum", "look"], sums, looks) {
        isFound($0, $1, 2) == isFound(-$0, $1, 2)
      }
    ]
  },
  mutants: [
    Mutation("biased", "Only one wins.", caughtBy: "trial.1", within: 99) { $0 = { $0 / Double($1).squareRoot() > $2 } }
  ])

@main struct Trial: WorkbenchProgram {
  static let experiments: [any Experiment.Type] = [Looks.self]
  static let properties = [claims]
}
