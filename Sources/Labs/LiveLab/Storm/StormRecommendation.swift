// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// Which policy the numbers of a storm speak for, and what it costs.
///
/// The rule: a policy is fit when its highest peak of attempts in a second after the server's return is at most twice
/// the least of all compared: the server's side. Of those that are fit the one whose clients are back soonest in the
/// mean, whoever is missing at the end counted as back then: the clients' side. What another policy does better,
/// whether it was fit or not, is the price, and is told in full: every figure of the report's tables of which less is
/// better.
package struct StormRecommendation: Sendable {
  /// By how much a peak may exceed the least one.
  package static let tolerance = 2

  /// What is recommended.
  package let chosen: StormFinding
  /// The policies that spread well enough, in the order of the comparison.
  package let fit: [String]
  /// How many policies were compared.
  package let compared: Int
  /// What others do better, and by how much: a sentence each.
  package let costs: [String]

  private let reason: String

  /// The recommendation; nil without anything to choose from.
  init?(_ findings: [StormFinding]) {
    guard let least = findings.map(\.result.peakAfter).min() else { return nil }
    let fit = findings.filter { $0.result.peakAfter <= Self.tolerance * least }
    guard let chosen = fit.min(by: { $0.result.meanBack < $1.result.meanBack }) else { return nil }
    (self.chosen, self.fit, compared) = (chosen, fit.map(\.result.policy), findings.count)
    reason = Self.reason(chosen, among: fit, of: findings, least: least)
    costs = StormPrice.allCases.compactMap { $0.sentence(of: chosen, among: findings) }
  }

  /// The recommendation and what it costs, as a paragraph.
  package var text: String {
    let price =
      costs.isEmpty ? ["It costs nothing: no other policy does anything better."] : ["What it costs:"] + costs
    return ([reason] + price).joined(separator: " ")
  }

  /// Why it was chosen.
  package var why: String { reason }

  private static func reason(
    _ chosen: StormFinding, among fit: [StormFinding], of findings: [StormFinding], least: Int
  ) -> String {
    let result = chosen.result
    guard findings.count > 1 else {
      return "Nothing to choose from: only \(result.policy) was played."
    }
    let peak = StormText.attempts(NumberFormat.grouped(result.peakAfter))
    let spread =
      result.peakAfter == least
      ? "Its peak of \(peak) a second after the return is the lowest of all \(findings.count)"
      : "Its peak of \(peak) a second after the return is within twice the lowest, "
        + NumberFormat.grouped(least)
    let bound = result.missing > 0 ? "at least " : ""
    let back = "its clients are back after \(bound)\(StormText.seconds(result.meanBack)) in the mean"
    let soonest =
      fit.count == 1
      ? "no other policy's is within twice that; \(back)"
      : "\(back), the soonest of the \(fit.count) whose peak is within twice the lowest"
    return "For this storm: \(result.policy). \(spread), and \(soonest)."
  }
}

/// Numbers of storms as people read them.
enum StormText {
  /// Seconds with as many decimals as tell something.
  static func seconds(_ value: Double) -> String {
    NumberFormat.shortest((value * 10).rounded() / 10) + " s"
  }

  /// A grouped number of attempts: `1 attempt`, `2,000 attempts`.
  static func attempts(_ count: String) -> String { "\(count) \(count == "1" ? "attempt" : "attempts")" }

  /// How often the suspended try: `300 s, give or take 50%,`.
  static func cadence(_ cadence: SlowCadence) -> String {
    let spread = cadence.spread > 0 ? ", give or take \(NumberFormat.fixed(100 * cadence.spread, decimals: 0))%," : ""
    return TimelineClock.text(of: cadence.interval) + spread
  }

  /// Seconds for a column: a tenth is as fine as anybody asks.
  static func fixed(_ value: Double) -> String { NumberFormat.fixed(value, decimals: 1) + " s" }

  /// When a share is back.
  static func back(_ result: StormResult, share: Double) -> String {
    result.back(share: share).map { fixed(Double($0) / 1_000) } ?? "never"
  }

  /// A share in per cent; neither nothing nor all but where it is.
  static func percent(_ count: Int, of whole: Int) -> String {
    guard count > 0 else { return "none" }
    guard count < whole else { return "all" }
    let share = 100 * Double(count) / Double(whole)
    if share < 0.001 { return "under 0.001%" }
    if share > 99.999 { return "over 99.999%" }
    return NumberFormat.fixed(share, decimals: share < 0.1 || share > 99.9 ? 3 : 1) + "%"
  }

  /// A share in per cent, with its count.
  static func share(_ count: Int, of whole: Int) -> String {
    percent(count, of: whole) + (count > 0 ? " (\(NumberFormat.grouped(count)))" : "")
  }
}
