// SPDX-License-Identifier: Apache-2.0

/// What a value of an activity is to somebody who only counts.
enum SlotKind: UInt8 {
  /// Nothing: the literal before it is the last.
  case none
  case first, last, tokenNumber
  case distance, elevation, movingTime, elapsedTime
  case sport
  /// The older word for the sport beside the one that counts: checked alone.
  case word
  case title
  /// A text of a key that nobody reads.
  case text
  /// A number that is checked and not counted.
  case number
  case workoutType
  case start
}

extension SlotKind {
  /// What the value of a key is; nil where it is to be the same in every activity.
  init?(of key: FeedKey?, isText: Bool, isNumber: Bool) {
    switch key {
    case .athlete: return nil
    case .firstname: self = .first
    case .lastname: self = .last
    case .token where isNumber: self = .tokenNumber
    case .title: self = .title
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

/// Where a value stands in an activity, a text without its quotes.
struct SlotMark {
  var kind: SlotKind
  var start: Int
  var end: Int
}

/// The bytes that the activities of a feed have in common: the keys and everything else between their values.
///
/// It is learnt from one activity that the strict parser has accepted. Bytes that agree with it, and whose values are
/// valid, would be accepted, too, because the grammar meets the same keys in the same order.
struct LineShape: Sendable {
  struct Step {
    /// Where the literal begins in `words`.
    var word: Int
    /// The literal's bytes.
    var count: Int
    /// Which bits of the literal's last word count.
    var lastMask: UInt64
    /// The value behind the literal.
    var kind: SlotKind
  }

  private(set) var steps: [Step] = []
  private(set) var words: [UInt64] = []
  /// How many lines end within the literals.
  private(set) var lines = 0
  /// The most bytes that reading an activity of this shape looks at.
  private(set) var reach = 64

  /// The most bytes of a title; longer ones are left to the strict parser.
  static let longest = 128
  private static let mostSteps = 32

  /// The shape of an activity; nil where it is not worth having.
  ///
  /// - Parameters:
  ///   - item: The activity, with white space around it.
  ///   - marks: Where its values stand, in their order.
  init?(_ item: Span<UInt8>, marks: [SlotMark]) {
    guard marks.count < Self.mostSteps else { return nil }
    var position = 0
    for mark in marks {
      append(item, from: position, to: mark.start, before: mark.kind)
      position = mark.end
    }
    append(item, from: position, to: item.count, before: .none)
    guard reach < 16_384 else { return nil }
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
    reach += end - start + 8 + (kind == .title || kind == .text ? Self.longest + 16 : 32)
  }
}
