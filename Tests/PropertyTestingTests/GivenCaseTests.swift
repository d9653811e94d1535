// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTesting
import Synchronization
import Testing

@Suite("Given cases")
struct GivenCaseTests {
  private static let numbers = Gen.arrays(of: Gen<Int>.integers())

  @Test("come first, in their order, before random cases")
  func order() throws {
    let seen = Mutex<[Int]>([])
    let report = try search(Gen<Int>.integers(in: 0...9).given(700, 800), settings: CheckSettings(cases: 50)) {
      number in
      seen.withLock { $0.append(number) }
    }
    let drawn = seen.withLock { $0 }
    #expect(report.passed == 50 && Array(drawn.prefix(2)) == [700, 800])
    #expect(drawn.dropFirst(2).allSatisfy { $0 < 10 })
  }

  @Test("are all tried even if fewer cases are requested")
  func several() throws {
    let seen = Mutex<[(Int, String)]>([])
    _ = try search(
      Gen<Int>.integers(in: 0...9).given(700, 800, 900), Gen<String>.strings().given("a"),
      settings: CheckSettings(cases: 1)
    ) { number, text in seen.withLock { $0.append((number, text)) } }
    let drawn = seen.withLock { $0 }
    #expect(drawn.map(\.0) == [700, 800, 900] && drawn.first?.1 == "a")
  }

  @Test("shrink where the generator can make them, without a search by chance")
  func shrinks() throws {
    // No random case has this fault: only the given one shows the way.
    let report = try search(Self.numbers.given([7, 1_234_567_890_123, -5, 12]), settings: CheckSettings(cases: 1)) {
      numbers in
      try require(!numbers.contains { $0 > 1_234_567_890_000 && $0 % 1000 == 123 }, "a rare number")
    }
    let found = try #require(report.counterexample)
    #expect(found.arguments == ["[1234567890123]"] && found.wasGiven && found.isShrunk)
    #expect(report.summary == "false, found in case 1, with a given value")
  }

  struct Point: Equatable {
    let name: String
    let index: Double
    let tags: [Bool?]
  }

  private static let points = zip(
    Gen<String>.strings(), Gen<Double>.doubles(), Gen.arrays(of: Gen.optionals(of: Gen<Bool>.booleans()))
  ).map { Point(name: $0, index: $1, tags: $2) }

  @Test(
    "are found among texts, numbers, alternatives and what is made of them",
    arguments: [
      ("", 0, []), ("zoë", -2.75, [true]), ("Straße 7", 1e300, [nil, true, false, nil]), ("\n\"", 0.1, [false, false]),
    ] as [(String, Double, [Bool?])])
  func inverted(name: String, index: Double, tags: [Bool?]) throws {
    let point = Point(name: name, index: index, tags: tags)
    let report = try search(Self.points.given(point)) { _ in throw Failure("always", origin: "here") }
    let sequence = try #require(report.counterexample?.original)
    let trial = Trial(Self.points.given(point)) { _ in }
    var draws = ChoiceSource(seed: 1)
    var search = GivenSearch(trial, like: sequence, &draws)
    let choices = search.run(&draws)
    let found = try #require(choices)
    #expect(found.givens == 0)
    draws.begin(reading: found)
    let outlines = trial.outline(&draws)
    #expect(outlines == [ValueOutline(point)])
  }

  @Test("are found among dates, and shrink next to them")
  func dates() throws {
    let day = Date(timeIntervalSince1970: 1_710_037_800)
    let shifts = zip(Gen<Date>.dates(), Gen<Int>.integers(in: 1...1_000_000_000)).given((day, 123_456_789))
    let report = try search(shifts, settings: CheckSettings(cases: 1)) { date, length in
      try require(date != day || length < 1000, "a shift is long")
    }
    let shown = "(Date(timeIntervalSince1970: 1710037800) /* 2024-03-10 02:30:00 +0000 */, 1000)"
    #expect(report.counterexample?.arguments == [shown])
  }

