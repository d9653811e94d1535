// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Scenarios

struct StormReport {
  let findings: StormFindings

  init(_ findings: StormFindings) { self.findings = findings }

  private var settings: StormSettings { findings.comparison.settings }
  private var results: [StormResult] { findings.findings.map(\.result) }

  var document: Document {
    let advice = findings.recommendation.map { found in
      let costs = tradeOffs(of: found.chosen.policy)
      let price =
        costs.rows.isEmpty ? "No other policy is better in any measure." : "Others are better in these measures."
      return [.paragraph([found.why, findings.certainty, price].filter { !$0.isEmpty }.joined(separator: " "))]
        + (costs.rows.isEmpty ? [] : [ReportBlock.table(costs)])
    }
    let unplayed = findings.unplayed.joined(separator: ", ")
    let interruption =
      unplayed.isEmpty
      ? "Interrupted: only \(findings.votes.count) of \(findings.comparison.storms) storms were played to the end."
      : "Interrupted: only policies that were played to the end are shown; there are no results of \(unplayed)."
    let parts: [ReportBlock] = [
      .part("The load of the server", [.figure(attemptsFigure), .table(loads), .paragraph(Self.loadsNote)]),
      .part(
        "When clients are back, and how many are not",
        [.figure(backFigure), .table(times), .paragraph(Self.timesNote)]),
    ]
    return Document(
      id: "live-storm", title: heading,
      (advice ?? []) + (findings.isComplete ? [] : [.paragraph(interruption)]) + (results.isEmpty ? [] : parts)
        + [.list(conditions)])
  }

  private var heading: String {
    "\(NumberFormat.grouped(settings.clients)) \(settings.clients == 1 ? "client" : "clients"), a server down for "
      + "\(TimelineClock.text(of: settings.outage)) that then accepts \(capacity)"
  }

  private var capacity: String {
    settings.capacity.map { "\(NumberFormat.grouped($0)) a second" } ?? "any number"
  }

  private var conditions: [String] {
    let shed =
      settings.shed == .refused
      ? "refused"
      : "answered 503" + (settings.retryAfter.map { " with Retry-After \(TimelineClock.text(of: $0))" } ?? "")
    let cadence =
      settings.suspendedCadence.map { cadence in
        let spread =
          cadence.spread > 0 ? ", give or take \(NumberFormat.fixed(100 * cadence.spread, decimals: 0))%," : ""
        return "A client that has exhausted its attempts is suspended, and tries every "
          + "\(TimelineClock.text(of: cadence.interval))\(spread) from then on."
      } ?? "A client that has exhausted its attempts never tries again."
    let limit =
      settings.capacity == nil
      ? ""
      : " An idle server saves up \(TimelineClock.text(of: settings.burst)) of capacity; attempts beyond it are "
        + "\(shed)."
    return [
      "All clients notice within \(TimelineClock.text(of: settings.detectionWindow)); an attempt fails after "
        + "\(TimelineClock.text(of: settings.attemptTimeout)) while the server is down.\(limit)",
      "\(cadence) The storm is simulated for \(TimelineClock.text(of: settings.horizon)) after the return.",
      "Drawn with \(settings.generator), seed \(settings.seed).",
    ]
  }

  private var measurements: [Measurement] { findings.comparison.measurements(of: findings) }

  private func table(_ names: [String]) -> Table {
    Table(measurements, by: "policy", names.map { "storm.\($0)" }, at: 0.99)
  }

  private var times: Table {
    let percents = [50, 95, 99, 100].united(with: findings.comparison.percentiles)
    return table(percents.map { "back\(NumberFormat.shortest($0))" } + ["meanBack", "gaveUp", "missing", "survives95"])
  }

  private var loads: Table { table(["attempts", "peakDuring", "peak", "peakTenth", "accepted", "shed"]) }

  /// The measures in which another policy is better than the chosen one; in all but three, less is better.
  func tradeOffs(of chosen: String) -> Table {
    let all = Dictionary(grouping: measurements) { $0.measure.name }
    return Table(
      ["better with another"], numbers: [chosen, "best"], ["by"],
      rows: StormComparison.rows.map(\.name).filter { $0 != "storm.accepted" }.compactMap { name in
        let sign = name == "storm.back" || name == "storm.survives95" ? -1.0 : 1
        guard let own = all[name]?.first(where: { $0.measure.label == chosen }),
          let best = all[name]?.min(by: { sign * $0.estimate < sign * $1.estimate }),
          sign * best.estimate < sign * own.estimate
        else { return nil }
        return [own.measure.heading, own.text(at: 0.99), best.text(at: 0.99), best.measure.label ?? ""]
      })
  }

  private static let timesNote =
    "Times are counted from the server's return; never means within the time simulated. Gave up: "
    + "clients without an attempt left at some time, even if the slow cadence brought them back. 95% outlast: the "
    + "longest outage after which 95% of the clients still have an attempt left if each attempt fails at once; never: "
    + "its attempts have no end."

