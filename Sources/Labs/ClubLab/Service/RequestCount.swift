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

  /// Remembers what an answer that arrives tells of the budget.
  mutating func tell(used: (quarterHour: Int, day: Int), at moment: Moment, retryAfter seconds: Int?) {
    if used.quarterHour >= shape.perQuarterHour { fullWindow = OtherUsers.window(of: moment) }
    if used.day >= shape.perDay { fullDay = moment.seconds / 86_400 }
    if let seconds { allowedFrom = max(allowedFrom, moment.adding(seconds: seconds)) }
  }
}
