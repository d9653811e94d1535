// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// The last words of the process.
enum Ending {
  /// Says what was wrong, and ends the process as the table of exit codes has it.
  ///
  /// - Parameter error: what was thrown; a request for help or the version is answered.
  static func leave(after error: any Error) -> Never {
    let status = ExitStatus(after: error)
    switch status {
    case .holds:
      // The parser answers a request for help about an unknown command by that about all of them.
      if CommandLine.arguments.dropFirst().first == "help",
        let hint = CommandHint.nearest(to: Array(CommandLine.arguments.dropFirst()))
      {
        Console.say(Program.named(in: "error: \(hint)"))
        exit(ExitStatus.usage.rawValue)
      }
      answer(error)
    case .usage:
      Console.say(Program.named(in: "error: \(UsageError.line(for: error, typed: CommandLine.arguments))"))
    case .internalError:
      Console.say(lines: report(of: error, arguments: CommandLine.arguments))
    default:
      if let verdict = error as? ExitStatus.Conclusion {
        if !verdict.isShown || !Console.streamsMeet { Console.say(Program.named(in: verdict.message)) }
        Console.say("reproduce: \(verdict.reproduction)")
        for command in verdict.continuations { Console.say(Program.named(in: "to continue: \(command)")) }
      } else {
        let several = (error as? InputProblems)?.problems.map(\.error) ?? (error as? ReportingError)?.each ?? [error]
        for one in several { Console.say(Program.named(in: "error: \(one)")) }
      }
    }
    exit(status.rawValue)
  }

  /// Writes what was asked for instead of a result: the help, the version, or what a shell completes.
  private static func answer(_ request: any Error) {
    let text = RootCommand.fullMessage(for: request)
    guard !text.isEmpty else { return }
    // What shells and other programs read is made for the program's own name.
    let isForPrograms = CommandLine.arguments.contains {
      $0.hasPrefix("--generate-") || $0.hasPrefix("--experimental-")
    }
    do {
      try Console.write((isForPrograms ? text : Program.named(in: text)) + "\n")
    } catch {
      leave(after: error)
    }
  }

  /// The report of an unexpected error.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - arguments: what was typed.
  /// - Returns: what happened, and what a report of it needs.
  static func report(of error: any Error, arguments: [String]) -> String {
    var echo = CommandLineEcho()
    echo.add(withoutSecrets(arguments.dropFirst()))
    return """
      error: \(error)
      This is an error in Assay itself, not in what you typed. Please report it with these lines:
        error:   \(type(of: error)): \(error)
        version: Assay \(Version.current) on \(ProcessInfo.processInfo.operatingSystemVersionString)
        command: \(echo.line)
      """
  }

  /// The command line without the values of options that nobody should pass on.
  private static func withoutSecrets(_ arguments: ArraySlice<String>) -> [String] {
    var (shown, isSecret) = ([String](), false)
    for argument in arguments {
      let option = ["--swid", "--espn-s2"].first { argument == $0 || argument.hasPrefix($0 + "=") }
      shown.append(isSecret ? "..." : option.map { argument == $0 ? $0 : $0 + "=..." } ?? argument)
      isSecret = option == argument
    }
    return shown
  }
}
