// SPDX-License-Identifier: Apache-2.0

/// One fetch of a club's whole listing over pages, as a state machine without input or output: it returns the requests
/// to send and their times, and receives the answers.
///
/// Pages may be shorter than requested without being the last: the listing ends at an empty page, or at the plan's
/// limit. Pages also shift while they are read: an upload pushes an activity from a page already read to the next one;
/// a deletion pulls one from the next page into a page already read. Each seam between two pages is therefore verified
/// by a second reading of the page before it, after the page behind it. If that page is unchanged, the two pages fit
/// together. An activity on both is then a true twin, if the next page is also unchanged, and the page before it at a
/// third reading. If the page has changed, the activities that it gained are removed from the pages before, and the
/// next page is requested again; if it gained other activities, the listing is read again.
///
/// Undetectable cases: changes that cancel out between two readings of one page, such as a deletion before the next
/// page is read and an upload after it; changes in a page after its seams are verified, which the next fetch sees;
/// activities behind an empty page; a deletion that pulled activities into a short last page just then; and copies of a
/// page that the service cached before a shift and returns twice in a row, which make an activity pushed over the seam
/// look like a true twin.
public struct FeedFetch: Sendable {
  /// The next thing to do.
  public enum Step: Hashable, Sendable {
    /// Send this request, and report its answer by `received`.
    case send(FeedRequest)
    /// Do nothing until this time or an answer.
    case wait(until: Moment)
    /// The service refuses the token: get another one and call `tokenRenewed()`, or stop.
    case renewToken
    case done(FeedListing)
    /// The fetch failed with this error.
    case failed(ClubError)
  }

  /// The purpose of the next page.
  private enum Goal: Hashable {
    case follow
    /// Reads the last page again, after the page behind it, to see whether it has changed.
    case check(next: [Activity])
    /// Reads the page behind the last one again: both share activities, and a shift that was undone meanwhile would
    /// look like twins.
    case confirm(next: [Activity])
    /// Reads the last page a third time before the shared activities count as twins: the second reading may have been a
    /// copy that the service cached before a shift.
    case certify(next: [Activity])
  }

  private struct Outstanding {
    let request: FeedRequest
    let sent: Moment
  }

  /// The pages to fetch, and the limits of retries.
  public let plan: FetchPlan
  /// The remaining requests; after the fetch, pass it on to the next one.
  public var budget: RequestBudget
  /// The requests, refusals and waits so far.
  public private(set) var report = FetchReport()

  private var goal = Goal.follow
  private var read: [Activity] = []
  /// The number of the last page in `read`, 0 for none.
  private var page = 0
  private var pageStarts: [Int] = []
  /// The number of times that the current seam was found shifted.
  private var rereads = 0

  private var outstanding: Outstanding?
  /// Requests that timed out; their answers may still come.
  private var abandoned: [Outstanding] = []
  private var retryAt: Moment?
  /// Failures, refusals for the budget and refusals for the token, since the last page that came.
  private var (failures, refusals, tokenRefusals) = (0, 0, 0)
  private var needsToken = false
  private var ending: Step?

  /// A fetch before its first request.
  public init(_ plan: FetchPlan = FetchPlan(), budget: RequestBudget = RequestBudget()) {
    (self.plan, self.budget) = (plan, budget)
  }

  /// The next step: a request, which counts as sent once it is returned, a wait, or the end, which all later calls
  /// return again.
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
    guard report.requests < plan.maxRequests else {
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

  /// Handles an answer. An answer to a request that timed out changes only the budget.
  public mutating func received(_ reply: FeedReply, to request: FeedRequest, at now: Moment) {
    let now = now.bounded
    if let waited = outstanding, waited.request == request {
      take(reply, to: waited, at: now)
    } else if let index = abandoned.firstIndex(where: { $0.request == request }) {
      remark(budget.receivedLate(reply, at: now, sent: abandoned.remove(at: index).sent))
    }
  }

  /// Records that requests carry a new token from now on.
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

  /// Schedules a retry, or ends the fetch after the last attempt.
  private mutating func failed(_ reason: String, at now: Moment) {
    failures += 1
    guard failures < plan.maxAttempts else {
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
        // A truncated body is complete at the next attempt; an invalid one fails at every attempt.
        failed("\(error)", at: now)
      }
    case 401:
      tokenRefusals += 1
      needsToken = true
      if tokenRefusals > 1 { refused(response, page: asked) }
    case 429:
      refusals += 1
      report.refusals += 1
      if refusals > plan.maxRefusals { refused(response, page: asked) }
    case 408, 425, 500...599:
      failed("status \(response.status)\(Self.excerpt(of: response.body))", at: now)
    default:
      refused(response, page: asked)
    }
  }

