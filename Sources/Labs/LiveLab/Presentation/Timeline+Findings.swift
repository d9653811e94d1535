// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Timeline {
  /// Whether every invariant held and the client was back in time wherever it could have been.
  package var isRight: Bool { breach == nil && lateReturns.isEmpty && !result.isRunaway }

  /// What is wrong, and what can be asked for in vain, a sentence each.
  package var findings: [String] {
    let hopeless = outages.count(where: isHopeless)
    return [
      breach.map { "Broken: \($0). \($0.invariant.sentence)." },
      result.isRunaway ? "The client made more events than a sound one could, and the session was broken off." : nil,
      lateReturn,
      hopeless == 0
        ? nil
        : "In \(hopeless == 1 ? "one outage" : "\(hopeless) outages") no attempt could have succeeded before the "
          + "session was over: nothing can be asked of the client there.",
    ].compactMap(\.self)
  }

  /// The outages of the session itself, without what the app's own stop at its end began.
  var outages: [Outage] { result.outages.filter { $0.began - .zero < result.duration } }

  /// The outages from which the client was not back within the schedule's limit although it could have been; without
  /// those whose limit ends behind the session.
  var lateReturns: [Outage] {
    guard let limit = schedule.limit else { return [] }
    return outages.filter { outage in
      guard !isHopeless(outage), .zero + result.duration - outage.possible >= limit else { return false }
      return outage.timeToReturn.map { $0 > limit } ?? true
    }
  }

  /// Whether no attempt could have succeeded before the session was over.
  func isHopeless(_ outage: Outage) -> Bool {
    outage.ended == .never && (outage.possible == .never || outage.possible - .zero >= result.duration)
  }

  private var lateReturn: String? {
    guard let limit = schedule.limit, let first = lateReturns.first else { return nil }
    let count = lateReturns.count == 1 ? "an outage" : "\(lateReturns.count) outages"
    return "Not back within \(TimelineClock.text(of: limit)) after \(count), the first at "
      + "\(TimelineClock.text(of: first.began))."
  }
}
