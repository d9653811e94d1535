// SPDX-License-Identifier: Apache-2.0

/// A merge of two changed copies of a sequence by their common ancestor, as in `diff3` and `git merge-file`.
///
/// Changes of one side are applied; equal changes of both are applied once; changes that overlap or touch conflict.
/// Both differences are Myers' ("An O(ND) difference algorithm and its variations", Algorithmica 1, 1986), with each
/// group of changed elements moved down as far as possible, as in git. `diff3` is neither idempotent nor local (Khanna,
/// Kunal and Pierce, "A formal investigation of diff3", FSTTCS 2007), and neither is this merge.
public struct ThreeWayMerge<Element: Hashable & Sendable>: Hashable, Sendable {
  /// A part of the result.
  public enum Region: Hashable, Sendable {
    /// Elements on which the sides agree, or that only one of them changed.
    case merged([Element])
    /// Elements that both sides changed in different ways.
    case conflict(mine: [Element], base: [Element], theirs: [Element])
  }

  /// The parts in order; adjacent parts differ in kind, except conflicts that touch.
  public private(set) var regions: [Region] = []

  /// The number of conflicts.
  public var conflicts: Int {
    regions.count { if case .conflict = $0 { true } else { false } }
  }

  /// The merged sequence; `nil` for a conflict.
  public var merged: [Element]? {
    var all: [Element] = []
    for region in regions {
      guard case .merged(let part) = region else { return nil }
      all += part
    }
    return all
  }

  /// Merges in time proportional to the lengths times the number of changes.
  public init(base: [Element], mine: [Element], theirs: [Element]) {
    let changes = [Difference.hunks(base, mine), Difference.hunks(base, theirs)]
    let sides = [mine, theirs]
    var (places, position) = ([0, 0], 0)
    while let start = (0..<2).compactMap({ changes[$0].dropFirst(places[$0]).first?.old.lowerBound }).min() {
      add(base[position..<start])
      // A group grows while a change of either side begins before or at its end.
      var (end, taken) = (start, [places[0]..<places[0], places[1]..<places[1]])
      while let side = (0..<2).first(where: {
        places[$0] < changes[$0].count && changes[$0][places[$0]].old.lowerBound <= end
      }) {
        end = max(end, changes[side][places[side]].old.upperBound)
        places[side] += 1
        taken[side] = taken[side].lowerBound..<places[side]
      }
      let versions = (0..<2).map { side -> [Element]? in
        let group = changes[side][taken[side]]
        guard let first = group.first, let last = group.last else { return nil }
        let low = first.new.lowerBound - (first.old.lowerBound - start)
        return Array(sides[side][low..<last.new.upperBound + (end - last.old.upperBound)])
      }
      switch (versions[0], versions[1]) {
      case (let mine?, let theirs?) where mine != theirs:
        regions.append(.conflict(mine: mine, base: Array(base[start..<end]), theirs: theirs))
      case (let one, let other): add((one ?? other ?? [])[...])
      }
      position = end
    }
    add(base[position...])
  }

  private mutating func add(_ elements: ArraySlice<Element>) {
    guard !elements.isEmpty else { return }
    if case .merged(let before)? = regions.last {
      regions[regions.count - 1] = .merged(before + elements)
    } else {
      regions.append(.merged(Array(elements)))
    }
  }
}

/// Finds the differences between two sequences.
enum Difference {
  struct Hunk: Hashable { let old, new: Range<Int> }

  /// With more changes, everything between the first and the last one counts as a single change: that causes conflicts,
  /// never a loss of text, and limits the time for texts of a megabyte to seconds.
  private static let mostChanges = 2_000

  static func hunks<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [Hunk] {
    var prefix = 0
    while prefix < min(old.count, new.count), old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < min(old.count, new.count) - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    var changed = (old: [Bool](repeating: false, count: old.count), new: [Bool](repeating: false, count: new.count))
    // Elements that the other side lacks are changed; only the rest is compared.
    let (ours, others) = (prefix..<old.count - suffix, prefix..<new.count - suffix)
    let (known, wanted) = (Set(new[others]), Set(old[ours]))
    for place in ours where !known.contains(old[place]) { changed.old[place] = true }
    for place in others where !wanted.contains(new[place]) { changed.new[place] = true }
    let (left, right) = (ours.filter { !changed.old[$0] }, others.filter { !changed.new[$0] })
    compare(left.map { old[$0] }, right.map { new[$0] }) { isOld, place in
      if isOld { changed.old[left[place]] = true } else { changed.new[right[place]] = true }
    }
    slide(old, &changed.old, changed.new)
    slide(new, &changed.new, changed.old)
    var (hunks, i, j): ([Hunk], Int, Int) = ([], 0, 0)
    while i < old.count || j < new.count {
      let start = (i, j)
      while i < old.count, changed.old[i] { i += 1 }
      while j < new.count, changed.new[j] { j += 1 }
      if (i, j) == start { (i, j) = (i + 1, j + 1) } else { hunks.append(Hunk(old: start.0..<i, new: start.1..<j)) }
    }
    return hunks
  }

