// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import SeededWords

/// The resolution of drawn dates.
public enum DateStep: Double, Sendable, Hashable, CaseIterable {
  /// Midnights in UTC.
  case days = 86_400
  /// Integer seconds.
  case seconds = 1
  /// Integer milliseconds.
  case milliseconds = 0.001

  /// The number of steps in a second; 1 for steps of a second or more.
  fileprivate var perSecond: Double { self == .milliseconds ? 1000 : 1 }
}

extension Gen where Value == Date {
  /// Dates, often those at which calendars and clocks go wrong.
  ///
  ///     Gen.dates()
  ///
  /// These are leap days, the ends of years, the switches of daylight saving time of any year, the epochs of several
  /// systems and the ends of their ranges, and leap seconds. Counterexamples shrink towards the start of the year 2000.
  ///
  /// - Parameters:
  ///   - range: The range of the dates; by default the years 1 to 4000.
  ///   - step: The resolution.
  ///   - constants: Dates of the code under test that are tried more often.
  /// - Returns: A generator of dates; every case is discarded when no step falls into the range.
  public static func dates(
    in range: ClosedRange<Date> = Date.distantPast...Date.distantFuture, every step: DateStep = .milliseconds,
    constants: [Date] = []
  ) -> Gen<Date> {
    let (first, last) = (
      steps(to: range.lowerBound, step).rounded(.up), steps(to: range.upperBound, step).rounded(.down)
    )
    guard first <= last else { return .impossible("dates(in:every:) has no whole \(step) between \(range)") }
    let edges = curiousSeconds.map { Date(timeIntervalSince1970: $0) } + constants
    @Sendable func ordered(_ date: Date) -> UInt64 {
      UInt64(bitPattern: Int64(min(max(steps(to: date, step).rounded(.down), first), last))) ^ 1 << 63
    }
    let domain = ChoiceEntry(
      tag: .integer, isSigned: true, lower: ordered(range.lowerBound), upper: ordered(range.upperBound),
      target: ordered(Date(timeIntervalSince1970: 946_684_800)))
    let constants = edges.filter(range.contains).map(ordered)
    return Gen(node: { draws in
      let index = try draws.choose(domain) { draws in
        guard draws.words.next() & 7 == 7, domain.upper > domain.lower else {
          return draws.randomInteger(domain, edges: constants)
        }
        return ordered(curiousDate(near: domain.lower &+ draws.below(domain.upper &- domain.lower), step, &draws))
      }
      let count = Double(Int64(bitPattern: index ^ 1 << 63))
      let seconds = step == .days ? count * 86_400 : count / step.perSecond
      return min(max(Date(timeIntervalSince1970: seconds), range.lowerBound), range.upperBound)
    })
  }

  /// A date up to 26 hours before a change of clocks or calendars, in the year of a random date.
  private static func curiousDate(near index: UInt64, _ step: DateStep, _ draws: inout ChoiceSource) -> Date {
    let count = Double(Int64(bitPattern: index ^ 1 << 63))
    let seconds = step == .days ? count * 86_400 : count / step.perSecond
    // The mean year of the Gregorian calendar, which is precise enough to find the year.
    let year = Int((seconds / 31_556_952).rounded(.down)) + 1970
    func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
      let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
      let era = (year >= 0 ? year : year - 399) / 400
      let yearOfEra = year - era * 400
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * month + 2) / 5 + day - 719_469
    }
    /// The first Sunday on or after a day; 1 January 1970 was a Thursday.
    func sunday(_ day: Int) -> Int { day + ((3 - day) % 7 + 7) % 7 }
    let changes = [
      sunday(days(year, 3, 25)), sunday(days(year, 10, 25)), sunday(days(year, 3, 8)), sunday(days(year, 11, 1)),
      days(year, 2, 28) + 1, days(year, 12, 31) + 1,
    ]
    let kind = Int(draws.words.below(UInt32(changes.count)))
    // Europe changes at 1:00 UTC, America from 6:00 to 10:00 UTC, calendars at midnight.
    let hour = kind < 2 ? 1 : kind < 4 ? 6 : 0
    let before = Double(draws.below(26 * 3600)) * (draws.words.next() & 3 == 0 ? 0 : 1)
    return Date(timeIntervalSince1970: Double(changes[kind] * 86_400 + hour * 3600) - before)
  }

  /// The steps from 1970 to a date, clamped to the range in which a double counts them exactly.
  private static func steps(to date: Date, _ step: DateStep) -> Double {
    let seconds = date.timeIntervalSince1970
    let count = step == .days ? seconds / 86_400 : seconds * step.perSecond
    return min(max(count, -0x1p53), 0x1p53)
  }

  /// Times at which calendars and clocks go wrong, in seconds since 1970.
  private static var curiousSeconds: [Double] {
    [
      0, -1, 2_147_483_647, 2_147_483_648, 4_294_967_296,  // the epoch of Unix, and where 31 and 32 bits end
      978_307_200, -2_208_988_800, 2_085_978_496,  // 2001, where Foundation counts from; 1900 and 2036, of NTP
      68_169_600, 951_782_400, 1_709_164_800, 1_709_251_199,  // 29 February of 1972, of 2000 and, twice, of 2024
      -2_203_891_201, -2_203_891_200, 4_107_542_399, 4_107_542_400,  // 1900 and 2100, which are no leap years
      946_684_799, 1_735_516_800, 1_735_689_599,  // the ends of 1999 and of 2024, whose last days are in week 1
      1_710_054_000, 1_711_846_800, 1_729_990_800, 1_730_613_600,  // the switches of daylight saving time of 2024
      1_483_228_799, 1_483_228_800,  // around the leap second of 2016
      -12_219_292_800, -62_135_596_800, 253_402_300_799,  // 1582, when the calendar changed; the years 1 and 9999
    ]
  }
}

