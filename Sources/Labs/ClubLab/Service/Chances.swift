// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Randomness

/// Random numbers drawn in sets of one size, so that what one fault does never shifts what another one draws: with and
/// without it, everything else is the same.
struct Chances: ~Copyable {
  /// What decides about one fault of one ride or request.
  struct Draw {
    /// Uniform in [0, 1): below the rate it happens.
    let whether: Double
    /// Exponential of mean 1.
    let exponential: Double
    /// Uniform in [0, 1).
    let uniform: Double
  }

  private var stream: WordStream

  init(named generator: String, seed: UInt32) throws(RandomnessError) {
    stream = try WordStream(named: generator, seed: seed)
  }

  /// One set.
  mutating func draw() -> Draw {
    let (whether, exponential, uniform) = (stream.unitInterval(), stream.unitInterval(), stream.unitInterval())
    return Draw(whether: whether, exponential: -log(1 - exponential), uniform: uniform)
  }
}

extension Chances.Draw {
  /// The fault, if it happens.
  func happening(_ fault: FeedFault?) -> FeedFault? {
    fault.flatMap { whether < $0.rate ? $0 : nil }
  }

  /// A whole number from 1 to a greatest, uniform.
  func count(to greatest: Double) -> Int { 1 + min(Int(uniform * greatest), Int(greatest) - 1) }

  /// Seconds of a mean in hours.
  func seconds(hours: Double) -> Int { Int(exponential * hours * 3600) }
}
