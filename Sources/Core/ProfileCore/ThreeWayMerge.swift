// SPDX-License-Identifier: Apache-2.0

/// A merge of two changed copies of a sequence by their common ancestor, as in `diff3` and `git merge-file`.
///
/// Changes of one side are applied; equal changes of both are applied once; changes that overlap or touch conflict.
/// `diff3` is neither idempotent nor local (Khanna, Kunal and Pierce, "A formal investigation of diff3", FSTTCS 2007),
/// and neither is this merge.
public struct ThreeWayMerge<Element: Hashable & Sendable>: Hashable, Sendable {
  /// A part of the result.
  public enum Region: Hashable, Sendable {
    /// Elements on which the sides agree, or that only one of them changed.
    case merged([Element])
    /// Elements that both sides changed in different ways.
    case conflict(mine: [Element], base: [Element], theirs: [Element])
  }

  let base, mine, theirs: [Element]
  var parts: [MergePart]

  /// The parts in order; adjacent parts differ in kind, except conflicts that touch.
  public var regions: [Region] {
    var regions: [Region] = []
    for part in parts {
      guard let elements = elements(of: part) else {
        regions.append(
          .conflict(mine: Array(mine[part.mine]), base: Array(base[part.base]), theirs: Array(theirs[part.theirs])))
        continue
      }
      if case .merged(let before)? = regions.last {
        regions[regions.count - 1] = .merged(before + elements)
      } else if !elements.isEmpty {
        regions.append(.merged(Array(elements)))
      }
    }
    return regions
  }

  /// The elements that a part adds to the result; `nil` for a conflict.
  func elements(of part: MergePart) -> ArraySlice<Element>? {
    switch part.source {
    case .both, .joined, .mine: mine[part.mine]
    case .theirs: theirs[part.theirs]
    case .conflict: nil
    }
  }

  /// The number of conflicts.
  public var conflicts: Int { parts.count { $0.source == .conflict } }

  /// The merged sequence; `nil` for a conflict.
  public var merged: [Element]? {
    var all: [Element] = []
    for part in parts {
      guard let elements = elements(of: part) else { return nil }
      all += elements
    }
    return all
  }

  /// Merges in time proportional to the lengths times the number of changes.
  public init(base: [Element], mine: [Element], theirs: [Element]) {
    (self.base, self.mine, self.theirs, parts) = (base, mine, theirs, [])
    let changes = [Difference.hunks(base, mine), Difference.hunks(base, theirs)]
    // The first element of each sequence, ancestor first, that no part contains yet, and of each side's changes.
    var (positions, places) = ([0, 0, 0], [0, 0])
    while let start = (0..<2).compactMap({ changes[$0].dropFirst(places[$0]).first?.old.lowerBound }).min() {
      add(.both, until: positions.map { $0 + start - positions[0] }, &positions)
      // A group grows while a change of either side begins before or at its end.
      var (end, taken) = (start, [places[0]..<places[0], places[1]..<places[1]])
      while let side = (0..<2).first(where: {
        places[$0] < changes[$0].count && changes[$0][places[$0]].old.lowerBound <= end
      }) {
        end = max(end, changes[side][places[side]].old.upperBound)
        places[side] += 1
        taken[side] = taken[side].lowerBound..<places[side]
      }
      let groups = (0..<2).map { changes[$0][taken[$0]] }
      let ends = (0..<2).map { side in
        groups[side].last.map { $0.new.upperBound + end - $0.old.upperBound } ?? positions[side + 1] + end - start
      }
      let source: MergePart.Source =
        if groups[0].isEmpty {
          .theirs
        } else if groups[1].isEmpty {
          .mine
        } else if mine[positions[1]..<ends[0]] != theirs[positions[2]..<ends[1]] {
          .conflict
        } else {
          groups.allSatisfy { $0.count == 1 } && groups[0].first?.old == groups[1].first?.old ? .both : .joined
        }
      add(source, until: [end] + ends, &positions)
    }
    add(.both, until: [base.count, mine.count, theirs.count], &positions)
  }

