// SPDX-License-Identifier: Apache-2.0

/// Reads one activity of a feed strictly: all accepted values are within bounds.
package struct ActivityParser {
  private var scanner: FeedScanner
  private var activity = RawActivity()
  private var keys = FeedKeys()
  private var message: TextRange?
  /// The positions of the values, in the order of their ends; `nil` if not requested.
  private var marks: [ValueMark]?

  private init(ending: FeedEnding) {
    scanner = FeedScanner(ending: ending)
  }

  /// The activity in some bytes, with nothing but white space around it.
  package static func parse(_ bytes: Span<UInt8>, ending: FeedEnding) throws(FeedFault) -> RawActivity {
    var parser = ActivityParser(ending: ending)
    try parser.readActivity(bytes)
    parser.scanner.skipSpace(bytes)
    guard parser.scanner.position == bytes.count else {
      throw parser.scanner.fault(bytes, at: parser.scanner.position, expected: "\(ending.rawValue) behind the activity")
    }
    try parser.checkCompleteness(bytes)
    return parser.activity
  }

  /// The positions of the values of an activity, and its end; `nil` for an invalid one.
  package static func marks(of bytes: Span<UInt8>) -> (values: [ValueMark], end: Int)? {
    var parser = ActivityParser(ending: .feed)
    parser.marks = []
    do throws(FeedFault) {
      try parser.readActivity(bytes)
      try parser.checkCompleteness(bytes)
    } catch { return nil }
    return (parser.marks ?? [], parser.scanner.position)
  }

  private mutating func readActivity(_ bytes: Span<UInt8>) throws(FeedFault) {
    scanner.skipSpace(bytes)
    guard scanner.byte(bytes) == UInt8(ascii: "{") else {
      throw scanner.fault(bytes, at: scanner.position, expected: "an activity, which is an object of JSON")
    }
    try readKeys(bytes, of: .whole, depth: 1, known: FeedKey.ofActivity)
  }

  private mutating func readAthlete(_ bytes: Span<UInt8>) throws(FeedFault) {
    guard scanner.byte(bytes) == UInt8(ascii: "{") else {
      throw scanner.fault(bytes, at: scanner.position, expected: "an object with the athlete's names")
    }
    try readKeys(bytes, of: .key(.athlete), depth: 2, known: FeedKey.ofAthlete)
  }

  /// Reads an object whose brace is at the position.
  private mutating func readKeys(
    _ bytes: Span<UInt8>, of field: FeedField, depth: Int, known table: FeedKey.Spellings
  ) throws(FeedFault) {
    scanner.position += 1
    var isFirst = true
    while let name = try scanner.key(bytes, isFirst: isFirst) {
      isFirst = false
      let key = try known(name, bytes, in: table)
      let start = scanner.position
      if let key { try readValue(of: key, bytes) } else { try scanner.skipValue(bytes, depth: depth) }
      marks?.append(ValueMark(key: key, start: start, end: scanner.position))
      scanner.field = field
    }
  }

  /// The key with this spelling, which becomes the current field of errors; `nil` for an ignored key.
  private mutating func known(
    _ name: TextRange, _ bytes: Span<UInt8>, in table: FeedKey.Spellings
  ) throws(FeedFault) -> FeedKey? {
    guard let text = packed(name, bytes), let key = table.first(where: { $0.text == text })?.key else {
      scanner.field = .other(name)
      return nil
    }
    scanner.field = .key(key)
    guard keys.insert(key) else {
      throw FeedFault(
        offset: name.start - 1, field: key.field, found: "the key a second time", expected: "the key once")
    }
    return key
  }

  private func packed(_ name: TextRange, _ bytes: Span<UInt8>) -> PackedText? {
    if name.isPlain { return PackedText(bytes, from: name.start, to: name.end) }
    let resolved = name.bytes(in: bytes)
    return PackedText(resolved.span, from: 0, to: resolved.count)
  }

  private mutating func readValue(of key: FeedKey, _ bytes: Span<UInt8>) throws(FeedFault) {
    switch key {
    case .athlete: try readAthlete(bytes)
    case .firstname: activity.first = try word(bytes, upTo: FeedLimits.nameBytes)
    case .lastname: activity.last = try word(bytes, upTo: FeedLimits.nameBytes)
    case .token: if !scanner.skipNull(bytes) { activity.token = try token(bytes) }
    case .title: activity.title = try text(bytes, upTo: FeedLimits.titleBytes)
    case .distance: activity.distance = try decimetres(bytes)
    case .movingTime: activity.movingTime = try seconds(bytes)
    case .elapsedTime: activity.elapsedTime = try seconds(bytes)
    case .elevation: activity.elevation = try decimetres(bytes)
    case .type:
      let type = try sport(bytes)
      if !keys.contains(.sport) { activity.sport = type }
    case .sport: activity.sport = try sport(bytes)
    case .workoutType:
      if !scanner.skipNull(bytes) { activity.workoutType = try whole(bytes, upTo: 999_999, expected: Expected.workout) }
    case .averageSpeed:
      // The core computes its own speed, but this value must be a valid one.
      if !scanner.skipNull(bytes) { _ = try scaled(bytes, upTo: Length.mostDecimetres, expected: Expected.speed) }
    case .start: if !scanner.skipNull(bytes) { activity.start = try start(bytes) }
    case .message:
      if scanner.byte(bytes) == UInt8(ascii: "\"") {
        message = try scanner.text(bytes)
      } else {
        try scanner.skipValue(bytes, depth: 1)
      }
    }
  }

  private func checkCompleteness(_ bytes: Span<UInt8>) throws(FeedFault) {
    if let message, !keys.contains(.athlete) {
      let bytes = message.bytes(in: bytes)
      throw FeedFault(found: FeedScanner.excerpt(bytes.span, from: 0, to: bytes.count))
    }
    guard !keys.isEmpty else {
      throw FeedFault(
        found: "an object without any key of an activity",
        expected: "a JSON array of activities, or one activity a line")
    }
    for key in Self.required where !keys.contains(key) {
      throw FeedFault(field: key.field, found: "no such key", expected: "the key in every activity")
    }
    guard keys.contains(.sport) || keys.contains(.type) else {
      throw FeedFault(
        field: FeedKey.sport.field, found: "no such key", expected: "that key, or 'type', in every activity")
    }
    guard !isBlank(activity.first, bytes) || !isBlank(activity.last, bytes) else {
      throw FeedFault(
        offset: activity.first.start, field: FeedKey.athlete.field, found: "two blank names", expected: "a name")
    }
  }

  private static let required: [FeedKey] = [
    .athlete, .firstname, .lastname, .title, .distance, .movingTime, .elapsedTime, .elevation,
  ]

  private func isBlank(_ text: TextRange, _ bytes: Span<UInt8>) -> Bool {
    // The first byte decides for nearly every name, without making a string of it.
    if text.isPlain, text.count > 0, bytes[text.start] > 0x20 { return false }
    return text.string(in: bytes).allSatisfy(\.isWhitespace)
  }
}

