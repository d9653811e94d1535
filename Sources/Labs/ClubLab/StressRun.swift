// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Foundation
internal import MonteCarlo
internal import Randomness
internal import Synchronization

/// Puts the core under the load of a generated club, week by week, and compares it with the ground truth.
///
/// The result depends on the settings alone, except for `StressResult.effort`.
struct StressRun: Sendable {
  private let settings: ClubStress
  private let workers: Workers
  private let measuresThroughput: Bool

  init(_ settings: ClubStress, workers: Workers, measuresThroughput: Bool = true) {
    (self.settings, self.workers, self.measuresThroughput) = (settings, workers, measuresThroughput)
  }

  /// - Throws: `Abandoned` where it was interrupted: a part of the weeks says nothing about the others.
  func run(interrupt: Interrupt? = nil, progress: (_ activities: Int) -> Void = { _ in }) throws -> StressResult {
    let load = try StressLoad(settings, workers: workers, interrupt: interrupt)
    var effort = StressEffort(workers: workers.count)
    if measuresThroughput {
      effort.curve = try ThroughputCurve(settings: settings, workers: workers, interrupt: interrupt).measured()
    }
    let names = try load.nameNumbers()
    var comparison = try StressComparison(names: names, interrupt: interrupt)
    var (weeks, tallies): ([StressResult.WeekOutcome], [WeekTally]) = ([], [])
    for week in 0..<settings.weeks {
      let lanes = TallyLanes(members: comparison.roster.count, runner: load.runner)
      var truth: [TruthSums] = []
      var (generated, counted) = (0, 0)
      for blocks in load.slices {
        let slice = try Self.timed(&effort.generating) { try load.week(week, of: blocks, placing: comparison.places) }
        Self.timed(&effort.counting) { effort.busy += lanes.add(slice.activities) }
        truth += slice.sums
        generated += slice.generated
        counted += slice.activities.count
        progress(slice.activities.count)
        try interrupt?.check()
      }
      let tally = Self.timed(&effort.counting) { lanes.merged() }
      let finding = Self.timed(&effort.comparing) {
        comparison.compare(tally, with: truth, inLastWeek: week + 1 == settings.weeks)
      }
      try interrupt?.check()
      weeks.append(
        StressResult.WeekOutcome(
          week: settings.shape.week(week), activities: generated, counted: counted, total: tally.total,
          finding: finding))
      if week + 2 >= settings.weeks { tallies.append(WeekTally(tally, of: comparison.roster)) }
    }
    let lastWeek = ClubWeek(tallies.last ?? WeekTally(), previous: tallies.count > 1 ? tallies[0] : nil)
    let sample = try Self.timed(&effort.comparing) { try StressResult.Sample(of: load.club, interrupt: interrupt) }
    effort.peakMemory = ProcessMemory.peak
    return StressResult(
      settings: settings, identities: comparison.roster.count, personsMisplaced: comparison.personsMisplaced,
      weeks: weeks, membersWrong: comparison.membersWrong, sample: sample,
      collisions: comparison.collisions(in: lastWeek),
      lastWeek: lastWeek, effort: effort)
  }

  private static func timed<Value>(_ seconds: inout Double, _ work: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    defer { seconds += (ContinuousClock.now - start) / .seconds(1) }
    return try work()
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
  let effort: StressEffort

  var activities: Int { weeks.reduce(0) { $0 + $1.activities } }
  var counted: Int { weeks.reduce(0) { $0 + $1.counted } }
  var weeksWrong: Int { weeks.count { !$0.finding.isTotalRight || $0.finding.membersWrong > 0 } }
}

/// The cost of a run, in seconds of wall time unless stated otherwise.
struct StressEffort: Sendable {
  var workers: Int
  var generating = 0.0
  var counting = 0.0
  var busy = 0.0
  var comparing = 0.0
  /// Bytes resident, from the start of the process.
  var peakMemory = 0
  var curve: [ThroughputPoint] = []

  /// Activities in a second of one busy core; 0 without any.
  func perCoreSecond(_ activities: Int) -> Double { busy > 0 ? Double(activities) / busy : 0 }
}

struct ThroughputPoint: Sendable {
  let members: Int
  /// Activities a second with one worker and with all.
  let alone: Double
  let together: Double

  var speedUp: Double { alone > 0 ? together / alone : 0 }
}

struct ThroughputCurve {
  /// Of a measurement, counted repeatedly for so many seconds.
  private static let activities = 2_000_000
  private static let seconds = 0.15

  let settings: ClubStress
  let workers: Workers
  var interrupt: Interrupt?

  var sizes: [Int] {
    [10_000, 100_000, 1_000_000].filter { $0 < settings.members } + [settings.members]
  }

  func measured() throws -> [ThroughputPoint] {
    try sizes.map { members in
      let activities = min(Self.activities, members * 400)
      var settings = settings
      (settings.members, settings.activities) = (members, activities)
      (settings.weeks, settings.sharedNames) = (1, 0)
      let load = try StressLoad(settings, workers: workers, interrupt: interrupt)
      let packed = try load.week(0, of: load.slices[0], placing: (0..<members).map { UInt32($0) }).activities
      return ThroughputPoint(
        members: members, alone: try rate(packed, members: members, workers: 1),
        together: try rate(packed, members: members, workers: workers))
    }
  }

  /// Activities a second, the best of four measurements, since other load only takes time away.
  private func rate(_ activities: [PackedActivity], members: Int, workers: Workers) throws -> Double {
    let runner = try BlockRunner(workers: workers)
    func seconds(counting times: Int) throws -> Double {
      try interrupt?.check()
      let start = ContinuousClock.now
      let lanes = TallyLanes(members: members, runner: runner)
      _ = lanes.add(activities, times: times)
      _ = lanes.merged()
      return (ContinuousClock.now - start) / .seconds(1)
    }
    let times = try max(1, min(10_000, Int(Self.seconds / max(seconds(counting: 1), 1e-6))))
    let best = try (0..<4).map { _ in try seconds(counting: times) }.min() ?? .infinity
    return Double(activities.count * times) / best
  }
}

/// The core's tallies of one week, one for each worker.
final class TallyLanes: Sendable {
  private let runner: BlockRunner
  private let members: Int
  private let lanes: Mutex<[RosterTally?]>

  private struct Busy: MergeableTally {
    var time: Duration = .zero
    mutating func merge(_ other: Busy) { time += other.time }
  }

  init(members: Int, runner: BlockRunner) {
    (self.members, self.runner) = (members, runner)
    lanes = Mutex(Array(repeating: nil, count: runner.workers.count))
  }

  func add(_ activities: [PackedActivity], times: Int = 1) -> Double {
    let count = runner.workers.count
    let run = runner.run(
      blocks: 0..<count, into: Busy(), makeScratch: {},
      body: { (lane: Int, _: inout Void) -> Busy in
        let part = activities[(activities.count * lane / count)..<(activities.count * (lane + 1) / count)]
        let start = ContinuousClock.now
        var tally = self.take(lane) ?? RosterTally(members: self.members)
        for _ in 0..<times { tally.add(part) }
        self.lanes.withLock { $0[lane] = tally }
        return Busy(time: ContinuousClock.now - start)
      })
    return run.tally.time / .seconds(1)
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

enum ProcessMemory {
  /// The most resident bytes since the process began.
  static var peak: Int {
    var usage = rusage()
    guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
    // Linux counts kibibytes.
    return usage.ru_maxrss * 1024
  }
}
