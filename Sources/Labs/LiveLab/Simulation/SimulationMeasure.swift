// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Sampling
public import Scenarios

extension SimulationTrial {
  /// All measures: by name, then by profile, so that the labels of a name are together.
  func rows(at confidence: Double) -> [MeasureRow<SimulationResult>] {
    typealias Row = MeasureRow<SimulationResult>
    let cells = cells
    let alpha = alpha(at: confidence)
    let (own, ownOfCause) = (1 - alpha, 1 - Self.alphaOfCause(alpha))
    let success = cells.map { cell in
      Row.interval(
        "reconnect.success", of: cell.name,
        "The share of outages from which the client was connected and current again within the limit", confidence: own,
        range: 0...1
      ) { $0.finding(of: cell)?.success }
    }
    let successAfter = cells.flatMap { cell in
      cell.profile.causes.map { cause in
        Row.interval(
          "reconnect.successAfter", of: cell.label(of: cause.name),
          "The share of returns in time, of outages in which \(cause.meaning)", confidence: ownOfCause, range: 0...1
        ) { $0.finding(of: cell)?.success(after: cause) }
      }
    }
    let `default` = [("median", 50.0), ("p90", 90), ("p99", 99)]
    let more = percentiles.map { ("p\(NumberFormat.shortest($0))", $0) }
    let times = (`default` + more.filter { one in !`default`.contains { $0.0 == one.0 } }).flatMap { name, percent in
      cells.map { cell in
        Row.interval(
          "reconnect.\(name)", of: cell.name, title: name,
          "The time from when an attempt could succeed within which \(NumberFormat.shortest(percent)) of 100 outages "
            + "were over",
          unit: "s", confidence: own
        ) { result in
          result.finding(of: cell).flatMap { finding in
            finding.percentile(Percentile.share(percent))?
              .value(confidence: own, sessions: finding.tally.success.clusters)
          }
        }
      }
    }
    let effects = cells.flatMap { cell in
      cell.profile.kinds.map { kind in
        FaultEffect.row(of: cell.label(of: kind.name)) { (result: SimulationResult) in
          result.finding(of: cell)?.tally.effects[Int(kind.rawValue)]
        }
      }
    }
    func count(
      _ name: String, of label: String? = nil, _ meaning: String, unit: String,
      _ value: @escaping @Sendable (SimulationResult) -> Int?
    ) -> Row {
      // After an interruption, the results of sessions that were not run are unknown.
      .count(
        name, of: label, meaning, unit: unit,
        undecided: { $0.run.isWhole ? 0 : max(0, $0.run.maxSamples - $0.run.samples) }, value)
    }
    let counts = cells.flatMap { cell in
      [
        count(
          "reconnect.failures", of: cell.name,
          "Sessions with an outage from which the client was not back in time", unit: "sessions"
        ) { $0.finding(of: cell)?.tally.troubledSessions },
        count("reconnect.outages", of: cell.name, "Outages that were evaluated", unit: "outages") {
          $0.finding(of: cell)?.tally.success.trials
        },
        count(
          "reconnect.outlived", of: cell.name,
          "Outages that the open connection survived without an attempt", unit: "outages"
        ) { $0.finding(of: cell)?.tally.outlived },
        .exact(
          "reconnect.attemptsPerHour", of: cell.name, title: "attempts",
          "Attempts to connect for each hour of the client, the first one included, in the sessions that were run",
          unit: "/h"
        ) { $0.finding(of: cell).map { Double($0.tally.counts.attempts) / $0.tally.counts.hours } },
      ]
    }
    return success + successAfter + times + counts + effects + [
      count("invariants.broken", "Sessions in which an invariant did not hold at some step", unit: "sessions") {
        $0.brokenSessions
      },
      count(
        "messages.misdelivered", "Messages of the server that the app got twice, or that were lost silently",
        unit: "messages"
      ) { $0.counts.lostOrDuplicated },
    ]
  }
}

extension OutageProfile {
  /// The kinds of faults in its patterns, each once.
  fileprivate var kinds: [Fault.Kind] {
    let kinds = Set(variants.flatMap { $0.patterns.map(\.kind) })
    return Fault.Kind.allCases.filter(kinds.contains)
  }

  /// The possible causes of its outages: the faults that can break an open connection.
  fileprivate var causes: [OutageCause] {
    kinds.filter { $0.declaration.breaks || $0 == .acceptThenClose }.map { .fault($0) }
  }
}

/// The number of sessions in which a requested fault took effect; a fault that never did was not tested, and leaves a
/// run undecided.
enum FaultEffect {
  private static let name = "faults.effect"

  static let precondition = (
    threshold: "\(name) >= 1", reason: "a fault that never took effect was not tested"
  )

  /// A row whose value is undecided if the fault never took effect.
  static func row<Finding>(
    of label: String, _ sessions: @escaping @Sendable (Finding) -> Int?
  ) -> MeasureRow<Finding> {
    .count(
      name, of: label, "Sessions in which the fault took effect", unit: "sessions",
      undecided: { sessions($0) == 0 ? 1 : 0 }, sessions)
  }
}

extension ReturnTimes.Percentile {
  /// The percentile in seconds; a time without an end is infinite.
  public func value(confidence: Double, sessions: Int) -> Measurement.Value {
    func seconds(_ time: Interval) -> Double { time == .forever ? .infinity : time.seconds }
    return .interval(
      seconds(time), low: seconds(interval.lowerBound), high: seconds(interval.upperBound), confidence: confidence,
      samples: sessions)
  }
}
