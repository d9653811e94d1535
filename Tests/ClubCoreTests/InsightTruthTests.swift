// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Insights tell the truth")
struct InsightTruthTests {
  @Test("every claim of every sentence follows from the raw activities of small clubs", arguments: 0..<40)
  func everyClaim(block: Int) {
    var untrue: [String] = []
    for seed in block * 100..<(block + 1) * 100 {
      let club = SmallClub(seed: UInt64(seed))
      let truth = InsightTruth(club)
      let insights = Insights(history: club.history, week: club.week, member: club.member)
      for mode in InsightMode.allCases {
        let found = insights.insights(mode)
        if found.isEmpty || Set(found.map(\.kind)).count < found.count { untrue.append("\(seed) \(mode): \(found)") }
        for insight in found {
          let ends = insight.sentence.hasSuffix(".") && !insight.sentence.hasSuffix("..")
          if !ends || !truth.confirms(insight, mode) { untrue.append("\(seed) \(mode): \(insight)") }
        }
      }
    }
    #expect(untrue == [])
  }

  @Test("small clubs bring up every kind of insight")
  func everyKind() {
    var kinds = Set<String>()
    for seed in 0..<800 {
      let club = SmallClub(seed: UInt64(seed))
      let insights = Insights(history: club.history, week: club.week, member: club.member)
      for mode in InsightMode.allCases { kinds.formUnion(insights.insights(mode).map(\.kind.name)) }
    }
    #expect(
      kinds.sorted() == [
        "againstUsual", "amount", "climbing", "closing", "constancy", "gap", "gapToThird", "inTopThree", "inactive",
        "lead", "longest", "makingUp", "nextRide", "noPreviousWeek", "noThird", "onlyMember", "personalBest", "rank",
        "ranks", "streak", "strength", "weekOverWeek", "weekUnknown",
      ])
  }
}

extension InsightTruth {
  /// Returns true if an insight's sentence and numbers follow from the raw activities.
  func confirms(_ insight: Insight, _ mode: InsightMode) -> Bool {
    let (sentence, numbers) = (insight.sentence, Self.numbers(insight.sentence))
    switch insight.kind {
    case .weekUnknown: return !known.contains(week) && Self.weeks(sentence) == ["\(week)"]
    case .inactive(let last):
      return club.rides(member, week).isEmpty && last == activeBefore.last
        && Self.weeks(sentence) == last.map { ["\($0)"] } ?? []
    case .amount(let metric, _, let share): return confirmsAmount(metric, share: share != nil, numbers)
    case .longest:
      let lengths = club.rides(member, week).map(\.distance.kilometres)
      return lengths.count > 1 && Self.shows(numbers[0], lengths.max() ?? -1)
    case .onlyMember: return active == [member]
    case .noPreviousWeek: return !club.weeks.contains { $0.week == week.previous }
    case .rank(let metric, let rank, let among, let tied):
      return confirmsRank(metric, rank, among, tied, sentence)
    case .weekOverWeek(let metric, _, _, let trend): return confirmsChange(metric, trend, sentence, numbers)
    case .personalBest(let best): return confirmsBest(best, sentence, numbers)
    case .streak(let weeks, let isWhole): return confirmsStreak(weeks, isWhole, numbers)
    case .constancy(let count, let all):
      let weeks = known.count { !club.rides(member, $0).isEmpty }
      return count == weeks && all == known.count && all > 1 && numbers == [Double(count), Double(all)]
    default: return confirmsComparison(insight) ?? confirmsUsual(insight) ?? false
    }
  }

  private func confirmsAmount(_ metric: Metric, share: Bool, _ numbers: [Double]) -> Bool {
    guard let value = value(metric, member, week), Self.shows(numbers[0], value, unit: Self.unit(metric)) else {
      return false
    }
    let total = active.reduce(0) { $0 + (self.value(metric, $1, week) ?? 0) }
    guard numbers.count > 1 else { return metric == .speed || active == [member] || total == 0 }
    return share && metric != .speed && active.count > 1 && Self.shows(numbers[1], value / total * 100)
  }

