// SPDX-License-Identifier: Apache-2.0

extension Shrinker {
  /// Replaces a span by a span of the same kind inside it: a tree by its subtree.
  mutating func descend() {
    forEachSpan { shrinker, span in
      let layout = shrinker.layout
      let inside = layout.spans.filter { $0 > span && $0 < layout.matches[span] }
      for inner in inside where layout.entries[inner].value == layout.entries[span].value {
        if shrinker.replace(span, by: Array(layout.entries[layout.slot(inner)])) { return true }
      }
      return false
    }
  }

  /// Selects an earlier alternative, with the simplest values for all its draws.
  mutating func lowerBranches() {
    forEachSpan { shrinker, span in
      let entries = shrinker.layout.entries
      let branch = entries[span + 1]
      guard branch.tag == .branch, branch.value > 1 else { return false }
      for value in 1..<branch.value {
        if shrinker.replace(span, by: [entries[span], branch.with(value), .close]) { return false }
      }
      return false
    }
  }

  /// Merges adjacent collections of one kind, and adds adjacent numbers of one domain.
  mutating func mergeSiblings() {
    forEachSpan { shrinker, span in
      let slots = shrinker.layout.children(of: span)
      guard let length = slots.first, shrinker.layout.entries[length].tag == .length, slots.count > 2 else {
        return false
      }
      for offset in slots.indices.dropFirst(2) where shrinker.merge(slots[offset - 1], slots[offset], length) {
        return true
      }
      return false
    }
  }

  private mutating func merge(_ left: Int, _ right: Int, _ length: Int) -> Bool {
    var entries = layout.entries
    guard entries[length].value > entries[length].lower else { return false }
    entries[length].value -= 1
    switch (entries[left].tag, entries[right].tag) {
    case (.open, .open):
      guard entries[left].value == entries[right].value, entries[left + 1].tag == .length,
        entries[right + 1].tag == .length
      else { return false }
      entries[left + 1].value += entries[right + 1].value
      let close = layout.matches[left]
      return consider(entries.removing([close..<(right + 2)]))
    case (.integer, .integer):
      guard entries[left].hasDomain(of: entries[right]) else { return false }
      entries[left].value = entries[left].adding(entries[right])
      return consider(entries.removing([right..<(right + 1)]))
    default: return false
    }
  }

  /// Moves simpler parts before more complicated ones: first among the slots of a span, then anywhere.
  mutating func reorder() {
    forEachSpan { shrinker, span in
      shrinker.sort(span)
      return false
    }
    swapSpans()
    renameValues()
  }

  /// Sorts the slots of a span: all at once, or by swaps as far as possible.
  private mutating func sort(_ span: Int) {
    let slots = layout.movableSlots(of: span)
    guard slots.count > 1 else { return }
    let sorted = slots.sorted { layout.isSimpler($0, than: $1) }
    if sorted == slots || arrange(slots, as: sorted) { return }
    for end in 1..<slots.count {
      var offset = end
      while offset > 0 {
        let now = layout.movableSlots(of: span)
        guard now.indices.contains(offset), layout.isSimpler(now[offset], than: now[offset - 1]) else { break }
        var order = now
        order.swapAt(offset, offset - 1)
        guard arrange(now, as: order) else { break }
        offset -= 1
      }
    }
  }

  /// Moves a simpler span to the place of an earlier one of its kind, anywhere: the two are exchanged, or all spans of
  /// the kind between them move by one.
  private mutating func swapSpans() {
    var first = 0
    while first < layout.spans.count {
      var second = first + 1
      while second < layout.spans.count {
        bring(layout.spans[second], to: layout.spans[first])
        second += 1
      }
      first += 1
    }
  }

  private mutating func bring(_ right: Int, to left: Int) {
    let label = layout.entries[left].value
    guard right > layout.matches[left], layout.entries[right].value == label, layout.isSimpler(right, than: left) else {
      return
    }
    if arrange([left, right], as: [right, left]) { return }
    var between: [Int] = []
    var index = layout.matches[left] + 1
    while index < right {
      let entry = layout.entries[index]
      if entry.tag == .open, entry.value == label, layout.matches[index] < right {
        between.append(index)
        index = layout.matches[index]
      }
      index += 1
    }
    if !between.isEmpty { _ = arrange([left] + between + [right], as: [right, left] + between) }
  }

  private mutating func arrange(_ slots: [Int], as order: [Int]) -> Bool {
    consider(layout.replacing(Swift.zip(slots, order)))
  }

  private mutating func replace(_ slot: Int, by entries: [ChoiceEntry]) -> Bool {
    var edited = layout.entries
    edited.replaceSubrange(layout.slot(slot), with: entries)
    return consider(edited)
  }

  /// Visits every span, outer ones first; a span is visited again if the visit returns true.
  private mutating func forEachSpan(_ visit: (inout Shrinker, Int) -> Bool) {
    var offset = 0
    while offset < layout.spans.count {
      if !visit(&self, layout.spans[offset]) { offset += 1 }
    }
  }
}

extension ChoiceEntry {
  /// The sum of two values of one domain, wrapped around at the end of the domain.
  func adding(_ other: ChoiceEntry) -> UInt64 {
    let sum = value &+ (other.value &- zero)
    if allows(sum) { return sum }
    let size = upper &- lower &+ 1
    return size == 0 ? sum : sum > upper && sum &- upper <= size ? sum &- size : sum &+ size
  }
}

