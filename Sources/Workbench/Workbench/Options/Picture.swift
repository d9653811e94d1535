// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Pages
internal import Reporting
internal import Scenarios

/// The picture of a command's result.
enum Picture {
  /// Data to draw.
  case figure(Figure)
  /// A strategy card as SVG.
  case card(String)

  /// The bytes of an SVG or a PNG.
  ///
  /// - Throws: `FigureError` if a figure cannot be drawn, or the program that makes a PNG is missing or fails.
  func bytes(as format: ReportFormat) throws(FigureError) -> Data {
    let (name, svg): (String, String) =
      switch self {
      case .card(let svg): ("card", svg)
      case .figure(let figure): (figure.id, try FigurePicture(figure).file)
      }
    guard format == .png else { return Data(svg.utf8) }
    guard let converter = PictureConverter.find(environment: ProcessInfo.processInfo.environment) else {
      throw .noConverter
    }
    return try converter.png(of: svg, name: name)
  }
}
