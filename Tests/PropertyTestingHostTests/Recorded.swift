// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

/// Catches the issues that a piece of a test records, so that they can be looked at instead of failing the test.
func issues(of body: @escaping @Sendable () async throws -> Void) async throws -> [Issue] {
  let caught = Mutex<[Issue]>([])
  let catching = IssueHandlingTrait.compactMapIssues { issue in
    caught.withLock { $0.append(issue) }
    return nil
  }
  let test = try #require(Test.current)
  try await catching.provideScope(for: test, testCase: Test.Case.current, performing: body)
  return caught.withLock { $0 }
}

extension Issue {
  /// What it says, line by line.
  var lines: [String] { comments.flatMap { $0.rawValue.split(separator: "\n").map(String.init) } }
}
