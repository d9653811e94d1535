// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
package import Scenarios

/// The program that draws figures; where it is not installed, pages show tables instead.
///
/// Equal figures are equal bytes with one version of it. It runs without a shell, without the person's own settings,
/// and no text of a figure can become a command (see `FigureScript`).
package struct Gnuplot: Hashable, Sendable {
  /// The program's version, for example `gnuplot 5.4 patchlevel 4`.
  package let version: String
  private let program: ExternalProgram

  /// The package that has it, in Debian's names.
  package static let package = "gnuplot-nox"

  /// Looks for gnuplot on the path.
  ///
  /// - Parameters:
  ///   - environment: the process's variables, of which `PATH` is looked at.
  ///   - patience: the longest a drawing may take, in seconds.
  /// - Returns: `nil` where there is none, or one that cannot say its version.
  package static func find(environment: [String: String], patience: Double = 30) -> Gnuplot? {
    guard
      let program = ExternalProgram.find("gnuplot", environment: environment, patience: patience),
      let outcome = try? program.run(["--version"], input: Data(), figure: "version"), outcome.status == 0
    else { return nil }
    let version = String(decoding: outcome.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return version.hasPrefix("gnuplot ") ? Gnuplot(version: version, program: program) : nil
  }

  /// Draws a figure as SVG that stands alone as a file and can be inlined in a page.
  ///
  /// As a file it follows the reader's preference for light or dark; inlined it follows the page's `Palette`
  /// properties. Its ids begin with the figure's, so that several may stand on one page.
  ///
  /// - Parameters:
  ///   - figure: what to draw; see `FigureScript` for what is left out and what is refused.
  ///   - heading: whether the figure's title is drawn; pages that have it in a caption do without.
  /// - Returns: an `svg` element, with a line end behind it.
  /// - Throws: `FigureError`.
  package func svg(_ figure: Figure, heading: Bool = true) throws(FigureError) -> String {
    let script = try FigureScript(figure, heading: heading)
    let drawn = try draw(script.text(for: .svg), figure.id)
    return try FigurePicture(figure: figure, script: script, drawn: String(decoding: drawn, as: UTF8.self)).text
  }

  /// Draws a figure as a PNG picture in the light colours.
  ///
  /// - Parameters:
  ///   - figure: what to draw.
  ///   - scale: how many pixels a unit of the SVG has, 1 to 4.
  /// - Returns: the bytes of the file.
  /// - Throws: `FigureError`.
  package func png(_ figure: Figure, scale: Int = 2) throws(FigureError) -> Data {
    try draw(FigureScript(figure).text(for: .png(scale: min(max(scale, 1), 4))), figure.id)
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
