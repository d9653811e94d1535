// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Foundation
import MonteCarlo
import Testing

@testable import BlackjackLab

@Suite("A chart from the rules alone")
struct CertificationTests {
  static func maker(
    _ rules: String, seed: UInt64 = 1, estimator: String = "conditional", confidence: Double, indifference: Double,
    workers: Int = 2
  ) throws -> ChartMaker {
    let simulation = Provenance.Simulation(
      seed: seed, generator: "taus2", estimator: estimator, confidence: confidence, indifference: indifference)
    return try ChartMaker(rules: Rules(name: rules), simulation: simulation, workers: workers)
  }

  @Test("the rules of the trainer's game give the trainer's chart, every cell certified at 99.9%")
  func trainer() throws {
    let result = try Self.maker("6d-s17-das", confidence: 0.999, indifference: 0.0005).make()
    #expect(result.cells.map(\.key) == ChartCellKey.all)
    for cell in result.cells {
      #expect(cell.decision.action == StrategyChart.trainer[cell.key]?.action, "\(cell.key)")
      #expect(cell.verdict == .certified, "\(cell.key)")
      #expect(cell.marginLow > -1e-5 && cell.marginLow <= cell.margin && cell.margin <= cell.marginHigh, "\(cell.key)")
    }
  }

  @Test("the same bits from one, two and seven workers", arguments: Estimator.allCases)
  func sameBits(estimator: Estimator) throws {
    let results = try [1, 2, 7].map { workers in
      try Self.maker(
        "2d-h17-nodas-spl1-ls", seed: 5, estimator: estimator.rawValue, confidence: 0.6, indifference: 0.5,
        workers: workers
      ).make()
    }
    #expect(results[0] == results[1] && results[0] == results[2])
    #expect(results[0].isDecided)
    let other = try Self.maker(
      "2d-h17-nodas-spl1-ls", seed: 6, estimator: estimator.rawValue, confidence: 0.6, indifference: 0.5
    ).make()
    #expect(other.cells != results[0].cells)
  }

  @Test("an interrupted run keeps what is decided and calls the rest undecided")
  func interrupted() throws {
    let maker = try Self.maker("inf-h17", seed: 3, confidence: 0.9, indifference: 0.02)
    let interrupt = Interrupt()
    var decided = 0
    let part = try maker.make(interrupt: interrupt) { progress in
      decided = progress.decided
      if decided >= 100 { interrupt.raise() }
    }
    let whole = try maker.make()
    #expect((100..<330).contains(decided) && part.count(of: .undecided) == 330 - decided)
    #expect(whole.isDecided)
    for (early, late) in zip(part.cells, whole.cells) where early.verdict != .undecided {
      #expect(early == late)
    }
  }

  @Test("what was played of a wave before an interruption counts")
  func interruptedWithin() throws {
    let interrupt = Interrupt()
    var played = 0
    let part = try Self.maker("6d", seed: 3, confidence: 0.999, indifference: 0.0005).make(interrupt: interrupt) {
      played = $0.samples
      Thread.detachNewThread { interrupt.raise() }
    }
    #expect(played > 0 && !part.isDecided)
    #expect(part.cells.reduce(0) { $0 + $1.samples } == played)
    #expect(part.cells.allSatisfy { $0.course.last?.samples ?? 0 <= $0.samples })
  }

  @Test("how a cell was decided ends with what the chart says of it")
  func course() throws {
    let chart = try Self.maker("inf-h17", seed: 3, confidence: 0.9, indifference: 0.02).make()
    for cell in chart.cells where cell.runnerUp != nil {
      let last = try #require(cell.course.last)
      #expect(last.samples == cell.samples && last.margin == cell.margin)
      #expect(last.low == cell.marginLow && last.high == cell.marginHigh)
      #expect(zip(cell.course, cell.course.dropFirst()).allSatisfy { $0.samples < $1.samples })
      #expect(cell.plays[cell.decision.action] == cell.samples)
      #expect(cell.plays.values.allSatisfy { $0 > 0 && $0 <= cell.samples })
    }
  }

  @Test("a run interrupted before it begins still gives a chart, with nothing decided")
  func interruptedAtOnce() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let result = try Self.maker("6d", confidence: 0.9, indifference: 0.01).make(interrupt: interrupt)
    #expect(result.count(of: .undecided) == 330)
    #expect(result.cells.allSatisfy { $0.samples == 0 })
  }

  @Test("the decisions of one upcard do not depend on which other upcards are decided")
  func oneUpcard() throws {
    let maker = try Self.maker("1d", seed: 8, confidence: 0.6, indifference: 0.05)
    let keys = ChartCellKey.all.filter { $0.upcard == .six }
    let alone = try maker.decide(keys, error: 0.4 / 330)
    let all = try maker.make()
    #expect(alone.map(\.key) == keys)
    #expect(alone == keys.map { all.cells[$0.index] })
  }

  @Test("what cannot be promised is refused by name")
  func refusals() throws {
    for confidence in [0.5, 0, 1, -1, .nan, .infinity] {
      #expect { try Self.maker("6d", confidence: confidence, indifference: 0.01) } throws: { error in
        if case .badConfidence = error as? CertificationError { true } else { false }
      }
    }
    for indifference in [0, 1e-5, -1, 1.5, .nan] {
      #expect { try Self.maker("6d", confidence: 0.9, indifference: indifference) } throws: { error in
        if case .badIndifference = error as? CertificationError { true } else { false }
      }
    }
    #expect(throws: CertificationError.unknownEstimator("lucky")) {
      try Self.maker("6d", estimator: "lucky", confidence: 0.9, indifference: 0.01)
    }
    #expect(throws: CertificationError.needsFreshShoe(try Rules(name: "6d-cut75"))) {
      try Self.maker("6d-cut75", confidence: 0.9, indifference: 0.01)
    }
    for text in ["\(CertificationError.badConfidence(2))", "\(CertificationError.unknownEstimator("lucky"))"] {
      #expect(text.contains("expected"))
    }
  }
}
