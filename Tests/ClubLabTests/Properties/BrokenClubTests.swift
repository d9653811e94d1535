// SPDX-License-Identifier: GPL-3.0-or-later
import ClubLab
import PropertyTesting
import Testing

/// A fault put in on purpose, what has to notice it, and how soon.
struct ClubFault: Sendable, CustomTestStringConvertible {
  let subject: String
  let property: String
  /// Within how many cases, from any seed tried.
  let cases: Int
  /// The arguments of the smallest counterexample, where there is only one.
  let smallest: [String]?

  init(_ subject: String, _ property: Int, within cases: Int, _ smallest: String...) {
    self.subject = subject
    self.property = "club.\(property)"
    self.cases = cases
    self.smallest = smallest.isEmpty ? nil : smallest
  }

  var testDescription: String { "\(subject) is caught by \(property) within \(cases) cases" }

  private static let ann = "Ann A. 0.0 m in 0 s"
  private static let bob = "Bob B. 0.0 m in 0 s"

  static let all = sums + standings + trends + ledgers + budgets + readers

  private static let sums = [
    ClubFault("doubles-summed", 1, within: 300, "Ann A. 0.1 m in 0 s; Ann A. 0.2 m in 0 s; Ann A. 0.3 m in 0 s", "0"),
    ClubFault("longest-of-last-page", 2, within: 100, "([Ann A. 0.1 m in 0 s] + [\(ann)])"),
    ClubFault("average-of-averages", 5, within: 100),
    ClubFault("set-of-rides", 9, within: 20, ann, "0"),
    ClubFault("names-by-letter", 6, within: 20, "0", "[.asIs, .lower]"),
    ClubFault("tokens-ignored", 7, within: 20, "Set([0, nil])"),
    ClubFault("spaces-halved", 8, within: 500, "\"   \""),
  ]

  private static let standings = [
    ClubFault("members-dense-ranks", 10, within: 200),
    ClubFault("members-ties-not-shared", 10, within: 200),
    ClubFault("ranks-as-shown", 14, within: 300),
    ClubFault("members-order-of-arrival", 11, within: 200, "\(bob); \(ann)", ".distance"),
    ClubFault("share-of-nothing", 12, within: 100, ann, ".distance"),
  ]

  private static let trends = [
    ClubFault("divided-by-zero", 15, within: 50, "no rides", ".distance"),
    ClubFault("percent-of-this-week", 16, within: 50),
    ClubFault("threshold-included", 16, within: 2000),
  ]

  private static let ledgers = [
    ClubFault("backlog-in-this-week", 18, within: 20, "Mon 0:00: \(ann)"),
    ClubFault("set-of-fingerprints", 19, within: 50, "Mon 0:00: no rides; 1 min later: +[\(ann); \(ann)]"),
    ClubFault("rename-is-new", 19, within: 50),
    ClubFault("forgotten-in-a-fortnight", 19, within: 300),
  ]

  private static let budgets = [
    ClubFault("window-since-first-request", 20, within: 300),
    ClubFault("seam-forgotten", 20, within: 100, "1 a quarter, 1 a day, from 23:45:0: +0 s, +0 s (-1 ms off)"),
    ClubFault("day-forgotten", 21, within: 20, "1 a quarter, 1 a day, from 0:0:0: +0 s, +0 s"),
    ClubFault("lost-requests-free", 20, within: 50, "1 a quarter, 1 a day, from 0:0:0: +0 s, +0 s"),
  ]

  private static let readers = [
    ClubFault("whole-metres", 23, within: 20, "Ann A. 0.1 m in 0 s, Ride, \"\""),
    ClubFault("quotes-not-escaped", 23, within: 1000),
    ClubFault("fast-path-forgives", 26, within: 20),
    ClubFault("chunks-read-alone", 26, within: 100),
  ]
}

@Suite("Broken on purpose, the club core")
struct BrokenClubTests {
  @Test("is caught, and the counterexample is the smallest", arguments: ClubFault.all)
  func caught(fault: ClubFault) throws {
    let subject = try #require(ClubProperties.catalogue.subject(fault.subject))
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
    #expect(ClubFault.all.map(\.subject) == ClubProperties.catalogue.subjects.map(\.name))
  }
}
