// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
internal import Reporting

/// A program that makes PNG pictures of SVG ones: librsvg's `rsvg-convert`.
package struct PictureConverter: Hashable, Sendable {
  package static let name = "rsvg-convert"
  package static let package = "librsvg2-bin"

  /// For example `rsvg-convert version 2.54.7`.
  package let version: String
  private let environment: [String: String]

  /// The first bytes of every PNG file (PNG specification, section 5.2).
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  package static func find(environment: [String: String]) -> PictureConverter? {
    // No other variable of the user may change a picture.
    let environment = ["PATH": environment["PATH", default: ""], "LC_ALL": "C.UTF-8"]
    return InstalledProgram.output(of: name, ["--version"], environment: environment).map { version in
      PictureConverter(version: version.trimmingCharacters(in: .whitespacesAndNewlines), environment: environment)
    }
  }

  /// A PNG of the picture, with two pixels for a unit of the SVG; `name` is its name in errors.
  package func png(of svg: String, name: String) throws(FigureError) -> Data {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("assay-\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      try Data(svg.utf8).write(to: file)
    } catch {
      throw .noWorkingFolder(path: folder.path, cause: error.localizedDescription)
    }
    let arguments = ["--format", "png", "--zoom", "2", file.path]
    let run = InstalledProgram.run(Self.name, arguments, environment: environment)
    guard let run, run.status == 0, run.output.starts(with: Self.signature) else {
      let problem = run?.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      throw .failed(figure: name, problem: problem ?? "it ended with status \(run?.status ?? -1)")
    }
    return run.output
  }
}

/// The reason why there is no picture, and how to get one.
package enum FigureError: InputError, Hashable {
  case nothingToDraw(figure: String)
  case noSuchPlace(figure: String, series: String, axis: String, value: Double, expected: String)
  case tooManyPoints(figure: String, series: String, found: Int, maximum: Int)
  case noConverter
  case failed(figure: String, problem: String)
  case noWorkingFolder(path: String, cause: String)
}

extension FigureError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingToDraw(let figure):
      "figure '\(figure)': found no point with finite values, expected at least one; show a sentence instead."
    case .noSuchPlace(let figure, let series, let axis, let value, let expected):
      "figure '\(figure)': series '\(series)': found \(value) on the axis '\(axis)', expected \(expected)."
    case .tooManyPoints(let figure, let series, let found, let maximum):
      "figure '\(figure)': series '\(series)': found \(found) points, expected at most \(maximum) in this style "
        + "and order; group them first, or give a line's points in ascending order of x."
    case .noConverter:
      "cannot make a PNG: found no \(PictureConverter.name) on the path; write an SVG, or install it, on Debian with: "
        + "apt-get install \(PictureConverter.package)"
    case .failed(let figure, let problem):
      "figure '\(figure)': \(PictureConverter.name) failed: \(problem); check that "
        + "'\(PictureConverter.name) --version' "
        + "works."
    case .noWorkingFolder(let path, let cause):
      "cannot draw: found '\(path)' not writable (\(cause)); set TMPDIR to a folder that is."
    }
  }
}
