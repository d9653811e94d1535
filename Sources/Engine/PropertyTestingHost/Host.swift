// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import PropertyTesting
internal import Synchronization
internal import Testing

/// One call of `check` in a running test.
struct Host: Sendable {
  private let test: Test
  private let settings: CheckSettings
  private let location: SourceLocation

  init(
    _ settings: CheckSettings, cases: Int?, at location: SourceLocation,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard let test = Test.current else { throw HostError.outsideTest(fileID: location.fileID, line: location.line) }
    self.test = test
    self.settings = try settings.overridden(cases: cases, environment: environment)
    self.location = location
  }

  /// What the property of this call is named.
  func id(_ name: String?) -> String { name ?? test.name }

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
    let result = Mutex<CheckReport?>(nil)
    // Entered once for all cases: entering it for each would cost more than most cases do.
    try await handling.provideScope(for: test, testCase: Test.Case.current) { [settings] in
      let report = try await property.checkAsync(settings)
      result.withLock { $0 = report }
    }
    guard let report = result.withLock({ $0 }) else { return }
    guard let complaint = Complaint(property, report, test: test.name).text else { return }
    Issue.record(Comment(rawValue: complaint), sourceLocation: location)
  }

  /// Turns the issues that a case records into its failure.
  private var handling: IssueHandlingTrait {
    .compactMapIssues { issue in
      guard issue.isFailure else { return issue }
      return recordFailure(Failure(issue)) ? nil : issue
    }
  }
}

extension Failure {
  /// What an expectation of the test library found.
  fileprivate init(_ issue: Issue) {
    let comments = issue.comments.map { "\n\($0.rawValue)" }.joined()
    let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" }
    self.init("\(issue.kind)" + comments, origin: place ?? "unknown place")
  }
}
