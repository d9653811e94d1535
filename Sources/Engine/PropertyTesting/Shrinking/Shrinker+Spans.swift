// SPDX-License-Identifier: GPL-3.0-or-later

extension Shrinker {
  /// Puts what is inside a span in the place of the span, where both are of one kind: a subtree for its tree.
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

  /// Makes everything in a span the simplest it can be, outer spans first; if that is too much, with the slots of all
  /// other spans in order, since what was in the way of an order may just have gone.
  mutating func zeroSpans() {
    forEachSpan { shrinker, span in
      var entries = shrinker.layout.entries
      entries.replaceSubrange(shrinker.layout.slot(span), with: [entries[span], .close])
      if !shrinker.consider(entries) { _ = shrinker.consider(TapeLayout(Tape(entries)).sorted(0)) }
      return false
    }
  }

  /// Makes spans that stand beside each other equal: what must be equal can then be lowered together.
  mutating func equalise() {
    forEachSpan { shrinker, span in
      let slots = shrinker.layout.movableSlots(of: span)
      guard let first = slots.first, slots.count > 1, shrinker.layout.entries[first].tag == .open else { return false }
      let simplest = slots.min { shrinker.layout.isSimpler($0, than: $1) } ?? first
      if shrinker.arrange(slots, as: slots.map { _ in simplest }) { return false }
      for place in slots.indices.dropFirst() {
        let now = shrinker.layout.movableSlots(of: span)
        guard now.indices.contains(place) else { return false }
        let pair = [now[place - 1], now[place]]
        let simpler = shrinker.layout.isSimpler(pair[1], than: pair[0]) ? pair[1] : pair[0]
        _ = shrinker.arrange(pair, as: [simpler, simpler])
      }
      return false
    }
  }

  /// Chooses an earlier alternative, with everything it draws the simplest.
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

  /// Joins neighbouring collections of one kind, and neighbouring numbers of one domain by adding them.
  mutating func mergeSiblings() {
    forEachSpan { shrinker, span in
      let slots = shrinker.layout.children(of: span)
      guard let length = slots.first, shrinker.layout.entries[length].tag == .length, slots.count > 2 else {
        return false
      }
      for place in slots.indices.dropFirst(2) where shrinker.merge(slots[place - 1], slots[place], length) {
        return true
      }
      return false
    }
  }

  /// Joins two elements of a collection.
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

  /// Puts simpler things before more complicated ones: first among the slots of a span, then anywhere.
  mutating func reorder() {
    forEachSpan { shrinker, span in
      shrinker.sort(span)
      return false
    }
    swapSpans()
    renameValues()
  }

  /// Sorts the slots of a span: all at once, or as far as it goes by swapping.
  private mutating func sort(_ span: Int) {
    let slots = layout.movableSlots(of: span)
    guard slots.count > 1 else { return }
    let sorted = slots.sorted { layout.isSimpler($0, than: $1) }
    if sorted == slots || arrange(slots, as: sorted) { return }
    for end in 1..<slots.count {
      var place = end
      while place > 0 {
        let now = layout.movableSlots(of: span)
        guard now.indices.contains(place), layout.isSimpler(now[place], than: now[place - 1]) else { break }
        var order = now
        order.swapAt(place, place - 1)
        guard arrange(now, as: order) else { break }
        place -= 1
      }
    }
  }

  /// Brings a simpler span to the place of an earlier one of its kind, wherever they stand: the two change places, or
  /// everything of their kind between them moves on by one.
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

  /// Judges the case with what stands in some slots moved to others.
  private mutating func arrange(_ slots: [Int], as order: [Int]) -> Bool {
    var arranged: [TapeEntry] = []
    var next = 0
    for (slot, source) in Swift.zip(slots, order) {
      arranged += layout.entries[next..<slot]
      arranged += layout.entries[layout.slot(source)]
      next = layout.slot(slot).upperBound
    }
    return consider(arranged + layout.entries[next...])
  }

  /// Judges the case with other entries in the place of a slot.
  private mutating func replace(_ slot: Int, by entries: [TapeEntry]) -> Bool {
    var edited = layout.entries
    edited.replaceSubrange(layout.slot(slot), with: entries)
    return consider(edited)
  }

  /// Visits every span, outer ones first; a span for which the visit returns true is visited again.
  private mutating func forEachSpan(_ visit: (inout Shrinker, Int) -> Bool) {
    var place = 0
    while place < layout.spans.count {
      if !visit(&self, layout.spans[place]) { place += 1 }
    }
  }
}

extension TapeEntry {
  /// The sum of two values of one domain; around the end of the domain when it is beyond.
  func adding(_ other: TapeEntry) -> UInt64 {
    let sum = value &+ (other.value &- zero)
    if allows(sum) { return sum }
    let size = upper &- lower &+ 1
    return size == 0 ? sum : sum > upper && sum &- upper <= size ? sum &- size : sum &+ size
  }
}
