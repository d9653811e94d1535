// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// What the service itself counts of our requests, by its own clock: rejected ones, too, as the real one does.
struct RequestCount: Sendable {
  /// Our requests so far.
  private(set) var sent = 0
  /// Those that came although a window was used up and we had been told, or by our requests alone.
  private(set) var violations = 0
  /// Those that came sooner than `Retry-After` had allowed.
  private(set) var hasty = 0
  /// The most of our requests in a quarter of an hour.
  private(set) var mostInQuarterHour = 0
  /// The most of our requests in a day.
  private(set) var mostInDay = 0

  private let shape: ServiceShape
  private var (window, day, inWindow, inDay) = (Int.min, Int.min, 0, 0)
  private var (fullWindow, fullDay) = (Int.min, Int.min)
  private var allowedFrom = Moment(milliseconds: .min)

  init(_ shape: ServiceShape) {
    self.shape = shape
  }

  /// Counts a request.
  ///
  /// - Parameters:
  ///   - moment: When it comes, by the service's clock.
  ///   - others: What others have used of the same budget.
  /// - Returns: What is used, the request included, of the quarter of an hour and of the day.
  mutating func count(at moment: Moment, others: (quarterHour: Int, day: Int)) -> (quarterHour: Int, day: Int) {
    let (window, day) = (OtherUsers.window(of: moment), moment.seconds / 86_400)
    if window != self.window { (self.window, inWindow) = (window, 0) }
    if day != self.day { (self.day, inDay) = (day, 0) }
    if inWindow >= shape.perQuarterHour || inDay >= shape.perDay || window == fullWindow || day == fullDay {
      violations += 1
    }
    if moment < allowedFrom { hasty += 1 }
    (sent, inWindow, inDay) = (sent + 1, inWindow + 1, inDay + 1)
    (mostInQuarterHour, mostInDay) = (max(mostInQuarterHour, inWindow), max(mostInDay, inDay))
    return (inWindow + others.quarterHour, inDay + others.day)
  }

  /// Remembers what the fetcher was told. What it is told after a period's end is of no use any more, and does no harm.
  ///
  /// - Parameters:
  ///   - notice: What an answer says.
  ///   - moment: When the fetcher got it, by the service's clock.
  mutating func told(_ notice: Notice, at moment: Moment) {
    if notice.used.quarterHour >= shape.perQuarterHour {
      fullWindow = max(fullWindow, OtherUsers.window(of: notice.counted))
    }
    if notice.used.day >= shape.perDay { fullDay = max(fullDay, notice.counted.seconds / 86_400) }
    if let seconds = notice.retryAfter { allowedFrom = max(allowedFrom, moment.adding(seconds: seconds)) }
  }
}

extension RequestCount {
  /// What an answer says of the budget.
  struct Notice: Sendable {
    /// What is used, the answered request included, of the quarter of an hour and of the day.
    let used: (quarterHour: Int, day: Int)
    /// When the service counted that.
    let counted: Moment
    /// The seconds of `Retry-After`.
    let retryAfter: Int?
  }
}
