// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Which code is on trial.
struct SubjectOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A broken variant instead of the code that ships; its failures are not stored. Example: --subject NAME",
      valueName: "name"),
    completion: Completions.subjects)
  var subject: String?

  /// Adds the option to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let subject { echo.add("--subject", subject) }
  }
}
