// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import ClubLab

@Suite("Scenarios of the judged feed")
struct FeedScenarioTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    let document = try ScenarioDocument(yaml: "name: Feed\nkind: club.feed\n\(yaml)\n", file: "s.yaml")
    return try Scenario(document, kinds: ClubScenarios.kinds)
  }

  private func plan(_ yaml: String) throws -> FeedPlan { try #require(try scenario(yaml).plan as? FeedPlan) }

  /// Two faults, so four variants, of one short week each.
  private static let small = """
    club: {members: 12, weeks: 1}
    service: {depth: 40}
    fetch: {every: 10800, page: 30}
    faults: {edits: {rate: 0.3}, truncated bodies: usual}
    seasons: 2
    together: 3
    """

  @Test("what is not said is an hourly fetch of every usual fault, ten seasons under each")
  func defaults() throws {
    let plan = try plan("")
    #expect(plan.setting.club.members == 30 && plan.setting.club.weeks == 6)
    #expect(plan.setting.service.order == .uploadInPages && plan.setting.service.depth == 90)
    #expect(plan.setting.interval == 3600 && plan.setting.perPage == 60 && plan.setting.pages == nil)
    #expect(plan.setting.faults == .usual)
    #expect(plan.seasons == 10 && plan.together == 10 && plan.seed == 1 && plan.confidence == 0.99)
  }

  @Test("every default is written out, and reading that gives the same plan")
  func resolved() throws {
    let written = """
      service: {order: start, depth: 100, window: 50, day: 700, latency: 20}
      fetch: {every: 7200, page: 50, pages: 2}
      faults: none
      random: {generator: taus2, seed: 9}
      confidence: 0.95
      """
    for yaml in ["", Self.small, written] {
      let one = try scenario(yaml)
      let again = try Scenario(ScenarioDocument(yaml: one.resolved, file: "again.yaml"), kinds: ClubScenarios.kinds)
      #expect(again.resolved == one.resolved && again.digest == one.digest)
      let (first, second) = (try #require(one.plan as? FeedPlan), try #require(again.plan as? FeedPlan))
      #expect(second.setting == first.setting)
      #expect((second.seasons, second.together) == (first.seasons, first.together))
      #expect((second.seed, second.generator) == (first.seed, first.generator))
      #expect(second.confidence == first.confidence)
    }
  }

  @Test("a fault is usual, or has a rate, a size, or both; those that are not named do not happen")
  func faults() throws {
    let faults = try plan("faults: {renames: usual, late uploads: {hours: 48}, refusals: {rate: 0.1, seconds: 5}}")
      .setting.faults
    #expect(
      try faults
        == FaultMix([FeedFault(.renames), FeedFault(.lateUploads, size: 48), FeedFault(.refusals, rate: 0.1, size: 5)]))
    #expect(try plan("faults: none").setting.faults == FaultMix.none)
    #expect(try plan("faults: usual").setting.faults == .usual)
  }

  @Test(
    "what a key does not mean is refused with its line and field, what was found, and what was expected",
    arguments: [
      ("seasons: 1", "s.yaml:3: seasons: found '1', expected a whole number, 2 to 100000"),
      ("seasons: 5\ntogether: 4", "s.yaml:4: together: found '4', expected a whole number, 5 to 100000"),
      ("confidence: 1", "s.yaml:3: confidence: found '1', expected a probability between 0 and 1"),
      ("club:\n  members: 30\n  weeks: 500", "s.yaml:5: club.weeks: found 500, expected 1 to 200 weeks"),
      ("club: {members: 0}", "s.yaml:3: club.members: found 0, expected 1 to 10000000"),
      ("club: {rides: many}", "s.yaml:3: club.rides: found 'many', expected a number"),
      ("service: {depth: 3}", "s.yaml:3: service.depth: found 3, expected 30 to 10000 activities"),
      ("service: {order: newest}", "s.yaml:3: service.order: found 'newest', expected one of start, upload,"),
      ("fetch: {every: 10}", "s.yaml:3: fetch.every: found 10, expected 60 to 604800 seconds"),
      ("fetch: {page: 201}", "s.yaml:3: fetch.page: found 201, expected 30 to 200 activities"),
      ("fetch: {pages: 0}", "s.yaml:3: fetch.pages: found 0, expected 1 to 1000 pages"),
      ("random: {generator: mt19936}", "(did you mean 'mt19937'?)"),
      ("season: 5", "s.yaml:3: season: unknown key; did you mean 'seasons'?"),
      ("club: {member: 5}", "s.yaml:3: club.member: unknown key; did you mean 'members'?"),
    ])
  func refused(yaml: String, problem: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect(error.description.contains(problem), "\(error)")
  }

  @Test(
    "a fault that nobody knows has the nearest named, and one that cannot be is refused by its rate or size",
    arguments: [
      ("faults: {late upload: usual}", "s.yaml:3: faults.late upload: unknown key; did you mean 'late uploads'?"),
      ("faults: usually", "s.yaml:3: faults: found 'usually', expected one of usual, none (did you mean 'usual'?)"),
      ("faults: {renames: often}", "s.yaml:3: faults.renames: found 'often', expected one of usual"),
      ("faults:\n  renames:\n    rate: 0", "s.yaml:5: faults.renames.rate: found '0', expected a share above 0 and"),
      (
        "faults: {timeouts: {seconds: 5}}",
        "s.yaml:3: faults.timeouts.seconds: found '5', expected 31 to 3600 seconds"
      ),
      ("faults: {timeouts: {hours: 5}}", "s.yaml:3: faults.timeouts.hours: unknown key"),
    ])
  func refusedFault(yaml: String, problem: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect(error.description.contains(problem), "\(error)")
  }

  @Test(
    "values that contradict each other are refused, with what they come to",
    arguments: [
      (
        "fetch: {every: 60}",
        "s.yaml:3: fetch.every: found 60 s, which takes 75 requests in a quarter of an hour and 7200 in a day"
      ),
      ("service: {window: 2, day: 10}\nfetch: {page: 60}", "s.yaml:4: fetch: found every: 3600 s, which takes"),
      ("service: {window: 2, day: 10}", "fetch: found nothing, expected every: a budget of 2 and 10 to suffice; it is"),
      ("service: {window: 100, day: 50}", "s.yaml:3: service.day: found 50, expected 100 to 9600 requests"),
      (
        "faults: {refusals: {rate: 0.5}, timeouts: {rate: 0.5}}",
        "s.yaml:3: faults: found timeouts.rate: 1.0 of all requests failing by refusals, timeouts, expected at most 0.9"
      ),
    ])
  func contradiction(yaml: String, problem: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect(error.description.contains(problem), "\(error)")
  }

  @Test("the result is the same at 1, 2 and 7 workers, and another with another seed")
  func workers() throws {
    let plan = try scenario(Self.small).plan
    func determined(_ result: ScenarioResult) -> String {
      JSONValue.array(result.measurements.map(\.json) + [result.data]).text + result.text
        + result.files.map(\.content).joined()
    }
    let one = try plan.run(on: ScenarioBench(workers: 1))
    for workers in [2, 7] {
      let other = try plan.run(on: ScenarioBench(workers: workers))
      #expect(determined(other) == determined(one))
      #expect(other.sections == one.sections)
    }
    let elsewhere = try scenario(Self.small + "\nrandom: {seed: 2}").plan.run(on: ScenarioBench(workers: 2))
    #expect(determined(elsewhere) != determined(one))
  }

  @Test("what an interruption leaves is said to be incomplete")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let one = try scenario(Self.small + "\nthresholds: ['feed.doubleCounts[any] == 0']")
    let result = try one.plan.run(on: ScenarioBench(workers: 1, interrupt: interrupt))
    #expect(!result.isComplete)
    #expect(one.judged(by: result.measurements).map(\.judgement) == [.undecided])
  }
}

@Suite("Measures of the judged feed")
struct FeedMeasureTests {
  private static func trial(
    _ faults: FaultMix, ledger: (@Sendable () -> any LedgerUnderTest)? = nil
  ) throws -> FeedTrial {
    let setting = try FeedSetting(
      club: ClubShape(members: 12, weeks: 1), service: ServiceShape(depth: 40), faults: faults, interval: 10_800,
      perPage: 30)
    return try FeedTrial(setting, seasons: 2, together: 3, seed: 1, ledger: ledger)
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
private struct DoublingLedger: LedgerUnderTest {
  private var ledger = WeekLedger(order: .byUploadInPages(of: 30))

  mutating func see(_ listing: FeedListing, at moment: Moment) { ledger.see(listing, at: moment) }

  var weeks: [Week] { ledger.weeks }

  func activities(in week: Week) -> [Activity] { ledger.activities(in: week) + ledger.activities(in: week) }
}
