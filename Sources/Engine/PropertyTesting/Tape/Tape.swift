// SPDX-License-Identifier: GPL-3.0-or-later

/// Everything a generator decided, in order, with the spans that belong together: what shrinking and replay work on.
public struct Tape: Sendable, Hashable {
  /// Choices and marks; every open mark has its close mark.
  public var entries: [TapeEntry]

  /// Creates a tape from its entries.
  public init(_ entries: [TapeEntry] = []) {
    self.entries = entries
  }

  /// How many choices are on it.
  public var choiceCount: Int { entries.count(where: \.tag.isChoice) }

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
