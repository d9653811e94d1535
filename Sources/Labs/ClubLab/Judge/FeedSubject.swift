// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// What is judged: something that sees listings, and says which activities count for a week.
package protocol FeedSubject: Sendable {
  /// Sees a listing.
  ///
  /// - Parameters:
  ///   - listing: What a fetch came to.
  ///   - moment: When, by the fetcher's clock.
  mutating func see(_ listing: FeedListing, at moment: Moment)

  /// What counts for a week.
  func activities(in week: Week) -> [Activity]
}

extension WeekLedger: FeedSubject {
  /// Observes a listing, and leaves aside what that changes.
  package mutating func see(_ listing: FeedListing, at moment: Moment) {
    _ = observe(listing, at: moment)
  }
}
