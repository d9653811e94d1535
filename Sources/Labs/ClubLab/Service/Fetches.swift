// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// When fetches begin, by the service's clock.
struct Fetches: Hashable, Sendable {
  /// The first.
  let first: Moment
  /// From one to the next, in seconds.
  let interval: Int
  /// How many there are.
  let count: Int

  /// All of them, ascending.
  var moments: [Moment] { (0..<count).map { first.adding(seconds: $0 * interval) } }

  /// From the first to an interval after the last.
  var span: Range<Moment> { first..<first.adding(seconds: count * interval) }

  /// The first that begins no earlier than a moment, as if they went on for ever both ways.
  func next(after moment: Moment) -> Moment {
    let (steps, rest) = (moment.milliseconds - first.milliseconds).quotientAndRemainder(dividingBy: interval * 1000)
    return first.adding(seconds: (rest > 0 ? steps + 1 : steps) * interval)
  }
}
