// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// What an issue says about a property that does not hold.
struct Complaint {
  private let property: Property
  private let report: CheckReport
  private let settings: CheckSettings
  private let test: String

  init(_ property: Property, _ report: CheckReport, _ settings: CheckSettings, test: String) {
    self.property = property
    self.report = report
    self.settings = settings
    self.test = test
  }

  /// The text; nil when the property held.
  var text: String? {
    switch report.outcome {
    case .held: nil
    case .falsified(let counterexample): (falsified(counterexample) + [again]).joined(separator: "\n")
    case .exhausted: (exhausted + [again]).joined(separator: "\n")
    }
  }

  private var title: String {
    property.id == test ? property.sentence : "\(property.id): \(property.sentence)"
  }

  private func falsified(_ counterexample: Counterexample) -> [String] {
    let found = "case \(counterexample.casesUntilFound), shrunk in \(counterexample.evaluations) runs"
    return ["\(title): does not hold (\(found)) for"]
      + counterexample.arguments.map { "  \($0)" }
      + [counterexample.failure.message, "at \(counterexample.failure.origin)"]
  }

  private var exhausted: [String] {
    let reasons = report.discards.sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.value) by \($0.key)" }
    return [
      "\(title): only \(report.passed) of \(settings.cases) cases could be drawn; discarded: "
        + reasons.joined(separator: ", "),
      "Draw what the property is about instead of filtering for it.",
    ]
  }

  private var again: String {
    "again: ASSAY_SEED=\(settings.seed) ASSAY_CASES=\(settings.cases) swift test --filter \(name)"
  }

  /// The test's name as a filter takes it: what comes before the parentheses.
  private var name: String { String(test.prefix { $0 != "(" }) }
}
