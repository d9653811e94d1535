// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import Foundation
internal import LeagueCore
internal import LeagueLab
internal import MonteCarlo
internal import PropertyTesting
internal import Randomness
internal import Reporting
internal import Statistics

/// How the process ends, by what went wrong.
enum ExitStatus: Int32 {
  case holds = 0
  case failed = 1
  case badInput = 2
  case interrupted = 130

  /// Says what was wrong and ends the process; usage errors and requests for help are left to the parser (64 and 0).
  static func leave(after error: any Error) -> Never {
    if let verdict = error as? Verdict {
      Console.say(verdict.message)
      Console.say("reproduce: \(verdict.reproduction)")
      exit(verdict.status.rawValue)
    }
    switch error {
    case is CommandError, is BlackjackError, is CertificationError, is ReportingError, is RandomnessError,
      is MonteCarloError, is StatisticsError, is ReplayError,
      is ExampleStoreError, is WorkerError, is CheckError, is LeagueError, is LeagueLabError:
      Console.say("error: \(error)")
      exit(badInput.rawValue)
    default:
      AssayCommand.exit(withError: error)
    }
  }

  /// An ending other than success of something that ran: a failed trial or an interruption.
  struct Verdict: Error {
    let status: ExitStatus
    let message: String
    /// The command that does the same again.
    let reproduction: String
  }
}
