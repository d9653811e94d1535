// SPDX-License-Identifier: Apache-2.0

/// One whole fetch of a club's listing over pages, without any input or output of its own: it returns what to send and
/// when, and is given what came back.
///
/// Pages may be shorter than asked for without being the last: an empty page is the end, or the plan's limit. They also
/// shift while they are read: an upload pushes an activity from a page that was read to the next, a deletion pulls one
/// from the next into a page that was read. A seam between two pages is therefore proved by reading the page before it
/// a second time, after the one behind it: when that has not changed, both belong together as they stand, and what is
/// in both is a true twin, if the next page has not changed either, nor the page before it at a third reading. When it
/// has, what it gained is taken out of the pages before, and the next page is asked for again; where it gained
/// something else, the listing is read again.
///
/// What this cannot know: changes that undo each other between two readings of one page, such as a deletion before the
/// next page is read and an upload behind it; what changes in a page after its seams are proved, which the next fetch
/// sees; activities behind a page of which the service shows none; whether an end behind a page shorter than asked
/// for hid what a deletion just then pulled into that; and copies of a page that the service kept from before a shift
/// and answers twice in a row, which make what was pushed over the seam look like a true twin.
public struct FeedFetch: Sendable {
  /// The next thing to do.
  public enum Step: Hashable, Sendable {
    /// Send this, and report what came back by `received`.
    case send(FeedRequest)
    /// Nothing, until this moment or an answer.
    case wait(until: Moment)
    /// The service refuses the token: get another and call `tokenRenewed()`, or stop.
    case renewToken
    case done(FeedListing)
    /// There is none, and why.
    case failed(ClubError)
  }

  /// The purpose of the next page.
  private enum Goal: Hashable {
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

  private struct Outstanding {
    let request: FeedRequest
    let sent: Moment
  }

  /// The pages to fetch, and how long to try.
  public let plan: FetchPlan
  /// The requests that may still be sent; take it out when the fetch is over, for the next one.
  public var budget: RequestBudget
  /// The requests, refusals and waits so far.
  public private(set) var report = FetchReport()

  private var goal = Goal.follow
  private var read: [Activity] = []
  /// The number of the last page in `read`, 0 for none.
  private var page = 0
  private var pageStarts: [Int] = []
  /// How often the present seam was found shifted.
  private var rereads = 0

  private var outstanding: Outstanding?
  /// Requests that were given up; their answers may still come.
  private var abandoned: [Outstanding] = []
  private var retryAt: Moment?
  /// Failures, refusals for the budget and for the token since the last page that came.
  private var (failures, refusals, tokenRefusals) = (0, 0, 0)
  private var needsToken = false
  private var ending: Step?

  /// A fetch that has not sent anything.
  public init(_ plan: FetchPlan = FetchPlan(), budget: RequestBudget = RequestBudget()) {
    (self.plan, self.budget) = (plan, budget)
  }

  /// The next thing to do: a request, which counts as sent once it is given out, a wait, or the end, which stays the
  /// answer from then on.
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
      end(.failed(.serviceFailed(page: wantedPage, attempts: report.requests, last: "the listing has no end")))
      return next(at: now)
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

  /// Takes what came back. An answer to a request that was given up changes only the budget.
  public mutating func received(_ reply: FeedReply, to request: FeedRequest, at now: Moment) {
    let now = now.bounded
    if let waited = outstanding, waited.request == request {
      take(reply, to: waited, at: now)
    } else if let index = abandoned.firstIndex(where: { $0.request == request }) {
      remark(budget.receivedLate(reply, at: now, sent: abandoned.remove(at: index).sent))
    }
  }

  /// Requests carry a new token from now on.
  public mutating func tokenRenewed() { needsToken = false }

  private var pageStart: Int { pageStarts.last ?? 0 }

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

  private mutating func end(_ step: Step) { ending = step }

  /// Tries again later, unless that was the last attempt.
  private mutating func failed(_ reason: String, at now: Moment) {
    failures += 1
    guard failures < plan.mostAttempts else {
      return end(.failed(.serviceFailed(page: wantedPage, attempts: failures, last: reason)))
    }
    report.retries += 1
    retryAt = now.adding(milliseconds: plan.retryDelay.delay(after: failures))
  }

  private mutating func take(_ response: FeedResponse, page asked: Int, at now: Moment) {
    switch response.status {
    case 200:
      do throws(ClubError) {
        try take(FeedDecoder(source: "page \(asked)").activities(in: response.body))
      } catch {
        // A body that was cut off comes whole the next time; one that is wrong fails as often as is tried.
        failed("\(error)", at: now)
      }
    case 401:
      tokenRefusals += 1
      needsToken = true
      if tokenRefusals > 1 { refused(response, page: asked) }
    case 429:
      refusals += 1
      report.refusals += 1
      if refusals > plan.mostRefusals { refused(response, page: asked) }
    case 408, 425, 500...599:
      failed("status \(response.status)\(Self.excerpt(of: response.body))", at: now)
    default:
      refused(response, page: asked)
    }
  }

  private mutating func refused(_ response: FeedResponse, page: Int) {
    end(.failed(.pageRefused(page: page, status: response.status, message: Self.excerpt(of: response.body))))
  }

