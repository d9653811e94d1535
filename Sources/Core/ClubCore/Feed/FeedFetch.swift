// SPDX-License-Identifier: Apache-2.0

/// One whole fetch of a club's listing over pages, without any input or output of its own: it says what to send and
/// when, and is told what came back.
///
/// Pages may be shorter than asked for without being the last: an empty page is the end, or the plan's limit, or the
/// activities of the last listing. They also shift while they are read: an upload pushes an activity from a page that
/// was read to the next, a deletion pulls one from the next into a page that was read. A seam between two pages is
/// therefore proved by reading the page before it a second time, after the one behind it: when that has not changed,
/// both belong together as they stand, and what is in both is a true twin, if the next page has not changed either,
/// nor the page before it at a third reading.
/// When it has, what it gained is taken out of the pages before, and the next page is asked for again; where it gained
/// something else, the listing is read anew.
///
/// What this cannot know: changes that undo each other between two readings of one page, such as a deletion before the
/// next page is read and an upload behind it; what changes in a page after its seams are proved, which the next fetch
/// sees; activities behind a page of which the service shows none; whether an end behind a page shorter than asked
/// for hid what a deletion just then pulled into that; and copies of a page that the service kept from before a shift
/// and answers twice in a row, which make what was pushed over the seam look like a true twin.
public struct FeedFetch: Sendable {
  /// What is to be done next.
  public enum Step: Hashable, Sendable {
    /// Send this, and tell what came back.
    case send(FeedRequest)
    /// Nothing, until this moment or an answer.
    case wait(until: Moment)
    /// The service refuses the token: get another and tell `tokenRenewed()`, or stop.
    case renewToken
    /// This is the listing.
    case done(FeedListing)
    /// There is none, and why.
    case failed(ClubError)
  }

  /// What the next page is read for.
  enum Goal: Hashable {
    /// To follow what was read.
    case follow
    /// To see whether the last page is still what it was, now that the one behind it was read.
    case check(next: [Activity])
    /// To see whether the page behind the last one is still what it was: it shares something with the last one, and a
    /// shift that was undone meanwhile would look like twins.
    case confirm(next: [Activity])
    /// To see the last page once more before what is in both counts as twins: the second reading may have been a copy
    /// that the service kept from before a shift.
    case certify(next: [Activity])
  }

  struct Outstanding: Hashable {
    let request: FeedRequest
    let sent: Moment
  }

  /// What is asked for.
  public let plan: FetchPlan
  /// What may be sent; take it out when the fetch is over, for the next one.
  public var budget: RequestBudget
  /// What the fetch went through so far.
  public internal(set) var report = FetchReport()

  var goal = Goal.follow
  var read: [Activity] = []
  /// The number of the last page in `read`, 0 for none.
  var page = 0
  /// Where the pages begin in `read`.
  var pageStarts: [Int] = []
  /// How often the present seam was found shifted.
  var rereads = 0

  var outstanding: Outstanding?
  /// Requests that were given up; their answers may still come.
  var abandoned: [Outstanding] = []
  var retryAt: Moment?
  /// Failures, refusals for the budget and for the token since the last page that came.
  var (failures, refusals, tokenRefusals) = (0, 0, 0)
  var needsToken = false
  var ending: Step?

  /// A fetch that has not sent anything.
  ///
  /// - Parameters:
  ///   - plan: What is asked for.
  ///   - budget: What may be sent.
  public init(_ plan: FetchPlan = FetchPlan(), budget: RequestBudget = RequestBudget()) {
    (self.plan, self.budget) = (plan, budget)
  }

  /// What is to be done next. A request that is given out counts as sent.
  ///
  /// - Parameter now: What the clock says.
  /// - Returns: A request, a wait, or the end, which stays the answer from then on.
  public mutating func next(at now: Moment) -> Step {
    let now = now.bounded
    if let ending { return ending }
    if let waited = outstanding {
      let deadline = waited.sent.adding(seconds: min(max(plan.timeout, 1), 1_000_000))
      guard deadline <= now else { return .wait(until: deadline) }
      abandoned.append(waited)
      take(.timedOut, to: waited, at: now)
      return next(at: now)
    }
    if needsToken { return .renewToken }
    if let retryAt, retryAt > now { return .wait(until: retryAt) }
    guard report.requests < plan.mostRequests else {
      return end(.failed(.serviceFailed(page: wantedPage, attempts: report.requests, last: "the listing has no end")))
    }
    if case .at(let moment) = budget.permission(at: now) { return .wait(until: moment) }
    let request = FeedRequest(page: wantedPage, perPage: plan.perPage)
    retryAt = nil
    report.requests += 1
    if goal != .follow { report.checks += 1 }
    budget.sent(at: now)
    outstanding = Outstanding(request: request, sent: now)
    return .send(request)
  }

  /// Tells what came back. An answer to a request that was given up only teaches the budget.
  ///
  /// - Parameters:
  ///   - reply: What came back.
  ///   - request: What it answers.
  ///   - now: What the clock says.
  public mutating func received(_ reply: FeedReply, to request: FeedRequest, at now: Moment) {
    let now = now.bounded
    if let waited = outstanding, waited.request == request {
      take(reply, to: waited, at: now)
    } else if let index = abandoned.firstIndex(where: { $0.request == request }) {
      remark(budget.receivedLate(reply, at: now, sent: abandoned.remove(at: index).sent))
    }
  }

  /// Tells that requests carry a new token from now on.
  public mutating func tokenRenewed() {
    needsToken = false
  }

  /// Where the last page begins in `read`.
  var pageStart: Int { pageStarts.last ?? 0 }

  /// The page that is asked for next.
  private var wantedPage: Int {
    switch goal {
    case .check, .certify: page
    case .follow, .confirm: page + 1
    }
  }

  private mutating func take(_ reply: FeedReply, to waited: Outstanding, at now: Moment) {
    outstanding = nil
    let like = abandoned.filter { $0.request == waited.request }.map(\.sent).min()
    remark(budget.answered(by: reply, at: now, sent: waited.sent, earliest: like))
    switch reply {
    case .timedOut: failed("no answer in time", at: now)
    case .unreachable(let reason): failed("no connection: \(reason)", at: now)
    case .response(let response): take(response, page: waited.request.page, at: now)
    }
  }

  private mutating func remark(_ remarks: [ClubError]) {
    for remark in remarks where !report.remarks.contains(remark) && report.remarks.count < 100 {
      report.remarks.append(remark)
    }
  }

  @discardableResult
  mutating func end(_ step: Step) -> Step {
    ending = step
    return step
  }

  /// Tries again later, unless that was the last attempt.
  mutating func failed(_ reason: String, at now: Moment) {
    failures += 1
    guard failures < plan.mostAttempts else {
      end(.failed(.serviceFailed(page: wantedPage, attempts: failures, last: reason)))
      return
    }
    report.retries += 1
    retryAt = now.adding(milliseconds: plan.retryDelay.delay(after: failures))
  }
}
