// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Finds choices of the generators that make what a case with given values has, so that it can shrink.
///
/// A generator is a function, and nobody has written its inverse. But what it makes shows, part by part, in the order
/// in which the parts are drawn; so each choice in turn is set to what makes the shown value agree with the given one
/// for longest. What stands for a number is tried first: the numbers, lengths and scalars of the given value itself.
/// Where a choice shows nothing, such as which alternative of several is drawn, all of its values are tried together
/// with what follows.
struct GivenSearch {
  /// How many cases are drawn at most, for each number of choices that may show nothing.
  private static let limit = 20_000
  /// A domain of no more values than this is tried in full.
  private static let mostValues: UInt64 = 1024

  private let trial: Trial
  private let start: Tape
  private let wanted: [[String]]
  private let numbers: [UInt64]
  private let reals: [UInt64]
  private var left = 0
  /// How many choices in a row may show nothing.
  private var slack = 0

  /// How much of what is wanted is there: how many parts from the first on agree, how far the first part that does not
  /// agrees, and by how much its length differs.
  private struct Score: Comparable {
    let parts: Int
    let letters: Int
    let difference: Int

    static func < (one: Score, other: Score) -> Bool {
      (one.parts, one.letters, -one.difference) < (other.parts, other.letters, -other.difference)
    }
  }

  private typealias Made = (tape: Tape, score: Score)

  init(_ trial: Trial, like tape: Tape, _ draws: inout Draws) {
    self.trial = trial
    start = Tape(tape.entries.map { $0.tag == .given ? $0.with(0) : $0 })
    draws.begin(reading: tape)
    wanted = trial.outline(&draws).flatMap(Self.parts)
    var (numbers, reals): ([UInt64], [UInt64]) = ([], [])
    for part in Set(wanted.flatMap { $0 + [$0.joined()] }).sorted() {
      if let number = Int64(part).map(UInt64.init(bitPattern:)) ?? UInt64(part) { numbers.append(number) }
      if let real = Double(part) { reals.append(RealOrder.place(of: real)) }
      if part.unicodeScalars.count == 1, let scalar = part.unicodeScalars.first { numbers.append(UInt64(scalar.value)) }
      numbers += Self.moments(part)
    }
    (self.numbers, self.reals) = (numbers, reals)
  }

  /// The choices; nil where none were found.
  mutating func run(_ draws: inout Draws) -> Tape? {
    guard let first = made(start, &draws) else { return nil }
    for most in 1...2 {
      (slack, left) = (most, Self.limit)
      if let found = complete(first, from: 0, slack: slack, &draws) { return found }
    }
    return nil
  }

  /// What an outline shows, in its order, each part in its letters: first of a group how many parts it has.
  private static func parts(of outline: ValueOutline) -> [[String]] {
    switch outline {
    case .leaf(let text): return [text.hasPrefix("\"") ? letters(of: text) : [text]]
    case .group(let opening, let parts, _):
      return [[opening, "\(parts.count)"]] + parts.flatMap { [[$0.label]] + Self.parts(of: $0.value) }
    }
  }

  /// The scalars of a quoted text, each escape as one.
  private static func letters(of text: String) -> [String] {
    var letters: [String] = []
    for scalar in text.unicodeScalars {
      let isOpen = letters.last.map { $0 == "\\" || $0.hasPrefix("\\u") && !$0.hasSuffix("}") } ?? false
      if isOpen { letters[letters.count - 1].unicodeScalars.append(scalar) } else { letters.append(String(scalar)) }
    }
    return letters
  }

  /// A date as generators may count it: in days, seconds and milliseconds.
  private static func moments(_ text: String) -> [UInt64] {
    guard text.hasSuffix(" +0000"),
      let date = try? Date("\(text.dropLast(6).replacing(" ", with: "T"))Z", strategy: .iso8601)
    else { return [] }
    let seconds = Int64(date.timeIntervalSince1970)
    return [seconds / 86_400, seconds, seconds * 1000].map { UInt64(bitPattern: $0) }
  }

  private mutating func made(_ tape: Tape, _ draws: inout Draws) -> Made? {
    left -= 1
    draws.begin(reading: tape)
    let outlines = trial.outline(&draws)
    if outlines.isEmpty { return nil }
    let shown = outlines.flatMap(Self.parts)
    let parts = Swift.zip(shown, wanted).prefix { $0 == $1 }.count
    let (part, model) = (parts < shown.count ? shown[parts] : [], parts < wanted.count ? wanted[parts] : [])
    let letters = Swift.zip(part, model).prefix { $0 == $1 }.count
    // What the body drew is no part of this: it stays.
    draws.adoptRest()
    return (draws.tape, Score(parts: parts, letters: letters, difference: abs(part.count - model.count)))
  }

  /// Sets the choices from an index on, of which so many (`slack`) may show nothing before one does.
  private mutating func complete(_ case: Made, from first: Int, slack: Int, _ draws: inout Draws) -> Tape? {
    if `case`.score.parts == wanted.count, `case`.score.difference == 0 { return `case`.tape }
    let entries = `case`.tape.entries
    let next = entries.indices.first {
      $0 >= first && entries[$0].tag.isChoice && entries[$0].tag != .given && entries[$0].lower < entries[$0].upper
    }
    guard left > 0, let index = next else { return nil }
    var others: [Made] = []
    for value in values(of: entries[index]) where value != entries[index].value && left > 0 {
      var changed = entries
      changed[index].value = value
      guard let other = made(Tape(changed), &draws), other.tape.entries.indices.contains(index),
        other.tape.entries[index].value == value
      else { continue }
      others.append(other)
    }
    let better = others.filter { $0.score > `case`.score }.sorted { $0.score > $1.score }
    // A symbol may be shown by several letters, so any length may be right.
    for other in better.prefix(entries[index].tag == .length ? .max : 2) {
      if let found = complete(other, from: index + 1, slack: self.slack, &draws) { return found }
    }
    let isSeen = others.contains { ($0.score.parts, $0.score.letters) < (`case`.score.parts, `case`.score.letters) }
    guard isSeen || slack > 0 else { return nil }
    if let found = complete(`case`, from: index + 1, slack: isSeen ? slack : slack - 1, &draws) { return found }
    // What shows nothing and has many values is not what leads on.
    for other in others where !isSeen && others.count < 16 && other.score == `case`.score {
      if let found = complete(other, from: index + 1, slack: slack - 1, &draws) { return found }
    }
    return nil
  }

  private func values(of entry: TapeEntry) -> [UInt64] {
    if entry.upper - entry.lower < Self.mostValues { return Array(entry.lower...entry.upper) }
    return (entry.tag == .real ? reals : numbers.map { $0 &+ entry.zero }).filter(entry.allows)
  }
}