// Reads the values and checks their bounds.
extension ActivityParser {
  private mutating func text(_ bytes: Span<UInt8>, upTo limit: Int) throws(FeedFault) -> TextRange {
    let start = scanner.position
    guard scanner.byte(bytes) == UInt8(ascii: "\"") else {
      throw scanner.fault(bytes, at: start, expected: "a text in quotes")
    }
    let text = try scanner.text(bytes)
    guard text.count <= limit else {
      throw scanner.fault(bytes, at: start, expected: "a text of at most \(limit) bytes")
    }
    return text
  }

  /// A text for lists and terminals: control characters are refused, even escaped ones.
  private mutating func word(_ bytes: Span<UInt8>, upTo limit: Int) throws(FeedFault) -> TextRange {
    let start = scanner.position
    let word = try text(bytes, upTo: limit)
    if word.isPlain { return word }
    for scalar in word.string(in: bytes).unicodeScalars
    where scalar.value < 0x20 || (0x80...0x9F).contains(scalar.value) {
      throw scanner.fault(bytes, at: start, expected: "a text without control characters")
    }
    return word
  }

  private mutating func sport(_ bytes: Span<UInt8>) throws(FeedFault) -> TextRange {
    let start = scanner.position
    let sport = try word(bytes, upTo: FeedLimits.wordBytes)
    guard sport.count > 0 else { throw scanner.fault(bytes, at: start, expected: "the word for a sport") }
    return sport
  }

