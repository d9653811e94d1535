// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// The role of an activity's value when activities are only counted.
enum SlotKind: UInt8 {
  /// No value: the literal before it is the last.
  case none
  case first, last, tokenNumber
  case distance, elevation, movingTime, elapsedTime
  case sport
  /// The older word for the sport next to the one that counts; only checked.
  case word
  /// A title, or a text of an unused key.
  case text
  /// A number that is only checked.
  case number
  case workoutType
  case start

  /// The role of a key's value; nil for a value that must be the same in every activity.
  init?(of key: FeedKey?, isText: Bool, isNumber: Bool) {
    switch key {
    case .athlete: return nil
    case .firstname: self = .first
    case .lastname: self = .last
    case .token where isNumber: self = .tokenNumber
    case .title: self = .text
    case .distance: self = .distance
    case .movingTime: self = .movingTime
    case .elapsedTime: self = .elapsedTime
    case .elevation: self = .elevation
    case .type, .sport: self = .sport
    case .workoutType: self = .workoutType
    case .start where isText: self = .start
    case .averageSpeed where isNumber: self = .number
    case .message where isText, nil where isText: self = .text
    case .message where isNumber, nil where isNumber: self = .number
    case .token, .averageSpeed, .start, .message, nil: return nil
    }
  }
}

/// The bytes that the activities of a feed have in common: the keys and all other text between values.
///
/// It is learnt from an activity that the strict parser has accepted. The parser would also accept bytes that agree
/// with it and have valid values, because the grammar has the same keys in the same order.
struct LineShape: Sendable {
  struct Step {
    /// The index of the literal's first word in `words`.
    var word: Int
    /// The number of the literal's bytes.
    var count: Int
    /// The mask of the literal's bits in its last word.
    var lastMask: UInt64
    var kind: SlotKind
  }

  private(set) var steps: [Step] = []
  private(set) var words: [UInt64] = []
  /// The number of line ends within the literals.
  private(set) var lines = 0
  /// The most bytes that are read for an activity of this shape.
  private(set) var reach = 64

  /// The most bytes of a text; longer ones are left to the strict parser.
  private static let longest = 128
  private static let mostSteps = 32

  /// The shape of an activity with white space around it; nil for an invalid activity or a useless shape.
  init?(_ item: Span<UInt8>) {
    guard let (values, end) = ActivityParser.marks(of: item) else { return nil }
    // The newer of two words for the sport counts, at any place.
    let hasNewerSport = values.contains { $0.key == .sport }
    var position = 0
    for value in values {
      let isText = item[value.start] == UInt8(ascii: "\"")
      let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(item[value.start])
      guard var kind = SlotKind(of: value.key, isText: isText, isNumber: isNumber) else { continue }
      // A single digit, such as that of `resource_state`, is probably a constant of the feed, not a quantity.
      if value.key == nil, isNumber, value.end == value.start + 1 { continue }
      if value.key == .type, hasNewerSport { kind = .word }
      append(item, from: position, to: value.start + (isText ? 1 : 0), before: kind)
      position = value.end - (isText ? 1 : 0)
    }
    append(item, from: position, to: end, before: .none)
    guard steps.count <= Self.mostSteps, reach < 16_384 else { return nil }
  }

  private mutating func append(_ item: Span<UInt8>, from start: Int, to end: Int, before kind: SlotKind) {
    let first = words.count
    for index in start..<end {
      let place = index - start
      if place & 7 == 0 { words.append(0) }
      words[words.count - 1] |= UInt64(item[index]) << UInt64(place & 7 * 8)
      if item[index] == UInt8(ascii: "\n") { lines += 1 }
    }
    let rest = UInt64((end - start) & 7)
    steps.append(Step(word: first, count: end - start, lastMask: rest == 0 ? .max : 1 << (rest * 8) - 1, kind: kind))
    reach += end - start + 8 + (kind == .text ? Self.longest + 16 : 32)
  }
}

struct LineValues {
  var entry = MemberTable.Entry()
  var sport = PackedText()
}

