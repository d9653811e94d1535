// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Integers of up to 128 bits in a range, drawn as two choices: the high 64 bits and the low ones.
struct WideDomain: Sendable {
  private let lower: UInt128
  private let upper: UInt128
  private let target: UInt128
  private let edges: [UInt128]
  private let high: TapeEntry

  /// Creates the integers of a range, moved up by 2^127 when they are signed.
  init(_ range: ClosedRange<UInt128>, towards target: UInt128, constants: [UInt128]) {
    (lower, upper, self.target) = (range.lowerBound, range.upperBound, target)
    let near = [target &+ 1, target &- 1, range.lowerBound &+ 1, range.upperBound &- 1].filter(range.contains)
    edges = constants + [range.lowerBound, range.upperBound, target] + near
    high = TapeEntry(
      tag: .integer, value: 0, lower: Self.high(lower), upper: Self.high(upper), target: Self.high(target))
  }

  /// Decides on an integer.
  func draw(_ draws: inout Draws) throws -> UInt128 {
    let known = draws.isReplaying ? nil : edge(&draws)
    let top = try draws.choose(high) { draws in known.map(Self.high) ?? randomHigh(&draws) }
    let low = low(above: top)
    let bottom = try draws.choose(low) { draws in
      if low.lower == low.upper { return low.lower }
      return known.map { UInt64(truncatingIfNeeded: $0) } ?? draws.randomInteger(low, edges: [])
    }
    return UInt128(top) << 64 | UInt128(bottom)
  }

  private static func high(_ value: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: value >> 64) }

  /// Which low bits go with the high ones: the simplest are those nearest to the target.
  private func low(above top: UInt64) -> TapeEntry {
    let least = top == high.lower ? UInt64(truncatingIfNeeded: lower) : 0
    let most = top == high.upper ? UInt64(truncatingIfNeeded: upper) : .max
    var simplest = top > high.target ? least : most
    if top == high.target { simplest = UInt64(truncatingIfNeeded: target) }
    return TapeEntry(tag: .integer, value: 0, lower: least, upper: most, target: simplest)
  }

  private func edge(_ draws: inout Draws) -> UInt128? {
    guard draws.words.next() & 255 < draws.mood.edges else { return nil }
    return edges[Int(draws.below(UInt64(edges.count - 1)))]
  }

  /// High bits that leave half of the numbers within 64 bits of the target.
  private func randomHigh(_ draws: inout Draws) -> UInt64 {
    if high.lower == high.upper { return high.lower }
    switch draws.words.next() & 7 {
    case 0, 1: return high.target
    case 2, 3: return high.target > high.lower ? high.target - 1 : high.target
    default: return draws.randomInteger(high, edges: [])
    }
  }
}
