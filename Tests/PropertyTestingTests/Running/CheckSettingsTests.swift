// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("Settings")
struct CheckSettingsTests {
  private func message(_ change: (inout CheckSettings) -> Void) -> String? {
    var settings = CheckSettings()
    change(&settings)
    do {
      _ = try search(Gen.booleans(), settings: settings) { _ in }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("that make no sense are refused, with the value found and what was expected")
  func refused() {
    #expect(message { $0.cases = 0 } == "cases is 0; expected a number from 1 to 500000000000.")
    #expect(message { $0.cases = .max }?.hasPrefix("cases is 9223372036854775807;") == true)
    #expect(message { $0.jobs = 0 } == "jobs is 0; expected a number of threads from 1 to 1024.")
    #expect(message { $0.discardRatio = 0 } == "discard ratio is 0; expected a number of at least 1.")
    #expect(message { $0.shrinkLimit = -1 } == "shrink limit is -1; expected a number of runs, 0 for no shrinking.")
    #expect(message { $0.coverageConfidence = .nan } == "coverage confidence is nan; expected above 0 and below 1.")
    #expect(message { $0.timeLimit = .zero } == "time limit is 0.0 seconds; expected a duration above 0.")
    #expect(message { $0.caseTimeLimit = .seconds(-1) }?.hasPrefix("case time limit is -1.0 seconds;") == true)
  }

  @Test("with an unknown generator list the known ones")
  func generator() {
    #expect(message { $0.generator = "dice" }?.hasPrefix("There is no generator 'dice'. Known generators: ") == true)
    #expect(message { $0.generator = "taus2" } == nil)
  }

  @Test("of any size cut a check into blocks that hold exactly its cases", arguments: SearchMode.allCases)
  func plan(search: SearchMode) {
    for cases in [1, 99, 100, 101, 1000, 1001, 9_999, 10_000, 10_001, 123_456] {
      let plan = CheckPlan(cases: cases, search: search)
      let quotas = (0..<plan.blocks).map(plan.quota)
      #expect(quotas.reduce(0, +) == cases)
      #expect(quotas.allSatisfy { $0 > 0 })
    }
    #expect(CheckPlan(cases: CheckSettings.mostCases, search: search).blocks < 1 << 30)
  }
}
