// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Testing

@testable import Pages

/// Text needs a contrast of 4.5:1, drawing 3:1 (WCAG 2.2, success criteria 1.4.3 and 1.4.11). Which colours meet is
/// read from the style sheet, so a new rule cannot slip by.
@Suite("Contrast")
struct ContrastTests {
  static let modes: [(name: String, palette: Palette)] = [("light", .light), ("dark", .dark)]

  /// The declarations of each rule of the style sheet, innermost braces only.
  static let rules: [[(property: String, value: String)]] =
    PageFile.style.matches(of: /\{([^{}]*)\}/).map { rule in
      rule.1.split(separator: ";").compactMap { declaration in
        let parts = declaration.split(separator: ":", maxSplits: 1)
        guard let property = parts.first, let value = parts.dropFirst().first else { return nil }
        return (Self.trimmed(property), Self.trimmed(value))
      }
    }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  static func roles(in value: String) -> [Palette.Role] {
    value.matches(of: /var\(--([a-z0-9-]+)\)/).compactMap { Palette.Role(rawValue: String($0.1)) }
  }

  private static func roles(_ isWanted: (String) -> Bool, in rule: [(property: String, value: String)]) -> [Palette
    .Role]
  {
    rule.filter { isWanted($0.property) }.flatMap { roles(in: $0.value) }
  }

  private static func isGround(_ property: String) -> Bool { property.hasPrefix("background") }
  private static func isText(_ property: String) -> Bool { property == "color" }

  @Test("the style sheet names the palette's colours and no others")
  func noRawColours() {
    for (property, value) in Self.rules.joined() {
      let names = value.matches(of: /var\((--[^)]*)\)/).map { String($0.1) }
      #expect(
        names.allSatisfy { name in Palette.Role.allCases.contains { $0.property == name } }, "\(property): \(value)")
      #expect(
        !value.contains(/#[0-9a-fA-F]{3}|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\(/), "\(value)")
      if Self.isText(property) || Self.isGround(property) {
        #expect(!names.isEmpty || ["none", "inherit", "currentColor"].contains(value), "\(property): \(value)")
      }
      #expect(property != "opacity" || value == "0", "text that shines through has no contrast")
    }
  }

  /// Pairs of roles, each of a property in front with a background of the same rule, or with all where it has none.
  private static func pairs(_ isFront: (String) -> Bool) -> Set<[Palette.Role]> {
    let grounds = rules.flatMap { roles(isGround, in: $0) }
    return Set(
      rules.flatMap { rule in
        let own = roles(isGround, in: rule)
        return roles(isFront, in: rule).flatMap { front in (own.isEmpty ? grounds : own).map { [front, $0] } }
      })
  }

  @Test("Scenarios/report-colours.yaml checks every pair of colours that can meet on a page")
  func pairs() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let file = root.appending(path: "Scenarios/report-colours.pairs")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    func isChecked(_ pair: [Palette.Role], as role: String = "") -> Bool {
      let ground = pair[1].rawValue
      let names = [ground] + (ground.hasSuffix("ground") ? ["*ground"] : [])
      let fronts = [pair[0].rawValue] + (Palette.series.contains(pair[0]) ? ["series-*"] : [])
      return fronts.contains { front in names.contains { lines.contains("\(front) on \($0)\(role)") } }
    }
    let texts = Self.pairs(Self.isText)
    #expect(texts.count > 20)
    // What a text colour inherits may be the page's own ink, on any ground.
    for pair in texts.union(texts.map { [.ink, $0[1]] }) {
      #expect(isChecked(pair), "\(pair)")
    }
    for ground in Set(texts.map { $0[1] }) {
      for role in Set(Self.pairs { $0.hasPrefix("outline") }.map { $0[0] }).union([.edge, .focus]) {
        #expect(isChecked([role, ground], as: " as component") || isChecked([role, ground]), "\(role) on \(ground)")
      }
    }
    for role in Palette.series + [.reference, .ink, .quiet] { #expect(isChecked([role, .surface]), "\(role)") }
  }

  @Test("the value of a heat map's cell is legible on the darkest cell", arguments: modes)
  func cells(mode: (name: String, palette: Palette)) {
    let (cell, ground) = (mode.palette[.series1], mode.palette[.surface])
    func mixed(_ channel: KeyPath<Colour, UInt8>) -> UInt32 {
      UInt32((Double(cell[keyPath: channel]) + Double(ground[keyPath: channel])) * FigureMarks.deepest)
    }
    #expect(FigureMarks.deepest == 0.5, "mixed half and half above")
    let colour = Colour(mixed(\.red) << 16 | mixed(\.green) << 8 | mixed(\.blue))
    #expect(mode.palette[.ink].contrast(with: colour) >= 4.5, "\(mode.name)")
  }

  @Test("the text of a cell is legible on every colour of a cell")
  func cells() {
    for red in stride(from: 0, through: 255, by: 15) {
      for green in stride(from: 0, through: 255, by: 5) {
        for blue in stride(from: 0, through: 255, by: 51) {
          let colour = Colour(UInt32(red << 16 | green << 8 | blue))
          #expect(CellColours.ink(on: colour).contrast(with: colour) >= 4.5, "\(colour.hexadecimal)")
        }
      }
    }
  }

  @Test("a page declares every role once for each mode, with the colours of that mode")
  func declarations() {
    for (_, palette) in Self.modes {
      for role in Palette.Role.allCases {
        #expect(palette.declarations.contains("\(role.property): \(palette[role].hexadecimal);\n"))
      }
    }
    #expect(Palette.light.declarations != Palette.dark.declarations)
    #expect(Palette.Role.series1.css == "var(--series-1, #0072b2)")
  }
}