  private mutating func refused(_ response: FeedResponse, page: Int) {
    end(.failed(.pageRefused(page: page, status: response.status, message: Self.excerpt(of: response.body))))
  }

  /// The beginning of a body, for display: `: {"message":"Forbidden"}`; empty for an empty body.
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

  /// Handles the first reading of the page behind the last one.
  private mutating func follow(with next: [Activity]) {
    guard page > 0 else { return append(next) }
    let isShortEnd = next.isEmpty && read.count - pageStart < plan.perPage
    // All pages are compared, because more than a page may shift during a long wait.
    if isShortEnd, PageContents(read).shared(with: next) == 0 { append(next) } else { goal = .check(next: next) }
  }

  /// Handles the second or third reading of the page before the seam.
  private mutating func prove(_ next: [Activity], after again: [Activity], isLast: Bool = false) {
    let last = Array(read[pageStart...])
    goal = .follow
    guard PageContents.isSame(again, last) else { return shifted(to: again, next: next) }
    guard !PageContents.isSame(next, last) else { return end(.failed(.repeatedPage(page: page + 1))) }
    let mayBeShifted = !isLast && PageContents(last).shared(with: next) > 0
    if mayBeShifted { goal = .confirm(next: next) } else { append(next) }
  }

  /// Handles the second reading of the page behind the seam.
  private mutating func confirm(_ next: [Activity], by again: [Activity]) {
    guard !PageContents.isSame(again, next) else { return goal = .certify(next: next) }
    goal = .follow
    report.shifts += 1
    rereads += 1
    if rereads <= plan.maxRereads { goal = .check(next: again) } else { appendUnproved(again) }
  }

  /// Handles a change of the page before the seam: the next page is read again, after the current content of this one.
  private mutating func shifted(to again: [Activity], next: [Activity]) {
    report.shifts += 1
    rereads += 1
    guard rereads <= plan.maxRereads else { return appendUnproved(next) }
    if page == 1, !again.isEmpty {
      // Activities of the first page are still on it, or on a later page, or deleted.
      read = again
    } else if let left = PageContents.pushedDown(
      Array(read[..<pageStart]), page: Array(read[pageStart...]), again: again), !again.isEmpty
    {
      pageStarts = pageStarts.map { start in left.prefix { $0 < start }.count }
      read = left.map { read[$0] } + again
    } else if report.restarts < plan.maxRereads {
      // Activities were pulled up or inserted: it is unknown which activities moved to which page.
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
      // A listing that may lack activities in its middle does not prove deletions.
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

/// The activities of pages as multisets: the order within a page may differ from the order in which activities move to
/// the next page, and one ride may be listed several times.
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

  /// The activities that are missing here, with multiplicity.
  func lacking(_ activities: [Activity]) -> [Activity] {
    var rest = self
    return activities.filter { !rest.remove(ActivityFingerprint($0)) }
  }

  func shared(with activities: [Activity]) -> Int { activities.count - lacking(activities).count }

  /// Returns true if two readings of a page are the same except for titles, which owners may change meanwhile.
  static func isSame(_ page: [Activity], _ other: [Activity]) -> Bool {
    page.map(ActivityFingerprint.init) == other.map(ActivityFingerprint.init)
  }

  /// The positions that remain of the pages before a page that was only pushed down; `nil` if its new activities come
  /// from elsewhere.
  static func pushedDown(_ before: [Activity], page: [Activity], again: [Activity]) -> [Int]? {
    let gained = PageContents(page).lacking(again)
    var taken = PageContents(gained)
    // From the end: activities pushed over a seam were nearest to it, as far as the service keeps an order.
    let left = before.indices.reversed().filter { !taken.remove(ActivityFingerprint(before[$0])) }
    return before.count - left.count == gained.count ? left.reversed() : nil
  }
}
