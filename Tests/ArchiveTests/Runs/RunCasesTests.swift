// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("The cases of a run for build servers")
struct RunCasesTests {
  private func judged(_ text: String, of name: String = "ones", _ judgement: Judgement) -> JudgedThreshold {
    JudgedThreshold(
      text: text, measurement: name, source: "a coin", line: 4, judgement: judgement, found: "7 of 9",
      remedy: judgement == .undecided ? "about 20 more samples" : "", errorProbability: 0)
  }

  private func report(_ thresholds: [JudgedThreshold]) throws -> JUnitReport {
    let own = JUnitReport.Case(name: "bits are bits", group: "counting", outcome: .passed)
    return try Workplace().scenario().cases(thresholds, and: [own], command: "assay run x.yaml")
  }

  @Test("are one for each threshold, in the scenario's group, and then the result's own")
  func names() throws {
    let report = try report([judged("ones > 1", .holds), judged("ones > 8", .fails)])
    #expect(report.name == "count")
    #expect(report.cases.map(\.name) == ["ones > 1", "ones > 8", "bits are bits"])
    #expect(report.cases.map(\.group) == ["count", "count", "counting"])
    #expect(report.cases[0].outcome == .passed)
  }

  @Test("say of a failure what was found, who asked for it, the seed, the place and the command")
  func failure() throws {
    let details = """
      threshold: ones > 8
      file: Scenarios/count.yaml:4
      found: 7 of 9
      source: a coin
      seed: 1
      to run it again: assay run x.yaml

      """
    #expect(
      try report([judged("ones > 8", .fails)]).cases[0].outcome
        == .failed(message: "fails: found 7 of 9", details: details))
  }

  @Test("show an undecided threshold as an error, with what would decide it")
  func undecided() throws {
    let outcome = try report([judged("ones > 8", .undecided)]).cases[0].outcome
    guard case .broken(let message, let details) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(message == "undecided: found 7 of 9")
    #expect(details.contains("it would be decided by: about 20 more samples\n"))
  }

  @Test("are told apart where one threshold judges several measurements")
  func labels() throws {
    let report = try report([judged("ev > 0", of: "ev[a]", .holds), judged("ev > 0", of: "ev[b]", .holds)])
    #expect(report.cases.map(\.name) == ["ev > 0 (ev[a])", "ev > 0 (ev[b])", "bits are bits"])
  }

  @Test("find the seed wherever the settings have it")
  func seed() throws {
    #expect(try Workplace().scenario("{name: a, kind: counting, seed: 17}").seed == "17")
  }
}
