// SPDX-License-Identifier: GPL-3.0-or-later
import ClubLab
import PropertyTesting
import PropertyTestingHost
import Testing

/// The faults that are put into the club core on purpose, each with the property that notices it.
private enum Planted {
  private static let ann = "Ann A. 0.0 m in 0 s"
  private static let bob = "Bob B. 0.0 m in 0 s"

  static let all = sums + standings + trends + ledgers + budgets + readers

  private static let sums: [PlantedFault] = [
    fault("doubles-summed", 1, within: 300, "Ann A. 0.1 m in 0 s; Ann A. 0.2 m in 0 s; Ann A. 0.3 m in 0 s", "0"),
    fault("longest-of-last-page", 2, within: 100, "([Ann A. 0.1 m in 0 s] + [\(ann)])"),
    fault("average-of-averages", 5, within: 100),
    fault("set-of-rides", 9, within: 20, ann, "0"),
    fault("names-by-letter", 6, within: 20, "0", "[.asIs, .lower]"),
    fault("tokens-ignored", 7, within: 20, "Set([0, nil])"),
    fault("spaces-halved", 8, within: 500, "\"   \""),
  ]

  private static let standings: [PlantedFault] = [
    fault("members-dense-ranks", 10, within: 200),
    fault("members-ties-not-shared", 10, within: 200),
    fault("ranks-as-shown", 14, within: 300),
    fault("members-order-of-arrival", 11, within: 200, "\(bob); \(ann)", ".distance"),
    fault("share-of-nothing", 12, within: 100, ann, ".distance"),
  ]

  private static let trends: [PlantedFault] = [
    fault("divided-by-zero", 15, within: 50, "no rides", ".distance"),
    fault("percent-of-this-week", 16, within: 50),
    fault("threshold-included", 16, within: 2000),
  ]

  private static let ledgers: [PlantedFault] = [
    fault("backlog-in-this-week", 18, within: 20, "Mon 0:00: \(ann)"),
    fault("set-of-fingerprints", 19, within: 50, "Mon 0:00: no rides; 1 min later: +[\(ann); \(ann)]"),
    fault("rename-is-new", 19, within: 50),
    fault("forgotten-in-a-fortnight", 19, within: 300),
  ]

  private static let budgets: [PlantedFault] = [
    fault("window-since-first-request", 20, within: 300),
    fault("seam-forgotten", 20, within: 100, "1 a quarter, 1 a day, from 23:45:0: +0 s, +0 s (-1 ms off)"),
    fault("day-forgotten", 21, within: 20, "1 a quarter, 1 a day, from 0:0:0: +0 s, +0 s"),
    fault("lost-requests-free", 20, within: 50, "1 a quarter, 1 a day, from 0:0:0: +0 s, +0 s"),
  ]

  private static let readers: [PlantedFault] = [
    fault("whole-metres", 23, within: 20, "Ann A. 0.1 m in 0 s, Ride, \"\""),
    fault("quotes-not-escaped", 23, within: 1000),
    fault("fast-path-forgives", 26, within: 20),
    fault("chunks-read-alone", 26, within: 100),
  ]

  private static func fault(_ subject: String, _ property: Int, within cases: Int, _ smallest: String...)
    -> PlantedFault
  {
    PlantedFault(subject, caughtBy: "club.\(property)", within: cases, smallest: smallest)
  }
}

@Suite("Broken on purpose, the club core")
struct BrokenClubTests {
  @Test("is caught, and the counterexample is the smallest", arguments: Planted.all)
  func caught(fault: PlantedFault) throws {
    try fault.expectCaught(in: ClubProperties.catalogue)
  }

  @Test("every subject of the catalogue is held to its property")
  func complete() {
    #expect(Planted.all.map(\.subject) == ClubProperties.catalogue.subjects.map(\.name))
  }
}
