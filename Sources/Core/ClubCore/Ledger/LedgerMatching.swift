// SPDX-License-Identifier: Apache-2.0

/// Which known activity each listed one is: first by place and fingerprint, then by fingerprint where places cannot
/// tell or have changed, last by resemblance where both lie between the same neighbours.
struct LedgerMatching {
  /// The places of a listing that are aligned at most; what lies below is matched by fingerprints alone.
  static let mostListed = 2000
  /// The known activities that are aligned at most.
  static let mostKnown = 4000

  let listing: [Activity]
  let prints: [ActivityFingerprint]
  /// The known entries, newest first.
  let known: [LedgerEntry]
  let order: ListingOrder
  /// For each listed activity the place in `known`.
  private(set) var knownOf: [Int?] = []
  /// For each known entry the place in the listing.
  private(set) var listedOf: [Int?] = []
  /// The places that the alignment found: ascending in both.
  private(set) var anchors: [Int?] = []

  init(_ listing: [Activity], prints: [ActivityFingerprint], known: [LedgerEntry], order: ListingOrder) {
    (self.listing, self.prints, self.known, self.order) = (listing, prints, known, order)
    align()
    knownOf = anchors
    listedOf = [Int?](repeating: nil, count: known.count)
    for (place, other) in anchors.enumerated() { if let other { listedOf[other] = place } }
    matchWithinSegments()
    matchMoved()
    matchEdited()
  }

  /// The last listed place that the alignment found; nil where nothing overlaps.
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
    let knownPart = known.prefix(Self.mostKnown)
    let alignment = SequenceAlignment(
      listed: prints.prefix(Self.mostListed).map(identity), known: knownPart.map { identity($0.fingerprint) },
      costs: knownPart.map { $0.standing == .listed ? 4 : 0 },
      worth: { [listing, known] place, other in
        let (new, old) = (listing[place], known[other].activity)
        guard Self.startsAgree(new, old) else { return nil }
        return SequenceAlignment.worth + (new.title == old.title ? SequenceAlignment.titleWorth : 0)
      })
    anchors = alignment.pairs()
    anchors += [Int?](repeating: nil, count: listing.count - anchors.count)
  }

  private static func startsAgree(_ left: Activity, _ right: Activity) -> Bool {
    guard let start = left.start, let other = right.start else { return true }
    return start == other
  }

  private func isSame(_ place: Int, _ other: Int) -> Bool {
    prints[place] == known[other].fingerprint && Self.startsAgree(listing[place], known[other].activity)
  }

  private mutating func pair(_ place: Int, _ other: Int) { (knownOf[place], listedOf[other]) = (other, place) }

  /// Equal fingerprints between the same two anchors: places do not contradict them. Without any anchor there is no
  /// overlap, and what is equal is so by chance.
  private mutating func matchWithinSegments() {
    guard lastAnchor != nil else { return }
    for (places, others) in segments() {
      var from = others.lowerBound
      for place in places {
        guard let other = (from..<others.upperBound).first(where: { listedOf[$0] == nil && isSame(place, $0) })
        else { continue }
        pair(place, other)
        from = other + 1
      }
    }
  }

  /// What lacks a partner between neighbouring anchors, where both sides have something.
  private func segments() -> [(listed: [Int], known: Range<Int>)] {
    var result: [(listed: [Int], known: Range<Int>)] = []
    var (open, from): ([Int], Int) = ([], 0)
    for place in 0...anchors.count {
      let other = place < anchors.count ? anchors[place] : known.count
      guard let other else {
        if knownOf[place] == nil { open.append(place) }
        continue
      }
      if !open.isEmpty, from < other { result.append((open, from..<other)) }
      (open, from) = ([], other + 1)
    }
    return result
  }

  /// Equal fingerprints whose places contradict each other. A ride that is missing from the midst of the listing while
  /// its equal appears elsewhere was uploaded again or got another start; one that left at the end while its equal
  /// appears is another ride.
  private mutating func matchMoved() {
    let open = listing.indices.filter { knownOf[$0] == nil }
    guard !open.isEmpty else { return }
    var candidates: [ActivityFingerprint: [Int]] = [:]
    for other in known.indices.reversed() where listedOf[other] == nil && known[other].standing == .listed {
      candidates[known[other].fingerprint, default: []].append(other)
    }
    let judge = VanishingJudge(self)
    for place in open {
      guard let others = candidates[prints[place]] else { continue }
      let movedDown = order.page(of: place) > 0
      guard let index = others.lastIndex(where: { (movedDown || judge.vanishedFromMidst($0)) && isSame(place, $0) })
      else { continue }
      pair(place, others[index])
      candidates[prints[place]]?.remove(at: index)
    }
  }

  /// Activities that resemble each other between the same two anchors: one of them was edited into the other.
  private mutating func matchEdited() {
    for (places, others) in segments() {
      let others = others.filter { listedOf[$0] == nil && known[$0].standing != .fallen }
      guard !others.isEmpty else { continue }
      var found: [(likeness: Int, place: Int, other: Int)] = []
      for place in places {
        for other in others {
          let likeness = Self.likeness(listing[place], known[other].activity)
          if likeness >= 4 { found.append((likeness, place, other)) }
        }
      }
      found.sort { ($1.likeness, $0.place, $0.other) < ($0.likeness, $1.place, $1.other) }
      for candidate in found where knownOf[candidate.place] == nil && listedOf[candidate.other] == nil {
        pair(candidate.place, candidate.other)
      }
    }
  }

  /// How much two activities resemble each other: 4 or more is taken for one of them edited. One member's ride keeps at
  /// least one quantity and its title or sport when the others are edited; a member who changed the name keeps all.
  static func likeness(_ left: Activity, _ right: Activity) -> Int {
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

/// Whether what is missing from a listing was taken out of it, or fell off its end.
struct VanishingJudge {
  private let order: ListingOrder
  private let known: [LedgerEntry]
  private let lastListed: Int?
  private let firstSeenListed: Moment?

  /// Judges by the places and moments of what is still listed.
  init(_ matching: LedgerMatching) {
    (order, known) = (matching.order, matching.known)
    lastListed = matching.listedOf.lastIndex { $0 != nil }
    firstSeenListed = zip(matching.known, matching.listedOf).lazy.filter { $0.1 != nil }.map(\.0.firstSeen).min()
  }

  /// Whether something that the service tells after it is still there. By start and by upload that is what lies
  /// below; by upload in pages it is what had been seen when the missing one was not yet there.
  func vanishedFromMidst(_ other: Int) -> Bool {
    switch order {
    case .byStart, .byUpload: lastListed.map { other < $0 } ?? false
    case .byUploadInPages:
      if let unseenAt = known[other].unseenAt, let firstSeenListed { firstSeenListed <= unseenAt } else { false }
    }
  }
}