extension LineShape {
  /// Reads an activity by a shape, and returns the index after its last byte, or nil for one that the strict parser has
  /// to check. There must be at least the shape's `reach` bytes from the start on.
  @inline(__always)
  static func read(
    _ bytes: RawSpan, scalars: Span<UInt8>, steps: Span<Step>, words: Span<UInt64>, from start: Int,
    into values: inout LineValues
  ) -> Int? {
    var position = start
    for index in steps.indices {
      let step = steps[index]
      guard matches(bytes, at: position, step, words) else { return nil }
      position &+= step.count
      let length: Int
      switch step.kind {
      case .none: return position
      case .first: length = first(bytes, scalars, position, &values.entry.key)
      case .last: length = last(bytes, scalars, position, &values.entry.key)
      case .sport:
        length = word(bytes, position, &values.sport)
      case .word:
        var ignored = PackedText()
        length = word(bytes, position, &ignored)
      case .text: length = text(bytes, scalars, position)
      case .distance: length = decimetres(bytes, position, &values.entry.distance)
      case .elevation: length = decimetres(bytes, position, &values.entry.elevation)
      case .movingTime: length = whole(bytes, position, &values.entry.movingTime)
      case .elapsedTime: length = whole(bytes, position, &values.entry.elapsedTime)
      case .workoutType: length = workoutType(bytes, position)
      case .number: length = number(bytes, position)
      case .tokenNumber: length = token(bytes, position, &values.entry.key.token)
      case .start: length = FeedMoment.seconds(scalars, from: position, to: position &+ 20) == nil ? -1 : 20
      }
      // The literal after a text begins with the closing quote, so a text that ends with anything else fails there.
      if length < 0 { return nil }
      position &+= length
    }
    return nil
  }

  @inline(__always)
  private static func matches(_ bytes: RawSpan, at position: Int, _ step: Step, _ words: Span<UInt64>) -> Bool {
    var (word, place, left) = (step.word, position, step.count)
    var difference: UInt64 = 0
    while left > 8 {
      difference |= EightBytes(bytes, at: place).word ^ words[word]
      (word, place, left) = (word &+ 1, place &+ 8, left &- 8)
    }
    return difference | ((EightBytes(bytes, at: place).word ^ words[word]) & step.lastMask) == 0
  }

  /// A first name of at most 15 bytes that is certainly not blank.
  @inline(__always)
  private static func first(
    _ bytes: RawSpan, _ scalars: Span<UInt8>, _ position: Int, _ key: inout MemberTable.Key
  ) -> Int {
    let low = EightBytes(bytes, at: position)
    var length = low.plainCount
    // Beyond ASCII, no white space begins with these bytes.
    guard (0x21..<0x80).contains(low.word & 0xFF) || (0xC3...0xDF).contains(low.word & 0xFF) else { return -1 }
    let high = EightBytes(bytes, at: position &+ 8)
    if length == 8 { length &+= high.plainCount }
    if length < 16, bytes.byte(at: position &+ length) >= 0x80 { length = foreign(scalars, position, upTo: 15) }
    guard length > 0, length < 16 else { return -1 }
    key.first = length < 8 ? low.prefix(length) : low.word
    key.second = length < 8 ? 0 : high.prefix(length &- 8)
    return length
  }

  /// A last name of at most 7 bytes.
  @inline(__always)
  private static func last(
    _ bytes: RawSpan, _ scalars: Span<UInt8>, _ position: Int, _ key: inout MemberTable.Key
  ) -> Int {
    let text = EightBytes(bytes, at: position)
    var length = text.plainCount
    if length < 8, bytes.byte(at: position &+ length) >= 0x80 { length = foreign(scalars, position, upTo: 7) }
    guard length >= 0, length < 8 else { return -1 }
    key.last = text.prefix(length)
    return length
  }

