// SPDX-License-Identifier: GPL-3.0-or-later
import LeagueLab
import PropertyTesting
import Testing

/// A fault put in on purpose, what has to notice it, and how soon.
struct LeagueFault: Sendable, CustomTestStringConvertible {
  let subject: String
  let property: String
  /// Within how many cases, from any seed tried.
  let cases: Int
  /// The arguments of the smallest counterexample, where there is only one.
  let smallest: [String]?

  init(_ subject: String, _ property: Int, within cases: Int, _ smallest: String...) {
    self.subject = subject
    self.property = "league.\(property)"
    self.cases = cases
    self.smallest = smallest.isEmpty ? nil : smallest
  }

  var testDescription: String { "\(subject) is caught by \(property) within \(cases) cases" }

  static let all = [
    LeagueFault("as-first-sketched", 1, within: 20, #""A" 0-0, 0 : 0"#),
    LeagueFault("tie-counts-nothing", 1, within: 50, #""A" 0-0-1, 0 : 0"#),
    LeagueFault("tie-counts-whole", 1, within: 50, #""A" 0-0-1, 0 : 0"#),
    LeagueFault("half-before-play", 3, within: 20, #"["A"]"#),
    LeagueFault("maxima-of-first", 1, within: 50),
    LeagueFault("maxima-mixed", 1, within: 50),
    LeagueFault("sign-lost", 1, within: 100, #""A" 0-0, 0 : 1; "B" 0-0, 0 : -1"#),
    LeagueFault("whole-points", 1, within: 100, #""A" 0-0, 0 : 0.001"#),
    LeagueFault("weights-swapped", 1, within: 20, #""A" 0-0, 0 : 0"#),
    LeagueFault("conceded-counts-for", 1, within: 20, #""A" 0-0, 0 : 0"#),
    LeagueFault("ties-not-shared", 3, within: 20, #"["A", "A"]"#),
    LeagueFault("dense-ranks", 5, within: 200),
    LeagueFault("rounded-ties", 5, within: 5000),
    LeagueFault("order-of-arrival", 7, within: 300),
    LeagueFault("duplicates-ranked", 15, within: 20, #""A" 0-0, 0 : 0"#),
    LeagueFault("ranker-remembers", 10, within: 100),
    LeagueFault("tie-lost-by-second", 16, within: 50, "2 teams: 1 v 0 100:100"),
    LeagueFault("sides-swapped", 17, within: 50, "2 teams: 1 v 0 100:101"),
    LeagueFault("streak-never-ends", 17, within: 50, "2 teams: 1 v 0 100:100, 1 v 0 100:101"),
    LeagueFault("points-cut-off", 18, within: 300),
    LeagueFault("nan-is-zero", 19, within: 50),
    LeagueFault("nameless-error", 19, within: 20),
  ]
}

@Suite("Broken on purpose, the league core")
struct BrokenLeagueTests {
  @Test("is caught, and the counterexample is the smallest", arguments: LeagueFault.all)
  func caught(fault: LeagueFault) throws {
    let subject = try #require(LeagueProperties.catalogue.subject(fault.subject))
    let property = try #require(subject.properties.first { $0.id == fault.property })
    for seed in 0..<3 {
      var settings = CheckSettings()
      settings.cases = fault.cases
      settings.seed = UInt64(seed)
      settings.explains = false
      let report = try property.check(settings)
      let counterexample = try #require(report.counterexample, "not caught from seed \(seed)")
      if let smallest = fault.smallest { #expect(counterexample.arguments == smallest) }
    }
  }

  @Test("every subject of the catalogue is held to its property")
  func complete() {
    #expect(LeagueFault.all.map(\.subject) == LeagueProperties.catalogue.subjects.map(\.name))
  }

  @Test(
    "the formula as first sketched fails in many ways: no value, out of bounds, ties, order, negative points, twins",
    arguments: [1, 2, 3, 5, 8, 12, 15])
  func sketch(property: Int) throws {
    let subject = try #require(LeagueProperties.catalogue.subject("as-first-sketched"))
    let property = try #require(subject.properties.first { $0.id == "league.\(property)" })
    #expect(try property.check().counterexample != nil)
  }
}
