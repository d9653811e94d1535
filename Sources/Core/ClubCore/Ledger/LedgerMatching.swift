// SPDX-License-Identifier: Apache-2.0

/// Matches the listed activities with the known ones: first by position and fingerprint, then by fingerprint where
/// positions are inconclusive or changed, last by similarity between the same neighbours.
struct LedgerMatching {
  /// The largest number of aligned listing positions; lower ones are matched by fingerprints alone.
  private static let maxListed = 2000
  /// The largest number of aligned known activities.
  private static let maxKnown = 4000

  let listing: [Activity]
  let prints: [ActivityFingerprint]
  let known: [LedgerEntry]
  let order: ListingOrder
  let pages: ListingPages
  let formerPages: ListingPages
  /// The index in `known` of each listed activity.
  private(set) var knownOf: [Int?] = []
  /// The listing position of each known entry.
  private(set) var listedOf: [Int?] = []
  /// The matches of the alignment, ascending on both sides.
  private(set) var anchors: [Int?] = []

  init(_ listing: FeedListing, prints: [ActivityFingerprint], known: [LedgerEntry], of ledger: WeekLedger) {
    (self.listing, self.prints, self.known, order) = (listing.activities, prints, known, ledger.order)
    pages = ListingPages(order, starts: listing.pageStarts, count: prints.count)
    formerPages = ListingPages(order, starts: ledger.lastPageStarts, count: ledger.lastCount)
    align()
    knownOf = anchors
    listedOf = [Int?](repeating: nil, count: known.count)
    for (position, other) in anchors.enumerated() { if let other { listedOf[other] = position } }
    matchWithinSegments()
    matchMoved()
    matchEdited()
    raiseNew()
  }

  /// The last listing position matched by the alignment; `nil` without an overlap.
  var lastAnchor: Int? { anchors.lastIndex { $0 != nil } }

  private mutating func align() {
    var identities: [ActivityFingerprint: Int32] = [:]
    identities.reserveCapacity(prints.count + known.count)
    func identity(_ print: ActivityFingerprint) -> Int32 {
      let next = Int32(truncatingIfNeeded: identities.count)
      if let found = identities[print] { return found }
      identities[print] = next
      return next
    }
    let listedIdentities = prints.prefix(Self.maxListed).map(identity)
    let knownIdentities = known.prefix(Self.maxKnown).map { identity($0.fingerprint) }
    anchors = [Int?](repeating: nil, count: listing.count)
    // Within a page, and separately over the later pages, the order of the remaining activities is constant; activities
    // pushed down over a seam are not in order with the others.
    let (seam, knownSeam) = (min(pages.firstPage, listedIdentities.count), firstKnownPage)
    for (positions, others) in [
      (0..<seam, 0..<min(knownSeam, knownIdentities.count)),
      (seam..<listedIdentities.count, min(knownSeam, knownIdentities.count)..<knownIdentities.count),
    ] where !positions.isEmpty && !others.isEmpty {
      let alignment = SequenceAlignment(
        listed: Array(listedIdentities[positions]), known: Array(knownIdentities[others]),
        costs: known[others].map { $0.standing == .listed ? order.costOfMissing : 0 },
        intruderCost: order.costOfIntruding,
        worth: { [listing, known] position, other in
          let (new, old) = (listing[positions.lowerBound + position], known[others.lowerBound + other].activity)
          guard Self.startsAgree(new, old) else { return nil }
          return SequenceAlignment.worth + (new.title == old.title ? SequenceAlignment.titleWorth : 0)
        })
      for (position, other) in zip(positions, alignment.pairs()) {
        anchors[position] = other.map { others.lowerBound + $0 }
      }
    }
  }

  /// The number of known entries on the former first page.
  private var firstKnownPage: Int {
    let size = formerPages.firstPageSize
    guard size < known.count else { return known.count }
    var count = 0
    for (other, entry) in known.enumerated() where entry.standing == .listed {
      if count == size { return other }
      count += 1
    }
    return listing.count > pages.firstPage ? size : known.count
  }

