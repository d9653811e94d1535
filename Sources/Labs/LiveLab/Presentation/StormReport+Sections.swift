// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
package import Scenarios

extension StormReport {
  /// The storm as a section of a report: the recommendation, attempts a second, when clients are back, and the load.
  package var reportSections: [ReportSection] {
    [
      ReportSection(
        id: "live-storm", title: heading,
        blocks: [.list(conditions)] + recommended + [
          .part(
            title: "Attempts a second", judgement: nil,
            [
              .figure(attemptsFigure),
              .table(ReportTable(caption: loadsTitle, loads)), .paragraph(loadsNote),
            ]),
          .part(
            title: "Back again", judgement: nil,
            [
              .figure(backFigure),
              .table(ReportTable(caption: timesTitle, times)), .paragraph(timesNote),
            ]),
        ])
    ]
  }

  /// The recommendation with its price, and what was not played.
  private var recommended: [ReportBlock] {
    advice.map { .paragraph($0) } + (costs.isEmpty ? [] : [.list(costs)])
      + (interruption.map { [.paragraph($0)] } ?? [])
  }

  /// How long a figure shows, in seconds after the return: until 99% are back under the policies that get there within
  /// five minutes, a minute at least.
  private func shown(_ results: [StormResult]) -> Int {
    let ends = results.compactMap { $0.back(share: 0.99) }.map { $0 / 1_000 + 1 }.filter { $0 <= 300 }
    return max(60, ends.max() ?? 60)
  }

  /// Attempts in each second around the server's return: lines of the policies that spread well enough to be
  /// recommended, and dots of the others, whose waves would hide the lines.
  package var attemptsFigure: Figure {
    let results = findings.findings.map(\.result)
    let peaks = results.map { "\($0.policy) \(NumberFormat.grouped($0.peakAfter))" }
    let seconds = shown(results)
    let fit = findings.recommendation?.fit ?? results.map(\.policy)
    return Figure(
      id: "storm-attempts", title: "Attempts a second around the server's return",
      alternative: "Attempts in each second before and after the server's return: lines of the policies whose peak is "
        + "within twice the lowest, and dots of the others; a second without any has none.\(cut(results, seconds)) The "
        + "highest after the return: \(peaks.joined(separator: ", ")).",
      x: axis(results, seconds), y: Figure.Axis("attempts a second", scale: .logarithmic),
      series: results.map { result in
        Figure.Series(
          result.policy, style: fit.contains(result.policy) ? .line : .points, points: attempts(result, seconds))
      })
  }

  /// The axis of a figure that shows so many seconds, with how long attempts go on where that is longer.
  private func axis(_ results: [StormResult], _ shown: Int) -> Figure.Axis {
    let end = last(results)
    return Figure.Axis("seconds after the server's return" + (end > shown ? "; attempts go on to \(end) s" : ""))
  }

  /// What a figure leaves out.
  private func cut(_ results: [StormResult], _ shown: Int) -> String {
    let end = last(results)
    return end > shown ? " It ends after \(shown) s, the attempts after \(end) s." : ""
  }

  /// When the last second with an attempt ends.
  private func last(_ results: [StormResult]) -> Int { ((results.map(\.attemptsAfter.count).max() ?? 0) + 9) / 10 }

  /// Attempts of each second, at its middle; a second without any breaks the line.
  private func attempts(_ result: StormResult, _ shown: Int) -> [Figure.Point] {
    let during = result.attemptsDuring
    let before = Array(during.reversed().prefix(300))
    let points = { (counts: [Int], sign: Double) in
      stride(from: 0, to: counts.count, by: 10).map { first in
        let sum = counts[first..<min(first + 10, counts.count)].reduce(0, +)
        return Figure.Point(sign * (Double(first) / 10 + 0.5), sum > 0 ? Double(sum) : .nan)
      }
    }
    return points(before, -1).reversed() + points(Array(result.attemptsAfter.prefix(shown * 10)), 1)
  }

  /// The share of clients that are back.
  package var backFigure: Figure {
    let halves = findings.findings.map { "\($0.result.policy) \(StormText.back($0.result, share: 0.5))" }
    let results = findings.findings.map(\.result)
    let seconds = shown(results)
    return Figure(
      id: "storm-back", title: "Clients that are back",
      alternative: "Rising lines over the seconds after the server's return, one for each policy: the share of all "
        + "clients that are back. Half of them are: \(halves.joined(separator: ", ")).\(cut(results, seconds))",
      x: axis(results, seconds), y: Figure.Axis("clients back, %"),
      series: findings.findings.map { Figure.Series($0.result.policy, style: .line, points: back($0.result, seconds)) })
  }

  private func back(_ result: StormResult, _ shown: Int) -> [Figure.Point] {
    let accepted = result.acceptedAfter
    var (sum, points) = (0, [Figure.Point(0, 0)])
    for second in 0..<shown {
      let tenths = accepted.dropFirst(second * 10).prefix(10)
      sum += tenths.reduce(0, +)
      points.append(Figure.Point(Double(second + 1), 100 * Double(sum) / Double(max(1, result.clients))))
    }
    return points
  }

  /// What `result.json` keeps.
  var data: JSONValue {
    [
      "policies": .array(findings.findings.map(Self.data)),
      "recommended": findings.recommendation.map { .string($0.chosen.result.policy) } ?? .null,
      "advice": findings.recommendation.map { .string($0.text) } ?? .null,
    ]
  }

  private static func data(_ finding: StormFinding) -> JSONValue {
    let result = finding.result
    func back(_ share: Double) -> JSONValue { result.back(share: share).map { .integer($0) } ?? .null }
    return [
      "policy": .string(result.policy), "maximumAttempts": .integer(finding.policy.maximumAttempts),
      "clients": .integer(result.clients), "attempts": .integer(result.attempts), "shed": .integer(result.shed),
      "gaveUp": .integer(result.gaveUp), "back": .integer(result.back), "missing": .integer(result.missing),
      "peakDuring": .integer(result.peakDuring), "peakAfter": .integer(result.peakAfter),
      "peakTenth": .integer(result.peakTenth), "peakAccepted": .integer(result.peakAccepted),
      "back50Milliseconds": back(0.5), "back95Milliseconds": back(0.95), "back99Milliseconds": back(0.99),
      "back100Milliseconds": back(1), "meanBackSeconds": .number(result.meanBack),
      "survives95Seconds": .number(finding.survives95), "isComplete": .bool(result.isComplete),
    ]
  }

  /// The document of `--format json`.
  var json: JSONValue {
    [
      "kind": "live-storm", "version": .string(Version.current), "clients": .integer(settings.clients),
      "outageSeconds": .number(settings.outage.seconds),
      "capacity": settings.capacity == 0 ? .null : .integer(settings.capacity),
      "seed": .unsigned(settings.seed), "generator": .string(settings.generator),
      "isComplete": .bool(findings.isComplete), "result": data,
    ]
  }
}
