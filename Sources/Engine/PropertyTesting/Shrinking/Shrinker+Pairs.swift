// SPDX-License-Identifier: GPL-3.0-or-later

extension Shrinker {
  /// Moves two numbers at a time: both by the same amount, one down and the other up, or one down as far as the other
  /// can make up for it.
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
    if moveReals(first, second) { return }
    guard let pair = numbers(first, second), pair.left.distance > 0 else { return }
    shift(first, second, by: (1, 1), opposite: false)
    shiftMultiple(first, second)
    mirror(first, second)
    for ratio in [(1, 1), (1, 2), (2, 1), (1, 3)] as [(UInt64, UInt64)] {
      if shift(first, second, by: ratio, opposite: true) {
        // Numbers that had come as close as they may have room to go down together now.
        shift(first, second, by: (1, 1), opposite: false)
        break
      }
    }
    pivot(first, second)
    if isLumpy(second) { pivot(second, first) }
  }

  /// Moves two numbers of which the second is a multiple of the first so that it stays the same multiple.
  private mutating func shiftMultiple(_ first: Int, _ second: Int) {
    guard let (left, right) = numbers(first, second), left.value > left.zero, right.value > right.zero else { return }
    let (one, other) = (left.value - left.zero, right.value - right.zero)
    if other > one, other % one == 0 { shift(first, second, by: (1, other / one), opposite: false) }
  }

  /// Puts the second number on the other side of the first, as far away as it was.
  private mutating func mirror(_ first: Int, _ second: Int) {
    guard let (left, right) = numbers(first, second), left.hasDomain(of: right), right.value > left.value,
      right.value - left.value <= left.value - left.lower
    else { return }
    _ = consider(values: [(layout.choices[second], left.value - (right.value - left.value))])
  }

  /// Moves the first number towards its target and the second along or against it, as far as the case fails.
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

  /// Lowers one number while another is raised as far as the case stays simpler.
  private mutating func pivot(_ lowered: Int, _ raised: Int) {
    guard let start = number(lowered), start.value > start.target else { return }
    guard let other = number(raised), other.upper - other.lower < 1 << 32 else { return }
    var distances = [0, start.distance / 2, start.distance - 1]
    if isLumpy(lowered) || isLumpy(raised) {
      distances = (max(start.distance / 2, start.distance - min(start.distance, 8))..<start.distance).reversed()
    }
    for distance in distances {
      guard let now = number(lowered), distance < now.distance else { return }
      let choices = layout.choices
      guard let highest = highest(raised, with: lowered, at: now.target + distance) else { continue }
      var entries = layout.entries
      entries[choices[lowered]].value = now.target + distance
      entries[choices[raised]].value = highest
      if considerEitherEnd(entries, after: max(choices[lowered], choices[raised])) { return }
    }
  }

  /// Whether a choice says how much else is drawn.
  private mutating func isLumpy(_ place: Int) -> Bool {
    guard let entry = number(place), entry.value > entry.lower else { return false }
    var entries = layout.entries
    entries[layout.choices[place]].value -= 1
    return (probe(entries)?.entries.count ?? entries.count) != entries.count
  }

  /// The highest value of a choice for which the case is simpler than the best while another choice is lowered.
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

  private func number(_ place: Int) -> TapeEntry? {
    let choices = layout.choices
    guard choices.indices.contains(place) else { return nil }
    let entry = layout.entries[choices[place]]
    return entry.tag == .integer && entry.lower < entry.upper ? entry : nil
  }

  /// Two choices of numbers with room to move.
  private func numbers(_ first: Int, _ second: Int) -> (left: TapeEntry, right: TapeEntry)? {
    guard let left = number(first), let right = number(second) else { return nil }
    return (left, right)
  }
}