  private static func startsAgree(_ left: Activity, _ right: Activity) -> Bool {
    guard let start = left.start, let other = right.start else { return true }
    return start == other
  }

  private func isSame(_ position: Int, _ other: Int) -> Bool {
    prints[position] == known[other].fingerprint && Self.startsAgree(listing[position], known[other].activity)
  }

  private mutating func pair(_ position: Int, _ other: Int) { (knownOf[position], listedOf[other]) = (other, position) }

  /// Matches equal fingerprints between the same two anchors, where positions do not contradict them. Without an anchor
  /// there is no overlap, and equal fingerprints are a coincidence.
  private mutating func matchWithinSegments() {
    guard lastAnchor != nil else { return }
    for (positions, others) in segments() {
      var from = others.lowerBound
      for position in positions {
        guard let other = (from..<others.upperBound).first(where: { listedOf[$0] == nil && isSame(position, $0) })
        else { continue }
        pair(position, other)
        from = other + 1
      }
    }
  }

  /// The unmatched activities between neighbouring anchors where both sides have some.
  private func segments() -> [(listed: [Int], known: Range<Int>)] {
    var result: [(listed: [Int], known: Range<Int>)] = []
    var (open, from): ([Int], Int) = ([], 0)
    for position in 0...anchors.count {
      let other = position < anchors.count ? anchors[position] : known.count
      guard let other else {
        if knownOf[position] == nil { open.append(position) }
        continue
      }
      if !open.isEmpty, from < other { result.append((open, from..<other)) }
      (open, from) = ([], other + 1)
    }
    return result
  }

  /// Matches equal fingerprints whose positions contradict each other. A ride missing from the middle of the listing
  /// while its equal appears elsewhere was uploaded again or got another start; one that left at the end while its
  /// equal appears is another ride. New activities are on the first page, so one that appears on another page is an old
  /// one.
  private mutating func matchMoved() {
    let open = listing.indices.filter { knownOf[$0] == nil }
    guard !open.isEmpty else { return }
    var candidates: [ActivityFingerprint: [Int]] = [:]
    // The first page has all new activities only if it has a known one.
    let firstHasAllNew = order.isPaged && knownOf.prefix(pages.firstPage).contains { $0 != nil }
    // The last candidate is tried first, and listed ones before others.
    for isListed in firstHasAllNew ? [false, true] : [true] {
      for other in known.indices.reversed()
      where listedOf[other] == nil && (known[other].standing == .listed) == isListed {
        candidates[known[other].fingerprint, default: []].append(other)
      }
    }
    guard open.contains(where: { candidates[prints[$0]] != nil }) else { return }
    let vanishing = VanishingCheck(self)
    let seams = order.isPaged ? PageSeams(self) : nil
    for position in open {
      guard let others = candidates[prints[position]] else { continue }
      let index = others.lastIndex { other in
        guard isSame(position, other) else { return false }
        guard known[other].standing == .listed else { return pages.page(of: position) > 0 }
        return seams?.mayMove(other, to: position) ?? false || vanishing.vanishedFromMidst(other)
      }
      guard let index else { continue }
      pair(position, others[index])
      candidates[prints[position]]?.remove(at: index)
    }
  }

  /// Among equal activities on several pages, the new ones are on the first page; this affects only their dating.
  private mutating func raiseNew() {
    guard order.isPaged else { return }
    var above: [ActivityFingerprint: [Int]] = [:]
    for position in listing.indices.prefix(pages.firstPage) where knownOf[position] != nil {
      above[prints[position], default: []].append(position)
    }
    for position in listing.indices.dropFirst(pages.firstPage) where knownOf[position] == nil {
      guard let upper = above[prints[position]]?.popLast(), let other = knownOf[upper] else { continue }
      (knownOf[upper], anchors[upper]) = (nil, nil)
      pair(position, other)
    }
  }

