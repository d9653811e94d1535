// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
internal import Reporting
package import Scenarios

/// The program that draws figures; where it is not installed, pages show tables instead.
///
/// Equal figures are equal bytes with one version of it. It runs without a shell, without the person's own settings,
/// and no text of a figure can become a command (see `FigureScript`).
package struct Gnuplot: Hashable, Sendable {
  /// For example `gnuplot 5.4 patchlevel 4`.
  package let version: String
  private let program: ExternalProgram

  package static let package = "gnuplot-nox"

  package static func find(environment: [String: String]) -> Gnuplot? {
    guard let program = ExternalProgram.find("gnuplot", environment: environment),
      let version = program.version, version.hasPrefix("gnuplot ")
    else { return nil }
    return Gnuplot(version: version, program: program)
  }

  /// A picture of the figure as SVG, as a file of its own or for a page, where a caption has the heading already.
  package func picture(of figure: Figure, heading: Bool) throws(FigureError) -> FigurePicture {
    let script = try FigureScript(figure, heading: heading)
    let drawn = try draw(script.text(for: .svg), figure.id)
    return try FigurePicture(figure: figure, script: script, drawn: String(decoding: drawn, as: UTF8.self))
  }

  package func svg(_ figure: Figure) throws(FigureError) -> String { try picture(of: figure, heading: true).file }

  package func png(_ figure: Figure) throws(FigureError) -> Data {
    try draw(FigureScript(figure).text(for: .png), figure.id)
  }

  private func draw(_ script: String, _ figure: String) throws(FigureError) -> Data {
    let outcome = try program.run(["--default-settings", "-"], input: Data(script.utf8), figure: figure)
    guard outcome.status == 0, !outcome.output.isEmpty else {
      throw .failed(program: program.name, figure: figure, problem: problem(outcome))
    }
    return outcome.output
  }

  /// The last thing it said that is not a pointer at the script.
  private func problem(_ outcome: ExternalProgram.Outcome) -> String {
    let lines = outcome.errors.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && $0 != "^" }
    return lines.suffix(2).joined(separator: " ").isEmpty
      ? "it ended with status \(outcome.status)" : lines.suffix(2).joined(separator: " ")
  }
}

/// A program that makes PNG pictures of SVG ones: librsvg's `rsvg-convert`.
///
/// Figures need none, for gnuplot draws them as PNG itself; strategy cards do.
package struct PictureConverter: Hashable, Sendable {
  package let version: String
  private let program: ExternalProgram

  package static let name = "rsvg-convert"
  package static let package = "librsvg2-bin"

  package static func find(environment: [String: String]) -> PictureConverter? {
    guard let program = ExternalProgram.find(name, environment: environment), let version = program.version else {
      return nil
    }
    return PictureConverter(version: version, program: program)
  }

  package func png(of svg: String, name: String) throws(FigureError) -> Data {
    let outcome = try program.run(
      ["--format", "png", "--zoom", "\(FigureMedium.pixels)"], input: Data(svg.utf8), figure: name)
    guard outcome.status == 0, outcome.output.starts(with: Self.signature) else {
      let problem = outcome.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      throw .failed(
        program: program.name, figure: name, problem: problem ?? "it ended with status \(outcome.status)")
    }
    return outcome.output
  }

  /// How every PNG file begins (PNG specification, section 5.2).
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// A program on the path, run without a shell in a folder of its own that is removed afterwards.
struct ExternalProgram: Hashable, Sendable {
  struct Outcome {
    let status: Int32
    let output: Data
    let errors: String
  }

  let name: String
  let path: String
  let patience: Double
  var workspace = FileManager.default.temporaryDirectory

  static func find(
    _ name: String, environment: [String: String], patience: Double = 30
  ) -> ExternalProgram? {
    InstalledProgram.path(of: name, environment: environment)
      .map { ExternalProgram(name: name, path: $0, patience: patience) }
  }

  /// What it prints when asked with `--version`; `nil` where that fails.
  var version: String? {
    guard let outcome = try? run(["--version"], input: Data(), figure: "version"), outcome.status == 0 else {
      return nil
    }
    return String(decoding: outcome.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs the program to its end.
  ///
  /// Input and output pass through files, so neither side can wait for the other with a full pipe.
  func run(_ arguments: [String], input: Data, figure: String) throws(FigureError) -> Outcome {
    let manager = FileManager.default
    let folder = workspace.appendingPathComponent("assay-\(UUID().uuidString)")
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: false)
    } catch {
      throw .noWorkingFolder(path: workspace.path, cause: error.localizedDescription)
    }
    defer { try? manager.removeItem(at: folder) }
    let files = ["input", "output", "errors"].map { folder.appendingPathComponent($0) }
    let handles: [FileHandle]
    do {
      for (file, content) in zip(files, [input, Data(), Data()]) { try content.write(to: file) }
      handles = [
        try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
        try FileHandle(forWritingTo: files[2]),
      ]
    } catch {
      throw .noWorkingFolder(path: folder.path, cause: error.localizedDescription)
    }
    defer { for handle in handles { try? handle.close() } }
    let status = try wait(for: arguments, handles: handles, folder: folder, figure: figure)
    let output = (try? Data(contentsOf: files[1])) ?? Data()
    let errors = (try? Data(contentsOf: files[2])).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return Outcome(status: status, output: output, errors: errors)
  }

  private func wait(
    for arguments: [String], handles: [FileHandle], folder: URL, figure: String
  ) throws(FigureError) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Nothing of the person's own set-up may change a picture; fonts are found through the home folder's cache.
    process.environment = ["LC_ALL": "C.UTF-8", "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin"]
    (process.standardInput, process.standardOutput, process.standardError) = (handles[0], handles[1], handles[2])
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do {
      try process.run()
    } catch {
      throw .failed(program: name, figure: figure, problem: error.localizedDescription)
    }
    guard ended.wait(timeout: .now() + patience) == .success else {
      process.terminate()
      if ended.wait(timeout: .now() + 1) == .timedOut { kill(process.processIdentifier, SIGKILL) }
      throw .timedOut(program: name, figure: figure, seconds: patience)
    }
    return process.terminationStatus
  }
}