  private func confirmsRank(
    _ metric: Metric, _ rank: Int, _ among: Int, _ tied: [MemberIdentity], _ sentence: String
  ) -> Bool {
    guard let own = value(metric, member, week), active.count > 1 else { return false }
    let level = active.filter { other in
      other != member && value(metric, other, week).map { abs($0 - own) < 1e-9 } ?? false
    }
    let named = level.allSatisfy { sentence.contains($0.name.shown()) }
    return rank == self.rank(metric, member, week) && tied == level
      && among == active.count { value(metric, $0, week) != nil }
      && sentence.contains(rank == 1 ? "came first of \(among) by" : "came #\(rank) of \(among) by")
      && (rank == 1 || level.count <= 3 ? named : sentence.hasSuffix("level with \(level.count) others."))
  }

  private func confirmsChange(_ metric: Metric, _ trend: Trend, _ sentence: String, _ numbers: [Double]) -> Bool {
    guard club.weeks.contains(where: { $0.week == week.previous }) else { return false }
    let (now, last) = (value(metric, member, week) ?? 0, value(metric, member, week.previous) ?? 0)
    let unit = Self.unit(metric)
    let change = last > 0 ? (now - last) / last * 100 : 0
    switch trend.direction {
    case .new: return last == 0 && now > 0 && Self.shows(numbers[0], now, unit: unit) && numbers.count == 1
    case .gone: return last > 0 && now == 0 && Self.shows(numbers[0], last, unit: unit) && numbers.count == 1
    case .up, .down:
      return (trend.direction == .up ? change > 10 - 1e-9 : change < -10 + 1e-9)
        && sentence.contains(change > 0 ? "rose by" : "fell by") && Self.shows(numbers[0], abs(change))
        && Self.shows(numbers[1], last, unit: unit) && Self.shows(numbers[2], now, unit: unit)
    case .flat:
      guard abs(change) <= 10 + 1e-9, Self.shows(numbers[0], now, unit: unit) else { return false }
      if sentence.contains("stayed at") { return abs(now - last) < 1e-9 }
      return Self.shows(numbers[1], last, unit: unit) && Self.shows(numbers[2], abs(change))
        && (abs(change) < 0.05 || sentence.contains(change > 0 ? "(+" : "(-"))
    }
  }

  private func confirmsBest(_ best: PersonalBest, _ sentence: String, _ numbers: [Double]) -> Bool {
    func record(_ week: Week) -> Double? {
      switch best.record {
      case .metric(let metric): value(metric, member, week)
      case .longest: club.rides(member, week).map(\.distance.kilometres).max()
      }
    }
    let past = activeBefore.compactMap { week in record(week).map { (week, $0) } }
    guard let maximum = past.map(\.1).max(), let now = record(week), now > maximum, maximum > 0 else { return false }
    let latest = past.last { $0.1 > maximum - 1e-9 }?.0
    let unit = if case .metric(let metric) = best.record { Self.unit(metric) } else { 0.1 }
    return best.week == latest && Self.weeks(sentence) == ["\(best.week)"] && numbers[0] == Double(known.count)
      && Self.shows(numbers[1], now, unit: unit) && Self.shows(numbers[2], maximum, unit: unit)
  }

  private func confirmsStreak(_ weeks: Int, _ isWhole: Bool, _ numbers: [Double]) -> Bool {
    let active = (0..<weeks).allSatisfy { !club.rides(member, week.advanced(by: -$0)).isEmpty }
    let before = week.advanced(by: -weeks)
    return weeks > 1 && active && isWhole == known.contains(before) && club.rides(member, before).isEmpty
      && numbers == [Double(weeks)]
  }
}

/// Recomputes what an insight claims from raw activities, by other ways than the core's: doubles, sorting, and the
/// numbers that stand in the sentence.
struct InsightTruth {
  let club: SmallClub
  let member: MemberIdentity
  let week: Week

  init(_ club: SmallClub) {
    (self.club, member, week) = (club, club.member, club.week)
  }

  // MARK: Quantities of raw activities

  func kilometres(_ member: MemberIdentity, _ week: Week) -> Double {
    club.rides(member, week).reduce(0) { $0 + $1.distance.kilometres }
  }

