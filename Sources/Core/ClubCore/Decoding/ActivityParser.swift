// SPDX-License-Identifier: Apache-2.0

/// Reads one activity of a feed strictly: whatever it accepts is within bounds.
struct ActivityParser {
  private var scanner: FeedScanner
  private var activity = RawActivity()
  private var keys = FeedKeys()
  private var message: TextRange?

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

  private mutating func readActivity(_ bytes: Span<UInt8>) throws(FeedFault) {
    scanner.skipSpace(bytes)
    guard scanner.byte(bytes) == UInt8(ascii: "{") else {
      throw scanner.fault(bytes, at: scanner.position, expected: "an activity, which is an object of JSON")
    }
    scanner.position += 1
    var isFirst = true
    while let name = try scanner.key(bytes, isFirst: isFirst) {
      isFirst = false
      if let key = try known(name, bytes, in: FeedKey.ofActivity) {
        try readValue(of: key, bytes)
      } else {
        try scanner.skipValue(bytes, depth: 1)
      }
      scanner.field = ""
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
      if let key = try known(name, bytes, in: FeedKey.ofAthlete) {
        try readValue(of: key, bytes)
      } else {
        try scanner.skipValue(bytes, depth: 2)
      }
      scanner.field = FeedKey.athlete.field
    }
  }

  /// The key that is spelt so, which is what is being read from here on; nil for one that nobody reads.
  private mutating func known(
    _ name: TextRange, _ bytes: Span<UInt8>, in table: (PackedText) -> FeedKey?
  ) throws(FeedFault) -> FeedKey? {
    guard let text = packed(name, bytes), let key = table(text) else {
      scanner.field = FeedScanner.excerpt(bytes, from: name.start, to: name.end)
      return nil
    }
    scanner.field = key.field
    guard keys.insert(key) else { throw fault(at: name.start - 1, found: "the key a second time", expected: "it once") }
    return key
  }

  private func packed(_ name: TextRange, _ bytes: Span<UInt8>) -> PackedText? {
    if name.isPlain { return PackedText(bytes, from: name.start, to: name.end) }
    let resolved = name.bytes(in: bytes)
    return PackedText(resolved.span, from: 0, to: resolved.count)
  }

  private func fault(at offset: Int, found: String, expected: String) -> FeedFault {
    FeedFault(offset: offset, field: scanner.field, found: found, expected: expected)
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
    let expected = "a number of metres from 0 to \(Length.mostDecimetres / 10)"
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
    let expected = "a whole number of seconds from 0 to \(Activity.mostSeconds)"
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: 0, upTo: Activity.mostSeconds), scaled.isExact,
      !number.isNegative || scaled.whole == 0
    else { throw scanner.fault(bytes, at: start, expected: expected) }
    return scaled.whole
  }

  private mutating func workoutType(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    let start = scanner.position
    let expected = "null or a whole number from 0 to 999999"
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: 0, upTo: 999_999), scaled.isExact,
      !number.isNegative || scaled.whole == 0
    else { throw scanner.fault(bytes, at: start, expected: expected) }
    return scaled.whole
  }

  /// Passes over an average speed: the core computes its own, but what stands there must be one.
  private mutating func checkSpeed(_ bytes: Span<UInt8>) throws(FeedFault) {
    let start = scanner.position
    let expected = "null or a number of metres per second from 0 to \(Length.mostDecimetres)"
    let number = try number(bytes, expected: expected)
    guard let scaled = number.scaled(in: bytes, byTenTo: 0, upTo: Length.mostDecimetres),
      !number.isNegative || (scaled.whole == 0 && scaled.isExact)
    else { throw scanner.fault(bytes, at: start, expected: expected) }
  }

  private mutating func start(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    let start = scanner.position
    let expected = "null or a moment such as \"2025-10-19T15:24:36Z\""
    guard scanner.byte(bytes) == UInt8(ascii: "\"") else { throw scanner.fault(bytes, at: start, expected: expected) }
    let text = try scanner.text(bytes)
    guard text.isPlain, let seconds = FeedMoment.seconds(bytes, from: text.start, to: text.end) else {
      throw scanner.fault(bytes, at: start, expected: expected)
    }
    return seconds
  }
}
