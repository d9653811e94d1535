// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a tape back, span by span: the k-th thing that a generator asks for in a span gets the k-th thing on the tape
/// in that span.
///
/// Hence what a span lacks or has too much never shifts what stands outside it.
struct TapeReader: Sendable {
  private let entries: [TapeEntry]
  private let matches: [Int]
  private var position = 0
  /// Where each opened span ends on the tape; -1 for a span that the tape does not have.
  private var ends: [Int] = []
  /// Whether the generator asked for exactly what is on the tape so far, bounds included.
  private(set) var isFaithful = true

  init(_ tape: Tape) {
    entries = tape.entries
    matches = tape.matches()
  }

  /// Whether everything on the tape was asked for, and nothing else.
  var isExhaustedFaithfully: Bool { isFaithful && position == entries.count }

  /// Where the slots of the current span end.
  private var end: Int { ends.last ?? entries.count }

  /// Enters the next slot as a span.
  mutating func open(_ label: UInt64) {
    guard position < end else {
      isFaithful = false
      ends.append(-1)
      return
    }
    let entry = entries[position]
    if entry.tag == .open && (entry.value == label || entry.value == TapeEntry.anyLabel) {
      ends.append(matches[position])
      position += 1
    } else {
      isFaithful = false
      position = matches[position] + 1
      ends.append(-1)
    }
  }

  /// Leaves the span entered last, skipping what was not asked for.
  mutating func close() {
    guard let end = ends.popLast() else { return }
    if end >= 0 {
      if position != end { isFaithful = false }
      position = end + 1
    }
  }

  /// The value in the next slot, moved into the domain asked for; nil when the tape has no such choice there.
  mutating func next(_ domain: TapeEntry) -> UInt64? {
    guard position < end else {
      isFaithful = false
      return nil
    }
    let entry = entries[position]
    position = matches[position] + 1
    guard entry.tag == domain.tag else {
      isFaithful = false
      return nil
    }
    if !entry.hasDomain(of: domain) { isFaithful = false }
    return domain.clamped(entry.value)
  }
}
