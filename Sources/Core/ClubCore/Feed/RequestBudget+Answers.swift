// SPDX-License-Identifier: Apache-2.0

extension RequestBudget {
  /// The longest wait that is granted to `Retry-After`, in seconds: a day.
  public static let longestRetryAfter = 86_400

  /// Learns from what came back for a request, or that nothing did.
  ///
  /// - Parameters:
  ///   - reply: What came back.
  ///   - now: What the clock says.
  ///   - sent: When the request was sent; where that is not told, the oldest one is meant.
  /// - Returns: What could not be read in the answer's head; it changes nothing.
  @discardableResult
  public mutating func received(_ reply: FeedReply, at now: Moment, sent: Moment? = nil) -> [ClubError] {
    answered(by: reply, at: now.bounded, sent: sent, earliest: nil)
  }

  /// As `received`, where an answer may also be that to a like request that was given up.
  ///
  /// - Parameters:
  ///   - reply: What came back.
  ///   - now: What the clock says.
  ///   - sent: When the request was sent that is not on its way any more; nil means the oldest.
  ///   - earliest: When the first of the like requests was sent that were given up.
  /// - Returns: What could not be read in the answer's head.
  mutating func answered(by reply: FeedReply, at now: Moment, sent: Moment?, earliest: Moment?) -> [ClubError] {
    // Whatever is still on its way was sent no earlier than this.
    let first = (pending + [earliest].compactMap(\.self)).min()
    if let index = sent.flatMap({ pending.firstIndex(of: $0.bounded) }) ?? pending.indices.first {
      pending.remove(at: index)
    }
    return learn(from: reply, at: now, sentAfter: first ?? now)
  }

  /// Learns from an answer to a request that was told to have timed out before.
  ///
  /// - Parameters:
  ///   - reply: What came back after all.
  ///   - now: What the clock says.
  ///   - sent: When the request was sent.
  /// - Returns: What could not be read in the answer's head; it changes nothing.
  @discardableResult
  public mutating func receivedLate(_ reply: FeedReply, at now: Moment, sent: Moment) -> [ClubError] {
    learn(from: reply, at: now.bounded, sentAfter: min(sent.bounded, pending.min() ?? sent.bounded))
  }

  private mutating func learn(from reply: FeedReply, at now: Moment, sentAfter earliest: Moment) -> [ClubError] {
    guard case .response(let response) = reply else { return [] }
    let head = RateLimitHeaders(response, now: now)
    if let date = head.date { setClock(by: date, from: min(earliest, now), to: now) }
    for kind in RateLimitHeaders.Kind.allCases {
      if let limit = head.limits[kind] ?? nil {
        meters[kind]?.limits = Limits(perWindow: limit.window, perDay: limit.day)
      }
      if let usage = head.usage[kind] ?? nil { count(usage, of: kind, date: head.date, from: earliest, to: now) }
    }
    switch response.status {
    case 429:
      refusals += 1
      refused(head.retryAfter, at: now)
    case 503:
      if let wait = head.retryAfter { postpone(until: moment(of: wait, at: now)) }
    case 200..<300:
      refusals = 0
    default:
      break
    }
    return head.remarks
  }

  /// Takes over what the service has counted: that, and what it may not have seen yet.
  private mutating func count(
    _ usage: RateLimitHeaders.Pair, of kind: RateLimitHeaders.Kind, date: Moment?, from earliest: Moment, to now: Moment
  ) {
    // The answer is dated after it was counted, and the date has lost its fraction.
    let first = (date?.milliseconds ?? earliest.milliseconds + clockDifference) - margin
    let last = date.map { $0.milliseconds + 999 } ?? now.milliseconds + clockDifference + margin
    guard var meter = meters[kind] else { return }
    for period in meter.window.periods(from: first, to: max(first, last)) {
      meter.window.raise(period, to: usage.window + pending.count)
    }
    for period in meter.day.periods(from: first, to: max(first, last)) {
      meter.day.raise(period, to: usage.day + pending.count)
    }
    meters[kind] = meter
  }

  /// Waits for the end of what is spent; where nothing is known to be, for the end of the quarter of an hour, unless
  /// the service says itself how long.
  private mutating func refused(_ retryAfter: RateLimitHeaders.RetryAfter?, at now: Moment) {
    let delay = retryDelay.delay(after: refusals)
    guard let retryAfter else {
      var free = firstRoom(from: now)
      if free == now {
        // Which of both periods it fell into near a seam is not known: the later one is over last.
        let period = PeriodUse(seconds: 900)
        let (first, last) = arrival(of: now)
        let end = period.end(of: period.periods(from: first, to: last).upperBound)
        free = Moment(milliseconds: end - clockDifference + margin)
      }
      return postpone(until: free.adding(milliseconds: delay))
    }
    postpone(until: max(moment(of: retryAfter, at: now), now.adding(milliseconds: delay)))
  }

  private mutating func postpone(until moment: Moment) {
    notBefore = max(moment, notBefore ?? moment)
  }

  /// When `Retry-After` is over by this clock.
  private func moment(of wait: RateLimitHeaders.RetryAfter, at now: Moment) -> Moment {
    let latest = now.adding(seconds: Self.longestRetryAfter)
    switch wait {
    case .seconds(let seconds):
      return min(latest, now.adding(seconds: min(seconds, Self.longestRetryAfter)))
    case .date(let date):
      return min(latest, max(now, date.adding(milliseconds: margin - clockDifference)))
    }
  }

  /// Moves the difference of the clocks by the least that explains a date: the service wrote it between the request and
  /// the answer, and left out the fraction of the second.
  private mutating func setClock(by date: Moment, from earliest: Moment, to now: Moment) {
    let least = date.milliseconds - now.milliseconds
    let most = date.milliseconds + 999 - earliest.milliseconds
    let proved = min(max(clockDifference, least), max(least, most))
    guard proved != clockDifference else { return }
    let old = now.milliseconds + clockDifference
    clockDifference = proved
    // The margin covers small steps already. What was counted by a clock that was wrong by more counts by the right one
    // as well, for it is not known when it was sent.
    guard abs(now.milliseconds + proved - old) > margin / 2 else { return }
    for kind in RateLimitHeaders.Kind.allCases {
      meters[kind]?.window.carry(from: old, to: now.milliseconds + proved)
      meters[kind]?.day.carry(from: old, to: now.milliseconds + proved)
    }
  }
}

extension PeriodUse {
  /// Gives the period at a moment at least the count of another moment's period and of the one before it.
  mutating func carry(from old: Int, to new: Int) {
    let (before, after) = (periods(from: old, to: old).lowerBound, periods(from: new, to: new).lowerBound)
    guard before != after else { return }
    raise(after, to: count(in: before) + count(in: before - 1))
  }
}
