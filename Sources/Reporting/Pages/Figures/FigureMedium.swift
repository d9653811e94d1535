// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// How a drawing names its colours: a picture has the light ones, an SVG has codes that stand for roles.
enum FigureMedium: Hashable {
  case svg
  /// Pixels, so many for a unit of the SVG.
  case png(scale: Int)

  /// The colour as gnuplot reads it, `#rrggbb`.
  func colour(_ role: Palette.Role) -> String {
    switch self {
    case .svg: Colour(UInt32(Self.number(of: role))).hexadecimal
    case .png: Palette.light[role].hexadecimal
    }
  }

  /// How large a usual point is in gnuplot's measure, which is larger in SVG.
  var pointSize: Double { self == .svg ? 0.65 : 1 }

  /// The role that a colour of the SVG stands for: `rgb(  0,   0,   7)` and `rgb(0,0,7)` alike.
  static func role(ofCode code: String) -> Palette.Role? {
    let channels = code.split { !$0.isNumber }.compactMap { Int($0) }
    guard code.hasPrefix("rgb("), channels.count == 3, channels[0] == 0, channels[1] == 0 else { return nil }
    return Palette.Role.allCases.first { number(of: $0) == channels[2] }
  }

  private static func number(of role: Palette.Role) -> Int {
    (Palette.Role.allCases.firstIndex(of: role) ?? 0) + 1
  }
}