  /// The beginning of a body, for a person: `: {"message":"Forbidden"}`; empty for an empty one.
  private static func excerpt(of body: [UInt8]) -> String {
    let text = String(decoding: body.prefix(200), as: UTF8.self)
    return text.isEmpty ? "" : ": " + text.unicodeScalars.map { $0.escaped(asASCII: false) }.joined()
  }

  private mutating func take(_ activities: [Activity]) {
    (failures, refusals, tokenRefusals) = (0, 0, 0)
    switch goal {
    case .follow: follow(with: activities)
    case .check(let next): prove(next, after: activities)
    case .confirm(let next): confirm(next, by: activities)
    case .certify(let next): prove(next, after: activities, isLast: true)
    }
  }

  /// The page behind what was read has come.
  private mutating func follow(with next: [Activity]) {
    guard page > 0 else { return append(next) }
    let isShortEnd = next.isEmpty && read.count - pageStart < plan.perPage
    // Not only with the last page: a long wait lets more than a page come in.
    if isShortEnd, PageContents(read).shared(with: next) == 0 { append(next) } else { goal = .check(next: next) }
  }

  /// The page before the seam has come a second time, or a third and last one.
  private mutating func prove(_ next: [Activity], after again: [Activity], isLast: Bool = false) {
    let last = Array(read[pageStart...])
    goal = .follow
    guard PageContents.isSame(again, last) else { return shifted(to: again, next: next) }
    guard !PageContents.isSame(next, last) else { return end(.failed(.repeatedPage(page: page + 1))) }
    let mayBeShifted = !isLast && PageContents(last).shared(with: next) > 0
    if mayBeShifted { goal = .confirm(next: next) } else { append(next) }
  }

  /// The page behind the seam has come a second time.
  private mutating func confirm(_ next: [Activity], by again: [Activity]) {
    guard !PageContents.isSame(again, next) else { return goal = .certify(next: next) }
    goal = .follow
    report.shifts += 1
    rereads += 1
    if rereads <= plan.mostRereads { goal = .check(next: again) } else { appendUnproved(again) }
  }

  /// The page before the seam has changed: the one behind it is read again, after what is now before it.
  private mutating func shifted(to again: [Activity], next: [Activity]) {
    report.shifts += 1
    rereads += 1
    guard rereads <= plan.mostRereads else { return appendUnproved(next) }
    if page == 1, !again.isEmpty {
      // Whatever was on the first page is on it still, or below, or gone.
      read = again
    } else if let left = PageContents.pushedDown(
      Array(read[..<pageStart]), page: Array(read[pageStart...]), again: again), !again.isEmpty
    {
      pageStarts = pageStarts.map { start in left.prefix { $0 < start }.count }
      read = left.map { read[$0] } + again
    } else if report.restarts < plan.mostRereads {
      // Something was pulled up or put in between: what has moved to which page is not known.
      report.restarts += 1
      (read, page, pageStarts, rereads) = ([], 0, [], 0)
    } else {
      appendUnproved(next)
    }
  }

  private mutating func appendUnproved(_ next: [Activity]) {
    report.unprovedSeams += 1
    append(PageContents(read).lacking(next), isLast: next.isEmpty)
  }

  private mutating func append(_ next: [Activity], isLast: Bool? = nil) {
    guard !(isLast ?? next.isEmpty) else {
      // A listing that may lack something in its middle proves no deletion.
      return end(.done(FeedListing(activities: read, isWhole: report.unprovedSeams == 0, pageStarts: pageStarts)))
    }
    rereads = 0
    pageStarts.append(read.count)
    page += 1
    read += next
    if page >= plan.pageLimit ?? .max {
      end(.done(FeedListing(activities: read, isWhole: false, pageStarts: pageStarts)))
    }
  }
}

/// The activities that two readings of pages have in common, as multisets: within a page the service does not keep to
/// the order in which activities move from one page to the next, and one ride may be there several times.
private struct PageContents {
  private var counts: [ActivityFingerprint: Int] = [:]

  init(_ activities: [Activity]) {
    for activity in activities { counts[ActivityFingerprint(activity), default: 0] += 1 }
  }

  mutating func remove(_ fingerprint: ActivityFingerprint) -> Bool {
    guard let count = counts[fingerprint] else { return false }
    counts[fingerprint] = count > 1 ? count - 1 : nil
    return true
  }

  /// The activities that are not here, each taken as often as it stands.
  func lacking(_ activities: [Activity]) -> [Activity] {
    var rest = self
    return activities.filter { !rest.remove(ActivityFingerprint($0)) }
  }

  func shared(with activities: [Activity]) -> Int { activities.count - lacking(activities).count }

  /// Whether two readings of a page are the same. Titles do not count: owners rename meanwhile.
  static func isSame(_ page: [Activity], _ other: [Activity]) -> Bool {
    page.map(ActivityFingerprint.init) == other.map(ActivityFingerprint.init)
  }

  /// The places that remain of the pages before one when that one has only been pushed down; nil where something new in
  /// it came from elsewhere than from them.
  static func pushedDown(_ before: [Activity], page: [Activity], again: [Activity]) -> [Int]? {
    let gained = PageContents(page).lacking(again)
    var taken = PageContents(gained)
    // From the end: what is pushed over a seam stood nearest to it, as far as the service keeps an order.
    let left = before.indices.reversed().filter { !taken.remove(ActivityFingerprint(before[$0])) }
    return before.count - left.count == gained.count ? left.reversed() : nil
  }
}
