// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
package import MonteCarlo
internal import Randomness

/// Puts the core under the load of an invented club, week by week, and compares what it says with the truth.
///
/// What happened depends on the settings alone. What it cost is kept apart in `StressResult.effort`.
package struct StressRun: Sendable {
  private let settings: StressSettings
  private let workers: Int
  private let measuresThroughput: Bool

  /// A run.
  ///
  /// - Parameters:
  ///   - settings: How large the load is.
  ///   - workers: How many threads invent, count and compare.
  ///   - measuresThroughput: Whether to measure clubs of other sizes, too: a few seconds more.
  package init(_ settings: StressSettings, workers: Int, measuresThroughput: Bool = true) {
    (self.settings, self.workers, self.measuresThroughput) = (settings, workers, measuresThroughput)
  }

  /// Runs all weeks.
  ///
  /// - Parameters:
  ///   - interrupt: Looked at between parts of weeks.
  ///   - progress: Told how many activities were counted, again and again.
  /// - Returns: What came out; nil where it was interrupted, because a part of the weeks says nothing about the others.
  /// - Throws: `MonteCarloError` for a number of workers that makes no sense, errors of the generator.
  package func run(
    interrupt: Interrupt? = nil, progress: (_ activities: Int) -> Void = { _ in }
  ) throws -> StressResult? {
    let invention = try StressInvention(settings, workers: workers)
    var effort = StressEffort(workers: workers)
    if measuresThroughput {
      effort.curve = try ThroughputCurve(settings: settings, workers: workers).measured()
    }
    let names = try invention.nameNumbers()
    var judge = StressJudge(names: names)
    var (weeks, tallies): ([StressResult.WeekOutcome], [WeekTally]) = ([], [])
    for week in 0..<settings.weeks {
      let lanes = TallyLanes(members: judge.roster.count, runner: invention.runner)
      var truth: [TruthSums] = []
      var (invented, counted) = (0, 0)
      for blocks in invention.slices {
        if interrupt?.isRaised == true { return nil }
        let slice = try Self.timed(&effort.inventing) { try invention.week(week, of: blocks, placing: judge.places) }
        Self.timed(&effort.counting) { effort.busy += lanes.add(slice.activities) }
        truth += slice.sums
        invented += slice.invented
        counted += slice.activities.count
        progress(slice.activities.count)
      }
      let tally = Self.timed(&effort.counting) { lanes.merged() }
      let finding = Self.timed(&effort.comparing) {
        judge.compare(tally, with: truth, inLastWeek: week + 1 == settings.weeks)
      }
      weeks.append(
        StressResult.WeekOutcome(
          week: settings.shape.week(week), activities: invented, counted: counted,
          activeMembers: finding.activeMembers, total: tally.total, membersWrong: finding.membersWrong,
          isTotalRight: finding.isTotalRight))
      if week + 2 >= settings.weeks { tallies.append(WeekTally(tally, of: judge.roster)) }
    }
    guard let last = tallies.last else { return nil }
    let lastWeek = ClubWeek(last, previous: tallies.count > 1 ? tallies[0] : nil)
    let sample = try Self.timed(&effort.comparing) { try StressSample(invention.club).taken() }
    effort.peakMemory = ProcessMemory.peak
    return StressResult(
      settings: settings, identities: judge.roster.count, personsMisplaced: judge.personsMisplaced, weeks: weeks,
      membersWrong: judge.membersWrong, sample: sample, collisions: judge.collisions(in: lastWeek),
      lastWeek: lastWeek, effort: effort)
  }

  private static func timed<Value>(_ seconds: inout Double, _ work: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    defer { seconds += (ContinuousClock.now - start) / .seconds(1) }
    return try work()
  }
}
