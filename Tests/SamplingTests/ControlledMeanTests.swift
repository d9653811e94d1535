// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Statistics
import Testing

@testable import Sampling

/// Customers of a counter: their mean wait, and how much longer services are than gaps on average as its control.
private struct Counter: SampledExperiment {
  static let kind = "counter.wait"
  static let summary = "How long customers wait."
  var service = 0.8
  var error = 0.0
  static let parameters: [Parameter<Self>] = [
    Parameter("service", \.service, .number(0...9, isOpen: true), "The mean service, in minutes.", example: "0.5"),
    Parameter("error", \.error, .number(-9...9), "The error of the expectation.", example: "1"),
  ]
  typealias Day = (wait: Double, service: Double, excess: Double)
  static let measures: [SampleMeasure<Day>] = [
    .mean("wait", "The mean wait.", unit: "min", control: { $0.excess }, expecting: \Self.expected) { $0.wait },
    .mean("plain", "The same.", unit: "min") { $0.wait },
    .mean("constant", "With a constant.", control: { _ in 0.1 }, expecting: { (_: Self) in 0.1 }) { $0.wait },
    .mean("wrong", "With another one.", control: { _ in 0.1 }, expecting: { (_: Self) in 0.2 }) { $0.wait },
    .mean("service", "By itself.", control: { $0.service }, expecting: \Self.service) { 2 * $0.service + 1 },
  ]
  var expected: Double { service - 1 + error }

  func sample(_ random: inout RandomStream) -> Day {
    var (wait, sum, services, gaps) = (0.0, 0.0, 0.0, 0.0)
    for _ in 0..<20 {
      sum += wait
      let service = random.exponential(mean: service)
      services += service
      let gap = random.exponential(mean: 1)
      gaps += gap
      wait = max(0, wait + service - gap)
    }
    return (sum / 20, services / 20, (services - gaps) / 20)
  }
}

@Suite("A control variate")
struct ControlledMeanTests {
  private func result(_ yaml: String, workers: Int = 2) throws -> ScenarioResult {
    let document = try ScenarioDocument(yaml: "name: C\nkind: counter.wait\n" + yaml, file: "c.yaml")
    return try Scenario(document, kinds: [Counter.runnable]).run(on: RunContext(workers: workers))
  }

  private func width(_ one: Scenarios.Measurement) -> Double {
    let interval = one.interval(at: 0.99)
    return interval.upperBound - interval.lowerBound
  }

  @Test("narrows the interval by what the report says, around the same mean")
  func gain() throws {
    let found = try result("samples: 4k")
    let (wait, plain) = (try found.measurements["wait"], try found.measurements["plain"])
    let truth = try result("samples: 400k").measurements["wait"].estimate
    #expect(wait.interval(at: 0.999).contains(truth), "\(wait.estimate) of \(truth)")
    #expect(abs(truth - (try result("samples: 400k\nrandom: {seed: 2}").measurements["plain"].estimate)) < 0.01)
    let text = found.document.text(width: 200)
    let gain = try #require(text.firstMatch(of: #/wait: the control is as good as ([\d.]+) times/#)?.1)
    #expect(width(plain) > 1.2 * width(wait))
    // The variances of the estimates of many runs.
    let runs = try (1...150).map { seed in try Counter().run(samples: 200, seed: seed) }
    func variance(_ name: String) throws -> Double {
      let means = try runs.map { try $0[name].estimate }
      return means.map { pow($0 - means.mean, 2) }.mean
    }
    let seen = try variance("plain") / variance("wait")
    #expect(abs((Double(gain) ?? 0) / seen - 1) < 0.35, "\(gain), \(seen)")
    #expect(try result("samples: 4k", workers: 1).document == found.document)
  }

  @Test("is exact for a number that follows from it, and changes nothing where it is constant")
  func extremes() throws {
    let found = try result("samples: 1k").measurements
    #expect(abs(try found["service"].estimate - (1 + 2 * 0.8)) < 1e-9)
    #expect(try found["constant"].estimate == found["plain"].estimate)
    #expect(try found["constant"].interval(at: 0.99) == found["wrong"].interval(at: 0.99))
  }

  @Test("with a wrong expectation is left out, and the report says so")
  func wrong() throws {
    let found = try result("samples: 4k\nerror: 0.1")
    let text = found.document.text(width: 200)
    #expect(text.contains("wait: Warning: the control has the mean -0."), "\(text)")
    #expect(text.contains(#/wrong: Warning: the control has the mean 0.10*, expected 0.20*, in every sample\./#))
    #expect(try abs(found.measurements["wait"].estimate - found.measurements["plain"].estimate) < 1e-12)
  }

  @Test("costs a degree of freedom: for jointly normal numbers the interval is Student's with two fewer than samples")
  func student() throws {
    let (y, x) = ([1.0, 2, 4, 3, 5, 7, 6, 8, 9, 11], [2.0, 1, 3, 5, 4, 6, 8, 7, 9, 10])
    let moments = JointMoments(zip(y, x).flatMap { [$0, $1] }, columns: 0..<2, of: 2)
    let found = ControlledMean("y", moments, in: [1...11, 1...10], expecting: 5)
    // Draper and Smith, "Applied Regression Analysis", section 1.4: the line's value at 5, and its standard error.
    let count = Double(x.count)
    let squares: Double = x.map { pow($0 - x.mean, 2) }.reduce(0, +)
    let products: Double = zip(y, x).map { ($0 - y.mean) * ($1 - x.mean) }.reduce(0, +)
    let slope = products / squares
    let residuals: [Double] = zip(y, x).map { pow($0 - y.mean - slope * ($1 - x.mean), 2) }
    let distance = 5 - x.mean
    let variance = residuals.reduce(0, +) / (count - 2) * (1 / count + distance * distance / squares)
    #expect(abs(found.mean - (y.mean + slope * distance)) < 1e-12)
    #expect(abs(found.deviation - (variance * count).squareRoot()) < 1e-12)
    guard case .shape(let shape)? = found.figures.1 else {
      Issue.record("no shape")
      return
    }
    #expect(shape.coefficients == 1)
    let plain = UnboundedSample(
      mean: 0, standardDeviation: 1, count: 40,
      shape: SampleShape(skewness: 0, farthestShare: 0, seen: 0...0, coefficients: 1))
    let quantile = try Quantile.studentT(0.995, degreesOfFreedom: 38)
    #expect(abs((plain.interval(tail: 0.005)?.upperBound ?? 0) - quantile / 40.0.squareRoot()) < 1e-12)
  }

  @Test("two settings are compared by the numbers themselves")
  func pairs() throws {
    let found = try result("samples: 4k\nversus: service=0.4").measurements
    #expect(try found["wait.difference[service=0.4]"].estimate == found["plain.difference[service=0.4]"].estimate)
  }
}
