// SPDX-License-Identifier: Apache-2.0

extension Shrinker {
  /// Sets runs of choices to their simplest values: first all choices, then shorter and shorter runs.
  mutating func zeroRuns() {
    var length = layout.choices.count
    while length > 2 {
      var start = 0
      while start < layout.choices.count {
        let run = layout.choices.dropFirst(start).prefix(length)
        _ = consider(values: run.map { ($0, layout.entries[$0].target) })
        start += length
      }
      length /= 2
    }
  }

  mutating func lowerDuplicates() {
    forEachChoice { shrinker, position in
      let layout = shrinker.layout
      let entry = layout.entries[layout.choices[position]]
      let isFirst = !layout.choices[..<position].contains { layout.entries[$0] == entry }
      if isFirst, entry.tag != .length, shrinker.group(of: position, together: true).count > 1 {
        shrinker.lower(position, together: true)
      }
    }
  }

  mutating func lowerChoices() {
    forEachChoice { shrinker, position in shrinker.lower(position, together: false) }
  }

  private mutating func forEachChoice(_ visit: (inout Shrinker, Int) -> Void) {
    var position = 0
    while position < layout.choices.count {
      if layout.entries[layout.choices[position]].distance > 0 { visit(&self, position) }
      position += 1
    }
  }

  /// Finds a simpler value: first the simplest ones, then the next lower ones; if those fail too, fewer bits, then
  /// halves, then the other side of the target.
  private mutating func lower(_ position: Int, together: Bool) {
    if choice(position)?.tag == .real { return lowerReal(position, together: together) }
    if attempt(position, rank: 0, together) || attempt(position, rank: 1, together) { return }
    guard let start = choice(position)?.distance, start > 1 else { return }
    if !attempt(position, distance: start - 1, together), !attempt(position, distance: start - 2, together),
      start < 8 || !attempt(position, distance: start / 2, together)
    {
      return tryOtherSide(position, together)
    }
    if attempt(position, rank: 2, together) || attempt(position, rank: 3, together) { return }
    descend(position, above: fewerBits(position, together), by: 2, together)
    tryOtherSide(position, together)
  }

  /// Searches for the fewest bits of the distance with which the case fails.
  private mutating func fewerBits(_ position: Int, _ together: Bool) -> UInt64 {
    var passing = 2 as UInt64
    var bits = (low: 2, high: distanceBits(position))
    while bits.high - bits.low > 1 {
      let middle = (bits.low + bits.high) / 2
      if attempt(position, distance: 1 << UInt64(middle) - 1, together) {
        bits.high = min(middle, distanceBits(position))
      } else {
        bits.low = middle
        passing = 1 << UInt64(middle) - 1
      }
    }
    return passing
  }

  /// Searches for a failing value a few steps below each number: every third or seventh value may fail, or the
  /// multiples of a number drawn next to it.
  mutating func lowerByPeriods() {
    forEachChoice { shrinker, position in
      guard let entry = shrinker.choice(position), entry.tag == .integer else { return }
      for period in 2...8 as ClosedRange<UInt64> where entry.distance > period {
        if shrinker.attempt(position, distance: entry.distance - period, false) {
          return shrinker.descend(position, above: 0, by: period, false)
        }
      }
      let near = max(0, position - 4)..<min(position + 5, shrinker.layout.choices.count)
      let steps = Set(near.compactMap { shrinker.choice($0) }.filter { $0.tag == .integer }.map(\.magnitude))
      for step in steps.sorted() where step > 8 && step < entry.distance {
        if shrinker.attempt(position, distance: entry.distance - step, false) {
          return shrinker.descend(position, above: 0, by: step, false)
        }
      }
    }
  }

  /// Exchanges two values in all places if that puts the simpler one first, because names do not matter.
  mutating func renameValues() {
    var first = 0
    while first < layout.choices.count {
      let left = layout.entries[layout.choices[first]]
      let others = layout.choices[first...].map { layout.entries[$0] }.filter { $0.hasDomain(of: left) }
      if left.tag == .integer, let other = others.first(where: { $0.isSimpler(than: left) }) {
        let entries = layout.entries.map { entry in
          guard entry.tag == .integer else { return entry }
          if entry.value == left.value && entry.allows(other.value) { return entry.with(other.value) }
          return entry.value == other.value && entry.allows(left.value) ? entry.with(left.value) : entry
        }
        _ = consider(entries)
      }
      first += 1
    }
  }

