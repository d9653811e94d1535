// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Pages
internal import Reporting
internal import Scenarios

/// What a command's result looks like as a picture.
enum Picture {
  /// Data, drawn by gnuplot.
  case figure(Figure)
  /// A drawing of our own, as SVG, with what it shows.
  case drawing(String, name: String)

  /// What draws it.
  enum Kind {
    case figure, drawing
  }
}

/// The programs that a command's pictures need, found before any work is done.
struct PictureStudio {
  private let gnuplot: Gnuplot?
  private let converter: PictureConverter?

  /// Looks for what is needed.
  ///
  /// - Parameters:
  ///   - kind: what the command's picture is; `nil` where it has none.
  ///   - formats: the formats it is written in.
  ///   - environment: the process's variables.
  /// - Throws: `FigureError.missing` naming the program and its package.
  init(for kind: Picture.Kind?, in formats: [ReportFormat], environment: [String: String]) throws(FigureError) {
    let needsGnuplot = kind == .figure && (formats.contains(.svg) || formats.contains(.png))
    let needsConverter = kind == .drawing && formats.contains(.png)
    gnuplot = needsGnuplot ? Gnuplot.find(environment: environment) : nil
    converter = needsConverter ? PictureConverter.find(environment: environment) : nil
    if needsGnuplot && gnuplot == nil { throw .missing(program: "gnuplot", package: Gnuplot.package) }
    if needsConverter && converter == nil {
      throw .missing(program: PictureConverter.name, package: PictureConverter.package)
    }
  }

  /// A picture in a format.
  ///
  /// - Returns: the bytes of the file; `nil` for formats that are no picture.
  /// - Throws: `FigureError` where it cannot be drawn.
  func bytes(of picture: Picture, as format: ReportFormat) throws(FigureError) -> Data? {
    switch (picture, format) {
    case (.figure(let figure), .svg): (try gnuplot?.svg(figure)).map { Data($0.utf8) }
    case (.figure(let figure), .png): try gnuplot?.png(figure)
    case (.drawing(let svg, _), .svg): Data(svg.utf8)
    case (.drawing(let svg, let name), .png): try converter?.png(of: svg, name: name)
    default: nil
    }
  }
}
