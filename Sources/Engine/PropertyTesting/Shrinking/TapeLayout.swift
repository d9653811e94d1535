// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the spans of a tape begin and end, and what stands in them.
struct TapeLayout: Sendable {
  let entries: [TapeEntry]
  /// For an open mark the index of its close mark; for any other entry its own index.
  let matches: [Int]
  /// The open mark of the span an entry stands in; -1 outside of all.
  let parents: [Int]

  init(_ tape: Tape) {
    entries = tape.entries
    matches = tape.matches()
    var parents: [Int] = []
    parents.reserveCapacity(entries.count)
    var opened: [Int] = []
    for index in entries.indices {
      if entries[index].tag == .close { opened.removeLast() }
      parents.append(opened.last ?? -1)
      if entries[index].tag == .open { opened.append(index) }
    }
    self.parents = parents
  }

  /// The indices of the choices.
  var choices: [Int] { entries.indices.filter { entries[$0].tag.isChoice } }

  /// The indices of the open marks.
  var spans: [Int] { entries.indices.filter { entries[$0].tag == .open } }

  /// A slot: a choice, or a span from its open mark to its close mark.
  func slot(_ index: Int) -> Range<Int> { index..<(matches[index] + 1) }

  /// The slots of a span.
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
    Tape(Array(entries[self.slot(slot)])).isSimpler(than: Tape(Array(entries[self.slot(other)])))
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
    var order = places.map { Tape(sorted($0)) }.sorted { $0.isSimpler(than: $1) }.makeIterator()
    var made = [entries[slot]]
    for child in children(of: slot) {
      made += places.contains(child) ? order.next()?.entries ?? [] : sorted(child)
    }
    return made + [.close]
  }
}
