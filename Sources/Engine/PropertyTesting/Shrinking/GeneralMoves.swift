// SPDX-License-Identifier: Apache-2.0

/// A change of a case that assumes nothing about the property, tried when the passes find nothing more.
///
/// A move lists edits of a choice sequence in a fixed order, the most promising first, up to a number given by the
/// effort. The minimality of a shrunk case can therefore be stated and tested: it is minimal under every edit that
/// every move lists for it.
enum GeneralMove: Int, CaseIterable, Sendable {
  /// Removes a run of elements and sets one number, which may be a checksum, to any value of at most 1,024.
  case deleteRun
  /// Sets one number to one of the simplest values, a slightly simpler one, or a fraction of itself.
  case lowerOne
  /// Makes one number simpler, and sets a later one to a similar, a simple or a compensating value.
  case moveTwo
  /// Makes one number simpler, and moves two later ones with it.
  case moveThree
  /// Removes an element of a collection and changes a number.
  case deleteAndAdjust
  /// Removes elements of two collections, two of one, or those at the same index in all collections.
  case deleteTwo
  /// Replaces one value by another, or one span by another of its kind.
  case copy
  /// Exchanges two values or two spans of a kind, moves one before another, or reverses a collection.
  case reorder
  /// Selects an earlier alternative, with nearly the simplest contents.
  case switchBranch

  /// The largest numbers of edits of a move, in rounds of increasing cost; the last one uses `deleteAndAdjust` only for
  /// cases in which a move has helped.
  static let efforts = [60, 300, 1500]

  /// The edits of a choice sequence.
  ///
  /// - Parameters:
  ///   - layout: The choice sequence.
  ///   - effort: The largest number of edits, fewer for long choice sequences.
  ///   - probe: Returns the choice sequence that the generators make from an edited one, without evaluating it.
  /// - Returns: The edits, the most promising first.
  func edits(of layout: ChoiceLayout, effort: Int, probe: ([ChoiceEntry]) -> ChoiceSequence?) -> [ChoiceEdit] {
    // Edits of single numbers are few for most cases, and reach far for one or two numbers; a byte has 256 values.
    let isLast = effort == Self.efforts.last
    let wanted =
      switch self {
      case .deleteRun: max(effort, 300)
      case .lowerOne where isLast: 2 * effort
      default: effort
      }
    var editor = ChoiceEditor(layout: layout, effort: min(wanted, 300_000 / max(1, layout.entries.count)))
    switch self {
    case .deleteRun: editor.deleteRun()
    case .lowerOne: editor.lowerOne()
    case .moveTwo: editor.moveTwo()
    case .moveThree: editor.moveThree()
    case .deleteAndAdjust: editor.deleteAndAdjust()
    case .deleteTwo: editor.deleteTwo()
    case .copy: editor.copy()
    case .reorder: editor.reorder()
    case .switchBranch: editor.switchBranch(probe)
    }
    return editor.edits
  }
}

/// An edit of a choice sequence, applied when it is tried.
struct ChoiceEdit: Sendable {
  fileprivate let base: [ChoiceEntry]
  fileprivate var values: [(index: Int, value: UInt64)] = []

  var entries: [ChoiceEntry] {
    var entries = base
    for (index, value) in values { entries[index].value = value }
    return entries
  }
}

/// Lists edits of one choice sequence, up to a number of them.
private struct ChoiceEditor {
  let layout: ChoiceLayout
  let effort: Int
  private(set) var edits: [ChoiceEdit] = []
  /// The choices with more than one value, except the lengths of collections.
  let numbers: [Int]

  init(layout: ChoiceLayout, effort: Int) {
    (self.layout, self.effort) = (layout, effort)
    numbers = layout.choices.filter { index in
      let entry = layout.entries[index]
      return entry.tag != .length && entry.lower < entry.upper
    }
  }

  private func entry(_ index: Int) -> ChoiceEntry { layout.entries[index] }

  /// Lists an edit; returns whether the limit is reached.
  private mutating func add(_ base: [ChoiceEntry], _ values: [(index: Int, value: UInt64)] = []) -> Bool {
    edits.append(ChoiceEdit(base: base, values: values))
    return edits.count >= effort
  }

  // MARK: Numbers

