// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

extension Draws {
  /// Decides on a number between two bounds, edges and repetitions more often than chance.
  mutating func integer(_ domain: TapeEntry, edges: [UInt64] = []) throws -> UInt64 {
    if domain.lower == domain.upper { return try choose(domain) { _ in domain.lower } }
    return try choose(domain) { draws in draws.randomInteger(domain, edges: edges) }
  }

  /// Decides on a number below a bound, all of them equally often.
  mutating func uniform(_ domain: TapeEntry) throws -> UInt64 {
    try choose(domain) { draws in domain.lower &+ draws.below(domain.upper &- domain.lower) }
  }

  /// Decides how many elements the collection has whose span was begun last: any number equally often, but for wide
  /// ranges, of which few elements are drawn more often because cases of hundreds take their time.
  @usableFromInline
  mutating func length(_ range: ClosedRange<Int>) throws -> Int {
    let (lower, upper) = (UInt64(range.lowerBound), UInt64(range.upperBound))
    let domain = TapeEntry(tag: .length, value: 0, lower: lower, upper: upper, target: lower)
    nesting.enterCollection()
    return Int(try choose(domain) { draws in lower &+ draws.below(draws.mood.most(upper &- lower)) })
  }

  /// Decides which of several generators draws: the first is the simplest.
  @usableFromInline
  mutating func branch(_ count: Int) throws -> Int {
    let domain = TapeEntry(tag: .branch, value: 0, lower: 0, upper: UInt64(count - 1), target: 0)
    if mood.isSwarming { return Int(try choose(domain) { draws in draws.featuredBranch(count) }) }
    return Int(try uniform(domain))
  }

  /// A raw 32-bit word, uniform, as a generator of the GNU Scientific Library gives it.
  public mutating func word() throws -> UInt32 {
    let domain = TapeEntry(tag: .word, value: 0, lower: 0, upper: UInt64(UInt32.max), target: 0)
    return UInt32(truncatingIfNeeded: try choose(domain) { draws in UInt64(draws.words.next()) })
  }

  // MARK: Random decisions

  /// Of 256 choices, how many repeat an earlier one, or come next to it, where the next choice belongs.
  var echoes: UInt32 { nesting.isInCollection ? mood.echoesWithin : mood.echoesOutside }

  /// A number between two bounds that differ, edges and repetitions more often than chance.
  mutating func randomInteger(_ domain: TapeEntry, edges: [UInt64]) -> UInt64 {
    let dice = words.next()
    let chance = dice & 255
    if chance < mood.edges { return edge(of: domain, dice >> 8, edges) }
    if chance < mood.edges + echoes, let echo = echo(of: domain, dice >> 8) { return echo }
    let width = domain.upper &- domain.lower
    if width > mood.window { return near(domain, dice >> 8) }
    if width < 4096 { return domain.lower &+ UInt64(words.below(UInt32(truncatingIfNeeded: width) + 1)) }
    return dice & 0x300 == 0 ? domain.lower &+ below(width) : magnitude(domain, dice >> 10)
  }

  /// An extreme or a simple value, or one of the constants that the generator was told of.
  private func edge(of domain: TapeEntry, _ dice: UInt32, _ edges: [UInt64]) -> UInt64 {
    let pick = Int((UInt64(dice & 0xff_ffff) &* (UInt64(edges.count) + 7)) >> 24)
    switch pick {
    case 0: return domain.lower
    case 1: return domain.upper
    case 2: return domain.target
    case 3: return domain.clamped(domain.target &+ 1)
    case 4: return domain.target > domain.lower ? domain.target &- 1 : domain.lower
    case 5: return domain.lower &+ 1
    case 6: return domain.upper &- 1
    default: return domain.clamped(edges[pick - 7])
    }
  }

  /// A value close to the simplest one.
  private mutating func near(_ domain: TapeEntry, _ dice: UInt32) -> UInt64 {
    let distance = UInt64(((dice & 0xffff) * UInt32(truncatingIfNeeded: mood.window + 1)) >> 16)
    let upward = dice >> 16 & 1 == 0
    let isAbove = upward ? distance <= domain.upper &- domain.target : distance > domain.target &- domain.lower
    return domain.clamped(isAbove ? domain.target &+ distance : domain.target &- distance)
  }

  /// An earlier choice of the same domain, or its neighbour; nil when there is none near the place looked at.
  func echo(of domain: TapeEntry, _ dice: UInt32) -> UInt64? {
    guard !recorded.isEmpty else { return nil }
    let isRecent = dice >> 16 & 3 < 1
    let start = isRecent ? recorded.count - 1 : Int((UInt64(dice & 0xffff) * UInt64(recorded.count)) >> 16)
    guard let index = nearest(to: start, of: domain) else { return nil }
    let earlier = recorded[index].value
    switch dice >> 20 {
    case 0 where earlier < domain.upper: return earlier &+ 1
    case 1 where earlier > domain.lower: return earlier &- 1
    default: return earlier
    }
  }

  /// The place of a choice of a domain, searched backwards and then forwards, not far.
  private func nearest(to start: Int, of domain: TapeEntry) -> Int? {
    let reach = 24
    var index = start
    while index >= 0, index > start - reach {
      if recorded[index].hasDomain(of: domain) { return index }
      index -= 1
    }
    index = start + 1
    while index < recorded.count, index < start + reach {
      if recorded[index].hasDomain(of: domain) { return index }
      index += 1
    }
    return nil
  }

  /// A value whose distance from the target has a random number of bits, so that small and huge ones both occur.
  private mutating func magnitude(_ domain: TapeEntry, _ dice: UInt32) -> UInt64 {
    let room = max(domain.upper &- domain.target, domain.target &- domain.lower)
    let bits = UInt32(UInt64.bitWidth - room.leadingZeroBitCount)
    let length = words.below(bits) + 1
    let distance = wide() >> UInt64(64 - length)
    let upward = dice & 1 == 0
    if upward, distance <= domain.upper &- domain.target { return domain.target &+ distance }
    if distance <= domain.target &- domain.lower { return domain.target &- distance }
    if distance <= domain.upper &- domain.target { return domain.target &+ distance }
    return domain.lower &+ below(domain.upper &- domain.lower)
  }

  /// 64 random bits.
  mutating func wide() -> UInt64 { UInt64(words.next()) << 32 | UInt64(words.next()) }

  /// A number from 0 to a bound, that one included, exactly uniform.
  mutating func below(_ bound: UInt64) -> UInt64 {
    if bound < UInt64(UInt32.max) { return UInt64(words.below(UInt32(truncatingIfNeeded: bound) + 1)) }
    if bound == .max { return wide() }
    let count = bound + 1
    var product = wide().multipliedFullWidth(by: count)
    if product.low < count {
      let threshold = (0 &- count) % count
      while product.low < threshold { product = wide().multipliedFullWidth(by: count) }
    }
    return product.high
  }
}
