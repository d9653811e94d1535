// SPDX-License-Identifier: GPL-3.0-or-later
import LeagueLab
import PropertyTesting
import Testing

@Suite("Limits of the formula")
struct LeagueNotPromisedTests {
  /// The smallest example that the engine finds, from several seeds.
  private func examples(of id: String) throws -> [Counterexample] {
    let property = try #require(LeagueProperties.catalogue.property(id))
    return try (UInt64(0)..<5).map { seed in
      let settings = CheckSettings(cases: 2_000, seed: UInt64(seed))
      return try #require(try property.check(settings).counterexample, "\(id) from seed \(seed)")
    }
  }

  @Test("a new team can swap the ranks of two others: three teams without a game suffice")
  func swap() throws {
    for example in try examples(of: "league.not.1") {
      #expect(example.failure.message.contains("and ranks below it now"))
      #expect(example.arguments[0].count(where: { $0 == ";" }) == 2, "\(example.arguments)")
    }
  }

  @Test("a team can win a game and lose score, because conceded points count")
  func costlyWin() throws {
    for example in try examples(of: "league.not.2") {
      #expect(example.failure.message.hasPrefix("its score falls from"))
      #expect(!example.arguments[0].contains(";"), "\(example.arguments)")
    }
  }
}