  private mutating func add(_ source: MergePart.Source, until ends: [Int], _ positions: inout [Int]) {
    if ends != positions {
      parts.append(
        MergePart(
          source: source, base: positions[0]..<ends[0], mine: positions[1]..<ends[1], theirs: positions[2]..<ends[2]))
    }
    positions = ends
  }

  init<Other>(_ other: ThreeWayMerge<Other>, _ change: (Other) -> Element) {
    (base, mine, theirs) = (other.base.map(change), other.mine.map(change), other.theirs.map(change))
    parts = other.parts
  }
}

/// A part of all three sequences.
struct MergePart: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// Unchanged, or changed by both sides in the same way.
    case both
    /// Changed by both to the same elements, but in different steps.
    case joined
    case mine, theirs, conflict
  }

  var source: Source
  var base, mine, theirs: Range<Int>
}

/// Finds the differences between two sequences as git's xdiff does.
///
/// Myers' algorithm in linear space ("An O(ND) difference algorithm and its variations", Algorithmica 1, 1986, section
/// 4b): a search from both ends meets in the middle. Elements that the other side lacks, and common ones among them,
/// are left out of the search; groups of changed elements are then moved down as far as possible.
enum Difference {
  struct Hunk: Hashable { let old, new: Range<Int> }

  static func hunks<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [Hunk] {
    var ids: [Element: Int] = [:]
    func numbered(_ elements: [Element]) -> [Int] {
      elements.map { element in
        let id = ids[element] ?? ids.count
        ids[element] = id
        return id
      }
    }
    let (left, right) = (numbered(old), numbered(new))
    var search = MiddleSearch(left, right, kinds: ids.count)
    search.run()
    var (changedOld, changedNew) = (search.changedOld, search.changedNew)
    slide(left, &changedOld, changedNew)
    slide(right, &changedNew, changedOld)
    var (hunks, i, j): ([Hunk], Int, Int) = ([], 0, 0)
    while i < old.count || j < new.count {
      let start = (i, j)
      while i < old.count, changedOld[i] { i += 1 }
      while j < new.count, changedNew[j] { j += 1 }
      if (i, j) == start { (i, j) = (i + 1, j + 1) } else { hunks.append(Hunk(old: start.0..<i, new: start.1..<j)) }
    }
    return hunks
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

/// The search for a shortest edit script from both ends.
private struct MiddleSearch {
  private(set) var changedOld, changedNew: [Bool]
  /// The compared elements, and their indices.
  private var left: [Int] = []
  private var right: [Int] = []
  private var leftIndices: [Int] = []
  private var rightIndices: [Int] = []
  /// The farthest index of the old sequence on each diagonal, from the start and from the end.
  private var forward, backward: [Int]
  private var zero: Int
  private let maxRounds: Int

  /// With more rounds, the farthest point reached is taken, as git does; the result is right, but may not be shortest.
  private static let fewestRounds = 256
  private static let maxRepeats = 1024
  private static let window = 100

  init(_ old: [Int], _ new: [Int], kinds: Int) {
    (changedOld, changedNew) = ([Bool](repeating: false, count: old.count), [Bool](repeating: false, count: new.count))
    var prefix = 0
    while prefix < min(old.count, new.count), old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < min(old.count, new.count) - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    let (inOld, inNew) = (Self.counts(old, kinds), Self.counts(new, kinds))
    leftIndices = Self.compared(old, in: prefix..<old.count - suffix, inNew)
    rightIndices = Self.compared(new, in: prefix..<new.count - suffix, inOld)
    for index in prefix..<old.count - suffix { changedOld[index] = true }
    for index in prefix..<new.count - suffix { changedNew[index] = true }
    for index in leftIndices { changedOld[index] = false }
    for index in rightIndices { changedNew[index] = false }
    (left, right) = (leftIndices.map { old[$0] }, rightIndices.map { new[$0] })
    let diagonals = left.count + right.count + 3
    (forward, backward) = ([Int](repeating: 0, count: diagonals), [Int](repeating: 0, count: diagonals))
    zero = right.count + 1
    maxRounds = max(Self.fewestRounds, Self.root(diagonals))
  }

  private static func counts(_ elements: [Int], _ kinds: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: kinds)
    for element in elements { counts[element] += 1 }
    return counts
  }

  /// A power of two near the square root.
  private static func root(_ count: Int) -> Int {
    var (root, rest) = (1, count)
    while rest > 0 { (root, rest) = (root << 1, rest >> 2) }
    return root
  }

  /// The indices of the elements that are compared: not those that the other side lacks, nor those that it has often
  /// if most of the elements around them are lacking.
  private static func compared(_ elements: [Int], in range: Range<Int>, _ others: [Int]) -> [Int] {
    enum Kind { case lacking, few, many }
    let often = min(maxRepeats, root(elements.count))
    let kinds = range.map { index -> Kind in
      let count = others[elements[index]]
      return count == 0 ? .lacking : count >= often ? .many : .few
    }
    func run(_ indices: some Sequence<Int>) -> (lacking: Int, many: Int) {
      var (lacking, many) = (0, 0)
      for index in indices.prefix(window) {
        switch kinds[index] {
        case .lacking: lacking += 1
        case .many: many += 1
        case .few: return (lacking, many)
        }
      }
      return (lacking, many)
    }
    return kinds.indices.filter { index in
      switch kinds[index] {
      case .lacking: return false
      case .few: return true
      case .many:
        let before = run((0..<index).reversed())
        guard before.lacking > 0 else { return true }
        let after = run(index + 1..<kinds.count)
        guard after.lacking > 0 else { return true }
        // Runs before and after both count the element itself.
        let many = before.many + after.many + 2
        return many * 4 >= many + before.lacking + after.lacking
      }
    }.map { $0 + range.lowerBound }
  }

  private struct Box {
    var old, new: Range<Int>
    /// True if the shortest script is required, however many rounds that takes.
    var isExact: Bool
  }

  /// Marks the changed elements of all boxes, beginning with the whole.
  mutating func run() {
    var boxes = [Box(old: 0..<left.count, new: 0..<right.count, isExact: false)]
    while var box = boxes.popLast() {
      var (low, high) = ((box.old.lowerBound, box.new.lowerBound), (box.old.upperBound, box.new.upperBound))
      while low.0 < high.0, low.1 < high.1, left[low.0] == right[low.1] { low = (low.0 + 1, low.1 + 1) }
      while low.0 < high.0, low.1 < high.1, left[high.0 - 1] == right[high.1 - 1] { high = (high.0 - 1, high.1 - 1) }
      (box.old, box.new) = (low.0..<high.0, low.1..<high.1)
      if box.old.isEmpty || box.new.isEmpty {
        for index in box.old { changedOld[leftIndices[index]] = true }
        for index in box.new { changedNew[rightIndices[index]] = true }
        continue
      }
      let (i, j, isLowExact, isHighExact) = split(box)
      boxes.append(Box(old: low.0..<i, new: low.1..<j, isExact: isLowExact))
      boxes.append(Box(old: i..<high.0, new: j..<high.1, isExact: isHighExact))
    }
  }

  private mutating func split(_ box: Box) -> (Int, Int, isLowExact: Bool, isHighExact: Bool) {
    let (start, end) = (
      box.old.lowerBound - box.new.lowerBound, box.old.upperBound - box.new.upperBound
    )
    let diagonals = box.old.lowerBound - box.new.upperBound...box.old.upperBound - box.new.lowerBound
    let isOdd = (start - end) & 1 != 0
    var (ahead, back) = (start...start, end...end)
    (forward[zero + start], backward[zero + end]) = (box.old.lowerBound, box.old.upperBound)
    var round = 0
    while true {
      round += 1
      ahead = widened(ahead, in: diagonals, &forward, with: -1)
      for diagonal in stride(from: ahead.upperBound, through: ahead.lowerBound, by: -2) {
        let (below, above) = (forward[zero + diagonal - 1], forward[zero + diagonal + 1])
        var i = below >= above ? below + 1 : above
        while i < box.old.upperBound, i - diagonal < box.new.upperBound, left[i] == right[i - diagonal] { i += 1 }
        forward[zero + diagonal] = i
        if isOdd, back.contains(diagonal), backward[zero + diagonal] <= i { return (i, i - diagonal, true, true) }
      }
      back = widened(back, in: diagonals, &backward, with: .max)
      for diagonal in stride(from: back.upperBound, through: back.lowerBound, by: -2) {
        let (below, above) = (backward[zero + diagonal - 1], backward[zero + diagonal + 1])
        var i = below < above ? below : above - 1
        while i > box.old.lowerBound, i - diagonal > box.new.lowerBound, left[i - 1] == right[i - diagonal - 1] {
          i -= 1
        }
        backward[zero + diagonal] = i
        if !isOdd, ahead.contains(diagonal), i <= forward[zero + diagonal] { return (i, i - diagonal, true, true) }
      }
      if !box.isExact, round >= maxRounds { return farthest(box, ahead, back) }
    }
  }

  /// The diagonals of the next round; those outside the box are not entered.
  private func widened(
    _ range: ClosedRange<Int>, in all: ClosedRange<Int>, _ reached: inout [Int], with none: Int
  ) -> ClosedRange<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    if low > all.lowerBound {
      low -= 1
      reached[zero + low - 1] = none
    } else {
      low += 1
    }
    if high < all.upperBound {
      high += 1
      reached[zero + high + 1] = none
    } else {
      high -= 1
    }
    return low...max(low, high)
  }