extension Shrinker {
  /// Lowers the choices that determine the amount of other draws, and removes the parts that are no longer needed.
  ///
  /// A length owns the elements that follow it in its span. Any other choice owns the parts that the generators omit
  /// when it is lowered, which drawing without evaluation shows.
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

  private mutating func dropParts(ownedBy choice: Int) {
    let entry = layout.entries[choice]
    guard entry.value > entry.target, !owned(by: choice, lowered: 1).isEmpty else { return }
    var step = entry.value - entry.target
    while step > 0 {
      var skipped = 0
      while layout.entries[choice].distance >= step {
        let parts = owned(by: choice, lowered: step)
        guard let span = parts.first, skipped < span.count else { break }
        let window = min(skipped, span.count - span.excess)
        if !drop(parts, from: window, choice, step) {
          if window < skipped { break }
          skipped += max(1, span.excess)
        }
      }
      step = min(step / 2, layout.entries[choice].distance)
    }
  }

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

  /// Removes from the spans that get shorter with a collection the parts at the same index, or at the beginning.
  private mutating func dropDependents(
    of plain: [ChoiceEntry], _ entries: [ChoiceEntry], _ removed: [Range<Int>], from window: Int, _ choice: Int
  ) -> Bool {
    let own = layout.parents[choice]
    let losses = losses(in: plain, after: choice).filter { $0.open != own }
    if losses.isEmpty { return false }
    for start in Set([window, 0]).sorted() {
      let ranges = losses.flatMap { $0.block(from: start, in: layout) }
      if consider(entries.removing(removed + ranges)) { return true }
    }
    return false
  }

  /// Evaluates the case with edited choices; if that omits the last slots of some spans, also tries to omit the first
  /// ones.
  mutating func considerEitherEnd(_ entries: [ChoiceEntry], after choice: Int) -> Bool {
    if consider(entries) { return true }
    let losses = losses(in: entries, after: choice)
    return !losses.isEmpty && consider(entries.removing(losses.flatMap { $0.block(from: 0, in: layout) }))
  }

  /// The spans that lose slots when the generators read edited choices, outermost first.
  private mutating func losses(in entries: [ChoiceEntry], after choice: Int) -> [OwnedSpan] {
    probe(entries).map { OwnedSpan.losses(from: layout, to: ChoiceLayout($0), after: choice) } ?? []
  }

  /// The spans that lose slots when a choice is lowered, outermost first.
  private mutating func owned(by choice: Int, lowered step: UInt64) -> [OwnedSpan] {
    var entries = layout.entries
    entries[choice].value -= step
    if entries[choice].tag == .length, let parent = layout.parents[choice] {
      let count = layout.children(of: parent).count - 1
      guard count > 0, UInt64(count) >= step else { return [] }
      return [OwnedSpan(open: parent, close: layout.matches[parent], count: count, excess: Int(step))]
    }
    return losses(in: entries, after: choice)
  }
}

/// A span that loses some of its last slots when the choice that owns them is lowered.
struct OwnedSpan: Sendable {
  let open: Int
  let close: Int
  /// The number of slots that may be removed, the last ones of the span.
  let count: Int
  /// The number of slots that the lowered choice omits.
  let excess: Int

  /// A block of as many slots as are omitted, from an index on.
  func block(from start: Int, in layout: ChoiceLayout) -> [Range<Int>] {
    let slots = layout.children(of: open).suffix(count)
    let first = slots.startIndex + min(start, count - excess)
    return slots[first..<(first + excess)].map(layout.slot)
  }

  static func losses(from old: ChoiceLayout, to new: ChoiceLayout, after choice: Int) -> [OwnedSpan] {
    var losses: [OwnedSpan] = []
    func compare(_ mine: Int, _ theirs: Int) {
      let (left, right) = (old.children(of: mine), new.children(of: theirs))
      if left.count > right.count {
        let count = left.count { $0 > choice && old.entries[$0].tag != .length }
        let excess = min(left.count - right.count, count)
        if excess > 0 { losses.append(OwnedSpan(open: mine, close: old.matches[mine], count: count, excess: excess)) }
      }
      // Removed rows lose columns like the remaining ones, but the index does not distinguish slots of several kinds.
      let isTable = Set(left.filter { old.entries[$0].tag != .length }.map { old.entries[$0].label }).count == 1
      guard let last = right.indices.last, left.count <= right.count || isTable else { return }
      for (offset, one) in left.enumerated() where old.entries[one].tag == .open {
        let other = right[min(offset, last)]
        if new.entries[other].tag == .open { compare(one, other) }
      }
    }
    if old.entries.first?.tag == .open && new.entries.first?.tag == .open { compare(0, 0) }
    return losses
  }
}

extension ChoiceEntry {
  /// The kind of span that begins here; `nil` for other entries.
  fileprivate var label: UInt64? { tag == .open ? value : nil }
}

extension [ChoiceEntry] {
  /// The entries without some ranges, which may be nested.
  func removing(_ ranges: [Range<Int>]) -> [ChoiceEntry] {
    var kept: [ChoiceEntry] = []
    kept.reserveCapacity(count)
    var next = startIndex
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= next {
      kept += self[next..<range.lowerBound]
      next = range.upperBound
    }
    return kept + self[next...]
  }

  /// The entries with lowered numbers in a collection that point behind removed elements, if all of its numbers may be
  /// positions in it.
  fileprivate func shiftingPositions(after position: Int, by removed: Int, below span: OwnedSpan) -> [ChoiceEntry] {
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
