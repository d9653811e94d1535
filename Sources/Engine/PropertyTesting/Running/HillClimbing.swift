// SPDX-License-Identifier: Apache-2.0
internal import SeededWords

/// Climbs towards high scores: keeps the best cases and proposes changed copies of them.
///
/// An instance serves one block, so its behaviour depends only on the block's stream. One case in four is independent,
/// so that the search sees other cases than those near a local maximum.
struct HillClimbing: Sendable {
  private var pools: [ScorePool] = []
  private var turn = 0
  /// The origin of the current case: the pool, and the step taken.
  private var proposal: (pool: Int, step: ChoiceStep)?

  /// A changed copy of a good case; `nil` if the next case must be independent.
  mutating func propose(_ words: inout MersenneTwister) -> ChoiceSequence? {
    turn += 1
    proposal = nil
    guard !pools.isEmpty, turn & 3 != 0 else { return nil }
    let pool = turn / 4 % pools.count
    let parent = pools[pool].parent(&words)
    let step = pools[pool].step() ?? ChoiceStep.random(on: parent, &words)
    guard let step, let changed = step.applied(to: parent) else { return nil }
    proposal = (pool, step)
    return changed
  }

  mutating func learn(_ choices: ChoiceSequence, _ scores: [(label: String, score: Double)]) {
    for entry in scores {
      let pool = pools.firstIndex { $0.label == entry.label } ?? pools.count
      if pool == pools.count { pools.append(ScorePool(entry.label)) }
      let step = proposal?.pool == pool ? proposal?.step : nil
      pools[pool].add(choices, entry.score, after: step)
    }
  }
}

struct ScorePool: Sendable {
  private static let size = 8

  let label: String
  /// The highest score first; equal scores with the latest first, so that a search can drift along a plateau.
  private var entries: [(score: Double, choices: ChoiceSequence)] = []
  /// The step that last raised the best score, to be tried again from there.
  private var momentum: ChoiceStep?

  init(_ label: String) {
    self.label = label
  }

  /// The best case three times in four, otherwise a random one of the pool.
  func parent(_ words: inout MersenneTwister) -> ChoiceSequence {
    if momentum != nil { return entries[0].choices }
    let word = words.next()
    let index = word & 3 == 0 ? Int(word >> 2) % entries.count : 0
    return entries[index].choices
  }

  /// The step that has just helped, doubled; used once.
  mutating func step() -> ChoiceStep? {
    defer { momentum = nil }
    return momentum?.doubled
  }

  mutating func add(_ choices: ChoiceSequence, _ score: Double, after step: ChoiceStep?) {
    let best = entries.first?.score ?? -.infinity
    let position = entries.firstIndex { $0.score <= score } ?? entries.count
    guard position < Self.size else { return }
    entries.insert((score, choices), at: position)
    if entries.count > Self.size { entries.removeLast() }
    if score > best { momentum = step }
  }
}

/// A change of a choice sequence that may increase the score.
enum ChoiceStep: Sendable, Hashable {
  case shift(index: Int, by: UInt64, isUpward: Bool)
  /// Draws a choice or the content of a span again.
  case redraw(index: Int)
  case repeatElement(index: Int)
  case copy(from: Int, to: Int)

  var doubled: ChoiceStep {
    guard case .shift(let index, let distance, let isUpward) = self else { return self }
    return .shift(index: index, by: distance > .max / 2 ? .max : distance * 2, isUpward: isUpward)
  }

