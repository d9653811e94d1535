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
  /// Whether an insight's sentence and numbers follow from the raw activities.
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
    guard let most = past.map(\.1).max(), let now = record(week), now > most, most > 0 else { return false }
    let latest = past.last { $0.1 > most - 1e-9 }?.0
    let unit = if case .metric(let metric) = best.record { Self.unit(metric) } else { 0.1 }
    return best.week == latest && Self.weeks(sentence) == ["\(best.week)"] && numbers[0] == Double(known.count)
      && Self.shows(numbers[1], now, unit: unit) && Self.shows(numbers[2], most, unit: unit)
  }

  private func confirmsStreak(_ weeks: Int, _ isWhole: Bool, _ numbers: [Double]) -> Bool {
    let active = (0..<weeks).allSatisfy { !club.rides(member, week.advanced(by: -$0)).isEmpty }
    let before = week.advanced(by: -weeks)
    return weeks > 1 && active && isWhole == known.contains(before) && club.rides(member, before).isEmpty
      && numbers == [Double(weeks)]
  }
}
