// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting
internal import Scenarios

/// The formats that the results of a command have.
protocol OutputFormats {
  static var formats: [ReportFormat] { get }
}

/// Results that are a table.
enum TableFormats: OutputFormats {
  static let formats = ReportFormat.tables
}

/// Where results go, and in which of the formats that a command has.
struct OutputOptions<Formats: OutputFormats>: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "\(Self.listed) (default: what the file's ending says, else text). Example: --format csv", valueName: "format"),
    completion: .list(Formats.formats.map(\.rawValue)))
  var format: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "A file to write instead of the standard output; may be given several times. Example: --output result.csv",
      valueName: "file"),
    completion: .file())
  var output: [String] = []

  @Flag(name: .shortAndLong, help: "Write nothing but errors to the standard error.")
  var quiet = false

  @OptionGroup var logging: LogOptions

  /// `text, markdown, csv or json`.
  private static var listed: String {
    let names = Formats.formats.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Checks before any work is done that the command has the formats, that every file can be written, and that what
  /// draws is installed.
  func plan(for command: String) throws -> OutputPlan {
    let formats = Formats.formats
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
    return OutputPlan(
      command: command, files: files, onOutput: onOutput, quiet: quiet, isWhole: logging.verbose, studio: studio)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let format { echo.add("--format", format) }
    for file in output { echo.add("--output", file) }
  }
}

/// Where a result goes, checked.
struct OutputPlan {
  /// What the result is of: `results list`.
  let command: String
  let files: [(path: String, format: ReportFormat)]
  let onOutput: ReportFormat?
  let quiet: Bool
  /// Whether text shows details and evidence, too.
  let isWhole: Bool
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
      return document.rendered(as: format, width: Console.width, style: style, isWhole: isWhole)
        ?? (format == .json ? json.map(named)?.text : format == .junit ? junit?.text : nil)
    }
  }

  /// The JSON with its schema, which is called after the command unless it has one.
  private func named(_ json: JSONValue) -> JSONValue {
    guard case .object(let members) = json, members.first?.key != "schema" else { return json }
    return .object([JSONMember("schema", .string("assay.\(command.replacing(" ", with: "."))/1"))] + members)
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
