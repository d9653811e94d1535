// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// True if a profile allows a client to be back within its limit.
enum Feasibility: Hashable, Sendable {
  case possible
  /// The client can be back in time only by chance.
  case doubtful(why: String)
  /// No client can be back in time, so the profile does not test it.
  case cannotSucceed(why: String)

  var isUnrecoverable: Bool { if case .cannotSucceed = self { true } else { false } }

  fileprivate var isDoubtful: Bool { if case .doubtful = self { true } else { false } }
}

extension OutageProfile {
  /// Returns true if a client with these settings can be back within the limit.
  ///
  /// The result is certain, from the smallest and largest values that the profile draws; the simulation covers events
  /// of only some sessions.
  func feasibility(under settings: ConnectionSettings) -> Feasibility {
    for pattern in always where pattern.chance == 1 && pattern.blocksSurely {
      return .cannotSucceed(
        why: "\(pattern.extremes.minimum) holds for the whole session, and no attempt succeeds meanwhile")
    }
    let assessment = FeasibilityAssessment(limit: limit, settings: settings)
    let found = variants.filter { $0.weight > 0 }.map(assessment.feasibility)
    if let first = found.first, found.allSatisfy(\.isUnrecoverable) { return first }
    return found.first { $0.isDoubtful } ?? .possible
  }
}

extension FaultPattern {
  /// True if no attempt succeeds while it holds, with any drawn values.
  fileprivate var blocksSurely: Bool { extremes.minimum.blocks && extremes.maximum.blocks }
}

private struct FeasibilityAssessment {
  let limit: Interval
  let settings: ConnectionSettings

  func feasibility(of variant: OutageVariant) -> Feasibility {
    let certain = variant.patterns.filter { $0.chance == 1 }
    guard variant.times.minimum > 0, let loss = certain.first(where: { $0.extremes.minimum.breaks }) else {
      return .possible
    }
    if let why = end(certain) ?? forcedWait(certain, after: loss.extremes.minimum) { return .cannotSucceed(why: why) }
    return exhaustion(variant, certain)
  }

  /// The reason why the outage lasts to the end of the session or ends the client for good; nil without one.
  private func end(_ certain: [FaultPattern]) -> String? {
    for pattern in certain {
      let fault = pattern.extremes.minimum
      if pattern.lasting.minimum >= FaultSchedule.longest.nanoseconds, pattern.blocksSurely {
        return "\(fault) holds to the end of the session, and no attempt succeeds meanwhile"
      }
      let closure = Closure(.server, fault.closeCode)
      if fault.kind == .close, settings.closeRules.verdict(on: closure) == .never {
        return "the server closes by \(closure.code.value), after which the client stays closed, as it must"
      }
    }
    return nil
  }

  /// The reason of a refusal that every client meets: it ends the client, or keeps it away for longer than the limit.
  private func forcedWait(_ certain: [FaultPattern], after loss: Fault) -> String? {
    for pattern in certain where pattern.blocksSurely {
      let fault = pattern.extremes.minimum
      guard pattern.lasting.minimum > (noticing(loss) + firstAttempt).nanoseconds else { continue }
      switch fault.kind {
      case .refusal: if let why = refusal(fault.refusal, pattern) { return why }
      case .shedding:
        let refusal = Refusal(status: 503, retryAfter: fault.optionalTime(1))
        if refusal.retryAfter != nil, let why = self.refusal(refusal, pattern) { return why }
      case .redirect:
        if fault.redirect == .unusable || fault.redirect == .plain && settings.isSecure {
          return "the handshake is redirected to where the client may not go, and it stays closed, as it must"
        }
      case .expiredCredentials:
        return "the credentials are refused and no better ones can be had, so the client stays closed, as it must"
      default: break
      }
    }
    return nil
  }

  private func refusal(_ refusal: Refusal, _ pattern: FaultPattern) -> String? {
    switch settings.refusalRules.verdict(on: refusal, isSecure: settings.isSecure, redirects: 0) {
    case .never:
      return "the handshake is answered by \(refusal.status), after which the client stays closed, as it must"
    case .retryAfter(let wait):
      let rest = wait - Interval(nanoseconds: pattern.lasting.maximum)
      guard rest > limit else { return nil }
      return "the server asks the client to stay away for at least \(FaultText.text(wait)), which is over "
        + "\(FaultText.text(rest)) after its refusals are at the earliest, and the limit is \(FaultText.text(limit))"
    default: return nil
    }
  }

  /// The feasibility of an outage that outlasts the attempts without a hint at its end.
  private func exhaustion(_ variant: OutageVariant, _ certain: [FaultPattern]) -> Feasibility {
    let isHinted = variant.patterns.contains { [.offline, .sleep, .networkChange, .background].contains($0.kind) }
    guard !isHinted, let longest = certain.filter(\.blocksSurely).max(by: { $0.lasting.minimum < $1.lasting.minimum }),
      Interval(nanoseconds: longest.lasting.minimum) > attemptsLast
    else { return .possible }
    let fact =
      "\(longest.kind.name) lasts for at least \(FaultText.time(longest.lasting.minimum)), and the client's "
      + "attempts are exhausted after \(FaultText.text(attemptsLast)) at the latest"
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

  /// The latest end of the last attempt: with the slowest detection, the longest waits, and every attempt hanging.
  private var attemptsLast: Interval {
    var (schedule, sum) = (AttemptSchedule(), detection)
    // A policy without a limit of attempts counts as endless.
    for _ in 0..<10_000 {
      guard let wait = schedule.next(settings.backoff, word: .max) else {
        // Rounded up to a whole second, since the longest wait of a jittered policy is never quite reached.
        return .seconds((sum.nanoseconds - 1) / 1_000_000_000 + 1)
      }
      sum = sum + wait + settings.connectTimeout
    }
    return .forever
  }

  private var firstAttempt: Interval {
    var schedule = AttemptSchedule()
    return (schedule.next(settings.backoff, word: .max) ?? .forever) + settings.hintSpread
  }

  private var detection: Interval { (settings.heartbeat.interval ?? .forever) + settings.heartbeat.pongTimeout }

  /// The longest time until a client detects that its connection is lost.
  private func noticing(_ fault: Fault) -> Interval {
    switch fault.kind {
    case .reset, .networkChange, .offline, .garbage: .zero
    case .restart: fault.departure == .vanished ? detection : .zero
    case .close: fault.time(1)
    default: detection
    }
  }
}
