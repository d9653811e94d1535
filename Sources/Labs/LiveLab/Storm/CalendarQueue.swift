// SPDX-License-Identifier: GPL-3.0-or-later

/// Up to a million pending attempts, at most one of each client, in the order of their moments.
///
/// A ring of days, each a list of the clients that are due in it, linked through an array; what lies beyond the ring
/// waits aside until the year has come round. Putting one in costs two memory accesses, whatever is in the queue, and
/// taking a day sorts only that day's. Source: Brown, "Calendar queues: a fast O(1) priority queue implementation for the
/// simulation event set problem", Communications of the ACM 31 (1988).
struct CalendarQueue {
  /// A client and when it is due, in nanoseconds.
  struct Entry {
    let moment: Int64
    let client: Int32
  }

  /// When a client is due, and who else is due on its day: side by side, since whoever reads one reads the other.
  private struct Place {
    var moment: Int64 = 0
    var next = CalendarQueue.none
  }

  /// A day has 2 to the power of this many nanoseconds.
  private let dayBits: Int64
  private var heads: [Int32]
  private var places: [Place]
  private var beyond: [Int32] = []
  private var day: Int64
  private var pending = 0

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - clients: How many clients there are.
  ///   - beginning: Nothing is due sooner, in nanoseconds, 0 or more.
  ///   - least: Nothing is put in that is due sooner than this after the moment of the entry taken last; at least 1 ms.
  init(clients: Int, beginning: Int64, least: Int64) {
    // Days no longer than that, so that nothing is put into a day that was taken already; a millisecond at the most, so
    // that a day's clients are sorted within the processor's cache even when a million come within a moment.
    dayBits = min(20, Int64(63 - max(1, least).leadingZeroBitCount))
    heads = Array(repeating: Self.none, count: Self.daysInYear)
    places = Array(repeating: Place(), count: clients)
    day = beginning >> dayBits
  }

  /// Puts a client in.
  mutating func insert(_ client: Int32, at moment: Int64) {
    pending += 1
    places[Int(client)].moment = moment
    place(client, moment)
  }

  /// Takes all that is due on the next day that has anything, in order; clients of one moment by their numbers.
  ///
  /// - Parameter entries: What is due replaces what was in it.
  /// - Returns: Whether there was anything.
  mutating func takeDay(into entries: inout [Entry]) -> Bool {
    entries.removeAll(keepingCapacity: true)
    guard pending > 0 else { return false }
    while entries.isEmpty {
      let slot = Int(day & Self.mask)
      var client = heads[slot]
      heads[slot] = Self.none
      while client != Self.none {
        let place = places[Int(client)]
        entries.append(Entry(moment: place.moment, client: client))
        client = place.next
      }
      day += 1
      if day & Self.mask == 0 { turnTheYear() }
    }
    entries.sort { ($0.moment, $0.client) < ($1.moment, $1.client) }
    pending -= entries.count
    return true
  }

  private mutating func turnTheYear() {
    let waiting = beyond
    beyond.removeAll(keepingCapacity: true)
    for client in waiting { place(client, places[Int(client)].moment) }
  }

  /// The ring holds the days up to the end of this year, and no other: a day's place is its number within the year.
  private mutating func place(_ client: Int32, _ moment: Int64) {
    let due = max(moment >> dayBits, day)
    guard due | Self.mask == day | Self.mask else { return beyond.append(client) }
    let slot = Int(due & Self.mask)
    places[Int(client)].next = heads[slot]
    heads[slot] = client
  }

  private static let none: Int32 = -1
  private static let daysInYear = 1 << 18
  private static let mask = Int64(daysInYear - 1)
}