  private mutating func token(_ bytes: Span<UInt8>) throws(FeedFault) -> TextRange {
    let start = scanner.position
    if scanner.byte(bytes) == UInt8(ascii: "\"") {
      let token = try word(bytes, upTo: FeedLimits.wordBytes)
      guard token.count > 0 else { throw scanner.fault(bytes, at: start, expected: "a token that is not empty") }
      return token
    }
    let number = try number(bytes, expected: "a whole number or a text that is not empty")
    guard number.isPlainInteger, !number.isNegative, number.end - number.start <= 18 else {
      throw scanner.fault(bytes, at: start, expected: "a whole number from 0 to 999999999999999999, or a text")
    }
    return TextRange(start: number.start, end: number.end)
  }

  private mutating func number(_ bytes: Span<UInt8>, expected: String) throws(FeedFault) -> DecimalRange {
    let first = scanner.byte(bytes)
    guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      throw scanner.fault(bytes, at: scanner.position, expected: expected)
    }
    return try scanner.number(bytes)
  }

  /// A number from 0 to a limit, times a power of ten.
  private mutating func scaled(
    _ bytes: Span<UInt8>, byTenTo power: Int = 0, upTo limit: Int, expected: String
  ) throws(FeedFault) -> DecimalRange.Scaled {
    let start = scanner.position
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: power, upTo: limit),
      !number.isNegative || (scaled.whole == 0 && scaled.isExact)
    else { throw scanner.fault(bytes, at: start, expected: expected) }
    return scaled
  }

  private mutating func whole(_ bytes: Span<UInt8>, upTo limit: Int, expected: String) throws(FeedFault) -> Int {
    let start = scanner.position
    let scaled = try scaled(bytes, upTo: limit, expected: expected)
    guard scaled.isExact else { throw scanner.fault(bytes, at: start, expected: expected) }
    return scaled.whole
  }

  /// A length in metres, rounded to decimetres, ties up.
  private mutating func decimetres(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    let start = scanner.position
    let scaled = try scaled(bytes, byTenTo: 1, upTo: Length.mostDecimetres, expected: Expected.metres)
    let decimetres = scaled.whole + (scaled.next >= 5 ? 1 : 0)
    guard decimetres <= Length.mostDecimetres else { throw scanner.fault(bytes, at: start, expected: Expected.metres) }
    return decimetres
  }

  private mutating func seconds(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    try whole(bytes, upTo: Activity.mostSeconds, expected: Expected.seconds)
  }

  private mutating func start(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    let start = scanner.position
    let expected = Expected.moment
    guard scanner.byte(bytes) == UInt8(ascii: "\"") else { throw scanner.fault(bytes, at: start, expected: expected) }
    let text = try scanner.text(bytes)
    guard text.isPlain, let seconds = FeedMoment.seconds(bytes, from: text.start, to: text.end) else {
      throw scanner.fault(bytes, at: start, expected: expected)
    }
    return seconds
  }
}

private enum Expected {
  static let metres = "a number of metres from 0 to \(Length.mostDecimetres / 10)"
  static let seconds = "a whole number of seconds from 0 to \(Activity.mostSeconds)"
  static let workout = "null or a whole number from 0 to 999999"
  static let speed = "null or a number of metres per second from 0 to \(Length.mostDecimetres)"
  static let moment = "null or a moment such as \"2025-10-19T15:24:36Z\""
}

/// The position of a value in an activity, of a text with its quotes, and its key; `nil` for an ignored key.
package struct ValueMark {
  package let key: FeedKey?
  package let start: Int
  package let end: Int
}