  mutating func lowerOne() {
    let count = max(4, effort / max(1, numbers.count))
    for index in numbers {
      let entry = entry(index)
      let steps = count > 60 ? entry.fewerOfPowers : []
      for value in entry.simplerNeighbours(min(count, 40)) + steps + entry.simplest(count) {
        if add(layout.entries, [(index, value)]) { return }
      }
      let equal = numbers.filter { self.entry($0) == entry }
      guard equal.count > 1, equal.first == index else { continue }
      for value in entry.simplerNeighbours(min(count, 20)) + entry.fewerOfPowers.prefix(count) {
        if add(layout.entries, equal.map { ($0, value) }) { return }
      }
    }
  }

  mutating func moveTwo() {
    let count = numbers.count
    let side = max(2, Int(Double(effort / 2 / max(1, count * (count - 1) / 2)).squareRoot()))
    for gap in 1..<max(2, count) {
      for (first, second) in Swift.zip(numbers, numbers.dropFirst(gap)) {
        let (left, right) = (entry(first), entry(second))
        for value in left.simplerNeighbours(side) {
          for other in right.makingUp(for: left, at: value) + right.neighbours(side) {
            if add(layout.entries, [(first, value), (second, other)]) { return }
          }
        }
        for value in left.simplest(side) {
          for other in right.simplest(side, belowOwn: false) {
            if add(layout.entries, [(first, value), (second, other)]) { return }
          }
        }
      }
    }
    exhaustTwo()
  }

  /// Sets one number to the simplest values in order, and a later one to each of its values, at most 256; with all
  /// elements of collections, or without each of some.
  private mutating func exhaustTwo(without parts: [(length: Int, element: Int)] = []) {
    guard effort >= GeneralMove.efforts[2] else { return }
    let few = numbers.filter { entry($0).tag == .integer && entry($0).upper - entry($0).lower < 256 }
    let budget = parts.isEmpty ? effort : 2 * effort
    let share = budget / max(1, (few.count - (parts.isEmpty ? 1 : 2)) * max(1, parts.count))
    let limit = edits.count + budget
    for part in parts.isEmpty ? [nil] : parts.map(Optional.some) {
      let slot = part.map { layout.slot($0.element) } ?? 0..<0
      let rest = few.filter { !slot.contains($0) }
      for (first, second) in Swift.zip(rest, rest.dropFirst()) {
        let others = entry(second).simplest(256, belowOwn: false)
        for value in entry(first).simplest(share / others.count, belowOwn: part == nil) {
          for other in others {
            var edited = layout.entries
            (edited[first].value, edited[second].value) = (value, other)
            if let made = deleting(part.map { [$0] } ?? [], in: edited) { _ = add(made) }
            if edits.count > limit { return }
          }
        }
      }
    }
  }

  mutating func moveThree() {
    let triples = triples
    let room = effort / max(1, triples.count)
    // `side` cubed is about the room, because the lists of compensating values add to each.
    let side = (1...12).last { $0 * $0 * $0 <= room } ?? 1
    for (first, second, third) in triples {
      let (left, middle, right) = (entry(first), entry(second), entry(third))
      for value in left.simplerNeighbours(side) {
        for other in middle.neighbours(side) + middle.makingUp(for: left, at: value).prefix(2) {
          let last =
            right.makingUp(for: left, at: value).prefix(2) + right.makingUp(for: middle, at: other).prefix(2)
            + right.neighbours(side) + [right.upper]
          for final in last where add(layout.entries, [(first, value), (second, other), (third, final)]) { return }
        }
      }
      for value in left.simplest(side) {
        for other in middle.simplest(side, belowOwn: false) {
          for final in right.simplest(side, belowOwn: false)
          where add(layout.entries, [(first, value), (second, other), (third, final)]) { return }
        }
      }
    }
  }

  /// Triples of numbers in order, near ones first.
  private var triples: [(Int, Int, Int)] {
    var triples: [(Int, Int, Int)] = []
    guard numbers.count > 2 else { return [] }
    for span in 2..<min(numbers.count, 12) {
      for position in 0..<(numbers.count - span) {
        for middle in 1..<span {
          triples.append((numbers[position], numbers[position + middle], numbers[position + span]))
        }
      }
    }
    return triples
  }

  // MARK: Collections

  /// The collections with more than the fewest allowed elements, each with its length and its elements.
  private var collections: [(length: Int, elements: [Int])] {
    layout.choices.compactMap { length in
      guard entry(length).tag == .length, entry(length).value > entry(length).lower,
        let parent = layout.parents[length]
      else { return nil }
      let elements = layout.children(of: parent).filter { $0 > length }
      return elements.count == Int(entry(length).value) ? (length, elements) : nil
    }
  }

