// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Synchronization
import Testing

@testable import Sampling

/// The larger of two throws, put into memory of a worker that keeps what earlier samples left there.
private struct Tray: SampledExperiment {
  static let kind = "dice.tray"
  static let summary = "Dice in a tray."
  static let defaultSamples = 20_000
  static let made = Atomic(0)

  var dice = 2
  var isBroken = false
  static let parameters: [Parameter<Self>] = [
    Parameter("dice", \.dice, .count(1...9), "Dice in the tray.", example: "3")
  ]
  static let measures: [SampleMeasure<Int>] = [
    .mean("most", "The most pips.", range: 1...6) { Double($0) }, .share("six", "Trays with a six.") { $0 == 6 },
  ]

  func scratch() throws -> [Int] {
    if isBroken { throw ParameterError("dice", expected: "a tray") }
    Self.made.add(1, ordering: .relaxed)
    return []
  }

  func sample(_ random: inout RandomStream, _ tray: inout [Int]) -> Int {
    tray.removeAll(keepingCapacity: true)
    for _ in 0..<dice { tray.append(random.integer(in: 1...6)) }
    return tray.max() ?? 0
  }
}

@Suite("Each worker keeps its scratch from sample to sample")
struct ScratchTests {
  @Test("the measures are those of independent samples, with the same bytes at any number of workers")
  func known() throws {
    let result = try Tray.scenario().run(on: RunContext(workers: 1))
    #expect(try result.measurements["six"].interval(at: 0.999).contains(11.0 / 36))
    #expect(try result.measurements["most"].interval(at: 0.999).contains(161.0 / 36))
    #expect(try Tray.scenario().run(on: RunContext(workers: 3)).measurements == result.measurements)
    #expect(try Tray().run(samples: 20_000) == result.measurements)
  }

  @Test("a worker makes one, not each sample")
  func oncePerWorker() throws {
    let before = Tray.made.load(ordering: .relaxed)
    _ = try Tray.scenario().run(on: RunContext(workers: 1))
    // Other tests of the suite make some at the same time, but none one for each sample.
    #expect(Tray.made.load(ordering: .relaxed) - before < 100)
  }

  @Test("a sample drawn alone and one drawn by the short form are the run's")
  func alone() throws {
    var random = try RandomStream(seed: 7)
    #expect((1...6).contains(try Tray().sample(&random)))
    func most(_ number: Int) throws -> JSONValue? {
      guard case .object(let members) = try Tray.scenario("only: \(number)").run(on: RunContext(workers: 1)).data,
        case .object(let values)? = members.first(where: { $0.key == "values" })?.value
      else { return nil }
      return values.first?.value
    }
    // 65 shares its stream with 64, which is drawn first, into the same scratch.
    #expect(try most(65) == most(65) && most(65) != nil)
  }

  @Test("two settings have a scratch each, and are compared sample by sample")
  func pairs() throws {
    let found = try Tray.scenario("versus: dice=3").run(on: RunContext(workers: 2)).measurements
    #expect(try found["six.difference[dice=3]"].interval(at: 0.999).contains(91.0 / 216 - 11.0 / 36))
  }

  @Test("an error of making it ends the run")
  func broken() {
    var tray = Tray()
    tray.isBroken = true
    #expect(throws: ParameterError.self) { try tray.run(samples: 100) }
  }
}
