// SPDX-License-Identifier: Apache-2.0
internal import CoreDates
internal import CoreJSON

/// Reads one activity from its JSON: all accepted values are within bounds.
struct ActivityReader {
  let bytes: [UInt8]

  static let feed = "a JSON array of activities, or one activity a line"

  /// The fault of an activity without a member.
  static let noName = FeedFault(field: "athlete.firstname", found: "no such key", expected: inEvery)

  private static let inEvery = "the key in every activity"

  /// The activity, and the fault of a missing climb, which counts as none.
  func entry(
    _ node: JSONNode, location: FeedLocation, page: Int?
  ) throws(FeedFault) -> (entry: FeedEntry, missing: FeedFault?) {
    guard node.isObject else { throw fault(node, expected: "an activity, which is an object of JSON") }
    guard node.members.contains(where: { Self.keys.contains($0.name) }) else {
      throw FeedFault(line: node.line, found: "an object without any key of an activity", expected: Self.feed)
    }
    let start = try moment("start_date", of: node)
    let local = try moment("start_date_local", of: node)
    guard start == nil || start?.offset != nil else {
      throw fault(node["start_date"] ?? node, field: "start_date", expected: Self.moment)
    }
    let isDated = start != nil || local != nil
    let member = try member(node, isDated: isDated)
    let title = try text("name", of: node, upTo: FeedLimits.titleBytes)
    guard title != nil || isDated else { throw missing("name", in: node) }
    let distance = try decimetres("distance", of: node)
    let moving = try seconds("moving_time", of: node)
    let elapsed = try seconds("elapsed_time", of: node)
    var (climb, unknown) = (Length.zero, FeedFault?.none)
    if let value = node["total_elevation_gain"], !value.isNull {
      climb = try decimetres("total_elevation_gain", of: node)
    } else {
      unknown =
        node["total_elevation_gain"].map { fault($0, field: "total_elevation_gain", expected: Self.metres) }
        ?? missing("total_elevation_gain", in: node)
    }
    let (newer, older) = (try word("sport_type", of: node), try word("type", of: node))
    guard let sport = newer ?? older else {
      throw FeedFault(
        line: node.line, field: "sport_type", found: "no such key",
        expected: "that key, or 'type', in every activity")
    }
    let workout = try workoutType(of: node)
    var activity = Activity(
      member: member, title: title ?? "", sport: Sport(sport), distance: distance, movingTime: moving,
      elapsedTime: elapsed, elevation: climb, workoutType: workout)
    activity.start = start.map { Moment(seconds: $0.seconds - ($0.offset ?? 0)) }
    let entry = FeedEntry(
      activity, id: try token("id", of: node, field: "id"),
      localStart: try localStart(start, local, of: node), location: location, page: page)
    return (entry, unknown)
  }

  private static let keys: Set<String> = [
    "athlete", "name", "distance", "moving_time", "elapsed_time", "total_elevation_gain", "type", "sport_type",
    "workout_type", "start_date", "start_date_local",
  ]

  // MARK: The member and the date

  private func member(_ node: JSONNode, isDated: Bool) throws(FeedFault) -> MemberIdentity {
    guard let athlete = present("athlete", of: node) else {
      if isDated { return MemberIdentity(name: AthleteName(first: "", last: "")) }
      throw missing("athlete", in: node)
    }
    guard athlete.isObject else {
      throw fault(athlete, field: "athlete", expected: "an object with the athlete's names")
    }
    var names: [String] = []
    for key in ["firstname", "lastname"] {
      guard let name = try word(key, of: athlete, field: "athlete.\(key)", upTo: FeedLimits.nameBytes, isEmpty: true)
      else {
        guard isDated else {
          throw athlete[key].map { fault($0, field: "athlete.\(key)", expected: Self.text) }
            ?? missing("athlete.\(key)", in: athlete)
        }
        names.append("")
        continue
      }
      names.append(name)
    }
    let name = AthleteName(first: names[0], last: names[1])
    guard isDated || !name.description.isEmpty else {
      throw FeedFault(line: athlete.line, field: "athlete", found: "two blank names", expected: "a name")
    }
    let token = try token("id", of: athlete, field: "athlete.id")
    return MemberIdentity(name: name, token: token.flatMap { AthleteToken($0) })
  }