  /// The choice sequence without some elements; `nil` if a collection would have too few.
  private func deleting(_ parts: [(length: Int, element: Int)], in entries: [ChoiceEntry]? = nil) -> [ChoiceEntry]? {
    var edited = entries ?? layout.entries
    for part in parts {
      guard edited[part.length].value > edited[part.length].lower else { return nil }
      edited[part.length].value -= 1
    }
    return edited.removing(parts.map { layout.slot($0.element) })
  }

  mutating func deleteAndAdjust() {
    let parts = collections.flatMap { part in part.elements.map { (length: part.length, element: $0) } }
    let each = max(4, effort / max(1, parts.count * max(1, numbers.count - 1)))
    for part in parts {
      let slot = layout.slot(part.element)
      let deleted = entry(slot.first { entry($0).tag == .integer } ?? slot.lowerBound)
      for index in numbers where !slot.contains(index) {
        let number = entry(index)
        let values =
          number.neighbours(min(each, 20)) + number.makingUp(for: deleted, at: deleted.target).prefix(2)
          + (each > 20 ? number.simplest(each, belowOwn: false) : [])
        for value in values {
          var edited = layout.entries
          edited[index].value = value
          guard let shorter = deleting([part], in: edited) else { continue }
          if add(shorter) { return }
        }
      }
    }
    let different = parts.indices.filter { position in
      position == 0
        || layout.entries[layout.slot(parts[position].element)]
          != layout.entries[layout.slot(parts[position - 1].element)]
    }
    if !parts.isEmpty { exhaustTwo(without: different.map { parts[$0] }) }
  }

  mutating func deleteRun() {
    let reachesFar = effort > 300
    for (length, elements) in collections where elements.count > 3 || reachesFar {
      var size = reachesFar ? elements.count : (elements.count - 1) / 2
      while size > 0 {
        var end = reachesFar ? elements.count : elements.count - 1
        while end >= size {
          let run = elements[(end - size)..<end]
          guard let shorter = deleting(run.map { (length, $0) }) else { break }
          for index in repairing(run, of: elements, anywhere: reachesFar) {
            let position = index - run.reduce(0) { $0 + ($1 < index ? layout.slot($1).count : 0) }
            for value in entry(index).simplest(1024, belowOwn: false) where add(shorter, [(position, value)]) { return }
          }
          end -= size
        }
        size /= 2
      }
    }
  }

  /// The numbers with few values that may compensate for a run: the last one of its collection, and the last of all.
  private func repairing(_ run: ArraySlice<Int>, of elements: [Int], anywhere: Bool) -> [Int] {
    let rest = numbers.filter { number in
      entry(number).upper - entry(number).lower < (anywhere ? 1024 : 256)
        && !run.contains { layout.slot($0).contains(number) }
    }
    let within = rest.last { number in elements.contains { layout.slot($0).contains(number) } }
    if !anywhere { return within == elements.last ? [within].compactMap { $0 } : [] }
    return Set([within, rest.last].compactMap { $0 }).sorted()
  }

  mutating func deleteTwo() {
    let collections = collections
    for position in 0..<(collections.map(\.elements.count).max() ?? 0) {
      let aligned = collections.filter { $0.elements.count > position }
      guard aligned.count > 1, let edited = deleting(aligned.map { ($0.length, $0.elements[position]) }) else {
        continue
      }
      if add(edited) { return }
    }
    let parts = collections.flatMap { part in part.elements.map { (length: part.length, element: $0) } }
    for (position, one) in parts.enumerated() {
      for other in parts[(position + 1)...] where !layout.slot(one.element).contains(other.element) {
        guard let edited = deleting([one, other]) else { continue }
        if add(edited) { return }
      }
    }
  }

  // MARK: Values and spans in other places

  mutating func copy() {
    for (position, index) in numbers.enumerated() {
      let number = entry(index)
      for other in numbers[..<position].reversed() + numbers[(position + 1)...] where entry(other).tag == number.tag {
        let value = entry(other).value
        if number.allows(value), number.with(value).isSimpler(than: number), add(layout.entries, [(index, value)]) {
          return
        }
      }
    }
    for (position, span) in layout.spans.enumerated() {
      for other in layout.spans[..<position].reversed() + layout.spans[(position + 1)...]
      where entry(span).isAlike(entry(other)) && layout.isSimpler(other, than: span) {
        if add(layout.replacing([(span, other)])) { return }
      }
    }
  }

