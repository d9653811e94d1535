// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import ExperimentTestSupport
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import ClubLab

@Suite("Scenarios of the feed")
struct FeedScenarioTests {
  private func plan(_ yaml: String) throws -> ClubFeed {
    try #require(try scenario(yaml, of: ClubFeed.self).plan as? ClubFeed)
  }

  @Test("a fault is usual, or has a rate, a size, or both; those that are not named do not happen")
  func faults() throws {
    let faults = try plan("faults: {renames: usual, late uploads: {hours: 48}, refusals: {rate: 0.1, seconds: 5}}")
      .faults
    #expect(
      faults
        == FaultMix([FeedFault(.renames), FeedFault(.lateUploads, size: 48), FeedFault(.refusals, rate: 0.1, size: 5)]))
    #expect(try plan("faults: none").faults == FaultMix.none)
    #expect(try plan("faults: usual").faults == .usual)
  }

  @Test(
    "what is out of range, unknown or contradictory is refused at its place, with what was expected",
    arguments: [
      ("seasons: 1", "test.yaml:3: seasons: found '1', expected a whole number, 2 to 100,000"),
      ("seasons: 5\nseasons-together: 4", "test.yaml:4: seasons-together: found '4', expected 5 or more"),
      ("club:\n  members: 30\n  weeks: 500", "test.yaml:5: club.weeks: found '500', expected a whole number, 1 to 200"),
      ("fetch: {every: 10s}", "test.yaml:3: fetch.every: found '10s', expected a length of time"),
      ("fetch: {page: 30}", "test.yaml:3: fetch.page: unknown key"),
      ("random: {generator: mt19936}", "(did you mean 'mt19937'?)"),
      ("faults: {late upload: usual}", "test.yaml:3: faults.late upload: unknown key; did you mean 'late uploads'?"),
      ("faults: usually", "test.yaml:3: faults: found 'usually', expected one of usual, none (did you mean 'usual'?)"),
      ("faults: {renames: often}", "test.yaml:3: faults.renames: found 'often', expected one of usual"),
      ("faults:\n  renames:\n    rate: 0", "test.yaml:5: faults.renames.rate: found '0', expected a share above 0 and"),
      (
        "faults: {timeouts: {seconds: 5}}",
        "test.yaml:3: faults.timeouts.seconds: found '5', expected 31 to 3600 seconds"
      ),
      ("faults: {timeouts: {hours: 5}}", "test.yaml:3: faults.timeouts.hours: unknown key"),
      ("fetch: {every: 60s}", "test.yaml:3: fetch.every: found '60s', expected fetches rare enough for the limits"),
      (
        "service: {quarter-hour-limit: 100, daily-limit: 50}",
        "test.yaml:3: service.daily-limit: found '50', expected a daily limit of 100 to 9600"
      ),
      (
        "faults: {refusals: {rate: 0.5}, timeouts: {rate: 0.5}}",
        "test.yaml:3: faults: found a mapping, expected at most 90% of all requests failing"
      ),
    ])
  func refused(yaml: String, problem: String) {
    let text = refusal(yaml, of: ClubFeed.self)
    #expect(text.contains(problem), "\(text)")
  }
}

@Suite("Measures and report of the feed")
struct FeedMeasureTests {
  private static func trial(ledger: (@Sendable () -> any LedgerUnderTest)? = nil) throws -> FeedTrial {
    let faults = FaultMix([FeedFault(.renames, rate: 0.5), FeedFault(.edits)])
    let feed = ClubFeed(
      ClubShape(members: 12, weeks: 1), ServiceShape(depth: 40), faults, interval: 10_800, perPage: 30, ledger: ledger)
    return try FeedTrial(feed.seeded(1, together: 3))
  }

  private static func result(_ trial: FeedTrial) throws -> FeedResult { try #require(try trial.run(workers: 2)) }

  private static func count(_ name: String, in measurements: [Measurement]) throws -> Int {
    let measurement = try #require(measurements.first { $0.measure.fullName == name })
    guard case .count(let count, undecided: 0) = measurement.value else {
      Issue.record("\(name) is \(measurement.value)")
      return -1
    }
    return count
  }

  @Test("the count under any faults is the sum over all variants, and each finds a ledger that doubles")
  func sums() throws {
    let found = try Self.result(try Self.trial { DoublingLedger() }).measurements
    for count in FeedCounts.rows {
      let parts = try ["none", "renames", "edits", "all"].map { try Self.count("\(count.name)[\($0)]", in: found) }
      let isMost = count.name.hasPrefix("feed.most")
      #expect(try Self.count("\(count.name)[any]", in: found) == (isMost ? parts.max() : parts.reduce(0, +)))
      if count.name == "feed.doubleCounts" { #expect(parts.allSatisfy { $0 > 0 }, "\(parts)") }
    }
  }

  @Test("the report has a row and a point for each variant, and states its conditions")
  func report() throws {
    let document = try Self.trial().feed.run(on: RunContext(workers: 2)).document
    let text = document.text()
    #expect(text.hasPrefix("The week ledger over 1 week of a club of 12\n"))
    for name in ["none", "renames", "edits", "all"] { #expect(text.contains("\n\(name) "), "\(name)") }
    #expect(text.contains("2 seasons under each variant of the faults, 3 under the last"))
    #expect(document.figure?.series.first?.points.count == 4)
    #expect(!text.contains("±0.00") && !text.contains("±inf"), "few seasons leave doubt")
    let lines = try #require(document.csv).split(separator: "\n")
    #expect(lines.first == "measure,label,unit,estimate,low,high,confidence,samples")
    #expect(lines.contains { $0.hasPrefix("feed.rightWeek,all,") })
    #expect(lines.contains { $0.hasPrefix("feed.countedFromOutside,edits,rides,") })
  }

  @Test("a threshold on any asks once, one without a label asks of every variant and of any")
  func thresholds() throws {
    func evaluated(_ threshold: String) throws -> [Verdict] {
      let one = try scenario(
        "club: {members: 12, weeks: 1}\nfetch: {every: 3h}\nfaults: {renames: usual}\nseasons: 2\n"
          + "thresholds: ['\(threshold)']", of: ClubFeed.self)
      return one.evaluated(by: try one.plan.run(on: RunContext(workers: 2)).measurements).map(\.verdict)
    }
    #expect(try evaluated("feed.doubleCounts[any] == 0") == [.holds])
    #expect(try evaluated("feed.doubleCounts == 0") == [.holds, .holds, .holds, .holds])
    #expect(try evaluated("feed.misplaced[none] == 0") == [.holds])
    #expect(try evaluated("feed.rightWeek[none] >= 99.9% at 0.999") == [.undecided], "two seasons show little")
    #expect(try evaluated("feed.requests[all] <= 1 at 0.9") == [.undecided], "and of what nothing bounds nothing")
    #expect(throws: ReportingError.self) { try evaluated("feed.doubleCounts[rename] == 0") }
  }
}

/// Counts whatever is listed a second time.
private struct DoublingLedger: LedgerUnderTest {
  private var ledger = WeekLedger(order: .byUploadInPages(of: 30))

  mutating func see(_ listing: FeedListing, at moment: Moment) { ledger.see(listing, at: moment) }

  var weeks: [Week] { ledger.weeks }

  func activities(in week: Week) -> [Activity] { ledger.activities(in: week) + ledger.activities(in: week) }
}