  /// The start by the local clock: as the feed has it, else by the offset from UTC.
  private func localStart(
    _ start: FeedMoment?, _ local: FeedMoment?, of node: JSONNode
  ) throws(FeedFault) -> Moment? {
    if let local { return Moment(seconds: local.seconds) }
    guard let start else { return nil }
    if let offset = present("utc_offset", of: node)?.number, abs(offset) <= 86_400 {
      return Moment(seconds: start.seconds - (start.offset ?? 0) + Int(offset))
    }
    // An offset in the text of the date itself is that of the local clock; Z is not.
    return start.isUTC ? nil : Moment(seconds: start.seconds)
  }

  private func moment(_ key: String, of node: JSONNode) throws(FeedFault) -> FeedMoment? {
    guard let value = present(key, of: node) else { return nil }
    guard let text = value.string, let moment = FeedMoment(text) else {
      throw fault(value, field: key, expected: Self.moment)
    }
    return moment
  }

  // MARK: Texts

  private func present(_ key: String, of node: JSONNode) -> JSONNode? {
    node[key].flatMap { $0.isNull ? nil : $0 }
  }

  private func text(
    _ key: String, of node: JSONNode, field: String? = nil, upTo limit: Int
  ) throws(FeedFault) -> String? {
    guard let value = present(key, of: node) else { return nil }
    guard let text = value.string else { throw fault(value, field: field ?? key, expected: Self.text) }
    guard text.utf8.count <= limit else {
      throw fault(value, field: field ?? key, expected: "a text of at most \(limit) bytes")
    }
    return text
  }

  /// A text for lists and terminals: control characters are refused.
  private func word(
    _ key: String, of node: JSONNode, field: String? = nil, upTo limit: Int = FeedLimits.wordBytes,
    isEmpty: Bool = false
  ) throws(FeedFault) -> String? {
    guard let word = try text(key, of: node, field: field, upTo: limit), let value = node[key] else { return nil }
    guard word.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x80...0x9F).contains($0.value) }) else {
      throw fault(value, field: field ?? key, expected: "a text without control characters")
    }
    guard isEmpty || !word.isEmpty else {
      throw fault(value, field: field ?? key, expected: "a text that is not empty")
    }
    return word
  }

  /// A whole number or a text, as text.
  private func token(_ key: String, of node: JSONNode, field: String) throws(FeedFault) -> String? {
    guard let value = present(key, of: node) else { return nil }
    if value.string != nil { return try word(key, of: node, field: field) }
    let digits = bytes[value.bytes]
    guard value.number != nil, digits.count <= 19, digits.allSatisfy({ (48...57).contains($0) }) else {
      throw fault(value, field: field, expected: "a whole number, or a text that is not empty")
    }
    return String(decoding: digits, as: UTF8.self)
  }

  // MARK: Numbers

  private func number(
    _ key: String, of node: JSONNode, byTenTo power: Int = 0, upTo limit: Int, expected: String
  ) throws(FeedFault) -> ExactDecimal.Scaled {
    guard let value = node[key] else { throw missing(key, in: node) }
    guard value.number != nil, let number = ExactDecimal(bytes[value.bytes]),
      let scaled = number.scaled(byTenTo: power, upTo: limit)
    else { throw fault(value, field: key, expected: expected) }
    return scaled
  }

  private func whole(
    _ key: String, of node: JSONNode, upTo limit: Int, expected: String
  ) throws(FeedFault) -> Int {
    let scaled = try number(key, of: node, upTo: limit, expected: expected)
    guard scaled.isExact else { throw fault(node[key] ?? node, field: key, expected: expected) }
    return scaled.whole
  }

  private func seconds(_ key: String, of node: JSONNode) throws(FeedFault) -> Int {
    try whole(key, of: node, upTo: Activity.maxSeconds, expected: Self.seconds)
  }

  private func workoutType(of node: JSONNode) throws(FeedFault) -> Int? {
    guard present("workout_type", of: node) != nil else { return nil }
    return try whole("workout_type", of: node, upTo: 999_999, expected: "null or a whole number from 0 to 999999")
  }

  private func decimetres(_ key: String, of node: JSONNode) throws(FeedFault) -> Length {
    let scaled = try number(
      key, of: node, byTenTo: 1, upTo: Length.maxDecimetres, expected: Self.metres)
    guard let length = Length(decimetres: scaled.nearest) else {
      throw fault(node[key] ?? node, field: key, expected: Self.metres)
    }
    return length
  }

  private static let text = "a text in quotes"
  private static let metres = "a number of metres from 0 to \(Length.maxDecimetres / 10)"
  private static let seconds = "a whole number of seconds from 0 to \(Activity.maxSeconds)"
  private static let moment = "null or a moment such as \"2025-10-19T15:24:36Z\""

  // MARK: Faults

  private func missing(_ field: String, in node: JSONNode) -> FeedFault {
    FeedFault(line: node.line, field: field, found: "no such key", expected: Self.inEvery)
  }

  private func fault(_ node: JSONNode, field: String = "", expected: String) -> FeedFault {
    let found =
      switch node.value {
      case .object: "an object"
      case .array: "an array"
      default: Excerpt.of(bytes[node.bytes])
      }
    return FeedFault(line: node.line, field: field, found: found, expected: expected)
  }
}

