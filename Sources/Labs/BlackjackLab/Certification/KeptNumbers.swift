// SPDX-License-Identifier: GPL-3.0-or-later

/// Numbers worth keeping, by what the player has seen: a hash table that forgets everything when it is nearly full.
///
/// What is kept is a function of its key, so forgetting costs time and never changes a result.
@safe
struct KeptNumbers: ~Copyable {
  private let keys: UnsafeMutableBufferPointer<UInt64>
  private let numbers: UnsafeMutableBufferPointer<Double>
  private let width: Int
  private let mask: Int
  private let shift: UInt64
  private var kept = 0

  /// Room for two to the power of `bits` entries of `width` numbers each.
  init(bits: Int, width: Int) {
    self.width = width
    mask = (1 << bits) - 1
    shift = UInt64(64 - bits)
    unsafe keys = .allocate(capacity: 1 << bits)
    unsafe keys.initialize(repeating: 0)
    unsafe numbers = .allocate(capacity: width << bits)
    unsafe numbers.initialize(repeating: 0)
  }

  deinit {
    unsafe keys.deallocate()
    unsafe numbers.deallocate()
  }

  /// The numbers kept for these cards, if any; valid until something is added.
  @inline(__always)
  func find(_ seen: SeenCards) -> UnsafePointer<Double>? {
    var slot = home(of: seen)
    while unsafe keys[slot] != 0 {
      if unsafe keys[slot] == seen.packed { return unsafe UnsafePointer(entry(slot)) }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// Makes an entry for cards that have none; its numbers are the caller's to fill, and valid until the next is added.
  mutating func add(_ seen: SeenCards) -> UnsafeMutablePointer<Double> {
    if kept * 4 > mask * 3 {
      unsafe keys.update(repeating: 0)
      kept = 0
    }
    var slot = home(of: seen)
    while unsafe keys[slot] != 0 { slot = (slot + 1) & mask }
    unsafe keys[slot] = seen.packed
    kept += 1
    return unsafe entry(slot)
  }

  /// The multiplier is 2^64 over the golden ratio, which spreads neighbouring keys (Knuth, vol. 3, 6.4).
  @inline(__always)
  private func home(of seen: SeenCards) -> Int {
    Int(truncatingIfNeeded: (seen.packed &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }

  @inline(__always)
  private func entry(_ slot: Int) -> UnsafeMutablePointer<Double> {
    unsafe numbers.baseAddress.unsafelyUnwrapped + (slot &* width)
  }
}
