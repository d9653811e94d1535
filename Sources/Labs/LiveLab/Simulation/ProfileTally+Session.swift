// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// Room to sort a session's outages by cause, kept from session to session so that judging one allocates nothing.
struct JudgingRoom {
  fileprivate var returns: [Interval] = []
  fileprivate var trials = [Int](repeating: 0, count: OutageCause.count)
  fileprivate var hits = [Int](repeating: 0, count: OutageCause.count)
}

extension ProfileTally {
  /// The most outages of one session that are judged: the first ones. Bounds that hold at all times need to know it, and
  /// are the narrower the fewer they are; a client that is well loses its connection no more often than it is hit.
  static func mostJudged(of profile: OutageProfile) -> Int { min(32, max(4, profile.mostFaults)) }

  /// Judges the outages of a session.
  ///
  /// An outage is judged by how long after it could have been the client was back. It is left out where it never could
  /// have been, and where the limit would be over after the session: by when it began to be possible, not by how it
  /// ended, so that long ones are not left out more often than short ones.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - seed: Its seed.
  ///   - result: What came of it.
  ///   - schedule: The faults it had.
  ///   - limit: How soon the client is to be back.
  ///   - most: How many outages are judged at the most.
  ///   - room: Room to work in.
  mutating func add(
    session: Int, seed: UInt32, _ result: borrowing SessionResult, _ schedule: borrowing FaultSchedule,
    limit: Interval, most: Int, room: inout JudgingRoom
  ) {
    sessions += 1
    counts.add(result)
    room.returns.removeAll(keepingCapacity: true)
    var (lost, good, judged) = (0, 0, 0)
    let end = Instant.zero + result.duration
    for index in result.outages.indices {
      let outage = result.outages[index]
      // The first connection of a session is no reconnection, and what the app ended is no outage.
      if outage.fault < 0 && outage.began == .zero || outage.began >= end { continue }
      if outage.possible == .never {
        hopeless += 1
        continue
      }
      if end - outage.possible < limit {
        late += 1
        continue
      }
      let cause = Self.cause(of: outage, in: schedule)
      let place = cause.place
      guard judged < most else { break }
      let time = outage.timeToReturn
      let isGood = time.map { $0 <= limit } ?? false
      judged += 1
      room.trials[place] += 1
      if let time {
        room.returns.append(time)
        causes[place].times.add(Int(time.nanoseconds / ReturnTimes.unit.nanoseconds))
      } else {
        lost += 1
      }
      if isGood {
        good += 1
        room.hits[place] += 1
      } else if judged - good == 1 {
        failures.add(SessionFailure(session: session, seed: seed, .notBack(outage, cause)))
      }
    }
    if good < judged { troubledSessions += 1 }
    success.add(hits: good, of: judged)
    returns.add(&room.returns, lost: lost)
    guard judged > 0 else { return }
    for place in room.trials.indices where room.trials[place] > 0 {
      causes[place].success.add(hits: room.hits[place], of: room.trials[place])
      (room.hits[place], room.trials[place]) = (0, 0)
    }
  }

  /// Notes what the watch over a session found.
  mutating func add(session: Int, seed: UInt32, breach: Breach?, breached: InvariantSet) {
    guard let breach else { return }
    brokenSessions += 1
    for invariant in breached.all { breaches[Int(invariant.rawValue)] += 1 }
    failures.add(SessionFailure(session: session, seed: seed, .breach(breach)))
  }

  private static func cause(of outage: Outage, in schedule: borrowing FaultSchedule) -> OutageCause {
    let faults = schedule.faults
    return faults.indices.contains(outage.fault) ? .fault(faults[outage.fault].fault.kind) : .none
  }
}
