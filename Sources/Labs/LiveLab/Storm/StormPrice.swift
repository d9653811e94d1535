// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// What a policy can cost, compared with whichever does it best: every figure of the report's tables of which less is
/// better.
enum StormPrice: CaseIterable {
  case peakDown, peak, tenth, mean, half, most, last, everyone, gaveUp, missing, attempts, shed, budget

  /// What another policy does better; nil where none does, or by less than figures are printed to.
  func sentence(of chosen: StormFinding, among findings: [StormFinding]) -> String? {
    guard let best = findings.min(by: { value(of: $0) < value(of: $1) }), value(of: best) < value(of: chosen) else {
      return nil
    }
    let (name, here, there) = (best.result.policy, text(of: chosen), text(of: best))
    guard here != there else { return nil }
    switch self {
    case .peakDown: return "\(StormText.attempts(here)) in the worst second while the server is down, \(name) \(there)."
    case .peak: return "\(StormText.attempts(here)) in the worst second after the return, \(name) \(there)."
    case .tenth: return "\(StormText.attempts(here)) in the worst tenth of a second after the return, \(name) \(there)."
    case .mean: return "Clients are back after \(here) in the mean, with \(name) after \(there)."
    case .half, .most, .last, .everyone:
      let share = self == .half ? "50%" : self == .most ? "95%" : self == .last ? "99%" : "100%"
      return value(of: chosen) == .infinity
        ? "\(share) are never back while it is watched, with \(name) after \(there)."
        : "\(share) are back after \(here), with \(name) after \(there)."
    case .gaveUp:
      return "\(here) of the clients use up their attempts\(Self.afterwards(chosen.result)), with \(name) \(there)."
    case .missing: return "\(here) of the clients are not back at the end, with \(name) \(there)."
    case .attempts: return "\(here) attempts a client, \(name) \(there)."
    case .shed: return "\(StormText.attempts(here)) \(here == "1" ? "is" : "are") shed, with \(name) \(there)."
    case .budget:
      return "95% of the clients still have an attempt after an outage of \(here), with \(name) of \(there)."
    }
  }

  /// The less the better.
  private func value(of finding: StormFinding) -> Double {
    let result = finding.result
    func back(_ share: Double) -> Double { result.back(share: share).map(Double.init) ?? .infinity }
    return switch self {
    case .peakDown: Double(result.peakDuring)
    case .peak: Double(result.peakAfter)
    case .tenth: Double(result.peakTenth)
    case .mean: result.meanBack
    case .half: back(0.5)
    case .most: back(0.95)
    case .last: back(0.99)
    case .everyone: back(1)
    case .gaveUp: Double(result.gaveUp)
    case .missing: Double(result.missing)
    case .attempts: Double(result.attempts)
    case .shed: Double(result.shed)
    case .budget: -finding.budget.quantile(0.05)
    }
  }

  private func text(of finding: StormFinding) -> String {
    let result = finding.result
    return switch self {
    case .peakDown: NumberFormat.grouped(result.peakDuring)
    case .peak: NumberFormat.grouped(result.peakAfter)
    case .tenth: NumberFormat.grouped(result.peakTenth)
    case .mean: (result.missing > 0 ? "at least " : "") + StormText.seconds(result.meanBack)
    case .half: StormText.back(result, share: 0.5)
    case .most: StormText.back(result, share: 0.95)
    case .last: StormText.back(result, share: 0.99)
    case .everyone: StormText.back(result, share: 1)
    case .gaveUp: StormText.share(result.gaveUp, of: result.clients)
    case .missing: StormText.share(result.missing, of: result.clients)
    case .attempts: NumberFormat.fixed(Double(result.attempts) / Double(max(1, result.clients)), decimals: 2)
    case .shed: NumberFormat.grouped(result.shed)
    case .budget: StormText.seconds(finding.budget.quantile(0.05))
    }
  }

  private static func afterwards(_ result: StormResult) -> String {
    result.settings.suspendedCadence.map { " and try only every \(StormText.cadence($0)) from then on" }
      ?? " and are never back by themselves"
  }
}
