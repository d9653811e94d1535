// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Finds choices of the generators that produce the given values of a case, so that it can shrink.
///
/// Generators have no inverse, but their values show the parts in the order of drawing. Each choice in turn is
/// therefore set to the value whose result agrees with the given one for longest. Likely values are tried first: the
/// numbers, lengths and scalars of the given value. If a choice has no visible effect, such as the selection of an
/// alternative, all of its values are tried together with the following choices.
struct GivenSearch {
  /// The largest number of cases drawn, for each number of choices without visible effect.
  private static let limit = 20_000
  /// The largest domain whose values are all tried.
  private static let maxValues: UInt64 = 1024

  private let trial: Trial
  private let start: ChoiceSequence
  private let wanted: [[String]]
  private let numbers: [UInt64]
  private let reals: [UInt64]
  private var left = 0
  /// The largest number of consecutive choices without visible effect.
  private var slack = 0

  /// The agreement with the wanted value: the number of equal leading parts, the equal letters of the first part that
  /// differs, and the difference of the lengths.
  private struct Score: Comparable {
    let parts: Int
    let letters: Int
    let difference: Int

    static func < (one: Score, other: Score) -> Bool {
      (one.parts, one.letters, -one.difference) < (other.parts, other.letters, -other.difference)
    }
  }

  private typealias Made = (choices: ChoiceSequence, score: Score)

  init(_ trial: Trial, like choices: ChoiceSequence, _ draws: inout ChoiceSource) {
    self.trial = trial
    start = ChoiceSequence(choices.entries.map { $0.tag == .given ? $0.with(0) : $0 })
    draws.begin(reading: choices)
    wanted = trial.outline(&draws).flatMap(Self.parts)
    var (numbers, reals): ([UInt64], [UInt64]) = ([], [])
    for part in Set(wanted.flatMap { $0 + [$0.joined()] }).sorted() {
      if let number = Int64(part).map(UInt64.init(bitPattern:)) ?? UInt64(part) { numbers.append(number) }
      if let real = Double(part) { reals.append(RealOrder.rank(of: real)) }
      if part.unicodeScalars.count == 1, let scalar = part.unicodeScalars.first { numbers.append(UInt64(scalar.value)) }
      numbers += Self.moments(part)
    }
    (self.numbers, self.reals) = (numbers, reals)
  }

  /// The choices; `nil` if none were found.
  mutating func run(_ draws: inout ChoiceSource) -> ChoiceSequence? {
    guard let first = made(start, &draws) else { return nil }
    for maximum in 1...2 {
      (slack, left) = (maximum, Self.limit)
      if let found = complete(first, from: 0, slack: slack, &draws) { return found }
    }
    return nil
  }

  /// The content of an outline in order, each part as letters; a group begins with its number of parts.
  private static func parts(of outline: ValueOutline) -> [[String]] {
    switch outline {
    case .leaf(let text): return [text.hasPrefix("\"") ? letters(of: text) : [text]]
    case .group(let opening, let parts, _):
      return [[opening, "\(parts.count)"]] + parts.flatMap { [[$0.label]] + Self.parts(of: $0.value) }
    }
  }

  /// The scalars of a quoted text, with each escape as one.
  private static func letters(of text: String) -> [String] {
    var letters: [String] = []
    for scalar in text.unicodeScalars {
      let isOpen = letters.last.map { $0 == "\\" || $0.hasPrefix("\\u") && !$0.hasSuffix("}") } ?? false
      if isOpen { letters[letters.count - 1].unicodeScalars.append(scalar) } else { letters.append(String(scalar)) }
    }
    return letters
  }

  /// A date in the units that generators may use: days, seconds and milliseconds.
  private static func moments(_ text: String) -> [UInt64] {
    guard let match = text.firstMatch(of: /timeIntervalSince1970: ([-.0-9]+)/), let interval = Double(match.1),
      abs(interval) < 1e14
    else { return [] }
    let seconds = interval.rounded(.down)
    return [(seconds / 86_400).rounded(.towardZero), seconds, (interval * 1000).rounded()]
      .map { UInt64(bitPattern: Int64($0)) }
  }

  private mutating func made(_ choices: ChoiceSequence, _ draws: inout ChoiceSource) -> Made? {
    left -= 1
    draws.begin(reading: choices)
    let outlines = trial.outline(&draws)
    if outlines.isEmpty { return nil }
    let shown = outlines.flatMap(Self.parts)
    let parts = Swift.zip(shown, wanted).prefix { $0 == $1 }.count
    let (part, model) = (parts < shown.count ? shown[parts] : [], parts < wanted.count ? wanted[parts] : [])
    let letters = Swift.zip(part, model).prefix { $0 == $1 }.count
    // Values drawn by the body do not take part: they are unchanged.
    draws.adoptRest()
    return (draws.choices, Score(parts: parts, letters: letters, difference: abs(part.count - model.count)))
  }

  /// Sets the choices from an index on; up to `slack` of them may have no visible effect.
  private mutating func complete(_ case: Made, from first: Int, slack: Int, _ draws: inout ChoiceSource)
    -> ChoiceSequence?
  {
    if `case`.score.parts == wanted.count, `case`.score.difference == 0 { return `case`.choices }
    let entries = `case`.choices.entries
    let next = entries.indices.first {
      $0 >= first && entries[$0].tag.isChoice && entries[$0].tag != .given && entries[$0].lower < entries[$0].upper
    }
    guard left > 0, let index = next else { return nil }
    var others: [Made] = []
    for value in values(of: entries[index]) where value != entries[index].value && left > 0 {
      var changed = entries
      changed[index].value = value
      guard let other = made(ChoiceSequence(changed), &draws), other.choices.entries.indices.contains(index),
        other.choices.entries[index].value == value
      else { continue }
      others.append(other)
    }
    let better = others.filter { $0.score > `case`.score }.sorted { $0.score > $1.score }
    // A symbol may show several letters, so any length may be right.
    for other in better.prefix(entries[index].tag == .length ? .max : 2) {
      if let found = complete(other, from: index + 1, slack: self.slack, &draws) { return found }
    }
    let isSeen = others.contains { ($0.score.parts, $0.score.letters) < (`case`.score.parts, `case`.score.letters) }
    guard isSeen || slack > 0 else { return nil }
    if let found = complete(`case`, from: index + 1, slack: isSeen ? slack : slack - 1, &draws) { return found }
    // A choice without visible effect and with many values does not select an alternative.
    for other in others where !isSeen && others.count < 16 && other.score == `case`.score {
      if let found = complete(other, from: index + 1, slack: slack - 1, &draws) { return found }
    }
    return nil
  }

  private func values(of entry: ChoiceEntry) -> [UInt64] {
    if entry.upper - entry.lower < Self.maxValues { return Array(entry.lower...entry.upper) }
    return (entry.tag == .real ? reals : numbers.map { $0 &+ entry.zero }).filter(entry.allows)
  }
}
