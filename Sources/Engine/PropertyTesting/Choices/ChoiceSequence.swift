// SPDX-License-Identifier: Apache-2.0

/// All decisions of a generator, in order, with the spans that they belong to: the basis of shrinking and replay.
package struct ChoiceSequence: Sendable, Hashable {
  /// Choices and marks; every open mark has its close mark.
  var entries: [ChoiceEntry]

  init(_ entries: [ChoiceEntry] = []) {
    self.entries = entries
  }

  /// The index of the close mark for every open mark, and the own index for every other entry.
  ///
  /// - Complexity: O(n).
  func matches() -> [Int] {
    var matches = Array(entries.indices)
    var opened: [Int] = []
    for index in entries.indices {
      switch entries[index].tag {
      case .open: opened.append(index)
      case .close: if let open = opened.popLast() { matches[open] = index }
      default: break
      }
    }
    return matches
  }

  /// The placeholder for a node whose choices are to be drawn again: a span that no generator asks for.
  static let redrawPlaceholder = [ChoiceEntry.open(1), ChoiceEntry.close]

  /// Returns true if this choice sequence is simpler than another: it has fewer choices, or the simpler choice at the
  /// first difference.
  func isSimpler(than other: ChoiceSequence) -> Bool { entries[...].isSimpler(than: other.entries[...]) }
}

extension ArraySlice<ChoiceEntry> {
  /// Returns true if these choices are simpler than others: fewer, or with the simpler choice at the first difference.
  ///
  /// - Complexity: O(n).
  func isSimpler(than other: ArraySlice<ChoiceEntry>) -> Bool {
    var (mine, theirs) = (startIndex, other.startIndex)
    var isFirstSimpler: Bool?
    while true {
      while mine < endIndex, !self[mine].tag.isChoice { mine += 1 }
      while theirs < other.endIndex, !other[theirs].tag.isChoice { theirs += 1 }
      if mine == endIndex || theirs == other.endIndex { break }
      if isFirstSimpler == nil {
        if self[mine].isSimpler(than: other[theirs]) { isFirstSimpler = true }
        if other[theirs].isSimpler(than: self[mine]) { isFirstSimpler = false }
      }
      mine += 1
      theirs += 1
    }
    if mine < endIndex { return false }
    return theirs < other.endIndex || isFirstSimpler ?? false
  }
}

/// An entry of a choice sequence: a choice of a generator, or the beginning or end of a span of choices.
///
/// A choice is a number between two bounds with a value that it shrinks towards. Signed integers are moved up by 2^63,
/// so that order and distance are those of the stored unsigned numbers.
struct ChoiceEntry: Sendable, Hashable {
  enum Tag: UInt8, Sendable {
    case integer
    /// The number of elements of a collection; it owns the elements that follow it in its span.
    case length
    /// The index of the generator, among several, that drew the following choices; the first is the simplest.
    case branch
    /// A floating-point number, stored as its place in the order from simple to complicated.
    case real
    /// A raw 32-bit word for a generator of another library, always uniform.
    case word
    case open
    case close
    /// The given value that is used, from 1; 0 for a drawn one.
    case given

    var isChoice: Bool { rawValue &- Tag.open.rawValue > 1 }
  }

  var tag: Tag
  /// True if the stored numbers are signed ones, moved up by 2^63.
  var isSigned = false
  /// The choice's value; for an open mark the kind of span, equal only for spans drawn by equal generators.
  var value: UInt64 = 0
  var lower: UInt64 = 0
  var upper: UInt64 = 0
  var target: UInt64 = 0

  /// The label of a span from a stored choice sequence, which matches any label.
  static var anyLabel: UInt64 { 0 }

  static func open(_ label: UInt64) -> ChoiceEntry { ChoiceEntry(tag: .open, value: label) }

  static var close: ChoiceEntry { ChoiceEntry(tag: .close) }

  /// The domain of an index below a count of at least 1; the first is the simplest.
  static func index(below count: Int, _ tag: Tag = .integer) -> ChoiceEntry {
    ChoiceEntry(tag: tag, upper: UInt64(count - 1))
  }

  /// The distance of the value from the simplest one.
  var distance: UInt64 { value >= target ? value &- target : target &- value }

  func allows(_ candidate: UInt64) -> Bool { lower <= candidate && candidate <= upper }

  /// The allowed value nearest to another.
  func clamped(_ candidate: UInt64) -> UInt64 { min(max(candidate, lower), upper) }

  func with(_ value: UInt64) -> ChoiceEntry {
    var entry = self
    entry.value = value
    return entry
  }

  /// The number that represents zero.
  var zero: UInt64 { isSigned ? 1 << 63 : 0 }

  /// Returns true if this choice is simpler than another: nearer to its target, or above it at the same distance.
  func isSimpler(than other: ChoiceEntry) -> Bool {
    let (mine, theirs) = (distance, other.distance)
    return mine != theirs ? mine < theirs : value >= target && other.value < other.target
  }

  /// Returns true if two choices have the same bounds and kind.
  func hasDomain(of other: ChoiceEntry) -> Bool {
    tag == other.tag && isSigned == other.isSigned && lower == other.lower && upper == other.upper
      && target == other.target
  }

  /// Returns true if the choice or span that begins here can replace one that begins with another entry.
  func isAlike(_ other: ChoiceEntry) -> Bool {
    tag == .open ? other.tag == .open && value == other.value : hasDomain(of: other)
  }
}

