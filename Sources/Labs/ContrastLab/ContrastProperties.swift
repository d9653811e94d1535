// SPDX-License-Identifier: GPL-3.0-or-later
internal import ContrastCore
internal import Foundation
public import PropertyTesting

/// An opaque colour of eight bits a channel.
struct Bytes: Hashable, Sendable, CustomStringConvertible {
  let red, green, blue: Int

  static func any() -> Gen<Bytes> {
    zip(.integers(in: 0...255), .integers(in: 0...255), .integers(in: 0...255)).map {
      Bytes(red: $0, green: $1, blue: $2)
    }
  }

  static func grey(_ range: ClosedRange<Int>) -> Gen<Bytes> {
    Gen<Int>.integers(in: range).map { Bytes(red: $0, green: $0, blue: $0) }
  }

  var colour: ContrastCore.Colour { ContrastCore.Colour(bytes: UInt8(red), UInt8(green), UInt8(blue)) }
  var description: String { colour.hex }
}

/// The operations that the properties check: those of the core, one of which a mutant replaces.
struct ContrastOperations: Sendable {
  typealias Colour = ContrastCore.Colour

  var luminance: @Sendable (Colour) -> Double = { Contrast.luminance(of: $0) }
  var ratio: @Sendable (Double, Double) -> Double = { Contrast.ratio($0, $1) }
  var over: @Sendable (Colour, Colour) -> Colour = { $0.over($1) }
  /// True if a pair of tokens passes as text.
  var passes: @Sendable (Colour, Colour, ContrastLevel) throws -> Bool = { front, back, level in
    let text = """
      {"$type": "color", "text": {"$value": \(front.tokenValue())}, "bg": {"$value": \(back.tokenValue())}}
      """
    let themes = try TokenSet.themes(of: text, file: "tokens")
    return ContrastCheck(themes, pairs: .proposed(for: themes), level: level).findings.allSatisfy(\.passes)
  }
  var fix: @Sendable (Colour, ContrastDemand) -> Colour? = { $0.nearest(meeting: [$1]) }
  var written: @Sendable (Colour) -> String = { $0.tokenValue() }
  var simulated: @Sendable (Colour, ColourDeficiency, DeficiencyModel) -> Colour = { $0.simulated($1, $2) }

  static let shipping = ContrastOperations()
}

/// Properties of the contrast core's ratios, compositing, deficiencies, fixing and writing.
public enum ContrastProperties {
  public static let catalogue = PropertyCatalogue(
    core: "ContrastCore", production: .shipping, properties: all(of:), mutants: Mutation.contrast)

  static func all(of code: ContrastOperations) -> [Property] { ratios(of: code) + colours(of: code) }

  private static let levels: [(level: ContrastLevel, minimum: Double)] = [(.aa, 4.5), (.aaa, 7)]

  static func ratios(of code: ContrastOperations) -> [Property] {
    let luminances = Gen<Int>.integers(in: 0...1000)
    return [
      Property(
        "contrast.1", "The contrast of two luminances does not depend on their order",
        reference: "WCAG 2.2, contrast ratio: the lighter over the darker", arguments: ["one", "other"], luminances,
        luminances
      ) { one, other in
        let (there, back) = (
          code.ratio(Double(one) / 1000, Double(other) / 1000), code.ratio(Double(other) / 1000, Double(one) / 1000)
        )
        try require(there == back, "\(there) and \(back)")
      },
      Property(
        "contrast.2", "A contrast lies from 1, of a luminance with itself, to 21, of white with black",
        reference: "WCAG 2.2, contrast ratio, note 1", arguments: ["one", "other"], luminances, luminances
      ) { one, other in
        let ratio = code.ratio(Double(one) / 1000, Double(other) / 1000)
        try require((1...21.000_000_1).contains(ratio), "\(ratio)")
        try require((one == other) == (ratio == 1), "\(ratio)")
      },
      Property(
        "contrast.3", "A colour farther from a darker one in luminance has more contrast with it",
        reference: "a quotient grows with its numerator", arguments: ["luminances"],
        .distinctArrays(of: luminances, count: 3...3)
      ) { luminances in
        let sorted = luminances.sorted().map { Double($0) / 1000 }
        let (near, far) = (code.ratio(sorted[0], sorted[1]), code.ratio(sorted[0], sorted[2]))
        try require(far > near, "\(far) is not greater than \(near)")
      },
      Property(
        "contrast.4", "The luminance of a grey is its linear light by IEC 61966-2-1",
        reference: "WCAG 2.2, relative luminance, since May 2021 with 0.04045", arguments: ["grey, in 100,000ths"],
        .oneOf(.integers(in: 0...100_000), .integers(in: 3_900...4_100))
      ) { part in
        let value = Double(part) / 100_000
        cover("between the old threshold and the new one", (3_929...4_045).contains(part), atLeast: 0.1)
        let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        let found = code.luminance(ContrastCore.Colour(red: value, green: value, blue: value))
        try require(abs(found - light) < 1e-12, "\(found), not \(light)")
      },
      Property(
        "contrast.5", "Text passes if its contrast reaches the required one, without rounding up",
        reference: "WCAG 2.2, understanding 1.4.3: 4.499 does not pass", arguments: ["text", "background", "level"],
        .oneOf(Bytes.any(), Bytes.grey(84...150)), .oneOf(Bytes.any(), Bytes.grey(250...255)), .integers(in: 0...1)
      ) { text, background, index in
        let level = levels[index]
        let light = [text, background].map { Contrast.luminance(of: $0.colour) }.sorted()
        let ratio = (light[1] + 0.05) / (light[0] + 0.05)
        cover("close below", (level.minimum - 0.1..<level.minimum).contains(ratio), atLeast: 0.002)
        let passes = try code.passes(text.colour, background.colour, level.level)
        try require(passes == (ratio >= level.minimum), "\(ratio) \(passes ? "passes" : "fails")")
      },
    ]
  }