  private static let loadsNote =
    "Peak during and peak after: the most attempts of all clients in a second while the server is down, and after its "
    + "return; peak tenth: in a tenth of a second after it. Accepted: the most clients that came back in a second. "
    + "Shed: attempts that the returned server turned away."

  /// Attempts and acceptances in every tenth of a second with any.
  var bins: Table {
    Table(
      ["policy"], numbers: ["afterReturnSeconds", "attempts", "accepted"],
      rows: results.flatMap { result in
        let (during, accepted) = (result.attemptsDuring, result.acceptedAfter)
        return (during + result.attemptsAfter).enumerated().filter { $1 > 0 }.map { index, count in
          let tenth = index - during.count
          let back = accepted.indices.contains(tenth) ? accepted[tenth] : 0
          return [result.policy, NumberFormat.fixed(Double(tenth) / 10, decimals: 1), "\(count)", "\(back)"]
        }
      })
  }

  /// The seconds after the return that figures show: until all policies are back or have stopped trying, at least a
  /// minute.
  private var shown: Int { max(60, ((results.map(\.attemptsAfter.count).max() ?? 0) + 9) / 10) }

  /// The seconds that a point of a figure stands for, which limits the number of points.
  private var step: Int { (shown + 999) / 1_000 }

  /// Ends at 1.5 times the time at which nine in ten clients of the acceptable policies are back, so that stragglers do
  /// not compress the first minute.
  private var axis: Figure.Axis {
    let fit = findings.recommendation?.fit ?? results.map(\.policy)
    let done = results.filter { fit.contains($0.policy) }.compactMap { $0.back(share: 0.9) }.max()
    return Figure.Axis("seconds after the server's return", until: done.map { max(60, 1.5 * Double($0) / 1_000) })
  }

  /// Attempts in each second around the server's return: lines for the acceptable policies, and dots for the others,
  /// whose waves would hide the lines.
  var attemptsFigure: Figure {
    let peaks = results.map { "\($0.policy) \(NumberFormat.grouped($0.peakAfter))" }
    let fit = findings.recommendation?.fit ?? results.map(\.policy)
    return Figure(
      id: "storm-attempts", title: "Attempts a second around the server's return",
      alternative: "Attempts in each second before and after the server's return, a plot for each policy: lines of the "
        + "policies that bring clients back and whose peak is within twice the lowest, and dots of the others; a "
        + "second without any has none."
        + (step > 1 ? " A point is the highest of \(step) seconds." : "")
        + " The highest after the return: \(peaks.joined(separator: ", ")).",
      x: axis, y: Figure.Axis("attempts a second", scale: .logarithmic),
      series: results.map { result in
        Figure.Series(result.policy, style: fit.contains(result.policy) ? .line : .points, points: attempts(result))
      } + [.moment("the server's return", at: 0)]
        + (settings.capacity.map { [.level("capacity, \(capacity)", at: Double($0))] } ?? [])
    ).showing([Figure.Subject("storm.peak")])
  }

  /// Attempts in each second, at its middle; a second without any breaks the line.
  private func attempts(_ result: StormResult) -> [Figure.Point] {
    func points(_ counts: some Sequence<Int>, _ sign: Double) -> [Figure.Point] {
      let seconds = StormResult.sums(of: Array(counts), by: 10)
      return stride(from: 0, to: seconds.count, by: step).map { first in
        let maximum = seconds[first..<min(first + step, seconds.count)].max() ?? 0
        return Figure.Point(sign * (Double(first) + Double(step) / 2), maximum > 0 ? Double(maximum) : .nan)
      }
    }
    return points(result.attemptsDuring.reversed().prefix(300), -1).reversed() + points(result.attemptsAfter, 1)
  }

  var backFigure: Figure {
    let halves = results.map { "\($0.policy) \($0.back(share: 0.5).map { "\(Double($0) / 1_000) s" } ?? "never")" }
    return Figure(
      id: "storm-back", title: "Clients that are back",
      alternative: "Rising lines over the seconds after the server's return, one for each policy: the share of all "
        + "clients that are back. Half of them are: \(halves.joined(separator: ", ")).",
      x: axis, y: Figure.Axis("clients back, %"),
      series: results.map { Figure.Series($0.policy, style: .line, points: back($0)) }
    ).showing(["50", "95", "99", "100"].map { Figure.Subject("storm.back\($0)", along: .across) })
  }

  private func back(_ result: StormResult) -> [Figure.Point] {
    let accepted = result.acceptedAfter
    var (sum, points) = (0, [Figure.Point(0, 0)])
    for second in 0..<shown {
      sum += accepted.dropFirst(second * 10).prefix(10).reduce(0, +)
      points.append(Figure.Point(Double(second + 1), 100 * Double(sum) / Double(max(1, result.clients))))
    }
    return points
  }

  /// The recommended policy by the first storm, and by each storm.
  var data: JSONValue {
    [
      "recommended": findings.recommendation.map { .string($0.chosen.policy) } ?? .null,
      "votes": .array(findings.votes.map { .string($0) }),
    ]
  }
}
