// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Foundation
import Reporting
import Scenarios
import Testing

@testable import BlackjackLab

@Suite("Simulated students of the trainer")
struct StudentsExperimentTests {
  private static func experiment(_ change: (inout StudentsExperiment) -> Void) -> StudentsExperiment {
    var experiment = StudentsExperiment()
    experiment.rules = NamedRules(label: "inf", rules: (try? Rules(name: "inf")) ?? .common)
    experiment.sessions = 200
    change(&experiment)
    return experiment
  }

  @Test(
    "lose what compare says that their charts cost, whatever the mode asks",
    arguments: [TrainingMode.quick, .dealer(.strong)])
  func witness(mode: TrainingMode) throws {
    let result = try Self.experiment {
      $0.mode = mode
      $0.students = [.perfect] + Student.Name.misconceptions
    }.run(on: RunContext(workers: 2))
    #expect(result.figure("witness.outside") == 0)
    #expect(try #require(result.figure("witness.gap")) < 1e-9)
    #expect(result.figure("cost", of: "perfect") == 0 && result.figure("accuracy", of: "perfect") == 1)
  }

  @Test("are not said to have a misconception where they slip a tenth of the time")
  func slips() throws {
    let result = try Self.experiment {
      ($0.students, $0.sessions, $0.slips) = ([.perfect], 1000, 0.1)
    }.run(on: RunContext(workers: 2))
    let shown = try #require(result.measurements.first { $0.measure.fullName == "shown[perfect]" })
    #expect(shown.interval(at: 0.999).lowerBound <= 0.05)
  }

  @Test("show a misconception sooner in the adaptive order, and learn more by it")
  func adaptive() throws {
    let result = try Self.experiment {
      ($0.students, $0.sessions) = ([.neverDoublesSoft, .keepsEights, .learner], 2000)
    }.run(on: RunContext(workers: 2))
    for name in ["never-doubles-soft", "keeps-eights-against-10"] {
      let sooner = try #require(result.measurements.first { $0.measure.fullName == "sooner[\(name)]" })
      #expect(sooner.interval(at: 0.999).lowerBound > 0)
    }
    #expect(result.figure("mended", of: "keeps-eights-against-10") == nil)
    #expect(try #require(result.figure("left", of: "learner")) > 0)
  }

  @Test("are ten misconceptions, each with mistakes of its own under the common rules")
  func misconceptions() throws {
    let chart = try TrainingChart(of: Rules(name: "inf"))
    let other = ExactAnalysis(rules: try Rules(name: "inf-h17")).chart.chart
    let faults = Student.Name.misconceptions.map { Student($0, Habits(), of: chart, otherRules: other).faults }
    #expect(faults.count == 10 && Set(faults).count == 10)
    #expect(faults.allSatisfy { $0.contains { $0 != nil } })
    for cells in faults {
      for (key, fault) in zip(ChartCellKey.all, cells) {
        guard case .action(let action)? = fault else { continue }
        #expect(action != chart.right(in: key) && chart.options(in: key).contains(action))
      }
    }
  }
}

extension ScenarioResult {
  fileprivate func figure(_ name: String, of label: String? = nil) -> Double? {
    measurements.first { $0.measure.name == name && $0.measure.label == label }?.estimate
  }
}

@Suite("The page of strategy cards")
struct CardsPageTests {
  @Test("has a card for every combination of the usual rules, by names that read back")
  func names() throws {
    #expect(CardsPage.names.count == 384 && Set(CardsPage.names).count == 384)
    for name in CardsPage.names { #expect(throws: Never.self) { try Rules(name: name) } }
  }

  @Test("changes what a natural pays by the chance that it is paid", arguments: ["bj65", "bj11", "bj21"])
  func naturals(token: String) throws {
    let card = try CardsPage.Card(Rules(name: "inf-h17"))
    let rules = try Rules(name: "inf-h17-\(token)")
    let exact = try ExactAnalysis(rules: rules, following: ExactAnalysis(rules: rules).chart.chart).gameValue
    let pays: Double = ["bj65": 1.2, "bj11": 1, "bj21": 2][token] ?? 0
    let expected: Double = card.ev + (pays - 1.5) * card.paid
    #expect(abs(expected - exact) < 1e-9)
  }

  @Test("has the card of the chart, a letter a cell")
  func cells() throws {
    let card = try CardsPage.Card(Rules(name: "inf"))
    #expect(card.cells.count == 330 && card.cells.hasPrefix(String(repeating: "H", count: 30)))
  }
}