  func value(_ metric: Metric, _ member: MemberIdentity, _ week: Week) -> Double? {
    let rides = club.rides(member, week)
    switch metric {
    case .distance: return kilometres(member, week)
    case .rides: return Double(rides.count)
    case .elevation: return rides.reduce(0) { $0 + $1.elevation.metres }
    case .speed:
      let hours = rides.reduce(0) { $0 + Double($1.movingTime) / 3600 }
      return hours > 0 ? kilometres(member, week) / hours : nil
    }
  }

  var active: [MemberIdentity] { club.active(week) }
  var known: [Week] { club.weeks.map(\.week).filter { $0 <= week } }
  var activeBefore: [Week] { known.filter { $0 < week && !club.rides(member, $0).isEmpty } }

  /// The rank of a value by counting, with room for the last bits of doubles.
  func rank(_ metric: Metric, _ member: MemberIdentity, _ week: Week) -> Int? {
    guard !club.rides(member, week).isEmpty, let own = value(metric, member, week) else { return nil }
    return 1 + club.active(week).count { (value(metric, $0, week) ?? -1) > own + 1e-9 }
  }

  /// The third-best distance of a week.
  func third(_ week: Week) -> Double? {
    let distances = club.active(week).map { kilometres($0, week) }.sorted(by: >)
    return distances.count > 2 ? distances[2] : nil
  }

  // MARK: Numbers in a sentence

  /// The numbers of a sentence in their order, those in names of weeks aside.
  static func numbers(_ sentence: String) -> [Double] {
    figures(sentence).filter { !$0.contains("W") }.compactMap { Double($0) }
  }

  /// The weeks that a sentence names.
  static func weeks(_ sentence: String) -> [String] { figures(sentence).filter { $0.contains("W") } }

  /// Runs of digits, points, and what joins a week to its year; a full stop at the end belongs to the sentence.
  private static func figures(_ sentence: String) -> [String] {
    var (found, run) = ([String](), [UInt8]())
    for byte in Array(sentence.utf8) + [32] {
      let joins = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "W") || byte == UInt8(ascii: ".")
      if (48...57).contains(byte) || (joins && !run.isEmpty) {
        run.append(byte)
      } else if !run.isEmpty {
        while run.last == UInt8(ascii: ".") { run.removeLast() }
        found.append(String(decoding: run, as: UTF8.self))
        run = []
      }
    }
    return found
  }

  /// Returns true if a shown number is the other rounded to a unit.
  static func shows(_ shown: Double, _ value: Double, unit: Double = 0.1) -> Bool {
    abs(shown - value) <= unit / 2 + 1e-6
  }

  static func unit(_ metric: Metric) -> Double { metric == .distance || metric == .speed ? 0.1 : 1 }
}

/// What compares the member with others, and with the member's own usual week.
extension InsightTruth {
  /// Returns true if a comparison with others follows from the raw activities; nil for other kinds.
  func confirmsComparison(_ insight: Insight) -> Bool? {
    let (sentence, numbers) = (insight.sentence, Self.numbers(insight.sentence))
    let own = kilometres(member, week)
    let ahead = active.filter { kilometres($0, week) > own + 1e-9 }
    switch insight.kind {
    case .closing(let closing): return confirmsClosing(closing, sentence)
    case .nextRide(let length, let from, let to):
      let then = own + Double(length) / 10_000
      return from == rank(.distance, member, week) && numbers.last == Double(to)
        && to == 1 + active.count { $0 != member && kilometres($0, week) > then + 1e-9 }
        && sentence.contains("keeps") == (from == to) && isHabit(length)
    case .lead(let gap, let others):
      let next = active.filter { $0 != member }.map { kilometres($0, week) }.max() ?? -1
      let holders = active.filter { $0 != member && abs(kilometres($0, week) - next) < 1e-9 }
      return ahead.isEmpty && others == holders && holders.allSatisfy { sentence.contains($0.name.shown()) }
        && abs(Double(gap) / 10_000 - (own - next)) < 1e-9 && sentence.contains("Level") == (gap == 0)
    case .gap(let metric, let leader, let rank, _, _): return confirmsGap(metric, leader, rank, sentence)
    case .inTopThree(let rank):
      return rank <= 3 && rank == self.rank(.distance, member, week) && active.count > 2 && numbers == [Double(rank)]
    case .noThird(let count):
      return count == active.count && count < 3
        && sentence.hasPrefix(["Nobody has", "Only 1 member has", "Only 2 members have"][count])
    case .strength(let metrics, let best):
      let ranks = Metric.allCases.filter { value($0, member, week) ?? 0 > 0 }.map { ($0, rank($0, member, week)) }
      return ranks.compactMap(\.1).min() == best && metrics == ranks.filter { $0.1 == best }.map(\.0)
        && numbers == [Double(best)]
    case .ranks(let ranks):
      let weeks = Array(known.suffix(6))
      return ranks.map(\.week) == weeks && Self.weeks(sentence) == weeks.map(\.description)
        && ranks.map(\.rank) == weeks.map { rank(.distance, member, $0) }
        && numbers == ranks.compactMap { $0.rank.map(Double.init) }
    case .gapToThird(let since, let then, let now): return confirmsGapToThird(since, then, now, sentence)
    default: return nil
    }
  }