extension Gen where Value == Duration {
  /// Durations of up to 292 years in integer nanoseconds, often one of a unit of time. Counterexamples shrink towards
  /// zero.
  ///
  ///     Gen.durations(in: .zero ... .seconds(60))
  public static func durations(
    in range: ClosedRange<Duration> = .zero ... .seconds(86_400), constants: [Duration] = []
  ) -> Gen<Duration> {
    let (first, last) = (nanoseconds(range.lowerBound, roundedUp: true), nanoseconds(range.upperBound))
    guard first <= last else { return .impossible("durations(in:) has no whole nanosecond between \(range)") }
    let units: [Int64] = [1_000, 1_000_000, 1_000_000_000, 60_000_000_000, 3_600_000_000_000, 86_400_000_000_000]
    let edges = units + units.map { -$0 } + units.map { $0 - 1 } + constants.map { nanoseconds($0) }
    return Gen<Int64>.integers(in: first...last, constants: edges).map { .nanoseconds($0) }
  }

  private static func nanoseconds(_ duration: Duration, roundedUp: Bool = false) -> Int64 {
    let (quotient, remainder) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let floor = quotient - (remainder < 0 ? 1 : 0)
    return Int64(clamping: floor + (roundedUp && remainder != 0 ? 1 : 0))
  }
}

/// The order in which concurrent jobs take their turns, as drawn by a property.
///
/// Whenever several jobs are ready, it chooses the next one. The simplest order is that of becoming ready;
/// counterexamples shrink towards it, so only the turns that matter remain.
///
/// ```swift
/// try await check(.turnOrders(), edits) { turns, edits in
///   try VirtualClock.run(choosing: turns.chooser()) { clock in … }
/// }
/// ```
public struct TurnOrder: Sendable, Hashable {
  /// The index of the next job at each turn, in the order of becoming ready; 0 for later turns.
  public let turns: [Int]

  /// Creates an order.
  public init(turns: [Int] = []) { self.turns = turns }

  /// Returns a function that gives the index of the next job at each turn, from the number of ready jobs.
  public func chooser() -> (_ count: Int) -> Int {
    var rest = turns[...]
    return { count in (rest.popFirst() ?? 0) % max(1, count) }
  }
}

extension Gen where Value == TurnOrder {
  /// Orders in which concurrent jobs take their turns.
  ///
  ///     Gen.turnOrders()
  ///
  /// After `turns` turns, the job that has been ready longest is next; only the first `width` of the ready jobs are
  /// chosen.
  public static func turnOrders(turns: Int = 40, width: Int = 8) -> Gen<TurnOrder> {
    Gen<[Int]>.arrays(of: .integers(in: 0...max(0, width - 1)), count: 0...max(0, turns)).map(TurnOrder.init(turns:))
  }
}

extension Gen where Value == DateInterval {
  /// Intervals between two dates of a range, of any length, including 0. Counterexamples shrink towards an empty one at
  /// the start of the year 2000.
  ///
  ///     Gen.dateIntervals()
  ///
  /// - Parameters:
  ///   - range: The range of both dates; by default the years 1 to 4000.
  ///   - step: The resolution of the start and of the length.
  /// - Returns: A generator of intervals; every case is discarded when no step falls into the range.
  public static func dateIntervals(
    in range: ClosedRange<Date> = Date.distantPast...Date.distantFuture, every step: DateStep = .milliseconds
  ) -> Gen<DateInterval> {
    let starts = Gen<Date>.dates(in: range, every: step)
    let unit = step == .days ? step.rawValue : 1 / step.perSecond
    return Gen(span: .tuple) { draws in
      let start = try starts.make(&draws)
      let room = UInt64(max(0, range.upperBound.timeIntervalSince(start) / unit))
      let length = Double(try Gen<UInt64>.integers(in: 0...room).make(&draws)) * unit
      return DateInterval(start: start, end: min(max(start, start + length), range.upperBound))
    }
  }
}