/// Why there is no picture, with what a person needs to get one.
package enum FigureError: InputError, Hashable {
  case badIdentifier(String)
  case nothingToDraw(figure: String)
  case notPositive(figure: String, series: String, axis: String, value: Double)
  case noSuchName(figure: String, series: String, place: Double, names: Int)
  case tooWide(figure: String, axis: String, lowest: Double, highest: Double)
  case tooManyPoints(figure: String, series: String, found: Int, most: Int)
  case missing(program: String, package: String)
  case failed(program: String, figure: String, problem: String)
  case timedOut(program: String, figure: String, seconds: Double)
  case noWorkingFolder(path: String, cause: String)
}

extension FigureError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badIdentifier(let id):
      "figure '\(id)': found this id, expected lower-case letters, digits and hyphens, for example ev-by-round."
    case .nothingToDraw(let figure):
      "figure '\(figure)': found no point with finite values, expected at least one; show a sentence instead."
    case .notPositive(let figure, let series, let axis, let value):
      "figure '\(figure)': series '\(series)': found \(value) on the logarithmic axis '\(axis)', expected more than 0; "
        + "leave the point out or use a linear axis."
    case .noSuchName(let figure, let series, let place, let names):
      "figure '\(figure)': series '\(series)': found a point at \(place) on an axis of \(names) names, "
        + "expected a whole number from 0 to \(names - 1)."
    case .tooWide(let figure, let axis, let lowest, let highest):
      "figure '\(figure)': axis '\(axis)': found values from \(lowest) to \(highest), expected less than 1e300 between "
        + "them; leave out what is out of all proportion."
    case .tooManyPoints(let figure, let series, let found, let most):
      "figure '\(figure)': series '\(series)': found \(found) points, expected at most \(most) in this style "
        + "and order; group them first, or give a line's points in ascending order of x."
    case .missing(let program, let package):
      "cannot draw: found no \(program) on the path; install it, on Debian with: apt-get install \(package)"
    case .failed(let program, let figure, let problem):
      "figure '\(figure)': \(program) failed: \(problem); check that '\(program) --version' works."
    case .timedOut(let program, let figure, let seconds):
      "figure '\(figure)': \(program) was ended after \(seconds) seconds; try again on a machine that is less busy."
    case .noWorkingFolder(let path, let cause):
      "cannot draw: found '\(path)' not writable (\(cause)); set TMPDIR to a folder that is."
    }
  }
}
