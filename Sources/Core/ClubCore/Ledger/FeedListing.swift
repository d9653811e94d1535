// SPDX-License-Identifier: Apache-2.0

/// What one successful fetch of a club's feed came to: its pages joined, in the service's order, the newest first.
///
/// Pages overlap when activities enter while they are read; whoever joins them leaves out what a seam repeats. A
/// listing that has a repetition nevertheless says that there are two activities, and a ledger believes it until a
/// later listing shows one.
public struct FeedListing: Hashable, Sendable {
  /// The activities in the service's order, the newest first.
  public var activities: [Activity]
  /// Whether the service had no more to tell; false where the reading stopped at a limit of pages.
  public var isWhole: Bool
  /// The places at which its pages begin, from 0 on, ascending; empty where nobody knows and pages are taken to be as
  /// full as they were asked to be. Services give shorter ones.
  public var pageStarts: [Int]

  /// A listing.
  ///
  /// - Parameters:
  ///   - activities: The activities in the service's order, the newest first.
  ///   - isWhole: Whether the service had no more to tell.
  ///   - pageStarts: The places at which its pages begin, from 0 on, ascending; empty where nobody knows.
  public init(activities: [Activity], isWhole: Bool, pageStarts: [Int] = []) {
    (self.activities, self.isWhole, self.pageStarts) = (activities, isWhole, pageStarts)
  }
}

/// What "the newest first" means to a service: how much a place in its listing proves.
public enum ListingOrder: Hashable, Sendable {
  /// By start over the whole listing: late uploads enter in the middle, and what lies below began earlier.
  case byStart
  /// By upload over the whole listing: late uploads enter on top, and a place says nothing about the start.
  case byUpload
  /// By upload from page to page, and by start within a page of so many activities.
  ///
  /// Recorded pages of Strava's feed show this order. Of two first pages fetched 50 seconds apart the later one has
  /// four new activities in its middle; the four that left it for the second page are those that had been uploaded
  /// first, one of which had begun 50 hours before everything around it; and within each page the times from start
  /// to end ascend, as they do where activities that were uploaded within minutes stand by start.
  case byUploadInPages(of: Int)
}

extension ListingOrder {
  /// Whether pages mean something.
  var isPaged: Bool { if case .byUploadInPages = self { true } else { false } }

  /// What an alignment loses by a known activity that is missing above others: much where it takes a deletion, little
  /// where newer uploads push out whatever was uploaded first.
  var costOfMissing: Int32 { isPaged ? 1 : 4 }

  /// What an alignment loses by an unknown activity below a known one.
  var costOfIntruding: Int32 { isPaged ? 1 : 2 }

  /// Whether what lies below another on its page began before it.
  var placesTellStarts: Bool { self != .byUpload }
}
