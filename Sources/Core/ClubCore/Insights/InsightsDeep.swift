// SPDX-License-Identifier: Apache-2.0

// MARK: Any member's week against the usual one
extension InsightLook {
  func deep() -> [Insight] {
    let week = isActive ? amounts() + longest() : [inactive()]
    return week + againstUsual() + (isActive ? ranks() + bests() : []) + streak() + constancy()
  }

  private func againstUsual() -> [Insight] {
    let (earlier, weeks) = (past.before, past.activeBefore.count)
    guard let parts = WeekDecomposition(this: own, earlier: earlier, weeks: weeks) else { return [] }
    let trend = Trend.of(
      this: Ratio(parts.distance), last: Ratio(earlier.distance, over: weeks), threshold: club.threshold)
    var found = [Insight(.againstUsual(parts, trend: trend), describe(parts, trend))]
    if isActive, [.down, .gone].contains(trend.direction), parts.byRides < 0, let habit = past.habit {
      let gap = parts.usual - parts.distance
      let plan = MemberPast.rides(covering: gap, habit: habit)
      let bring = plan.rides == 1 ? "brings" : "bring"
      found.append(
        Insight(
          .makingUp(gap: gap, rides: plan.rides, length: plan.length),
          voice.opening("\(voice.more(plan.rides, of: plan.length)) \(bring) it to a usual week.")))
    }
    if parts.bySpeed < 0, let this = slope(own),
      let usual = slope(earlier),
      Trend.of(this: this, last: usual, threshold: club.threshold).direction == .up,
      perKilometre(this) != perKilometre(usual)
    {
      found.append(
        Insight(
          .climbing(this: this, usual: usual),
          "The way was hillier: \(perKilometre(this)) of climbing per kilometre, after a usual \(perKilometre(usual)).")
      )
    }
    return found
  }

  /// Metres of climbing per kilometre; nil without distance.
  private func slope(_ tally: MemberTally) -> Ratio? {
    let (climb, overflow) = tally.elevation.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : Ratio(climb, over: tally.distance)
  }

  private func perKilometre(_ slope: Ratio) -> String { "\(ClubDisplay.tenths(slope.rounded(times: 10))) m" }

  private func describe(_ parts: WeekDecomposition, _ trend: Trend) -> String {
    let weeks = parts.weeks == 1 ? "that of the one earlier week" : "the mean of \(parts.weeks) earlier weeks"
    let usual = "usual \(voice.short(parts.usual)) (\(weeks) with \(voice.noun.plural))"
    let difference = Apportionment.nearest(parts.distance - parts.usual, per: 1000)
    if own.activities == 0 { return "A week of rest, after a \(usual)." }
    guard difference != 0 else { return "A week like others: the distance is that of the \(usual)." }
    let names = [
      ("fewer \(voice.noun.plural)", "more \(voice.noun.plural)"),
      ("shorter \(voice.noun.plural)", "longer \(voice.noun.plural)"), ("a lower speed", "a higher speed"),
    ]
    let shown = Apportionment.rounded([parts.byRides, parts.byTime, parts.bySpeed], per: 1000)
    let reasons = zip(shown, names).compactMap { part, names in
      part == 0 ? nil : "\(kilometres(part)) from \(part < 0 ? names.0 : names.1)"
    }
    let opening =
      switch trend.direction {
      case .down, .gone: "An easier week"
      case .up, .new: "A bigger week"
      case .flat: "Close to the usual week"
      }
    let by = ClubDisplay.tenths(Int(clamping: difference.magnitude)) + " km"
    return "\(opening): \(by) \(difference < 0 ? "less" : "more") than the \(usual), \(InsightVoice.list(reasons))."
  }

  /// Tenths of a kilometre with their sign.
  private func kilometres(_ tenths: Int) -> String {
    (tenths < 0 ? "-" : "+") + ClubDisplay.tenths(Int(clamping: tenths.magnitude)) + " km"
  }

  private func constancy() -> [Insight] {
    guard past.weeks.count > 1 else { return [] }
    return [
      Insight(
        .constancy(active: past.activeWeeks, known: past.weeks.count),
        "Active in \(past.activeWeeks) of the \(past.weeks.count) weeks known.")
    ]
  }
}
