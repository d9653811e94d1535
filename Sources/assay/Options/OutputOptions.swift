// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting
internal import Scenarios

/// Where results go, and in which format.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "text, markdown, csv, json, svg, png or junit, where there is one (default: what the file's ending says, else "
        + "text). Example: --format csv",
      valueName: "format"),
    completion: .list(ReportFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "A file to write instead of the standard output; may be given several times. Example: --output chart.svg",
      valueName: "file"),
    completion: .file())
  var output: [String] = []

  @Flag(help: "Write nothing but errors to the standard error. Example: --quiet")
  var quiet = false

  @OptionGroup var logging: LogOptions

  /// Checks before any work is done that the command has the formats, that every file can be written, and that what
  /// draws is installed.
  func plan(for command: String, formats: [ReportFormat], picture: Picture.Kind? = nil) throws -> OutputPlan {
    let formats = formats + (picture == nil ? [] : [.svg, .png])
    try logging.begin()
    let chosen = try format.map { name throws(ReportingError) in try ReportFormat(named: name) }
    let files = try output.map { path in (path: path, format: try chosen ?? ReportFormat(ofFile: path)) }
    let onOutput = files.isEmpty ? chosen ?? .text : nil
    let used = files.map(\.format) + [onOutput].compactMap(\.self)
    for format in used where !formats.contains(format) {
      throw CommandError.noSuchFormat(
        format.rawValue, command: command, known: formats.map(\.rawValue).joined(separator: ", "))
    }
    if onOutput == .png && TerminalStyle.isTerminal(STDOUT_FILENO) {
      throw CommandError.badValue(
        option: "--format", found: "png", expected: "a file or a pipe for it, for example --output \(command).png")
    }
    let studio =
      used.contains { $0 == .svg || $0 == .png }
      ? PictureStudio(environment: ProcessInfo.processInfo.environment) : nil
    for file in files { try AtomicFile.checkWritable(file.path) }
    return OutputPlan(files: files, onOutput: onOutput, quiet: quiet, studio: studio)
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
  /// What draws, where pictures are wanted.
  var studio: PictureStudio?

  /// Writes a result everywhere it is wanted; `render` gives `nil` for a format that the result has not.
  func write(_ picture: Picture? = nil, _ render: (ReportFormat, TerminalStyle) -> String?) throws {
    for file in files {
      guard let bytes = try bytes(picture, as: file.format, TerminalStyle(isColoured: false), render) else { continue }
      try AtomicFile.write(bytes, to: file.path)
      Log.info("wrote", ["file": file.path, "format": file.format.rawValue])
      if !quiet { Console.say("wrote \(file.path)") }
    }
    if let format = onOutput, let bytes = try bytes(picture, as: format, Console.outputStyle, render) {
      try Console.write(bytes)
    }
  }

  /// Writes a document in every format that was chosen.
  /// `drawn` is what was made for a format in place of the document, such as a card to print.
  func write(
    _ document: Document, json: JSONValue? = nil, junit: JUnitReport? = nil,
    drawn: (ReportFormat) -> String? = { _ in nil }
  ) throws {
    let document = document.mapped(Program.named)
    let drawing = drawn(.svg).map { Picture.drawing($0, name: "card") }
    try write(drawing ?? document.picture) { format, style in
      if format != .json, let text = drawn(format) { return text }
      return document.rendered(as: format, width: Console.width, style: style)
        ?? (format == .json ? json?.text : format == .junit ? junit?.text : nil)
    }
  }

  private func bytes(
    _ picture: Picture?, as format: ReportFormat, _ style: TerminalStyle,
    _ render: (ReportFormat, TerminalStyle) -> String?
  ) throws -> Data? {
    guard format == .svg || format == .png else { return render(format, style).map { Data($0.utf8) } }
    if let picture { return try studio?.bytes(of: picture, as: format) }
    guard let text = render(format, style) else {
      throw CommandError.badValue(
        option: "--format", found: format.rawValue, expected: "another one: there is nothing to draw of this result")
    }
    return Data(text.utf8)
  }
}