  /// The colours that a person with a deficiency sees unchanged, in linear light: the hues of 575 and 475 nm, and for
  /// tritan those of 660 and 485 nm, each with any amount of white.
  private static let anchors: [ColourDeficiency: [[Double]]] = [
    .protan: [[1, 0.7111, 0], [0, 0.2643, 1]], .deutan: [[1, 0.7111, 0], [0, 0.2643, 1]],
    .tritan: [[1, 0, 0.0857], [0, 0.6665, 1]],
  ]

  static func colours(of code: ContrastOperations) -> [Property] {
    [
      Property(
        "contrast.6", "An opacity is the share of the way from the colour below to the colour above, in each channel",
        reference: "W3C Compositing 1, section 9, in encoded sRGB as browsers do",
        arguments: ["top", "below", "tenths"],
        Bytes.any(), Bytes.any(), .integers(in: 0...10)
      ) { top, below, tenths in
        cover("nothing of it", tenths == 0, atLeast: 0.02)
        cover("all of it", tenths == 10, atLeast: 0.02)
        var colour = top.colour
        colour.alpha = Double(tenths) / 10
        let seen = code.over(colour, below.colour)
        for (channel, parts) in [
          (seen.red, (top.red, below.red)), (seen.green, (top.green, below.green)), (seen.blue, (top.blue, below.blue)),
        ] {
          let expected = Double(parts.0 * tenths + parts.1 * (10 - tenths)) / 2550
          try require(abs(channel - expected) < 1e-9, "\(channel * 255), not \(expected * 255)")
        }
      },
      Property(
        "contrast.7", "The anchor hues of a deficiency are seen unchanged",
        reference: "Brettel, Vienot and Mollon 1997: 475 and 575 nm, 485 and 660 nm, and neutral",
        arguments: ["deficiency", "anchor", "strength", "white"], Gen<ColourDeficiency>.cases(), .integers(in: 0...1),
        .integers(in: 0...80), .integers(in: 5...20)
      ) { deficiency, anchor, strength, white in
        let light = anchors[deficiency].map { $0[anchor] } ?? []
        let colour = ContrastCore.Colour(.srgbLinear, light.map { (Double(white) + Double(strength) * $0) / 100 })
        let seen = code.simulated(colour, deficiency, .brettel)
        let error = [seen.red - colour.red, seen.green - colour.green, seen.blue - colour.blue].map(abs).max() ?? 0
        try require(error < 0.004, "\(colour.hex) is seen as \(seen.hex)")
      },
      Property(
        "contrast.8", "A deficiency of no severity changes nothing", reference: "Machado, Oliveira and Fernandes 2009",
        arguments: ["colour", "deficiency"], Bytes.any(), Gen<ColourDeficiency>.cases()
      ) { bytes, deficiency in
        let seen = code.simulated(bytes.colour, deficiency, .machado(severity: 0))
        try require(seen.hex == bytes.colour.hex, "\(bytes) is seen as \(seen.hex)")
      },
      Property(
        "contrast.9", "A fixed colour passes, and no colour of a grid that passes is noticeably nearer",
        reference: "every 17th value of each channel, by 0.6 of CIEDE2000, 1 being just noticeable",
        arguments: ["colour", "background", "level"],
        Bytes.any(), Bytes.any(), .integers(in: 0...1)
      ) { colour, background, index in
        let minimum = levels[index].minimum
        let ground = Contrast.luminance(of: background.colour)
        func passes(_ one: ContrastCore.Colour) -> Bool {
          Contrast.ratio(Contrast.luminance(of: one), ground) >= minimum
        }
        var nearest = Double.infinity
        for red in stride(from: UInt8(0), through: 255, by: 17) {
          for green in stride(from: UInt8(0), through: 255, by: 17) {
            for blue in stride(from: UInt8(0), through: 255, by: 17) {
              let one = ContrastCore.Colour(bytes: red, green, blue)
              if passes(one) { nearest = min(nearest, one.difference(to: colour.colour)) }
            }
          }
        }
        guard let fixed = code.fix(colour.colour, ContrastDemand(minimum, against: background.colour)) else {
          return try require(nearest == .infinity, "no colour is found, but one passes at a difference of \(nearest)")
        }
        try require(passes(fixed), "\(fixed.hex) does not pass")
        let difference = fixed.difference(to: colour.colour)
        try require(difference <= nearest + 0.6, "\(fixed.hex) at \(difference), but one passes at \(nearest)")
      },
      Property(
        "contrast.10", "A colour written as a token is read back exactly", reference: "shortest decimals",
        arguments: ["colour", "opacity in percent"], Bytes.any(), .integers(in: 0...100)
      ) { bytes, percent in
        var colour = bytes.colour
        colour.alpha = Double(percent) / 100
        let text = "{\"a\": {\"$type\": \"color\", \"$value\": \(code.written(colour))}}"
        let tokens = try TokenSet.themes(of: text, file: "tokens").flatMap(\.tokens)
        try require(tokens.map(\.colour) == [colour], "\(tokens.map(\.colour.hex))")
        try require(tokens.allSatisfy(\.warnings.isEmpty), "\(tokens.flatMap(\.warnings))")
      },
    ]
  }
}