extension JSONNode {
  fileprivate var isNull: Bool { if case .null = value { true } else { false } }
}

/// An error in a document, before its place in a feed is known.
struct FeedFault: Error {
  var line = 1
  /// The part of the activity; empty for the whole.
  var field = ""
  var found: String
  /// The value that was expected; `nil` if `found` is the service's own error message.
  var expected: String?

  func error(at location: FeedLocation) -> ClubError {
    guard let expected else { return .serviceRefused(location, message: found) }
    return .badFeed(location, field: field, found: found, expected: expected)
  }
}

extension FeedFault {
  /// A fault of JSON, in words.
  init(_ fault: JSONFault, in bytes: [UInt8]) {
    var (location, found) = (fault.bytes.upperBound, String?.none)
    line = fault.line
    switch fault.kind {
    case .noValue: expected = "a value of JSON"
    case .noName: (location, expected) = (fault.bytes.lowerBound, "a key in quotes")
    case .noColon(let name): expected = "a colon behind the key '\(Excerpt.of(name.utf8))'"
    case .noSeparator(let bracket): expected = "',' or '\(bracket)'"
    case .number(let what): (location, expected) = (fault.bytes.lowerBound, what)
    case .numberOutOfRange: (location, expected) = (fault.bytes.lowerBound, "a smaller number")
    case .badText: (location, expected) = (fault.bytes.lowerBound, "a text in UTF-8 with the escapes of JSON")
    case .controlCharacter: (location, expected) = (fault.bytes.lowerBound, "a text without control characters")
    case .openText: (location, expected) = (fault.bytes.lowerBound, "a text with a closing quote")
    case .repeated(let name):
      (field, found, expected) = (Excerpt.of(name.utf8), "the key a second time", "the key once")
    case .tooDeep:
      (location, expected) = (fault.bytes.lowerBound, "at most \(FeedLimits.depth) levels of objects and arrays")
    case .trailing: expected = "nothing more"
    }
    self.found = found ?? Excerpt.of(bytes, at: location)
  }
}

/// Bytes of a feed for errors.
enum Excerpt {
  /// At most 40 bytes, without control characters.
  static func of(_ bytes: some Collection<UInt8>) -> String {
    var shown = Array(bytes.prefix(40))
    let isCut = bytes.count > 40
    // A truncated character is left out.
    if isCut { while let last = shown.last, last & 0xC0 == 0x80 { shown.removeLast() } }
    if isCut, let last = shown.last, last >= 0xC0 { shown.removeLast() }
    var result = ""
    for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{FEFF}"
      result += isControl ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(Character(scalar))
    }
    return isCut ? "\(result)… (\(bytes.count) bytes)" : result
  }

  /// The word or text at a place, or the end of the feed.
  static func of(_ bytes: [UInt8], at location: Int) -> String {
    guard location < bytes.count else { return "the end of the feed" }
    switch bytes[location] {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "an array"
    case UInt8(ascii: "\""): return of(bytes[location...].prefix(1) + bytes[(location + 1)...].prefix { $0 != 0x22 })
    case 0x0A, 0x0D: return "the end of the line"
    case let byte where ",:]}".utf8.contains(byte): return "'\(Character(Unicode.Scalar(byte)))'"
    default:
      return of(bytes[location...].prefix { $0 > 0x20 && !",:]}[{\"".utf8.contains($0) || $0 == bytes[location] })
    }
  }
}

/// A decimal number, read exactly: its digits are never converted to binary fractions.
struct ExactDecimal {
  private let isNegative: Bool
  private let digits: [UInt8]
  /// The number of digits before the point, with the exponent added.
  private let whole: Int

