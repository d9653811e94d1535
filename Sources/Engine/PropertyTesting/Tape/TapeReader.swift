// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a tape back, span by span: the k-th thing that a generator asks for in a span gets the k-th thing on the tape
/// in that span.
///
/// Hence what a span lacks or has too much never shifts what stands outside it. A choice that stands where a span is
/// asked for is taken for what the span draws, and a span that stands where a choice is asked for gives its first
/// choice of that kind: so a subtree keeps its value where the generator, at another depth, wraps it differently.
struct TapeReader: Sendable {
  private struct Frame: Sendable {
    /// Where its slots end on the tape; 0 when the tape has nothing for it.
    let end: Int
    /// Whether it is a span on the tape too, with a close mark.
    let isMarked: Bool
  }

  private let entries: [TapeEntry]
  private let matches: [Int]
  private var position = 0
  private var frames: [Frame] = []
  private var isExact = true

  init(_ tape: Tape) {
    entries = tape.entries
    matches = tape.matches()
  }

  /// Whether exactly what is on the tape was asked for, bounds included, and nothing else.
  var isFaithful: Bool { isExact && position == entries.count }

  /// Where the slots of the current span end.
  private var end: Int { frames.last?.end ?? entries.count }

  mutating func open(_ label: UInt64) {
    guard position < end else { return enter(Frame(end: 0, isMarked: false), isExact: false) }
    let entry = entries[position]
    if entry.tag.isChoice { return enter(Frame(end: position + 1, isMarked: false), isExact: false) }
    let close = matches[position]
    if entry.value == label || entry.value == TapeEntry.anyLabel {
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

  /// Leaves the span entered last, skipping what was not asked for.
  mutating func close() {
    guard let frame = frames.popLast(), frame.end > 0 else { return }
    if position != frame.end { isExact = false }
    position = frame.isMarked ? frame.end + 1 : frame.end
  }

  /// The value in the next slot, moved into the domain asked for; nil when the tape has no such choice there.
  mutating func next(_ domain: TapeEntry) -> UInt64? {
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