  /// Matches similar activities between the same two anchors: one was edited into the other. Activities pushed down
  /// over a seam between pages have other neighbours there.
  private mutating func matchEdited() {
    for (positions, others) in segments() { pairResembling(positions, Array(others)) { _, _ in true } }
    guard order.isPaged else { return }
    let open = listing.indices.filter { knownOf[$0] == nil }
    guard !open.isEmpty else { return }
    let (vanishing, seams) = (VanishingCheck(self), PageSeams(self))
    pairResembling(open, Array(known.indices)) { [pages] other, position in
      seams.mayMove(other, to: position) && pages.page(of: position) > 0 || vanishing.vanishedFromMidst(other)
    }
  }

  private mutating func pairResembling(
    _ positions: [Int], _ others: [Int], where mayBe: (_ other: Int, _ position: Int) -> Bool
  ) {
    let others = others.filter { listedOf[$0] == nil && known[$0].standing != .fallen }
    guard !others.isEmpty else { return }
    var found: [(likeness: Int, position: Int, other: Int)] = []
    for position in positions where knownOf[position] == nil {
      // An equal activity that was not matched before is another ride.
      for other in others where prints[position] != known[other].fingerprint {
        let likeness = Self.likeness(listing[position], known[other].activity)
        if likeness >= 4, mayBe(other, position) { found.append((likeness, position, other)) }
      }
    }
    found.sort { ($1.likeness, $0.position, $0.other) < ($0.likeness, $1.position, $1.other) }
    for candidate in found where knownOf[candidate.position] == nil && listedOf[candidate.other] == nil {
      pair(candidate.position, candidate.other)
    }
  }

  /// The similarity of two activities; 4 or more means that one was edited into the other: it kept one quantity and its
  /// title or sport, or after a change of the member's name all of them.
  private static func likeness(_ left: Activity, _ right: Activity) -> Int {
    guard startsAgree(left, right) else { return 0 }
    var quantities = 0
    if left.distance == right.distance, left.distance > .zero { quantities += 1 }
    if left.movingTime == right.movingTime, left.movingTime > 0 { quantities += 1 }
    if left.elapsedTime == right.elapsedTime, left.elapsedTime > 0 { quantities += 1 }
    let title = left.title == right.title ? 1 : 0
    guard left.member == right.member else { return quantities == 3 && title == 1 ? 4 : 0 }
    guard quantities > 0 else { return 0 }
    return quantities * 2 + title + (left.sport == right.sport ? 1 : 0)
  }
}

/// The seams over which activities were pushed down since the previous listing, and the former page of each known one.
private struct PageSeams {
  private let present: ListingPages
  private let former: [Int]
  /// For each seam, by the page above it, whether an activity was pushed down over it; then none came up.
  private var isPushed: [Bool]

  init(_ matching: LedgerMatching) {
    present = matching.pages
    var count = 0
    former = matching.known.map { [before = matching.formerPages] entry in
      count += entry.standing == .listed ? 1 : 0
      return before.page(of: max(0, count - 1))
    }
    let pages = max(former.last ?? 0, present.page(of: max(0, matching.listing.count - 1)))
    isPushed = [Bool](repeating: false, count: pages + 1)
    let ways = Self.ways(matching, former: former, seams: pages + 1)
    // Fewer equal activities above a seam than before, and as many in total: one was pushed down over it, or one above
    // was deleted while another returned at the end, which pulls up the activities below.
    var surplus: [ActivityFingerprint: [Int]] = [:]
    let none = [Int](repeating: 0, count: pages + 2)
    for (other, entry) in matching.known.enumerated() where entry.standing == .listed {
      surplus[entry.fingerprint, default: none][former[other]] -= 1
    }
    for (position, print) in matching.prints.enumerated() {
      surplus[print, default: none][present.page(of: position)] += 1
    }
    for counts in surplus.values where counts.reduce(0, +) >= 0 {
      var above = 0
      for page in 0...pages {
        above += counts[page]
        if above < 0 && ways[page] != .up { isPushed[page] = true }
      }
    }
    for (seam, way) in ways.enumerated() where way == .down { isPushed[seam] = true }
  }

