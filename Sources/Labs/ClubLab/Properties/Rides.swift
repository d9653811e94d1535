// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

/// The activities of a club, as a feed lists them.
struct Rides: Hashable, Sendable, CustomStringConvertible {
  let activities: [Activity]

  init(_ activities: [Activity]) {
    self.activities = activities
  }

  var description: String { activities.isEmpty ? "no rides" : activities.map(\.line).joined(separator: "; ") }

  // MARK: Generators

  /// Clubs of any kind: a few members, some with the name of another, rides that are alike, long, or take no time.
  static func any(count: ClosedRange<Int> = 0...8) -> Gen<Rides> {
    Gen.arrays(of: activity(named: names), count: count).map(Rides.init)
  }

  /// Clubs whose members are spelt in one way and have no tokens.
  static func plain(count: ClosedRange<Int> = 0...8) -> Gen<Rides> {
    Gen.arrays(of: activity(named: plainNames), count: count).map(Rides.init)
  }

  /// Clubs of one ride whose quantities lie in simple proportions: a tenth more, a tenth less.
  static let round: Gen<Rides> = {
    let length = Gen<Length>.elements(of: [10, 9, 11, 0].compactMap { Length(decimetres: $0) })
    return zip(length, length).map { far, up in
      let ann = MemberIdentity(name: Spelling.asIs.name(of: 0))
      return Rides([Activity(member: ann, distance: far, movingTime: 1, elapsedTime: 1, elevation: up)])
    }
  }()

  /// A ride of somebody.
  static func activity(named names: Gen<MemberIdentity>) -> Gen<Activity> {
    zip(names, decimetres(upTo: Length.mostDecimetres), seconds, decimetres(upTo: 100_000)).map { name, far, time, up in
      Activity(member: name, distance: far, movingTime: time, elapsedTime: time, elevation: up)
    }
  }

  /// Few people and many spellings; some have a token.
  static let names: Gen<MemberIdentity> = zip(
    Gen<Int>.integers(in: 0...4), .elements(of: Spelling.allCases),
    .oneOf(weighted: [(4, .just(nil)), (1, .elements(of: ["7", "8"]))])
  ).map { person, spelling, token in
    MemberIdentity(name: spelling.name(of: person), token: token.flatMap { AthleteToken($0) })
  }

  /// Few people, always spelt alike.
  static let plainNames = Gen<Int>.integers(in: 0...4).map { MemberIdentity(name: Spelling.asIs.name(of: $0)) }

  /// Short lengths, those of a day, and the longest.
  private static func decimetres(upTo most: Int) -> Gen<Length> {
    Gen.oneOf(.integers(in: 0...9), .integers(in: 0...999_999), .integers(in: 0...most)).map { decimetres in
      guard let length = Length(decimetres: min(decimetres, most)) else { throw Discard.assumption }
      return length
    }
  }

  private static let seconds: Gen<Int> = .oneOf(
    .integers(in: 0...9), .integers(in: 0...20_000), .integers(in: 0...Activity.mostSeconds))
}

/// How one name may be spelt.
enum Spelling: CaseIterable {
  case asIs
  case lower
  case upper
  case spaced
  case decomposed

  /// The name of a person.
  func name(of person: Int) -> AthleteName {
    let people = [("Ann", "A."), ("Bob", "B."), ("Cleo", "C."), ("Mary Jo", "C."), ("Zo\u{EB}", "Z.")]
    let (first, last) = people[person % people.count]
    switch self {
    case .asIs: return AthleteName(first: first, last: last)
    case .lower: return AthleteName(first: first.lowercased(), last: last.lowercased())
    case .upper: return AthleteName(first: first.uppercased(), last: last)
    case .spaced: return AthleteName(first: "  \(first) ", last: "\(last) ")
    case .decomposed: return AthleteName(first: first == "Zo\u{EB}" ? "Zoe\u{308}" : first, last: last)
    }
  }
}

extension Activity {
  /// The activity in a few words: who, how far, how long, how high.
  var line: String {
    let token = member.token.map { "#\($0.value)" } ?? ""
    let climb = elevation == .zero ? "" : ", up \(elevation.metres) m"
    return "\(member.name)\(token) \(distance.metres) m in \(movingTime) s\(climb)"
  }

  /// The activity with another distance.
  func with(distance: Length) -> Activity {
    var changed = self
    changed.distance = distance
    return changed
  }
}

/// Pages of a feed and how they are put together: each pair is tallied on its own before it is merged.
indirect enum PageTree: Sendable, CustomStringConvertible {
  case page(Rides)
  case both(PageTree, PageTree)

  /// All activities in the order of the pages.
  var rides: Rides {
    switch self {
    case .page(let rides): rides
    case .both(let left, let right): Rides(left.rides.activities + right.rides.activities)
    }
  }

  var description: String {
    switch self {
    case .page(let rides): "[\(rides)]"
    case .both(let left, let right): "(\(left) + \(right))"
    }
  }

  /// What the pages come to.
  func folded<Sum>(_ sum: (Rides) -> Sum, _ merge: (Sum, Sum) -> Sum) -> Sum {
    switch self {
    case .page(let rides): sum(rides)
    case .both(let left, let right): merge(left.folded(sum, merge), right.folded(sum, merge))
    }
  }

  /// Trees of any shape; the simplest is one page.
  static func any() -> Gen<PageTree> {
    Gen.recursive(Rides.any(count: 0...3).map(PageTree.page), depth: 3) { smaller in
      zip(smaller, smaller).map(PageTree.both)
    }
  }
}
