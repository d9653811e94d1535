// SPDX-License-Identifier: GPL-3.0-or-later

extension Shrinker {
  /// Makes runs of choices the simplest they can be, all of them at first and then ever shorter runs.
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

  /// Lowers choices of one value together.
  mutating func lowerDuplicates() {
    forEachChoice { shrinker, place in
      let layout = shrinker.layout
      let entry = layout.entries[layout.choices[place]]
      let isFirst = !layout.choices[..<place].contains { layout.entries[$0] == entry }
      if isFirst, entry.tag != .length, shrinker.group(of: place, together: true).count > 1 {
        shrinker.lower(place, together: true)
      }
    }
  }

  /// Lowers one choice after the other.
  mutating func lowerChoices() {
    forEachChoice { shrinker, place in shrinker.lower(place, together: false) }
  }

  private mutating func forEachChoice(_ visit: (inout Shrinker, Int) -> Void) {
    var place = 0
    while place < layout.choices.count {
      if layout.entries[layout.choices[place]].distance > 0 { visit(&self, place) }
      place += 1
    }
  }

  /// Finds a simpler value: the simplest ones are tried first, then the next ones down; if those fail too, fewer bits,
  /// then halves, then the other side.
  ///
  /// - Parameters:
  ///   - place: Which choice, in the order of the tape.
  ///   - together: Whether all choices of the same value change with it.
  private mutating func lower(_ place: Int, together: Bool) {
    if choice(place)?.tag == .real { return lowerReal(place, together: together) }
    if attempt(place, rank: 0, together) || attempt(place, rank: 1, together) { return }
    guard let start = choice(place)?.distance, start > 1 else { return }
    if !attempt(place, distance: start - 1, together), !attempt(place, distance: start - 2, together),
      start < 8 || !attempt(place, distance: start / 2, together)
    {
      return tryOtherSide(place, together)
    }
    if attempt(place, rank: 2, together) || attempt(place, rank: 3, together) { return }
    descend(place, above: fewerBits(place, together), by: 2, together)
    tryOtherSide(place, together)
  }

  /// Searches for the fewest bits of the distance that fail.
  ///
  /// - Returns: The largest distance known to pass.
  private mutating func fewerBits(_ place: Int, _ together: Bool) -> UInt64 {
    var passing = 2 as UInt64
    var bits = (low: 2, high: distanceBits(place))
    while bits.high - bits.low > 1 {
      let middle = (bits.low + bits.high) / 2
      if attempt(place, distance: 1 << UInt64(middle) - 1, together) {
        bits.high = min(middle, distanceBits(place))
      } else {
        bits.low = middle
        passing = 1 << UInt64(middle) - 1
      }
    }
    return passing
  }

  /// Looks for a failing value a few steps below each number: what fails may be every third or seventh one, or the
  /// multiples of a number drawn beside it.
  mutating func lowerByPeriods() {
    forEachChoice { shrinker, place in
      guard let entry = shrinker.choice(place), entry.tag == .integer else { return }
      for period in 2...8 as ClosedRange<UInt64> where entry.distance > period {
        if shrinker.attempt(place, distance: entry.distance - period, false) {
          return shrinker.descend(place, above: 0, by: period, false)
        }
      }
      let near = max(0, place - 4)..<min(place + 5, shrinker.layout.choices.count)
      let steps = Set(near.compactMap { shrinker.choice($0) }.filter { $0.tag == .integer }.map(\.magnitude))
      for step in steps.sorted() where step > 8 && step < entry.distance {
        if shrinker.attempt(place, distance: entry.distance - step, false) {
          return shrinker.descend(place, above: 0, by: step, false)
        }
      }
    }
  }

  /// Swaps two values wherever they occur, if that puts the simpler one first: names do not matter.
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

  /// Goes down by steps that grow as long as they succeed and halve when they do not.
  private mutating func descend(_ place: Int, above lowest: UInt64, by unit: UInt64, _ together: Bool) {
    var passing = lowest
    var step = unit
    var isGrowing = true
    while let distance = choice(place)?.distance, distance > passing, distance - passing > 1 {
      let room = (distance - passing) / 2
      step = min(step, unit > 2 ? room - room % unit : room)
      if step == 0 && unit > 2 { return }
      let lower = distance - max(1, step)
      if attempt(place, distance: lower, together) {
        if isGrowing { step *= 4 }
      } else {
        isGrowing = false
        passing = lower
        step /= 2
        if unit > 2 { step -= step % unit }
      }
    }
  }

  /// The value of the same distance or one less on the other side of the target, and back.
  private mutating func tryOtherSide(_ place: Int, _ together: Bool) {
    while let entry = choice(place), entry.distance > 1, entry.distance < 1 << 62 {
      if !attempt(place, rank: entry.rank - 1, together) { return }
    }
  }

  private func distanceBits(_ place: Int) -> Int {
    UInt64.bitWidth - (choice(place)?.distance ?? 0).leadingZeroBitCount
  }

  func choice(_ place: Int) -> TapeEntry? {
    let choices = layout.choices
    return choices.indices.contains(place) ? layout.entries[choices[place]] : nil
  }

  /// The choices that change when one does.
  private func group(of place: Int, together: Bool) -> [Int] {
    let choices = layout.choices
    let entry = layout.entries[choices[place]]
    return together ? choices.filter { layout.entries[$0] == entry } : [choices[place]]
  }

  private mutating func attempt(_ place: Int, rank: UInt64, _ together: Bool) -> Bool {
    attempt(place, choice(place)?.value(rank: rank), together)
  }

  private mutating func attempt(_ place: Int, distance: UInt64, _ together: Bool) -> Bool {
    guard let entry = choice(place) else { return false }
    return attempt(place, entry.value >= entry.target ? entry.target &+ distance : entry.target &- distance, together)
  }

  mutating func attempt(_ place: Int, _ value: UInt64?, _ together: Bool) -> Bool {
    guard let value, let entry = choice(place), entry.allows(value), entry.with(value).isSimpler(than: entry) else {
      return false
    }
    return consider(values: group(of: place, together: together).map { ($0, value) })
  }
}

extension TapeEntry {
  /// The absolute value of a number.
  fileprivate var magnitude: UInt64 { value >= zero ? value - zero : zero - value }

  /// The place of the value in the order from simple to complicated, among the values of a domain without bounds:
  /// the target, one above, one below, two above, and so on.
  ///
  /// The distance must be below 2^63.
  var rank: UInt64 { distance == 0 ? 0 : value > target ? 2 &* distance &- 1 : 2 &* distance }

  /// The value at a place of that order; nil when it is out of bounds.
  func value(rank: UInt64) -> UInt64? {
    let distance = rank / 2 + rank % 2
    if rank % 2 == 1 { return distance <= upper - target ? target + distance : nil }
    return distance <= target - lower ? target - distance : nil
  }
}
