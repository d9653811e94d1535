// SPDX-License-Identifier: Apache-2.0
import Foundation
import PropertyTesting
import Testing

@Suite("Cases with relations between their parts")
struct RelatedCasesTests {
  /// The mean number of cases until a claim is refuted, over forty seeds; nil where a seed finds nothing.
  private func meanCases(_ search: (CheckSettings) throws -> CheckReport) throws -> Double? {
    var total = 0
    for seed in 0..<40 as Range<UInt64> {
      let settings = CheckSettings(cases: 20_000, seed: seed, shrinkLimit: 0, explains: false)
      guard let found = try search(settings).counterexample?.casesUntilFound else { return nil }
      total += found
    }
    return Double(total) / 40
  }

  // Each bound is what Hypothesis needs on average.

  @Test("show a number that is three times another and seven")
  func multiple() throws {
    let mean = try meanCases { try search(.integers(), Gen<Int>.integers(), settings: $0) { $0 != 3 &* $1 &+ 7 } }
    #expect(try #require(mean) < 1643)
  }

  @Test("show a text that is another one reversed")
  func reversed() throws {
    let mean = try meanCases {
      try search(.strings(), Gen<String>.strings(), settings: $0) { $0.count < 3 || $0 != String($1.reversed()) }
    }
    #expect(try #require(mean) < 131)
  }

  @Test("show a list whose sum is twice its last element")
  func sum() throws {
    let mean = try meanCases {
      try search(.arrays(of: Gen<Int>.integers()), settings: $0) { list in
        list.count < 3 || list.reduce(0, &+) != 2 &* list[list.count - 1]
      }
    }
    #expect(try #require(mean) < 23)
  }

  @Test("and dates next to a clock change include days without 24 hours")
  func clocks() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let berlin = calendar
    let mean = try meanCases {
      try search(.dates(), settings: $0) { date in
        berlin.component(.hour, from: date) == berlin.component(.hour, from: date.addingTimeInterval(86_400))
      }
    }
    #expect(try #require(mean) < 193)
  }

  @Test("are cases that the generators can make", arguments: 0..<20 as Range<UInt64>)
  func allowed(seed: UInt64) throws {
    let sorted = Gen.arrays(of: Gen<Int>.integers(in: 10...5000), count: 2...9).filter { $0 == $0.sorted() }
    let report = try search(
      sorted, .integers(in: 0...2000), .integers(in: -1...4000), settings: CheckSettings(cases: 500, seed: seed)
    ) { list, one, other in
      list == list.sorted() && (2...9).contains(list.count) && list.allSatisfy((10...5000).contains)
        && (0...2000).contains(one) && (-1...4000).contains(other)
    }
    #expect(report.isHeld)
  }
}
