// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Reporting
import Sampling
import Scenarios
import Testing

/// A wheel that wins with a chance, at a price; the colour changes nothing.
private struct Wheel: SampledExperiment {
  static let kind = "wheel.spin"
  static let summary = "Spins of a wheel."

  var chance = 0.5
  var price = 0.0
  var colour = "red"

  static let parameters: [Parameter<Self>] = [
    Parameter("chance", \.chance, .share, "The chance of a win.", example: "0.6"),
    Parameter("price", \.price, .number(0...10), "The price of a spin.", example: "0.2"),
    Parameter("colour", \.colour, .choice(["red", "blue"]), "The colour.", example: "blue"),
  ]

  static let measures: [SampleMeasure<Double>] = [
    .mean("win", "What a spin wins.", range: -10...1) { $0 },
    .share("lost", "Spins that lose.") { $0 <= 0 },
    .percentiles("wins", "What spins win.", [50]) { $0 },
  ]

  func check() throws(ParameterError) {
    if chance == 0 { throw ParameterError("chance", expected: "a wheel that can win") }
  }

  func sample(_ random: inout RandomStream) -> Double { (random.happens(chance) ? 1 : 0) - price }
}

@Suite("The best of some settings")
struct BestSettingTests {
  private func refusal(_ yaml: String) -> String {
    do { _ = try Wheel.scenario(yaml) } catch { return "\(error)" }
    return "accepted"
  }

  /// The labels of the settings that are left.
  private func best(_ result: ScenarioResult) -> [String] {
    guard case .object(let members) = result.data,
      case .array(let labels)? = members.first(where: { $0.key == "best" })?.value
    else { return [] }
    return labels.compactMap { if case .string(let label) = $0 { label } else { nil } }
  }

  @Test(
    "has the largest or the smallest figure, of means, shares and percentiles",
    arguments: [
      ("best: 'chance=0.3,0.6,0.5,0.9,0.55'\nby: max win at 0.99", "chance=0.9"),
      ("best: 'chance=0.3,0.6,0.5,0.9,0.55'\nby: min win at 0.99", "chance=0.3"),
      ("best: 'chance=0.3,0.6,0.5'\nby: min lost at 0.999", "chance=0.6"),
      ("best: 'price=0.5,0.1,0.3'\nby: max wins[p50] at 0.99\nchance: 0.9", "price=0.1"),
    ])
  func answer(yaml: String, expected: String) throws {
    let result = try Wheel.run(yaml + "\nsamples: 64k")
    #expect(best(result) == [expected] && result.isComplete)
    #expect(result.document.text().contains("The best setting is \(expected), by"))
  }

