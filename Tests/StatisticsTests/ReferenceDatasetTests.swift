// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Statistics
import Testing

/// One of NIST's Statistical Reference Datasets: observations in whole units, and what is certified of them.
struct ReferenceDataset: Sendable, CustomTestStringConvertible {
  let name: String
  /// The observations, in units.
  let observations: [Int]
  let unit: Double
  /// To 15 significant digits.
  let mean: Double
  let deviation: Double

  var testDescription: String { name }

  static let all = files + formulas

  /// What `Fixtures/StRD` has.
  private static let files = ["Lew", "Lottery", "Mavro", "Michelso", "PiDigits"].compactMap { name in
    Bundle.module.url(forResource: "Fixtures/StRD/\(name)", withExtension: "txt")
      .flatMap { try? String(contentsOf: $0, encoding: .utf8) }.flatMap { ReferenceDataset(name, text: $0) }
  }

  private init?(_ name: String, text: String) {
    let lines = text.split(separator: "\n")
    func certified(_ line: Int, _ what: String) -> Double? {
      let words = lines[line].split(separator: " ")
      return words.count == 2 && words[0] == what ? Double(words[1]) : nil
    }
    guard lines.count > 2, let mean = certified(0, "mean"), let deviation = certified(1, "deviation") else {
      return nil
    }
    let words = lines[2...].flatMap { line in
      name == "PiDigits" ? line.map { String($0) } : line.split(separator: " ").map { String($0) }
    }
    // Written with the same number of decimals, so that the digits alone count units.
    let decimals = words[0].split(separator: ".").dropFirst().first?.count ?? 0
    let observations = words.compactMap { Int($0.filter { $0 != "." }) }
    guard observations.count == words.count else { return nil }
    self.init(name, observations, unit: pow(10, -Double(decimals)), mean: mean, deviation: deviation)
  }

  private init(_ name: String, _ observations: [Int], unit: Double, mean: Double, deviation: Double) {
    (self.name, self.observations, self.unit) = (name, observations, unit)
    (self.mean, self.deviation) = (mean, deviation)
  }

  /// What NIST defines by a formula: a middle value, then 500 times a tenth below it and a tenth above.
  private static let formulas: [ReferenceDataset] = {
    let middles = [("NumAcc2", 12), ("NumAcc3", 10_000_002), ("NumAcc4", 100_000_002)]
    let three = ReferenceDataset(
      "NumAcc1", [10_000_001, 10_000_003, 10_000_002], unit: 1, mean: 10_000_002, deviation: 1)
    return [three]
      + middles.map { name, middle in
        let pairs = (0..<500).flatMap { _ in [middle - 1, middle + 1] }
        return ReferenceDataset(name, [middle] + pairs, unit: 0.1, mean: Double(middle) / 10, deviation: 0.1)
      }
  }()
}

/// How many significant digits of a number agree with a certified one, both rounded; 15 at most, which is what NIST
/// certifies.
private func digits(of value: Double, certified: Double) -> Int {
  (0...14).last { String(format: "%.\($0)e", value) == String(format: "%.\($0)e", certified) }.map { $0 + 1 } ?? 0
}

@Suite("NIST's Statistical Reference Datasets")
struct ReferenceDatasetTests {
  @Test("all nine univariate sets are there, with their numbers of observations")
  func complete() {
    let counts = Dictionary(uniqueKeysWithValues: ReferenceDataset.all.map { ($0.name, $0.observations.count) })
    #expect(
      counts == [
        "Lew": 200, "Lottery": 218, "Mavro": 50, "Michelso": 100, "PiDigits": 5000, "NumAcc1": 3, "NumAcc2": 1001,
        "NumAcc3": 1001, "NumAcc4": 1001,
      ])
  }

  @Test("a tally's mean and deviation reach all 15 certified digits", arguments: ReferenceDataset.all)
  func moments(of set: ReferenceDataset) {
    let tally = set.observations.reduce(into: MomentTally()) { $0.add($1) }
    #expect(digits(of: tally.mean * set.unit, certified: set.mean) == 15)
    #expect(digits(of: tally.standardDeviation * set.unit, certified: set.deviation) == 15)
  }

  @Test("tallies of blocks that are merged in another order reach them too", arguments: ReferenceDataset.all)
  func merged(of set: ReferenceDataset) {
    let blocks = stride(from: 0, to: set.observations.count, by: 7).map { first in
      set.observations[first..<min(first + 7, set.observations.count)].reduce(into: MomentTally()) { $0.add($1) }
    }
    let tally = blocks.reversed().reduce(into: MomentTally()) { $0.merge($1) }
    #expect(digits(of: tally.mean * set.unit, certified: set.mean) == 15)
    #expect(digits(of: tally.standardDeviation * set.unit, certified: set.deviation) == 15)
  }

  @Test("the mean and the deviation of a confidence sequence reach them too", arguments: ReferenceDataset.all)
  func sequence(of set: ReferenceDataset) throws {
    let values = set.observations.map { Double($0) * set.unit }
    let low = try #require(values.min()) - 1
    let high = try #require(values.max()) + 1
    var sequence = try ConfidenceSequence(range: low...high, unit: set.unit)
    sequence.absorb(wave: set.observations.reduce(into: MomentTally()) { $0.add($1) })
    #expect(digits(of: sequence.mean, certified: set.mean) == 15)
    #expect(digits(of: sequence.varianceEstimate.squareRoot(), certified: set.deviation) == 15)
  }
}
