// SPDX-License-Identifier: Apache-2.0

/// One activity of a club's feed. The feed gives neither an id nor, as a rule, a date.
public struct Activity: Hashable, Codable, Sendable {
  /// Who did it.
  public var member: MemberIdentity
  /// Its title, as its owner wrote it; owners rename.
  public var title: String
  /// The kind of sport.
  public var sport: Sport
  /// How far.
  public var distance: Length
  /// Seconds in motion, 0 to `mostSeconds`.
  public var movingTime: Int
  /// Seconds from start to end, 0 to `mostSeconds`. May be far longer than the moving time: a watch that was not
  /// stopped for two days has been seen.
  public var elapsedTime: Int
  /// How far up.
  public var elevation: Length
  /// The service's number for a race, a workout, a long run; nil where it sends none.
  public var workoutType: Int?
  /// When it started, where the feed has it.
  public var start: Moment?

  /// The longest time of one activity, in seconds: a little over three years.
  public static let mostSeconds = 100_000_000

  /// An activity. Times are seconds from 0 to `mostSeconds`.
  public init(
    member: MemberIdentity, title: String = "", sport: Sport = .ride, distance: Length, movingTime: Int,
    elapsedTime: Int, elevation: Length = .zero, workoutType: Int? = nil, start: Moment? = nil
  ) {
    (self.member, self.title, self.sport, self.distance) = (member, title, sport, distance)
    (self.movingTime, self.elapsedTime, self.elevation) = (movingTime, elapsedTime, elevation)
    (self.workoutType, self.start) = (workoutType, start)
  }
}

extension Activity {
  /// The activity as the feed spells it, with its keys in the service's order: lengths with one decimal, no climb as
  /// `0`, a moment of start and an athlete's `id` only where they are known. Decoding gives the same activity again,
  /// but for milliseconds of its start.
  public var json: [UInt8] {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes)
    return bytes
  }

  private func appendJSON(to bytes: inout [UInt8]) {
    bytes += #"{"resource_state":2,"athlete":{"#.utf8
    if let token = member.token {
      bytes += #""id":"#.utf8
      Self.appendToken(token.value, to: &bytes)
      bytes += ",".utf8
    }
    bytes += #""resource_state":2,"firstname":"#.utf8
    Self.appendText(member.name.first, to: &bytes)
    bytes += #","lastname":"#.utf8
    Self.appendText(member.name.last, to: &bytes)
    bytes += #"},"name":"#.utf8
    Self.appendText(title, to: &bytes)
    bytes += #","distance":"#.utf8
    Self.appendMetres(distance, to: &bytes)
    bytes += #","moving_time":\#(movingTime),"elapsed_time":\#(elapsedTime),"total_elevation_gain":"#.utf8
    if elevation == .zero { bytes += "0".utf8 } else { Self.appendMetres(elevation, to: &bytes) }
    bytes += #","type":"#.utf8
    Self.appendText(sport.olderName, to: &bytes)
    bytes += #","sport_type":"#.utf8
    Self.appendText(sport.name, to: &bytes)
    bytes += #","workout_type":\#(workoutType.map(String.init) ?? "null")"#.utf8
    if let start, let text = FeedMoment.text(of: start) { bytes += #","start_date":"\#(text)""#.utf8 }
    bytes += "}".utf8
  }

  /// The bytes of a page as the feed sends it: a JSON array of the activities in their order.
  public static func page(_ activities: some Sequence<Activity>) -> [UInt8] {
    var bytes = Array("[".utf8)
    for activity in activities {
      if bytes.count > 1 { bytes += ",".utf8 }
      activity.appendJSON(to: &bytes)
    }
    return bytes + "]".utf8
  }

  private static func appendMetres(_ length: Length, to bytes: inout [UInt8]) {
    bytes += "\(length.decimetres / 10).\(length.decimetres % 10)".utf8
  }

  /// A token as a number where that is its own spelling, as a text otherwise.
  private static func appendToken(_ token: String, to bytes: inout [UInt8]) {
    if token.utf8.count <= 18, let number = Int(token), number >= 0, String(number) == token {
      bytes += token.utf8
    } else {
      appendText(token, to: &bytes)
    }
  }

  private static func appendText(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case ..<0x20:
        bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
        bytes += String(byte, radix: 16).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension Sport {
  /// The service's older and coarser word, which the feed still sends as `type` beside `sport_type`.
  var olderName: String {
    switch name {
    case "TrailRun": "Run"
    case "MountainBikeRide", "GravelRide": "Ride"
    case "EMountainBikeRide": "EBikeRide"
    default: name
    }
  }
}

/// A kind of sport, by the service's own word: `Ride`, `GravelRide`, `TrailRun`. Words that came after this was written
/// are kept as they are.
public struct Sport: Hashable, Codable, Sendable {
  /// The service's word.
  public let name: String

  /// The sport of the service's word, such as `Ride`.
  public init(_ name: String) { self.name = name }

  /// An ordinary ride.
  public static let ride = Sport("Ride")
  /// An ordinary run.
  public static let run = Sport("Run")

  /// Everything that counts as cycling: rides on roads, trails and rollers, with a motor's help or by hand.
  public static let cycling: [Sport] = [
    "Ride", "MountainBikeRide", "GravelRide", "EBikeRide", "EMountainBikeRide", "VirtualRide", "Handcycle",
    "Velomobile",
  ].map(Sport.init)

  /// Everything that counts as running, whose speed people read in minutes per kilometre.
  public static let running: [Sport] = ["Run", "TrailRun", "VirtualRun"].map(Sport.init)

  /// Whether it counts as cycling.
  public var isCycling: Bool { Self.cycling.contains(self) }
}

extension Sport: CustomStringConvertible {
  /// The service's word.
  public var description: String { name }
}

/// Which activities count.
public enum SportFilter: Hashable, Sendable {
  case cycling
  case all
  case only(Set<Sport>)

  /// Whether activities of a sport count.
  public func admits(_ sport: Sport) -> Bool {
    switch self {
    case .cycling: sport.isCycling
    case .all: true
    case .only(let sports): sports.contains(sport)
    }
  }
}
