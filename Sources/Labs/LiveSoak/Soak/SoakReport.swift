// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import Reporting
internal import Scenarios

/// The report of a soak. Times are the clients' own unless a sentence says otherwise.
struct SoakReport {
  let finding: SoakFinding

  private var trial: SoakTrial { finding.trial }

  var document: Document {
    let real = finding.real
    var broken: [ReportBlock] = real.broken.isEmpty ? [] : [.table(breaches)]
    broken += real.failures.all.prefix(5).map { .paragraph(words($0)) }
    return Document(
      id: "live-soak", title: title,
      [
        .paragraph(verdict),
        .part("Every outage, real and simulated", [.table(outages), .paragraph(comparisonNote)]),
      ] + (differences.isEmpty ? [] : [.part("Where the two disagree", [.list(differences)])]) + [
        .part("Back in time", [.table(success), .paragraph(timesNote)]),
        .part("Effects of the faults", [.table(effects), .list(idle)]),
        .part("Invariants", [.list(invariants)] + broken),
        .part("The machine", [.list(machine)]),
        .details(summary: "The schedule", [.code("\(finding.schedule)", label: "The schedule of the run")]),
      ], data: timeRows)
  }

  private var title: String {
    "\(NumberFormat.grouped(trial.clients)) real clients for \(text(finding.outcome.duration)) of "
      + "their time: production, \(trial.policy.name)"
  }

  private var verdict: String {
    let differing = finding.comparisons.filter { !$0.disagreements.isEmpty }
    let late = differing.count { finding.disagreements(in: $0).sure == 0 }
    let count = NumberFormat.counted(finding.comparisons.count, "outage")
    let ended = finding.outcome.isComplete ? "" : "Interrupted: these are partial results. "
    if differing.isEmpty {
      return ended
        + "Real clients came back from \(count) as simulated ones do, within chance and the resolution."
    }
    let found = "Real clients differ from simulated ones in \(differing.count) of \(count)"
    return ended + found
      + (late == 0 ? "." : "; in \(late) of them this machine was too late to decide whether the clients caused that.")
  }

  // MARK: The comparison

  private var outages: Table {
    Table(
      ["outage", "began"], numbers: ["cut off", "back", "median", "90%", "distance"], ["they"],
      rows: finding.comparisons.map { comparison in
        let timed = finding.schedule.faults[comparison.index]
        let (real, simulated) = (comparison.real, comparison.simulated)
        func percentile(_ share: Double) -> String {
          "\(time(real.percentile(share))) / \(time(simulated.percentile(share)))"
        }
        return [
          timed.fault.kind.name, TimelineClock.text(of: timed.at),
          "\(share(real.cutOff, real.clients)) / \(share(simulated.cutOff, simulated.clients))",
          "\(share(real.back, real.times.count)) / \(share(simulated.back, simulated.times.count))", percentile(0.5),
          percentile(0.9),
          comparison.allowed.map { allowed in
            "\(NumberFormat.fixed(comparison.distance.gap, decimals: 2)) of \(NumberFormat.fixed(allowed, decimals: 2))"
          } ?? "",
          comparison.disagreements.isEmpty
            ? "agree" : finding.disagreements(in: comparison).sure == 0 ? "late" : "DISAGREE",
        ]
      })
  }

  private var comparisonNote: String {
    let error = NumberFormat.shortest(SimulationTrial.part(of: 1 - trial.confidence, among: 1))
    return
      "Real / simulated, of each client the first time that a fault cut it off. Back: within \(text(finding.limit)) "
      + "from when an attempt could succeed, of those whose limit was over before the run. Median and 90%: the time to "
      + "return. Distance: by how much the shares that were back differ at the worst time, where times that differ by "
      + "less than \(text(trial.speed.own(trial.resolution))) (\(text(trial.resolution)) of this machine's clock) "
      + "count as the same; of the largest value that chance allows. Late: they disagree, and the machine was late "
      + "itself. All comparisons together are wrong with a chance of at most \(error) where the two agree; "
      + "\(SoakTrial.simulatedForEach) clients were simulated for each real one, with the settings, the network and "
      + "the schedule of the run."
  }