  /// Descends by steps that grow while they succeed and halve when they do not.
  private mutating func descend(_ position: Int, above lowest: UInt64, by unit: UInt64, _ together: Bool) {
    var passing = lowest
    var step = unit
    var isGrowing = true
    while let distance = choice(position)?.distance, distance > passing, distance - passing > 1 {
      let room = (distance - passing) / 2
      step = min(step, unit > 2 ? room - room % unit : room)
      if step == 0 && unit > 2 { return }
      let lower = distance - max(1, step)
      if attempt(position, distance: lower, together) {
        if isGrowing { step *= 4 }
      } else {
        isGrowing = false
        passing = lower
        step /= 2
        if unit > 2 { step -= step % unit }
      }
    }
  }

  /// Tries the value at the same distance or one less on the other side of the target, and back.
  private mutating func tryOtherSide(_ position: Int, _ together: Bool) {
    while let entry = choice(position), entry.distance > 1, entry.distance < 1 << 62 {
      if !attempt(position, rank: entry.rank - 1, together) { return }
    }
  }

  private func distanceBits(_ position: Int) -> Int {
    UInt64.bitWidth - (choice(position)?.distance ?? 0).leadingZeroBitCount
  }

  func choice(_ position: Int) -> ChoiceEntry? {
    let choices = layout.choices
    return choices.indices.contains(position) ? layout.entries[choices[position]] : nil
  }

  private func group(of position: Int, together: Bool) -> [Int] {
    let choices = layout.choices
    let entry = layout.entries[choices[position]]
    return together ? choices.filter { layout.entries[$0] == entry } : [choices[position]]
  }

  private mutating func attempt(_ position: Int, rank: UInt64, _ together: Bool) -> Bool {
    attempt(position, choice(position)?.value(rank: rank), together)
  }

  private mutating func attempt(_ position: Int, distance: UInt64, _ together: Bool) -> Bool {
    guard let entry = choice(position) else { return false }
    return attempt(
      position, entry.value >= entry.target ? entry.target &+ distance : entry.target &- distance, together)
  }

  mutating func attempt(_ position: Int, _ value: UInt64?, _ together: Bool) -> Bool {
    guard let value, let entry = choice(position), entry.allows(value), entry.with(value).isSimpler(than: entry) else {
      return false
    }
    return consider(values: group(of: position, together: together).map { ($0, value) })
  }
}

extension ChoiceEntry {
  fileprivate var magnitude: UInt64 { value >= zero ? value - zero : zero - value }

  /// The rank of the value in the order from simple to complicated, in a domain without bounds: the target, one above,
  /// one below, two above, and so on.
  ///
  /// The distance must be below 2^63.
  var rank: UInt64 { distance == 0 ? 0 : value > target ? 2 &* distance &- 1 : 2 &* distance }

  /// The value with a rank in that order; `nil` if it is out of bounds.
  func value(rank: UInt64) -> UInt64? {
    let distance = rank / 2 + rank % 2
    if rank % 2 == 1 { return distance <= upper - target ? target + distance : nil }
    return distance <= target - lower ? target - distance : nil
  }
}

extension Shrinker {
  /// Finds a simpler real number: first simple similar ones, then halves of an integer.
  mutating func lowerReal(_ position: Int, together: Bool) {
    while let entry = choice(position), entry.distance > 0, resemble(position, entry, together) {}
    guard let entry = choice(position) else { return }
    let number = RealOrder.number(at: entry.value)
    guard number.isFinite, number == number.rounded() else { return }
    let sign = entry.value & 1
    // The integers from 2^51 on come after the fractions in the order; their bit patterns ascend with them.
    let isLarge = number.magnitude >= 0x1p51
    func value(_ key: UInt64) -> UInt64 {
      (isLarge ? RealOrder.rank(of: Double(bitPattern: key)) : key << 1) | sign
    }
    var passing = isLarge ? 0x1p51.bitPattern - 1 : 0
    var failing = isLarge ? number.magnitude.bitPattern : entry.value >> 1
    // The next lower value is tried first, of both precisions: if it passes, the search is not worth its cost.
    let units: [UInt64] = isLarge ? [1, 1 << 29] : [1]
    guard
      let unit = units.first(where: {
        failing > passing && failing - passing > $0 && attempt(position, value(failing - $0), together)
      })
    else { return }
    failing -= unit
    while failing - passing > unit {
      let middle = passing + (failing - passing) / 2
      if attempt(position, value(middle), together) { failing = middle } else { passing = middle }
    }
  }

