// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// The end of the process: its last message and its exit code.
enum Ending {
  /// Prints the error, and ends the process with its code in the table of exit codes.
  ///
  /// - Parameter error: the error; a request for help or the version is answered.
  static func leave(after error: any Error) -> Never {
    let status = ExitStatus(after: error)
    switch status {
    case .holds:
      // For help about an unknown command the parser would print that about all commands.
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

  /// Writes the requested help, version or completion for a shell.
  private static func answer(_ request: any Error) {
    let text = RootCommand.fullMessage(for: request)
    guard !text.isEmpty else { return }
    // Output for shells and other programs uses the program's own name.
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
  ///   - error: the error.
  ///   - arguments: the command line.
  /// - Returns: the problem, and the facts that a report of it needs.
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

  /// The command line without the values of secret options.
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
