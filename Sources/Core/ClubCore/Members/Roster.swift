// SPDX-License-Identifier: Apache-2.0

/// Members by dense numbers, so that a tally of a million activities hashes no name twice.
public struct Roster: Sendable {
  /// A member's place in a roster: it means nothing in another one.
  public typealias Index = Int

  /// The members in the order in which they were met.
  package private(set) var members: [MemberIdentity] = []
  private var indices = MemberIndex()
  /// Every spelling, as UTF-8, of those who were met under several.
  private var spellings: [Index: Set<[UInt8]>] = [:]

  /// A roster of nobody.
  public init() {}

  /// How many members there are.
  public var count: Int { members.count }

  mutating func reserveCapacity(_ count: Int) {
    members.reserveCapacity(count)
    indices.reserveCapacity(count)
  }

  /// The place of a member, who joins if need be. The spelling that is kept does not depend on the order of meeting.
  ///
  /// - Complexity: O(1) on average.
  public mutating func index(of member: MemberIdentity) -> Index {
    if let index = existingIndex(of: member) {
      let kept = members[index]
      if !kept.name.isSpelt(like: member.name) {
        spellings[index, default: []].formUnion([kept, member].map { Array($0.name.description.utf8) })
        members[index] = kept.settled(with: member)
      }
      return index
    }
    indices.append(member)
    members.append(member)
    return members.count - 1
  }

  /// The index of a member who is in it; `nil` for anybody else.
  public func existingIndex(of member: MemberIdentity) -> Index? { indices.place(of: member, in: members) }

  /// Every spelling under which a member was met, in the order of their characters; none for one who has not joined.
  /// Two encodings of one spelling are one.
  package func spellings(of member: MemberIdentity) -> [String] {
    guard let index = existingIndex(of: member) else { return [] }
    guard let all = spellings[index] else { return [members[index].name.description] }
    let ordered = all.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    return ordered.reduce(into: []) { kept, spelling in
      if !kept.contains(spelling) { kept.append(spelling) }
    }
  }

  /// Learns the spellings of another roster, all of whose members have joined.
  mutating func learnSpellings(of other: Roster) {
    for (index, names) in other.spellings {
      guard let own = existingIndex(of: other.members[index]) else { continue }
      spellings[own, default: []].formUnion(names)
    }
  }
}

/// The places of members in an array by their hashes: a dictionary would keep every member a second time.
private struct MemberIndex: Sendable {
  /// The hash's upper half above the place and one; zero where nothing is. At least half of them stay empty, and their
  /// number is a power of two.
  private var slots: [UInt64] = []
  private var count = 0

  init() {}

  /// The place of a member among those whose places are here; nil for one who has none.
  func place(of member: MemberIdentity, in members: [MemberIdentity]) -> Int? {
    guard !slots.isEmpty else { return nil }
    let hash = Self.hash(member)
    var slot = Self.slot(hash, of: slots.count)
    while slots[slot] != 0 {
      let place = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) - 1
      if slots[slot] >> 32 == hash >> 32, members[place] == member { return place }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Gives the next place to a member who has none.
  mutating func append(_ member: MemberIdentity) {
    reserveCapacity(count + 1)
    put((Self.hash(member) & 0xFFFF_FFFF_0000_0000) | UInt64(count + 1))
    count += 1
  }

  mutating func reserveCapacity(_ members: Int) {
    guard members * 2 > slots.count else { return }
    var size = max(16, slots.count)
    while size < members * 2 { size *= 2 }
    let old = slots
    slots = Array(repeating: 0, count: size)
    for entry in old where entry != 0 { put(entry) }
  }

  private mutating func put(_ entry: UInt64) {
    var slot = Self.slot(entry, of: slots.count)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = entry
  }

  private static func hash(_ member: MemberIdentity) -> UInt64 { UInt64(bitPattern: Int64(member.hashValue)) }

  /// Where a search begins: by the half of the hash that is kept, so that growing hashes no name again.
  private static func slot(_ hash: UInt64, of count: Int) -> Int { Int(truncatingIfNeeded: hash >> 32) & (count - 1) }
}
