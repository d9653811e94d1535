// SPDX-License-Identifier: Apache-2.0

/// Cases with related parts, which independent draws of wide ranges practically never produce.
///
/// Some of the first cases are drawn normally, and then one part is adapted to another: a text becomes another one
/// reversed or a palindrome, a number a small multiple of another plus a small offset, an element the sum of the
/// others. The relations come in a fixed order, the simplest first, and all are tried once before any is tried twice.
/// The rest of such a case is unchanged, so a fault that needs no relation is found as soon.
///
/// Source of the idea: Hypothesis repeats spans of passing cases in other places ("generate_mutations_from"); the
/// relations between numbers and the order are our own.
struct RelatedCases: Sendable {
  private let layout: ChoiceLayout

  private init(_ choices: ChoiceSequence) {
    layout = ChoiceLayout(choices)
  }

  /// Returns true if a case, by its number, may have a relation: one in four of the first 5,000, then one in 1,024.
  static func isTurn(_ number: Int) -> Bool { number & 3 == 3 && (number < 5000 || number & 1023 == 1023) }

  /// A drawn case with one relation, another one at each turn; `nil` if none fits.
  ///
  /// Only cases of two numbers are related at every turn, because they have hundreds of relations; others at every
  /// second turn, so that seven of eight cases are unchanged.
  static func relating(_ choices: ChoiceSequence, number: Int) -> ChoiceSequence? {
    guard choices.entries.count <= 400 else { return nil }
    let cases = RelatedCases(choices)
    let relations = cases.relations
    let isPair = relations.count == 2 && cases.slots.count == 2
    guard !relations.isEmpty, isPair || number & 7 == 7 else { return nil }
    let turn = number / (isPair ? 4 : 8)
    return cases.applying(relations[turn % relations.count], round: turn / relations.count).map { ChoiceSequence($0) }
  }

  private enum Relation {
    /// One span is a copy of another one, with its movable slots reversed or not.
    case copy(from: Int, to: Int, reversed: Bool)
    /// The second half of a collection is a copy of its first half, mirrored or not.
    case half(of: Int, mirrored: Bool)
    /// An element is the sum of the elements before it, or of all others.
    case sum(in: [Int])
    /// A number is the sum or the count of some others.
    case total(of: [Int], at: Int, counts: Bool)
    /// A number is a small multiple of another plus a small offset; the round selects both.
    case multiple(of: Int, at: Int)
  }

  private func entry(_ index: Int) -> ChoiceEntry { layout.entries[index] }

  /// The slots of the arguments; for a single argument those inside it.
  private var slots: [Int] {
    guard layout.spans.first == 0 else { return [] }
    let arguments = layout.children(of: 0)
    guard arguments.count == 1, entry(arguments[0]).tag == .open else { return arguments }
    let parts = layout.children(of: arguments[0])
    return parts.contains { entry($0).tag == .length } ? arguments : parts
  }

  private var relations: [Relation] {
    let slots = slots
    var relations: [Relation] = []
    let spans = slots.filter { entry($0).tag == .open }
    let numbers = slots.filter { isWide($0) }
    let flat = spans.compactMap { span in elements(of: span).map { (span: span, elements: $0) } }
    for (span, elements) in flat.prefix(4) {
      if elements.allSatisfy({ isNumber($0) }) {
        relations.append(.sum(in: elements))
        for number in numbers.prefix(2) {
          relations.append(.total(of: elements, at: number, counts: false))
          relations.append(.total(of: elements, at: number, counts: true))
        }
      }
      relations.append(.half(of: span, mirrored: true))
      relations.append(.half(of: span, mirrored: false))
    }
    for from in spans.prefix(4) {
      for to in spans.prefix(4) where from != to && entry(from).value == entry(to).value && layout.slot(from).count > 3
      {
        relations.append(.copy(from: from, to: to, reversed: true))
        relations.append(.copy(from: from, to: to, reversed: false))
      }
    }
    guard numbers.count <= 6 else { return relations }
    for at in numbers.reversed() {
      for from in numbers where from != at { relations.append(.multiple(of: from, at: at)) }
      let others = numbers.filter { $0 != at }
      if others.count > 1 { relations.append(.total(of: others, at: at, counts: false)) }
    }
    return relations
  }

