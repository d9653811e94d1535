// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import ClubLab

@Suite("Measures of the judged feed")
struct FeedMeasureTests {
  private static func trial(
    _ faults: FaultMix, subject: (@Sendable () -> any FeedSubject)? = nil
  ) throws -> FeedTrial {
    let setting = try FeedSetting(
      club: ClubShape(members: 12, weeks: 1), service: ServiceShape(depth: 40), faults: faults, interval: 10_800,
      perPage: 30)
    return try FeedTrial(setting, seasons: 2, together: 3, seed: 1, subject: subject)
  }

  private static func measurements(_ trial: FeedTrial) throws -> [Measurement] {
    let result = try #require(try trial.run(workers: 2))
    return FeedMeasure.all(of: trial.variants).compactMap { $0.found(in: result) }
  }

  private static func count(_ name: String, in measurements: [Measurement]) throws -> Int {
    let measurement = try #require(measurements.first { $0.measure.fullName == name })
    guard case .count(let count, undecided: 0) = measurement.value else {
      Issue.record("\(name) is \(measurement.value)")
      return -1
    }
    return count
  }

  private static let two = Result { try FaultMix([FeedFault(.renames, rate: 0.5), FeedFault(.edits)]) }

  @Test("every quantity is measured of each variant, and every count of each and of any; names are unique")
  func names() {
    let measures = FeedMeasure.all(of: FeedVariant.all(of: .usual)).map(\.measure)
    let variants = FeedFault.Kind.allCases.count + 2
    #expect(
      measures.count == FeedQuantity.allCases.count * variants + FeedMeasure.Count.allCases.count * (variants + 1))
    #expect(Set(measures.map(\.fullName)).count == measures.count)
    let names = Set(measures.map(\.fullName))
    for name in ["rightWeek[all]", "rightWeek[none]", "doubleCounts[late uploads]", "split[any]"] {
      #expect(names.contains("feed.\(name)"))
    }
    #expect(!names.contains("feed.rightWeek[any]"), "seasons of different faults have no common mean")
  }

  @Test("what is measured is what was said to be, in its order, less what there was nothing to take of")
  func found() throws {
    let trial = try Self.trial(try Self.two.get())
    let said = FeedMeasure.all(of: trial.variants).map(\.measure)
    let found = Set(try Self.measurements(trial).map(\.measure))
    #expect(try Self.measurements(trial).map(\.measure) == said.filter { found.contains($0) })
    #expect(said.filter { $0.nature == .count }.allSatisfy { found.contains($0) })
    let named = Set(found.map(\.fullName))
    #expect(trial.variants.allSatisfy { named.contains("feed.rightWeek[\($0.name)]") })
  }

  @Test("what is counted under any faults is the sum over all variants, and a ledger that doubles is told by each")
  func sums() throws {
    let found = try Self.measurements(try Self.trial(try Self.two.get()) { DoublingLedger() })
    for count in FeedMeasure.Count.allCases {
      let parts = try ["none", "renames", "edits", "all"].map {
        try Self.count("feed.\(count.rawValue)[\($0)]", in: found)
      }
      #expect(try Self.count("feed.\(count.rawValue)[any]", in: found) == parts.reduce(0, +))
      if count == .doubleCounts { #expect(parts.allSatisfy { $0 > 0 }, "\(parts)") }
    }
  }

  @Test("a threshold on any asks once, one without a label asks of every variant and of any")
  func thresholds() throws {
    func judged(_ threshold: String) throws -> [Judgement] {
      let yaml =
        "name: F\nkind: club.feed\nclub: {members: 12, weeks: 1}\nfetch: {every: 10800}\nfaults: {renames: usual}\n"
        + "seasons: 2\nthresholds: ['\(threshold)']\n"
      let one = try Scenario(ScenarioDocument(yaml: yaml, file: "f.yaml"), kinds: ClubScenarios.kinds)
      return one.judged(by: try one.plan.run(on: ScenarioBench(workers: 2)).measurements).map(\.judgement)
    }
    #expect(try judged("feed.doubleCounts[any] == 0") == [.holds])
    #expect(try judged("feed.doubleCounts == 0") == [.holds, .holds, .holds, .holds])
    #expect(try judged("feed.requests[all] <= 1 at 0.9") == [.fails])
    #expect(throws: ReportingError.self) { try judged("feed.doubleCounts[rename] == 0") }
  }
}

/// Counts whatever is listed a second time.
private struct DoublingLedger: FeedSubject {
  private var ledger = WeekLedger(order: .byUploadInPages(of: 30))

  mutating func see(_ listing: FeedListing, at moment: Moment) { ledger.see(listing, at: moment) }

  func activities(in week: Week) -> [Activity] { ledger.activities(in: week) + ledger.activities(in: week) }
}