  /// Returns true if a number of decimetres is the mean length of all the member's rides known, rounded down to
  /// kilometres, or to tenths of one below.
  private func isHabit(_ length: Int) -> Bool {
    let rides = known.flatMap { club.rides(member, $0) }
    let mean = rides.reduce(0) { $0 + $1.distance.decimetres } / max(1, rides.count)
    return length == (mean >= 10_000 ? mean - mean % 10_000 : mean - mean % 1000) && length > 0
  }

  private func confirmsClosing(_ closing: GapClosing, _ sentence: String) -> Bool {
    let own = kilometres(member, week)
    let gap = Double(closing.gap) / 10_000
    let target = own + gap
    let holders = active.filter { abs(kilometres($0, week) - target) < 1e-9 }
    let after = own + Double(closing.rides * closing.length) / 10_000
    let fewer = own + Double((closing.rides - 1) * closing.habit) / 10_000
    let rides = closing.rides == 1 ? "one more" : "\(closing.rides) more rides"
    return gap > 0 && holders == closing.holders && !holders.isEmpty && after > target - 1e-9 && fewer < target
      && closing.rank == 1 + active.count { kilometres($0, week) > target + 1e-9 }
      && closing.length % 10_000 == 0 && sentence.contains(": \(rides)")
      && sentence.contains("#\(closing.rank) (") && holders.allSatisfy { sentence.contains($0.name.shown()) }
      && sentence.contains("\(closing.length / 10_000) km")
      && abs(closing.length - closing.habit) < 10_000 + closing.habit * (closing.rides > 1 ? 1 : 0)
  }

  private func confirmsGap(_ metric: Metric, _ leader: MemberIdentity, _ rank: Int, _ sentence: String) -> Bool {
    guard leader != member, rank <= 3, rank == self.rank(.distance, leader, week),
      let mine = value(metric, member, week), let theirs = value(metric, leader, week)
    else { return false }
    let numbers = Self.numbers(sentence)
    if abs(mine - theirs) < 1e-9 { return sentence.contains("level with \(leader.name.shown()) (#\(rank))") }
    let side = mine > theirs ? "ahead of" : "behind"
    return sentence.contains("\(side) \(leader.name.shown()) (#\(rank))")
      && Self.shows(numbers[0], abs(mine - theirs), unit: Self.unit(metric))
      && (theirs == 0 ? numbers.count == 2 : Self.shows(numbers[1], abs(mine - theirs) / theirs * 100))
  }

  private func confirmsGapToThird(_ since: Week, _ then: Int, _ now: Int, _ sentence: String) -> Bool {
    guard let thirdThen = third(since), let thirdNow = third(week), since < week else { return false }
    let gaps = (max(0, thirdThen - kilometres(member, since)), max(0, thirdNow - kilometres(member, week)))
    let word = now == 0 ? "closed" : now < then ? "narrowed" : now > then ? "widened" : "as it was"
    return abs(gaps.0 - Double(then) / 10_000) < 1e-9 && abs(gaps.1 - Double(now) / 10_000) < 1e-9
      && then + now > 0 && sentence.contains(word) && Self.weeks(sentence) == ["\(since)"]
      && known.suffix(6).first { third($0) != nil } == since
  }

