// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import Testing

@testable import PropertyTestingHost

@Suite("The settings of a check")
struct SettingsTests {
  @Test("come from the code, then from the call, then from the environment")
  func precedence() throws {
    var settings = CheckSettings()
    settings.seed = 5
    #expect(try settings.overridden(cases: nil, environment: [:]) == settings)
    #expect(try settings.overridden(cases: 7, environment: [:]).cases == 7)
    let changed = try settings.overridden(cases: 7, environment: ["ASSAY_SEED": "9", "ASSAY_CASES": "11"])
    #expect(changed.seed == 9)
    #expect(changed.cases == 11)
  }

  @Test("say which variable is wrong, and what was expected", arguments: ["ASSAY_SEED", "ASSAY_CASES"])
  func badVariable(name: String) throws {
    let error = #expect(throws: HostError.self) {
      try CheckSettings().overridden(cases: nil, environment: [name: "-1"])
    }
    #expect(error?.description.hasPrefix("the environment variable \(name) is \"-1\"; expected a whole number") == true)
  }
}