/// Reads a choice sequence span by span: the k-th request of a generator in a span receives the k-th slot of that span
/// in the choice sequence.
///
/// Missing or additional slots of a span therefore never shift the slots outside it. If a span is requested but the
/// choice sequence has a choice, the span's first draw receives the choice; if a choice is requested but the choice
/// sequence has a span, it receives the span's first choice of that kind. A subtree therefore keeps its value where a
/// generator at another depth wraps it differently.
struct ChoiceReader: Sendable {
  private struct Frame: Sendable {
    /// The end of its slots in the choice sequence; 0 if the choice sequence has none.
    let end: Int
    /// True if it is also a span in the choice sequence, with a close mark.
    let isMarked: Bool
  }

  private let entries: [ChoiceEntry]
  private let matches: [Int]
  private var position = 0
  private var frames: [Frame] = []
  private var isExact = true

  init(_ choices: ChoiceSequence) {
    entries = choices.entries
    matches = choices.matches()
  }

  /// True if the requests matched the choice sequence exactly, including the bounds, except for the body's draws, which
  /// follow the arguments.
  var isFaithful: Bool { isExact && (position == entries.count || frames.isEmpty && entries[position].tag == .open) }

  /// True if the current span has slots in the choice sequence that were not requested yet.
  var hasMore: Bool { position < end }
  /// The entries that were not requested.
  var rest: ArraySlice<ChoiceEntry> { entries[min(position, entries.count)...] }

  /// The end of the slots of the current span.
  private var end: Int { frames.last?.end ?? entries.count }

  mutating func open(_ label: UInt64) {
    guard position < end else { return enter(Frame(end: 0, isMarked: false), isExact: false) }
    let entry = entries[position]
    if entry.tag.isChoice { return enter(Frame(end: position + 1, isMarked: false), isExact: false) }
    let close = matches[position]
    if entry.value == label || entry.value == ChoiceEntry.anyLabel {
      position += 1
      enter(Frame(end: close, isMarked: true), isExact: true)
    } else {
      position = close + 1
      enter(Frame(end: 0, isMarked: false), isExact: false)
    }
  }

  private mutating func enter(_ frame: Frame, isExact fits: Bool) {
    frames.append(frame)
    isExact = isExact && fits
  }

  /// Leaves the span entered last, skipping its remaining slots.
  mutating func close() {
    guard let frame = frames.popLast(), frame.end > 0 else { return }
    if position != frame.end { isExact = false }
    position = frame.isMarked ? frame.end + 1 : frame.end
  }

  /// The value in the next slot, moved into the requested domain; `nil` if the choice sequence has no such choice
  /// there.
  mutating func next(_ domain: ChoiceEntry) -> UInt64? {
    guard position < end else {
      isExact = false
      return nil
    }
    let slot = position
    let entry = entries[slot]
    if entry.hasDomain(of: domain) {
      position += 1
      if !domain.allows(entry.value) { isExact = false }
      return domain.clamped(entry.value)
    }
    isExact = false
    let isInChoice = frames.last.map { !$0.isMarked } ?? false
    if entry.tag == domain.tag || !entry.tag.isChoice || !isInChoice { position = matches[slot] + 1 }
    return entries[slot...matches[slot]].first { $0.tag == domain.tag }.map { domain.clamped($0.value) }
  }
}

/// The beginnings and ends of the spans of a choice sequence, with their content.
struct ChoiceLayout: Sendable {
  let entries: [ChoiceEntry]
  /// The index of the close mark for an open mark; for any other entry its own index.
  let matches: [Int]
  /// The open mark of the span around an entry; `nil` outside of all spans.
  let parents: [Int?]

  let choices: [Int]
  let spans: [Int]

  init(_ choices: ChoiceSequence) {
    entries = choices.entries
    var matches = Array(entries.indices)
    var parents = [Int?](repeating: nil, count: entries.count)
    var (choices, spans, opened): ([Int], [Int], [Int]) = ([], [], [])
    choices.reserveCapacity(entries.count)
    for index in entries.indices {
      let tag = entries[index].tag
      if tag == .close, let open = opened.popLast() { matches[open] = index }
      parents[index] = opened.last
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

  /// The slots directly inside a span; none inside a choice.
  func children(of span: Int) -> [Int] {
    var children: [Int] = []
    var index = span + 1
    while index < matches[span] {
      children.append(index)
      index = matches[index] + 1
    }
    return children
  }

  /// Returns true if the content of one slot is simpler than that of another: fewer choices, or simpler ones.
  func isSimpler(_ slot: Int, than other: Int) -> Bool {
    entries[self.slot(slot)].isSimpler(than: entries[self.slot(other)])
  }

  /// The slots of a span that can be exchanged: those of the same kind as the last one.
  func movableSlots(of span: Int) -> [Int] {
    let slots = children(of: span)
    guard let last = slots.last else { return [] }
    return slots.filter { entries[$0].isAlike(entries[last]) }
  }

  /// The entries in which some slots, in order, have the content of others.
  func replacing(_ slots: some Sequence<(Int, Int)>) -> [ChoiceEntry] {
    var edited: [ChoiceEntry] = []
    var next = 0
    for (slot, source) in slots {
      edited += entries[next..<slot]
      edited += entries[self.slot(source)]
      next = self.slot(slot).upperBound
    }
    return edited + entries[next...]
  }
}
