// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness
internal import Synchronization

/// Puts the core under the load of a generated club, week by week, and compares it with the ground truth.
struct StressRun: Sendable {
  private let settings: ClubStress
  private let workers: Workers

  init(_ settings: ClubStress, workers: Workers) { (self.settings, self.workers) = (settings, workers) }

  /// - Throws: `Abandoned` where it was interrupted: a part of the weeks says nothing about the others.
  func run(interrupt: Interrupt? = nil, progress: (_ activities: Int) -> Void = { _ in }) throws -> StressResult {
    let load = try StressLoad(settings, workers: workers, interrupt: interrupt)
    let names = try load.nameNumbers()
    var comparison = try StressComparison(names: names, interrupt: interrupt)
    var (weeks, tallies): ([StressResult.WeekOutcome], [WeekTally]) = ([], [])
    for week in 0..<settings.weeks {
      let lanes = TallyLanes(members: comparison.roster.count, runner: load.runner)
      var truth: [TruthSums] = []
      var (generated, counted) = (0, 0)
      for blocks in load.slices {
        let slice = try load.week(week, of: blocks, placing: comparison.places)
        lanes.add(slice.activities)
        truth += slice.sums
        generated += slice.generated
        counted += slice.activities.count
        progress(slice.activities.count)
        try interrupt?.check()
      }
      let tally = lanes.merged()
      let finding = comparison.compare(tally, with: truth, inLastWeek: week + 1 == settings.weeks)
      try interrupt?.check()
      weeks.append(
        StressResult.WeekOutcome(
          week: settings.shape.week(week), activities: generated, counted: counted, total: tally.total,
          finding: finding))
      if week + 2 >= settings.weeks { tallies.append(WeekTally(tally, of: comparison.roster)) }
    }
    let lastWeek = ClubWeek(tallies.last ?? WeekTally(), previous: tallies.count > 1 ? tallies[0] : nil)
    return StressResult(
      settings: settings, identities: comparison.roster.count, personsMisplaced: comparison.personsMisplaced,
      weeks: weeks, membersWrong: comparison.membersWrong,
      sample: try StressResult.Sample(of: load.club, interrupt: interrupt),
      collisions: comparison.collisions(in: lastWeek), lastWeek: lastWeek)
  }
}

struct StressResult: Sendable {
  struct WeekOutcome: Hashable, Sendable {
    let week: Week
    let activities: Int
    let counted: Int
    let total: MemberTally
    let finding: StressComparison.Finding
  }

  /// A part of the last week, encoded and decoded.
  struct Sample: Hashable, Sendable {
    let activities: Int
    /// Activities that came back changed, and members with wrong tallies.
    let wrong: Int
  }

  struct Collisions: Hashable, Sendable {
    /// Members of the feed that are several persons with activities in the last week.
    let real: Int
    let suspected: Int
    let suspectedRightly: Int
  }

  let settings: ClubStress
  let identities: Int
  /// Persons whom the roster merges or splits unlike their names.
  let personsMisplaced: Int
  let weeks: [WeekOutcome]
  let membersWrong: Int
  let sample: Sample
  let collisions: Collisions
  let lastWeek: ClubWeek

  var activities: Int { weeks.reduce(0) { $0 + $1.activities } }
  var counted: Int { weeks.reduce(0) { $0 + $1.counted } }
  var weeksWrong: Int { weeks.count { !$0.finding.isTotalRight || $0.finding.membersWrong > 0 } }
}

/// The core's tallies of one week, one for each worker.
final class TallyLanes: Sendable {
  private let runner: BlockRunner
  private let members: Int
  private let lanes: Mutex<[RosterTally?]>

  private struct Counted: MergeableTally {
    mutating func merge(_ other: Counted) {}
  }

  init(members: Int, runner: BlockRunner) {
    (self.members, self.runner) = (members, runner)
    lanes = Mutex(Array(repeating: nil, count: runner.workers.count))
  }

  func add(_ activities: [PackedActivity]) {
    let count = runner.workers.count
    _ = runner.run(
      blocks: 0..<count, into: Counted(), makeScratch: {},
      body: { (lane: Int, _: inout Void) -> Counted in
        var tally = self.take(lane) ?? RosterTally(members: self.members)
        tally.add(activities[(activities.count * lane / count)..<(activities.count * (lane + 1) / count)])
        self.lanes.withLock { $0[lane] = tally }
        return Counted()
      })
  }

  /// The sum of all lanes, which are empty afterwards.
  func merged() -> RosterTally {
    let tallies = lanes.withLock { lanes in
      let tallies = lanes.compactMap(\.self)
      for lane in lanes.indices { lanes[lane] = nil }
      return tallies
    }
    guard var sum = tallies.first else { return RosterTally(members: members) }
    for tally in tallies.dropFirst() { sum.merge(tally) }
    return sum
  }

  /// Moves a lane's tally out, so that it is changed in place and not copied.
  private func take(_ lane: Int) -> RosterTally? {
    lanes.withLock { lanes in
      let tally = lanes[lane]
      lanes[lane] = nil
      return tally
    }
  }
}
