// SPDX-License-Identifier: GPL-3.0-or-later
import LeagueLab
import PropertyTesting
import PropertyTestingHost
import Testing

/// The faults that are put into the league core on purpose, each with the property that notices it.
private enum Planted {
  static let all: [PlantedFault] = [
    fault("as-first-sketched", 1, within: 20, #""A" 0-0, 0 : 0"#),
    fault("tie-counts-nothing", 1, within: 50, #""A" 0-0-1, 0 : 0"#),
    fault("tie-counts-whole", 1, within: 50, #""A" 0-0-1, 0 : 0"#),
    fault("half-before-play", 3, within: 20, #"["A"]"#),
    fault("maxima-of-first", 1, within: 50),
    fault("maxima-mixed", 1, within: 50),
    fault("sign-lost", 1, within: 100, #""A" 0-0, 0 : 1; "B" 0-0, 0 : -1"#),
    fault("whole-points", 1, within: 100, #""A" 0-0, 0 : 0.001"#),
    fault("weights-swapped", 1, within: 20, #""A" 0-0, 0 : 0"#),
    fault("conceded-counts-for", 1, within: 20, #""A" 0-0, 0 : 0"#),
    fault("ties-not-shared", 3, within: 20, #"["A", "A"]"#),
    fault("dense-ranks", 5, within: 200),
    fault("rounded-ties", 5, within: 5000),
    fault("order-of-arrival", 7, within: 300),
    fault("duplicates-ranked", 15, within: 20, #""A" 0-0, 0 : 0"#),
    fault("ranker-remembers", 10, within: 100),
    fault("tie-lost-by-second", 16, within: 50, "2 teams: 1 v 0 100:100"),
    fault("sides-swapped", 17, within: 50, "2 teams: 1 v 0 100:101"),
    fault("streak-never-ends", 17, within: 50, "2 teams: 1 v 0 100:100, 1 v 0 100:101"),
    fault("points-cut-off", 18, within: 300),
    fault("nan-is-zero", 19, within: 50),
    fault("nameless-error", 19, within: 20),
  ]

  private static func fault(_ subject: String, _ property: Int, within cases: Int, _ smallest: String...)
    -> PlantedFault
  {
    PlantedFault(subject, caughtBy: "league.\(property)", within: cases, smallest: smallest)
  }
}

@Suite("Broken on purpose, the league core")
struct BrokenLeagueTests {
  @Test("is caught, and the counterexample is the smallest", arguments: Planted.all)
  func caught(fault: PlantedFault) throws {
    try fault.expectCaught(in: LeagueProperties.catalogue)
  }

  @Test("every subject of the catalogue is held to its property")
  func complete() {
    #expect(Planted.all.map(\.subject) == LeagueProperties.catalogue.subjects.map(\.name))
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
