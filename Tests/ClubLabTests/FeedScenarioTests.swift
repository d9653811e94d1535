// SPDX-License-Identifier: GPL-3.0-or-later
import ClubLab
import ExperimentTestSupport
import MonteCarlo
import Reporting
import Scenarios
import Testing

private let clubs = Clubs.experiments.map { $0.runnable }

@Suite("Scenarios of the feed")
struct FeedScenarioTests {
  private func read(_ yaml: String) throws -> Scenario { try scenario("club.feed", yaml, among: clubs) }

  @Test("a fault is default, or has a rate, a size, or both; a fault that is not named does not happen")
  func faults() throws {
    func variants(_ one: Scenario) -> [String] {
      one.plan.measures.filter { $0.name == "feed.lost" }.compactMap(\.label)
    }
    let given = try read("faults: {renames: default, late uploads: {hours: 48}, refusals: {rate: 0.1, seconds: 5}}")
    #expect(variants(given) == ["none", "late uploads", "renames", "refusals", "all"])
    for part in ["  late uploads:\n    rate: 0.05\n    hours: 48\n", "  refusals:\n    rate: 0.1\n    seconds: 5\n"] {
      #expect(given.resolved.contains(part), "\(given.resolved)")
    }
    #expect(try variants(read("faults: none")) == ["none"] && variants(read("faults: default")).count == 21)
  }

  @Test(
    "what is out of range, unknown or contradictory is refused at its place, with what was expected",
    arguments: [
      ("seasons-each: 0", "test.yaml:3: seasons-each: found '0', expected a whole number, 1 to 100,000"),
      ("club:\n  members: 30\n  weeks: 500", "test.yaml:5: club.weeks: found '500', expected a whole number, 1 to 200"),
      ("fetch: {every: 10s}", "test.yaml:3: fetch.every: found '10s', expected a length of time"),
      ("fetch: {page: 30}", "test.yaml:3: fetch.page: unknown key"),
      ("random: {generator: mt19936}", "(did you mean 'mt19937'?)"),
      ("faults: {late upload: default}", "test.yaml:3: faults.late upload: unknown key; did you mean 'late uploads'?"),
      (
        "faults: defaults",
        "test.yaml:3: faults: found 'defaults', expected one of default, none (did you mean 'default'?)"
      ),
      ("faults: {renames: often}", "test.yaml:3: faults.renames: found 'often', expected one of default"),
      ("faults:\n  renames:\n    rate: 0", "test.yaml:5: faults.renames.rate: found '0', expected a share above 0 and"),
      (
        "faults: {timeouts: {seconds: 5}}",
        "test.yaml:3: faults.timeouts.seconds: found '5', expected 31 to 3600 seconds"
      ),
      ("faults: {timeouts: {hours: 5}}", "test.yaml:3: faults.timeouts.hours: unknown key"),
      ("fetch: {every: 60s}", "test.yaml:3: fetch.every: found '60s', expected fetches that stay within the limits"),
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
    let text = refusal("club.feed", yaml, among: clubs)
    #expect(text.contains(problem), "\(text)")
  }
}

@Suite("Measures and report of the feed")
struct FeedMeasureTests {
  private static let trial = Result {
    try outcome(
      "club.feed",
      "club: {members: 12, weeks: 1}\nservice: {depth: 40}\nfetch: {every: 3h, page-size: 30}\n"
        + "faults: {renames: {rate: 0.5}, edits: default}\nseasons: 3\nseasons-each: 2", among: clubs)
  }

  @Test("the count under any faults is the sum over all variants, or their maximum")
  func sums() throws {
    let (result, found) = try Self.trial.get()
    let counts = result.measurements.filter { $0.measure.label == "any" }
    #expect(counts.count == 13 && (found["feed.rides[any]"] ?? 0) > 40)
    for count in counts {
      let name = count.measure.name
      let parts = ["renames", "edits", "none", "all"].compactMap { found["\(name)[\($0)]"] }
      #expect(parts.count == 4)
      #expect(count.estimate == (name.hasPrefix("feed.max") ? parts.max() : parts.reduce(0, +)), "\(name)")
    }
  }

  @Test("the report has a row and a point for each variant, and states its conditions")
  func report() throws {
    let document = try Self.trial.get().result.document
    let text = document.text()
    for name in ["none", "renames", "edits", "all"] { #expect(text.contains("\n\(name) "), "\(name)") }
    #expect(text.contains("2 seasons of a club of 12 over 1 week under each variant of the faults, 3 under the last"))
    #expect(document.figures.first?.series.first?.points.count == 4)
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
        "club.feed",
        "club: {members: 12, weeks: 1}\nfetch: {every: 3h}\nfaults: {renames: default}\nseasons: 2\n"
          + "thresholds: ['\(threshold)']", among: clubs)
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
