// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting

/// Where results go, and in which format.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "text, markdown, csv, json, svg or junit, where there is one (default: what the file's ending says, else text). "
        + "Example: --format csv",
      valueName: "format"),
    completion: .list(ReportFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "A file to write instead of the standard output; may be given several times. Example: --output chart.svg",
      valueName: "file"),
    completion: .file())
  var output: [String] = []

  @Flag(help: "Say nothing on the standard error but errors. Example: --quiet")
  var quiet = false

  @OptionGroup var logging: LogOptions

  /// Checks the formats and that every file can be written, before any work is done.
  ///
  /// - Parameters:
  ///   - command: the command's name, for errors.
  ///   - formats: those that the command's result has.
  /// - Returns: where the result goes.
  /// - Throws: `ReportingError` or `CommandError` naming the option, the value and what was expected.
  func plan(for command: String, formats: [ReportFormat] = [.text, .markdown, .csv, .json, .svg]) throws -> OutputPlan {
    try logging.begin()
    let chosen = try format.map { name throws(ReportingError) in try ReportFormat(named: name) }
    let files = try output.map { path in (path: path, format: try chosen ?? ReportFormat(ofFile: path)) }
    let onOutput = files.isEmpty ? chosen ?? .text : nil
    for used in files.map(\.format) + [onOutput].compactMap(\.self) where !formats.contains(used) {
      throw CommandError.noSuchFormat(
        used.rawValue, command: command, known: formats.map(\.rawValue).joined(separator: ", "))
    }
    for file in files { try AtomicFile.checkWritable(file.path) }
    return OutputPlan(files: files, onOutput: onOutput, quiet: quiet)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let format { echo.add("--format", format) }
    for file in output { echo.add("--output", file) }
  }
}

/// Where a result goes, checked.
struct OutputPlan {
  let files: [(path: String, format: ReportFormat)]
  let onOutput: ReportFormat?
  let quiet: Bool

  /// Writes a result everywhere it is wanted.
  ///
  /// - Parameter render: the result in a format and a style; `nil` where it has no such format.
  /// - Throws: `ReportingError.unwritable`.
  func write(_ render: (ReportFormat, TerminalStyle) -> String?) throws {
    for file in files {
      guard let text = render(file.format, TerminalStyle(isColoured: false)) else { continue }
      try AtomicFile.write(text, to: file.path)
      Log.info("wrote", ["file": file.path, "format": file.format.rawValue])
      if !quiet { Console.say("wrote \(file.path)") }
    }
    if let format = onOutput, let text = render(format, Console.outputStyle) { Console.write(text) }
  }
}
