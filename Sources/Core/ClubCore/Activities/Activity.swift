// SPDX-License-Identifier: Apache-2.0

/// One activity of a club's feed. The feed gives no id and usually no date.
public struct Activity: Hashable, Codable, Sendable {
  /// The member who did it.
  public var member: MemberIdentity
  /// The title, written by its owner, who may rename it.
  public var title: String
  /// The kind of sport.
  public var sport: Sport
  /// The distance.
  public var distance: Length
  /// Seconds in motion, 0 to `maxSeconds`.
  public var movingTime: Int
  /// Seconds from start to end, 0 to `maxSeconds`. May be far longer than the moving time: a recording of two days has
  /// been seen.
  public var elapsedTime: Int
  /// The climb.
  public var elevation: Length
  /// The service's code for a race, a workout or a long run; `nil` where it sends none.
  public var workoutType: Int?
  /// The time of the start, where the feed has it.
  public var start: Moment?

  /// The longest time of one activity, in seconds: a little over three years.
  public static let maxSeconds = 100_000_000

  /// An activity. Times are seconds from 0 to `maxSeconds`.
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
  /// The activity in the format of the feed, with keys in the service's order: lengths with one decimal, no climb as
  /// `0`, a start and an athlete's `id` only where they are known. Decoding gives the same activity again, except for
  /// the milliseconds of its start.
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

  /// A page in the format of the feed: a JSON array of the activities in their order.
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

  /// A token as a number if its spelling is canonical, otherwise as a text.
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
  /// The service's older and coarser name, which the feed still sends as `type` next to `sport_type`.
  var olderName: String {
    switch name {
    case "TrailRun": "Run"
    case "MountainBikeRide", "GravelRide": "Ride"
    case "EMountainBikeRide": "EBikeRide"
    default: name
    }
  }
}

/// A kind of sport by the service's name: `Ride`, `GravelRide`, `TrailRun`. Unknown names are kept.
public struct Sport: Hashable, Codable, Sendable {
  /// The service's name.
  public let name: String

  /// The sport with a name of the service, such as `Ride`.
  public init(_ name: String) { self.name = name }

  /// An ordinary ride.
  public static let ride = Sport("Ride")
  /// An ordinary run.
  public static let run = Sport("Run")

  /// All sports that count as cycling: rides on roads, trails and trainers, with electric assistance or by hand.
  public static let cycling: [Sport] = [
    "Ride", "MountainBikeRide", "GravelRide", "EBikeRide", "EMountainBikeRide", "VirtualRide", "Handcycle",
    "Velomobile",
  ].map(Sport.init)

  /// All sports that count as running, whose speed is usually given in minutes per kilometre.
  public static let running: [Sport] = ["Run", "TrailRun", "VirtualRun"].map(Sport.init)

  /// True if it counts as cycling.
  public var isCycling: Bool { Self.cycling.contains(self) }
}

extension Sport: CustomStringConvertible {
  /// The service's name.
  public var description: String { name }
}

/// The word for an activity of some sports: only cycling has rides.
public enum ActivityWord: String, Hashable, Sendable {
  case ride, run, activity

  /// The word for several.
  public var plural: String { self == .activity ? "activities" : rawValue + "s" }

  /// The word with its article.
  var indefinite: String { self == .activity ? "an activity" : "a \(rawValue)" }
}

/// The sports whose activities count.
public enum SportFilter: Hashable, Sendable {
  case cycling
  case all
  case only(Set<Sport>)

  /// The word for the activities that count.
  public var word: ActivityWord {
    switch self {
    case .cycling: .ride
    case .all: .activity
    case .only(let sports):
      sports.isSubset(of: Sport.cycling) ? .ride : sports.isSubset(of: Sport.running) ? .run : .activity
    }
  }

  /// Returns true if activities of a sport count.
  public func admits(_ sport: Sport) -> Bool {
    switch self {
    case .cycling: sport.isCycling
    case .all: true
    case .only(let sports): sports.contains(sport)
    }
  }
}
