// SPDX-License-Identifier: Apache-2.0

/// Which page each place of one listing lies on.
struct ListingPages: Hashable {
  /// How many activities a page has where nothing else is known; nil where pages mean nothing.
  private let size: Int?
  /// Where pages begin behind the first; nil where only their size is known.
  private let seams: [Int]?
  private let count: Int

  /// The pages of a listing.
  ///
  /// - Parameters:
  ///   - order: What a place in it proves.
  ///   - starts: Where its pages begin; empty where nobody knows.
  ///   - count: How many activities it has.
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
