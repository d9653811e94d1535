// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import PropertyTesting
internal import Synchronization
internal import Testing

/// One call of `check` in a running test.
struct Host: Sendable {
  private let test: Test
  private let settings: CheckSettings
  private let wishes: HostEnvironment
  private let location: SourceLocation

  init(
    _ settings: CheckSettings, cases: Int?, at location: SourceLocation,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard let test = Test.current else { throw HostError.outsideTest(fileID: location.fileID, line: location.line) }
    self.test = test
    self.location = location
    wishes = try HostEnvironment(environment)
    var settings = settings
    settings.cases = cases ?? settings.cases
    self.settings = wishes.applied(to: settings)
  }

  /// What the property of this call is named: as asked for, or after the file and the test.
  func id(_ name: String?) -> String {
    let file = location.fileID.hasSuffix(".swift") ? location.fileID.dropLast(6) : location.fileID[...]
    return name ?? "\(file.replacing("/", with: ".")).\(test.plainName)"
  }

  var sentence: String { test.displayName ?? test.name }

  /// What decides whether a body that returns something has passed.
  func judge<Result>(of type: Result.Type) throws -> @Sendable (Result) throws -> Void {
    if type == Void.self || type == Issue.self { return { _ in } }
    guard type == Bool.self else {
      throw HostError.badResult(type: "\(type)", fileID: location.fileID, line: location.line)
    }
    let origin = "\(location.fileID):\(location.line)"
    return { result in
      if result as? Bool != true { throw Failure("the condition is false", origin: origin) }
    }
  }

  func check(_ property: Property) async throws {
    let findings = Mutex<Findings?>(nil)
    let round = Round(property, settings, wishes)
    // Entered once for all cases: entering it for each would cost more than most cases do.
    try await handling.provideScope(for: test, testCase: Test.Case.current) {
      let found = try await property.perform { try round.findings() }
      findings.withLock { $0 = found }
    }
    guard let findings = findings.withLock({ $0 }) else { return }
    if let text = IssueText(property, findings, test: test.plainName).text {
      Issue.record(Comment(rawValue: text), sourceLocation: location)
    } else if !findings.remarks.isEmpty {
      let remarks = Comment(rawValue: findings.remarks.joined(separator: "\n"))
      Issue.record(remarks, severity: .warning, sourceLocation: location)
    }
  }

  /// Turns the issues that a case records into its failure.
  private var handling: IssueHandlingTrait {
    .compactMapIssues { issue in
      guard issue.isFailure else { return issue }
      return recordFailure(Failure(issue)) ? nil : issue
    }
  }
}

extension Test {
  /// The name as a filter takes it: what comes before the parentheses.
  fileprivate var plainName: String { String(name.prefix { $0 != "(" }) }
}

extension Failure {
  fileprivate init(_ issue: Issue) {
    let comments = issue.comments.map { "\n\($0.rawValue)" }.joined()
    let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" }
    self.init("\(issue.kind)" + comments, origin: place ?? "unknown place")
  }
}

struct Findings: Sendable {
  /// What came of the cases; nil when a replayed case passed.
  var report: CheckReport?
  /// Why a case that was to be replayed was not judged.
  var staleness: CheckError?
  var token: ReplayToken?
  /// What a person should know without the test failing.
  var remarks: [String] = []
}

/// One check of a property: first the cases that failed before, then new ones.
struct Round: Sendable {
  private let property: Property
  private let settings: CheckSettings
  private let wishes: HostEnvironment

  init(_ property: Property, _ settings: CheckSettings, _ wishes: HostEnvironment) {
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

/// What an issue says about a property that does not hold.
struct IssueText {
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

/// Why a property could not be tested in a test.
public enum HostError: Error, Sendable, Hashable {
  /// `check` was called where no test is running, such as in a detached task.
  case outsideTest(fileID: String, line: Int)
  /// The body of a `check` returns something that says nothing about the case.
  case badResult(type: String, fileID: String, line: Int)
  /// An environment variable has a value that it cannot have.
  case badVariable(_ name: String, found: String, expected: String)
}

extension HostError: CustomStringConvertible {
  /// What is wrong, where, and how to mend it.
  public var description: String {
    switch self {
    case .outsideTest(let fileID, let line):
      "\(fileID):\(line): check was called outside of a test; call it from the task of a @Test function."
    case .badResult(let type, let fileID, let line):
      """
      \(fileID):\(line): the body of check returns \(type); expected nothing, or a Bool that says whether the case \
      passes. Write `_ =` before what is not needed.
      """
    case .badVariable(let name, let found, let expected):
      "the environment variable \(name) is \"\(found)\"; expected \(expected)."
    }
  }
}
