// SPDX-License-Identifier: GPL-3.0-or-later

/// Everything a generator decided, in order, with the spans that belong together: what shrinking and replay work on.
package struct Tape: Sendable, Hashable {
  /// Choices and marks; every open mark has its close mark.
  package var entries: [TapeEntry]

  package init(_ entries: [TapeEntry] = []) {
    self.entries = entries
  }

  package var choiceCount: Int { entries.count(where: \.tag.isChoice) }

  /// For every open mark the index of its close mark, for every other entry its own index.
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

  /// Whether this tape comes before another: fewer choices first, then the simpler choice at the first difference.
  ///
  /// - Complexity: O(n).
  func isSimpler(than other: Tape) -> Bool { entries[...].isSimpler(than: other.entries[...]) }
}

extension ArraySlice<TapeEntry> {
  /// Whether these choices come before others: fewer first, then the simpler choice at the first difference.
  ///
  /// - Complexity: O(n).
  func isSimpler(than other: ArraySlice<TapeEntry>) -> Bool {
    var (mine, theirs) = (startIndex, other.startIndex)
    var verdict: Bool?
    while true {
      while mine < endIndex, !self[mine].tag.isChoice { mine += 1 }
      while theirs < other.endIndex, !other[theirs].tag.isChoice { theirs += 1 }
      if mine == endIndex || theirs == other.endIndex { break }
      if verdict == nil {
        if self[mine].isSimpler(than: other[theirs]) { verdict = true }
        if other[theirs].isSimpler(than: self[mine]) { verdict = false }
      }
      mine += 1
      theirs += 1
    }
    if mine < endIndex { return false }
    return theirs < other.endIndex || verdict ?? false
  }
}

/// One mark on a tape: a choice that a generator made, or the beginning or end of a span of choices.
///
/// A choice is a number between two bounds with a value that it shrinks towards. Signed integers are moved up by 2^63,
/// so that order and distance are those of the unsigned numbers stored.
package struct TapeEntry: Sendable, Hashable {
  package enum Tag: UInt8, Sendable {
    case integer
    /// The number of elements of a collection; it owns the elements that follow it in its span.
    case length
    /// Which of several generators drew what follows, the simplest first.
    case branch
    /// A floating-point number, kept as its place in the order from simple to complicated.
    case real
    /// A raw 32-bit word, as a generator of the GNU Scientific Library reads it: always uniform.
    case word
    case open
    case close

    package var isChoice: Bool { rawValue < Tag.open.rawValue }
  }

  package var tag: Tag
  /// Whether the numbers stored are signed ones, moved up by 2^63.
  package var isSigned: Bool
  /// The choice's value; of an open mark, what kind of span it is, equal only for spans drawn by equal generators.
  package var value: UInt64
  package var lower: UInt64
  package var upper: UInt64
  package var target: UInt64

  init(tag: Tag, value: UInt64, lower: UInt64, upper: UInt64, target: UInt64, isSigned: Bool = false) {
    self.tag = tag
    self.isSigned = isSigned
    self.value = value
    self.lower = lower
    self.upper = upper
    self.target = target
  }

  /// The label of a span read from a stored tape, which stands for any.
  static var anyLabel: UInt64 { 0 }

  static func open(_ label: UInt64) -> TapeEntry {
    TapeEntry(tag: .open, value: label, lower: 0, upper: 0, target: 0)
  }

  static var close: TapeEntry { TapeEntry(tag: .close, value: 0, lower: 0, upper: 0, target: 0) }

  /// How far the value is from the simplest one.
  var distance: UInt64 { value >= target ? value &- target : target &- value }

  func allows(_ candidate: UInt64) -> Bool { lower <= candidate && candidate <= upper }

  /// The allowed value nearest to another.
  func clamped(_ candidate: UInt64) -> UInt64 { min(max(candidate, lower), upper) }

  func with(_ value: UInt64) -> TapeEntry {
    var entry = self
    entry.value = value
    return entry
  }

  /// The number that stands for zero.
  var zero: UInt64 { isSigned ? 1 << 63 : 0 }

  /// Whether this choice is simpler than another: nearer to its target, and above it rather than below.
  func isSimpler(than other: TapeEntry) -> Bool {
    let (mine, theirs) = (distance, other.distance)
    return mine != theirs ? mine < theirs : value >= target && other.value < other.target
  }

  /// Whether the two choices were made between the same bounds, by the same kind of draw.
  func hasDomain(of other: TapeEntry) -> Bool {
    tag == other.tag && isSigned == other.isSigned && lower == other.lower && upper == other.upper
      && target == other.target
  }
}

extension Tape {
  /// What stands for a node whose choices are to be decided again: a span that no generator asks for.
  static let hole = [TapeEntry.open(1), TapeEntry.close]

  /// The entries of the node that begins at an index: a choice, or a span with its marks; nil at a close mark.
  ///
  /// - Complexity: O(length of the node).
  func node(at index: Int) -> Range<Int>? {
    guard entries.indices.contains(index) else { return nil }
    switch entries[index].tag {
    case .close: return nil
    case .open:
      var depth = 0
      for end in index..<entries.count {
        if entries[end].tag == .open { depth += 1 }
        if entries[end].tag == .close { depth -= 1 }
        if depth == 0 { return index..<end + 1 }
      }
      return nil
    case .integer, .length, .branch, .real, .word: return index..<index + 1
    }
  }

  /// The nodes directly inside a span.
  ///
  /// - Complexity: O(length of the span).
  func children(of span: Range<Int>) -> [Range<Int>] {
    guard span.count > 1 else { return [] }
    var children: [Range<Int>] = []
    var index = span.lowerBound + 1
    while index < span.upperBound - 1, let child = node(at: index) {
      children.append(child)
      index = child.upperBound
    }
    return children
  }

  /// The length that owns an element: the first choice of the span in which the element stands; nil for any other node.
  ///
  /// - Complexity: O(distance between the two).
  func length(owning index: Int) -> Int? {
    var depth = 0
    for candidate in stride(from: index - 1, through: 0, by: -1) {
      switch entries[candidate].tag {
      case .close: depth += 1
      case .open:
        if depth == 0 { return nil }
        depth -= 1
      case .length where depth == 0: return candidate
      default: break
      }
    }
    return nil
  }
}
