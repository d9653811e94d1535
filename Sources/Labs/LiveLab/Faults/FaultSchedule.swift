// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// What goes wrong in one session, and when: faults in the order in which they begin, and how long the session is.
///
/// Built by the checking initialiser, or by `begin`, `add` and `finish`, which keep the memory of the schedule before:
/// a generator that fills one schedule again and again allocates nothing after the first.
package struct FaultSchedule: Hashable, Sendable {
  /// The most faults that a schedule holds.
  package static let capacity = 256
  /// The longest session.
  package static let longest = Interval.seconds(31 * 86_400)

  /// The faults, in the order in which they begin. Of one kind at most one holds at a time.
  package private(set) var faults: [TimedFault] = []
  /// How long the session is.
  package private(set) var duration = Interval.zero
  /// How soon after it could have been the client is to be back and current; nil where nothing is asked for.
  package private(set) var limit: Interval?

  /// A session of no time in which nothing goes wrong, to be filled.
  package init() {}

  /// A schedule, checked.
  ///
  /// - Parameters:
  ///   - faults: What happens, in any order. One that begins while an earlier one of its kind holds replaces it.
  ///   - duration: How long the session is.
  ///   - limit: How soon after it could have been the client is to be back and current.
  /// - Throws: `LiveLabError` for a value that contradicts itself or another: it names the fault by its place.
  package init(_ faults: [TimedFault], duration: Interval, limit: Interval? = nil) throws(LiveLabError) {
    try Self.check(duration: duration, limit: limit, count: faults.count)
    begin(duration: duration, limit: limit)
    for (place, timed) in faults.enumerated() {
      try timed.check(within: duration, named: "fault \(place + 1), \(timed.fault.kind.rawValue)")
      add(timed)
    }
    finish()
  }

  static func check(duration: Interval, limit: Interval?, count: Int) throws(LiveLabError) {
    guard duration > .zero, duration <= longest else {
      throw .badValue(
        field: "duration", found: FaultText.text(duration),
        expected: "a time above 0 and up to \(FaultText.text(longest))")
    }
    if let limit, limit <= .zero || limit > longest {
      throw .badValue(
        field: "limit", found: FaultText.text(limit), expected: "a time above 0 and up to \(FaultText.text(longest))")
    }
    guard count <= capacity else {
      throw .badValue(field: "faults", found: "\(count)", expected: "at most \(capacity)")
    }
  }

  /// Begins anew, keeping the memory.
  ///
  /// - Parameters:
  ///   - duration: How long the session is.
  ///   - limit: How soon after it could have been the client is to be back and current.
  package mutating func begin(duration: Interval, limit: Interval? = nil) {
    (self.duration, self.limit) = (duration, limit)
    faults.removeAll(keepingCapacity: true)
  }

  /// Adds a fault, in any order. It is not checked; `finish` must follow the last.
  ///
  /// - Parameter fault: A fault of meaningful values.
  /// - Returns: Whether it was added: it is not when it begins outside the session, or the schedule is full.
  @discardableResult
  package mutating func add(_ fault: TimedFault) -> Bool {
    guard faults.count < Self.capacity, fault.at >= .zero, fault.at - .zero < duration else { return false }
    if faults.capacity == 0 { faults.reserveCapacity(32) }
    var place = faults.count
    while place > 0, faults[place - 1].at > fault.at { place -= 1 }
    faults.insert(fault, at: place)
    return true
  }

  /// Ends the building: what lasts beyond the session ends with it, and what lasts beyond the beginning of another of
  /// its kind ends there.
  ///
  /// - Parameter duration: How long the session is, where that is known only now; what begins later is left out.
  package mutating func finish(duration: Interval? = nil) {
    if let duration {
      self.duration = duration
      while let last = faults.last, last.at - .zero >= duration { faults.removeLast() }
    }
    let end = Instant.zero + self.duration
    for place in faults.indices {
      let timed = faults[place]
      guard timed.lasting > .zero else { continue }
      var over = min(timed.end, end)
      let kind = timed.fault.kind
      var later = place + 1
      while later < faults.count, faults[later].at < over {
        if faults[later].fault.kind == kind { over = faults[later].at }
        later += 1
      }
      faults[place].lasting = over - timed.at
    }
    // One that was replaced at its own beginning has never held.
    faults.removeAll { $0.lasting <= .zero && !$0.fault.kind.isMoment }
  }
}
