// SPDX-License-Identifier: GPL-3.0-or-later

/// Random choices for properties, the same in every run: SplitMix64.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number of one of many sizes, whole ones among them.
  mutating func number() -> Double {
    let digits = Double(Int.random(in: -9999...9999, using: &self))
    let scales = [1e-9, 1e-4, 0.01, 0.1, 1, 1, 1, 1e3, 1e15, 1e25]
    let scale = scales[Int.random(in: scales.indices, using: &self)]
    return Bool.random(using: &self) ? digits * scale : Double.random(in: -1...1, using: &self) * scale
  }
}