/// An activity in the bytes of a feed: its numbers, and the positions of its texts. All values are within bounds.
package struct RawActivity {
  package fileprivate(set) var first = TextRange()
  package fileprivate(set) var last = TextRange()
  /// The athlete's token; `nil` where the feed has none.
  package fileprivate(set) var token: TextRange?
  package fileprivate(set) var title = TextRange()
  package fileprivate(set) var sport = TextRange()
  /// In decimetres.
  package fileprivate(set) var distance = 0
  /// In seconds.
  package fileprivate(set) var movingTime = 0
  /// In seconds.
  package fileprivate(set) var elapsedTime = 0
  /// In decimetres.
  package fileprivate(set) var elevation = 0
  package fileprivate(set) var workoutType: Int?
  /// Seconds since 1970-01-01T00:00:00Z.
  package fileprivate(set) var start: Int?

  package func member(in bytes: Span<UInt8>) -> MemberIdentity {
    MemberIdentity(
      name: AthleteName(first: first.string(in: bytes), last: last.string(in: bytes)),
      token: token.flatMap { AthleteToken($0.string(in: bytes)) })
  }

  func activity(in bytes: Span<UInt8>) -> Activity {
    Activity(
      member: member(in: bytes), title: title.string(in: bytes), sport: Sport(sport.string(in: bytes)),
      distance: Length(checked: distance), movingTime: movingTime, elapsedTime: elapsedTime,
      elevation: Length(checked: elevation), workoutType: workoutType, start: start.map { Moment(seconds: $0) })
  }
}

/// The keys that are read; others are checked as JSON and ignored.
package enum FeedKey: UInt8, CaseIterable {
  case athlete, firstname, lastname, token
  case title, distance, movingTime, elapsedTime, elevation, type, sport, workoutType, averageSpeed, start
  case message

  /// The name in errors; the feed has the part after the point.
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

  typealias Spellings = [(text: PackedText, key: FeedKey)]

  static let ofActivity = spellings { !$0.contains(".") }
  static let ofAthlete = spellings { $0.contains(".") }

  private static func spellings(where isMeant: (String) -> Bool) -> Spellings {
    allCases.filter { isMeant($0.field) }.compactMap { key in
      let name = Array(key.field.utf8.split(separator: UInt8(ascii: ".")).last ?? [])
      return PackedText(name.span, from: 0, to: name.count).map { ($0, key) }
    }
  }
}

/// The current part of an activity, for errors.
enum FeedField {
  case whole
  case key(FeedKey)
  case other(TextRange)

  func spelling(in bytes: Span<UInt8>) -> String {
    switch self {
    case .whole: ""
    case .key(let key): key.field
    case .other(let name): FeedScanner.excerpt(bytes, from: name.start, to: name.end)
    }
  }
}

private struct FeedKeys {
  private var bits: UInt32 = 0

  mutating func insert(_ key: FeedKey) -> Bool {
    let bit: UInt32 = 1 << UInt32(key.rawValue)
    defer { bits |= bit }
    return bits & bit == 0
  }

  func contains(_ key: FeedKey) -> Bool { bits & (1 << UInt32(key.rawValue)) != 0 }

  var isEmpty: Bool { bits == 0 }
}

/// A short text without zero bytes in three machine words, so that a comparison compares three integers.
package struct PackedText: Hashable {
  private static let capacity = 24

  package var low: UInt64 = 0
  package var middle: UInt64 = 0
  package var high: UInt64 = 0

  package init() {}

  /// The packed bytes; `nil` if there are too many, or one is zero.
  package init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    guard end - start <= Self.capacity else { return nil }
    for (place, index) in (start..<end).enumerated() {
      guard bytes[index] != 0 else { return nil }
      let shifted = UInt64(bytes[index]) << UInt64(place & 7 * 8)
      switch place / 8 {
      case 0: low |= shifted
      case 1: middle |= shifted
      default: high |= shifted
      }
    }
  }

  package static func == (left: PackedText, right: PackedText) -> Bool {
    left.low == right.low && left.middle == right.middle && left.high == right.high
  }
}
