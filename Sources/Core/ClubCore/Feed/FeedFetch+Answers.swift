// SPDX-License-Identifier: Apache-2.0

extension FeedFetch {
  mutating func take(_ response: FeedResponse, page asked: Int, at now: Moment) {
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
    guard PageSeam.isSame(again, last) else { return shifted(to: again, next: next) }
    guard !PageSeam.isSame(next, last) else {
      end(.failed(.repeatedPage(page: page + 1)))
      return
    }
    let mayBeShifted = !isLast && PageContents(last).shared(with: next) > 0
    if mayBeShifted { goal = .confirm(next: next) } else { append(next) }
  }

  /// The page behind the seam has come a second time.
  private mutating func confirm(_ next: [Activity], by again: [Activity]) {
    guard !PageSeam.isSame(again, next) else { return goal = .certify(next: next) }
    goal = .follow
    report.shifts += 1
    rereads += 1
    if rereads <= plan.mostRereads { goal = .check(next: again) } else { appendUnproved(again) }
  }

  /// The page before the seam has changed: the one behind it is read anew, after what is now before it.
  private mutating func shifted(to again: [Activity], next: [Activity]) {
    report.shifts += 1
    rereads += 1
    guard rereads <= plan.mostRereads else { return appendUnproved(next) }
    if page == 1, !again.isEmpty {
      // Whatever was on the first page is on it still, or below, or gone.
      read = again
    } else if let left = PageSeam.pushedDown(
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
      end(.done(FeedListing(activities: read, isWhole: report.unprovedSeams == 0, pageStarts: pageStarts)))
      return
    }
    rereads = 0
    pageStarts.append(read.count)
    page += 1
    read += next
    let isKnown = PageContents(plan.known).shared(with: next) >= plan.stretch
    if isKnown || page >= plan.pageLimit ?? .max {
      end(.done(FeedListing(activities: read, isWhole: false, pageStarts: pageStarts)))
    }
  }
}