  private var differences: [String] {
    finding.comparisons.flatMap { comparison in
      let timed = finding.schedule.faults[comparison.index]
      let late =
        finding.disagreements(in: comparison).undecided > 0
        ? " (machine late by \(text(finding.lateness(in: comparison))))" : ""
      let outage = "\(timed.fault.kind.name) at \(TimelineClock.text(of: timed.at))\(late)"
      return comparison.disagreements.map { question in
        switch question {
        case .cutOff: "\(outage), \(question.rawValue): \(between(comparison.cutOff)) more of the simulated."
        case .back: "\(outage), \(question.rawValue): \(between(comparison.back)) more of the simulated."
        case .times:
          "\(outage), \(question.rawValue): the real clients are "
            + "\(comparison.distance.isRealSooner ? "sooner" : "later"); within \(text(comparison.distance.at)) the "
            + "shares differ by \(NumberFormat.fixed(comparison.distance.gap, decimals: 3)), and chance allows "
            + "\(NumberFormat.fixed(comparison.allowed ?? 1, decimals: 3))."
        }
      }
    }
  }

  // MARK: The clients

  private var success: Table {
    Table(
      ["clients"], numbers: ["outages", "back in time", "50%", "90%", "99%", "outlived", "served"],
      rows: [("real", finding.real), ("simulated", finding.simulated)].map { name, tally in
        let times = [0.5, 0.9, 0.99].map {
          tally.returns.percentile($0, alpha: 0.01, maximum: finding.maximum)?.time
        }
        let served = share(tally.counts.servedMilliseconds, tally.counts.milliseconds)
        return ["\(NumberFormat.grouped(tally.sessions)) \(name)", NumberFormat.grouped(tally.success.trials)]
          + [share(tally.success.hits, tally.success.trials)] + times.map(time)
          + [share(tally.outlived, tally.returns.count), served]
      })
  }

  private var timesNote: String {
    "Everything ran \(trial.pace) times as fast as in production; the times are given as the clients' own. An outage "
      + "is counted as live simulate counts it, from when an attempt could succeed."
  }

  private var effects: Table {
    Table(
      ["fault", "began"], numbers: ["took effect"],
      rows: finding.schedule.faults.enumerated().map { index, timed in
        [
          "\(timed.fault)", TimelineClock.text(of: timed.at),
          NumberFormat.grouped(Int(clamping: finding.effect(of: index))),
        ]
      })
  }

  private var idle: [String] {
    finding.idle.map { index in
      let timed = finding.schedule.faults[index]
      return "\(timed.fault.kind.name) at \(TimelineClock.text(of: timed.at)) never took effect: nothing was tried."
    }
  }

  private var invariants: [String] {
    let clients = NumberFormat.grouped(trial.clients)
    let broken = finding.real.brokenSessions
    return [
      broken == 0
        ? "None of \(Invariant.ofOneClient.count) invariants was broken at any step of \(clients) clients."
        : "Invariants were broken by \(NumberFormat.grouped(broken)) of \(clients) clients.",
      "Invariants about time allow a timer to fire \(text(trial.tolerance)) late by the machine's clock, since that "
        + "delay is the machine's and not the client's.",
      "\(Invariant.spreadReturns.name) is not checked: it is about many clients, not about one.",
    ]
  }

  private var breaches: Table {
    Table(
      ["invariant"], numbers: ["clients"], ["meaning"],
      rows: finding.real.broken.map { [$0.name, NumberFormat.grouped($1), $0.sentence] })
  }

  private func words(_ failure: SessionFailure) -> String {
    "Client \(failure.session): \(failure.text(limit: finding.limit))."
  }

