// SPDX-License-Identifier: GPL-3.0-or-later
package import Randomness

/// Invents a club from a seed: its members, and week by week what they do.
///
/// Members come in blocks, and every block has a random stream of its own for its persons and one for each week. So any
/// block of any week can be made by itself, by anybody, in any order, and is always the same.
package struct ClubGenerator: Sendable {
  /// Members that share a random stream.
  package static let membersPerBlock = 1024

  /// What the club is like.
  package let shape: ClubShape
  /// The root of all random streams.
  package let seed: UInt64
  /// The name of the GSL generator.
  package let generator: String

  private let streams: StreamFamily

  /// A generator of clubs.
  ///
  /// - Parameters:
  ///   - shape: What the club is like.
  ///   - seed: The root of all random streams.
  ///   - generator: The name of a GSL generator.
  /// - Throws: `unknownGenerator`.
  package init(
    _ shape: ClubShape, seed: UInt64, generator: String = GSLGenerator.defaultName
  ) throws(RandomnessError) {
    (self.shape, self.seed, self.generator) = (shape, seed, generator)
    streams = try StreamFamily(rootSeed: seed, experiments: ["club members", "club weeks"])
    _ = try GSLGenerator(named: generator, seed: 1)
  }

  /// How many blocks of members there are.
  package var blocks: Int { (shape.members - 1) / Self.membersPerBlock + 1 }

  /// The persons of a block, by number.
  ///
  /// - Parameter block: From 0, below `blocks`.
  /// - Returns: Their numbers.
  package func persons(inBlock block: Int) -> Range<Int> {
    let first = block * Self.membersPerBlock
    return first..<min(first + Self.membersPerBlock, shape.members)
  }

  /// Something to read blocks with: every worker needs one of its own.
  ///
  /// - Throws: `outOfMemory`.
  package func reader() throws(RandomnessError) -> ClubReader { try ClubReader(self) }

  /// The whole club.
  ///
  /// - Throws: `degenerateSeed`, `outOfMemory`.
  package func members() throws(RandomnessError) -> [ClubMember] {
    var reader = try reader()
    var members: [ClubMember] = []
    for block in 0..<blocks { members += try reader.members(inBlock: block) }
    return members
  }

  /// What all members do in a week, the earliest first; at the same second by person.
  ///
  /// - Parameters:
  ///   - week: From 0, below the shape's weeks.
  ///   - members: All of them, as `members()` gives them.
  /// - Returns: The activities.
  /// - Throws: `degenerateSeed`, `outOfMemory`.
  package func activities(inWeek week: Int, of members: [ClubMember]) throws(RandomnessError) -> [TrueActivity] {
    var reader = try reader()
    var activities: [TrueActivity] = []
    for block in 0..<blocks {
      activities += try reader.activities(inWeek: week, block: block, of: members[persons(inBlock: block)])
    }
    return activities.enumerated().sorted { ($0.1.secondOfWeek, $0.0) < ($1.1.secondOfWeek, $1.0) }.map(\.1)
  }

  func memberSeed(block: Int) throws(RandomnessError) -> UInt32 { try streams.seed(ordinal: 0, block: block) }

  func weekSeed(week: Int, block: Int) throws(RandomnessError) -> UInt32 {
    try streams.seed(ordinal: 1, block: week * blocks + block)
  }
}

/// Makes the members and activities of one block after the other.
package struct ClubReader: ~Copyable {
  private let club: ClubGenerator
  private let drawing: MemberDrawing
  private var dice: Dice

  init(_ club: ClubGenerator) throws(RandomnessError) {
    let drawing = try MemberDrawing(club.shape)
    let dice = try Dice(generator: club.generator)
    self.club = club
    self.drawing = drawing
    self.dice = dice
  }

  /// The members of a block, by number.
  ///
  /// - Parameter block: From 0, below the club's blocks.
  /// - Returns: The members.
  /// - Throws: `degenerateSeed`, `blockOutOfRange`.
  package mutating func members(inBlock block: Int) throws(RandomnessError) -> [ClubMember] {
    try dice.reseed(club.memberSeed(block: block))
    var members: [ClubMember] = []
    for number in club.persons(inBlock: block) { members.append(drawing.draw(number, using: &dice)) }
    return members
  }

  /// What the members of a block do in a week, person by person.
  ///
  /// - Parameters:
  ///   - week: From 0, below the shape's weeks.
  ///   - block: From 0, below the club's blocks.
  ///   - members: The members of that block, all of them and in their order.
  /// - Returns: The activities.
  /// - Throws: `degenerateSeed`, `blockOutOfRange`.
  package mutating func activities(
    inWeek week: Int, block: Int, of members: some Sequence<ClubMember>
  ) throws(RandomnessError) -> [TrueActivity] {
    try dice.reseed(club.weekSeed(week: week, block: block))
    let drawing = ActivityDrawing(club.shape, week: week)
    var activities: [TrueActivity] = []
    for member in members { try drawing.draw(member, using: &dice, into: &activities) }
    return activities
  }
}
