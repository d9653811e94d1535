// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// The colours of report pages and of the figures in them, for light and for dark.
///
/// Their values are the tokens of `Colours/report.tokens.json`, whose pairs `Scenarios/report-colours.yaml` checks. A
/// page declares each role once as a CSS property and everything else names roles, so a figure inlined in a page
/// follows its mode.
struct Palette: Hashable, Sendable {
  enum Role: String, CaseIterable, Hashable, Sendable {
    case ground
    /// The background of tables, figures and texts to copy.
    case surface
    /// The background of the element under the pointer and of table headings.
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

    /// The first of three colours without a meaning.
    case rule
    case grid
    case shadow
    case edge
    case focus
    /// The first of the series' colours; series also differ by dashes and shapes, never by colour alone.
    case series1 = "series-1"
    case series2 = "series-2"
    case series3 = "series-3"
    case series4 = "series-4"
    case series5 = "series-5"
    case series6 = "series-6"
    /// A line for comparison, such as the exact value.
    case reference

    var property: String { "--\(rawValue)" }

    /// The CSS and SVG name, with the light colour as the fallback where no page declares the property: in SVG files.
    var css: String { "var(\(property), \(Palette.light[self].hexadecimal))" }
  }

  /// The roles of a figure's series, in the order of use; a seventh series begins again.
  static let series: [Role] = [.series1, .series2, .series3, .series4, .series5, .series6]

  static let light = Palette("light")
  static let dark = Palette("dark")

  private let colours: [Role: Colour]

  /// The colours of a mode, from the tokens that are compiled into the program.
  private init(_ mode: String) {
    let text = String(decoding: PackageResources.report_tokens_json, as: UTF8.self)
    func member(_ value: JSONValue?, _ key: String) -> JSONValue? {
      guard case .object(let members) = value else { return nil }
      return members.first { $0.key == key }?.value
    }
    let contexts = ["modifiers", "mode", "contexts", mode].reduce(try? JSONValue(parsing: text), member)
    guard case .array(let sources) = contexts, let tokens = sources.first else {
      colours = [:]
      return
    }
    colours = Role.allCases.reduce(into: [:]) { colours, role in
      guard case .string(let hex) = [role.rawValue, "$value", "hex"].reduce(tokens, member),
        let code = UInt32(hex.dropFirst(), radix: 16)
      else { return }
      colours[role] = Colour(code)
    }
  }

  subscript(role: Role) -> Colour { colours[role] ?? .ink }

  var declarations: String {
    Role.allCases.map { "\($0.property): \(self[$0].hexadecimal);\n" }.joined()
  }
}