/// Mutants: the contrast core with one operation replaced by a wrong one.
extension Mutation where Operations == ContrastOperations {
  private static func linear(_ colour: ContrastCore.Colour) -> [Double] {
    [colour.red, colour.green, colour.blue].map(ContrastCore.Colour.decoded)
  }

  private static func luminance(_ curve: @escaping @Sendable (Double) -> Double)
    -> @Sendable (
      ContrastCore.Colour
    ) -> Double
  {
    { 0.2126 * curve($0.red) + 0.7152 * curve($0.green) + 0.0722 * curve($0.blue) }
  }

  static let contrast: [Self] = [
    Mutation(
      "first-over-second", "the first luminance is divided by the second, whichever is lighter", caughtBy: "contrast.1",
      within: 20, smallest: ["0", "1"]
    ) { $0.ratio = { ($0 + 0.05) / ($1 + 0.05) } },
    Mutation(
      "no-flare", "luminances are divided without the light that a screen reflects", caughtBy: "contrast.2", within: 50,
      smallest: ["0", "3"]
    ) { $0.ratio = { (max($0, $1) + 0.000_1) / (min($0, $1) + 0.000_1) } },
    Mutation(
      "cut-off", "beyond 10 the contrast is cut off", caughtBy: "contrast.3", within: 500,
      smallest: ["[0, 450, 451]"]
    ) { $0.ratio = { min(10, Contrast.ratio($0, $1)) } },
    Mutation(
      "old-threshold", "the curve has the threshold 0.03928 used until May 2021", caughtBy: "contrast.4", within: 100,
      smallest: ["3929"]
    ) { $0.luminance = luminance { $0 <= 0.03928 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) } },
    Mutation("no-gamma", "encoded channels are taken for light", caughtBy: "contrast.4", within: 20, smallest: ["1"]) {
      $0.luminance = luminance { $0 }
    },
    Mutation("rounded-up", "4.48 is shown as 4.5 and passes", caughtBy: "contrast.5", within: 2000) { code in
      code.passes = { front, back, level in
        (Contrast.ratio(of: front, on: back) * 10).rounded() / 10 >= ContrastRole.text.minimum(for: level)
      }
    },
    Mutation(
      "alpha-in-light", "opacities mix linear light", caughtBy: "contrast.6", within: 50,
      smallest: ["#000000", "#00000b", "1"]
    ) { code in
      code.over = { top, below in
        let light = zip(linear(top), linear(below)).map { $0 * top.alpha + $1 * (1 - top.alpha) }
        return ContrastCore.Colour(.srgbLinear, light)
      }
    },
    Mutation(
      "vienot-for-tritan", "tritan is seen by Viénot's single plane of 1999", caughtBy: "contrast.7", within: 100,
      smallest: [".tritan", "0", "3", "5"]
    ) { code in
      code.simulated = { colour, deficiency, model in
        guard deficiency == .tritan, model == .brettel else { return colour.simulated(deficiency, model) }
        let light = linear(colour)
        let mixed = 0.85924 * light[1] + 0.14076 * light[2]
        return ContrastCore.Colour(.srgbLinear, [light[0] + 0.14461 * (light[1] - light[2]), mixed, mixed])
      }
    },
    Mutation("severity-ignored", "a deficiency is complete at any severity", caughtBy: "contrast.8", within: 50) {
      $0.simulated = { colour, deficiency, model in
        colour.simulated(deficiency, model == .brettel ? model : .machado(severity: 1))
      }
    },
    Mutation("fixed-to-ink", "fixing only tries black and white", caughtBy: "contrast.9", within: 50) {
      $0.fix = { _, demand in [ContrastCore.Colour.black, .white].first { $0.nearest(meeting: [demand]) == $0 } }
    },
    Mutation("three-decimals", "components are written with three decimals", caughtBy: "contrast.10", within: 20) {
      $0.written = { colour in
        func cut(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        return ContrastCore.Colour(
          red: cut(colour.red), green: cut(colour.green), blue: cut(colour.blue), alpha: colour.alpha
        ).tokenValue()
      }
    },
  ]
}
