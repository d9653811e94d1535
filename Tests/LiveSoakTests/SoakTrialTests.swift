// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import Foundation
import LiveCore
import LiveLab
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import LiveSoak

@Suite("The experiment live.soak")
struct SoakTrialTests {
  @Test("the default schedule is ten minutes with a dozen outages, and can be played")
  func `default`() throws {
    guard case .schedule(let schedule) = SoakTrial().faults else {
      Issue.record("expected a schedule")
      return
    }
    #expect(schedule.duration == .seconds(600))
    #expect(schedule.faults.count >= 12)
    #expect(SoakFaultChoice.problem(in: schedule) == nil)
    try SoakTrial().check()
  }

  @Test("a run that is shorter than the schedule plays its beginning")
  func cut() throws {
    var trial = SoakTrial()
    trial.duration = .seconds(20)
    #expect(try trial.schedule().duration == .seconds(200))
    #expect(try trial.schedule().faults.last?.at ?? .never < .zero + .seconds(200))
  }

  @Test(
    "a schedule that cannot be played is refused by the fault's name",
    arguments: [
      ("live/1 for=1m; 10s sleep for=5s", "sleep"), ("live/1 for=1m; 10s clock-skew for=5s millionths=5", "clock-skew"),
      ("live/1 for=1m; 10s idle-cut for=5s after=1s silent=yes", "silent"),
      ("live/1 for=1m; 10s restart for=5s how=killed history=lost", "memory"),
      ("live/1 for=1m; 10s offline for=20s; 15s black-hole for=20s", "one after the other"),
      ("tunel", "tunnel"),
    ])
  func unplayable(_ scenario: String, _ word: String) {
    let error = #expect(throws: ReportingError.self) { try typed(["scenario": [scenario]], as: SoakTrial.self) }
    #expect(error?.description.contains(word) == true)
  }

  @Test("with too few clients to prove the target, the threshold is a number of failures")
  func few() throws {
    func first(clients: Int, target: Double) -> String {
      var trial = SoakTrial()
      (trial.clients, trial.target) = (clients, target)
      return trial.thresholds[0]
    }
    #expect(first(clients: 400, target: 0.95) == "reconnect.success >= 0.95 at 0.99")
    #expect(first(clients: 20, target: 0.95) == "reconnect.failures <= 1")
    #expect(first(clients: 10, target: 0.9) == "reconnect.failures <= 1")
    #expect(first(clients: 40, target: 0.3) == "reconnect.success >= 0.3 at 0.99")
  }

  @Test("more clients than descriptors are refused by the limit's name")
  func descriptors() {
    var trial = SoakTrial()
    trial.clients = 100_000_000
    #expect {
      try trial.run(on: RunContext(workers: 1))
    } throws: {
      "\($0)".contains("ulimit")
    }
  }

  @Test("twenty clients come back on real sockets, keep every invariant and leave nothing open")
  func small() async throws {
    var trial = SoakTrial()
    (trial.clients, trial.pace, trial.duration) = (20, 30, .seconds(8))
    // Other tests may have the machine for themselves for a while.
    trial.tolerance = .seconds(5)
    trial.faults = .schedule(
      try FaultSchedule(
        reading:
          "live/1 for=4m limit=50s; 65s latency for=10s added=100ms; 80s reset; 95s restart for=10s how=graceful; "
          + "140s offline for=10s; 160s restart for=6s how=killed history=lost numbers=lost; 3m half-open"))
    let finding = try await find(trial, interrupt: Interrupt())
    #expect(finding.outcome.isComplete)
    #expect(finding.real.sessions == 20)
    #expect(finding.real.brokenSessions == 0, "\(finding.real.failures.breaches)")
    #expect(finding.real.counts.lostOrDuplicated == 0)
    #expect(finding.outcome.unfinished == 0)
    #expect(finding.outcome.relaysLeft == 0)
    // Every fault took effect, and the restarts closed what was there. Latency lasts a third of a second, in which a
    // machine that is busy elsewhere may let no data pass.
    let idle = finding.idle.filter { finding.schedule.faults[$0].fault.kind != .latency }
    #expect(idle.isEmpty, "\(finding.outcome.effects)")
    #expect(finding.outcome.openings > 20)
    let reset = finding.comparisons.first { finding.schedule.faults[$0.index].fault.kind == .reset }
    #expect((reset?.real.cutOff ?? 0) > 0)
    #expect(reset?.simulated.cutOff == 200)
    #expect(SoakReport(finding: finding).document.text().contains("None of 25 invariants"))
  }

  @Test("an interruption ends the run with partial results")
  func interrupted() async throws {
    var trial = SoakTrial()
    (trial.clients, trial.pace, trial.duration) = (5, 20, .seconds(60))
    let interrupt = Interrupt()
    interrupt.raise()
    let finding = try await find(trial, interrupt: interrupt)
    #expect(!finding.outcome.isComplete)
    #expect(finding.outcome.unfinished == 0)
  }

  /// Runs a soak on its own thread: it waits for tasks, which a thread that runs tasks must not do.
  private func find(_ trial: SoakTrial, interrupt: Interrupt) async throws -> SoakFinding {
    try await withCheckedThrowingContinuation { found in
      Thread.detachNewThread { found.resume(with: Result { try trial.find(interrupt: interrupt) }) }
    }
  }
}
