// SPDX-License-Identifier: Apache-2.0

/// The result of one successful fetch of a club's feed: its pages joined, in the service's order, the newest first.
///
/// Pages overlap when activities enter while they are read; joining them leaves out what a seam repeats. A
/// listing with a repetition therefore means two activities, and a ledger believes it until a
/// later listing shows one.
public struct FeedListing: Hashable, Sendable {
  /// The activities in the service's order, the newest first.
  public var activities: [Activity]
  /// Whether the service had no more activities; false where the reading stopped at a limit of pages.
  public var isWhole: Bool
  /// The places at which its pages begin, from 0 on, ascending; empty where that is unknown and pages are taken to be
  /// as full as they were asked to be. Services give shorter ones.
  public var pageStarts: [Int]

  /// A listing.
  public init(activities: [Activity], isWhole: Bool, pageStarts: [Int] = []) {
    (self.activities, self.isWhole, self.pageStarts) = (activities, isWhole, pageStarts)
  }
}

/// The meaning of "the newest first" to a service: how much a place in its listing proves.
public enum ListingOrder: Hashable, Codable, Sendable {
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
  var isPaged: Bool { if case .byUploadInPages = self { true } else { false } }

  /// The cost to an alignment of a known activity that is missing above others: much where it takes a deletion, little
  /// where newer uploads push out whatever was uploaded first.
  var costOfMissing: Int32 { isPaged ? 1 : 4 }

  /// The cost to an alignment of an unknown activity below a known one.
  var costOfIntruding: Int32 { isPaged ? 1 : 2 }

  /// Whether what lies below another on its page began before it.
  var placesTellStarts: Bool { self != .byUpload }
}

/// Which page each place of one listing lies on.
struct ListingPages {
  /// How many activities a page has where nothing else is known; nil where pages mean nothing.
  private let size: Int?
  /// Where pages begin behind the first; nil where only their size is known.
  private let seams: [Int]?
  private let count: Int

  /// The pages of a listing of so many activities; `starts` is empty where it is unknown where they begin.
  init(_ order: ListingOrder, starts: [Int], count: Int) {
    if case .byUploadInPages(let size) = order { self.size = max(1, size) } else { size = nil }
    seams = starts.isEmpty ? nil : Set(starts.filter { $0 > 0 && $0 < count }).sorted()
    self.count = count
  }

  /// The page that a place lies on, from 0; 0 where pages mean nothing.
  func page(of place: Int) -> Int {
    guard let size else { return 0 }
    guard let seams else { return place / size }
    var (low, high) = (0, seams.count)
    while low < high {
      let middle = (low + high) / 2
      if seams[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How many the first page has, or would have if there were more; everything where pages mean nothing.
  var firstPageSize: Int {
    guard let size else { return .max }
    return seams.map { $0.first ?? max(size, count) } ?? size
  }

  /// How many of the listed activities are the first page's.
  var firstPage: Int { min(count, firstPageSize) }
}