  private mutating func resemble(_ position: Int, _ entry: ChoiceEntry, _ together: Bool) -> Bool {
    for simpler in [0, 2] + RealOrder.simplifications(of: entry.value) where simpler < entry.value {
      if attempt(position, simpler, together) { return true }
    }
    return false
  }

  /// Moves two numbers at a time: both by the same amount, one down and the other up, or one down as far as the other
  /// can compensate.
  mutating func movePairs() {
    var first = 0
    while first < layout.choices.count {
      var second = first + 1
      while second < min(first + 5, layout.choices.count) {
        movePair(first, second)
        second += 1
      }
      first += 1
    }
  }

  private mutating func movePair(_ first: Int, _ second: Int) {
    guard let pair = numbers(first, second), pair.left.distance > 0 else { return }
    shift(first, second, by: (1, 1), opposite: false)
    shiftMultiple(first, second)
    for ratio in [(1, 1), (1, 2), (2, 1), (1, 3)] as [(UInt64, UInt64)] {
      if shift(first, second, by: ratio, opposite: true) {
        // Numbers that are as close as possible may now go down together.
        shift(first, second, by: (1, 1), opposite: false)
        break
      }
    }
    pivot(first, second)
    if isLumpy(second) { pivot(second, first) }
  }

  /// Moves two numbers, the second a multiple of the first, and keeps the ratio.
  private mutating func shiftMultiple(_ first: Int, _ second: Int) {
    guard let (left, right) = numbers(first, second), left.value > left.zero, right.value > right.zero else { return }
    let (one, other) = (left.value - left.zero, right.value - right.zero)
    if other > one, other % one == 0 { shift(first, second, by: (1, other / one), opposite: false) }
  }

  /// Moves the first number towards its target and the second along with it or against it, while the case fails.
  @discardableResult
  private mutating func shift(_ first: Int, _ second: Int, by ratio: (UInt64, UInt64), opposite: Bool) -> Bool {
    guard let pair = numbers(first, second) else { return false }
    let farthest = pair.left.distance / ratio.0
    if farthest == 0 { return false }
    if step(first, second, ratio, opposite, 1) == false { return false }
    var size = farthest - 1
    while size > 0, let left = numbers(first, second)?.left, left.distance > 0 {
      size = min(size, left.distance / ratio.0)
      if size == 0 { break }
      if !step(first, second, ratio, opposite, size) { size /= 2 }
    }
    return true
  }

  private mutating func step(
    _ first: Int, _ second: Int, _ ratio: (UInt64, UInt64), _ opposite: Bool, _ size: UInt64
  ) -> Bool {
    guard let (left, right) = numbers(first, second) else { return false }
    let isDown = left.value > left.target
    let (down, up) = (size &* ratio.0, size &* ratio.1)
    guard down <= left.distance else { return false }
    let moved = isDown ? left.value - down : left.value + down
    let goesDown = isDown != opposite
    let room = goesDown ? right.value - right.lower : right.upper - right.value
    guard up <= room else { return false }
    let choices = layout.choices
    return consider(values: [
      (choices[first], moved), (choices[second], goesDown ? right.value - up : right.value + up),
    ])
  }

  /// Lowers one number while another is raised as far as the case remains simpler.
  private mutating func pivot(_ lowered: Int, _ raised: Int) {
    guard let start = number(lowered), start.value > start.target else { return }
    guard let other = number(raised), other.upper - other.lower < 1 << 32 else { return }
    for distance in [0, start.distance / 2, start.distance - 1] {
      guard let now = number(lowered), distance < now.distance else { return }
      let choices = layout.choices
      guard let highest = highest(raised, with: lowered, at: now.target + distance) else { continue }
      var entries = layout.entries
      entries[choices[lowered]].value = now.target + distance
      entries[choices[raised]].value = highest
      if considerEitherEnd(entries, after: max(choices[lowered], choices[raised])) { return }
    }
  }

