// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness

/// Generates the load slice by slice: as many blocks of members at a time as fit the memory.
struct StressLoad {
  /// A week of some members, with the ground truth by person.
  struct Slice: Codable, Sendable {
    /// Activities of all sports.
    var generated = 0
    /// Those that count.
    var activities: [PackedActivity] = []
    /// Of each of these the minute of the week; none where they ascend by it.
    var minutes: [UInt16] = []
    var sums: [TruthSums] = []
  }

  /// Held at once, about.
  private static let activitiesPerSlice = 8_000_000

  let club: ClubGenerator
  let runner: BlockRunner
  private let interrupt: Interrupt?

  init(_ settings: ClubStress, workers: Workers, interrupt: Interrupt? = nil) throws {
    club = try ClubGenerator(settings.shape, seed: settings.seed, generator: settings.generator)
    runner = try BlockRunner(workers: workers)
    self.interrupt = interrupt
  }

  var slices: [Range<Int>] {
    let perBlock = max(1, Double(ClubGenerator.membersPerBlock) * club.shape.activitiesPerWeek)
    let size = max(1, Int(Double(Self.activitiesPerSlice) / perBlock))
    return stride(from: 0, to: club.blocks, by: size).map { $0..<min($0 + size, club.blocks) }
  }

  func nameNumbers() throws -> [UInt32] {
    let club = club
    let run = try runner.run(
      blocks: 0..<club.blocks, into: BlockPieces<[UInt32]>(), interrupt: interrupt,
      makeScratch: { () throws(RandomnessError) -> ClubReader in try ClubReader(club) },
      body: { (block: Int, reader: inout ClubReader) throws(RandomnessError) -> BlockPieces<[UInt32]> in
        BlockPieces(try reader.members(inBlock: block).map { UInt32($0.nameNumber) }, of: block)
      })
    try interrupt?.check()
    return run.tally.ordered.flatMap(\.self)
  }

  func week(_ week: Int, of blocks: Range<Int>, placing places: [UInt32]) throws -> Slice {
    let club = club
    let counts = ClubSport.allCases.map { SportFilter.cycling.admits($0.sport) }
    let run = try runner.run(
      blocks: blocks, into: BlockPieces<Slice>(), interrupt: interrupt,
      makeScratch: { () throws(RandomnessError) -> ClubReader in try ClubReader(club) },
      body: { (block: Int, reader: inout ClubReader) throws(RandomnessError) -> BlockPieces<Slice> in
        let members = try reader.members(inBlock: block)
        let activities = try reader.activities(inWeek: week, block: block, of: members)
        return BlockPieces(Self.slice(activities, of: club.persons(inBlock: block), counts, places), of: block)
      })
    try interrupt?.check()
    return Self.joined(run.tally.ordered)
  }

  private static func slice(
    _ activities: [TrueActivity], of persons: Range<Int>, _ counts: [Bool], _ places: [UInt32]
  ) -> Slice {
    var slice = Slice(generated: activities.count, sums: Array(repeating: TruthSums(), count: persons.count))
    for activity in activities {
      if counts[Int(activity.sport.rawValue)] {
        slice.activities.append(
          PackedActivity(
            member: places[Int(activity.person)], distance: activity.distance, movingTime: activity.movingTime,
            elapsedTime: activity.elapsedTime, elevation: activity.elevation))
        slice.minutes.append(UInt16(activity.secondOfWeek / 60))
      }
      if activity.sport.isCycling { slice.sums[Int(activity.person) - persons.lowerBound].add(activity) }
    }
    return slice
  }

  /// Sorts the activities by minute: a feed would have them so, and not member by member.
  private static func joined(_ pieces: [Slice]) -> Slice {
    var ends = Array(repeating: 0, count: 7 * 24 * 60)
    for piece in pieces { for minute in piece.minutes { ends[Int(minute)] += 1 } }
    var count = 0
    for minute in ends.indices {
      count += ends[minute]
      ends[minute] = count - ends[minute]
    }
    let nothing = PackedActivity(member: 0, distance: 0, movingTime: 0, elapsedTime: 0, elevation: 0)
    var slice = Slice(activities: Array(repeating: nothing, count: count))
    for piece in pieces {
      slice.generated += piece.generated
      slice.sums += piece.sums
      for (activity, minute) in zip(piece.activities, piece.minutes) {
        slice.activities[ends[Int(minute)]] = activity
        ends[Int(minute)] += 1
      }
    }
    return slice
  }
}
