// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

/// Bytes of a feed, whole or damaged.
struct SentPage: Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  var description: String { String(decoding: bytes, as: UTF8.self).debugDescription }

  /// How many lines the bytes have, the last one counted whether it ends or not.
  var lines: Int { 1 + bytes.count { $0 == 0x0A } }

  /// Activities as a club's feed has them, as lines and as a page.
  private static let recorded: [[UInt8]] = {
    let activities = [
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"chrism","lastname":"L."},"name":"Title 973","#
        + #""distance":10399.9,"moving_time":6021,"elapsed_time":6021,"total_elevation_gain":0,"type":"Run","#
        + #""sport_type":"Run","workout_type":null}"#,
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Robinw ","lastname":"K."},"name":"Ride 🏃♂","#
        + #""distance":1678.4,"moving_time":600,"elapsed_time":606,"total_elevation_gain":6.8,"type":"Ride","#
        + #""sport_type":"GravelRide","workout_type":0}"#,
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Zo\u00eb","lastname":"S."},"name":"\"A\"","#
        + #""distance":4311.0,"moving_time":1504,"elapsed_time":181983,"total_elevation_gain":27.0,"type":"Run","#
        + #""sport_type":"TrailRun","workout_type":null}"#,
    ]
    return [activities[0], activities.joined(separator: "\n"), "[\(activities.joined(separator: ",\n"))]"]
      .map { Array($0.utf8) }
  }()

  /// What damage leaves, and what people who write tests know to hurt.
  private static let splinters: [[UInt8]] =
    [
      "", "0", "-", "1e999", "-1", "NaN", "1e18", "null", "\"", "\\", "\\u", "\\ud800", "{", "}", "[", "]", ",", ":",
      "\n", "\r\n", " ", "\"distance\":1,", "[[[[", "\u{0}", "\u{FEFF}", "true",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]]

  /// Recorded bytes with up to four changes: something replaced by a splinter, cut out, repeated, or cut off.
  static func mutated() -> Gen<SentPage> {
    let length = Gen<Int>.oneOf(.integers(in: 0...3), .integers(in: 0...400))
    let splinter = Gen<[UInt8]>.oneOf(.elements(of: splinters), .bytes(count: 1...3))
    let change = zip(Gen<Int>.integers(in: 0...3), Gen<Int>.integers(in: 0...1000), length, splinter)
    // An empty page is what counterexamples are best made of.
    let page = Gen<[UInt8]>.oneOf(weighted: [(1, .just(Array("[]".utf8))), (9, .elements(of: recorded))])
    return zip(page, Gen<[(Int, Int, Int, [UInt8])]>.arrays(of: change, count: 0...4)).map {
      page, changes in
      var bytes = page
      for (kind, place, length, splinter) in changes {
        let start = place % (bytes.count + 1)
        let range = start..<min(start + length, bytes.count)
        switch kind {
        case 0: bytes.replaceSubrange(range, with: splinter)
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: Array(bytes[range]), at: start)
        default: bytes.removeSubrange(start...)
        }
      }
      return SentPage(bytes: bytes)
    }
  }
}

/// Activities with everything that the feed can say about them.
struct SentActivities: Sendable, CustomStringConvertible {
  let activities: [Activity]

  var description: String {
    activities.map { "\($0.line), \($0.sport), \($0.title.debugDescription)" }.joined(separator: "; ")
  }

  static func any() -> Gen<SentActivities> {
    let word = Alphabet.latin + .scripts + .emoji + .rightToLeft
    let name = zip(Gen<String>.strings(of: word, count: 0...4), .strings(of: word, count: 0...3)).map {
      AthleteName(first: "A\($0)", last: $1)
    }
    let details = zip(
      Gen<String>.strings(of: .mixed, count: 0...6), .elements(of: Sport.cycling + Sport.running),
      .optionals(of: .integers(in: 0...999_999)), .optionals(of: .integers(in: 0...4_000_000_000)))
    let activity = zip(Rides.activity(named: Rides.names), .optionals(of: name), details).map { ride, name, details in
      Activity(
        member: name.map { MemberIdentity(name: $0, token: ride.member.token) } ?? ride.member, title: details.0,
        sport: details.1, distance: ride.distance, movingTime: ride.movingTime, elapsedTime: ride.elapsedTime,
        elevation: ride.elevation, workoutType: details.2, start: details.3.map { Moment(seconds: $0) })
    }
    return Gen.arrays(of: activity, count: 0...4).map(SentActivities.init)
  }
}