  private func isNumber(_ index: Int) -> Bool {
    entry(index).tag == .integer && entry(index).upper &- entry(index).lower > 16
  }

  private func isWide(_ index: Int) -> Bool {
    entry(index).tag == .integer && entry(index).upper &- entry(index).lower >= 1000
  }

  /// The elements of a collection of at least two single choices.
  private func elements(of span: Int) -> [Int]? {
    let slots = layout.children(of: span)
    guard slots.count > 2, entry(slots[0]).tag == .length, slots.dropFirst().allSatisfy({ entry($0).tag.isChoice })
    else {
      return nil
    }
    return Array(slots.dropFirst())
  }

  private func applying(_ relation: Relation, round: Int) -> [ChoiceEntry]? {
    var entries = layout.entries
    func sum(_ indices: some Sequence<Int>) -> UInt64 {
      indices.reduce(0) { $0 &+ (entries[$1].value &- entries[$1].zero) }
    }
    /// Sets a number; false if its range does not allow it.
    func set(_ index: Int, _ number: UInt64) -> Bool {
      let value = number &+ entries[index].zero
      guard entries[index].allows(value) else { return false }
      entries[index].value = value
      return true
    }
    switch relation {
    case .copy(let from, let to, let reversed):
      var content = Array(entries[layout.slot(from)])
      if reversed {
        let slots = layout.children(of: from).filter { entry($0).tag != .length }
        content = [entry(from)] + (entry(from + 1).tag == .length ? [entry(from + 1)] : [])
        for slot in slots.reversed() { content += entries[layout.slot(slot)] }
        content.append(.close)
      }
      entries.replaceSubrange(layout.slot(to), with: content)
    case .half(let span, let mirrored):
      guard let elements = elements(of: span) else { return nil }
      let half = elements.count / 2
      for position in 0..<half {
        let target = mirrored ? elements.count - 1 - position : elements.count - half + position
        entries[elements[target]].value = entries[elements[position]].value
      }
    case .sum(let elements):
      let position = round & 1 == 0 ? elements.count - 1 : round / 2 % elements.count
      if set(elements[position], sum(elements.filter { $0 != elements[position] })) { break }
      // If the sum of all is out of bounds, the sum of the one or two elements before may fit.
      guard position > 0, set(elements[position], sum(elements[max(0, position - 2)..<position])) else { return nil }
    case .total(let parts, let index, let counts):
      guard set(index, counts ? UInt64(parts.count) : sum(parts)) else { return nil }
    case .multiple(let from, let index):
      let (factor, offset) = Self.multiples[round % Self.multiples.count]
      let number = entries[from].value &- entries[from].zero
      guard set(index, number &* UInt64(bitPattern: factor) &+ UInt64(bitPattern: offset)) else { return nil }
    }
    return entries
  }

  /// Small factors and offsets, the simplest first.
  private static let multiples: [(factor: Int64, offset: Int64)] = {
    let factors: [Int64] = [1, 2, -1, 3, 4, 10, 5, -2, 7, 8, 6, 9, 100]
    let offsets: [Int64] = [
      0, 1, -1, 2, -2, 3, 5, 7, 10, 4, -3, 6, 8, 9, 12, -5, 11, -4, 16, 100, -7, -10, 13, 15, 20, 32, 50, 64, 1000, -6,
      -8, -100,
    ]
    var ranked: [(rank: Int, multiple: (Int64, Int64))] = []
    for (first, factor) in factors.enumerated() {
      for (second, offset) in offsets.enumerated() where first > 0 || second > 2 {
        ranked.append((3 * first + second, (factor, offset)))
      }
    }
    return ranked.sorted { ($0.rank, $0.multiple.0) < ($1.rank, $1.multiple.0) }.map(\.multiple)
  }()
}