  /// A number as JSON writes it; `nil` for other texts.
  init?(_ text: some Collection<UInt8>) {
    var rest = Array(text)[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    func take() -> [UInt8] {
      let digits = rest.prefix { (48...57).contains($0) }
      rest = rest.dropFirst(digits.count)
      return Array(digits)
    }
    let before = take()
    var (after, exponent) = ([UInt8](), 0)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      after = take()
    }
    guard !before.isEmpty else { return nil }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      let isBelow = rest.first == UInt8(ascii: "-")
      if isBelow || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      // Bounded: no document has enough digits to compensate for more.
      exponent = take().reduce(0) { min($0 * 10 + Int($1 - 48), 1_000_000_000) } * (isBelow ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    (digits, whole) = (before + after, before.count + exponent)
  }

  /// The number times a power of ten, truncated to an integer.
  struct Scaled {
    /// The integer part.
    var whole = 0
    /// The first digit behind the integer part.
    var next: UInt8 = 0
    /// True if only zeros were truncated.
    var isExact = true

    /// The nearest integer, ties up.
    var nearest: Int { whole + (next >= 5 ? 1 : 0) }
  }

  /// The number times a power of ten; `nil` below zero and beyond a limit.
  func scaled(byTenTo power: Int, upTo limit: Int) -> Scaled? {
    var (result, left) = (Scaled(), whole + power)
    for digit in digits.lazy.map({ $0 - 48 }) {
      if left > 0 {
        result.whole = result.whole * 10 + Int(digit)
        guard result.whole <= limit else { return nil }
      } else {
        if left == 0 { result.next = digit }
        result.isExact = result.isExact && digit == 0
      }
      left -= 1
    }
    while left > 0, result.whole > 0 {
      result.whole *= 10
      guard result.whole <= limit else { return nil }
      left -= 1
    }
    guard !isNegative || result.whole == 0 && result.isExact else { return nil }
    return result
  }
}

/// A time as feeds write it, by ISO 8601: `2025-10-19T15:24:36Z`.
struct FeedMoment {
  /// The reading of the clock, as seconds since 1970-01-01T00:00:00 of the same clock.
  let seconds: Int
  /// Seconds ahead of UTC; `nil` if the text does not say.
  let offset: Int?
  /// True if the text ends in `Z`.
  let isUTC: Bool

  /// A time of the years 1 to 9999 with seconds, whose fractions are dropped, and an offset or none.
  init?(_ text: String) {
    let pattern = Array("dddd-dd-ddTdd:dd:dd".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count >= pattern.count, Self.matches(bytes[..<pattern.count], pattern) else { return nil }
    let date = CivilDate(
      year: Self.pair(bytes, 0) * 100 + Self.pair(bytes, 2), month: Self.pair(bytes, 5),
      dayOfMonth: Self.pair(bytes, 8))
    let (hour, minute, second) = (Self.pair(bytes, 11), Self.pair(bytes, 14), Self.pair(bytes, 17))
    guard date.year > 0, date.exists, hour < 24, minute < 60, second < 60 else { return nil }
    seconds = date.day * 86_400 + hour * 3600 + minute * 60 + second
    var rest = bytes[pattern.count...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (48...57).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(1 + digits.count)
    }
    isUTC = rest.elementsEqual("Z".utf8)
    if rest.isEmpty || isUTC {
      offset = isUTC ? 0 : nil
      return
    }
    let zone = Array(rest.filter { $0 != UInt8(ascii: ":") })
    guard Self.matches(zone[...], Array("+dddd".utf8)) || Self.matches(zone[...], Array("-dddd".utf8)),
      Self.pair(zone, 1) < 24, Self.pair(zone, 3) < 60
    else { return nil }
    offset = (Self.pair(zone, 1) * 3600 + Self.pair(zone, 3) * 60) * (zone[0] == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func matches(_ bytes: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Bool {
    bytes.count == pattern.count
      && zip(bytes, pattern).allSatisfy { byte, mark in
        mark == UInt8(ascii: "d") ? (48...57).contains(byte) : byte == mark
      }
  }

  private static func pair(_ bytes: [UInt8], _ location: Int) -> Int {
    Int(bytes[location] - 48) * 10 + Int(bytes[location + 1] - 48)
  }

  /// A time in UTC, rounded down to the second; `nil` outside the years 1 to 9999.
  static func text(of moment: Moment) -> String? {
    let date = CivilDate(day: moment.seconds.floorDivided(by: 86_400))
    guard (1...9999).contains(date.year) else { return nil }
    let second = moment.seconds - date.day * 86_400
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
    return "\(date)T\(clock.joined(separator: ":"))Z"
  }
}
