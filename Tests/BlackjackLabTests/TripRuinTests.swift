// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@Suite("The experiment blackjack.ruin")
struct TripRuinTests {
  @Test("a ruin of one in a billion trips is near the exact walk's, which no simulated trip shows")
  func rare() throws {
    let found = try outcome("ruin", "samples: 150\nreplicas: 100").found
    let exact = try #require(found["probability.exact"])
    #expect((1e-10..<1e-9).contains(exact), "\(exact)")
    // The samples are skewed, so that there is no interval.
    let estimate = try #require(found["probability"])
    #expect((exact / 3...exact * 3).contains(estimate), "\(estimate), exact \(exact)")
  }

  @Test(
    "an ordinary ruin is that of simulated trips, whose exact walk is another program's",
    arguments: ["fixed", "adaptive"])
  func ordinary(splitting: String) throws {
    let (result, found) = try outcome("ruin", "bankroll: 40\nsamples: 200\nsplitting: \(splitting)")
    // Scenarios/ruin-trip.yaml.
    let exact = try #require(found["probability.exact"])
    #expect(abs(exact - 0.014_377_15) < 1e-8)
    #expect(try result.measurement("probability").interval(at: 0.999).contains(exact))
  }

  @Test("a coin with a drift: what Hall's table says is refused as for the bankroll")
  func refused() {
    #expect(refusal("ruin", "win: 0.1").contains("both a win and a deviation, or neither"))
    #expect(refusal("ruin", "rules: 6d").contains("rules with spl1"))
  }
}
