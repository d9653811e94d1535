// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the spans of a tape begin and end, and what stands in them.
struct TapeLayout: Sendable {
  let entries: [TapeEntry]
  /// For an open mark the index of its close mark; for any other entry its own index.
  let matches: [Int]
  /// The open mark of the span an entry stands in; -1 outside of all.
  let parents: [Int]

  let choices: [Int]
  let spans: [Int]

  init(_ tape: Tape) {
    entries = tape.entries
    var matches = Array(entries.indices)
    var parents = [Int](repeating: -1, count: entries.count)
    var (choices, spans, opened): ([Int], [Int], [Int]) = ([], [], [])
    choices.reserveCapacity(entries.count)
    for index in entries.indices {
      let tag = entries[index].tag
      if tag == .close, let open = opened.popLast() { matches[open] = index }
      if let parent = opened.last { parents[index] = parent }
      if tag == .open {
        opened.append(index)
        spans.append(index)
      } else if tag.isChoice {
        choices.append(index)
      }
    }
    (self.matches, self.parents, self.choices, self.spans) = (matches, parents, choices, spans)
  }

  /// A slot: a choice, or a span from its open mark to its close mark.
  func slot(_ index: Int) -> Range<Int> { index..<(matches[index] + 1) }

  func children(of span: Int) -> [Int] {
    var children: [Int] = []
    var index = span + 1
    while index < matches[span] {
      children.append(index)
      index = matches[index] + 1
    }
    return children
  }

  /// Whether what stands in one slot is simpler than what stands in another: fewer choices, then the simpler ones.
  func isSimpler(_ slot: Int, than other: Int) -> Bool {
    entries[self.slot(slot)].isSimpler(than: entries[self.slot(other)])
  }

  /// The slots of a span which can change places: all of one kind with the last one.
  func movableSlots(of span: Int) -> [Int] {
    let slots = children(of: span)
    guard let last = slots.last else { return [] }
    let model = entries[last]
    return slots.filter { slot in
      let entry = entries[slot]
      return model.tag == .open ? entry.tag == .open && entry.value == model.value : entry.hasDomain(of: model)
    }
  }

  /// What stands in a slot, the movable slots of every span in it in order.
  func sorted(_ slot: Int) -> [TapeEntry] {
    guard entries.indices.contains(slot) else { return [] }
    guard entries[slot].tag == .open else { return [entries[slot]] }
    let places = movableSlots(of: slot)
    var order = places.map { sorted($0)[...] }.sorted { $0.isSimpler(than: $1) }.makeIterator()
    var made = [entries[slot]]
    for child in children(of: slot) {
      made += places.contains(child) ? order.next().map(Array.init) ?? [] : sorted(child)
    }
    return made + [.close]
  }
}
