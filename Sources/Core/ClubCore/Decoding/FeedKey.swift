// SPDX-License-Identifier: Apache-2.0

/// The keys that are read; all others are checked as JSON and passed over.
enum FeedKey: UInt8 {
  case athlete, firstname, lastname, token
  case title, distance, movingTime, elapsedTime, elevation, type, sport, workoutType, averageSpeed, start
  case message

  /// What errors call it.
  var field: String {
    switch self {
    case .athlete: "athlete"
    case .firstname: "athlete.firstname"
    case .lastname: "athlete.lastname"
    case .token: "athlete.id"
    case .title: "name"
    case .distance: "distance"
    case .movingTime: "moving_time"
    case .elapsedTime: "elapsed_time"
    case .elevation: "total_elevation_gain"
    case .type: "type"
    case .sport: "sport_type"
    case .workoutType: "workout_type"
    case .averageSpeed: "average_speed"
    case .start: "start_date"
    case .message: "message"
    }
  }

  /// The key of an activity that is spelt so; nil for one that nobody reads.
  static func ofActivity(_ text: PackedText) -> FeedKey? { activity.first { $0.text == text }?.key }

  /// The key of an athlete that is spelt so; nil for one that nobody reads.
  static func ofAthlete(_ text: PackedText) -> FeedKey? { ofAthlete.first { $0.text == text }?.key }

  private typealias Spelling = (text: PackedText, key: FeedKey)

  private static let activity = spellings([
    ("athlete", .athlete), ("name", .title), ("distance", .distance), ("moving_time", .movingTime),
    ("elapsed_time", .elapsedTime), ("total_elevation_gain", .elevation), ("type", .type), ("sport_type", .sport),
    ("workout_type", .workoutType), ("average_speed", .averageSpeed), ("start_date", .start), ("message", .message),
  ])

  private static let ofAthlete = spellings([("firstname", .firstname), ("lastname", .lastname), ("id", .token)])

  private static func spellings(_ keys: [(String, FeedKey)]) -> [Spelling] {
    keys.compactMap { name, key in
      let bytes = Array(name.utf8)
      return PackedText(bytes.span, from: 0, to: bytes.count).map { ($0, key) }
    }
  }
}

/// What part of an activity is being read, to be spelt when something is wrong with it.
enum FeedField {
  case whole
  case key(FeedKey)
  /// A key that nobody reads.
  case other(TextRange)

  func spelling(in bytes: Span<UInt8>) -> String {
    switch self {
    case .whole: ""
    case .key(let key): key.field
    case .other(let name): FeedScanner.excerpt(bytes, from: name.start, to: name.end)
    }
  }
}

/// Which keys an activity has had.
struct FeedKeys {
  private var bits: UInt32 = 0

  /// Notes a key.
  ///
  /// - Returns: Whether it is the first of its kind.
  mutating func insert(_ key: FeedKey) -> Bool {
    let bit: UInt32 = 1 << UInt32(key.rawValue)
    defer { bits |= bit }
    return bits & bit == 0
  }

  func contains(_ key: FeedKey) -> Bool { bits & (1 << UInt32(key.rawValue)) != 0 }

  var isEmpty: Bool { bits == 0 }
}
