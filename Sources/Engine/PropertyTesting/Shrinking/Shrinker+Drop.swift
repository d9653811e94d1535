// SPDX-License-Identifier: GPL-3.0-or-later

extension Shrinker {
  /// Lowers the choices that say how much is drawn, and takes the parts away that are no longer needed.
  ///
  /// A length owns the elements that follow it in its span. Any other choice owns what the generators leave out when it
  /// is lowered; that is found out by having them draw, without judging.
  mutating func dropParts() {
    var position = 0
    while true {
      let choices = layout.choices
      guard position < choices.count else { return }
      let choice = choices[position]
      if layout.entries[choice].tag != .word && layout.entries[choice].tag != .real { dropParts(ownedBy: choice) }
      position += 1
    }
  }

  /// Takes away ever smaller blocks of what a choice owns.
  private mutating func dropParts(ownedBy choice: Int) {
    let entry = layout.entries[choice]
    guard entry.value > entry.target, owned(by: choice, lowered: 1) != nil else { return }
    var step = entry.value - entry.target
    while step > 0 {
      var skipped = 0
      while layout.entries[choice].distance >= step, let parts = owned(by: choice, lowered: step),
        let span = parts.first, skipped < span.count
      {
        let window = min(skipped, span.count - span.excess)
        if !drop(parts, from: window, choice, step) {
          if window < skipped { break }
          skipped += max(1, span.excess)
        }
      }
      step = min(step / 2, layout.entries[choice].distance)
    }
  }

  /// Judges the case without a block of the parts.
  private mutating func drop(_ parts: [OwnedSpan], from window: Int, _ choice: Int, _ step: UInt64) -> Bool {
    var entries = layout.entries
    entries[choice].value -= step
    var removed: [Range<Int>] = []
    for span in parts {
      removed += span.block(from: window, in: layout)
    }
    let plain = entries.removing(removed)
    if consider(plain) { return true }
    guard let span = parts.first, layout.entries[choice].tag == .length else { return false }
    if consider(entries.shiftingPositions(after: window, by: span.excess, below: span).removing(removed)) {
      return true
    }
    return dropDependents(of: plain, entries, removed, from: window, choice)
  }

  /// Takes from the spans that get shorter with a collection what stands in the same place, or in front.
  private mutating func dropDependents(
    of plain: [TapeEntry], _ entries: [TapeEntry], _ removed: [Range<Int>], from window: Int, _ choice: Int
  ) -> Bool {
    guard let made = probe(plain) else { return false }
    let own = layout.parents[choice]
    let losses = OwnedSpan.losses(from: layout, to: TapeLayout(made), after: choice).filter { $0.open != own }
    if losses.isEmpty { return false }
    for start in Set([window, 0]).sorted() {
      let ranges = losses.flatMap { $0.block(from: start, in: layout) }
      if consider(entries.removing(removed + ranges)) { return true }
    }
    return false
  }

  /// Judges the case with edited choices; if that leaves the last slots of some spans out, also without the first ones.
  ///
  /// - Parameters:
  ///   - entries: The best case's entries with other values.
  ///   - choice: The choice that says how much is drawn.
  /// - Returns: Whether one of them is the best now.
  mutating func considerEitherEnd(_ entries: [TapeEntry], after choice: Int) -> Bool {
    if consider(entries) { return true }
    guard let made = probe(entries) else { return false }
    let losses = OwnedSpan.losses(from: layout, to: TapeLayout(made), after: choice)
    return !losses.isEmpty && consider(entries.removing(losses.flatMap { $0.block(from: 0, in: layout) }))
  }

  /// The spans that lose slots when a choice is lowered, outermost first; nil when none does.
  private mutating func owned(by choice: Int, lowered step: UInt64) -> [OwnedSpan]? {
    var entries = layout.entries
    entries[choice].value -= step
    let parent = layout.parents[choice]
    if entries[choice].tag == .length {
      let count = layout.children(of: parent).count - 1
      guard count > 0, UInt64(count) >= step else { return nil }
      return [OwnedSpan(open: parent, close: layout.matches[parent], count: count, excess: Int(step))]
    }
    guard let made = probe(entries) else { return nil }
    let owned = OwnedSpan.losses(from: layout, to: TapeLayout(made), after: choice)
    return owned.isEmpty ? nil : owned
  }
}

/// A span that loses some of its last slots when the choice that owns them is lowered.
struct OwnedSpan: Sendable {
  let open: Int
  let close: Int
  /// How many slots may be taken away, the last ones of the span.
  let count: Int
  /// How many the lowered choice leaves out.
  let excess: Int

  /// As many slots as are left out, from one on.
  func block(from start: Int, in layout: TapeLayout) -> [Range<Int>] {
    let slots = layout.children(of: open).suffix(count)
    let first = slots.startIndex + min(start, count - excess)
    return slots[first..<(first + excess)].map(layout.slot)
  }

  /// Compares two cases span by span.
  static func losses(from old: TapeLayout, to new: TapeLayout, after choice: Int) -> [OwnedSpan] {
    var losses: [OwnedSpan] = []
    func compare(_ mine: Int, _ theirs: Int) {
      let (left, right) = (old.children(of: mine), new.children(of: theirs))
      if left.count > right.count {
        let count = left.count { $0 > choice && old.entries[$0].tag != .length }
        let excess = min(left.count - right.count, count)
        if excess > 0 { losses.append(OwnedSpan(open: mine, close: old.matches[mine], count: count, excess: excess)) }
        return
      }
      for (one, other) in Swift.zip(left, right) where old.entries[one].tag == .open && new.entries[other].tag == .open
      {
        compare(one, other)
      }
    }
    if old.entries.first?.tag == .open && new.entries.first?.tag == .open { compare(0, 0) }
    return losses
  }
}

extension [TapeEntry] {
  /// The entries without some ranges, which do not overlap.
  func removing(_ ranges: [Range<Int>]) -> [TapeEntry] {
    var kept: [TapeEntry] = []
    kept.reserveCapacity(count)
    var next = startIndex
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      kept += self[next..<range.lowerBound]
      next = range.upperBound
    }
    return kept + self[next...]
  }

  /// The entries with the numbers in a collection lowered that point behind removed elements, if all of its numbers may
  /// be positions in it.
  fileprivate func shiftingPositions(after position: Int, by removed: Int, below span: OwnedSpan) -> [TapeEntry] {
    var entries = self
    for index in span.open..<span.close where entries[index].tag == .integer {
      let entry = entries[index]
      guard entry.value >= entry.target, entry.distance <= UInt64(span.count) else { return self }
      if entry.distance > UInt64(position), entry.distance >= UInt64(removed) {
        entries[index].value -= UInt64(removed)
      }
    }
    return entries
  }
}