  /// The point farthest from its end that either direction has reached.
  private func farthest(
    _ box: Box, _ ahead: ClosedRange<Int>, _ back: ClosedRange<Int>
  ) -> (Int, Int, isLowExact: Bool, isHighExact: Bool) {
    var (best, minimum) = ((0, -1), (0, Int.max))
    for diagonal in stride(from: ahead.upperBound, through: ahead.lowerBound, by: -2) {
      var i = min(forward[zero + diagonal], box.old.upperBound)
      if i - diagonal > box.new.upperBound { i = box.new.upperBound + diagonal }
      if best.1 < 2 * i - diagonal { best = (i, 2 * i - diagonal) }
    }
    for diagonal in stride(from: back.upperBound, through: back.lowerBound, by: -2) {
      var i = max(backward[zero + diagonal], box.old.lowerBound)
      if i - diagonal < box.new.lowerBound { i = box.new.lowerBound + diagonal }
      if 2 * i - diagonal < minimum.1 { minimum = (i, 2 * i - diagonal) }
    }
    let isAhead =
      box.old.upperBound + box.new.upperBound - minimum.1 < best.1 - box.old.lowerBound - box.new.lowerBound
    return isAhead ? (best.0, best.1 - best.0, true, false) : (minimum.0, minimum.1 - minimum.0, false, true)
  }
}

