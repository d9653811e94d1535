// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// What an issue says about a property that does not hold.
struct Complaint {
  private let property: Property
  private let findings: Findings
  private let test: String

  init(_ property: Property, _ findings: Findings, test: String) {
    self.property = property
    self.findings = findings
    self.test = test
  }

  /// The text; nil when the property held.
  var text: String? {
    if let staleness = findings.staleness { return "\(title): \(staleness)" }
    guard let report = findings.report else { return nil }
    if case .held = report.outcome { return nil }
    let filter = "swift test --filter \(test)"
    let lines = [
      "\(title): \(report.text(replay: findings.token.map { "ASSAY_REPLAY=\($0) \(filter)" }))",
      "  again: ASSAY_SEED=\(report.settings.seed) ASSAY_CASES=\(report.settings.cases) \(filter)",
    ]
    return (lines + findings.remarks.map { "  \($0)" }).joined(separator: "\n")
  }

  /// A property that was made for this test has its sentence.
  private var title: String {
    property.id.hasSuffix(".\(test)") ? property.sentence : "\(property.id): \(property.sentence)"
  }
}
