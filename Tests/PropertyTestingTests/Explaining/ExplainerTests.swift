// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("The explanation of a counterexample")
struct ExplainerTests {
  struct Team: Sendable {
    let name: String
    let points: Int
  }

  private static let team = Gen<Team>({ draws in
    Team(
      name: String(try draws.draw(.arrays(of: .elements(of: Array("abc")), count: 1...5))),
      points: try draws.draw(.integers(in: 0...1000)))
  })

  private func irrelevant(_ property: Property) throws -> [String] {
    var settings = CheckSettings()
    settings.cases = 1000
    let report = try property.check(settings)
    return try #require(report.counterexample).irrelevant
  }

  @Test("names the argument that does not matter")
  func argument() throws {
    let property = Property(
      "test.weeks", "Few points", arguments: ["points", "weeks"], Gen.integers(in: 0...100), Gen.integers(in: 1...52)
    ) { points, _ in try claim(points < 40) }
    #expect(try irrelevant(property) == ["weeks can be anything"])
  }

  @Test("numbers arguments without names")
  func number() throws {
    let property = Property("test.weeks", "Few points", Gen.integers(in: 0...100), Gen.booleans()) { points, _ in
      try claim(points < 40)
    }
    #expect(try irrelevant(property) == ["argument 2 can be anything"])
  }

  @Test("says nothing about a part that shows nowhere of its own: the whole matters")
  func opaque() throws {
    struct Score: Sendable, CustomStringConvertible {
      let name: String
      let points: Int
      var description: String { "\(name) \(points)" }
    }
    let score = Gen<Score>({ draws in
      let name = try draws.draw(.elements(of: ["a", "b", "c"]))
      return Score(name: name, points: try draws.draw(.integers(in: 0...1000)))
    })
    let property = Property("test.opaque", "Low scores", arguments: ["score"], score) { try claim($0.points < 900) }
    #expect(try irrelevant(property) == [])
  }

  @Test("names the field of the element of an array")
  func field() throws {
    let property = Property(
      "test.teams", "No two strong teams", arguments: ["teams"], .arrays(of: Self.team, count: 0...6)
    ) { teams in
      try claim(teams.count(where: { $0.points > 700 }) < 2, "two strong teams")
    }
    #expect(try irrelevant(property) == ["teams[0].name can be anything", "teams[1].name can be anything"])
  }

  @Test("says nothing where everything matters, or cannot be anything else")
  func nothing() throws {
    let property = Property(
      "test.sum", "Sums are small", Gen.integers(in: 0...100), Gen.integers(in: 0...100), Gen.integers(in: 7...7),
      Gen.just(8)
    ) { left, right, _, _ in
      try claim(left + right < 195)
    }
    #expect(try irrelevant(property).isEmpty)
  }

  @Test("does not mistake arguments for each other when one draws nothing")
  func just() throws {
    let property = Property(
      "test.just", "Few points", Gen.just("x"), Gen.integers(in: 0...100), Gen.integers(in: 1...52)
    ) { _, points, _ in try claim(points < 40) }
    #expect(try irrelevant(property) == ["argument 3 can be anything"])
  }

  @Test("says when parts do not matter one at a time only")
  func together() throws {
    // Each may be anything while the other is 0, but not both.
    let property = Property("test.two", "Neither is 0", Gen.integers(in: 0...9), Gen.integers(in: 0...9)) {
      try claim($0 != 0 && $1 != 0, "one is 0")
    }
    #expect(
      try irrelevant(property) == [
        "argument 1 can be anything, the others as they are", "argument 2 can be anything, the others as they are",
      ])
  }

  @Test("costs runs that are counted apart, and can be left out")
  func cost() throws {
    func check(_ explains: Bool) throws -> (Counterexample, runs: Int) {
      let runs = Mutex(0)
      var settings = CheckSettings()
      (settings.cases, settings.explains) = (1000, explains)
      let report = try search(Gen.integers(in: 0...100), Gen.booleans(), settings: settings) { number, _ in
        runs.withLock { $0 += 1 }
        try claim(number < 50)
      }
      return (try #require(report.counterexample), runs.withLock { $0 })
    }
    let (with, without) = (try check(true), try check(false))
    #expect(with.0.evaluations == without.0.evaluations)
    #expect(without.0.explainEvaluations == 0)
    #expect(without.0.irrelevant.isEmpty)
    #expect(with.0.explainEvaluations >= Explainer.tries)
    #expect(with.runs - without.runs == with.0.explainEvaluations)
  }
}
