// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation

/// A program that makes PNG pictures of SVG ones: librsvg's `rsvg-convert`.
///
/// Figures need none, for gnuplot draws them as PNG itself; strategy cards do.
package struct PictureConverter: Hashable, Sendable {
  /// The program's version, for example `rsvg-convert version 2.54.7`.
  package let version: String
  private let program: ExternalProgram

  /// The program's name.
  package static let name = "rsvg-convert"
  /// The package that has it, in Debian's names.
  package static let package = "librsvg2-bin"

  /// Looks for a converter on the path.
  ///
  /// - Parameters:
  ///   - environment: the process's variables, of which `PATH` is looked at.
  ///   - patience: the longest a conversion may take, in seconds.
  /// - Returns: `nil` where there is none, or one that cannot say its version.
  package static func find(environment: [String: String], patience: Double = 30) -> PictureConverter? {
    guard
      let program = ExternalProgram.find(name, environment: environment, patience: patience),
      let outcome = try? program.run(["--version"], input: Data(), figure: "version"), outcome.status == 0
    else { return nil }
    let version = String(decoding: outcome.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return PictureConverter(version: version, program: program)
  }

  /// Makes a PNG picture of an SVG one.
  ///
  /// - Parameters:
  ///   - svg: a whole SVG document.
  ///   - name: what it shows, for errors.
  ///   - scale: how many pixels a unit of the SVG has, 1 to 4.
  /// - Returns: the bytes of the file.
  /// - Throws: `FigureError`.
  package func png(of svg: String, name: String, scale: Int = 2) throws(FigureError) -> Data {
    let outcome = try program.run(
      ["--format", "png", "--zoom", "\(min(max(scale, 1), 4))"], input: Data(svg.utf8), figure: name)
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
