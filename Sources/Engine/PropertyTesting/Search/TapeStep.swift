// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// A change of a tape that may lead to a higher score.
enum TapeStep: Sendable, Hashable {
  /// Moves a choice up or down.
  case shift(index: Int, by: UInt64, isUpward: Bool)
  /// Draws a choice anew, or all that is in a span.
  case redraw(index: Int)
  /// Copies an element of a collection behind itself.
  case repeatElement(index: Int)
  /// Gives a choice the value of another of the same domain.
  case copy(from: Int, to: Int)

  /// The same step, twice as far.
  var doubled: TapeStep {
    guard case .shift(let index, let distance, let isUpward) = self else { return self }
    return .shift(index: index, by: distance > .max / 2 ? .max : distance * 2, isUpward: isUpward)
  }

  /// A random step; nil when there is nothing to change.
  static func random(on tape: Tape, _ words: inout WordStream) -> TapeStep? {
    guard !tape.entries.isEmpty else { return nil }
    let index = Int(words.below(UInt32(truncatingIfNeeded: tape.entries.count)))
    let entry = tape.entries[index]
    let word = words.next()
    switch entry.tag {
    case .close: return .redraw(index: index)
    case .open: return word & 1 == 0 ? .redraw(index: index) : .repeatElement(index: index)
    case .integer, .length, .branch, .real, .word:
      if word & 7 == 0 { return .redraw(index: index) }
      if word & 7 == 1 { return .repeatElement(index: index) }
      if word & 7 == 2, let other = twin(of: index, tape, &words) { return .copy(from: other, to: index) }
      let bits = UInt64.bitWidth - (entry.upper &- entry.lower).leadingZeroBitCount
      guard bits > 0 else { return nil }
      // Any order of magnitude is as likely as any other: nobody knows how far away the next rise is.
      let size = words.below(UInt32(bits)) + 1
      let distance = UInt64(words.next()) << 32 | UInt64(words.next())
      return .shift(index: index, by: max(1, distance >> UInt64(64 - size)), isUpward: word & 8 == 0)
    }
  }

  /// Another choice of the same domain: one look, which may fail.
  private static func twin(of index: Int, _ tape: Tape, _ words: inout WordStream) -> Int? {
    let other = Int(words.below(UInt32(truncatingIfNeeded: tape.entries.count)))
    return other != index && tape.entries[other].hasDomain(of: tape.entries[index]) ? other : nil
  }

  /// The tape after the step; nil when the step does not fit it.
  func applied(to tape: Tape, _ words: inout WordStream) -> Tape? {
    var entries = tape.entries
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
      guard let node = tape.node(at: index) else { return nil }
      entries.replaceSubrange(node, with: Tape.hole)
    case .repeatElement(let index):
      guard let node = tape.node(at: index), let length = tape.length(owning: node.lowerBound) else { return nil }
      guard entries[length].value < entries[length].upper else { return nil }
      entries.insert(contentsOf: entries[node], at: node.upperBound)
      entries[length].value += 1
    }
    return Tape(entries)
  }
}
