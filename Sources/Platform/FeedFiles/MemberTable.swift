// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Tallies by the bytes of names: nearly every name is short, and equal bytes are equal names, so an activity with a
/// known spelling is counted without making a string. Spellings of one member are merged once, at the end.
struct MemberTable: Sendable {
  /// A short spelling of a member, padded with zero bytes, which no name has.
  struct Key: Equatable {
    /// The first eight bytes of the first name, and the next eight.
    var first: UInt64 = 0
    var second: UInt64 = 0
    var last: UInt64 = 0
    /// The token plus one, if it is a number; zero without a token.
    var token: UInt64 = 0
  }

  struct Entry {
    var key = Key()
    /// Decimetres.
    var distance = 0
    /// Seconds.
    var movingTime = 0
    /// Seconds.
    var elapsedTime = 0
    /// Decimetres.
    var elevation = 0
  }

  /// Activities that are counted together.
  struct Batch {
    static var capacity: Int { 32 }
    fileprivate(set) var entries = [32 of Entry](repeating: Entry())
    fileprivate(set) var count = 0

    var isFull: Bool { count == Self.capacity }

    /// Adds an activity; the batch must not be full.
    @inline(__always)
    mutating func append(_ entry: Entry) {
      entries[count] = entry
      count &+= 1
    }
  }

  struct Record {
    var key = Key()
    var tally = MemberTally()
  }

  /// The records, followed by empty ones for those that may come before the table grows.
  private(set) var records: [Record]
  private(set) var count = 0
  /// Slots by hash: the hash's upper half above the record's index plus one; zero if empty. Half of them stay empty.
  private var slots: [UInt64]
  /// A seed that differs between runs, so that nobody can choose colliding names. No output depends on it.
  let seed = UInt64(truncatingIfNeeded: Hasher().finalize())

  init() {
    (records, slots) = (Array(repeating: Record(), count: 512), Array(repeating: 0, count: 1024))
  }

  mutating func add(_ entry: Entry) {
    var batch = Batch()
    batch.append(entry)
    add(&batch)
  }

  /// Counts the activities of a batch and empties it.
  ///
  /// A large table is not in the cache, and speed depends on the number of cache lines loaded at a time: all hashes are
  /// looked up before any record.
  mutating func add(_ batch: inout Batch) {
    while records.count - count < batch.count { grow() }
    let (mask, seed) = (slots.count - 1, seed)
    var hashes = [32 of UInt64](repeating: 0)
    var found = [32 of UInt64](repeating: 0)
    for index in 0..<batch.count {
      hashes[index] = Self.hash(batch.entries[index].key, seed: seed)
      found[index] = slots[Int(truncatingIfNeeded: hashes[index]) & mask]
    }
    for index in 0..<batch.count {
      let entry = batch.entries[index]
      var place = Int(truncatingIfNeeded: found[index] & 0xFFFF_FFFF) &- 1
      if found[index] == 0 || found[index] >> 32 != hashes[index] >> 32 || records[place].key != entry.key {
        place = self.place(of: entry.key, hash: hashes[index])
      }
      records[place].tally.add(
        distance: entry.distance, movingTime: entry.movingTime, elapsedTime: entry.elapsedTime,
        elevation: entry.elevation)
    }
    batch.count = 0
  }

  mutating func merge(_ other: MemberTable) {
    for record in other.records.prefix(other.count) {
      if count == records.count { grow() }
      let place = place(of: record.key, hash: Self.hash(record.key, seed: seed))
      records[place].tally.merge(record.tally)
    }
  }

  /// The index of a spelling's record, which is created if it is missing; there must be room for it.
  private mutating func place(of key: Key, hash: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let place = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) &- 1
      if slots[slot] >> 32 == hash >> 32, records[place].key == key { return place }
      slot = (slot &+ 1) & mask
    }
    (slots[slot], records[count].key) = (Self.entry(hash, count), key)
    count += 1
    return count - 1
  }

  private mutating func grow() {
    records.append(contentsOf: repeatElement(Record(), count: records.count))
    slots = Array(repeating: 0, count: records.count * 2)
    for place in 0..<count {
      let hash = Self.hash(records[place].key, seed: seed)
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Self.entry(hash, place)
    }
  }

  @inline(__always)
  private static func hash(_ key: Key, seed: UInt64) -> UInt64 {
    var hash = (key.first ^ seed) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ (hash >> 32) ^ key.second) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 29) ^ key.last) &* 0x94D0_49BB_1331_11EB
    hash = (hash ^ (hash >> 32) ^ key.token) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ (hash >> 31)
  }

  @inline(__always)
  private static func entry(_ hash: UInt64, _ place: Int) -> UInt64 {
    (hash & 0xFFFF_FFFF_0000_0000) | UInt64(truncatingIfNeeded: place &+ 1)
  }
}

extension MemberTable.Key {
  /// The key of a member whose names and token are short enough; nil for others.
  init?(first: [UInt8], last: [UInt8], token: String?) {
    guard first.count <= 16, last.count <= 8, let names = PackedText(first.span, from: 0, to: first.count),
      let lasts = PackedText(last.span, from: 0, to: last.count)
    else { return nil }
    (self.first, second, self.last) = (names.low, names.middle, lasts.low)
    guard let token else { return }
    guard token.utf8.count <= 18, let number = UInt64(token), String(number) == token else { return nil }
    self.token = number + 1
  }

  var member: MemberIdentity {
    MemberIdentity(
      name: AthleteName(first: Self.text([first, second]), last: Self.text([last])),
      token: token == 0 ? nil : AthleteToken(String(token - 1)))
  }

  private static func text(_ words: [UInt64]) -> String {
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
