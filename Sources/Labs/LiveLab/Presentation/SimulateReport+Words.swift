// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore
internal import Reporting

extension SimulateReport {
  /// What a cause that is no fault means; nil where there is none of it.
  var causesNote: String? {
    guard result.findings.contains(where: { $0.causes.contains { $0.cause == .none } }) else { return nil }
    return "No-fault: nothing that cuts connections off began, held or had ended within two minutes; the client gave "
      + "the connection up by itself, as where a pong was lost or late."
  }

  /// What the table of times says, a sentence each.
  var timesNote: String {
    "A percentile is the time within which that share of the outages was over; never: the client was not back before "
      + "the session's end. What the 99% lies in holds for all profiles together at "
      + "\(percent(result.trial.confidence)). Outlived: the open connection came through the outage without an "
      + "attempt. Served: the share of all time in which the client was connected and current, sleep included."
  }

  func percent(_ share: Double, decimals: Int? = nil) -> String {
    let value = share * 100
    let tidied = Self.tidied(value)
    // A confidence that is less than all never reads as all.
    let whole = tidied >= 100 && share < 1 ? value : tidied
    return (decimals.map { NumberFormat.share(value, decimals: $0, of: 100) } ?? NumberFormat.shortest(whole)) + "%"
  }

  func atLeast(_ share: Double, decimals: Int) -> String {
    ReadableText.percent(share, decimals: decimals, rounded: .down)
  }

  func atMost(_ share: Double, decimals: Int) -> String {
    ReadableText.percent(share, decimals: decimals, rounded: .up)
  }

  /// A share that never reads as all where one is missing.
  func share(_ share: Double, _ hits: Int, _ trials: Int) -> String {
    hits == trials || share * 100 < 99.9995
      ? percent(share, decimals: hits == trials ? 0 : 3) : "all but \(NumberFormat.grouped(trials - hits))"
  }

  /// A time in seconds with three digits or so: `0.45 s`, `12.3 s`, `never`.
  func time(_ interval: Interval) -> String {
    guard interval != .forever else { return "never" }
    let seconds = interval.seconds
    guard seconds < 999.5 else { return NumberFormat.grouped(Int(seconds.rounded())) + " s" }
    let decimals = seconds >= 99.95 || seconds == seconds.rounded() ? 0 : seconds >= 9.995 ? 1 : 2
    return NumberFormat.fixed(seconds, decimals: decimals) + " s"
  }

  /// What a time is known to lie in: `12.3 s to 14.5 s`; `12.3 s or more` where too few sessions bound it above.
  func between(_ interval: ClosedRange<Interval>) -> String {
    let (low, high) = (time(interval.lowerBound), time(interval.upperBound))
    return high == low ? low : interval.upperBound == .forever ? "\(low) or more" : "\(low) to \(high)"
  }

  func words(_ verdict: SuccessSequence.Verdict) -> String {
    switch verdict {
    case .reached: "reached"
    case .missed: "missed"
    case .open: "not known"
    }
  }

  /// What is not in the tables: profiles that leave much to chance, outages that were not judged, and why.
  var remarks: [String] {
    runaways
      + result.findings.compactMap { finding in
        guard case .doubtful(let why) = finding.profile.prospect(under: result.trial.client.settings) else {
          return nil
        }
        return "In \(finding.profile.name) a client is back in time only when chance has it so: \(why)."
      } + unjudged
  }

  private var runaways: [String] {
    result.findings.filter { $0.tally.runaways > 0 }.map { finding in
      "\(NumberFormat.grouped(finding.tally.runaways)) sessions of \(finding.profile.name) were cut short by a "
        + "livelock of the client."
    }
  }

  private var unjudged: [String] {
    result.findings.flatMap { finding in
      let isUnhurt = finding.success == nil && finding.tally.unrecoverable + finding.tally.late == 0
      return [
        isUnhurt ? "Nothing is judged in \(finding.profile.name): its faults cut no connection off." : nil
      ].compactMap(\.self) + unjudged(of: finding)
    }
  }

  private func unjudged(of finding: ProfileFinding) -> [String] {
    [
      (finding.tally.unrecoverable, "no attempt could have succeeded before the session's end"),
      (finding.tally.late, "the session ended before the limit was over"),
    ].filter { $0.0 > 0 }.map { count, why in
      "\(NumberFormat.grouped(count)) \(count == 1 ? "outage" : "outages") of \(finding.profile.name) "
        + "\(count == 1 ? "is" : "are") not judged: \(why)."
    }
  }

  /// What went wrong, and the command that shows it: the first session of each sort and profile.
  var failures: [(what: String, command: String)] {
    result.findings.flatMap { finding in
      (finding.tally.failures.breaches.prefix(1) + finding.tally.failures.notBack.prefix(1)).map { failure in
        (
          "\(finding.profile.name), session \(failure.session): \(describe(failure.what, finding.profile))",
          command(failure, finding)
        )
      }
    }
  }

  func command(_ failure: SessionFailure, _ finding: ProfileFinding) -> String {
    result.trial.client.command(
      seed: failure.seed, profile: finding.profile, generator: result.trial.generator)
  }

  private func describe(_ what: SessionFailure.What, _ profile: OutageProfile) -> String {
    switch what {
    case .breach(let breach): return "\(breach)"
    case .notBack(let outage, let cause):
      let began = TimelineClock.text(of: outage.began)
      let took =
        outage.timeToReturn.map { "back \(TimelineClock.text(of: $0)) after it could have been" }
        ?? "not back before the end"
      return
        "\(took), where \(TimelineClock.text(of: profile.limit)) are allowed; cut off at \(began) by \(cause.name), "
        + "\(outage.attempts) \(outage.attempts == 1 ? "attempt" : "attempts")"
    }
  }

  /// A number without the digits that a product leaves behind its own.
  private static func tidied(_ value: Double) -> Double { Double(String(format: "%.10g", value)) ?? value }
}
