// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import MonteCarlo
import Testing

@testable import LiveLab

@Suite struct RareFailureTests {
  @Test("tilted draws have the density that their weights say", arguments: [-0.9, -0.5, 0.5, 0.9])
  func density(bias: Double) {
    // The distribution function of the density 1 + b (2u - 1), at the draw of value v, is v again.
    for step in 0..<1_000 {
      let value = Double(step) / 1_000
      let drawn = tilted(value, by: bias)
      #expect((0..<1).contains(drawn))
      #expect(abs(bias * drawn * drawn + (1 - bias) * drawn - value) < 1e-12)
    }
  }

  @Test("a chance of one in ten thousand is found by tilted draws, with a tenth of the variance of direct ones")
  func knownChance() throws {
    var random = try SessionRandom(seed: 4)
    var tally = WeightTally()
    // Two draws, both beyond 0.99.
    for _ in 0..<40_000 {
      let draws = (tilted(random.unit(), by: 0.9), tilted(random.unit(), by: 0.9))
      let weight = 1 / ((1 + 0.9 * (2 * draws.0 - 1)) * (1 + 0.9 * (2 * draws.1 - 1)))
      tally.add(weight: weight, hasFailed: draws.0 > 0.99 && draws.1 > 0.99)
    }
    let (chance, error) = tally.chance
    #expect(abs(chance - 1e-4) < 4 * error)
    let (mean, spread) = tally.meanWeight
    #expect(abs(mean - 1) < 4 * spread)
    let relative = try #require(tally.relativeVariance)
    // Directly it would be 9,999; with densities of up to 1.9 each it is about 9,999 / 3.6.
    #expect(relative < 4_000)
  }

  @Test("tilted and direct sessions agree where failures are common enough to be seen by both")
  func agreement() throws {
    let trial = try SimulationTrial(
      profiles: [OutageProfile.named("tunnel")], client: SimulatedClient(LiveSubjects.named("live-sends-no-pings")),
      sessions: 2_000, endsWhenDecided: false, tiltedSessions: 2_000, seed: 9)
    let rare = try #require(trial.run(workers: 2).findings.first?.rare)
    #expect(rare.failures >= 10)
    let apart = try #require(rare.apart)
    #expect(apart.magnitude < 4)
    #expect(rare.isSound)
    #expect(rare.interval.contains(rare.chance))
  }

  @Test("weights that do not average to one, and estimates that disagree, are told")
  func unsound() throws {
    var wrong = WeightTally()
    for session in 0..<1_000 { wrong.add(weight: session % 2 == 0 ? 2 : 1.5, hasFailed: session % 10 == 0) }
    let rare = try RareFailure(wrong, bias: 0.5, direct: (50, 1_000), confidence: 0.99)
    #expect(!rare.isSound)
    #expect(rare.weightDeviations > 4)
    #expect(try #require(rare.apart) > 4)
  }

  @Test("where nothing failed, the interval is what the direct sessions leave possible")
  func nothing() throws {
    var tally = WeightTally()
    for _ in 0..<100 { tally.add(weight: 1, hasFailed: false) }
    let rare = try RareFailure(tally, bias: 0.5, direct: (0, 1_000), confidence: 0.99)
    #expect(rare.chance == 0 && rare.gain == nil && rare.isSound)
    #expect((0.004...0.006).contains(rare.interval.upperBound))
  }

  @Test("merging obeys the law of tallies")
  func merging() {
    let samples = [0.5, 1.25, 40].map { weight in
      var tally = WeightTally()
      tally.add(weight: weight, hasFailed: weight < 1)
      return tally
    }
    #expect(mergeLawViolation(among: samples, empty: WeightTally()) == nil)
  }
}