  /// The length of a name with characters beyond ASCII and without control characters.
  private static func foreign(_ bytes: Span<UInt8>, _ position: Int, upTo limit: Int) -> Int {
    var length = 0
    while length <= limit {
      let byte = bytes[position &+ length]
      if byte == UInt8(ascii: "\"") { return length }
      if byte < 0x80 {
        guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return -1 }
        length &+= 1
      } else {
        let scalar = FeedScanner.lengthOfScalar(bytes, at: position &+ length)
        guard scalar > 0, byte != 0xC2 || bytes[position &+ length &+ 1] >= 0xA0 else { return -1 }
        length &+= scalar
      }
    }
    return -1
  }

  /// A short plain text that is not empty.
  @inline(__always)
  private static func word(_ bytes: RawSpan, _ position: Int, _ text: inout PackedText) -> Int {
    let low = EightBytes(bytes, at: position)
    let count = low.plainCount
    if count < 8 {
      (text.low, text.middle, text.high) = (low.prefix(count), 0, 0)
      return count > 0 ? count : -1
    }
    let middle = EightBytes(bytes, at: position &+ 8)
    let second = middle.plainCount
    if second < 8 {
      (text.low, text.middle, text.high) = (low.word, middle.prefix(second), 0)
      return 8 &+ second
    }
    let high = EightBytes(bytes, at: position &+ 16)
    let third = high.plainCount
    (text.low, text.middle, text.high) = (low.word, middle.word, high.prefix(third & 7))
    return third < 8 ? 16 &+ third : -1
  }

  @inline(__always)
  private static func text(_ bytes: RawSpan, _ scalars: Span<UInt8>, _ position: Int) -> Int {
    var length = 0
    while length < longest {
      let count = EightBytes(bytes, at: position &+ length).plainCount
      length &+= count
      if count == 8 { continue }
      if bytes.byte(at: position &+ length) < 0x80 { return length }
      let scalar = FeedScanner.lengthOfScalar(scalars, at: position &+ length)
      guard scalar > 0 else { return -1 }
      length &+= scalar
    }
    return -1
  }

  @inline(__always)
  private static func whole(_ bytes: RawSpan, _ position: Int, _ number: inout Int) -> Int {
    let word = EightBytes(bytes, at: position)
    let digits = word.digits
    number = digits.number
    // One to seven digits, without a leading zero.
    return (1...7).contains(digits.count) && (digits.count == 1 || word.word & 0xFF != 0x30) ? digits.count : -1
  }

  @inline(__always)
  private static func decimetres(_ bytes: RawSpan, _ position: Int, _ number: inout Int) -> Int {
    let length = whole(bytes, position, &number)
    guard length > 0 else { return -1 }
    let behind = EightBytes(bytes, at: position &+ length).word
    let hasDecimal = behind & 0xFF == 0x2E
    let decimal = Int(truncatingIfNeeded: (behind >> 8) & 0xFF) &- 0x30
    number = number &* 10 &+ (hasDecimal ? decimal : 0)
    // At most one decimal: another would not match the next literal.
    return !hasDecimal ? length : (0...9).contains(decimal) ? length &+ 2 : -1
  }

  @inline(__always)
  private static func number(_ bytes: RawSpan, _ position: Int) -> Int {
    var ignored = 0
    let length = whole(bytes, position, &ignored)
    guard length > 0, bytes.byte(at: position &+ length) == 0x2E else { return length }
    let decimals = EightBytes(bytes, at: position &+ length &+ 1).digits.count
    return decimals > 0 && decimals < 8 ? length &+ 1 &+ decimals : -1
  }

  @inline(__always)
  private static func workoutType(_ bytes: RawSpan, _ position: Int) -> Int {
    let word = EightBytes(bytes, at: position)
    if word.word & 0xFFFF_FFFF == 0x6C6C_756E { return 4 }
    var ignored = 0
    let length = whole(bytes, position, &ignored)
    return length < 7 ? length : -1
  }

  private static func token(_ bytes: RawSpan, _ position: Int, _ token: inout UInt64) -> Int {
    var (number, length): (UInt64, Int) = (0, 0)
    while length < 18, (0x30...0x39).contains(bytes.byte(at: position &+ length)) {
      number = number &* 10 &+ UInt64(bytes.byte(at: position &+ length) &- 0x30)
      length &+= 1
    }
    token = number &+ 1
    // At least one digit, without a leading zero.
    return length > 0 && (length == 1 || bytes.byte(at: position) != 0x30) ? length : -1
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func byte(at position: Int) -> UInt8 {
    // Any bits are a valid integer, and the bounds are checked.
    unsafe unsafeLoad(fromByteOffset: position, as: UInt8.self)
  }
}

