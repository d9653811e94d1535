// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

extension ClubProperties {
  static func sums(of code: ClubOperations) -> [Property] {
    let club = Rides.any()
    return [
      Property(
        "club.1", "The order in which activities come never matters", reference: "a week is a multiset of activities",
        arguments: ["rides", "turn"], club, .integers(in: 0...7)
      ) { club, turn in
        let rides = club.activities
        let start = rides.isEmpty ? 0 : turn % rides.count
        let sums = code.sums(.page(club))
        for other in [Array(rides[start...] + rides[..<start]), rides.reversed()] {
          let found = code.sums(.page(Rides(other)))
          try claim(found == sums, "in the order '\(Rides(other))' the sums are others: \(found)")
        }
      },
      Property(
        "club.2", "Pages merged in any tree give the same bits as one page of all", reference: "a commutative monoid",
        arguments: ["pages"], PageTree.any()
      ) { pages in
        let (merged, whole) = (code.sums(pages), code.sums(.page(pages.rides)))
        try claim(merged == whole, "merged they are \(merged), together \(whole)")
      },
      Property(
        "club.3", "Members' sums add up to the club's", reference: "every activity has one member",
        arguments: ["pages"], PageTree.any()
      ) { pages in
        let (sums, names) = (code.sums(pages), ["rides", "dm", "s", "dm of climbing", "dm at most"])
        let (members, total) = (sums.members.map(\.sums.integers), sums.total.integers)
        for (place, name) in names.enumerated() {
          let own = members.map { $0[place] }
          let together = place == 4 ? own.max() ?? 0 : own.reduce(0, +)
          try claim(together == total[place], "members have \(together) \(name), the club has \(total[place])")
        }
      },
      Property(
        "club.4", "Every member's sums are those of the member's own rides", reference: "counted from the list",
        arguments: ["rides"], Rides.plain()
      ) { club in
        for line in code.sums(.page(club)).members {
          let own = club.activities.filter { $0.member == line.member }
          let (lengths, climbs) = (own.map(\.distance.decimetres), own.map(\.elevation.decimetres))
          let expected: [Int] = [
            own.count, lengths.reduce(0, +), own.map(\.movingTime).reduce(0, +), climbs.reduce(0, +),
            lengths.max() ?? 0,
          ]
          let found = line.sums.integers
          try claim(found == expected, "\(line.member.name) has \(found), not \(expected)")
        }
      },
      Property(
        "club.5", "The average speed is the whole distance over the whole moving time", reference: "the stated default",
        arguments: ["rides"], club
      ) { club in
        for line in code.sums(.page(club)).members {
          let (sums, name) = (line.sums, line.member.name)
          guard sums.movingTime > 0 else {
            try claim(sums.speed == nil, "\(name) has \(sums.speed ?? 0) m/s in no time")
            continue
          }
          let speed = Double(sums.distance.tenths) / Double(sums.movingTime) / 10
          let found = sums.speed ?? .nan
          try claim(abs(found - speed) <= 1e-12 * speed, "\(name) has \(found) m/s, not \(speed)")
        }
      },
    ]
  }

  /// Letters with much white space between them, and marks that may join with it.
  private static let spacious = Alphabet("aB ") + .whitespace + Alphabet(["\u{301}", "\u{200D}"])

  static func members(of code: ClubOperations) -> [Property] {
    [
      Property(
        "club.6", "Case, idle spaces and the form of accents make no other member",
        reference: "names as the feed has them", arguments: ["person", "spellings"],
        .integers(in: 0...4), .arrays(of: .elements(of: Spelling.allCases), count: 1...4)
      ) { person, spellings in
        let length = Length(decimetres: 10) ?? .zero
        let rides = spellings.map { spelling in
          Activity(
            member: MemberIdentity(name: spelling.name(of: person)), distance: length, movingTime: 1, elapsedTime: 1)
        }
        let members = code.sums(.page(Rides(rides))).members
        try claim(members.count == 1, "\(members.count) members: \(members)")
      },
      Property(
        "club.7", "Members of one name with tokens are told apart by them", reference: "the policy of collisions",
        arguments: ["tokens"], .sets(of: .optionals(of: .integers(in: 0...9)), count: 0...4)
      ) { tokens in
        let name = Spelling.asIs.name(of: 0)
        let rides = tokens.sorted { ($0 ?? -1) < ($1 ?? -1) }.map { token in
          Activity(
            member: MemberIdentity(name: name, token: token.flatMap { AthleteToken("\($0)") }), distance: .zero,
            movingTime: 1, elapsedTime: 1)
        }
        let members = code.sums(.page(Rides(rides))).members
        try claim(members.count == tokens.count, "\(members.count) members, not \(tokens.count)")
      },
      Property(
        "club.8", "Cleaning a name twice is cleaning it once", reference: "idempotence", arguments: ["name"],
        .oneOf(.strings(of: spacious, count: 0...8), .strings(of: .mixed, count: 0...8))
      ) { name in
        let once = code.cleaned(name)
        let twice = code.cleaned(once)
        try claim(
          Array(once.unicodeScalars) == Array(twice.unicodeScalars),
          "\(once.debugDescription) becomes \(twice.debugDescription)")
      },
      Property(
        "club.9", "A second identical ride counts", reference: "commuters type in the same ride every day",
        arguments: ["rides", "which"], Rides.any(count: 1...6), .integers(in: 0...5)
      ) { club, which in
        let twin = club.activities[which % club.activities.count]
        let before = code.sums(.page(club)).total
        let after = code.sums(.page(Rides(club.activities + [twin]))).total
        try claim(after.rides == before.rides + 1, "\(after.rides) rides after \(before.rides)")
        try claim(
          after.distance.tenths == before.distance.tenths + twin.distance.decimetres,
          "\(after.distance) m after \(before.distance) m")
      },
    ]
  }
}

extension Sums {
  /// Rides, decimetres, seconds, decimetres of climbing, decimetres of the longest.
  var integers: [Int] { [rides, distance.tenths, movingTime, elevation.tenths, longest.tenths] }
}

extension Double {
  /// Tenths, to the nearest whole one.
  var tenths: Int { Int((self * 10).rounded()) }
}
