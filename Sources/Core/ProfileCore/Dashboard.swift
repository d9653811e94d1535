// SPDX-License-Identifier: Apache-2.0

/// An event on a link or a contact of a profile's owner.
public struct DashboardEvent: Hashable, Codable, Sendable {
  /// The kind of event.
  public enum Kind: UInt8, CaseIterable, Codable, Sendable { case click, share, contact }

  /// The unique number of the event: an event that is received twice is counted once.
  public var id: UInt64
  /// The kind of event.
  public var kind: Kind
  /// The link, or the person added to the contacts.
  public var subject: UInt32
  /// The source of the event: an index into a table of the app.
  public var source: UInt8
  /// A hash of the visitor in 64 well-mixed bits.
  public var visitor: UInt64
  /// Seconds since 1970.
  public var seconds: Int64

  /// An event with all its parts.
  public init(id: UInt64, kind: Kind, subject: UInt32, source: UInt8, visitor: UInt64, seconds: Int64) {
    (self.id, self.kind, self.subject, self.source) = (id, kind, subject, source)
    (self.visitor, self.seconds) = (visitor, seconds)
  }
}

/// The offsets of a time zone from UTC; the app fills it with the transitions of its system.
public struct ZoneOffsets: Hashable, Sendable {
  private let starts: [Int64]
  private let offsets: [Int64]

  /// The offset of the earliest times and the later changes in any order; all in seconds.
  public init(_ first: Int64, changes: [(seconds: Int64, offset: Int64)] = []) {
    let sorted = changes.sorted { $0.seconds < $1.seconds }
    starts = sorted.map(\.seconds)
    offsets = [first] + sorted.map(\.offset)
  }

  /// The local date in the zone, in days from 1970-01-01.
  public func day(of seconds: Int64) -> Int32 {
    var index = starts.count
    while index > 0, seconds < starts[index - 1] { index -= 1 }
    let local = max(-0x1_0000_0000_0000, min(0x1_0000_0000_0000, seconds)) + offsets[index]
    return Int32(clamping: local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
  }
}

/// The counts that a dashboard shows, a commutative monoid: events may come late, twice, in any order and on any
/// device, and merging separately counted parts gives the same value, to the bit.
public struct DashboardTally: Hashable, Sendable {
  /// The events of a subject of one kind, from one source, on one day.
  public struct Cell: Hashable, Sendable, Comparable {
    /// The kind of event.
    public let kind: DashboardEvent.Kind
    /// The link, or the contact.
    public let subject: UInt32
    /// The index of the source.
    public let source: UInt8
    /// Days from 1970-01-01 on the owner's calendar.
    public let day: Int32

    /// Hashes a single word, because every event hashes a cell.
    public func hash(into hasher: inout Hasher) {
      let date = UInt64(UInt32(bitPattern: day) & 0xF_FFFF) << 12
      hasher.combine(UInt64(subject) << 32 | date | UInt64(source) << 2 | UInt64(kind.rawValue))
    }

    /// Orders by kind, subject, day and source.
    public static func < (one: Cell, other: Cell) -> Bool {
      (one.kind.rawValue, one.subject, one.day, one.source) < (
        other.kind.rawValue, other.subject, other.day, other.source
      )
    }
  }

  /// The cells of the counted events, by the events' numbers.
  private var seen: [UInt64: Cell] = [:]
  /// The number of events of each cell; empty cells are left out.
  public private(set) var counts: [Cell: Int] = [:]
  /// The distinct visitors of each link, by the link's number.
  public private(set) var visitors: [UInt32: DistinctCount] = [:]

  /// A tally without events.
  public init() {}

  /// The number of distinct events.
  public var events: Int { seen.count }

  /// Reserves storage for a number of events.
  public mutating func reserve(_ events: Int) { seen.reserveCapacity(events) }

  /// Counts an event unless it was counted before. Of contradictory events with the same number, the one with the first
  /// cell counts, in any order of arrival.
  public mutating func add(_ event: DashboardEvent, in zone: ZoneOffsets) {
    let cell = Cell(
      kind: event.kind, subject: event.subject, source: event.source, day: zone.day(of: event.seconds))
    guard note(event.id, cell) else { return }
    if event.kind == .click { visitors[event.subject, default: DistinctCount()].insert(event.visitor) }
  }

  private mutating func note(_ id: UInt64, _ cell: Cell) -> Bool {
    if let before = seen.updateValue(cell, forKey: id) {
      guard before != cell else { return false }
      seen[id] = min(before, cell)
      guard cell < before else { return true }
      counts[before] = counts[before].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
    counts[cell, default: 0] += 1
    return true
  }

  /// Adds the events of another tally; common events count once.
  public mutating func merge(_ other: DashboardTally) {
    for (id, cell) in other.seen { _ = note(id, cell) }
    for (subject, count) in other.visitors { visitors[subject, default: DistinctCount()].merge(count) }
  }

  /// The counts of a subject by day over all sources, the earliest first.
  public func days(of subject: UInt32, _ kind: DashboardEvent.Kind = .click) -> [(day: Int32, count: Int)] {
    sums(of: subject, kind) { $0.day }.map { (day: $0.0, count: $0.1) }
  }

  /// The counts of a subject by source, the lowest index first.
  public func sources(of subject: UInt32, _ kind: DashboardEvent.Kind = .click) -> [(source: UInt8, count: Int)] {
    sums(of: subject, kind) { $0.source }.map { (source: $0.0, count: $0.1) }
  }

  private func sums<Key: Hashable & Comparable>(
    of subject: UInt32, _ kind: DashboardEvent.Kind, by key: (Cell) -> Key
  ) -> [(Key, Int)] {
    var sums: [Key: Int] = [:]
    for (cell, count) in counts where cell.subject == subject && cell.kind == kind {
      sums[key(cell), default: 0] += count
    }
    return sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
