// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import MonteCarlo
import Reporting
import Scenarios
import Synchronization
import Testing

@testable import LiveLab

@Suite("storms whose course is known beforehand")
struct StormTests {
  /// Clients that all notice at once and wait 1, 2, 4, 8… s.
  private func result(
    clients: Int = 10, outage: Int64 = 5, attempts: Int = 10, _ change: (inout StormSettings) -> Void = { _ in }
  ) throws -> StormResult {
    var settings = StormSettings()
    (settings.clients, settings.outage, settings.detectionWindow) = (clients, .seconds(outage), .zero)
    change(&settings)
    var policy = try #require(Backoff.named("exponential"))
    policy.maximumAttempts = attempts
    return StormResult("exponential", settings, try Storm(settings).run(policy))
  }

  @Test("an attempt follows the one before after its failure and the wait")
  func moments() throws {
    // At 1, 3.05 and 7.1 s, the outage ending at 5.
    let result = try result()
    #expect(result.attempts == 30)
    #expect(result.attemptsDuring.enumerated().filter { $0.element > 0 }.map(\.offset) == [10, 30])
    #expect(result.attemptsAfter == Array(repeating: 0, count: 21) + [10])
    #expect(result.back(share: 0.01) == 2_100 && result.back(share: 1) == 2_100)
    #expect((result.back, result.missing, result.gaveUp, result.shed) == (10, 0, 0, 0))
    #expect(result.meanBack == 2.1)
    #expect((result.peakDuring, result.peakAfter, result.peakTenth, result.peakAccepted) == (10, 10, 10, 10))
  }

  @Test("tenths begin at the return, also after an outage that is no whole number of them")
  func odd() throws {
    let result = try result { $0.outage = Interval(seconds: 3.049) }
    #expect(result.attemptsDuring.count == 31)
    #expect(result.attemptsAfter == [10])
    #expect(result.back(share: 1) == 1)
  }

  @Test("who has used up the attempts is suspended, and comes at the slow cadence")
  func cadence() throws {
    // The second attempt fails at 3.1 s.
    let result = try result(attempts: 2) { ($0.cadence, $0.cadenceSpread) = (.seconds(10), 0) }
    #expect(result.gaveUp == 10)
    #expect(result.back(share: 1) == 8_100)
    let lost = try self.result(attempts: 2) { $0.cadence = nil }
    #expect((lost.gaveUp, lost.back, lost.missing, lost.attempts) == (10, 0, 10, 20))
    #expect(lost.back(share: 0.1) == nil)
    #expect(lost.meanBack == 3_600)
  }

  @Test("nothing is counted once nobody watches any longer")
  func watched() throws {
    let result = try result { $0.horizon = .seconds(2) }
    #expect((result.attempts, result.back, result.missing) == (20, 0, 10))
  }

  @Test("what a server sheds waits again, and after what Retry-After wishes where there is one")
  func shedding() throws {
    // One of ten is accepted at 7.1 s; the others are shed, fail at 7.15 and come at 15.15 s, one more.
    func limited(_ shed: StormSettings.Shed, retryAfter: Interval? = nil) throws -> StormResult {
      try result(attempts: 4) {
        ($0.capacity, $0.burst, $0.shed, $0.retryAfter) = (1, .seconds(1), shed, retryAfter)
        $0.cadence = nil
      }
    }
    let refused = try limited(.refused)
    #expect((refused.back, refused.shed, refused.gaveUp, refused.missing) == (2, 17, 8, 8))
    #expect(refused.back(share: 0.2) == 10_150)
    #expect(try limited(.unavailable).back(share: 0.2) == 10_150)
    #expect(try limited(.unavailable, retryAfter: .seconds(20)).back(share: 0.2) == 30_150)
  }