  /// Returns true if a comparison with the member's usual week follows from the raw activities; nil for other kinds.
  func confirmsUsual(_ insight: Insight) -> Bool? {
    let earlier = activeBefore.flatMap { club.rides(member, $0) }
    let rides = club.rides(member, week)
    let usual = earlier.reduce(0) { $0 + $1.distance.kilometres } / Double(activeBefore.count)
    switch insight.kind {
    case .againstUsual(let parts, let trend): return confirmsParts(parts, trend, usual: usual, insight.sentence)
    case .makingUp(let gap, let rides, let length):
      return abs(Double(gap) / 10_000 - (usual - kilometres(member, week))) < 1e-4 && rides * length >= gap
        && Self.numbers(insight.sentence) == (rides == 1 ? [] : [Double(rides)]) + [Double(length / 10_000)]
    case .climbing(let this, let past):
      func slope(_ rides: [Activity]) -> Double {
        rides.reduce(0) { $0 + $1.elevation.metres } / rides.reduce(0) { $0 + $1.distance.kilometres }
      }
      let numbers = Self.numbers(insight.sentence)
      return Self.shows(numbers[0], slope(rides)) && Self.shows(numbers[1], slope(earlier))
        && slope(rides) > slope(earlier) * 1.1 - 1e-9 && abs(this.value - slope(rides)) < 1e-6
        && abs(past.value - slope(earlier)) < 1e-6
    default: return nil
    }
  }

  private func confirmsParts(
    _ parts: WeekDecomposition, _ trend: Trend, usual: Double, _ sentence: String
  ) -> Bool {
    let now = kilometres(member, week)
    guard parts.weeks == activeBefore.count,
      parts.byRides + parts.byTime + parts.bySpeed == parts.distance - parts.usual,
      abs(Double(parts.usual) / 10_000 - usual) < 1e-4, abs(Double(parts.distance) / 10_000 - now) < 1e-9
    else { return false }
    let shapley = self.shapley
    guard
      zip(shapley, [parts.byRides, parts.byTime, parts.bySpeed]).allSatisfy({ abs($0 - Double($1) / 10_000) < 5e-4 })
    else { return false }
    let signed = sentence.matches(of: #/([+-][0-9]+\.[0-9]) km from (fewer|more|shorter|longer|a lower|a higher)/#)
    let sum = signed.compactMap { Double($0.output.1) }.reduce(0, +)
    let words = signed.allSatisfy {
      ["fewer", "shorter", "a lower"].contains($0.output.2) == $0.output.1.hasPrefix("-")
    }
    let difference = Self.numbers(sentence)[0] * (sentence.contains(" less than ") ? -1 : 1)
    let opening =
      [.down, .gone].contains(trend.direction)
      ? "An easier week" : trend.direction == .flat ? "Close to" : "A bigger week"
    if sentence.hasPrefix("A week of rest") { return club.rides(member, week).isEmpty }
    if sentence.hasPrefix("A week like others") { return abs(now - usual) < 0.05 + 1e-4 }
    return words && sentence.hasPrefix(opening) && abs(sum - difference) < 1e-6
      && Self.shows(difference, now - usual, unit: 0.1002)
  }

  /// What rides, their time and their speed contribute in kilometres: the mean over all six orders of changing them.
  private var shapley: [Double] {
    func factors(_ rides: [Activity], weeks: Double) -> [Double] {
      let (count, kilometres) = (Double(rides.count), rides.reduce(0) { $0 + $1.distance.kilometres })
      let hours = rides.reduce(0) { $0 + Double($1.movingTime) / 3600 }
      return [count / weeks, hours / count, kilometres / hours, kilometres / count]
    }
    let past = factors(activeBefore.flatMap { club.rides(member, $0) }, weeks: Double(activeBefore.count))
    let now = factors(club.rides(member, week), weeks: 1)
    guard now[0] > 0 else { return [-past[0] * past[3], 0, 0] }
    // Without hours on either side a ride's length is one factor.
    let timed = now[1] > 0 && past[1] > 0
    let (from, to) = timed ? (Array(past[0...2]), Array(now[0...2])) : ([past[0], past[3], 1], [now[0], now[3], 1])
    var parts = [0.0, 0, 0]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var current = from
      for factor in order {
        let before = current.reduce(1, *)
        current[factor] = to[factor]
        parts[factor] += (current.reduce(1, *) - before) / 6
      }
    }
    return parts
  }
}
