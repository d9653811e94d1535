// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
package import MonteCarlo
internal import Reporting
package import Scenarios

/// The exit codes of the process.
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
    case .holds: "success: all thresholds hold"
    case .failed: "something under test fails, or a sample traps"
    case .badInput: "bad input: an invalid file, value or folder"
    case .undecided: "nothing fails, but something is undecided: too few samples"
    case .usage: "usage: the command line is invalid"
    case .internalError: "internal: an error in Assay itself"
    case .interrupted: "interrupted; partial results are kept"
    case .terminated: "terminated by SIGTERM; partial results are kept"
    }
  }

  static var table: String {
    allCases.map { status in
      let code = String(status.rawValue)
      return "  " + code + String(repeating: " ", count: 5 - code.count) + status.meaning
    }.joined(separator: "\n")
  }

  /// The status of a verdict. If a limit ended the run, a verdict that holds so far may still fail; a limit reached
  /// after the last sample changes nothing.
  package init(_ verdict: Verdict, isComplete: Bool) {
    self =
      switch verdict {
      case .holds, .unasked: isComplete ? .holds : .undecided
      case .fails: .failed
      case .undecided: .undecided
      }
  }

  /// The status after a signal; nil if there was none.
  package init?(_ interrupt: Interrupt) {
    guard let cause = interrupt.cause else { return nil }
    switch cause {
    case .interrupted: self = .interrupted
    case .terminated: self = .terminated
    case .limit, .share: return nil
    }
  }

  /// The status after an error. An error of neither the input nor the usage is an error in Assay itself.
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

  /// An end without success of a command that ran.
  package struct Conclusion: Error {
    let status: ExitStatus
    let message: String
    /// True if the result on the output ends with the message, which is not repeated if both streams go to one place.
    var isShown = false
    /// The command that repeats the run.
    let reproduction: String
    /// The commands that continue incomplete runs.
    let continuations: [String]

    package init(
      status: ExitStatus, message: String, isShown: Bool = false, reproduction: String, continuations: [String] = []
    ) {
      (self.status, self.message, self.isShown, self.reproduction) = (status, message, isShown, reproduction)
      self.continuations = continuations
    }
  }
}
