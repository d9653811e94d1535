// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import Sampling

/// Waits whose mean, share and median are known.
private struct Queue: SampledExperiment {
  static let kind = "queue.half"
  static let summary = "Waits."
  static let defaultSamples = 60_000
  var mean = 1.0
  static let parameters: [Parameter<Self>] = [
    Parameter("mean", \.mean, .number(0...9, isOpen: true), "The mean wait.", example: "2")
  ]
  static let measures: [SampleMeasure<Double>] = [
    .exact("wait.exact", "The mean wait, computed.", \Queue.mean), .mean("wait", "The wait.", unit: "min") { $0 },
    .share("long", "Long waits.", labels: ["1 min", "2 min"]) { $0 > Double($1 + 1) },
    .percentiles("middle", "The wait.", unit: "min", [50]) { $0 },
  ]
  func sample(_ random: inout RandomStream) -> Double { random.exponential(mean: mean) }
}

@Suite("A run ends when an interval is as narrow as asked for")
struct HalfWidthTests {
  private func halfWidth(_ one: Scenarios.Measurement) -> Double {
    let range = one.interval(at: 0.99)
    return max(range.upperBound - one.estimate, one.estimate - range.lowerBound)
  }

  @Test(
    "absolute, relative and of another measure, at a fraction of the samples and with the interval of its look",
    arguments: [
      ("0.1", "wait", 0.1), ("10%", "wait", 0.1), ("long=0.03", "long[1 min]", 0.03),
      ("middle=8%", "middle[p50]", 0.055),
    ])
  func reached(goal: String, name: String, width: Double) throws {
    let result = try Queue.run("half-width: \(goal)", workers: 1)
    let one = try result.measurements[name]
    #expect(result.isComplete && result.unanswered == nil)
    #expect(halfWidth(one) <= width * 1.1 && one.samples ?? 0 < 30_000, "\(halfWidth(one)), \(one.samples ?? 0)")
    #expect(try Queue.run("half-width: \(goal)", workers: 3).document == result.document)
    let all = try Queue.run("", workers: 2).measurements[name]
    #expect(try halfWidth(all) < halfWidth(one) && result.measurements["wait"].bonferroniDivisor > 1)
    #expect(result.document.text(width: 200).contains("of 60,000 samples, which reach the half-width \(goal);"))
  }

  @Test("a width that all samples do not reach is undecided, and says about how many would")
  func unreached() throws {
    let result = try Queue.run("half-width: 0.1%")
    let one = try #require(result.unanswered)
    #expect(one.verdict == .undecided && one.text == "half-width of wait <= 0.1%")
    #expect(one.found.hasSuffix(" at 0.99, from all samples"), "\(one.found)")
    #expect(one.advice.hasPrefix("about ") && one.advice.hasSuffix("00,000 samples in all"), "\(one.advice)")
    #expect(result.measurements[1].samples == 60_000)
    #expect(
      try Queue.run("half-width: 0.1%\nsweep: mean=1,2").unanswered?.text == "half-width of wait <= 0.1%, at mean=1")
  }

  @Test("with thresholds it ends when these are decided, too; each point of a sweep ends at its own number")
  func together() throws {
    let both = try Queue.run("half-width: 20%\nthresholds: [wait in 0.9min..1.1min at 0.99]").measurements["wait"]
    let alone = try Queue.run("half-width: 20%").measurements["wait"]
    #expect(both.samples ?? 0 > alone.samples ?? 0)
    let points = try Queue.run("half-width: 0.2\nsweep: mean=1,4").measurements
    #expect(try points["wait[mean=1]"].samples ?? 0 < points["wait[mean=4]"].samples ?? 0)
  }

  @Test("a continued run has its looks at the same samples")
  func resumed() throws {
    let whole = try Queue.run("half-width: 0.05")
    let path = NSTemporaryDirectory() + "width-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var records: [Checkpoint.Record] = []
    for round in 1... {
      let checkpoint = try Checkpoint(path, header: Data("queue".utf8), records: records)
      let part = try Queue.scenario("half-width: 0.05").run(
        on: RunContext(workers: 2, maxSamples: 1_500 * round).keeping(checkpoint))
      checkpoint.finish()
      records = try Checkpoint.Content(of: path).records
      guard part.isComplete else {
        #expect(part.document.text(width: 300).contains("How many there are is not reproducible"))
        continue
      }
      #expect(round > 1 && part.document == whole.document)
      return
    }
  }

  @Test(
    "what contradicts it is refused, with the measures that there are",
    arguments: [
      ("half-width: weight=5%", "expected one of wait, long[1 min], long[2 min], middle[p50]"),
      ("half-width: wait.exact=5%", "expected one of wait, "),
      ("half-width: 5%\nend: all", "no 'end: all' with it"), ("half-width: 5%\nonly: 3", "no 'only' with it"),
      ("half-width: 5%\nfind: mean=1..2\nuntil: wait <= 1min at 0.9", "no 'find' with it"),
      ("half-width: -5", "a half-width such as 0.05 or 5%"), ("half-width: 0", "a half-width such as"),
      ("half-width: =5%", "a half-width such as"), ("half-width: x=", "a half-width such as"),
    ])
  func refused(yaml: String, problem: String) {
    let error = #expect(throws: ReportingError.self) { try Queue.scenario(yaml) }
    #expect(error.map { "\($0)" }?.contains(problem) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("the name of a measure ends at the last equals sign, since a label may have one")
  func names() {
    let goal = WidthGoal("gain[k=1] = 5%")
    #expect(goal?.measure == "gain[k=1]" && goal?.width == 0.05 && goal?.text == "gain[k=1]=5%")
  }

  @Test("a deadline ends a run with what is drawn, which decides nothing and says that it is not reproducible")
  func deadline() throws {
    let scenario = try Queue.scenario("samples: 1e6\ndeadline: 1ms\nthresholds: [wait <= 1min at 0.99]")
    let result = try scenario.run(on: RunContext(workers: 2))
    let samples = try #require(try result.measurements["wait"].samples)
    #expect(!result.isComplete && scenario.isTimed && samples < 1_000_000)
    #expect(
      result.document.text(width: 400).contains(
        "of 1,000,000 samples: the run ended before. How many there are is not"))
    #expect(try result.measurements["middle[p50]"].interval(at: 0.5) == .everything)
    let goal = try Queue.run("samples: 1e6\ndeadline: 1ms\nhalf-width: 0.0001")
    #expect(goal.isComplete && goal.unanswered?.found.hasSuffix(" samples, at the deadline") == true)
    let free = try Queue.run("samples: 1e6\ndeadline: 1ms\nversus: mean=2")
    #expect(free.isComplete && free.unanswered == nil)
    #expect(try free.measurements["wait.difference[mean=2]"].samples ?? 0 > 0)
    #expect(!(try Queue.run()).document.text(width: 400).contains("reproducible"))
  }
}