  @Test("are reported as given if no choices make them, and their token replays")
  func asGiven() throws {
    let squares = Gen<Int>.integers(in: 0...1_000_000).map { $0 * $0 }.given(12_345 * 12_345)
    let property = Property("given.1", "Squares are small", squares) { try require($0 < 1000, "\($0) is large") }
    let report = try property.check(CheckSettings(cases: 1))
    let found = try #require(report.counterexample)
    #expect(found.arguments == ["152399025"])
    #expect(report.text().contains("  as given: no choices of the generators were found that produce it\n"))
    let token = try ReplayToken(parsing: ReplayToken(property: "given.1", choices: found.choices).description)
    guard case .failed(let failure, _, _) = try property.replay(token) else {
      Issue.record("it does not fail")
      return
    }
    #expect(failure.message == "152399025 is large")
  }

  @Test("with another number of given values a stored given case is stale")
  func stale() throws {
    func property(_ numbers: Gen<Int>) -> Property {
      Property("given.2", "Numbers are small", numbers.map { $0 * $0 }.given(4_000_000)) { try require($0 < 1000) }
    }
    let report = try property(.integers(in: 0...1_000_000).given(1)).check(CheckSettings(cases: 1))
    let token = ReplayToken(property: "given.2", choices: try #require(report.counterexample?.original))
    #expect(try property(.integers(in: 0...1_000_000).given(1)).replay(token) != .stale)
    let changed = Property(
      "given.2", "Numbers are small", Gen<Int>.integers(in: 0...1_000_000).map { $0 * $0 }.given(4_000_000, 9)
    ) { try require($0 < 1000) }
    #expect(try changed.replay(token) == .stale)
  }
}

@Suite("Several faults in one run")
struct SeveralFaultTests {
  private struct Broken: Error {}

  private static let property = Property(
    "several.1", "Nothing is wrong", arguments: ["number", "other"], Gen<Int>.integers(in: 0...1000),
    Gen<Int>.integers(in: 0...1000)
  ) { number, other in
    if number > 900 { throw Failure("\(number) is too great", origin: "first") }
    if other > 700 { throw Failure("\(other) is too great", origin: "second") }
    if number > 500, other > 400 { throw Broken() }
  }

  @Test(
    "are distinguished by their places and the types of their errors, each as simple as it can be, with its own token")
  func several() throws {
    let report = try Self.property.check(CheckSettings(cases: 1000, failures: 10))
    let found = report.counterexamples
    #expect(Set(found.map(\.failure.origin)) == ["first", "second", "Broken"])
    let simplest = ["first": ["901", "0"], "second": ["0", "701"], "Broken": ["501", "401"]]
    for one in found {
      #expect(one.arguments == simplest[one.failure.origin])
      let token = ReplayToken(property: "several.1", choices: one.choices)
      #expect(try Self.property.replay(token) == .failed(one.failure, arguments: one.arguments))
    }
    #expect(report.text().components(separatedBy: "also false in another way, found in case").count == 3)
  }

  @Test("are as many as requested")
  func maximum() throws {
    #expect(try Self.property.check(CheckSettings(cases: 1000)).counterexamples.count == 1)
    #expect(try Self.property.check(CheckSettings(cases: 1000, failures: 2)).counterexamples.count == 2)
    enum Refusal: Error { case large(Int), odd }
    let report = try search(Gen<Int>.integers(in: 0...9), settings: CheckSettings(failures: 5)) { number in
      if number > 5 { throw Refusal.large(number) }
      if number % 2 == 1 { throw Refusal.odd }
    }
    #expect(Set(report.counterexamples.map(\.failure.origin)) == ["Refusal.large", "Refusal.odd"])
    #expect(report.counterexamples.map(\.arguments).sorted { $0[0] < $1[0] } == [["1"], ["6"]])
    #expect(throws: CheckError.badSetting(name: "failures", value: "0", expected: "a number of at least 1")) {
      try Self.property.check(CheckSettings(failures: 0))
    }
  }
}
