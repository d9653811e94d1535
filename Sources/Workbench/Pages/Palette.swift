// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// The colours of report pages and of the figures in them, for light and for dark.
///
/// A page declares each role once as a CSS property and everything else names roles, so a figure inlined in a page
/// follows its mode. Text roles reach a contrast of 4.5:1 on every background role, drawing roles 3:1 on `surface`.
struct Palette: Hashable, Sendable {
  enum Role: String, CaseIterable, Hashable, Sendable {
    case ground
    /// Behind tables, figures and texts to copy.
    case surface
    /// Behind what is pointed at, and behind table headings.
    case raised
    case holdsGround = "holds-ground"
    case failsGround = "fails-ground"
    case undecidedGround = "undecided-ground"

    case ink
    case quiet
    case link
    case holds
    case fails
    case undecided

    /// The next three carry no meaning.
    case rule
    case grid
    case shadow
    case edge
    case focus
    /// The first series of a figure, and on: told apart by dashes and shapes too, never by colour alone.
    case series1 = "series-1"
    case series2 = "series-2"
    case series3 = "series-3"
    case series4 = "series-4"
    case series5 = "series-5"
    case series6 = "series-6"
    /// A line for comparison, such as the exact value.
    case reference

    var property: String { "--\(rawValue)" }

    /// How CSS and SVG name it, with the light colour for where no page declares the property: SVG files on their own.
    var css: String { "var(\(property), \(Palette.light[self].hexadecimal))" }
  }

  /// The roles of a figure's series, in the order of use; a seventh series begins again.
  static let series: [Role] = [.series1, .series2, .series3, .series4, .series5, .series6]

  static let light = Palette { codes(of: $0).light }
  static let dark = Palette { codes(of: $0).dark }

  private static func codes(of role: Role) -> (light: UInt32, dark: UInt32) {
    switch role {
    case .ground: (0xFAF9F6, 0x14171B)
    case .surface: (0xFFFFFF, 0x1B1F25)
    case .raised: (0xF0EEE8, 0x272C34)
    case .holdsGround: (0xE6F3EA, 0x16291F)
    case .failsGround: (0xFCEAE7, 0x341C1B)
    case .undecidedGround: (0xFBF1DA, 0x2E2612)
    case .ink: (0x14181D, 0xE8EAED)
    case .quiet: (0x505A66, 0xA9B1BB)
    case .link: (0x0A4F9E, 0x8FBCFF)
    case .holds: (0x0A5F35, 0x74D6A0)
    case .fails: (0xA11A16, 0xFF9A91)
    case .undecided: (0x704600, 0xF1C453)
    case .rule: (0xDDDAD2, 0x363D47)
    case .grid: (0xE4E2DC, 0x2D333C)
    case .shadow: (0xA9ABAA, 0x000000)
    case .edge: (0x7C8590, 0x7F8995)
    case .focus: (0x0A5FC2, 0x7FB2FF)
    case .series1: (0x0072B2, 0x5AB4EA)
    case .series2: (0xC24E00, 0xFF9152)
    case .series3: (0x00805C, 0x45C79B)
    case .series4: (0xA3437C, 0xE79AC6)
    case .series5: (0x6A5ACD, 0xB3A7FF)
    case .series6: (0x8A6A00, 0xE0C341)
    case .reference: (0x505A66, 0xA9B1BB)
    }
  }

  private let colours: [Role: Colour]

  private init(_ code: (Role) -> UInt32) {
    colours = Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0, Colour(code($0))) })
  }

  subscript(role: Role) -> Colour { colours[role] ?? .ink }

  var declarations: String {
    Role.allCases.map { "\($0.property): \(self[$0].hexadecimal);\n" }.joined()
  }
}
