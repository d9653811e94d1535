// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What a colour of a timeline's picture means, for light and for dark. Nothing is told by colour alone: bands have
/// names where there is room, and marks have shapes.
enum TimelinePaint: String, CaseIterable {
  case fault, opening, open, served
  case disconnected, connecting, connected, waiting, suspended, closed
  case sent, heard, wrong
  case ground, ink, quiet, rule

  /// On white paper.
  var light: Colour {
    switch self {
    case .fault, .wrong: Colour(0xA11A16)
    case .opening, .connecting: Colour(0x8A6A00)
    case .open, .connected: Colour(0x00805C)
    case .served, .heard: Colour(0x0072B2)
    case .waiting, .sent: Colour(0x6A5ACD)
    case .suspended: Colour(0xC24E00)
    case .disconnected, .closed, .quiet: Colour(0x505A66)
    case .ground: Colour(0xFFFFFF)
    case .ink: Colour(0x14181D)
    case .rule: Colour(0xDDDAD2)
    }
  }

  /// On a dark page.
  var dark: Colour {
    switch self {
    case .fault, .wrong: Colour(0xFF9A91)
    case .opening, .connecting: Colour(0xE0C341)
    case .open, .connected: Colour(0x45C79B)
    case .served, .heard: Colour(0x5AB4EA)
    case .waiting, .sent: Colour(0xB3A7FF)
    case .suspended: Colour(0xFF9152)
    case .disconnected, .closed, .quiet: Colour(0xA9B1BB)
    case .ground: Colour(0x1B1F25)
    case .ink: Colour(0xE8EAED)
    case .rule: Colour(0x363D47)
    }
  }

  /// The rules that give every paint its colour, the reader's preference for dark honoured.
  static var rules: String {
    let rules: (KeyPath<TimelinePaint, Colour>) -> String = { colour in
      allCases.map { paint in
        let code = paint[keyPath: colour].hexadecimal
        return ".timeline .\(paint.rawValue){fill:\(code)}.timeline .\(paint.rawValue)-edge{stroke:\(code)}"
      }.joined()
    }
    return rules(\.light) + "\n@media (prefers-color-scheme:dark){" + rules(\.dark) + "}"
  }
}
