// SPDX-License-Identifier: Apache-2.0

/// Whether the sports that have been met count, by the bytes of their words: a feed has a few dozen of them.
struct SportTable: Sendable {
  struct Entry {
    var text = PackedText()
    var isKnown = false
    var counts = false
  }

  let filter: SportFilter
  /// A power of two of them, a quarter of which stays empty.
  private(set) var entries = Array(repeating: Entry(), count: 64)
  private var count = 0

  init(filter: SportFilter) {
    self.filter = filter
  }

  /// Whether a sport counts.
  mutating func counts(_ sport: TextRange, in bytes: Span<UInt8>) -> Bool {
    guard sport.isPlain, let text = PackedText(bytes, from: sport.start, to: sport.end) else {
      return filter.admits(Sport(sport.string(in: bytes)))
    }
    let place = Self.place(of: text, in: entries.span)
    if entries[place].isKnown { return entries[place].counts }
    let counts = filter.admits(Sport(sport.string(in: bytes)))
    if count < entries.count / 4 * 3 {
      entries[place] = Entry(text: text, isKnown: true, counts: counts)
      count += 1
    }
    return counts
  }

  /// The place of a word, or the empty one where it would be.
  @inline(__always)
  static func place(of text: PackedText, in entries: Span<Entry>) -> Int {
    let hash = (text.low ^ (text.middle &* 0x9E37_79B9_7F4A_7C15) ^ text.high) &* 0xBF58_476D_1CE4_E5B9
    var place = Int(truncatingIfNeeded: hash >> 58)
    while entries[place].isKnown, entries[place].text != text { place = (place &+ 1) & 63 }
    return place
  }
}
