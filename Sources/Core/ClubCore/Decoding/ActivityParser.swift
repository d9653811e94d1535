// SPDX-License-Identifier: Apache-2.0

/// Reads one activity of a feed strictly: whatever it accepts is within bounds.
struct ActivityParser {
  private var scanner: FeedScanner
  private var activity = RawActivity()
  private var keys = FeedKeys()
  private var message: TextRange?
  private var olderSport: TextRange?
  /// Where the values stand, in their order; nil where nobody asks.
  private var marks: [SlotMark]?

  private init(_ bytes: Span<UInt8>, ending: FeedEnding) {
    scanner = FeedScanner(bytes, ending: ending)
  }

  /// The activity that some bytes are, with nothing but white space around it.
  static func parse(_ bytes: Span<UInt8>, ending: FeedEnding) throws(FeedFault) -> RawActivity {
    var parser = ActivityParser(bytes, ending: ending)
    try parser.readActivity(bytes)
    parser.scanner.skipSpace(bytes)
    guard parser.scanner.position == bytes.count else {
      throw parser.scanner.fault(bytes, at: parser.scanner.position, expected: "\(ending.rawValue) behind the activity")
    }
    try parser.checkCompleteness(bytes)
    return parser.activity
  }

  /// The shape of an activity; nil for one that is wrong in any way, or whose shape is not worth having.
  static func shape(of bytes: Span<UInt8>) -> LineShape? {
    var parser = ActivityParser(bytes, ending: .feed)
    parser.marks = []
    do throws(FeedFault) {
      try parser.readActivity(bytes)
      try parser.checkCompleteness(bytes)
    } catch { return nil }
    var marks = parser.marks ?? []
    // Of two words for the sport the newer one counts, wherever it stands.
    if parser.keys.contains(.sport), let older = parser.olderSport,
      let place = marks.firstIndex(where: { $0.start == older.start })
    {
      marks[place].kind = .word
    }
    return LineShape(bytes.extracting(first: parser.scanner.position), marks: marks)
  }

  private mutating func readActivity(_ bytes: Span<UInt8>) throws(FeedFault) {
    scanner.skipSpace(bytes)
    guard scanner.byte(bytes) == UInt8(ascii: "{") else {
      throw scanner.fault(bytes, at: scanner.position, expected: "an activity, which is an object of JSON")
    }
    scanner.position += 1
    var isFirst = true
    while let name = try scanner.key(bytes, isFirst: isFirst) {
      isFirst = false
      let key = try known(name, bytes, in: FeedKey.ofActivity)
      let start = scanner.position
      if let key { try readValue(of: key, bytes) } else { try scanner.skipValue(bytes, depth: 1) }
      mark(key, bytes, from: start)
      scanner.field = .whole
    }
  }

  private mutating func readAthlete(_ bytes: Span<UInt8>) throws(FeedFault) {
    guard scanner.byte(bytes) == UInt8(ascii: "{") else {
      throw scanner.fault(bytes, at: scanner.position, expected: "an object with the athlete's names")
    }
    scanner.position += 1
    var isFirst = true
    while let name = try scanner.key(bytes, isFirst: isFirst) {
      isFirst = false
      let key = try known(name, bytes, in: FeedKey.ofAthlete)
      let start = scanner.position
      if let key { try readValue(of: key, bytes) } else { try scanner.skipValue(bytes, depth: 2) }
      mark(key, bytes, from: start)
      scanner.field = .key(.athlete)
    }
  }

  /// The key that is spelt so, which is what is being read from here on; nil for one that nobody reads.
  private mutating func known(
    _ name: TextRange, _ bytes: Span<UInt8>, in table: (PackedText) -> FeedKey?
  ) throws(FeedFault) -> FeedKey? {
    guard let text = packed(name, bytes), let key = table(text) else {
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
      olderSport = type
      if !keys.contains(.sport) { activity.sport = type }
    case .sport: activity.sport = try sport(bytes)
    case .workoutType: if !scanner.skipNull(bytes) { activity.workoutType = try workoutType(bytes) }
    case .averageSpeed: if !scanner.skipNull(bytes) { try checkSpeed(bytes) }
    case .start: if !scanner.skipNull(bytes) { activity.start = try start(bytes) }
    case .message:
      if scanner.byte(bytes) == UInt8(ascii: "\"") {
        message = try scanner.text(bytes)
      } else {
        try scanner.skipValue(bytes, depth: 1)
      }
    }
  }

