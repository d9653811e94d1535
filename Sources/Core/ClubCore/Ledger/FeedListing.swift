// SPDX-License-Identifier: Apache-2.0

/// The result of one successful fetch of a club's feed: its pages joined, in the service's order, the newest first.
///
/// Pages overlap when activities enter while they are read; joining them leaves out the repetitions at seams. A
/// repetition in a listing therefore means two activities; a ledger assumes so until a later listing shows only one.
public struct FeedListing: Hashable, Sendable {
  /// The activities in the service's order, the newest first.
  public var activities: [Activity]
  /// True if the service had no more activities; false if the reading stopped at a limit of pages.
  public var isWhole: Bool
  /// The positions at which its pages begin, from 0, ascending; empty if unknown: pages then count as full. Services
  /// may send shorter ones.
  public var pageStarts: [Int]

  /// A listing.
  public init(activities: [Activity], isWhole: Bool, pageStarts: [Int] = []) {
    (self.activities, self.isWhole, self.pageStarts) = (activities, isWhole, pageStarts)
  }
}

/// The order of a service's listing, which decides how much a position proves.
public enum ListingOrder: Hashable, Codable, Sendable {
  /// By start over the whole listing: late uploads enter in the middle, and activities below started earlier.
  case byStart
  /// By upload over the whole listing: late uploads enter on top, and a position does not indicate the start.
  case byUpload
  /// By upload from page to page, and by start within a page of this many activities.
  ///
  /// Recorded pages of Strava's feed have this order. Of two first pages fetched 50 seconds apart, the later one has
  /// four new activities in its middle. The four that moved to the second page had been uploaded first; one of them had
  /// started 50 hours before its neighbours. Within each page the times from start to end ascend, as they do for
  /// activities uploaded within minutes and sorted by start.
  case byUploadInPages(of: Int)
}

extension ListingOrder {
  var isPaged: Bool { if case .byUploadInPages = self { true } else { false } }

  /// The alignment cost of a known activity that is missing above others: high if only a deletion explains it, low if
  /// newer uploads push out older ones.
  var costOfMissing: Int32 { isPaged ? 1 : 4 }

  /// The alignment cost of an unknown activity below a known one.
  var costOfIntruding: Int32 { isPaged ? 1 : 2 }

  /// True if an activity below another on its page started earlier.
  var placesTellStarts: Bool { self != .byUpload }
}

/// The pages of the positions of one listing.
struct ListingPages {
  /// The number of activities of a page if nothing else is known; `nil` where pages do not matter.
  private let size: Int?
  /// The positions at which the later pages begin; `nil` if only the size is known.
  private let seams: [Int]?
  private let count: Int

  /// The pages of a listing of `count` activities; `starts` is empty if the beginnings are unknown.
  init(_ order: ListingOrder, starts: [Int], count: Int) {
    if case .byUploadInPages(let size) = order { self.size = max(1, size) } else { size = nil }
    seams = starts.isEmpty ? nil : Set(starts.filter { $0 > 0 && $0 < count }).sorted()
    self.count = count
  }

  /// The page of a position, from 0; 0 where pages do not matter.
  func page(of index: Int) -> Int {
    guard let size else { return 0 }
    guard let seams else { return index / size }
    var (low, high) = (0, seams.count)
    while low < high {
      let middle = (low + high) / 2
      if seams[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The size of the first page, also of an incomplete one; `Int.max` where pages do not matter.
  var firstPageSize: Int {
    guard let size else { return .max }
    return seams.map { $0.first ?? max(size, count) } ?? size
  }

  /// The number of listed activities on the first page.
  var firstPage: Int { min(count, firstPageSize) }
}
