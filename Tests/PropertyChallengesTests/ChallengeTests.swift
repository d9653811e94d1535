// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyChallenges
import Testing

@Suite("The shrinking challenges")
struct ChallengeTests {
  @Test("there are thirteen of the shrinking challenge and five harder ones, each with a name of its own")
  func names() {
    #expect(Challenges.standard.count == 13)
    #expect(Challenges.harder.count == 5)
    #expect(Set(Challenges.all.map(\.name)).count == 18)
  }

  @Test("each is refuted", arguments: Challenges.all.map(\.name))
  func refuted(name: String) throws {
    let challenge = try #require(Challenges.all.first { $0.name == name })
    let outcome = try challenge.run(seed: 1)
    #expect(outcome.form != nil)
    #expect(outcome.evaluations >= 1)
  }
}
