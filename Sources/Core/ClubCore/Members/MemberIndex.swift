// SPDX-License-Identifier: Apache-2.0

/// The places of members in an array by their hashes: a dictionary would keep every member a second time.
struct MemberIndex: Sendable {
  /// The hash's upper half above the place and one; zero where nothing is. At least half of them stay empty, and their
  /// number is a power of two.
  private var slots: [UInt64] = []
  private var count = 0

  /// Nobody.
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

  /// Makes room for so many members.
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
