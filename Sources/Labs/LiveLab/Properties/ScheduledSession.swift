// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// A session that a property judges: what goes wrong in it, and the seed of everything else.
///
/// The two are drawn together, because they are made smaller together: which schedule is the smallest that fails would
/// otherwise depend on the seed with which the first one was found.
struct ScheduledSession: Sendable, CustomStringConvertible {
  let schedule: FaultSchedule
  let seed: Int

  var description: String { "\(schedule), seed \(seed)" }

  /// Drawn schedules with drawn seeds, and among them the simple ones with the first seed, to which all shrink that
  /// can.
  static func any() -> Gen<ScheduledSession> {
    let seeds = Gen<Int>.integers(in: 1...1_000)
    let drawn = zip(SchedulePlan.any(), seeds).map(ScheduledSession.init)
    let round = zip(Gen<FaultSchedule>.elements(of: SimpleSchedules.all), seeds).map(ScheduledSession.init)
    let simple = SimpleSchedules.all.map { (weight: 1, generator: Gen.just(ScheduledSession(schedule: $0, seed: 1))) }
    // One case in twenty is simple, three of the others in ten have a simple schedule with another seed.
    return .oneOf(weighted: simple + [(6 * simple.count, round), (13 * simple.count, drawn)])
  }
}
