// SPDX-License-Identifier: Apache-2.0
import ContrastCore
import Foundation
import Testing

/// Numbers that others published, next to ours.
@Suite("Published colours and ratios")
struct VectorTests {
  static func fixture(_ name: String) throws -> String {
    let parts = name.split(separator: ".").map(String.init)
    let url = try #require(Bundle.module.url(forResource: "Fixtures/\(parts[0])", withExtension: parts[1]))
    return try String(contentsOf: url, encoding: .utf8)
  }

  /// The rows of a table below its remark and its heading.
  static func rows(_ name: String) throws -> [[String]] {
    try fixture(name).split(separator: "\n").dropFirst(2).map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  static func colour(_ text: String) throws -> Colour { try #require(Colour(css: text), "\(text)") }

  @Test("ratios and verdicts next to each limit are those of the definition")
  func ratios() throws {
    let rows = try Self.rows("wcag_ratio.csv")
    #expect(rows.count > 50)
    for row in rows {
      let ratio = Contrast.ratio(of: try Self.colour(row[0]), on: try Self.colour(row[1]))
      #expect(abs(ratio - (try #require(Double(row[2])))) < 1e-9, "\(row)")
      let passes = ratio >= (try #require(Double(row[3])))
      #expect(passes == (row[4] == "pass"), "\(row)")
    }
  }

  @Test("the number of colours in the whole cube that reach each level on white is that of the definition")
  func cube() {
    #expect([4.5, 3, 7].map { Contrast.count(reaching: $0, against: .white) } == [6_113_258, 9_565_671, 3_083_226])
    #expect(Contrast.count(reaching: 1, against: .black) == 1 << 24)
  }

  @Test("colours of Display P3 and LCH have the ratios that color.js gives them")
  func spaces() throws {
    let rows = try Self.fixture("contrast_colorjs.csv").split(separator: "\n").dropFirst(2)
    #expect(rows.count == 9)
    for row in rows {
      let parts = row.split(separator: ",wcag21,")[1].split(separator: ",")
      let ratio = Contrast.ratio(of: try Self.colour(String(parts[0])), on: try Self.colour(String(parts[1])))
      #expect(abs(ratio - (try #require(Double(parts[2])))) < 1e-4, "\(row)")
    }
  }

  @Test("the ratios of the W3C's test rule equal ours, truncated")
  func rule() throws {
    let rows = try Self.fixture("act_text_contrast.csv").split(separator: "\n").dropFirst(2)
    #expect(rows.count == 8)
    for row in rows {
      let cells = row.replacing("rgba(0,0,0,.3)", with: "rgba(0 0 0 / .3)").replacing("\"", with: "")
        .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      var front = try Self.colour(cells[1])
      if cells[4] == "opacity .3" { front.alpha = 0.3 }
      let published = cells[5]
      let indices = pow(10, Double(published.split(separator: ".").last?.count ?? 0))
      let ratio = Contrast.ratio(of: front, on: try Self.colour(cells[2]))
      #expect((ratio * indices).rounded(.down) / indices == Double(published), "\(cells)")
    }
  }

  @Test("compositing gives the colours of browsers, to eight bits")
  func compositing() throws {
    let rows = try Self.fixture("alpha_over.csv").split(separator: "\n").dropFirst(2)
    #expect(rows.count == 6)
    for row in rows {
      let parts = row.replacing("\"", with: "").replacing("),", with: ")|").replacing("ff,", with: "ff|")
        .split(separator: "|").map(String.init)
      let seen = try Self.colour(parts[0]).over(try Self.colour(parts[1]))
      let found = [seen.red, seen.green, seen.blue].map { ($0 * 255).rounded() } + [seen.alpha]
      #expect(found == parts[2].split(separator: " ").compactMap { Double($0) }, "\(row)")
    }
  }

  @Test("deficiencies by Machado 2009 and Brettel 1997 are those of the published programs")
  func vision() throws {
    var tried = 0
    for row in try Self.rows("cvd_vectors.csv") where !row[0].hasPrefix("vienot") {
      let numbers = row.dropFirst().compactMap(Double.init)
      let names = ["prot": ColourDeficiency.protan, "deut": .deutan, "trit": .tritan]
      let name = String(try #require(row[0].split(separator: " ").last).prefix(4))
      let model: DeficiencyModel =
        row[0].hasPrefix("brettel") ? .brettel : .machado(severity: numbers[0] / 100)
      let colour = Colour(red: numbers[1], green: numbers[2], blue: numbers[3])
      let seen = colour.simulated(try #require(names[name]), model)
      for (found, expected) in zip([seen.red, seen.green, seen.blue], numbers[4...]) {
        #expect(abs(found - expected) < 2e-6, "\(row): \(found)")
      }
      tried += 1
    }
    #expect(tried == 53)
  }

  @Test(
    "differences are those of Sharma, Wu and Dalal's table",
    arguments: [
      ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425), ([50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615),
      ([50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000), ([50, 0, 0], [50, -1, 2], 2.3669),
      ([50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792), ([50, -0.001, 2.49], [50, 0.0009, -2.49], 4.8045),
      ([50, 2.5, 0], [73, 25, -18], 27.1492), ([50, 2.5, 0], [61, -5, 29], 22.8977),
      ([50, 2.5, 0], [56, -27, -3], 31.9030), ([50, 2.5, 0], [58, 24, 15], 19.4535),
      ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
      ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ])
  func difference(one: [Double], other: [Double], expected: Double) {
    let (first, second) = (Lab(l: one[0], a: one[1], b: one[2]), Lab(l: other[0], a: other[1], b: other[2]))
    #expect(abs(first.difference(to: second) - expected) < 1e-4)
    #expect(abs(second.difference(to: first) - expected) < 1e-4)
  }

  @Test(
    "one red is the same in every space",
    arguments: [
      "#f00", "rgb(255 0 0)", "rgb(100% 0% 0%)", "hsl(0 100% 50%)", "hwb(0 0% 0%)", "color(srgb-linear 1 0 0)",
      "lab(54.29054 80.80492 69.89098)", "lch(54.29054 106.83719 40.85766)", "oklab(0.62796 0.22486 0.12585)",
      "oklch(0.62796 0.25768 29.23388)", "color(display-p3 0.917488 0.200287 0.138561)",
      "color(a98-rgb 0.858592 0 0)", "color(prophoto-rgb 0.702250 0.275720 0.103550)",
      "color(rec2020 0.791977 0.230976 0.073761)", "color(xyz 0.412391 0.212639 0.019331)",
      "color(xyz-d50 0.436066 0.222493 0.013924)", "rgba(#ff0000, 1)",
    ])
  func sameRed(text: String) throws {
    let colour = try Self.colour(text)
    for (found, expected) in zip([colour.red, colour.green, colour.blue], [1.0, 0, 0]) {
      #expect(abs(found - expected) < 2e-3, "\(found)")
    }
    #expect(colour.mapped.hex == "#ff0000")
  }

  @Test(
    "a colour that sRGB lacks keeps its lightness and hue",
    arguments: ["color(display-p3 0 1 0)", "oklch(0.7 0.4 150)"])
  func mapping(text: String) throws {
    let wide = try Self.colour(text)
    #expect(!wide.isInGamut && wide.mapped.isInGamut)
    #expect(wide.mapped.mapped == wide.mapped)
    #expect(abs(Lab(wide.mapped).l - Lab(wide).l) < 6)
  }

  @Test(
    "what is no colour is refused",
    arguments: ["", "#12", "#12345g", "rgb(1 2)", "rgb(a b c)", "blurple", "#ff00ff00ff"])
  func noColour(text: String) { #expect(Colour(css: text) == nil) }
}
