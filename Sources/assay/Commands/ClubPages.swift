// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Pages of one listing, which overlap where the listing moved between two fetches or a page was fetched twice.
///
/// A page lists every activity once, so two alike on one page are two activities: a second commute is a new ride. Alike
/// on two pages they are most likely one that was listed twice. Nothing in a feed can tell for certain, hence the
/// option, and the count that is told.
struct ClubPages {
  /// The activities that count, in the pages' order.
  let activities: [Activity]
  /// How many further listings on other pages there were: left out, or counted again.
  let repeated: Int

  /// Puts pages together.
  ///
  /// - Parameters:
  ///   - pages: The activities of each page.
  ///   - identical: What becomes of activities that stand on several pages alike.
  init(_ pages: [[Activity]], identical: ClubFeedOptions.Identical) {
    var counted: [Listing: Int] = [:]
    var (activities, repeated) = ([Activity](), 0)
    for page in pages {
      var onPage: [Listing: Int] = [:]
      for activity in page {
        let listing = Listing(activity)
        onPage[listing, default: 0] += 1
        // As often as the page that has most of them.
        let isNew = onPage[listing, default: 0] > counted[listing, default: 0]
        if isNew { counted[listing, default: 0] += 1 } else { repeated += 1 }
        if isNew || identical == .each { activities.append(activity) }
      }
    }
    (self.activities, self.repeated) = (activities, repeated)
  }

  /// What two listings of one activity have in common, a new title aside; a start, where a feed has it, parts two rides
  /// that are alike otherwise.
  private struct Listing: Hashable {
    let fingerprint: ActivityFingerprint
    let start: Moment?

    init(_ activity: Activity) { (fingerprint, start) = (ActivityFingerprint(activity), activity.start) }
  }
}
