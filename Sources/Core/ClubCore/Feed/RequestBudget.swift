// SPDX-License-Identifier: Apache-2.0

/// How many requests the service still accepts: so many per quarter of an hour (which begin at :00, :15, :30 and :45)
/// and so many per day of UTC. A pure state machine: the clock is passed in.
///
/// It never lets more than the limit through in any period of the service's clock, provided that a request reaches the
/// service within `margin` of the moment at which this clock says that it was sent, either way. Near a seam of two
/// periods a request therefore counts in both. Where the service tells its own clock (`Date`), a larger difference is
/// learnt and allowed for.
///
/// What the service says counts where it is more than what was sent from here: others may spend of the same budget.
/// What they spend between two answers cannot be known; the service then refuses, and refused calls count, too.
/// Nor does a budget know what was sent before it was made, until the first answer tells.
public struct RequestBudget: Hashable, Sendable {
  /// Whether a request may be sent.
  public enum Permission: Hashable, Sendable {
    /// It may be sent now.
    case now
    /// Not before that moment; ask again then.
    case at(Moment)
  }

  /// How many requests the service takes.
  public struct Limits: Hashable, Sendable {
    /// Requests in each quarter of an hour.
    public let perWindow: Int
    /// Requests in each day.
    public let perDay: Int

    /// Limits.
    ///
    /// - Parameters:
    ///   - perWindow: Requests in each quarter of an hour, 1 to 10^9; bounded to these.
    ///   - perDay: Requests in each day, 1 to 10^9; bounded to these.
    public init(perWindow: Int = 100, perDay: Int = 1000) {
      self.perWindow = min(max(perWindow, 1), 1_000_000_000)
      self.perDay = min(max(perDay, 1), 1_000_000_000)
    }
  }

  /// One of the service's budgets: what it said of it, and what was spent.
  struct Meter: Hashable {
    var limits: Limits?
    var window = PeriodUse(seconds: 900)
    var day = PeriodUse(seconds: 86_400)
  }

  /// How far a request's arrival may lie from when it was sent, either way, in milliseconds: the difference of the
  /// clocks, and the way.
  public let margin: Int
  /// What counts until the service has told any limit.
  public let assumed: Limits
  /// What is waited for after a refusal, on top of the period's end.
  public let retryDelay: RetryDelay
  /// How far the service's clock is ahead of this one, in milliseconds, as far as its answers prove.
  public internal(set) var clockDifference = 0
  /// How many answers in a row were refusals for a spent budget.
  public internal(set) var refusals = 0

  var meters: [RateLimitHeaders.Kind: Meter]
  /// When the requests were sent that nothing has come back for.
  var pending: [Moment] = []
  var notBefore: Moment?

  /// A budget of which nothing is spent.
  ///
  /// - Parameters:
  ///   - assumed: What counts until the service has told any limit.
  ///   - margin: How far a request's arrival may lie from when it was sent, in milliseconds, 0 to 450,000; bounded.
  ///   - retryDelay: What is waited for after a refusal, on top of the period's end.
  public init(
    assumed: Limits = Limits(), margin: Int = 5000, retryDelay: RetryDelay = RetryDelay(first: 2000, most: 900_000)
  ) {
    (self.assumed, self.retryDelay) = (assumed, retryDelay)
    self.margin = min(max(margin, 0), 450_000)
    meters = Dictionary(uniqueKeysWithValues: RateLimitHeaders.Kind.allCases.map { ($0, Meter()) })
  }
}

extension RequestBudget {
  /// Requests of which no answer is known.
  public var inFlight: Int { pending.count }

  /// Whether a request may be sent.
  ///
  /// - Parameter now: What the clock says.
  /// - Returns: That it may, or when to ask again; always later than `now`.
  public func permission(at now: Moment) -> Permission {
    let now = now.bounded
    let moment = firstRoom(from: max(now, notBefore ?? now))
    return moment == now ? .now : .at(moment)
  }

  /// How many requests may still be sent within the present quarter of an hour and day, as far as is known.
  ///
  /// - Parameter now: What the clock says.
  /// - Returns: Requests, at least 0.
  public func left(at now: Moment) -> Int {
    let (first, last) = arrival(of: now.bounded)
    let rooms = limited.flatMap { meter, limits in
      [(meter.window, limits.perWindow), (meter.day, limits.perDay)].flatMap { use, limit in
        use.periods(from: first, to: last).map { limit - use.count(in: $0) }
      }
    }
    return max(0, rooms.min() ?? 0)
  }

  /// Counts a request, which has to be told when it is sent and not when it is answered.
  ///
  /// - Parameter now: What the clock says.
  public mutating func sent(at now: Moment) {
    let now = now.bounded
    let (first, last) = arrival(of: now)
    for kind in RateLimitHeaders.Kind.allCases {
      for keyPath in [\Meter.window, \Meter.day] {
        let periods = meters[kind, default: Meter()][keyPath: keyPath].periods(from: first, to: last)
        for period in periods { meters[kind, default: Meter()][keyPath: keyPath].add(one: period) }
      }
    }
    pending.append(now)
  }

  /// The first moment from one on at which every period that a request could fall into has room.
  func firstRoom(from start: Moment) -> Moment {
    var moment = start
    // Each turn leaves a spent period behind; few periods are remembered, and one without a count has room.
    while let later = endOfSpent(at: moment) { moment = later }
    return moment
  }

  /// When the last of the spent periods is over that a request of a moment could fall into; nil where there are none.
  private func endOfSpent(at moment: Moment) -> Moment? {
    let (first, last) = arrival(of: moment)
    let ends = limited.flatMap { meter, limits in
      [(meter.window, limits.perWindow), (meter.day, limits.perDay)].flatMap { use, limit in
        use.periods(from: first, to: last).filter { use.count(in: $0) >= limit }.map(use.end)
      }
    }
    return ends.max().map { Moment(milliseconds: $0 - clockDifference + margin) }
  }

  /// The meters that count, with their limits: those that the service speaks of, or the assumption.
  private var limited: [(Meter, Limits)] {
    let told = RateLimitHeaders.Kind.allCases.compactMap { kind in
      meters[kind].flatMap { meter in meter.limits.map { (meter, $0) } }
    }
    return told.isEmpty ? [(meters[.overall] ?? Meter(), assumed), (meters[.reading] ?? Meter(), assumed)] : told
  }

  /// When a request may arrive, by the service's clock, in milliseconds.
  func arrival(of moment: Moment) -> (first: Int, last: Int) {
    let middle = moment.milliseconds + clockDifference
    return (middle - margin, middle + margin)
  }
}
