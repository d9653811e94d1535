// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness
internal import Synchronization

/// Runs the core on a large generated club, week by week, and compares it with the ground truth.
struct StressRun: Sendable {
  private let settings: ClubStress
  private let interrupt: Interrupt?
  private let runner: BlockRunner
  let club: ClubGenerator

  init(_ settings: ClubStress, workers: Workers, interrupt: Interrupt? = nil) throws {
    (self.settings, self.interrupt) = (settings, interrupt)
    runner = try BlockRunner(workers: workers)
    club = try ClubGenerator(settings.shape, seed: settings.seed, generator: settings.generator)
  }

  /// - Throws: `Abandoned` if it was interrupted, since some of the weeks would not represent the others.
  func run(progress: @escaping @Sendable (_ activities: Int) -> Void = { _ in }) throws -> StressResult {
    var comparison = try StressComparison(names: nameNumbers(), interrupt: interrupt)
    var (weeks, tallies): ([StressResult.WeekOutcome], [WeekTally]) = ([], [])
    for number in 0..<settings.weeks {
      let week = try week(number, placing: comparison.indices, of: comparison.roster.count, progress: progress)
      let finding = comparison.compare(week.tallies, with: week.truth, inLastWeek: number + 1 == settings.weeks)
      try interrupt?.check()
      weeks.append(
        StressResult.WeekOutcome(
          week: settings.shape.week(number), activities: week.generated, counted: week.counted,
          total: week.tallies.total, finding: finding))
      if number + 2 >= settings.weeks { tallies.append(WeekTally(week.tallies, of: comparison.roster)) }
    }
    let lastWeek = ClubWeek(tallies.last ?? WeekTally(), previous: tallies.count > 1 ? tallies[0] : nil)
    return StressResult(
      settings: settings, identities: comparison.roster.count, personsMisplaced: comparison.personsMisplaced,
      weeks: weeks, membersWrong: comparison.membersWrong,
      sample: try StressResult.Sample(of: club, interrupt: interrupt),
      collisions: comparison.collisions(in: lastWeek), lastWeek: lastWeek)
  }

  func nameNumbers() throws -> [UInt32] {
    try pieces { block, reader throws(RandomnessError) in
      try reader.members(inBlock: block).map { UInt32($0.nameNumber) }
    }.flatMap(\.self)
  }

  /// The results of a week, for all members.
  struct Week {
    /// Activities of all sports.
    let generated: Int
    /// Activities that count as cycling.
    let counted: Int
    /// The ground truth, by person.
    let truth: [TruthSums]
    /// The core's tallies, by place in the roster.
    let tallies: [MemberTally]
  }

  private struct Block: Codable {
    let generated: Int
    var counted = 0
    var truth: [TruthSums]
  }

  func week(
    _ week: Int, placing indices: [UInt32], of members: Int,
    progress: @escaping @Sendable (_ activities: Int) -> Void = { _ in }
  ) throws -> Week {
    let counts = ClubSport.allCases.map { SportFilter.cycling.admits($0.sport) }
    let pool = TallyPool(members: members)
    let blocks = try pieces { number, reader throws(RandomnessError) -> Block in
      let persons = try reader.members(inBlock: number)
      let activities = try reader.activities(inWeek: week, block: number, of: persons)
      let first = number * ClubGenerator.membersPerBlock
      var block = Block(
        generated: activities.count, truth: Array(repeating: TruthSums(), count: persons.count))
      pool.use { tallies in
        for activity in activities {
          let person = Int(activity.person)
          if counts[Int(activity.sport.rawValue)] {
            tallies[Int(indices[person])].add(
              distance: Int(activity.distance), movingTime: Int(activity.movingTime),
              elapsedTime: Int(activity.elapsedTime), elevation: Int(activity.elevation))
            block.counted += 1
          }
          if activity.sport.isCycling { block.truth[person - first].add(activity) }
        }
      }
      progress(block.counted)
      return block
    }
    return Week(
      generated: blocks.reduce(0) { $0 + $1.generated }, counted: blocks.reduce(0) { $0 + $1.counted },
      truth: blocks.flatMap(\.truth), tallies: pool.sum)
  }

  /// The results of a closure for each block of members, in order.
  private func pieces<Piece: Codable & Sendable>(
    _ body: @escaping @Sendable (_ block: Int, inout ClubReader) throws(RandomnessError) -> Piece
  ) throws -> [Piece] {
    let club = club
    let run = try runner.run(
      blocks: 0..<club.blocks, into: BlockPieces<Piece>(), interrupt: interrupt,
      makeScratch: { () throws(RandomnessError) -> ClubReader in try ClubReader(club) },
      body: { (block: Int, reader: inout ClubReader) throws(RandomnessError) -> BlockPieces<Piece> in
        BlockPieces(try body(block, &reader), of: block)
      })
    try interrupt?.check()
    return run.tally.ordered
  }
}

/// Tallies of all members, at most one set for each worker, which takes one, adds to it and returns it.
private final class TallyPool: Sendable {
  private let members: Int
  private let idle = Mutex<[[MemberTally]]>([])

  init(members: Int) { self.members = members }

  func use(_ add: (inout [MemberTally]) -> Void) {
    // Moved out and back, so that the set is changed in place instead of copied.
    var tallies = idle.withLock { $0.popLast() } ?? Array(repeating: .zero, count: members)
    add(&tallies)
    idle.withLock { $0.append(tallies) }
  }

  var sum: [MemberTally] {
    idle.withLock { all in
      all.reduce(into: Array(repeating: .zero, count: members)) { sum, tallies in
        for member in sum.indices { sum[member].merge(tallies[member]) }
      }
    }
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
    /// Names of the feed that belong to several persons with activities in the last week.
    let real: Int
    let suspected: Int
    let suspectedRightly: Int
  }

  let settings: ClubStress
  let identities: Int
  /// Persons whom the roster merges or splits contrary to their names.
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
