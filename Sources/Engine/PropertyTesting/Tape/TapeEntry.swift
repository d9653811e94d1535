// SPDX-License-Identifier: GPL-3.0-or-later

/// One mark on a tape: a choice that a generator made, or the beginning or end of a span of choices.
///
/// A choice is a number between two bounds with a value that it shrinks towards. Signed integers are moved up by 2^63,
/// so that order and distance are those of the unsigned numbers stored.
@frozen
public struct TapeEntry: Sendable, Hashable {
  /// What an entry stands for.
  @frozen
  public enum Tag: UInt8, Sendable {
    /// An integer in a range.
    case integer
    /// The number of elements of a collection; it owns the elements that follow it in its span.
    case length
    /// Which of several generators drew what follows, the simplest first.
    case branch
    /// A floating-point number, kept as its place in the order from simple to complicated.
    case real
    /// A raw 32-bit word, as a generator of the GNU Scientific Library reads it: always uniform.
    case word
    /// The beginning of a span.
    case open
    /// The end of a span.
    case close

    /// Whether the entry is a choice and not a mark.
    @inlinable
    public var isChoice: Bool { rawValue < Tag.open.rawValue }
  }

  /// What the entry stands for.
  public var tag: Tag
  /// Whether the numbers stored are signed ones, moved up by 2^63.
  public var isSigned: Bool
  /// The choice's value; of an open mark, what kind of span it is, equal only for spans drawn by equal generators.
  public var value: UInt64
  /// The smallest value the generator allowed.
  public var lower: UInt64
  /// The largest value the generator allowed.
  public var upper: UInt64
  /// The simplest value.
  public var target: UInt64

  @usableFromInline
  init(tag: Tag, value: UInt64, lower: UInt64, upper: UInt64, target: UInt64, isSigned: Bool = false) {
    self.tag = tag
    self.isSigned = isSigned
    self.value = value
    self.lower = lower
    self.upper = upper
    self.target = target
  }

  /// The label of a span read from a stored tape, which stands for any.
  static var anyLabel: UInt64 { 0 }

  @usableFromInline
  static func open(_ label: UInt64) -> TapeEntry {
    TapeEntry(tag: .open, value: label, lower: 0, upper: 0, target: 0)
  }

  @usableFromInline
  static var close: TapeEntry { TapeEntry(tag: .close, value: 0, lower: 0, upper: 0, target: 0) }

  /// How far the value is from the simplest one.
  @inlinable
  var distance: UInt64 { value >= target ? value &- target : target &- value }

  /// Whether the generator allows another value here.
  @inlinable
  func allows(_ candidate: UInt64) -> Bool { lower <= candidate && candidate <= upper }

  /// The allowed value nearest to another.
  @inlinable
  func clamped(_ candidate: UInt64) -> UInt64 { min(max(candidate, lower), upper) }

  /// The same choice with another value.
  func with(_ value: UInt64) -> TapeEntry {
    var entry = self
    entry.value = value
    return entry
  }

  /// The number that stands for zero.
  var zero: UInt64 { isSigned ? 1 << 63 : 0 }

  /// Whether this choice is simpler than another: nearer to its target, and above it rather than below.
  func isSimpler(than other: TapeEntry) -> Bool {
    let (mine, theirs) = (distance, other.distance)
    return mine != theirs ? mine < theirs : value >= target && other.value < other.target
  }

  /// Whether the two choices were made between the same bounds, by the same kind of draw.
  @inlinable
  func hasDomain(of other: TapeEntry) -> Bool {
    tag == other.tag && isSigned == other.isSigned && lower == other.lower && upper == other.upper
      && target == other.target
  }
}
