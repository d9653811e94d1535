// SPDX-License-Identifier: Apache-2.0

/// Members by consecutive indices, so that a tally of a million activities hashes each name once.
public struct Roster: Sendable {
  /// The index of a member in a roster; not valid in another one.
  public typealias Index = Int

  /// The members in the order of their first appearance.
  package private(set) var members: [MemberIdentity] = []
  private var indices = MemberIndex()
  /// All spellings in UTF-8 of members with several.
  private var spellings: [Index: Set<[UInt8]>] = [:]

  /// An empty roster.
  public init() {}

  /// The number of members.
  public var count: Int { members.count }

  mutating func reserveCapacity(_ count: Int) {
    members.reserveCapacity(count)
    indices.reserveCapacity(count)
  }

  /// The index of a member, who is added if necessary. The spelling that is kept does not depend on the order.
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

  /// The index of a known member; `nil` for others.
  public func existingIndex(of member: MemberIdentity) -> Index? { indices.position(of: member, in: members) }

  /// All spellings of a member, in the order of their characters; none for an unknown member. Two encodings of one
  /// spelling count once.
  package func spellings(of member: MemberIdentity) -> [String] {
    guard let index = existingIndex(of: member) else { return [] }
    guard let all = spellings[index] else { return [members[index].name.description] }
    let ordered = all.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    return ordered.reduce(into: []) { kept, spelling in
      if !kept.contains(spelling) { kept.append(spelling) }
    }
  }

  /// Adds the spellings of another roster whose members are all known here.
  mutating func learnSpellings(of other: Roster) {
    for (index, names) in other.spellings {
      guard let own = existingIndex(of: other.members[index]) else { continue }
      spellings[own, default: []].formUnion(names)
    }
  }
}

/// The indices of members in an array by their hashes; a dictionary would store every member a second time.
private struct MemberIndex: Sendable {
  /// The upper half of the hash, and below it the index plus one; zero for an empty slot. At least half of the slots
  /// are empty, and their number is a power of two.
  private var slots: [UInt64] = []
  private var count = 0

  init() {}

  /// The index of a known member; `nil` for others.
  func position(of member: MemberIdentity, in members: [MemberIdentity]) -> Int? {
    guard !slots.isEmpty else { return nil }
    let hash = Self.hash(member)
    var slot = Self.slot(hash, of: slots.count)
    while slots[slot] != 0 {
      let position = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) - 1
      if slots[slot] >> 32 == hash >> 32, members[position] == member { return position }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Assigns the next index to a new member.
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

  /// The first slot of a search: it uses the stored half of the hash, so that growing does not hash names again.
  private static func slot(_ hash: UInt64, of count: Int) -> Int { Int(truncatingIfNeeded: hash >> 32) & (count - 1) }
}