  /// Myers' greedy algorithm; reports every deleted or inserted element.
  private static func compare<Element: Equatable>(
    _ old: [Element], _ new: [Element], change: (_ isOld: Bool, _ place: Int) -> Void
  ) {
    let (n, m) = (old.count, new.count)
    let most = min(n + m, mostChanges)
    // The farthest position on each diagonal, before each round.
    var (farthest, rounds): ([Int], [[Int]]) = ([Int](repeating: 0, count: 2 * most + 3), [])
    let middle = most + 1
    for round in 0...most {
      rounds.append(Array(farthest[(middle - round - 1)...(middle + round + 1)]))
      for diagonal in stride(from: -round, through: round, by: 2) {
        let (below, above) = (farthest[middle + diagonal - 1], farthest[middle + diagonal + 1])
        var x = diagonal == -round || diagonal != round && below < above ? above : below + 1
        while x < n, x - diagonal < m, old[x] == new[x - diagonal] { x += 1 }
        farthest[middle + diagonal] = x
        guard x >= n, x - diagonal >= m else { continue }
        return trace(rounds, (n, m), change)
      }
    }
    for place in old.indices { change(true, place) }
    for place in new.indices { change(false, place) }
  }

  private static func trace(_ rounds: [[Int]], _ end: (Int, Int), _ change: (Bool, Int) -> Void) {
    var (x, y) = end
    for round in stride(from: rounds.count - 1, to: 0, by: -1) {
      let diagonal = x - y
      func at(_ other: Int) -> Int { rounds[round][other + round + 1] }
      let isInserted = diagonal == -round || diagonal != round && at(diagonal - 1) < at(diagonal + 1)
      let before = isInserted ? diagonal + 1 : diagonal - 1
      (x, y) = (at(before), at(before) - before)
      change(!isInserted, isInserted ? y : x)
    }
  }

  /// Moves each group of changed elements down as far as equal elements allow, or to the last position where the other
  /// side has a change too, and joins groups that meet.
  private static func slide<Element: Equatable>(_ text: [Element], _ changed: inout [Bool], _ other: [Bool]) {
    // A group ends at an unchanged element, and the other side's group of the same ordinal ends at that element too.
    var (start, otherEnd) = (0, 0)
    func skipOther(forward: Bool) {
      if forward {
        otherEnd += 1
        while otherEnd < other.count, other[otherEnd] { otherEnd += 1 }
      } else {
        otherEnd -= 1
        while otherEnd > 0, other[otherEnd] { otherEnd -= 1 }
      }
    }
    func otherIsChanged() -> Bool { otherEnd > 0 && other[otherEnd - 1] }
    while otherEnd < other.count, other[otherEnd] { otherEnd += 1 }
    while true {
      var end = start
      while end < text.count, changed[end] { end += 1 }
      if end > start {
        var (size, earliest, lastMatch): (Int, Int, Int?)
        repeat {
          (size, lastMatch) = (end - start, nil)
          while start > 0, text[start - 1] == text[end - 1] {
            (start, end) = (start - 1, end - 1)
            (changed[start], changed[end]) = (true, false)
            while start > 0, changed[start - 1] { start -= 1 }
            skipOther(forward: false)
          }
          earliest = end
          if otherIsChanged() { lastMatch = end }
          while end < text.count, text[start] == text[end] {
            (changed[start], changed[end]) = (false, true)
            (start, end) = (start + 1, end + 1)
            while end < text.count, changed[end] { end += 1 }
            skipOther(forward: true)
            if otherIsChanged() { lastMatch = end }
          }
        } while end - start != size
        if end != earliest, lastMatch != nil {
          while !otherIsChanged() {
            (start, end) = (start - 1, end - 1)
            (changed[start], changed[end]) = (true, false)
            skipOther(forward: false)
          }
        }
      }
      guard end < text.count else { return }
      start = end + 1
      skipOther(forward: true)
    }
  }
}

extension ThreeWayMerge<String> {
  /// The unit in which texts are compared.
  public enum Unit: String, CaseIterable, Sendable {
    /// Lines, as in git.
    case lines
    /// Words and the texts between them, for fields of a line or two.
    case words
  }

  /// Merges texts. Line ends belong to the lines, so a text without a final line end keeps none.
  public init(base: String, mine: String, theirs: String, by unit: Unit = .lines) {
    self.init(base: Self.parts(base, unit), mine: Self.parts(mine, unit), theirs: Self.parts(theirs, unit))
  }

  private static func parts(_ text: String, _ unit: Unit) -> [String] {
    var (parts, part): ([String], String) = ([], "")
    for character in text {
      switch unit {
      case .lines:
        part.append(character)
        guard character.isNewline else { continue }
      case .words:
        if let last = part.last, Self.isWord(last), Self.isWord(character) {
          part.append(character)
          continue
        }
        if !part.isEmpty { parts.append(part) }
        part = String(character)
        continue
      }
      parts.append(part)
      part = ""
    }
    return part.isEmpty ? parts : parts + [part]
  }

  private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  /// The text, with conflicts marked as by `git merge-file`, with the names of the sides.
  public func text(mine: String = "mine", theirs: String = "theirs", base: String? = nil) -> String {
    var text = ""
    func add(_ parts: [String], endsLine: Bool) {
      text += parts.joined()
      if endsLine, !parts.isEmpty, text.last?.isNewline == false { text += "\n" }
    }
    for region in regions {
      switch region {
      case .merged(let parts): add(parts, endsLine: false)
      case .conflict(let ours, let original, let others):
        if text.last?.isNewline == false { text += "\n" }
        text += "<<<<<<< \(mine)\n"
        add(ours, endsLine: true)
        if let base {
          text += "||||||| \(base)\n"
          add(original, endsLine: true)
        }
        text += "=======\n"
        add(others, endsLine: true)
        text += ">>>>>>> \(theirs)\n"
      }
    }
    return text
  }
}
