// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import PropertyTesting
internal import Synchronization
internal import Testing

/// One call of `check` in a running test.
struct Host: Sendable {
  private let test: Test
  private let settings: CheckSettings
  private let wishes: Wishes
  private let location: SourceLocation

  init(
    _ settings: CheckSettings, cases: Int?, at location: SourceLocation,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard let test = Test.current else { throw HostError.outsideTest(fileID: location.fileID, line: location.line) }
    self.test = test
    self.location = location
    wishes = try Wishes(environment)
    var settings = settings
    settings.cases = cases ?? settings.cases
    self.settings = wishes.applied(to: settings)
  }

  /// What the property of this call is named: as asked for, or after the file and the test.
  func id(_ name: String?) -> String {
    let file = location.fileID.hasSuffix(".swift") ? location.fileID.dropLast(6) : location.fileID[...]
    return name ?? "\(file.replacing("/", with: ".")).\(test.plainName)"
  }

  /// What the test says it tests.
  var sentence: String { test.displayName ?? test.name }

  /// What decides whether a body that returns something has passed.
  ///
  /// - Throws: `HostError.badResult` when it is neither nothing, nor a truth value, nor the issue that `Issue.record`
  ///   returns: what would be ignored then was hardly meant to be.
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

  /// Tests a property and records one issue if it is false.
  func check(_ property: Property) async throws {
    let findings = Mutex<Findings?>(nil)
    let round = Round(property, settings, wishes)
    // Entered once for all cases: entering it for each would cost more than most cases do.
    try await handling.provideScope(for: test, testCase: Test.Case.current) {
      let found = try await property.perform { try round.findings() }
      findings.withLock { $0 = found }
    }
    guard let findings = findings.withLock({ $0 }) else { return }
    if let text = Complaint(property, findings, test: test.plainName).text {
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
  /// What an expectation of the test library found.
  fileprivate init(_ issue: Issue) {
    let comments = issue.comments.map { "\n\($0.rawValue)" }.joined()
    let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" }
    self.init("\(issue.kind)" + comments, origin: place ?? "unknown place")
  }
}
