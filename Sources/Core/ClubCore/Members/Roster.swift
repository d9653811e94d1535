// SPDX-License-Identifier: Apache-2.0

/// Members by dense numbers, so that a tally of a million activities hashes no name twice.
public struct Roster: Sendable {
  /// A member's place in a roster: it means nothing in another one.
  public typealias Index = Int

  /// The members in the order in which they were met.
  public private(set) var members: [MemberIdentity] = []
  private var indices = MemberIndex()
  /// Every spelling, as UTF-8, of those who were met under several.
  private var spellings: [Index: Set<[UInt8]>] = [:]

  /// Nobody.
  public init() {}

  /// How many members there are.
  public var count: Int { members.count }

  /// Makes room for so many members.
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

  /// The place of a member; nil for one who has not joined.
  public func existingIndex(of member: MemberIdentity) -> Index? { indices.place(of: member, in: members) }

  /// Every spelling under which a member was met, in the order of their characters; none for one who has not joined.
  /// Two encodings of one spelling are one.
  public func spellings(of member: MemberIdentity) -> [String] {
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
