// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import CoreDates
internal import Foundation
internal import Randomness

/// The parameters of a generated club: size, length, and the spread of its members' habits.
struct ClubShape: Hashable, Sendable {
  enum Names: Hashable, Sendable {
    /// Everybody draws one of `firstNames` first names, 1 to 10^6, frequent ones more often, and an initial; names
    /// collide by the birthday effect.
    case list(firstNames: Int)
    /// Everybody has a distinct name, except this share of the members, 0 to 1, who bear somebody else's.
    case distinct(shared: Double)
  }

  var members = 40
  var weeks = 12
  var firstWeek = defaultFirstWeek
  /// Mean activities of a member in a week, over members and the year.
  var activitiesPerWeek = 2.5
  /// The shape of the gamma distribution of the members' mean activities; higher is more even. With 0.8 a tenth of the
  /// members does a third of everything; the squared coefficient of variation is 1 / evenness.
  var evenness = 0.8
  /// How regular a member is from week to week: the size parameter of the negative binomial distribution. The variance
  /// of a week's count of mean m is m + m^2 / regularity.
  var regularity = 2.5
  /// The share of a week's activities that the season adds in July and takes in January.
  var seasonality = 0.4
  /// The mean share of activities that are not cycling.
  var otherSports = 0.2
  /// The correlation of an activity's speed with its distance, both in logarithms, for one person and sport.
  var speedCorrelation = 0.3
  /// The correlation of an activity's climb with its distance, both in logarithms, for one person and sport.
  var climbCorrelation = 0.4
  /// The chance that a fit member gets injured in a week.
  var injuries = 0.01
  var injuryWeeks = 3.0
  /// The share of members who join after the first week.
  var newcomers = 0.15
  /// The share of members who leave before the last week.
  var leavers = 0.1
  /// The share of members who ride to work.
  var commuters = 0.2
  var names = Names.list(firstNames: 150)

  /// The Monday of the week is 2026-01-05.
  static let defaultFirstWeek = Week(containingDay: CivilDate(year: 2026, month: 1, dayOfMonth: 5).day)

  func week(_ index: Int) -> Week { firstWeek.advanced(by: index) }

  func extended(by before: Int, _ after: Int) -> ClubShape {
    var shape = self
    (shape.weeks, shape.firstWeek) = (before + weeks + after, firstWeek.advanced(by: -before))
    return shape
  }
}

/// Generates a club from a seed: its members, and their activities week by week.
///
/// Members come in blocks. Every block has one random stream for its persons and one for each week, so any block of any
/// week can be generated alone, in any order, with the same result.
struct ClubGenerator: Sendable {
  /// Members that share a random stream.
  static let membersPerBlock = 1024

  let shape: ClubShape
  let generator: String

  fileprivate let streams: StreamFamily

  init(_ shape: ClubShape, seed: UInt64, generator: String = GSLGenerator.defaultName) throws(RandomnessError) {
    (self.shape, self.generator) = (shape, generator)
    streams = try StreamFamily(rootSeed: seed, experiments: ["club members", "club weeks"])
  }

  var blocks: Int { (shape.members - 1) / Self.membersPerBlock + 1 }

  func persons(inBlock block: Int) -> Range<Int> {
    let first = block * Self.membersPerBlock
    return first..<min(first + Self.membersPerBlock, shape.members)
  }

  func members() throws(RandomnessError) -> [ClubMember] {
    var reader = try ClubReader(self)
    var members: [ClubMember] = []
    for block in 0..<blocks { members += try reader.members(inBlock: block) }
    return members
  }

  /// The activities of all members in a week, sorted by start and then by person.
  func activities(inWeek week: Int, of members: [ClubMember]) throws(RandomnessError) -> [TrueActivity] {
    var reader = try ClubReader(self)
    var activities: [TrueActivity] = []
    for block in 0..<blocks {
      activities += try reader.activities(inWeek: week, block: block, of: members[persons(inBlock: block)])
    }
    return activities.enumerated().sorted { ($0.1.secondOfWeek, $0.0) < ($1.1.secondOfWeek, $1.0) }.map(\.1)
  }
}

/// Generates the members and activities of blocks; every worker needs its own reader.
struct ClubReader: ~Copyable {
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

  mutating func members(inBlock block: Int) throws(RandomnessError) -> [ClubMember] {
    try dice.reseed(club.streams.seed(ordinal: 0, block: block))
    var members: [ClubMember] = []
    for number in club.persons(inBlock: block) { members.append(drawing.draw(number, using: &dice)) }
    return members
  }

  /// The activities, person by person. `members` are all those of the block, in order.
  mutating func activities(
    inWeek week: Int, block: Int, of members: some Sequence<ClubMember>
  ) throws(RandomnessError) -> [TrueActivity] {
    try dice.reseed(club.streams.seed(ordinal: 1, block: week * club.blocks + block))
    let drawing = ActivityDrawing(club.shape, week: week)
    var activities: [TrueActivity] = []
    for member in members { try drawing.draw(member, using: &dice, into: &activities) }
    return activities
  }
}

struct Dice: ~Copyable {
  private var generator: GSLGenerator
  private let uniform: UniformDistribution
  private let gaussian: GaussianDistribution

  init(generator name: String) throws(RandomnessError) {
    let (uniform, gaussian) = (try UniformDistribution(from: 0, to: 1), try GaussianDistribution())
    let generator = try GSLGenerator(named: name, seed: 1)
    (self.uniform, self.gaussian) = (uniform, gaussian)
    self.generator = generator
  }

  mutating func reseed(_ seed: UInt32) throws(RandomnessError) { try generator.reseed(seed) }

  /// Uniform over `[0, 1)`.
  mutating func unit() -> Double { uniform.sample(using: &generator) }

  mutating func normal() -> Double { gaussian.sample(using: &generator) }

  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// Uniform over `0..<count`.
  mutating func below(_ count: Int) -> Int { min(count - 1, Int(unit() * Double(count))) }

  mutating func sample<Value>(_ distribution: borrowing some Distribution<Value> & ~Copyable) -> Value {
    distribution.sample(using: &generator)
  }

  /// Geometrically distributed, capped at a million.
  mutating func failures(beforeSuccessOf probability: Double) -> Int {
    guard probability > 0 else { return 1_000_000 }
    let draw = log1p(-unit()) / log1p(-probability)
    return draw < 1_000_000 ? Int(draw) : 1_000_000
  }
}
