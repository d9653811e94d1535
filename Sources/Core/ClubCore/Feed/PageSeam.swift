// SPDX-License-Identifier: Apache-2.0

/// What one reading of pages has in common with another, as multisets: within a page the service does not keep to the
/// order in which activities move from one page to the next, and one ride may be there several times.
struct PageContents {
  private var counts: [ActivityFingerprint: Int] = [:]

  init(_ activities: some Sequence<Activity>) {
    self.init(activities.map(ActivityFingerprint.init))
  }

  init(_ fingerprints: [ActivityFingerprint]) {
    for fingerprint in fingerprints { counts[fingerprint, default: 0] += 1 }
  }

  /// Takes an activity out; false where there is none like it.
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

  /// How many of the activities are here.
  func shared(with activities: [Activity]) -> Int { activities.count - lacking(activities).count }
}

/// How two readings of one page differ.
enum PageSeam {
  /// Whether two readings of a page are the same. Titles do not count: owners rename meanwhile.
  static func isSame(_ page: [Activity], _ other: [Activity]) -> Bool {
    page.count == other.count
      && zip(page, other).allSatisfy { ActivityFingerprint($0) == ActivityFingerprint($1) }
  }

  /// What remains of the pages before one when that one has only been pushed down: everything that is new in it came
  /// from them.
  ///
  /// - Parameters:
  ///   - before: What was read of the pages before.
  ///   - page: The page as it was.
  ///   - again: The page as it is now.
  /// - Returns: The places in `before` that are left; nil where something in the page came from elsewhere.
  static func pushedDown(_ before: [Activity], page: [Activity], again: [Activity]) -> [Int]? {
    let gained = PageContents(page).lacking(again)
    var taken = PageContents(gained)
    // From the end: what is pushed over a seam stood nearest to it, as far as the service keeps an order.
    let left = before.indices.reversed().filter { !taken.remove(ActivityFingerprint(before[$0])) }
    return before.count - left.count == gained.count ? left.reversed() : nil
  }
}