  mutating func reorder() {
    let slots = layout.entries.indices.filter {
      entry($0).tag == .open || entry($0).tag.isChoice && entry($0).tag != .length
    }
    for (position, left) in slots.enumerated() {
      for right in slots[(position + 1)...]
      where right > layout.matches[left] && entry(left).isAlike(entry(right)) && layout.isSimpler(right, than: left) {
        if add(layout.replacing([(left, right), (right, left)])) { return }
      }
    }
    exchangeInAll()
    if edits.count >= effort { return }
    for span in layout.spans {
      let movable = layout.movableSlots(of: span)
      guard movable.count > 2 else { continue }
      if add(layout.replacing(Swift.zip(movable, movable.reversed()))) { return }
      for start in movable.indices {
        for end in movable.indices.dropFirst(start + 2) where layout.isSimpler(movable[end], than: movable[start]) {
          let order = [movable[end]] + movable[start..<end]
          if add(layout.replacing(Swift.zip(movable[start...end], order))) { return }
        }
      }
    }
  }

  /// Exchanges the values at two indices in every span of a kind at the same time.
  private mutating func exchangeInAll() {
    var kinds: [UInt64: [[Int]]] = [:]
    for span in layout.spans {
      let slots = layout.children(of: span)
      if slots.count > 1, slots.allSatisfy({ entry($0).tag.isChoice }) {
        kinds[entry(span).value, default: []].append(slots)
      }
    }
    for (_, spans) in kinds.sorted(by: { $0.value[0][0] < $1.value[0][0] }) where spans.count > 1 {
      let count = spans.map(\.count).min() ?? 0
      for first in 0..<count {
        for second in (first + 1)..<max(first + 1, count)
        where spans.allSatisfy({ entry($0[first]).isAlike(entry($0[second])) && entry($0[first]).tag != .length }) {
          let values = spans.flatMap { [($0[first], entry($0[second]).value), ($0[second], entry($0[first]).value)] }
          if add(layout.entries, values) { return }
        }
      }
    }
  }

  // MARK: Alternatives

  mutating func switchBranch(_ probe: ([ChoiceEntry]) -> ChoiceSequence?) {
    for span in layout.spans {
      let branch = entry(span + 1)
      guard branch.tag == .branch, branch.value > branch.lower else { continue }
      let old = layout.slot(span).map { entry($0) }
      for value in branch.lower..<branch.value {
        var edited = layout.entries
        edited[span + 1].value = value
        if add(edited) { return }
        edited.replaceSubrange(layout.slot(span), with: [entry(span), branch.with(value), .close])
        var bases = [edited]
        if let made = probe(edited) { bases = [made.entries] + lengthened(made, in: span, probe) }
        for base in bases where varied(base, in: span, with: old) { return }
      }
    }
  }

  /// The choice sequences with up to three elements in the collections of a span.
  private func lengthened(_ choices: ChoiceSequence, in span: Int, _ probe: ([ChoiceEntry]) -> ChoiceSequence?)
    -> [[ChoiceEntry]]
  {
    let made = ChoiceLayout(choices)
    guard made.entries.indices.contains(span) else { return [] }
    return (1...3).compactMap { count in
      var edited = made.entries
      for index in made.slot(span) where edited[index].tag == .length {
        edited[index].value = edited[index].clamped(UInt64(count))
      }
      return probe(edited)?.entries
    }
  }

  /// Edits of a choice sequence that change one number in a span, or all of a kind, to an earlier or a simple value.
  private mutating func varied(_ base: [ChoiceEntry], in span: Int, with old: [ChoiceEntry]) -> Bool {
    if add(base) { return true }
    let made = ChoiceLayout(ChoiceSequence(base))
    guard made.entries.indices.contains(span) else { return false }
    let open = made.slot(span).filter { index in
      let tag = made.entries[index].tag
      return tag.isChoice && tag != .length && made.entries[index].lower < made.entries[index].upper
    }
    for index in open.dropFirst() {
      let number = made.entries[index]
      let known = old.filter { $0.tag == number.tag }.map(\.value).filter(number.allows)
      for value in known + number.neighbours(8) + [number.upper, number.lower] where value != number.value {
        if add(base, [(index, value)]) { return true }
        let alike = open.dropFirst().filter { made.entries[$0].hasDomain(of: number) }
        if alike.count > 1, alike.first == index, add(base, alike.map { ($0, value) }) { return true }
      }
    }
    return false
  }
}

