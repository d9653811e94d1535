// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore
internal import LiveLab
internal import Scenarios

/// One outage of the schedule for many clients in one world: for each client, the first time that the fault cut it off.
/// Clients are independent, since each draws its own waits.
struct OutageSample: Hashable, Sendable {
  /// The number of clients under the schedule.
  let clients: Int
  /// The clients cut off by the fault.
  let cutOff: Int
  /// The times to return, ascending, `forever` for clients that did not return; only of clients whose limit ended
  /// before the run did.
  let times: [Interval]
  /// The clients among them that were back within the limit.
  let back: Int
  /// The time from the first client's cut to the last one's return; nil if none was cut off.
  private(set) var span: ClosedRange<Instant>?

  init(clients: Int, cutOff: Int, times: [Interval], limit: Interval) {
    (self.clients, self.cutOff) = (clients, cutOff)
    self.times = times.sorted()
    back = times.count { $0 <= limit }
  }

  /// Evaluates the fault at an index of the schedule for all clients. Outages are left out as by `ProfileTally.add`: if
  /// no attempt could have succeeded, or if the limit ends after the run.
  init(of index: Int, in results: [SessionResult], limit: Interval) {
    var cutOff = 0
    var times: [Interval] = []
    var span: ClosedRange<Instant>?
    for result in results {
      let end = Instant.zero + result.duration
      guard let outage = result.outages.first(where: { $0.fault == index && $0.began < end }) else { continue }
      cutOff += 1
      guard outage.possible != .never, end - outage.possible >= limit else { continue }
      times.append(outage.timeToReturn ?? .forever)
      let last = outage.ended == .never ? min(end, outage.possible + limit) : outage.ended
      span = min(span?.lowerBound ?? .never, outage.began)...max(span?.upperBound ?? .zero, last)
    }
    self.init(clients: results.count, cutOff: cutOff, times: times, limit: limit)
    self.span = span
  }

  func share(within time: Interval) -> Double {
    guard !times.isEmpty else { return 0 }
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return Double(low) / Double(times.count)
  }

  /// The time within which a share of the clients was back; nil without times.
  func percentile(_ share: Double) -> Interval? {
    guard !times.isEmpty else { return nil }
    return times[min(times.count - 1, max(0, Int((share * Double(times.count)).rounded(.up)) - 1))]
  }
}

/// A comparison of the returns of real and simulated clients from one outage.
///
/// Three questions: how many clients were cut off, how many were back within the limit, and how the times to return are
/// distributed. Shares are compared by an interval for their difference (`ProportionDifference`). Distributions are
/// compared by their largest distance, with the sum of the possible distances of each sample from its own distribution
/// as the bound (Dvoretzky, Kiefer and Wolfowitz, with the constant of Massart, "The tight constant in the
/// Dvoretzky-Kiefer-Wolfowitz inequality", Annals of Probability 18 (1990)), which is not asymptotic. Times that differ
/// by less than the resolution count as equal, as in Lévy's metric, since a real machine is late.
struct OutageComparison: Hashable, Sendable {
  enum Question: String, Hashable, Sendable, CaseIterable {
    case cutOff = "clients cut off"
    case back = "back within the limit"
    case times = "times to return"
  }

  /// The largest distance of two distributions beyond the resolution, with its time.
  struct Distance: Hashable, Sendable {
    var gap = 0.0
    /// The time of the gap; the real clients are earlier there if `isRealSooner`.
    var at = Interval.zero
    var isRealSooner = false
  }

  /// The index of the fault in the schedule.
  let index: Int
  let real: OutageSample
  let simulated: OutageSample
  /// The interval of the difference of the shares, simulated minus real; nil without samples.
  let cutOff: ClosedRange<Double>?
  let back: ClosedRange<Double>?
  let distance: Distance
  /// The largest distance that chance allows; nil without samples.
  let allowed: Double?

  /// Times that differ by less than the resolution count as equal; `alpha` is the chance that any of the three
  /// questions is answered wrongly if the worlds agree.
  init(index: Int, real: OutageSample, simulated: OutageSample, resolution: Interval, alpha: Double) {
    (self.index, self.real, self.simulated) = (index, real, simulated)
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

  /// The distance between a sample's distribution and its source that is exceeded with a chance of `alpha`.
  static func reach(_ count: Int, _ alpha: Double) -> Double { (log(2 / alpha) / (2 * Double(count))).squareRoot() }

  /// The largest distance of two distributions, each compared with the other shifted by the resolution.
  static func distance(_ real: OutageSample, _ simulated: OutageSample, resolution: Interval) -> Distance {
    var maximum = Distance()
    // The difference of two step functions is largest directly after a rise.
    for (one, other, isReal) in [(real, simulated, true), (simulated, real, false)] {
      for time in Set(one.times) where time != .forever {
        let gap = one.share(within: time) - other.share(within: time + resolution)
        if gap > maximum.gap || gap == maximum.gap && time < maximum.at {
          maximum = Distance(gap: gap, at: time, isRealSooner: isReal)
        }
      }
    }
    return maximum
  }

  /// The questions on which the two worlds disagree.
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
  /// Compares all outages of the schedule that cut off any client in either world; the chance of any wrong disagreement
  /// is at most `alpha`.
  static func all(
    under schedule: FaultSchedule, real: [SessionResult], simulated: [SessionResult], limit: Interval,
    resolution: Interval, alpha: Double
  ) -> [OutageComparison] {
    let pairs = schedule.faults.indices.map { index in
      (
        index, OutageSample(of: index, in: real, limit: limit), OutageSample(of: index, in: simulated, limit: limit)
      )
    }
    let each = alpha / Double(max(1, pairs.count))
    return pairs.filter { $0.1.cutOff + $0.2.cutOff > 0 }.map { index, real, simulated in
      OutageComparison(index: index, real: real, simulated: simulated, resolution: resolution, alpha: each)
    }
  }
}
