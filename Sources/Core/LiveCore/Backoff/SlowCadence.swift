// SPDX-License-Identifier: Apache-2.0

/// How often a connection whose attempts are used up tries all the same.
///
/// The waits are spread, each anew: after a storm many clients use up their attempts within a minute or two, and at a
/// fixed cadence they would come in the same crowd again and again.
public struct SlowCadence: Hashable, Sendable {
  /// The wait in the mean.
  public var interval: Interval
  /// How much chance adds to a wait or takes from it, evenly, at the most: a share of the interval, 0 to 1.
  public var spread: Double

  /// A cadence.
  ///
  /// - Parameters:
  ///   - interval: The wait in the mean.
  ///   - spread: How much chance adds or takes at the most, as a share of the interval, 0 to 1.
  public init(every interval: Interval, spread: Double = 0.5) {
    (self.interval, self.spread) = (interval, spread)
  }

  /// The shortest wait and the longest.
  public var waits: ClosedRange<Interval> {
    let part = Interval(seconds: max(0, interval.seconds) * max(0, spread))
    return max(.zero, interval - part)...max(.zero, interval + part)
  }

  /// When the next attempt comes.
  ///
  /// The time in which it may come begins no sooner than the server wishes, and is as long as ever: if only the moment
  /// were put off, all would come when the server's wish ends.
  ///
  /// - Parameters:
  ///   - now: When the connection was suspended.
  ///   - notBefore: Before this the server wants to be left alone.
  ///   - word: 64 random bits, of which the wait is made: a greater word never gives a shorter wait.
  /// - Returns: The moment.
  public func next(after now: Instant, notBefore: Instant, word: UInt64) -> Instant {
    let waits = waits
    return max(now + waits.lowerBound, notBefore) + (waits.upperBound - waits.lowerBound).share(of: word)
  }
}

extension Interval {
  /// A part of it: from nothing to the whole, evenly, by 64 random bits.
  func share(of word: UInt64) -> Interval {
    self > .zero ? Interval(nanoseconds: Int64(UInt64(nanoseconds).multipliedFullWidth(by: word).high)) : .zero
  }
}
