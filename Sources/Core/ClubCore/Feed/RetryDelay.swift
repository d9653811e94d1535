// SPDX-License-Identifier: Apache-2.0

/// How long to wait before a next attempt: twice as long each time, up to a bound, with jitter from a seed, so that
/// many clients do not come back at once and one client always behaves the same.
public struct RetryDelay: Hashable, Sendable {
  /// The longest delay before the second attempt, in milliseconds.
  public let first: Int
  /// The longest delay at all, in milliseconds.
  public let most: Int
  /// What the jitter is drawn from.
  public let seed: UInt64

  /// A retryDelay.
  ///
  /// - Parameters:
  ///   - first: The longest delay before the second attempt, in milliseconds, 1 to 10^9; bounded to these.
  ///   - most: The longest delay at all, in milliseconds, `first` to 10^9; bounded to these.
  ///   - seed: What the jitter is drawn from; each client should have its own.
  public init(first: Int = 1000, most: Int = 300_000, seed: UInt64 = 0) {
    self.first = min(max(first, 1), 1_000_000_000)
    self.most = min(max(most, self.first), 1_000_000_000)
    self.seed = seed
  }

  /// The delay after a failure: from half of `first` doubled for each failure before it, and bounded by `most`, to the
  /// whole of that.
  ///
  /// - Parameter failures: How many attempts have failed in a row; 0 or less waits for nothing.
  /// - Returns: Milliseconds.
  public func delay(after failures: Int) -> Int {
    guard failures > 0 else { return 0 }
    var whole = first
    for _ in 1..<min(failures, 64) where whole < most { whole *= 2 }
    whole = min(whole, most)
    let half = whole / 2
    return half + Int(Self.mixed(seed &+ UInt64(failures)) % UInt64(whole - half + 1))
  }

  /// The finaliser of SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