  private enum Way {
    case up
    case down
  }

  /// The direction in which unique activities crossed each seam, or the nearest seam with such activities; `nil`
  /// without any.
  private static func ways(_ matching: LedgerMatching, former: [Int], seams: Int) -> [Way?] {
    var (known, listed): ([ActivityFingerprint: [Int]], [ActivityFingerprint: [Int]]) = ([:], [:])
    for (other, entry) in matching.known.enumerated() { known[entry.fingerprint, default: []].append(other) }
    for (position, print) in matching.prints.enumerated() { listed[print, default: []].append(position) }
    var ways = [Way?](repeating: nil, count: seams)
    for (print, positions) in listed {
      guard positions.count == 1, let others = known[print], others.count == 1 else { continue }
      let (other, to) = (others[0], matching.pages.page(of: positions[0]))
      switch matching.known[other].standing {
      case .listed:
        let from = former[other]
        for seam in min(from, to)..<max(from, to) where ways[seam] != .down { ways[seam] = to > from ? .down : .up }
      case .fallen:
        // The last seam is the end of the listing.
        if ways[seams - 1] != .down { ways[seams - 1] = .up }
      case .gone: break
      }
    }
    return ways.indices.map { seam in
      for distance in 0..<seams {
        for other in [seam + distance, seam - distance] where ways.indices.contains(other) {
          if let way = ways[other] { return distance == 0 || way == .up ? way : nil }
        }
      }
      return nil
    }
  }

  /// Returns true if the activity of a former position may be at a new one.
  func mayMove(_ other: Int, to position: Int) -> Bool {
    let (from, to) = (former[other], present.page(of: position))
    // Within the first page the alignment has decided.
    return to < from ? !isPushed[to..<from].contains(true) : to > 0
  }
}

/// Decides whether a missing activity was removed from the listing, or left it at its end.
struct VanishingCheck {
  private let order: ListingOrder
  private let known: [LedgerEntry]
  private let lastListed: Int?
  /// The time by which enough of the listed activities had been seen to prove a removal; `nil` for too few.
  private let provenAt: Moment?
  /// For each shared fingerprint, the first time at which none of its activities had been seen.
  private let unseenAt: [ActivityFingerprint: Moment?]

  init(_ matching: LedgerMatching) {
    (order, known) = (matching.order, matching.known)
    lastListed = matching.listedOf.lastIndex { $0 != nil }
    guard order.isPaged else {
      (provenAt, unseenAt) = (nil, [:])
      return
    }
    var unseenAt: [ActivityFingerprint: Moment?] = [:]
    var shared: Set<ActivityFingerprint> = []
    for entry in known where entry.standing == .listed {
      guard let other = unseenAt[entry.fingerprint] else {
        unseenAt[entry.fingerprint] = .some(entry.unseenAt)
        continue
      }
      shared.insert(entry.fingerprint)
      unseenAt[entry.fingerprint] = .some(other.flatMap { other in entry.unseenAt.map { min($0, other) } })
    }
    let observed = zip(known, matching.listedOf)
      .filter { $0.1 != nil && !shared.contains($0.0.fingerprint) }.map(\.0.firstSeen).sorted()
    let needed = 2 + matching.listing.count / 16
    provenAt = needed <= observed.count ? observed[needed - 1] : nil
    self.unseenAt = unseenAt
  }

