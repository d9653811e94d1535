// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Randomness

/// What the generator of clubs draws with.
struct Dice: ~Copyable {
  private var generator: GSLGenerator
  private let uniform: UniformDistribution
  private let gaussian: GaussianDistribution

  init(generator name: String) throws(RandomnessError) {
    let (uniform, gaussian) = (try UniformDistribution(from: 0, to: 1), try GaussianDistribution())
    let generator = try GSLGenerator(named: name, seed: 1)
    (self.uniform, self.gaussian) = (uniform, gaussian)
    self.generator = generator
  }

  /// Starts anew, so that nothing drawn before shows.
  mutating func reseed(_ seed: UInt32) throws(RandomnessError) { try generator.reseed(seed) }

  /// Uniform over `[0, 1)`.
  mutating func unit() -> Double { uniform.sample(using: &generator) }

  /// Standard normal.
  mutating func normal() -> Double { gaussian.sample(using: &generator) }

  /// Whether something of that chance happens.
  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// One of so many, each as likely.
  mutating func below(_ count: Int) -> Int { min(count - 1, Int(unit() * Double(count))) }

  /// A value of any distribution.
  mutating func sample<Value>(_ distribution: borrowing some Distribution<Value> & ~Copyable) -> Value {
    distribution.sample(using: &generator)
  }

  /// How many failures come before the first success; a large number for a success that hardly ever comes.
  mutating func failures(beforeSuccessOf probability: Double) -> Int {
    guard probability > 0 else { return 1_000_000 }
    let draw = log1p(-unit()) / log1p(-probability)
    return draw < 1_000_000 ? Int(draw) : 1_000_000
  }
}