  private var machine: [String] {
    let outcome = finding.outcome
    let names = outcome.descriptorsLeft.isEmpty ? "" : " (\(outcome.descriptorsLeft.joined(separator: ", ")))"
    let left = "\(outcome.descriptorsLeft.count)\(names)"
    return [
      "\(NumberFormat.fixed(trial.speed.real(outcome.duration).seconds, decimals: 1)) s by the machine's clock; "
        + "\(NumberFormat.grouped(Int(clamping: outcome.openings))) connections opened, "
        + "\(NumberFormat.fixed(finding.reconnectsPerSecond, decimals: 1)) a second of them again.",
      "Three event loops together were at most \(text(finding.outcome.lateness.max() ?? .zero)) late by the machine's "
        + "clock."
        + (finding.undecidedDisagreements > 0
          ? " Where that was more than the resolution in an outage or the one before, a disagreement may be its own: "
            + "fewer clients, a slower pace or a coarser resolution decide." : ""),
      "After the run \(left) descriptors were open that were not before, \(outcome.relaysLeft) "
        + "connections were left at the proxy, and \(outcome.unfinished) clients had not let go of their socket.",
      "Drawn with \(trial.generator), seed \(trial.seed). Real sockets and a real clock are part of what was measured: "
        + "the seed does not determine it, and another run gives other numbers.",
    ]
  }

  // MARK: Words and rows

  private func share(_ hits: Int, _ trials: Int) -> String {
    guard trials > 0 else { return "-" }
    let decimals = hits == 0 || hits == trials ? 0 : 1
    return NumberFormat.percent(Double(hits) / Double(trials), decimals: decimals)
  }

  private func between(_ range: ClosedRange<Double>?) -> String {
    guard let range else { return "" }
    return [range.lowerBound, range.upperBound].map { NumberFormat.fixed($0 * 100, decimals: 1) + "%" }
      .joined(separator: " to ")
  }

  private func text(_ interval: Interval) -> String {
    interval == .forever ? "for ever" : TimelineClock.text(of: interval)
  }

  private func time(_ interval: Interval?) -> String { interval.map(TimelineClock.seconds) ?? "-" }

  /// All times to return, one per line.
  var timeRows: Table {
    Table(
      ["fault", "began", "world", "seconds"],
      rows: finding.comparisons.flatMap { comparison in
        let timed = finding.schedule.faults[comparison.index]
        return [("real", comparison.real), ("simulated", comparison.simulated)].flatMap { world, sample in
          sample.times.map { time in
            [
              timed.fault.kind.name, NumberFormat.fixed((timed.at - .zero).seconds, decimals: 3), world,
              time == .forever ? "" : NumberFormat.fixed(time.seconds, decimals: 6),
            ]
          }
        }
      })
  }

  /// The schedule, and the results by outage. Times are the clients' own.
  var data: JSONValue {
    [
      "schedule": .string("\(finding.schedule)"), "limitSeconds": .number(finding.limit.seconds),
      "determinedBySeed": .bool(false), "openings": .integer(Int(clamping: finding.outcome.openings)),
      "broken": .object(finding.real.broken.map { JSONMember($0.name, .integer($1)) }),
      "outages": .array(
        finding.comparisons.map { comparison in
          let timed = finding.schedule.faults[comparison.index]
          return [
            "fault": .string("\(timed)"), "effects": .integer(Int(clamping: finding.effect(of: comparison.index))),
            "real": data(comparison.real), "simulated": data(comparison.simulated),
            "distance": .fixed(comparison.distance.gap, decimals: 9),
            "allowed": comparison.allowed.map { .fixed($0, decimals: 9) } ?? .null,
            "machineLateSeconds": .number(finding.lateness(in: comparison).seconds),
            "disagreements": .array(comparison.disagreements.map { .string($0.rawValue) }),
          ]
        }),
    ]
  }

  private func data(_ sample: OutageSample) -> JSONValue {
    func seconds(_ time: Interval?) -> JSONValue {
      time.map { $0 == .forever ? .null : .number($0.seconds) } ?? .null
    }
    return [
      "clients": .integer(sample.clients), "cutOff": .integer(sample.cutOff), "counted": .integer(sample.times.count),
      "back": .integer(sample.back), "medianSeconds": seconds(sample.percentile(0.5)),
      "p90Seconds": seconds(sample.percentile(0.9)), "p99Seconds": seconds(sample.percentile(0.99)),
    ]
  }
}