  @Test("is found with the same bytes at any number of workers, and with fewer samples where it is clear")
  func workers() throws {
    let yaml = "best: 'chance=0.2,0.9,0.88'\nby: max win at 0.99\nsamples: 256k"
    let result = try Wheel.run(yaml)
    #expect(
      try Wheel.run(yaml, workers: 1).data == result.data && Wheel.run(yaml, workers: 3).document == result.document)
    #expect(best(result) == ["chance=0.9"])
    let lines = result.document.text().split(separator: "\n").filter { $0.contains("chance=0.2 ") }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(" 4,000 ") }, "\(lines)")
    let difference = try #require(result.measurements.first { $0.measure.label == "chance=0.88" })
    #expect(difference.measure.name == "win.difference" && difference.interval(at: 0.99).contains(-0.02))
  }

  @Test("each setting has a difference from the best, also one that an earlier leader left out; that of the best is 0")
  func differences() throws {
    // The first setting leads, leaves out the worst and is then beaten.
    let yaml = "best: 'chance=0.5,0.1,0.6'\nby: max win at 0.99\nsamples: 64k\nthresholds: [win.difference <= 0 at 0.9]"
    let (scenario, result) = (try Wheel.scenario(yaml), try Wheel.run(yaml))
    #expect(scenario.evaluated(by: result.measurements).map(\.verdict) == [.holds, .holds, .holds])
    #expect(try result.measurements["win.difference[chance=0.6]"].interval(at: 0.9) == 0...0)
    #expect(try result.measurements["win.difference[chance=0.1]"].interval(at: 0.9).contains(-0.5))
    #expect(try Wheel.run(yaml, workers: 3).measurements == result.measurements)
  }

  @Test("is undecided between settings that are alike, and says which")
  func alike() throws {
    let result = try Wheel.run("best: 'chance=0.5,0.501,0.1'\nby: max win at 0.99\nsamples: 16k")
    #expect(best(result) == ["chance=0.5", "chance=0.501"])
    #expect(result.document.text().contains("The best setting is one of chance=0.5; chance=0.501: more samples"))
    let same = try Wheel.run("best: 'colour=red,blue'\nby: max win at 0.99\nsamples: 16k")
    #expect(best(same).count == 2)
  }

  @Test("is found by a test in one line, as the command finds it")
  func inCode() throws {
    let wheels = [0.3, 0.6, 0.5].map { chance in
      var wheel = Wheel()
      wheel.chance = chance
      return wheel
    }
    #expect(try bestOf(wheels, by: "max win at 0.99", samples: 16_000) == [1])
    #expect(try bestOf(wheels, by: "min wins[p50] at 0.9", samples: 4_000).contains(0))
    #expect(try bestOf([Wheel(), Wheel()], by: "max win at 0.99", samples: 4_000) == [0, 1])
    #expect(try bestOf([Wheel](), by: "max win at 0.99", samples: 4_000) == [])
    for goal in ["max wni at 0.9", "most win at 0.9"] {
      #expect(throws: ReportingError.self) { try bestOf(wheels, by: goal, samples: 4_000) }
    }
  }

  @Test("is left out no more often than the confidence says")
  func error() throws {
    let wrong = try (1...100).count { seed in
      let yaml = "best: 'chance=0.5,0.505,0.51,0.515'\nby: max win at 0.8\nsamples: 4k\nrandom: {seed: \(seed)}"
      return try !best(Wheel.run(yaml)).contains("chance=0.515")
    }
    #expect(wrong <= 20)
  }

  @Test(
    "needs several values, a measure of samples and a confidence",
    arguments: [
      ("best: 'chance=0.5,0.6'", "best: found 'chance=0.5,0.6', expected a measure as well, by 'by'"),
      ("by: max win at 0.9", "by: found 'max win at 0.9', expected values to choose from as well, by 'best'"),
      ("best: 'chance=0.5'\nby: max win at 0.9", "best: found 'chance=0.5', expected several values"),
      ("best: 'chance=0.5,0.6'\nby: max wni at 0.9", "expected one of its measures: win, perhaps; all are win, lost"),
      ("best: 'chance=0.5,0.6'\nby: most win at 0.9", "expected min or max, a measure and a confidence, for example"),
      ("best: 'chance=0.5,0.6'\nby: max win at 0.4", "expected min or max, a measure and a confidence, for example"),
      ("best: 'chance=0,0.6'\nby: max win at 0.9", "at chance=0: chance, a wheel that can win"),
      ("best: 'chance=0.5,0.6'\nchance: 0.1\nby: max win at 0.9", "a key that is not given as well, and chance is"),
      ("best: 'chance=0.5,0.6'\nhalf-width: 5%\nby: max win at 0.9", "no 'best' with it"),
      ("best: 'chance=0.5,0.6'\ndeadline: 5s\nby: max win at 0.9", "no 'best' with it"),
      ("best: 'chance=0.5,0.6'\nsweep: price=1,2\nby: max win at 0.9", "only one of 'find', 'best', 'sweep'"),
    ])
  func refusals(yaml: String, expected: String) {
    #expect(refusal(yaml).contains(expected), "\(refusal(yaml))")
  }
}