extension TallySink {
  mutating func readAhead(_ bytes: Span<UInt8>, from start: Int, layout: FeedLayout) -> ReadAhead {
    var ahead = ReadAhead(end: start)
    guard let shape else { return ahead }
    // Any memory may be read as bytes.
    let raw = unsafe bytes.bytes
    let (reach, known) = (shape.reach, sports.entries)
    let (steps, words, sports) = (shape.steps.span, shape.words.span, known.span)
    var (values, batch) = (LineValues(), MemberTable.Batch())
    while raw.byteCount &- ahead.end >= reach {
      guard
        let end = LineShape.read(raw, scalars: bytes, steps: steps, words: words, from: ahead.end, into: &values),
        layout == .array || Self.lineEnds(raw, at: end)
      else { break }
      let sport = sports[SportTable.place(of: values.sport, in: sports)]
      guard sport.isKnown else { break }
      if sport.counts {
        batch.append(values.entry)
        if batch.isFull { members.add(&batch) }
      }
      ahead.items &+= 1
      if layout == .lines {
        ahead.end = end &+ (raw.byte(at: end) == 0x0A ? 1 : 2)
        ahead.lines &+= 1
      } else {
        ahead.end = end
        ahead.lines &+= shape.lines
        ahead.isBehindItem = !ahead.entersNext(raw)
        if ahead.isBehindItem { break }
      }
    }
    members.add(&batch)
    activities += ahead.items
    if ahead.items > 0 { misses = 0 }
    return ahead
  }

  @inline(__always)
  private static func lineEnds(_ bytes: RawSpan, at position: Int) -> Bool {
    let byte = bytes.byte(at: position)
    return byte == 0x0A || (byte == 0x0D && bytes.byte(at: position &+ 1) == 0x0A)
  }
}

extension ReadAhead {
  /// Moves from the end of an array's item to the next item, if that is an object within the same bytes.
  fileprivate mutating func entersNext(_ bytes: RawSpan) -> Bool {
    var (position, lines, commas) = (end, lines, 0)
    while position < bytes.byteCount {
      let byte = bytes.byte(at: position)
      if byte == UInt8(ascii: "{"), commas == 1 {
        (end, self.lines) = (position, lines)
        return true
      }
      guard FeedScanner.isSpace(byte) || (byte == UInt8(ascii: ",") && commas == 0) else { return false }
      commas += byte == UInt8(ascii: ",") ? 1 : 0
      lines += byte == 0x0A ? 1 : 0
      position += 1
    }
    return false
  }
}

/// Eight bytes of a feed as one word, the first byte lowest.
private struct EightBytes {
  let word: UInt64

  /// The eight bytes at an index.
  @inline(__always)
  init(_ bytes: RawSpan, at position: Int) {
    // Any bits are a valid integer, and the bounds are checked: the only failure is a trap outside the bytes.
    word = UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The number of bytes before the first that is not plain text: a quote, a backslash, a control character, a byte
  /// beyond ASCII; 8 if there is none.
  ///
  /// Each subtraction may mark wrong bytes after its first hit, never before it. Source: Sean Eron Anderson, "Bit
  /// Twiddling Hacks", "Determine if a word has a byte less than n".
  @inline(__always)
  var plainCount: Int {
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let marks =
      ((quotes &- Self.ones) & ~quotes) | ((backslashes &- Self.ones) & ~backslashes)
      | ((word &- 0x2020_2020_2020_2020) & ~word) | word
    return (marks & Self.highs).trailingZeroBitCount >> 3
  }

  /// The first `count` bytes, 0 to 7, the others zero.
  @inline(__always)
  func prefix(_ count: Int) -> UInt64 { word & ((1 &<< UInt64(truncatingIfNeeded: count &<< 3)) &- 1) }

  /// The leading digits: their count, at most 8, and their number if there are 1 to 7.
  @inline(__always)
  var digits: (count: Int, number: Int) {
    let values = word ^ 0x3030_3030_3030_3030
    // A byte of ten or more carries into its highest bit, and maybe into the next byte, which comes later.
    let others = ((values &+ 0x7676_7676_7676_7676) | values) & Self.highs
    let count = others.trailingZeroBitCount >> 3
    // The digits are moved to the end after zeros; then pairs, fours and all eight are joined.
    var number = values &<< UInt64(truncatingIfNeeded: 64 &- count &<< 3)
    number = (number &* 10 &+ number >> 8) & 0x00FF_00FF_00FF_00FF
    number = (number &* 100 &+ number >> 16) & 0x0000_FFFF_0000_FFFF
    number = (number &* 10_000 &+ number >> 32) & 0xFFFF_FFFF
    return (count, Int(truncatingIfNeeded: number))
  }
}
