// SPDX-License-Identifier: GPL-3.0-or-later

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
