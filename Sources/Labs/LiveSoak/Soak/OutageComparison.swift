// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore
internal import LiveLab
internal import Scenarios

/// One outage of the schedule as many clients lived through it in one world: of each client the first time that it was
/// cut off by that fault. Clients are independent, since each draws its own waits.
struct OutageSample: Hashable, Sendable {
  /// Those that the schedule was played to.
  let clients: Int
  /// Those that the fault cut off.
  let cutOff: Int
  /// How long after it could have been each client was back, ascending, `forever` for who was not; of those whose limit
  /// was over before the run.
  let times: [Interval]
  /// Of those, the clients that were back within the limit.
  let back: Int
  /// From when the first was cut off until the last was back; nil where nobody was.
  private(set) var span: ClosedRange<Instant>?

  init(clients: Int, cutOff: Int, times: [Interval], limit: Interval) {
    (self.clients, self.cutOff) = (clients, cutOff)
    self.times = times.sorted()
    back = times.count { $0 <= limit }
  }

  /// The outcome for so many clients of the fault at a place of the schedule. What counts is left out where
  /// `ProfileTally.add` leaves it out: where no attempt could have succeeded, and where the limit ends behind the run.
  init(of place: Int, in results: [SessionResult], limit: Interval) {
    var cutOff = 0
    var times: [Interval] = []
    var span: ClosedRange<Instant>?
    for result in results {
      let end = Instant.zero + result.duration
      guard let outage = result.outages.first(where: { $0.fault == place && $0.began < end }) else { continue }
      cutOff += 1
      guard outage.possible != .never, end - outage.possible >= limit else { continue }
      times.append(outage.timeToReturn ?? .forever)
      let last = outage.ended == .never ? min(end, outage.possible + limit) : outage.ended
      span = min(span?.lowerBound ?? .never, outage.began)...max(span?.upperBound ?? .zero, last)
    }
    self.init(clients: results.count, cutOff: cutOff, times: times, limit: limit)
    self.span = span
  }

  /// The share of the times that are at most so long.
  func share(within time: Interval) -> Double {
    guard !times.isEmpty else { return 0 }
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return Double(low) / Double(times.count)
  }

  /// The time within which that share was back; nil where nothing was counted.
  func percentile(_ share: Double) -> Interval? {
    guard !times.isEmpty else { return nil }
    return times[min(times.count - 1, max(0, Int((share * Double(times.count)).rounded(.up)) - 1))]
  }
}

/// Whether real clients came back from one outage as simulated ones do.
///
/// Three questions: how many were cut off, how many were back within the limit, and how the times to return are
/// distributed. Shares are compared by an interval for their difference (`ProportionDifference`). Distributions are
/// compared by their largest distance, against the sum of what each sample may be away from the distribution it was
/// drawn from (Dvoretzky, Kiefer and Wolfowitz, with the constant of Massart, "The tight constant in the
/// Dvoretzky-Kiefer-Wolfowitz inequality", Annals of Probability 18 (1990)); nothing is asymptotic. Times that differ
/// by less than the resolution count as the same, as in Lévy's metric, since a real machine is late.
struct OutageComparison: Hashable, Sendable {
  enum Question: String, Hashable, Sendable, CaseIterable {
    case cutOff = "clients cut off"
    case back = "back within the limit"
    case times = "times to return"
  }

  /// How far two distributions are apart at the most, beyond the resolution, and at which time.
  struct Distance: Hashable, Sendable {
    var gap = 0.0
    /// Where the gap is; the real clients are earlier there where `isRealSooner`.
    var at = Interval.zero
    var isRealSooner = false
  }

  /// The place of the fault in the schedule.
  let place: Int
  let real: OutageSample
  let simulated: OutageSample
  /// The interval of the difference of the shares, simulated less real; nil where nothing was counted.
  let cutOff: ClosedRange<Double>?
  let back: ClosedRange<Double>?
  let distance: Distance
  /// The most that the distance may be by chance; nil where there is nothing to compare.
  let allowed: Double?

  /// Times that differ by less than the resolution count as the same; `alpha` is the chance that any of the three
  /// questions is answered wrongly although the worlds agree.
  init(place: Int, real: OutageSample, simulated: OutageSample, resolution: Interval, alpha: Double) {
    (self.place, self.real, self.simulated) = (place, real, simulated)
    let each = alpha / Double(Question.allCases.count)
    func difference(_ one: (Int, Int), _ other: (Int, Int)) -> ClosedRange<Double>? {
      ProportionDifference(
        from: (successes: one.0, trials: one.1), to: (successes: other.0, trials: other.1), confidence: 1 - each)?
        .interval
    }
    cutOff = difference((real.cutOff, real.clients), (simulated.cutOff, simulated.clients))
    back = difference((real.back, real.times.count), (simulated.back, simulated.times.count))
    if real.times.isEmpty || simulated.times.isEmpty {
      (distance, allowed) = (Distance(), nil)
    } else {
      distance = Self.distance(real, simulated, resolution: resolution)
      allowed = min(1, Self.reach(real.times.count, each / 2) + Self.reach(simulated.times.count, each / 2))
    }
  }

  /// How far the distribution of a sample may be from the one it was drawn from, but for a chance of `alpha`.
  static func reach(_ count: Int, _ alpha: Double) -> Double { (log(2 / alpha) / (2 * Double(count))).squareRoot() }

  /// The largest distance of two distributions, each compared with the other where that is later by the resolution.
  static func distance(_ real: OutageSample, _ simulated: OutageSample, resolution: Interval) -> Distance {
    var most = Distance()
    // A step function exceeds another by the most where it has just risen.
    for (one, other, isReal) in [(real, simulated, true), (simulated, real, false)] {
      for time in Set(one.times) where time != .forever {
        let gap = one.share(within: time) - other.share(within: time + resolution)
        if gap > most.gap || gap == most.gap && time < most.at {
          most = Distance(gap: gap, at: time, isRealSooner: isReal)
        }
      }
    }
    return most
  }

  /// The questions that the two worlds answer differently.
  var disagreements: [Question] {
    Question.allCases.filter { question in
      switch question {
      case .cutOff: cutOff.map { !$0.contains(0) } ?? false
      case .back: back.map { !$0.contains(0) } ?? false
      case .times: allowed.map { distance.gap > $0 } ?? false
      }
    }
  }
}

extension OutageComparison {
  /// Every outage of the schedule that cut anybody off in either world; all of them together are wrong with a chance of
  /// at most `alpha` where the worlds agree.
  static func all(
    under schedule: FaultSchedule, real: [SessionResult], simulated: [SessionResult], limit: Interval,
    resolution: Interval, alpha: Double
  ) -> [OutageComparison] {
    let pairs = schedule.faults.indices.map { place in
      (
        place, OutageSample(of: place, in: real, limit: limit), OutageSample(of: place, in: simulated, limit: limit)
      )
    }
    let each = alpha / Double(max(1, pairs.count))
    return pairs.filter { $0.1.cutOff + $0.2.cutOff > 0 }.map { place, real, simulated in
      OutageComparison(place: place, real: real, simulated: simulated, resolution: resolution, alpha: each)
    }
  }
}
