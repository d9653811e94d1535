// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import Reporting

/// A build server that runs the process, and the reports to it.
struct BuildServer {
  /// The folder from which annotations name files: the repository's.
  let workspace: String
  private let folder: String
  private let summary: StepSummary?

  /// The server; `nil` if a person runs the process and has not asked for the output of a server.
  init?(isAsked: Bool) {
    let environment = ProcessInfo.processInfo.environment
    guard isAsked || Self.isThere(environment) else { return nil }
    folder = FileManager.default.currentDirectoryPath
    workspace = environment["GITHUB_WORKSPACE"].map { URL(fileURLWithPath: $0).standardizedFileURL.path } ?? folder
    let path = environment["GITHUB_STEP_SUMMARY", default: ""]
    summary = path.isEmpty ? nil : StepSummary(path)
  }

  /// Returns true if the variables of an environment are those of a build server: `CI` or `GITHUB_ACTIONS`, not
  /// `false`.
  static func isThere(_ environment: [String: String]) -> Bool {
    ["CI", "GITHUB_ACTIONS"].contains { name in
      !["", "0", "false", "no"].contains(environment[name, default: ""].lowercased())
    }
  }

  /// Prints annotations on the error stream, which a runner reads as well, so that the output has results only.
  func annotate(_ annotations: [GitHubAnnotation]) {
    for var one in annotations {
      one.file = one.file.map { GitHubAnnotation.location(of: $0, in: folder, workspace: workspace) }
      Console.say(command: Program.named(in: one.command))
    }
  }

  /// Annotates an error of the input, and no other, at the file that it names or else at `file`.
  func annotate(badInput error: any Error, in file: String?) {
    guard ExitStatus(after: error) == .badInput, !(error is ExitStatus.Conclusion) else { return }
    let problems = (error as? InputProblems)?.problems ?? [InputProblems.Problem(error: error, file: file)]
    annotate(problems.map { GitHubAnnotation(badInput: $0.error, in: $0.file) })
  }

  /// Adds a text to the summary of the step, if the server has one.
  func summarise(_ markdown: String) throws { try summary?.append(markdown) }
}
