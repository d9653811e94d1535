// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

extension CheckSettings {
  /// The settings changed by an argument of the call and then by the environment.
  ///
  /// - Throws: `HostError.badVariable`.
  func overridden(cases: Int?, environment: [String: String]) throws(HostError) -> CheckSettings {
    var settings = self
    if let cases { settings.cases = cases }
    if let text = environment["ASSAY_SEED"] {
      guard let seed = UInt64(text) else {
        throw .badVariable("ASSAY_SEED", found: text, expected: "a whole number from 0 to \(UInt64.max)")
      }
      settings.seed = seed
    }
    if let text = environment["ASSAY_CASES"] {
      guard let cases = Int(text), cases > 0 else {
        throw .badVariable("ASSAY_CASES", found: text, expected: "a whole number of at least 1")
      }
      settings.cases = cases
    }
    return settings
  }
}
