// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// A named kind of outage: what goes wrong, when, and how soon a client is to be back afterwards.
///
/// A profile is a recipe for sessions. Each session draws how many outages it has, which course each takes, and every
/// time and value within the profile's ranges, so that a session's random source alone says what happens in it.
package struct OutageProfile: Hashable, Sendable {
  /// Its name in scenarios, commands and reports.
  package var name: String
  /// What it stands for, in one sentence.
  package var meaning: String
  /// How soon the client is to be back and current, from when an attempt could have succeeded.
  package var limit: Interval
  /// What the limit is the sum of; empty where it was simply said.
  package let parts: [LimitPart]
  /// How long a session is at the least; it lasts until the last outage's limit is over.
  package var session: Interval
  /// When the first outage begins, in nanoseconds.
  package var first: Spread
  /// How many outages a session has.
  package var outages: Spread
  /// How long after the end of one outage and the limit the next begins, in nanoseconds.
  package var pause: Spread
  /// What holds from the beginning of the session to its end.
  package var always: [FaultPattern]
  /// The ways that an outage can go.
  package var courses: [OutageCourse]
  /// Where it comes from; nil for one composed of faults.
  var origin: ProfileOrigin?

  /// A profile whose limit is derived.
  init(
    name: String, meaning: String, limit parts: [LimitPart], first: Spread = Spread(60_000_000_000, 300_000_000_000),
    outages: Spread = Spread(1), pause: Spread = Spread(60_000_000_000, 300_000_000_000), always: [FaultPattern] = [],
    courses: [OutageCourse]
  ) {
    self.init(
      name: name, meaning: meaning, limit: LimitPart.sum(of: parts), parts: parts, first: first, outages: outages,
      pause: pause, always: always, courses: courses)
  }

  /// A profile, unchecked: `check` does.
  package init(
    name: String, meaning: String, limit: Interval, parts: [LimitPart] = [], session: Interval = .seconds(3_600),
    first: Spread = Spread(60_000_000_000, 300_000_000_000), outages: Spread = Spread(1),
    pause: Spread = Spread(60_000_000_000, 300_000_000_000), always: [FaultPattern] = [], courses: [OutageCourse]
  ) {
    (self.name, self.meaning, self.limit, self.parts) = (name, meaning, limit, parts)
    (self.session, self.first, self.outages, self.pause) = (session, first, outages, pause)
    (self.always, self.courses) = (always, courses)
  }

  /// How long after the last outage and its limit a session goes on, so that coming back late is seen as late.
  static let tail = Interval.seconds(30)

  /// Draws a session's faults. Whatever is drawn comes from `random`, and nothing is allocated once `schedule` has the
  /// room for a session's faults.
  ///
  /// - Parameters:
  ///   - schedule: What becomes the session's schedule; what it held before is forgotten.
  ///   - random: What is drawn from.
  package func draw(into schedule: inout FaultSchedule, using random: inout SessionRandom) {
    schedule.begin(duration: FaultSchedule.longest, limit: limit)
    for pattern in always {
      schedule.add(TimedFault(pattern.fault(using: &random), at: .zero, lasting: .forever))
    }
    let weights = courses.reduce(0) { $0 + UInt64($1.weight) }
    var (start, over) = (Instant.zero + first.time(using: &random), Instant.zero)
    for _ in 0..<(weights > 0 ? outages.draw(using: &random) : 0) {
      var drawn = courses.count > 1 ? random.below(weights) : 0
      var place = 0
      while drawn >= UInt64(courses[place].weight), place + 1 < courses.count {
        drawn -= UInt64(courses[place].weight)
        place += 1
      }
      over = max(over, courses[place].lay(into: &schedule, from: start, using: &random))
      start = over + limit + pause.time(using: &random)
    }
    let end = over - .zero + limit + Self.tail
    schedule.finish(duration: min(FaultSchedule.longest, max(session, end)))
  }

  /// A session's faults.
  ///
  /// - Parameter random: What is drawn from.
  /// - Returns: The schedule.
  package func schedule(using random: inout SessionRandom) -> FaultSchedule {
    var schedule = FaultSchedule()
    draw(into: &schedule, using: &random)
    return schedule
  }

  /// No session has more faults than this.
  package var mostFaults: Int { min(FaultSchedule.capacity, always.count + most { _ in true }) }

  /// No session has more faults in its outages that can break a connection: a client that is well is no more often
  /// without one, unless what holds for the whole session breaks it.
  package var mostBreaks: Int {
    min(FaultSchedule.capacity, most { $0.extremes.least.breaks || $0.extremes.most.breaks })
  }

  private func most(_ counts: (FaultPattern) -> Bool) -> Int {
    let most = courses.map { Int(clamping: $0.times.most) * $0.patterns.count(where: counts) }.max() ?? 0
    return Int(clamping: outages.most) * most
  }
}