/// A text that equals another if their bytes are the same: Swift's strings are equal in any normal form.
private struct ExactText: Hashable {
  let text: String

  static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ThreeWayMerge<String> {
  /// The unit in which texts are compared.
  public enum Unit: String, CaseIterable, Sendable {
    /// Lines, as in git.
    case lines
    /// Words and the blanks between them, for fields of a line or two. A sentence with a number or an address is one
    /// word, so that a merge never makes a value, such as a date, that nobody typed.
    case words
  }

  /// Merges texts that are equal only if their bytes are, in time proportional to the lengths times the number of
  /// changes.
  public init(base: [String], mine: [String], theirs: [String]) {
    self.init(
      ThreeWayMerge<ExactText>(
        base: base.map(ExactText.init), mine: mine.map(ExactText.init), theirs: theirs.map(ExactText.init)),
      \.text)
  }

  /// Merges texts by their bytes. Line ends belong to the lines, so a text without a final line end keeps none.
  ///
  /// A line ends at LF, as in git; in texts without any LF at CR.
  public init(base: String, mine: String, theirs: String, by unit: Unit = .lines) {
    let end = [base, mine, theirs].contains { $0.utf8.contains(Self.lineFeed) } ? Self.lineFeed : Self.carriageReturn
    let parts = [base, mine, theirs].map { unit == .lines ? Self.lines($0, end) : Self.words($0) }
    self.init(base: parts[0], mine: parts[1], theirs: parts[2])
  }

  private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  private static var carriageReturn: UInt8 { UInt8(ascii: "\r") }

  private static func lines(_ text: String, _ end: UInt8) -> [String] {
    var (lines, start, index) = ([String](), text.startIndex, text.startIndex)
    while index < text.endIndex {
      let isEnd = text.utf8[index] == end
      text.utf8.formIndex(after: &index)
      guard isEnd else { continue }
      lines.append(String(text[start..<index]))
      start = index
    }
    return start == text.endIndex ? lines : lines + [String(text[start...])]
  }

  /// The words, and each blank and sign around them; a sentence that contains a value is one part.
  private static func words(_ text: String) -> [String] {
    var (words, sentence, hasValue) = ([String](), [String](), false)
    func endSentence() {
      words += hasValue ? [sentence.joined()] : sentence
      (sentence, hasValue) = ([], false)
    }
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        // A blank behind the end of a sentence is not part of it.
        if first.isNewline { endSentence() }
        if sentence.isEmpty { words.append(String(first)) } else { sentence.append(String(first)) }
        rest.removeFirst()
        continue
      }
      let word = rest.prefix { !$0.isWhitespace }
      rest = rest[word.endIndex...]
      let start = word.firstIndex(where: isLetterOrDigit) ?? word.endIndex
      let end = word.lastIndex(where: isLetterOrDigit).map { word.index(after: $0) } ?? word.endIndex
      let (core, signs) = (word[start..<max(start, end)], word[max(start, end)...])
      sentence += word[..<start].map { String($0) } + (core.isEmpty ? [] : [String(core)]) + signs.map { String($0) }
      let isValue = core.contains { !$0.isLetter && $0 != "-" && $0 != "'" && $0 != "’" }
      hasValue = hasValue || isValue
      if !isValue, signs.contains(where: { ".!?…。！？".contains($0) }) { endSentence() }
    }
    endSentence()
    return words.filter { !$0.isEmpty }
  }

  private static func isLetterOrDigit(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  /// The merge with its conflicts as `git merge-file` marks them: lines that both sides of a conflict share are taken
  /// out of it, and conflicts with up to three lines between them, or with lines without a letter or digit, are joined.
  ///
  /// The `base` of each of its conflicts is that of the whole conflict.
  public var divided: ThreeWayMerge {
    var divided = self
    divided.parts = []
    for part in parts {
      guard part.source == .conflict, !part.mine.isEmpty, !part.theirs.isEmpty else {
        divided.parts.append(part)
        continue
      }
      var (mineStart, theirsStart) = (part.mine.lowerBound, part.theirs.lowerBound)
      func common(_ mineEnd: Int, _ theirsEnd: Int) -> MergePart {
        MergePart(source: .both, base: part.base, mine: mineStart..<mineEnd, theirs: theirsStart..<theirsEnd)
      }
      for hunk in Difference.hunks(mine[part.mine].map(ExactText.init), theirs[part.theirs].map(ExactText.init)) {
        let (ours, others) = (
          hunk.old.lowerBound + part.mine.lowerBound..<hunk.old.upperBound + part.mine.lowerBound,
          hunk.new.lowerBound + part.theirs.lowerBound..<hunk.new.upperBound + part.theirs.lowerBound
        )
        divided.parts += [
          common(ours.lowerBound, others.lowerBound),
          MergePart(source: .conflict, base: part.base, mine: ours, theirs: others),
        ]
        (mineStart, theirsStart) = (ours.upperBound, others.upperBound)
      }
      divided.parts.append(common(part.mine.upperBound, part.theirs.upperBound))
    }
    divided.joinConflicts()
    return divided
  }

  private mutating func joinConflicts() {
    var joined: [MergePart] = []
    // The index of the last conflict, if only parts on which both sides agree follow it.
    var last: Int?
    for part in parts where !part.mine.isEmpty || !part.theirs.isEmpty || part.source != .both {
      if part.source == .conflict, let index = last {
        let between = mine[joined[index].mine.upperBound..<part.mine.lowerBound]
        let hasWords = between.contains { $0.utf8.contains { Self.isLetterOrDigit($0) } }
        if between.count <= 3 || !hasWords {
          joined.removeSubrange((index + 1)...)
          joined[index].base = joined[index].base.lowerBound..<part.base.upperBound
          joined[index].mine = joined[index].mine.lowerBound..<part.mine.upperBound
          joined[index].theirs = joined[index].theirs.lowerBound..<part.theirs.upperBound
          continue
        }
      }
      joined.append(part)
      if part.source == .conflict { last = joined.count - 1 } else if part.source != .both { last = nil }
    }
    parts = joined
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// The text, with conflicts marked as by `git merge-file`, with the names of the sides. The marks' lines end as the
  /// lines around them do.
  public func text(mine: String = "mine", theirs: String = "theirs", base: String? = nil) -> String {
    var text = ""
    for part in parts {
      if let lines = elements(of: part) {
        text += lines.joined()
        continue
      }
      let end = lineEnd(of: part)
      func endLine() {
        if let last = text.utf8.last, last != Self.lineFeed, end.utf8.last != last { text += end }
      }
      func add(_ mark: String, _ lines: ArraySlice<String>) {
        endLine()
        text += mark + end + lines.joined()
      }
      add("<<<<<<< \(mine)", self.mine[part.mine])
      if let base { add("||||||| \(base)", self.base[part.base]) }
      add("=======", self.theirs[part.theirs])
      add(">>>>>>> \(theirs)", [])
    }
    return text
  }

  /// The line end of the marks: CR LF if the line before the conflict, on both sides, and the ancestor's first line
  /// end so, as far as they end at all; in a text without LF the CR.
  private func lineEnd(of part: MergePart) -> String {
    func last(_ line: String, _ byte: UInt8) -> Bool { line.utf8.last == byte }
    let all = [base, mine, theirs]
    if !all.contains(where: { $0.contains { $0.utf8.contains(Self.lineFeed) } }),
      all.contains(where: { $0.contains { last($0, Self.carriageReturn) } })
    {
      return "\r"
    }
    /// Returns true if a line ends with CR LF; for a last line without an end the one before it; `nil` if there is
    /// none.
    func isLong(_ lines: [String], _ index: Int) -> Bool? {
      guard lines.indices.contains(index) else { return nil }
      if index == lines.count - 1, !last(lines[index], Self.lineFeed) {
        return index == 0 ? nil : lines[index - 1].utf8.suffix(2).elementsEqual("\r\n".utf8)
      }
      return lines[index].utf8.suffix(2).elementsEqual("\r\n".utf8)
    }
    let sides = [isLong(mine, max(0, part.mine.lowerBound - 1)), isLong(theirs, max(0, part.theirs.lowerBound - 1))]
    return !sides.contains(false) && isLong(base, 0) == true ? "\r\n" : "\n"
  }
}
