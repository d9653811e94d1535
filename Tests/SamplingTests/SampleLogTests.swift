// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Randomness
import Reporting
@testable import Sampling
import Scenarios
import Testing

/// A machine that is taken from one job by another, twice.
private struct Jobs: SampledExperiment {
  static let kind = "jobs.two"
  static let summary = "Two jobs for one machine."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Double>] = [.mean("end", "The end of both.") { $0 }]

  func sample(_ random: inout RandomStream) throws -> Double {
    let shop = Simulation(random.substream("shop"))
    let machine = shop.resource("machine", discipline: .preemptive)
    shop.process("slow") { slow in
      for work in [5.0, 3] {
        do {
          try await slow.request(machine, priority: 2) { try await slow.delay(work) }
        } catch is Preemption { slow.log("begins again") }
      }
    }
    shop.process("urgent") { urgent in
      try await urgent.delay(2)
      try await urgent.request(machine) { try await urgent.delay(1) }
    }
    try shop.run()
    return shop.now
  }
}

@Suite("What happened in a sample that is drawn alone")
struct SampleLogTests {
  private func blocks(of number: Int?) throws -> [ReportBlock] {
    var jobs = Sampled(Jobs())
    (jobs.only, jobs.samples) = (number, 10)
    return try jobs.run(on: RunContext(workers: 1)).document.sections.flatMap(\.blocks)
  }

  @Test("is listed by time: who waits, has, loses and releases what, and what the model itself tells")
  func table() throws {
    let tables = try blocks(of: 3).compactMap { if case .table(let table) = $0 { table } else { nil } }
    let log = try #require(tables.last)
    #expect(log.caption == "What happened.")
    #expect(
      log.table.rows.map { [String($0[0].prefix(1)), $0[1], $0[2]] } == [
        ["0", "slow", "begins"], ["0", "slow", "has 'machine'"], ["0", "urgent", "begins"],
        ["2", "slow", "loses 'machine' to 'urgent'"], ["2", "urgent", "has 'machine'"],
        ["2", "slow", "begins again"], ["2", "slow", "waits for 'machine'"], ["3", "urgent", "releases 'machine'"],
        ["3", "urgent", "ends"], ["3", "slow", "has 'machine'"], ["6", "slow", "releases 'machine'"],
        ["6", "slow", "ends"], ["6", "", "the run ends"],
      ])
  }

  @Test("is drawn as a timeline, with a bar for each wait and each time of having something")
  func timeline() throws {
    let figures = try blocks(of: 3).compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    let figure = try #require(figures.last)
    #expect(figure.id == "timeline" && figure.y.scale == .names(["urgent", "slow"]))
    let bars = figure.series.map { one in one.points.map { [$0.x, $0.y].filter { !$0.isNaN } } }
    #expect(figure.series.map(\.name) == ["waits", "has"])
    #expect(bars[0] == [[2, 1], [3, 1], [3]])
    #expect(bars[1] == [[0, 1], [2, 1], [2], [2, 0], [3, 0], [3], [3, 1], [6, 1], [6]])
  }

  @Test("is no part of a run of all samples")
  func absent() throws {
    let figures = try blocks(of: nil).compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    #expect(!figures.contains { $0.id == "timeline" })
  }
}