  /// A random step; `nil` if there is nothing to change.
  static func random(on choices: ChoiceSequence, _ words: inout MersenneTwister) -> ChoiceStep? {
    guard !choices.entries.isEmpty else { return nil }
    let index = Int(words.below(UInt32(truncatingIfNeeded: choices.entries.count)))
    let entry = choices.entries[index]
    let word = words.next()
    switch entry.tag {
    case .close: return .redraw(index: index)
    case .given: return nil
    case .open: return word & 1 == 0 ? .redraw(index: index) : .repeatElement(index: index)
    case .integer, .length, .branch, .real, .word:
      if word & 7 == 0 { return .redraw(index: index) }
      if word & 7 == 1 { return .repeatElement(index: index) }
      if word & 7 == 2, let other = twin(of: index, choices, &words) { return .copy(from: other, to: index) }
      let bits = UInt64.bitWidth - (entry.upper &- entry.lower).leadingZeroBitCount
      guard bits > 0 else { return nil }
      // All magnitudes are equally likely, because the distance to the next rise is unknown.
      let size = words.below(UInt32(bits)) + 1
      let distance = UInt64(words.next()) << 32 | UInt64(words.next())
      return .shift(index: index, by: max(1, distance >> UInt64(64 - size)), isUpward: word & 8 == 0)
    }
  }

  /// Makes a choice outside of collections, such as a key to look up, equal to another one of its domain; `nil` if none
  /// differs. One random step in hundreds does this, which is too rare for structures that took long to find.
  static func echo(on choices: ChoiceSequence, _ words: inout MersenneTwister) -> ChoiceStep? {
    var nesting = Nesting()
    var alone: [Int] = []
    for (index, entry) in choices.entries.enumerated() {
      switch entry.tag {
      case .open: nesting.open()
      case .close: nesting.close()
      case .length: nesting.enterCollection()
      default: if !nesting.isInCollection { alone.append(index) }
      }
    }
    guard !alone.isEmpty else { return nil }
    let index = alone[Int(words.below(UInt32(alone.count)))]
    let entry = choices.entries[index]
    let others = choices.entries.indices.filter {
      choices.entries[$0].hasDomain(of: entry) && choices.entries[$0].value != entry.value
    }
    guard !others.isEmpty else { return nil }
    return .copy(from: others[Int(words.below(UInt32(others.count)))], to: index)
  }

  /// Another choice of the same domain, from a single try that may fail.
  private static func twin(of index: Int, _ choices: ChoiceSequence, _ words: inout MersenneTwister) -> Int? {
    let other = Int(words.below(UInt32(truncatingIfNeeded: choices.entries.count)))
    return other != index && choices.entries[other].hasDomain(of: choices.entries[index]) ? other : nil
  }

  /// The choice sequence after the step; `nil` if the step does not fit it.
  func applied(to choices: ChoiceSequence) -> ChoiceSequence? {
    var entries = choices.entries
    switch self {
    case .shift(let index, let distance, let isUpward):
      guard entries.indices.contains(index), entries[index].tag.isChoice else { return nil }
      let entry = entries[index]
      let room = isUpward ? entry.upper &- entry.value : entry.value &- entry.lower
      let step = min(room, distance)
      entries[index].value = isUpward ? entry.value &+ step : entry.value &- step
    case .copy(let source, let index):
      guard entries.indices.contains(source), entries.indices.contains(index) else { return nil }
      entries[index].value = entries[source].value
    case .redraw(let index):
      guard let slot = ChoiceLayout(choices).slot(at: index) else { return nil }
      entries.replaceSubrange(slot, with: ChoiceSequence.redrawPlaceholder)
    case .repeatElement(let index):
      let layout = ChoiceLayout(choices)
      guard let slot = layout.slot(at: index), let parent = layout.parents[index] else { return nil }
      // The nearest length before it in its span counts the element.
      let siblings = layout.children(of: parent)
      guard let length = siblings.last(where: { $0 < index && entries[$0].tag == .length }),
        entries[length].value < entries[length].upper
      else { return nil }
      entries.insert(contentsOf: entries[slot], at: slot.upperBound)
      entries[length].value += 1
    }
    return ChoiceSequence(entries)
  }
}

extension ChoiceLayout {
  /// The slot that begins at an index; `nil` if there is none, or it has no end.
  fileprivate func slot(at index: Int) -> Range<Int>? {
    guard entries.indices.contains(index) else { return nil }
    let slot = slot(index)
    return entries[index].tag.isChoice || slot.count > 1 ? slot : nil
  }
}
