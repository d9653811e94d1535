// SPDX-License-Identifier: Apache-2.0

/// Members by dense numbers, so that a tally of a million activities hashes no name twice.
public struct Roster: Sendable {
  /// A member's place in a roster: it means nothing in another one.
  public typealias Index = Int

  /// The members in the order in which they were met.
  public private(set) var members: [MemberIdentity] = []
  private var indices: [MemberIdentity: Index] = [:]

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
    if let index = indices[member] {
      members[index] = members[index].settled(with: member)
      return index
    }
    indices[member] = members.count
    members.append(member)
    return members.count - 1
  }

  /// The place of a member; nil for one who has not joined.
  public func existingIndex(of member: MemberIdentity) -> Index? { indices[member] }
}
