// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// What one check found.
struct Findings: Sendable {
  /// What came of the cases; nil when a replayed case passed.
  var report: CheckReport?
  /// Why a case that was to be replayed was not judged.
  var staleness: CheckError?
  /// The case that failed, as a word.
  var token: ReplayToken?
  /// What a person should know without the test failing.
  var remarks: [String] = []
}

/// One check of a property: first the cases that failed before, then new ones.
struct Round: Sendable {
  private let property: Property
  private let settings: CheckSettings
  private let wishes: Wishes

  init(_ property: Property, _ settings: CheckSettings, _ wishes: Wishes) {
    self.property = property
    self.settings = settings
    self.wishes = wishes
  }

  /// Runs the one case that is wished for, or the stored ones and then new ones until one fails.
  func findings() throws -> Findings {
    if let token = wishes.replay, token.property == property.id { return try replayed(token) }
    var findings = Findings()
    if let store = wishes.examples {
      let retrial = try store.retry(property)
      findings.remarks = retrial.remarks
      if let report = retrial.report(about: property, settings: settings) {
        findings.report = report
        findings.token = retrial.failing.first?.example.token
        return findings
      }
    }
    let report = try property.check(settings)
    findings.report = report
    guard let counterexample = report.counterexample else { return findings }
    findings.token = ReplayToken(property: property.id, tape: counterexample.tape)
    if let path = try wishes.examples?.save(counterexample, of: property).path {
      findings.remarks.append("stored, to be tried first from now on: \(path)")
    }
    return findings
  }

  private func replayed(_ token: ReplayToken) throws -> Findings {
    switch try property.replay(token) {
    case .passed, .excluded: return Findings(remarks: ["the replayed case of '\(property.id)' passes now"])
    case .stale: return Findings(staleness: .staleTape(property: property.id))
    case .failed(let failure, let arguments):
      return Findings(
        report: CheckReport(replaying: property, failure, arguments: arguments, token: token, settings: settings),
        token: token)
    }
  }
}
