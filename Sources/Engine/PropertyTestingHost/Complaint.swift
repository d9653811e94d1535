// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// What an issue says about a property that does not hold.
struct Complaint {
  private let property: Property
  private let report: CheckReport
  private let test: String

  init(_ property: Property, _ report: CheckReport, test: String) {
    self.property = property
    self.report = report
    self.test = test
  }

  /// The text; nil when the property held.
  var text: String? {
    if case .held = report.outcome { return nil }
    return ["\(title): \(report.text())", again].joined(separator: "\n")
  }

  /// The property's name is left out where it is the test's.
  private var title: String {
    property.id == test ? property.sentence : "\(property.id): \(property.sentence)"
  }

  private var again: String {
    "again: ASSAY_SEED=\(report.settings.seed) ASSAY_CASES=\(report.settings.cases) swift test --filter \(name)"
  }

  /// The test's name as a filter takes it: what comes before the parentheses.
  private var name: String { String(test.prefix { $0 != "(" }) }
}
