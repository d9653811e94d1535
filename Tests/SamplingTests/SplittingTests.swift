// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import Sampling

/// The second experiment of docs/rare.md: a queue with one customer, whose level is the number inside.
private struct Overflow: RareEvent {
  static let kind = "queue.overflow"
  static let summary = "Whether a queue with one customer overflows before it is empty."

  var load = 0.6
  var size = 60

  static let parameters: [Parameter<Self>] = [
    Parameter("load", \.load, .number(0...1, isOpen: true), "Arrivals for each departure.", example: "0.8"),
    Parameter("size", \.size, .count(2...10_000), "The customers inside at which it overflows.", example: "20"),
  ]
  static let measures: [SampleMeasure<Replicate>] = [
    .exact("probability.exact", "The same, by the gambler's ruin.", \Self.exact)
  ]

  var exact: Double { (1 / load - 1) / (pow(1 / load, Double(size)) - 1) }
  var top: Double { Double(size) }
  func start(_ random: inout RandomStream) -> Int { 1 }
  func step(_ inside: inout Int, _ random: inout RandomStream) -> Bool {
    inside += random.happens(load / (1 + load)) ? 1 : -1
    return inside > 0
  }
  func level(of inside: Int) -> Double { Double(inside) }
}

/// A walk that rises by exponential steps with the mean 1 and falls by such with the mean 2, until it is below 0:
/// levels are real numbers, and a step may pass many. Its probability is by the martingale exp(S / 2), whose overshoot
/// is exponential as well.
private struct Walk: RareEvent {
  static let kind = "walk.maximum"
  static let summary = "Whether a walk reaches a height."
  var height = 40.0
  static let parameters: [Parameter<Self>] = [
    Parameter("height", \.height, .number(0...1_000), "The height.", example: "20")
  ]
  var exact: Double { 0.5 / (2 * exp(height / 2) - 0.5) }
  var top: Double { height }
  func start(_ random: inout RandomStream) -> Double { 0 }
  func step(_ place: inout Double, _ random: inout RandomStream) -> Bool {
    place += random.exponential(mean: 1) - random.exponential(mean: 2)
    return place >= 0
  }
  func level(of place: Double) -> Double { place }
}

/// What a process may do wrong, and what is certain.
private struct Odd: RareEvent {
  enum Kind: String, CaseIterable, Sendable {
    case flat, endless, unknown, unknownStart, jump, certain, zeno, last, drawn
  }
  static let kind = "odd.process"
  static let summary = "A process that is odd."
  var kind = Kind.flat
  static let parameters: [Parameter<Self>] = [
    Parameter("of", \.kind, .choice, "What is odd.", example: "flat")
  ]
  var top: Double { 10 }
  func start(_ random: inout RandomStream) -> (steps: Int, level: Double) {
    switch kind {
    case .certain: (0, 10)
    case .unknownStart: (0, .nan)
    case .drawn: (0, random.happens(0.25) ? 10 : 0)
    default: (0, 0)
    }
  }
  func step(_ state: inout (steps: Int, level: Double), _ random: inout RandomStream) -> Bool {
    state.steps += 1
    switch kind {
    case .flat, .certain, .drawn, .unknownStart: return state.steps < 5
    case .endless: return true
    case .unknown:
      state.level = state.steps == 3 ? .nan : 0
      return true
    case .jump:
      // Past all levels at once, in one step of five.
      if random.happens(0.2) { state.level = 100 }
      return state.steps < 1
    case .zeno:
      state.level = 10 - 5 / Double(state.steps)
      return random.happens(0.5)
    case .last:
      // The event is in the step with which a path ends.
      state.level = random.happens(0.5) ? state.level + 5 : 0
      return state.steps < 2
    }
  }
  func level(of state: (steps: Int, level: Double)) -> Double { state.level }
}

@Suite("A rare event by splitting")
struct SplittingTests {
  private func result(_ type: any Experiment.Type, _ yaml: String, workers: Int = 2) throws -> ScenarioResult {
    let document = try ScenarioDocument(yaml: "name: S\nkind: \(type.kind)\n" + yaml, file: "s.yaml")
    return try Scenario(document, kinds: [type]).run(on: RunContext(workers: workers))
  }

  @Test("of once in 3e13 times is estimated by a second of work")
  func rare() throws {
    let interval = try Overflow().run(samples: 150, replicas: 150)["probability"].interval(at: 0.999)
    #expect(interval.contains(3.25825e-14) && interval.upperBound < 5e-14, "\(interval)")
  }

  @Test("has its exact probability in the interval, with adaptive levels and fixed ones", arguments: [2, 5, 15, 25])
  func overflow(size: Int) throws {
    var queue = Overflow()
    queue.size = size
    for method in ["adaptive", "fixed"] {
      let found = try result(Overflow.runnable, "size: \(size)\nsamples: 300\nreplicas: 100\nsplitting: \(method)")
        .measurements
      let (one, exact) = (try found["probability"], try found["probability.exact"].estimate)
      #expect(exact == queue.exact)
      let interval = one.interval(at: 0.999)
      #expect(interval.contains(exact) && interval.upperBound < 1.5 * exact, "\(method): \(interval) of \(exact)")
    }
  }

