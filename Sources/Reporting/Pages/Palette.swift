// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// The colours of report pages and of the figures in them, for light and for dark.
///
/// A page declares each role once as a CSS property and everything else names roles, so a figure inlined in a page
/// follows its mode. Text roles reach a contrast of 4.5:1 on every background role, drawing roles 3:1 on `surface`.
package struct Palette: Hashable, Sendable {
  /// What a colour is for.
  package enum Role: String, CaseIterable, Hashable, Sendable {
    /// Behind everything.
    case ground
    /// Behind tables, figures and texts to copy.
    case surface
    /// Behind what is pointed at, and behind table headings.
    case raised
    /// Behind the verdict when it holds.
    case holdsGround = "holds-ground"
    /// Behind the verdict when it fails.
    case failsGround = "fails-ground"
    /// Behind the verdict when it is undecided or the run is not complete.
    case undecidedGround = "undecided-ground"

    /// Text, axes and ticks.
    case ink
    /// Text of lesser weight.
    case quiet
    /// Links.
    case link
    /// The word and sign of what holds.
    case holds
    /// The word and sign of what fails.
    case fails
    /// The word and sign of what is undecided or not complete.
    case undecided

    /// Lines that part; they carry no meaning.
    case rule
    /// Lines of a figure's grid; they carry no meaning.
    case grid
    /// The shadow of what lies above the page; it carries no meaning.
    case shadow
    /// The edge of what can be pressed.
    case edge
    /// The ring around what has the keyboard.
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

    /// The CSS property that holds it: `--series-1`.
    package var property: String { "--\(rawValue)" }

    /// How CSS and SVG name it, with the light colour for where no page declares the property: SVG files on their own.
    package var css: String { "var(\(property), \(Palette.light[self].hexadecimal))" }
  }

  /// The roles of a figure's series, in the order of use; a seventh series begins again.
  package static let series: [Role] = [.series1, .series2, .series3, .series4, .series5, .series6]

  /// For light pages, and for print.
  package static let light = Palette { role in
    switch role {
    case .ground: 0xFAF9F6
    case .surface: 0xFFFFFF
    case .raised: 0xF0EEE8
    case .holdsGround: 0xE6F3EA
    case .failsGround: 0xFCEAE7
    case .undecidedGround: 0xFBF1DA
    case .ink: 0x14181D
    case .quiet: 0x505A66
    case .link: 0x0A4F9E
    case .holds: 0x0A5F35
    case .fails: 0xA11A16
    case .undecided: 0x704600
    case .rule: 0xDDDAD2
    case .grid: 0xE4E2DC
    case .shadow: 0xA9ABAA
    case .edge: 0x7C8590
    case .focus: 0x0A5FC2
    case .series1: 0x0072B2
    case .series2: 0xC24E00
    case .series3: 0x00805C
    case .series4: 0xA3437C
    case .series5: 0x6A5ACD
    case .series6: 0x8A6A00
    case .reference: 0x505A66
    }
  }

  /// For dark pages.
  package static let dark = Palette { role in
    switch role {
    case .ground: 0x14171B
    case .surface: 0x1B1F25
    case .raised: 0x272C34
    case .holdsGround: 0x16291F
    case .failsGround: 0x341C1B
    case .undecidedGround: 0x2E2612
    case .ink: 0xE8EAED
    case .quiet: 0xA9B1BB
    case .link: 0x8FBCFF
    case .holds: 0x74D6A0
    case .fails: 0xFF9A91
    case .undecided: 0xF1C453
    case .rule: 0x363D47
    case .grid: 0x2D333C
    case .shadow: 0x000000
    case .edge: 0x7F8995
    case .focus: 0x7FB2FF
    case .series1: 0x5AB4EA
    case .series2: 0xFF9152
    case .series3: 0x45C79B
    case .series4: 0xE79AC6
    case .series5: 0xB3A7FF
    case .series6: 0xE0C341
    case .reference: 0xA9B1BB
    }
  }

  private let colours: [Role: Colour]

  private init(_ code: (Role) -> UInt32) {
    colours = Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0, Colour(code($0))) })
  }

  /// The colour of a role.
  package subscript(role: Role) -> Colour { colours[role] ?? .ink }

  /// The palette as declarations of CSS properties, one a line.
  package var declarations: String {
    Role.allCases.map { "\($0.property): \(self[$0].hexadecimal);\n" }.joined()
  }
}
