// SPDX-License-Identifier: GPL-3.0-or-later

/// A line of two texts laid side by side.
package struct LineChange: Hashable, Sendable {
  /// Which of the texts has the line.
  package enum Side: String, Hashable, Sendable {
    case both = " "
    case before = "-"
    case after = "+"
  }

  /// Which of the texts has it.
  package let side: Side
  /// The line, without its end.
  package let text: String

  /// A line.
  package init(_ side: Side, _ text: String) {
    (self.side, self.text) = (side, text)
  }

  /// Both texts, line by line, with as few changes as there can be; what is gone stands before what came.
  static func all(from before: String, to after: String) -> [LineChange] {
    let (old, new) = (lines(of: before), lines(of: after))
    let changes = new.difference(from: old)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (result, next): ([LineChange], Int) = ([], 0)
    func insertions() {
      while inserted.contains(next) {
        result.append(LineChange(.after, new[next]))
        next += 1
      }
    }
    for (offset, line) in old.enumerated() {
      if removed.contains(offset) {
        result.append(LineChange(.before, line))
      } else {
        insertions()
        result.append(LineChange(.both, line))
        next += 1
      }
    }
    insertions()
    return result
  }

  private static func lines(of text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }
}
