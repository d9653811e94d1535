// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// Whether a profile leaves a client any chance to be back within its limit.
package enum Prospect: Hashable, Sendable {
  /// Nothing speaks against it.
  case possible
  /// It is back in time only when chance has it so.
  case doubtful(why: String)
  /// It cannot be back in time, whatever it does: that says nothing about the client.
  case cannotSucceed(why: String)
}

extension OutageProfile {
  /// Whether a client with those settings has any chance to be back within the limit.
  ///
  /// What is told is certain, and follows from the least and the greatest values that the profile draws: what only
  /// happens in some sessions is left to the simulation.
  ///
  /// - Parameter settings: How the client behaves.
  /// - Returns: Why not, where it has none.
  package func prospect(under settings: ConnectionSettings) -> Prospect {
    let judge = ProspectJudge(limit: limit, settings: settings)
    for pattern in always where pattern.chance == .all {
      if pattern.blocksSurely {
        return .cannotSucceed(
          why: "\(pattern.extremes.least) holds for the whole session, and no attempt succeeds meanwhile")
      }
    }
    let prospects = courses.filter { $0.weight > 0 }.map(judge.prospect)
    if let first = prospects.first, prospects.allSatisfy(\.isHopeless) { return first }
    return prospects.first { $0.isDoubtful } ?? .possible
  }
}

extension Prospect {
  /// Whether nothing can be done.
  package var isHopeless: Bool { if case .cannotSucceed = self { true } else { false } }

  fileprivate var isDoubtful: Bool { if case .doubtful = self { true } else { false } }
}

extension FaultPattern {
  /// Whether no attempt succeeds while it holds, with every value it may draw.
  fileprivate var blocksSurely: Bool { extremes.least.blocks && extremes.most.blocks }
}

/// Finds what makes an outage hopeless for a client.
private struct ProspectJudge {
  let limit: Interval
  let settings: ConnectionSettings

  func prospect(of course: OutageCourse) -> Prospect {
    let certain = course.patterns.filter { $0.chance == .all }
    guard course.times.least > 0, let loss = certain.first(where: { $0.extremes.least.breaks }) else {
      return .possible
    }
    if let why = end(certain) ?? forcedWait(certain, after: loss) { return .cannotSucceed(why: why) }
    return exhaustion(course, certain)
  }

  /// What holds to the end of the session, or ends the client for good.
  private func end(_ certain: [FaultPattern]) -> String? {
    for pattern in certain {
      let fault = pattern.extremes.least
      if pattern.lasting.least >= FaultSchedule.longest.nanoseconds, pattern.blocksSurely {
        return "\(fault) holds to the end of the session, and no attempt succeeds meanwhile"
      }
      if case .close(let code, _) = fault, settings.closeRules.verdict(on: Closure(.server, code)) == .never {
        return "the server closes by \(code.value), after which the client stays closed, as it must"
      }
    }
    return nil
  }

  /// A refusal that every client meets: one that ends it for good, or asks it to stay away for longer than the limit.
  private func forcedWait(_ certain: [FaultPattern], after loss: FaultPattern) -> String? {
    for pattern in certain where pattern.blocksSurely {
      let fault = pattern.extremes.least
      guard pattern.lasting.least > (noticing(loss.extremes.least) + firstAttempt).nanoseconds else { continue }
      switch fault {
      case .refusal(let status, let wait):
        let refusal = Refusal(status: status, retryAfter: wait)
        switch settings.refusalRules.verdict(on: refusal, isSecure: settings.isSecure, redirects: 0) {
        case .never: return "the handshake is answered by \(status), after which the client stays closed, as it must"
        case .retryAfter(let wait): if let why = stayingAway(wait, pattern) { return why }
        default: break
        }
      case .shedding(_, let wait?):
        let refusal = Refusal(status: 503, retryAfter: wait)
        let verdict = settings.refusalRules.verdict(on: refusal, isSecure: settings.isSecure, redirects: 0)
        if case .retryAfter(let wait) = verdict, let why = stayingAway(wait, pattern) { return why }
      case .redirect(let target):
        if target == .unusable || target == .plain && settings.isSecure {
          return "the handshake is redirected to where the client may not go, and it stays closed, as it must"
        }
      case .expiredCredentials:
        return "the credentials are refused and no better ones can be had, so the client stays closed, as it must"
      default: break
      }
    }
    return nil
  }

  private func stayingAway(_ wait: Interval, _ pattern: FaultPattern) -> String? {
    let rest = wait - Interval(nanoseconds: pattern.lasting.most)
    guard rest > limit else { return nil }
    return "the server asks the client to stay away for at least \(FaultText.text(wait)), which is over "
      + "\(FaultText.text(rest)) after its refusals are at the earliest, and the limit is \(FaultText.text(limit))"
  }

  /// What lasts for longer than the attempts, without a sign when it is over.
  private func exhaustion(_ course: OutageCourse, _ certain: [FaultPattern]) -> Prospect {
    let isHinted = course.patterns.contains { [.offline, .sleep, .networkChange, .background].contains($0.kind) }
    guard !isHinted, let longest = certain.filter(\.blocksSurely).max(by: { $0.lasting.least < $1.lasting.least }),
      Interval(nanoseconds: longest.lasting.least) > attemptsLast
    else { return .possible }
    let fact =
      "\(longest.kind.rawValue) lasts for \(FaultText.time(longest.lasting.least)) at the least, and the client's "
      + "attempts are used up after \(FaultText.text(attemptsLast)) at the latest"
    guard let cadence = settings.suspendedCadence else {
      return .cannotSucceed(why: "\(fact); none comes afterwards without a hint")
    }
    guard cadence.waits.upperBound > limit else { return .possible }
    return .doubtful(
      why:
        "\(fact); then one comes every \(FaultText.text(cadence.interval)) or so, and the limit is "
        + FaultText.text(limit)
    )
  }

  /// The latest at which the last attempt is over: the loss noticed, every wait as long as it can be, every attempt
  /// hanging.
  private var attemptsLast: Interval {
    var (schedule, sum) = (AttemptSchedule(), detection)
    // A policy without an end has none here either.
    for _ in 0..<10_000 {
      guard let wait = schedule.next(settings.backoff, word: .max) else { return Self.wholeSeconds(sum) }
      sum = sum + wait + settings.connectTimeout
    }
    return .forever
  }

  /// The next whole second: the longest wait of a law that is spread is never quite reached.
  private static func wholeSeconds(_ interval: Interval) -> Interval {
    let second: Int64 = 1_000_000_000
    return .seconds(interval.nanoseconds / second + (interval.nanoseconds % second == 0 ? 0 : 1))
  }

  private var firstAttempt: Interval {
    var schedule = AttemptSchedule()
    return (schedule.next(settings.backoff, word: .max) ?? .forever) + settings.hintSpread
  }

  private var detection: Interval { (settings.heartbeat.interval ?? .forever) + settings.heartbeat.pongTimeout }

  /// How late a client notices at the latest that its connection is lost.
  private func noticing(_ fault: Fault) -> Interval {
    switch fault {
    case .reset, .networkChange, .offline, .garbage, .restart(.graceful, _, _), .restart(.killed, _, _): .zero
    case .close(_, let delay): delay
    default: detection
    }
  }
}
