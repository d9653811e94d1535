// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import Randomness
@testable import Sampling

/// One number of each kind of draw.
private struct Draws: SampledExperiment {
  static let kind = "draws.all"
  static let summary = "A number of each draw."
  static let names = [
    "uniform", "exponential", "weibull", "triangular", "truncated", "gaussian", "empirical", "integer", "happens",
    "geometric", "gamma", "beta", "poisson", "binomial", "square",
  ]
  /// The exact means.
  static let means = [
    0.5, 2, 1, (0.0 + 1 + 10) / 3, 0.797_884_560_8, 1, 2.5, 3.5, 0.3, 4, 3, 0.25, 5, 3, 1.0 / 12,
  ]
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<[Double]>] = [
    .mean("draw", "A draw.", labels: names) { $0[$1] }, .share("small", "A small one.") { $0[0] < 0.3 },
    .percentiles("middle", "The middle.", [50]) { $0[0] },
    .ratio("quotient", "Of two.") {
      $0[1]
    } over: {
      $0[0] + 1
    },
  ]

  func sample(_ random: inout RandomStream) -> [Double] {
    var parts = random.substreams("draw", count: Self.names.count)
    let middle = parts[14].uniform() - 0.5
    return [
      parts[0].uniform(), parts[1].exponential(mean: 2), parts[2].weibull(shape: 1, scale: 1),
      parts[3].triangular(from: 0, to: 10, mode: 1), parts[4].gaussian(in: 0...(.infinity)),
      parts[5].gaussian(mean: 1), parts[6].empirical([1, 2, 3, 4]), Double(parts[7].integer(in: 1...6)),
      parts[8].happens(0.3) ? 1 : 0, Double(parts[9].geometric(chance: 0.25)), parts[10].gamma(shape: 1.5, scale: 2),
      parts[11].beta(1, 3), Double(parts[12].poisson(mean: 5)), Double(parts[13].binomial(trials: 10, chance: 0.3)),
      middle * middle,
    ]
  }
}

@Suite("Antithetic pairs")
struct AntitheticTests {
  private func result(_ yaml: String, workers: Int = 2) throws -> ScenarioResult {
    let document = try ScenarioDocument(yaml: "name: A\nkind: draws.all\n" + yaml, file: "a.yaml")
    return try Scenario(document, kinds: [Draws.runnable]).run(on: RunContext(workers: workers))
  }

  @Test("leave every mean where it is, and gain where draws are by inversion")
  func means() throws {
    let pairs = try result("samples: 20k\nantithetic: true")
    let found = pairs.measurements
    for (name, mean) in zip(Draws.names, Draws.means) {
      let one = try found["draw[\(name)]"]
      #expect(one.interval(at: 0.9999).contains(mean), "\(name): \(one.estimate), expected \(mean)")
    }
    guard case .object(let members) = pairs.data,
      case .object(let gains)? = members.first(where: { $0.key == "antithetic" })?.value
    else {
      Issue.record("no gains")
      return
    }
    // A gain without a bound is no number in JSON.
    func gain(_ name: String) -> Double {
      if case .number(let value)? = gains.first(where: { $0.key == name })?.value { value } else { .infinity }
    }
    for name in Draws.names[...9] { #expect(gain("draw[\(name)]") > 1.3, "\(name): \(gain("draw[\(name)]"))") }
    #expect(gain("draw[uniform]") > 1e6 && gain("draw[gaussian]") > 1e6)
    // exp(1)/2 of the exponential distribution: Cov(log u, log(1 - u)) = 1 - pi^2 / 6.
    #expect(abs(gain("draw[exponential]") / (1 / (2 - Double.pi * Double.pi / 6)) - 1) < 0.1)
    // A figure that is large at both ends is the same in both draws of a pair.
    #expect(abs(gain("draw[square]") - 0.5) < 0.01)
    let text = pairs.document.text(width: 300)
    #expect(text.contains("Each sample is the mean of a pair of antithetic draws."))
    #expect(text.contains("middle: only the first draw of each pair counts."))
  }

  @Test("have narrower intervals by the stated gain, for shares and ratios too, and percentiles that hold")
  func intervals() throws {
    let (pairs, plain) = (try result("samples: 10k\nantithetic: true"), try result("samples: 20k"))
    func width(_ result: ScenarioResult, _ name: String) throws -> Double {
      let one = try result.measurements[name].interval(at: 0.99)
      return one.upperBound - one.lowerBound
    }
    #expect(try width(pairs, "draw[exponential]") < 0.65 * width(plain, "draw[exponential]"))
    #expect(try width(pairs, "small") < 0.85 * width(plain, "small"))
    #expect(try pairs.measurements["small"].interval(at: 0.9999).contains(0.3))
    #expect(try pairs.measurements["small"].measure.kind == .mean)
    #expect(try width(pairs, "quotient") < 0.95 * width(plain, "quotient"))
    #expect(try pairs.measurements["middle[p50]"].interval(at: 0.99).contains(0.5))
  }

  @Test("are the same at any number of workers, in a comparison, in a file, and drawn alone")
  func reproducible() throws {
    let yaml = "samples: 3k\nantithetic: true\nthresholds: ['small <= 50% at 0.99']"
    #expect(try result(yaml, workers: 3).document == result(yaml, workers: 1).document)
    let alone = try result("only: 70\nantithetic: true").document.text(width: 200)
    let first = try #require(alone.firstMatch(of: #/draw\[uniform\] +([\d.e-]+) +([\d.e-]+)/#))
    let both = try [#require(Double(first.1)), #require(Double(first.2))]
    #expect(abs(both[0] + both[1] - 1) < 1e-9)
    #expect(try result("only: 70").document.text(width: 200).contains(first.1))
  }

  @Test("of every generator, complements are the opposite words and numbers of the same range")
  func complements() throws {
    for name in GSLGenerator.names where name != "ranf" && name != "randu" {
      guard var plain = try? RandomStream(named: name, seed: 4711) else { continue }
      var opposite = plain.complemented()
      let isWhole = ["mt19937", "taus2", "gfsr4"].contains(name)
      for _ in 0..<100 {
        let (one, other) = (plain.word(), opposite.word())
        if isWhole { #expect(other == ~one, "\(name)") }
      }
      var part = opposite.substream("part")
      let numbers = (0..<200).map { _ in part.gaussian() }
      #expect(abs(numbers.mean) < 0.5 && numbers.allSatisfy(\.isFinite), "\(name): \(numbers.mean)")
    }
  }
}
