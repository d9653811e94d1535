// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
package import MonteCarlo
internal import Reporting
package import Scenarios

/// How the process ends: the one table of exit codes.
package enum ExitStatus: Int32, CaseIterable {
  case holds = 0
  case failed = 1
  case badInput = 2
  case undecided = 3
  case usage = 64
  case internalError = 70
  case interrupted = 130
  case terminated = 143

  /// The meaning of the status, in a line.
  var meaning: String {
    switch self {
    case .holds: "everything that was asked holds"
    case .failed: "something under test fails"
    case .badInput: "bad input: a file, a value or a folder is not what it should be"
    case .undecided: "nothing fails, and something is undecided: too few samples, idle faults"
    case .usage: "usage: the command line cannot be read"
    case .internalError: "internal: an error in Assay itself"
    case .interrupted: "interrupted; partial results are kept"
    case .terminated: "terminated by SIGTERM, likewise"
    }
  }

  static var table: String {
    allCases.map { status in
      let code = String(status.rawValue)
      return "  " + code + String(repeating: " ", count: 5 - code.count) + status.meaning
    }.joined(separator: "\n")
  }

  /// A verdict that holds so far may fail yet where a limit ended the run; a limit that passes when all is done changes
  /// nothing.
  package init(_ verdict: Verdict, isComplete: Bool) {
    self =
      switch verdict {
      case .holds: isComplete ? .holds : .undecided
      case .fails: .failed
      case .undecided: .undecided
      }
  }

  /// How a process ends that was asked to end early; nil where no signal did.
  package init?(_ interrupt: Interrupt) {
    guard let cause = interrupt.cause else { return nil }
    switch cause {
    case .interrupted: self = .interrupted
    case .terminated: self = .terminated
    case .limit, .share: return nil
    }
  }

  /// How the process ends after an error. What is neither input nor usage is an error in Assay itself.
  init(after error: any Error) {
    switch error {
    case let verdict as Conclusion: self = verdict.status
    case is any InputError: self = .badInput
    case is any FailureUnderTest: self = .failed
    default:
      switch RootCommand.exitCode(for: error) {
      case .success: self = .holds
      case .validationFailure: self = .usage
      default: self = .internalError
      }
    }
  }

  /// An ending other than success of something that ran.
  package struct Conclusion: Error {
    let status: ExitStatus
    let message: String
    /// Whether the result on the output ends with the message: where both streams meet, once is enough.
    var isShown = false
    /// The command that does the same again.
    let reproduction: String
    /// The commands that go on with what has not come to its end.
    let continuations: [String]

    package init(
      status: ExitStatus, message: String, isShown: Bool = false, reproduction: String, continuations: [String] = []
    ) {
      (self.status, self.message, self.isShown, self.reproduction) = (status, message, isShown, reproduction)
      self.continuations = continuations
    }
  }
}