  @Test("has it for real levels too, of which a step may pass many", arguments: [3.0, 15])
  func walk(height: Double) throws {
    var walk = Walk()
    walk.height = height
    let found = try walk.run(samples: 300, replicas: 100)["probability"]
    let interval = found.interval(at: 0.999)
    #expect(interval.contains(walk.exact) && interval.upperBound < 1.5 * walk.exact, "\(interval), \(found.basis)")
    let fixed = try result(Walk.runnable, "height: \(height)\nsamples: 300\nsplitting: fixed").measurements[
      "probability"]
    #expect(fixed.interval(at: 0.999).contains(walk.exact), "\(fixed.estimate) of \(walk.exact)")
  }

  @Test(
    "is unbiased with one path, two and three, which is more than the interval of few can show", arguments: [1, 2, 3])
  func few(replicas: Int) throws {
    var queue = Overflow()
    queue.size = 4
    let found = try queue.run(samples: 20_000, replicas: replicas)["probability"]
    let interval = found.interval(at: 0.999)
    #expect(interval.contains(queue.exact) && interval.upperBound < 1.2 * queue.exact, "\(found.estimate)")
    // One path is plain simulation.
    if replicas == 1 { #expect(Set(try samples(of: queue)).isSubset(of: [0, 1])) }
  }

  /// The estimates of some samples with one path.
  private func samples(of queue: Overflow) throws -> [Double] {
    var random = try RandomStream(seed: 5)
    var paths = SplitPaths<Int>(replicas: 1)
    return try (0..<100).map { _ in try queue.replicate(&paths, &random).probability }
  }

  @Test("is the same at any number of workers, and a sample is drawn alone")
  func reproducible() throws {
    let yaml = "size: 20\nsamples: 300\nreplicas: 20\nthresholds: ['probability <= 1e-3 at 0.99']"
    let one = try result(Overflow.runnable, yaml, workers: 1)
    #expect(try result(Overflow.runnable, yaml, workers: 3).document == one.document)
    let fixed = "size: 20\nsamples: 100\nsplitting: fixed"
    #expect(
      try result(Overflow.runnable, fixed, workers: 1).document
        == result(Overflow.runnable, fixed, workers: 3).document)
    let path = NSTemporaryDirectory() + "splitting-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var context = RunContext(workers: 2)
    context.samples.file = path
    let document = try ScenarioDocument(
      yaml: "name: S\nkind: queue.overflow\nsize: 20\nsamples: 100\nreplicas: 20", file: "s.yaml")
    _ = try Scenario(document, kinds: [Overflow.runnable]).run(on: context)
    let row = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")[71].split(separator: ",")[1]
    let alone = try result(Overflow.runnable, "size: 20\nreplicas: 20\nonly: 70")
    #expect(alone.document.text(width: 100).contains(String(row)), "\(row)")
  }

  @Test("few paths have skewed estimates, which decide nothing")
  func skewed() throws {
    let found = try Overflow().run(samples: 200, replicas: 5)["probability"]
    #expect(found.interval(at: 0.9) == .everything)
    #expect(found.basis.hasPrefix("not nearly normal"))
  }

  @Test("the report has the levels, the paths that passed them, and the number of plain samples")
  func report() throws {
    for method in ["adaptive", "fixed"] {
      let text = try result(Overflow.runnable, "samples: 200\nsplitting: \(method)").document.text(width: 160)
      #expect(text.contains("Plain simulation would need about "))
      #expect(text.contains("above level") && text.contains(" of 100"))
    }
    // The variance of a plain sample is p (1 - p).
    let text = try result(Overflow.runnable, "size: 2\nreplicas: 1\nsamples: 1k").document.text(width: 160)
    let plain = try #require(text.firstMatch(of: #/would need about ([\d,]+) samples/#)?.1.replacing(",", with: ""))
    #expect(abs((Double(plain) ?? 0) / 1_000 - 1) < 0.06, "\(plain)")
    #expect(text.contains("Warning: in "))
  }

  @Test(
    "odd processes have the right answer or a clear error",
    arguments: [
      ("flat", "0"), ("certain", "1"), ("jump", "0.2"), ("last", "0.25"), ("drawn", "0.25"),
      ("endless", "neither ended nor rose above level 0.0 in 1000 steps"), ("unknown", "the level is nan 3 steps"),
      ("unknownStart", "the level of a start is nan"), ("zeno", "the estimate is below 1e-100 above level"),
    ])
  func odd(_ kind: String, _ expected: String) throws {
    for (method, replicas) in [("adaptive", 50), ("fixed", 50), ("adaptive", 1), ("fixed", 2)] {
      // A single path never reaches what needs many.
      if kind == "zeno", replicas < 50 { continue }
      let yaml = "of: \(kind)\nsamples: 2k\nmax-steps: 1000\nreplicas: \(replicas)\nsplitting: \(method)"
      do {
        let found = try result(Odd.runnable, yaml).measurements["probability"]
        let exact = try #require(Double(expected), "no error, \(found.estimate)")
        if exact == 0 || exact == 1 {
          #expect(found.estimate == exact)
        } else {
          #expect(found.interval(at: 0.9999).contains(exact), "\(method), \(replicas): \(found.estimate)")
        }
      } catch let error as UnusableSample {
        #expect(Double(expected) == nil && "\(error)".contains(expected), "\(error)")
      } catch let error as PilotError {
        #expect(method == "fixed" && "\(error)".contains(expected), "\(error)")
      }
    }
  }

  @Test("its declaration has no problems, and its parameters are checked")
  func declaration() throws {
    #expect(Overflow.runnable.problems() == [] && Odd.runnable.problems() == [])
    #expect(throws: ReportingError.self) { try result(Overflow.runnable, "replicas: 0") }
    #expect(throws: (any Error).self) { try Overflow().run(samples: 10, replicas: 0) }
  }
}
