// SPDX-License-Identifier: Apache-2.0
import ClubCore

/// A service whose listing changes between requests as a test says.
struct ShiftingService {
  /// The newest first.
  var listing: [Activity]
  private(set) var requests: [FeedRequest] = []
  /// What happens before the request of that number, from 1.
  var changes: [Int: (inout [Activity]) -> Void] = [:]
  /// What is answered to the request of that number in place of its page.
  var faults: [Int: FeedReply] = [:]
  /// Activities that are not shown, though they take their places.
  var hidden: (Activity) -> Bool = { _ in false }

  init(_ listing: [Activity]) {
    self.listing = listing
  }

  mutating func answer(_ request: FeedRequest) -> FeedReply {
    requests.append(request)
    changes[requests.count]?(&listing)
    if let fault = faults[requests.count] { return fault }
    let page = listing.dropFirst((request.page - 1) * request.perPage).prefix(request.perPage)
    return Self.page(page.filter { !hidden($0) })
  }

  static func page(_ activities: [Activity]) -> FeedReply {
    .response(FeedResponse(status: 200, body: Activity.page(activities)))
  }

  static func status(_ status: Int, _ body: String = "") -> FeedReply {
    .response(FeedResponse(status: status, body: Array(body.utf8)))
  }
}

extension FeedFetch {
  /// Runs to the end against a service that answers at once.
  ///
  /// - Returns: How it ended, and when; nil for one that has no end.
  mutating func run(_ service: inout ShiftingService, from start: Moment = Sample.monday) -> (Step, Moment)? {
    var now = start
    for _ in 0..<5000 {
      switch next(at: now) {
      case .send(let request):
        now = now.adding(milliseconds: 200)
        received(service.answer(request), to: request, at: now)
      case .wait(let moment): now = max(moment, now)
      case .renewToken: tokenRenewed()
      case let end: return (end, now)
      }
    }
    return nil
  }

  /// The listing that a run ends with; nil where it fails.
  mutating func listing(_ service: inout ShiftingService) -> FeedListing? {
    if case .done(let listing) = run(&service)?.0 { listing } else { nil }
  }

  /// The error that a run ends with; nil where it does not.
  mutating func failure(_ service: inout ShiftingService) -> ClubError? {
    if case .failed(let error) = run(&service)?.0 { error } else { nil }
  }
}
