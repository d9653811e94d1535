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
}

/// The programs that a command's pictures need, found before any work is done.
struct PictureStudio {
  private let gnuplot: Gnuplot?
  private let converter: PictureConverter?

  init(environment: [String: String]) {
    (gnuplot, converter) = (Gnuplot.find(environment: environment), PictureConverter.find(environment: environment))
  }

  /// The picture's bytes; `nil` for a format that is not of pictures.
  ///
  /// - Throws: `FigureError` where the program that draws is missing or fails.
  func bytes(of picture: Picture, as format: ReportFormat) throws(FigureError) -> Data? {
    switch (picture, format) {
    case (.figure(let figure), .svg): Data(try drawing().svg(figure).utf8)
    case (.figure(let figure), .png): try drawing().png(figure)
    case (.card(let svg), .svg): Data(svg.utf8)
    case (.card(let svg), .png): try converting().png(of: svg, name: "card")
    default: nil
    }
  }

  private func drawing() throws(FigureError) -> Gnuplot {
    guard let gnuplot else { throw .missing(program: "gnuplot", package: Gnuplot.package) }
    return gnuplot
  }

  private func converting() throws(FigureError) -> PictureConverter {
    guard let converter else {
      throw .missing(program: PictureConverter.name, package: PictureConverter.package)
    }
    return converter
  }
}