  /// Notes where a value stands that has just been read, if it may differ from activity to activity.
  private mutating func mark(_ key: FeedKey?, _ bytes: Span<UInt8>, from start: Int) {
    guard marks != nil else { return }
    let isText = bytes[start] == UInt8(ascii: "\"")
    let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start])
    guard let kind = SlotKind(of: key, isText: isText, isNumber: isNumber) else { return }
    // A digit alone, such as that of `resource_state`, is rather a mark of the feed than a quantity.
    if key == nil, isNumber, scanner.position == start + 1 { return }
    marks?.append(SlotMark(kind: kind, start: start + (isText ? 1 : 0), end: scanner.position - (isText ? 1 : 0)))
  }

  private func checkCompleteness(_ bytes: Span<UInt8>) throws(FeedFault) {
    if let message, !keys.contains(.athlete) {
      let bytes = message.bytes(in: bytes)
      throw FeedFault(
        offset: 0, field: "", found: FeedScanner.excerpt(bytes.span, from: 0, to: bytes.count), expected: nil)
    }
    guard !keys.isEmpty else {
      throw FeedFault(
        offset: 0, field: "", found: "an object without any key of an activity",
        expected: "a JSON array of activities, or one activity a line")
    }
    for key in Self.required where !keys.contains(key) {
      throw FeedFault(offset: 0, field: key.field, found: "no such key", expected: "the key in every activity")
    }
    guard keys.contains(.sport) || keys.contains(.type) else {
      throw FeedFault(
        offset: 0, field: FeedKey.sport.field, found: "no such key", expected: "that key, or 'type', in every activity")
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
    // The first byte settles nearly every name without making a string of it.
    if text.isPlain, text.count > 0, bytes[text.start] > 0x20 { return false }
    return text.string(in: bytes).allSatisfy(\.isWhitespace)
  }
}

// The values, each with its bounds.
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

  /// A text that stands in lists and on terminals: no control characters, not even escaped ones.
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

  /// A length in metres, rounded to the decimetre, ties up.
  private mutating func decimetres(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    let start = scanner.position
    let expected = Expected.metres
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: 1, upTo: Length.mostDecimetres),
      !number.isNegative || (scaled.whole == 0 && scaled.isExact)
    else { throw scanner.fault(bytes, at: start, expected: expected) }
    let decimetres = scaled.whole + (scaled.next >= 5 ? 1 : 0)
    guard decimetres <= Length.mostDecimetres else { throw scanner.fault(bytes, at: start, expected: expected) }
    return decimetres
  }

  private mutating func seconds(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    let start = scanner.position
    let expected = Expected.seconds
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: 0, upTo: Activity.mostSeconds), scaled.isExact,
      !number.isNegative || scaled.whole == 0
    else { throw scanner.fault(bytes, at: start, expected: expected) }
    return scaled.whole
  }

  private mutating func workoutType(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    let start = scanner.position
    let expected = Expected.workout
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: 0, upTo: 999_999), scaled.isExact,
      !number.isNegative || scaled.whole == 0
    else { throw scanner.fault(bytes, at: start, expected: expected) }
    return scaled.whole
  }

  /// Passes over an average speed: the core computes its own, but what stands there must be one.
  private mutating func checkSpeed(_ bytes: Span<UInt8>) throws(FeedFault) {
    let start = scanner.position
    let expected = Expected.speed
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: 0, upTo: Length.mostDecimetres),
      !number.isNegative || (scaled.whole == 0 && scaled.isExact)
    else { throw scanner.fault(bytes, at: start, expected: expected) }
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

/// What errors say should have stood there, spelt once.
private enum Expected {
  static let metres = "a number of metres from 0 to \(Length.mostDecimetres / 10)"
  static let seconds = "a whole number of seconds from 0 to \(Activity.mostSeconds)"
  static let workout = "null or a whole number from 0 to 999999"
  static let speed = "null or a number of metres per second from 0 to \(Length.mostDecimetres)"
  static let moment = "null or a moment such as \"2025-10-19T15:24:36Z\""
}
