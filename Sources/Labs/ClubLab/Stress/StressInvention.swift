// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness

/// Invents the load slice by slice: as many blocks of members at a time as the memory has room for.
struct StressInvention {
  /// What some members do in a week, packed in the order of the feed, with the truth about it.
  struct Slice {
    /// Activities of all sports.
    var invented = 0
    /// Those that count, the earliest first.
    var activities: [PackedActivity] = []
    /// What they come to, person by person.
    var sums: [TruthSums] = []
  }

  /// What one block of members does in a week.
  private struct Piece: Sendable {
    var invented = 0
    var activities: [PackedActivity] = []
    var minutes: [UInt16] = []
    var sums: [TruthSums]
  }

  /// Activities that are held at once, about.
  private static let activitiesPerSlice = 8_000_000

  let club: ClubGenerator
  let runner: BlockRunner

  init(_ settings: StressSettings, workers: Int) throws {
    club = try ClubGenerator(settings.shape, seed: settings.seed, generator: settings.generator)
    runner = try BlockRunner(workers: workers)
  }

  /// The blocks of members that are invented together.
  var slices: [Range<Int>] {
    let perBlock = max(1, Double(ClubGenerator.membersPerBlock) * club.shape.activitiesPerWeek)
    let size = max(1, Int(Double(Self.activitiesPerSlice) / perBlock))
    return stride(from: 0, to: club.blocks, by: size).map { $0..<min($0 + size, club.blocks) }
  }

  /// The numbers of the persons' names, person by person.
  func nameNumbers() throws -> [UInt32] {
    let club = club
    let run = try runner.run(
      blocks: 0..<club.blocks, into: BlockPieces<[UInt32]>(),
      makeScratch: { () throws(RandomnessError) -> ClubReader in try club.reader() },
      body: { (block: Int, reader: inout ClubReader) throws(RandomnessError) -> BlockPieces<[UInt32]> in
        BlockPieces(try reader.members(inBlock: block).map { UInt32($0.nameNumber) }, of: block)
      })
    return run.tally.ordered.flatMap(\.self)
  }

  /// What the members of a slice do in a week.
  ///
  /// - Parameters:
  ///   - week: From 0.
  ///   - blocks: The slice.
  ///   - places: Every person's place in the roster.
  /// - Returns: The slice.
  /// - Throws: Errors of the generator.
  func week(_ week: Int, of blocks: Range<Int>, placing places: [UInt32]) throws -> Slice {
    let club = club
    let counts = ClubSport.allCases.map { SportFilter.cycling.admits($0.sport) }
    let run = try runner.run(
      blocks: blocks, into: BlockPieces<Piece>(),
      makeScratch: { () throws(RandomnessError) -> ClubReader in try club.reader() },
      body: { (block: Int, reader: inout ClubReader) throws(RandomnessError) -> BlockPieces<Piece> in
        let members = try reader.members(inBlock: block)
        let activities = try reader.activities(inWeek: week, block: block, of: members)
        return BlockPieces(Self.piece(activities, of: club.persons(inBlock: block), counts, places), of: block)
      })
    return Self.joined(run.tally.ordered)
  }

  private static func piece(
    _ activities: [TrueActivity], of persons: Range<Int>, _ counts: [Bool], _ places: [UInt32]
  ) -> Piece {
    var piece = Piece(invented: activities.count, sums: Array(repeating: TruthSums(), count: persons.count))
    for activity in activities {
      if counts[Int(activity.sport.rawValue)] {
        piece.activities.append(
          PackedActivity(
            member: places[Int(activity.person)], distance: activity.distance, movingTime: activity.movingTime,
            elapsedTime: activity.elapsedTime, elevation: activity.elevation))
        piece.minutes.append(UInt16(activity.secondOfWeek / 60))
      }
      if activity.sport.isCycling { piece.sums[Int(activity.person) - persons.lowerBound].add(activity) }
    }
    return piece
  }

  /// Brings the activities into the order in which they happened, to the minute: so a feed would have them, and not
  /// member by member.
  private static func joined(_ pieces: [Piece]) -> Slice {
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
      slice.invented += piece.invented
      slice.sums += piece.sums
      for (activity, minute) in zip(piece.activities, piece.minutes) {
        slice.activities[ends[Int(minute)]] = activity
        ends[Int(minute)] += 1
      }
    }
    return slice
  }
}
