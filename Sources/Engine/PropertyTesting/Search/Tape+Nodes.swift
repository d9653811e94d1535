// SPDX-License-Identifier: GPL-3.0-or-later

extension Tape {
  /// What stands for a node whose choices are to be decided anew: a span that no generator asks for.
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
