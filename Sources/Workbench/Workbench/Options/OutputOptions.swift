// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
package import Foundation
internal import Pages
package import Reporting
package import Scenarios

/// The formats of a command's results.
package protocol OutputFormats {
  static var formats: [ReportFormat] { get }
}

/// Results that are a table.
package enum TableFormats: OutputFormats {
  package static let formats = ReportFormat.tables
}

/// The files and formats of results.
package struct OutputOptions<Formats: OutputFormats>: ParsableArguments {
  @Option(
    name: .joined("f"),
    help: ArgumentHelp(
      "\(Self.listed) (default: by the file's ending, else text). Example: --format csv", valueName: "format"),
    completion: .list(Formats.formats.map(\.rawValue)))
  var format: String?

  @Option(
    name: .joined("o"),
    help: ArgumentHelp(
      "The file to write, or - for the standard output; may be given several times. "
        + "Example: --output result.csv",
      valueName: "file"),
    completion: .file())
  var output: [String] = []

  @Flag(name: .shortAndLong, help: "Write nothing but errors to the standard error.")
  var quiet = false

  @OptionGroup var logging: LogOptions

  package init() {}

  package mutating func validate() { WrittenFiles.note(output, of: "--output") }

  /// `text, markdown, csv or json`.
  private static var listed: String {
    let names = Formats.formats.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Checks before any work that the command has the formats and that every file can be written; `more` are formats of
  /// this result only.
  package func plan(for command: String, more: [ReportFormat] = []) throws -> OutputPlan {
    let formats = Formats.formats + more.filter { !Formats.formats.contains($0) }
    logging.begin(quiet: quiet)
    let chosen = try format.map { name throws(ReportingError) in try ReportFormat(named: name, among: formats) }
    var named: [(file: OutputFile, format: ReportFormat)] = []
    for path in output {
      let file = try OutputFile(path)
      if let earlier = named.first(where: { $0.file.isSame(as: file) })?.file.path {
        throw CommandError.badValue(
          option: "--output", found: path, expected: "another file than '\(earlier)', which is the same")
      }
      named.append((file, try chosen ?? Self.format(of: file)))
    }
    let files = named.filter { !$0.file.isStandardOutput }
    let onOutput = named.isEmpty ? chosen ?? .text : named.first { $0.file.isStandardOutput }?.format
    let used = files.map(\.format) + [onOutput].compactMap(\.self)
    for format in used where !formats.contains(format) {
      throw CommandError.refused(
        "--format: '\(command)' has no \(format.rawValue), expected one of "
          + "\(formats.map(\.rawValue).joined(separator: ", ")).")
    }
    if onOutput == .png && TerminalStyle.isTerminal(STDOUT_FILENO) {
      throw CommandError.badValue(
        option: "--format", found: "png", expected: "a file or a pipe for it, for example --output \(command).png")
    }
    return OutputPlan(command: command, files: files, onOutput: onOutput, quiet: quiet, isWhole: logging.verbose)
  }

  /// The format of a file's ending; text for a device or a pipe without a known ending.
  private static func format(of file: OutputFile) throws(ReportingError) -> ReportFormat {
    do {
      return try ReportFormat(ofFile: file.path, among: Formats.formats)
    } catch {
      guard file.isStream else { throw error }
      return .text
    }
  }

  func add(to echo: inout CommandLineEcho) {
    if let format { echo.add("--format", format) }
    for file in output { echo.add("--output", file) }
  }
}

/// The file of a result that has only one format.
package struct FileOptions: ParsableArguments {
  @Option(
    name: .joined("o"),
    help: ArgumentHelp(
      "The file to write, or - for the standard output. Example: --output result.txt", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Write nothing but errors to the standard error.")
  package var quiet = false

  package init() {}

  package mutating func validate() { WrittenFiles.note([output].compactMap(\.self), of: "--output") }

  /// Writes the result to the given file or else to `default`; checks that it can be written before the result is made.
  package func write(to `default`: String = "-", _ result: () throws -> String) throws {
    let file = try OutputFile(output ?? `default`)
    try file.put(Data(result().utf8), saying: quiet ? nil : "wrote \(file.path)")
  }
}

/// The checked files and formats of a result.
package struct OutputPlan {
  /// The words of the command: `results list`.
  let command: String
  let files: [(file: OutputFile, format: ReportFormat)]
  package internal(set) var onOutput: ReportFormat?
  let quiet: Bool
  let isWhole: Bool
  /// The measure that a picture shows; `nil` for the first figure.
  var measure: String?

  /// The part of the plan of one format.
  func only(_ format: ReportFormat) -> OutputPlan {
    OutputPlan(
      command: command, files: files.filter { $0.format == format }, onOutput: onOutput == format ? format : nil,
      quiet: quiet, isWhole: isWhole, measure: measure)
  }

  /// Writes a result to all its files; `render` returns `nil` for a format that the result does not have.
  ///
  /// - Throws: Also the error of drawing a picture, after everything else is written.
  func write(_ picture: Picture? = nil, _ render: (ReportFormat, TerminalStyle) -> String?) throws {
    var undrawn: FigureError?
    for (file, format) in files {
      do {
        guard let bytes = try bytes(picture, as: format, TerminalStyle(isColoured: false), render) else { continue }
        try file.put(bytes, saying: quiet ? nil : "wrote \(file.path)")
        Log.info("wrote", ["file": file.path, "format": format.rawValue])
      } catch let error as FigureError {
        undrawn = error
      }
    }
    if let format = onOutput, let bytes = try bytes(picture, as: format, Console.outputStyle, render) {
      try Console.write(bytes)
    }
    if let undrawn { throw undrawn }
  }

  /// Writes a document in every format that was chosen.
  ///
  /// `drawn` is a text for a format in place of the document, such as a card to print. The document, its JSON and
  /// `data`, a table for CSV that does not need the document, are made only for a format that shows them: each may have
  /// a row for every member of a large club.
  package func write(
    _ makeDocument: @autoclosure () -> Document, json: @autoclosure () -> JSONValue? = nil,
    data: @autoclosure () -> Table? = nil, junit: JUnitReport? = nil, drawn: (ReportFormat) -> String? = { _ in nil }
  ) throws {
    var made: Document?
    func document() -> Document {
      let whole = made ?? makeDocument().mapped(Program.named)
      made = whole
      return whole
    }
    let isDrawn = (files.map(\.format) + [onOutput]).contains { $0 == .svg || $0 == .png }
    let picture = isDrawn ? try drawn(.svg).map(Picture.card) ?? figure(of: document()).map(Picture.figure) : nil
    try write(picture) { format, style in
      if format != .json, let text = drawn(format) { return text }
      switch format {
      case .json: return json().map(named)?.text
      case .junit: return junit?.text
      case .csv: return (data() ?? document().data)?.csv
      default: return document().rendered(as: format, width: Console.width, style: style, isWhole: isWhole)
      }
    }
  }

  /// The figure that a picture shows.
  private func figure(of document: Document) throws -> Figure? {
    guard let measure else { return document.figures.first }
    if let figure = document.figures.first(where: { $0.shows(measure) }) { return figure }
    let drawn = document.figures.flatMap(\.subjects).map(\.measure).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    throw CommandError.badValue(
      option: "--measure", found: measure,
      expected: drawn.isEmpty
        ? "another result: nothing of this one is drawn" : "one that is drawn: \(drawn.joined(separator: ", "))")
  }

  /// The JSON with its schema, which is named after the command unless it has one.
  private func named(_ json: JSONValue) -> JSONValue {
    guard case .object(let members) = json, members.first?.key != "schema" else { return json }
    return .object([JSONMember("schema", .string("assay.\(command.replacing(" ", with: "."))/1"))] + members)
  }

  private func bytes(
    _ picture: Picture?, as format: ReportFormat, _ style: TerminalStyle,
    _ render: (ReportFormat, TerminalStyle) -> String?
  ) throws -> Data? {
    guard format == .svg || format == .png else { return render(format, style).map { Data($0.utf8) } }
    guard let picture else {
      throw CommandError.badValue(
        option: "--format", found: format.rawValue, expected: "another one: there is nothing to draw of this result")
    }
    return try picture.bytes(as: format)
  }
}

extension OutputFile {
  /// Writes a command's result, and prints a remark unless the target is a device or a pipe.
  package func put(_ bytes: Data, saying remark: String?) throws(ReportingError) {
    guard !isStandardOutput else { return try Console.write(bytes) }
    try write(bytes)
    if let remark, !isStream { Console.say(remark) }
  }
}

extension NameSpecification {
  /// A letter that may be followed by its value at once, as in `-fcsv`, and the long name.
  static func joined(_ letter: Character) -> NameSpecification { [.customShort(letter, allowingJoined: true), .long] }
}