  /// Returns true if a choice determines the amount of other draws.
  private mutating func isLumpy(_ position: Int) -> Bool {
    guard let entry = number(position), entry.value > entry.lower else { return false }
    var entries = layout.entries
    entries[layout.choices[position]].value -= 1
    return (probe(entries)?.entries.count ?? entries.count) != entries.count
  }

  /// The highest value of a choice for which the case is simpler than the best, while another choice is lowered.
  private mutating func highest(_ raised: Int, with lowered: Int, at value: UInt64) -> UInt64? {
    guard let right = number(raised) else { return nil }
    let choices = layout.choices
    var entries = layout.entries
    entries[choices[lowered]].value = value
    entries[choices[raised]].value = right.upper
    if wouldBeSimpler(entries) { return right.upper }
    var (low, high) = (right.value, right.upper)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      entries[choices[raised]].value = middle
      if wouldBeSimpler(entries) { low = middle } else { high = middle }
    }
    return low
  }

  private func number(_ position: Int) -> ChoiceEntry? {
    let choices = layout.choices
    guard choices.indices.contains(position) else { return nil }
    let entry = layout.entries[choices[position]]
    return entry.tag == .integer && entry.lower < entry.upper ? entry : nil
  }

  /// Two numeric choices with room to move.
  private func numbers(_ first: Int, _ second: Int) -> (left: ChoiceEntry, right: ChoiceEntry)? {
    guard let left = number(first), let right = number(second) else { return nil }
    return (left, right)
  }

  /// Continues in the direction of the last round of passes, by steps that grow while they succeed.
  ///
  /// Numbers that restrict each other, such as two with a bounded ratio, decrease only a little in each round; the way
  /// from the round's start to its end points to further values.
  /// Source: the pattern move of Hooke and Jeeves, "Direct search", Journal of the ACM 8 (1961).
  mutating func extrapolate(from before: ChoiceSequence) {
    guard let way = way(from: before) else { return }
    var step = way.map(\.longest).min() ?? 0
    var isFirst = true
    let count = layout.entries.count
    while step > 0, layout.entries.count == count {
      let length = isFirst ? 1 : step
      let values = way.map { ($0.index, $0.value(in: layout, after: length)) }
      if values.contains(where: { $0.1 == nil }) || !consider(values: values.map { ($0.0, $0.1 ?? 0) }) {
        if isFirst { return }
        step /= 2
      }
      isFirst = false
    }
  }

  /// The change of every number since another case; `nil` if anything else changed.
  private func way(from before: ChoiceSequence) -> [NumberStep]? {
    let (old, new) = (before.entries, layout.entries)
    guard old.count == new.count else { return nil }
    var way: [NumberStep] = []
    for index in new.indices where old[index] != new[index] {
      guard new[index].tag == .integer, old[index].hasDomain(of: new[index]) else { return nil }
      way.append(NumberStep(index: index, from: old[index], to: new[index]))
    }
    return way.isEmpty ? nil : way
  }
}

private struct NumberStep: Sendable {
  let index: Int
  private let size: UInt64
  private let goesUp: Bool
  /// The largest number of steps within the bounds of the number.
  let longest: UInt64

  init(index: Int, from old: ChoiceEntry, to new: ChoiceEntry) {
    self.index = index
    goesUp = new.value > old.value
    size = goesUp ? new.value - old.value : old.value - new.value
    longest = (goesUp ? new.upper - new.value : new.value - new.lower) / size
  }

  /// The number after some steps; `nil` if it is out of bounds.
  func value(in layout: ChoiceLayout, after steps: UInt64) -> UInt64? {
    let (now, (distance, isTooFar)) = (layout.entries[index], size.multipliedReportingOverflow(by: steps))
    let room = goesUp ? now.upper - now.value : now.value - now.lower
    guard !isTooFar, distance <= room else { return nil }
    return goesUp ? now.value + distance : now.value - distance
  }
}