  @Test("nothing is known of a storm that was interrupted")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    #expect(throws: Abandoned.self) { try Storm(StormSettings()).run(Backoff(), interrupt: interrupt) }
    let findings = try StormComparison(StormSettings()).run(workers: 1, interrupt: interrupt)
    #expect(!findings.isComplete && findings.recommendation == nil)
  }

  @Test("a policy in whose course somebody interrupted is left out, and named: a part of a storm has no peaks")
  func unfinished() throws {
    var settings = StormSettings()
    settings.clients = 40_000
    let interrupt = Interrupt()
    let played = Atomic(0)
    let findings = try StormComparison(settings, policies: ["full-jitter", "exponential", "grpc"]).run(
      workers: 1, interrupt: interrupt,
      progress: { clients in
        if played.add(clients, ordering: .relaxed).newValue > 40_000 { interrupt.raise() }
      })
    #expect(findings.findings.map(\.result.policy) == ["full-jitter"] && findings.unplayed == ["exponential", "grpc"])
    #expect(findings.findings[0].result.clients == 40_000 && !findings.isComplete)
    let document = StormReport(findings).document
    for text in [document.text(), document.markdown] {
      #expect(text.contains("40,000 clients") && text.contains("full-jitter") && text.contains("nothing is known of"))
      #expect(!text.contains("does better"), "there is nothing to compare with")
    }
  }

  @Test("one client is one client, and one attempt one attempt")
  func one() throws {
    var settings = StormSettings()
    settings.clients = 1
    let report = StormReport(try StormComparison(settings, policies: ["full-jitter", "exponential"]).run(workers: 1))
    #expect(report.document.sections[0].title.hasPrefix("1 client, a server down"))
    #expect(report.document.text(width: 1_000).contains("its peak of 1 attempt a second after the return"))
  }
}

@Suite("the recommendation of a storm")
struct StormRecommendationTests {
  private func findings(_ policies: [String], _ change: (inout StormSettings) -> Void = { _ in }) throws
    -> StormFindings
  {
    var settings = StormSettings()
    settings.clients = 50_000
    change(&settings)
    let names = policies.map { name in Backoff.catalogue.first { $0.shortName == name }?.name ?? name }
    return try StormComparison(settings, policies: names).run(workers: 2)
  }

  @Test(
    "is full jitter after half a minute: it spreads best, is back soonest of those that spread, and gives up soonest")
  func full() throws {
    let findings = try findings(["full", "equal", "decorr", "grpc", "expo"])
    let recommendation = try #require(findings.recommendation)
    let full = findings.findings[0]
    #expect(recommendation.chosen.policy == "full-jitter")
    #expect(recommendation.fit == ["full-jitter", "equal-jitter", "decorrelated-jitter"])
    #expect(findings.findings.allSatisfy { $0.result.peakAfter >= full.result.peakAfter })
    #expect(abs(full.budget.quantile(0.05) - 57.4) < 1)
    #expect(findings.findings[4].budget.quantile(0.05) == 181)
    let rows = better(than: full, in: findings)
    #expect(rows.last?.suffix(2) == ["181", "exponential"])
    #expect(rows.contains { $0[0] == "peak during, attempts" && $0[3] == "decorrelated-jitter" })
    // It is the best of all in these, and the last policy in how long it lasts.
    #expect(rows.allSatisfy { !["peak after, attempts", "shed, attempts", "missing, clients"].contains($0[0]) })
    #expect(!better(than: findings.findings[4], in: findings).contains { $0[0] == "95% outlast, s" })
  }

  /// What others do better than a policy: the measure, its own figure, the best and whose that is.
  private func better(than chosen: StormFinding, in findings: StormFindings) -> [[String]] {
    StormReport(findings).tradeOffs(of: chosen.result.policy).rows
  }

  @Test("clients that were not back are counted, and their moment is never")
  func missing() throws {
    let findings = try findings(["full", "equal"]) {
      ($0.outage, $0.cadence, $0.horizon) = (.seconds(60), nil, .seconds(60))
    }
    let full = findings.findings[0]
    #expect(full.result.missing > 2_500 && findings.findings[1].result.missing == 0)
    let rows = better(than: full, in: findings)
    #expect(rows.contains { $0[0] == "99% back, s" && $0[1] == "never" && $0[3] == "equal-jitter" })
    #expect(rows.contains { $0[0] == "missing, clients" && $0[2] == "0" })
    #expect(
      StormRecommendation([full.result, full.result])?.why.contains("its clients are back after at least ") == true)
  }

  @Test("is another policy where the numbers are others")
  func others() throws {
    #expect(try findings(["exponential", "equal-jitter"]).recommendation?.chosen.policy == "equal-jitter")
    // Every policy's peak is its own when nobody else is asked; then there is nothing to choose from.
    #expect(try findings(["exponential"]).recommendation == nil)
    // Ten thousand clients a second and outages that outlast every attempt leave all to the cadence.
    let long = try findings(["full", "equal"]) {
      ($0.outage, $0.cadence, $0.horizon) = (.seconds(250), nil, .seconds(60))
    }
    #expect(long.findings.allSatisfy { $0.result.back == 0 && $0.result.gaveUp == 50_000 })
  }
}
