// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Randomness
import Testing

import Statistics

@Suite("Reliability of forecasts")
struct ReliabilityTests {
  /// The forecasts of rain at Niamey, and whether it rained.
  private static func niamey(_ column: Int) throws -> Reliability {
    let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL
    let text = try String(contentsOf: root.appending(path: "Examples/fantasy/niamey-2016.csv"), encoding: .utf8)
    let rows = text.split(whereSeparator: \.isNewline).dropFirst(2).map { $0.split(separator: ",").map(String.init) }
    let groups = try rows.map { row in
      ForecastGroup(forecast: try #require(Double(row[column])), trials: 1, successes: try #require(Int(row[3])))
    }
    return try #require(Reliability(groups))
  }

  /// Values of reliabilitydiag for R, by the authors of the paper.
  @Test(
    "the Niamey forecasts are decomposed as the authors' package does",
    arguments: [
      (1, [0.232025179, 0.018282943, 0.030468539, 0.244210775], [1, 6, 10, 12, 6, 32, 14, 5, 6]),
      (2, [0.266167674, 0.066072228, 0.044115329, 0.244210775], [3, 8, 27, 3, 13, 14, 24]),
    ])
  func published(column: Int, expected: [Double], blocks: [Int]) throws {
    let found = try Self.niamey(column)
    for (one, other) in zip([found.brier, found.miscalibration, found.discrimination, found.uncertainty], expected) {
      #expect(abs(one - other) < 1e-8)
    }
    #expect(found.blocks.map(\.trials) == blocks && found.count == 92)
    let last = try #require(found.blocks.last)
    #expect(last.value == (column == 1 ? 1 : 0.75) && abs(last.to - (column == 1 ? 0.922643382 : 1)) < 1e-8)
  }

  @Test("the band of calibrated forecasts holds them, and leaves out those that overstate")
  func band() throws {
    var random = try RandomStream(seed: 7)
    func forecasts(stating factor: Double) throws -> Reliability {
      try #require(
        Reliability(
          (1...9).map { step in
            let chance = Double(step) / 10
            return ForecastGroup(
              forecast: min(1, 0.5 + (chance - 0.5) * factor), trials: 2000,
              successes: random.binomial(trials: 2000, chance: chance))
          }))
    }
    for (factor, isCalibrated) in [(1.0, true), (1.4, false)] {
      let found = try forecasts(stating: factor)
      let band = found.band(confidence: 0.999, resamples: 2000) { random.binomial(trials: $0, chance: $1) }
      let outside = zip(found.recalibrated, band.ranges).count { !$1.contains($0) }
      #expect((outside == 0) == isCalibrated)
      #expect((found.miscalibration < band.miscalibration) == isCalibrated)
    }
  }

  @Test("the band has the quantiles of all resamples, of which it keeps the tails alone", arguments: [0.1, 0.9, 0.999])
  func tails(confidence: Double) throws {
    let groups = (1...6).map { ForecastGroup(forecast: Double($0) / 8, trials: 3 * $0, successes: $0) }
    let found = try #require(Reliability(groups))
    for resamples in [1, 2, 7, 250] {
      var random = try RandomStream(seed: 3)
      var again = try RandomStream(seed: 3)
      let band = found.band(confidence: confidence, resamples: resamples) { random.binomial(trials: $0, chance: $1) }
      var values = groups.map { _ in [Double]() }
      for _ in 0..<resamples {
        let drawn = found.groups.map {
          ForecastGroup(
            forecast: $0.forecast, trials: $0.trials, successes: again.binomial(trials: $0.trials, chance: $0.forecast))
        }
        for (index, value) in try #require(Reliability(drawn)).recalibrated.enumerated() { values[index].append(value) }
      }
      for (one, range) in zip(values, band.ranges) {
        func quantile(_ share: Double) -> Double {
          one.sorted()[min(resamples - 1, max(0, Int((share * Double(resamples)).rounded(.down))))]
        }
        let tail = (1 - confidence) / 2
        #expect(range == quantile(tail)...max(quantile(tail), quantile(1 - tail)))
      }
    }
  }

  @Test("a decomposition adds up, and without forecasts there is none")
  func edges() throws {
    #expect(Reliability([]) == nil && Reliability([ForecastGroup(forecast: 0.4, trials: 0, successes: 0)]) == nil)
    let one = try #require(
      Reliability([
        ForecastGroup(forecast: 0.7, trials: 4, successes: 1), ForecastGroup(forecast: 0.2, trials: 4, successes: 3),
      ]))
    #expect(one.blocks.count == 1 && one.blocks[0].value == 0.5 && one.discrimination == 0)
    #expect(abs(one.brier - (one.miscalibration - one.discrimination + one.uncertainty)) < 1e-15)
  }

  /// The values of scoringrules' own tests, and of the closed forms.
  @Test("ranked probability scores are the published ones")
  func scores() {
    func near(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-12 }
    #expect(near(RankedProbabilityScore.normal(mean: 0, deviation: 1, observed: 0), 0.23369497725510915))
    #expect(near(RankedProbabilityScore.normal(mean: 0, deviation: 1, observed: 1.5), 0.9944240039774529))
    #expect(near(RankedProbabilityScore.normal(mean: 80, deviation: 22, observed: 95), 9.070373203067799))
    #expect(
      Reliability([ForecastGroup(forecast: 0.271, trials: 1, successes: 0)]).map { near($0.brier, 0.073441) } == true)
  }
}