extension ChoiceEntry {
  /// Other values, alternating similar and simple ones, up to a number of them.
  func neighbours(_ count: Int) -> [UInt64] {
    var found: [UInt64] = []
    var known: Set<UInt64> = [value]
    func add(_ candidate: UInt64?) {
      guard let candidate, allows(candidate), known.insert(candidate).inserted else { return }
      found.append(candidate)
    }
    if tag == .real { for position in RealOrder.simplifications(of: value).prefix(count / 2) { add(position) } }
    let divisors: [UInt64] = [2, 3, 5, 7, 10, 11, 13, 16, 100, 1000]
    var step: UInt64 = 0
    while found.count < count, step <= UInt64(2 * count) {
      add(simple(step))
      add(moved(step + 1, towardsTarget: true))
      if step < 8 || step & 3 == 0 { add(moved(step / (step < 8 ? 1 : 4) + 1, towardsTarget: false)) }
      let position = Int(step)
      if tag == .integer, position < divisors.count, distance > 16 {
        add(moved(distance - distance / divisors[position], towardsTarget: true))
      }
      step += 1
    }
    return Array(found.prefix(count))
  }

  /// Values nearer to the target by a small multiple of a power of two: with other bits, or on a coarser grid.
  var fewerOfPowers: [UInt64] {
    guard tag == .integer else { return [] }
    return (3..<62).reversed().flatMap { (bit: UInt64) in
      [1, 3, 5, 7].compactMap { (factor: UInt64) in
        factor << bit < distance ? moved(factor << bit, towardsTarget: true) : nil
      }
    }
  }

  /// The simplest values in order, up to a number of them: only those simpler than this one, or any.
  func simplest(_ count: Int, belowOwn: Bool = true) -> [UInt64] {
    (0..<UInt64(2 * count)).lazy.compactMap { simple($0) }
      .filter { !belowOwn || with($0).isSimpler(than: self) }.prefix(count).map { $0 }
  }

  /// Simpler values, alternating similar and simple ones.
  func simplerNeighbours(_ count: Int) -> [UInt64] {
    Array(neighbours(2 * count).lazy.filter { with($0).isSimpler(than: self) }.prefix(count))
  }

  /// The value with a rank in the order from simple to complicated.
  private func simple(_ rank: UInt64) -> UInt64? {
    if tag == .integer { return value(rank: rank) }
    return rank <= upper &- target ? target + rank : nil
  }

  private func moved(_ step: UInt64, towardsTarget: Bool) -> UInt64? {
    if towardsTarget, step > distance { return nil }
    let isUp = (value < target) == towardsTarget && (value != target || !towardsTarget)
    if isUp { return step <= upper - value ? value + step : nil }
    return step <= value - lower ? value - step : nil
  }

  /// The values that preserve a sum, a difference, a weighted sum, a ratio or a product with another number when that
  /// one changes.
  func makingUp(for other: ChoiceEntry, at changed: UInt64) -> [UInt64] {
    if tag == .real, other.tag == .real {
      let (own, before, after) = (
        RealOrder.number(at: value), RealOrder.number(at: other.value), RealOrder.number(at: changed)
      )
      return [own + (after - before), own - (after - before), own / before * after, own * before / after]
        .filter(\.isFinite).map(RealOrder.rank).filter { allows($0) && $0 != value }
    }
    guard tag == .integer, other.tag == .integer else { return [] }
    var found: [UInt64] = []
    // Numbers of 8, 16, 32 or 64 bits wrap around at the ends of their range.
    let width = upper &- lower
    let isWhole = width >= 255 && width & (width &+ 1) == 0
    let mask = isWhole ? width : .max
    let isDown = changed < other.value
    let change = isDown ? other.value - changed : changed - other.value
    for factor in [1, 2, 3] as [UInt64] {
      let (step, isTooFar) = change.multipliedReportingOverflow(by: factor)
      if isTooFar { break }
      if step <= value - lower || isWhole { found.append((value &- lower &- step) & mask &+ lower) }
      if step <= upper - value || isWhole { found.append((value &- lower &+ step) & mask &+ lower) }
    }
    let (own, before, after) = (signed, other.signed, other.with(changed).signed)
    if after != 0, let product = multiplied(own, before), product % after == 0 {
      found.append(unsigned(product / after))
    }
    if before != 0, let product = multiplied(own, after), product % before == 0 {
      found.append(unsigned(product / before))
    }
    return found.filter { allows($0) && $0 != value }
  }

  private var signed: Int64 { Int64(bitPattern: value &- zero) }

  private func unsigned(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) &+ zero }

  private func multiplied(_ one: Int64, _ other: Int64) -> Int64? {
    let (product, isTooLarge) = one.multipliedReportingOverflow(by: other)
    return isTooLarge || product == .min ? nil : product
  }
}
