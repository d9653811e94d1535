// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Pages
internal import Reporting
internal import Scenarios

/// What a command's result looks like as a picture.
enum Picture {
  /// Data, drawn by gnuplot.
  case figure(Figure)
  /// A strategy card as SVG.
  case card(String)

  /// The bytes of an SVG or a PNG.
  ///
  /// - Throws: `FigureError` where the program that draws is missing or fails.
  func bytes(as format: ReportFormat) throws(FigureError) -> Data {
    let environment = ProcessInfo.processInfo.environment
    switch (self, format) {
    case (.card(let svg), .png):
      guard let converter = PictureConverter.find(environment: environment) else {
        throw .missing(program: PictureConverter.name, package: PictureConverter.package)
      }
      return try converter.png(of: svg, name: "card")
    case (.card(let svg), _): return Data(svg.utf8)
    case (.figure(let figure), _):
      guard let gnuplot = Gnuplot.find(environment: environment) else {
        throw .missing(program: "gnuplot", package: Gnuplot.package)
      }
      return try format == .png ? gnuplot.png(figure) : Data(gnuplot.svg(figure).utf8)
    }
  }
}