  /// Returns true if an activity that the service lists after a missing one is still there.
  ///
  /// By start and by upload these are the activities below it. By upload in pages they are the activities seen before
  /// the missing one appeared, and one of them is not enough: an activity hidden at first seems newer than it is, and
  /// of equal ones it is unknown which one is missing.
  func vanishedFromMidst(_ other: Int) -> Bool {
    guard order.isPaged else { return lastListed.map { other < $0 } ?? false }
    guard let provenAt, known[other].standing == .listed, let unseenAt = unseenAt[known[other].fingerprint] ?? nil
    else { return false }
    return provenAt <= unseenAt
  }
}

/// The best overlap of a listing with the known activities, both newest first.
///
/// Dynamic programming over both sequences, after Needleman and Wunsch, "A General Method Applicable to the Search for
/// Similarities in the Amino Acid Sequence of Two Proteins" (1970), with free ends as for overlaps: new activities
/// above the first common one, and activities that left below the last, cost nothing. All others without a partner have
/// a cost, so that a chance similarity across many others is not matched.
struct SequenceAlignment {
  static let worth: Int32 = 20
  /// The worth of equal titles, which decides between otherwise equal activities.
  static let titleWorth: Int32 = 1
  let listed: [Int32]
  let known: [Int32]
  /// The cost of leaving out each known activity.
  let costs: [Int32]
  /// The cost of an unknown listed activity below a known one.
  let intruderCost: Int32
  /// The worth of a pair of equal identities; `nil` if data outside the identities differ.
  let worth: (_ listed: Int, _ known: Int) -> Int32?

  private enum Move: UInt8 {
    case pair
    case skipListed
    case skipKnown
  }

  /// For each listed activity the index of its known one, ascending; `nil` if there is none.
  ///
  /// - Complexity: O(listed * known) in time and in bytes.
  func pairs() -> [Int?] {
    let width = known.count + 1
    var moves = [UInt8](repeating: Move.skipListed.rawValue, count: (listed.count + 1) * width)
    var scores = [Int32](repeating: 0, count: width)
    for position in known.indices { scores[position + 1] = scores[position] - costs[position] }
    // The best score so far with all known activities consumed; the rest of the listing lies below them.
    var bestAtEdge: (score: Int32, row: Int) = (scores[known.count], 0)
    for row in listed.indices {
      fill(row, &scores, &moves)
      // Without the last row, which is compared below and wins ties: new activities are above, not below.
      if row + 1 < listed.count, scores[known.count] > bestAtEdge.score {
        bestAtEdge = (scores[known.count], row + 1)
      }
    }
    let bestInLast = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
    // A title alone does not place new activities below: a renamed ride with a new twin would seem to be the new one.
    let atEdge = bestAtEdge.score > scores[bestInLast] + Self.titleWorth
    return path(
      moves, width: width, row: atEdge ? bestAtEdge.row : listed.count, column: atEdge ? known.count : bestInLast)
  }

  private func fill(_ row: Int, _ scores: inout [Int32], _ moves: inout [UInt8]) {
    let identity = listed[row]
    var (diagonal, left) = (scores[0], scores[0])
    let base = (row + 1) * scores.count
    for position in known.indices {
      let above = scores[position + 1]
      var (best, move) = (left - costs[position], Move.skipKnown)
      let intruding = above - intruderCost
      if intruding > best { (best, move) = (intruding, .skipListed) }
      if known[position] == identity, let worth = worth(row, position), diagonal + worth >= best {
        (best, move) = (diagonal + worth, .pair)
      }
      moves[base + position + 1] = move.rawValue
      scores[position + 1] = best
      (diagonal, left) = (above, best)
    }
  }

  private func path(_ moves: [UInt8], width: Int, row: Int, column: Int) -> [Int?] {
    var result = [Int?](repeating: nil, count: listed.count)
    var (row, column) = (row, column)
    while row > 0, column > 0 {
      switch Move(rawValue: moves[row * width + column]) {
      case .pair:
        (row, column) = (row - 1, column - 1)
        result[row] = column
      case .skipKnown: column -= 1
      case .skipListed, nil: row -= 1
      }
    }
    return result
  }
}
