// SPDX-License-Identifier: Apache-2.0
import ContrastCore
import Testing

/// Small files after public reports about tools for design tokens (issue 50); the data are invented.
@Suite("Files of others")
struct OthersFilesTests {
  private static let base =
    ##"{"ink": {"$type": "color", "$value": "#000"}, "page": {"$type": "color", "$value": "#fff"}}"##
  private static let dark = ##"{"page": {"$type": "color", "$value": "#1a1a1a"}}"##
  private static let files = ["base.json": base, "dark.json": dark]

  private static func check(
    _ text: String, _ pairs: String = "ink on page", files: [String: String] = files, contexts: [String: String] = [:]
  ) throws -> ContrastCheck {
    let themes = try TokenSet.themes(of: text, file: "x.json", contexts: contexts) { files[$0] }
    return ContrastCheck(themes, pairs: try ContrastPairs(pairs, file: "x.pairs"))
  }

  /// The ratios with two decimals, rounded down, each behind its theme.
  private static func ratios(_ check: ContrastCheck) -> [String] {
    check.problems.map(\.description)
      + check.findings.map {
        let hundredths = Int($0.ratio * 100)
        return ($0.theme.isEmpty ? "" : "\($0.theme) ")
          + "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
      }
  }

  @Test(
    "resolver files are read in all forms of the module",
    arguments: [
      // Sets and modifiers in place.
      (
        """
        [{"type": "set", "name": "base", "sources": [{"$ref": "base.json"}]},
         {"type": "modifier", "name": "theme", "default": "light",
          "contexts": {"light": [], "dark": [{"$ref": "dark.json"}]}}]
        """, "{}", "{}", ["light 21.00", "dark 1.20"]
      ),
      // A context that names a set, and a set that names another.
      (
        ##"[{"$ref": "#/sets/all"}, {"$ref": "#/modifiers/theme"}]"##,
        ##"""
        {"base": {"sources": [{"$ref": "base.json"}]}, "all": {"sources": [{"$ref": "#/sets/base"}]},
         "night": {"sources": [{"$ref": "dark.json"}]}}
        """##, ##"{"theme": {"contexts": {"light": [], "dark": [{"$ref": "#/sets/night"}]}}}"##,
        ["light 21.00", "dark 1.20"]
      ),
      // Members beside a reference take the place of those of its file.
      (
        ##"[{"$ref": "#/sets/base"}]"##,
        ##"{"base": {"sources": [{"$ref": "base.json", "page": {"$type": "color", "$value": "#1a1a1a"}}]}}"##, "{}",
        ["1.20"]
      ),
      // Each file's root type holds for its own tokens.
      (
        ##"[{"$ref": "#/sets/all"}]"##, ##"{"all": {"sources": [{"$ref": "colour.json"}, {"$ref": "space.json"}]}}"##,
        "{}", ["4.47"]
      ),
      (
        ##"[{"$ref": "#/sets/all"}]"##, ##"{"all": {"sources": [{"$ref": "space.json"}, {"$ref": "colour.json"}]}}"##,
        "{}", ["4.47"]
      ),
      // A part of a file.
      (##"[{"$ref": "#/sets/all"}]"##, ##"{"all": {"sources": [{"$ref": "parts.json#/a"}]}}"##, "{}", ["21.00"]),
    ])
  func resolvers(order: String, sets: String, modifiers: String, expected: [String]) throws {
    let text = """
      {"version": "2025.10", "sets": \(sets), "modifiers": \(modifiers), "resolutionOrder": \(order)}
      """
    let files = Self.files.merging([
      "colour.json": ##"{"$type": "color", "ink": {"$value": "#777777"}, "page": {"$value": "#ffffff"}}"##,
      "space.json": ##"{"$type": "dimension", "gap": {"$value": {"value": 1, "unit": "rem"}}}"##,
      "parts.json": "{\"a\": \(Self.base)}",
    ]) { $1 }
    #expect(Self.ratios(try Self.check(text, files: files)) == expected)
  }

  private static func modifiers(_ count: Int, _ on: String) -> String {
    let names = (0..<count).map { "m\($0)" }
    let modifiers = names.map { #""\#($0)": {"default": "off", "contexts": {"off": [], "on": [\#(on)]}}"# }
    let order = names.map { ##"{"$ref": "#/modifiers/\##($0)"}"## }
    return ##"""
      {"version": "2025.10", "sets": {"base": {"sources": [{"$ref": "base.json"}]}},
       "modifiers": {\##(modifiers.joined(separator: ", "))},
       "resolutionOrder": [{"$ref": "#/sets/base"}, \##(order.joined(separator: ", "))]}
      """##
  }

  @Test("modifiers without colours do not multiply the themes; the others are counted before they are combined")
  func manyModifiers() throws {
    #expect(Self.ratios(try Self.check(Self.modifiers(10, ""))) == ["21.00"])
    let space = ##"{"gap": {"$type": "dimension", "$value": {"value": 1, "unit": "rem"}}}"##
    #expect(Self.ratios(try Self.check(Self.modifiers(10, space))) == ["21.00"])
    let many = Self.modifiers(40, ##"{"$ref": "dark.json"}"##)
    let error = #expect(throws: ContrastError.self) { try Self.check(many) }
    #expect(error?.description.contains("1099511627776 themes, expected at most 1000; choose contexts") == true)
    let chosen = Dictionary(uniqueKeysWithValues: (1..<40).map { ("m\($0)", "off") })
    let ratios = Self.ratios(try Self.check(many, contexts: chosen))
    #expect(ratios.count == 2 && ratios[0].hasSuffix(" 21.00") && ratios[1].hasSuffix(" 1.20"))
    #expect(throws: ContrastError.self) { try Self.check(many, contexts: chosen.merging(["m0": "no"]) { $1 }) }
    #expect(throws: ContrastError.self) { try Self.check(Self.base, contexts: ["m0": "on"]) }
  }

  @Test(
    "tokens as others write them are read",
    arguments: [
      // 10: tokens beside a value.
      (
        ##"""
        {"bg": {"$type": "color", "$value": "#fff", "quiet": {"$value": "#333"}},
         "ink": {"$type": "color", "$value": "#000"}}
        """##,
        "ink on bg*", ["21.00", "1.66"]
      ),
      // The same in the older form, in which 'modify' and 'original' hold values of the token itself.
      (
        ##"""
        {"bg": {"value": "#fff", "type": "color", "modify": {"type": "alpha", "value": "1"},
          "original": {"value": "#fff"}, "quiet": {"value": "#333", "type": "color"}},
         "ink": {"value": "#000", "type": "color"}}
        """##,
        "ink on bg*", ["21.00", "1.66"]
      ),
      // 11: the opacity that Tokens Studio writes beside a value.
      (
        ##"""
        {"ink": {"$type": "color", "$value": "#000000",
          "$extensions": {"studio.tokens": {"modify": {"type": "alpha", "value": "0.3", "space": "srgb"}}}},
         "alias": {"$type": "color", "$value": "{ink}"}, "page": {"$type": "color", "$value": "#ffffff"}}
        """##, "ink on page\nalias on page", ["2.10", "2.10"]
      ),
      // 12: a group by $ref.
      (
        ##"""
        {"button": {"$type": "color", "bg": {"$value": "#000"}, "fg": {"$value": "#fff"}},
         "danger": {"$ref": "#/button", "bg": {"$value": "#800000"}}}
        """##, "danger.fg on danger.bg", ["10.94"]
      ),
      // 13: parts of a value by $ref, also of an alias.
      (
        ##"""
        {"base": {"$type": "color", "$value": {"colorSpace": "hsl", "components": [210, 50, 20]}},
         "alias": {"$type": "color", "$value": "{base}"},
         "copy": {"$type": "color", "$value": {"colorSpace": {"$ref": "#/base/$value/colorSpace"},
           "components": {"$ref": "#/alias/$value/components"}, "alpha": 0.5}},
         "page": {"$type": "color", "$value": "#fff"}}
        """##, "copy on page", ["2.90"]
      ),
      // 16, 17: what no pair needs is left out.
      (
        ##"""
        {"ink": {"type": "color", "value": "#000000"}, "page": {"type": "color", "value": "#ffffff"},
         "glow": {"type": "color", "value": "linear-gradient(180deg, {ink} 0%, #ffffff 100%)"},
         "space": {"type": "spacing", "value": "4"}, "gap": {"type": "spacing", "value": "{space} * 2"}}
        """##, "ink on page", ["21.00"]
      ),
      (
        ##"""
        {"ink": {"$type": "color", "$value": "#000"}, "page": {"$type": "color", "$value": "#fff"},
         "gap": {"$type": "dimension", "$value": "{space} * 2"}, "s": {"$type": "dimension", "b": {"$value": "{gone}"}}}
        """##, "ink on page", ["21.00"]
      ),
      // 18: references within functions.
      (
        ##"""
        {"ink": {"type": "color", "value": "#000000"}, "half": {"type": "opacity", "value": "50%"},
         "soft": {"type": "color", "value": "rgba({ink}, 0.5)"},
         "same": {"type": "color", "value": "rgba( {ink} , {half})"},
         "more": {"value": "rgba({soft}, 50%)"}, "page": {"type": "color", "value": "#ffffff"}}
        """##, "soft on page\nsame on page\nmore on page", ["3.97", "3.97", "3.97"]
      ),
      // 19: a single file of Tokens Studio.
      (
        ##"""
        {"global": {"black": {"value": "#000000", "type": "color"}, "white": {"value": "#ffffff", "type": "color"}},
         "light": {"ink": {"value": "{black}", "type": "color"}, "page": {"value": "{white}", "type": "color"}},
         "dark": {"ink": {"value": "#444444", "type": "color"}, "page": {"value": "{black}", "type": "color"}},
         "$themes": [
           {"id": "1", "name": "Light", "selectedTokenSets": {"global": "source", "light": "enabled"}},
           {"id": "2", "name": "Dark", "selectedTokenSets": {
             "global": "source", "dark": "enabled", "light": "disabled"}}],
         "$metadata": {"tokenSetOrder": ["global", "light", "dark"]}}
        """##, "ink on page", ["Light 21.00", "Dark 2.15"]
      ),
      // 21: values by mode.
      (
        ##"""
        {"blue-100": {"sets": {"light": {"value": "rgb(245, 249, 255)"}, "dark": {"value": "rgb(14, 23, 63)"}}},
         "page": {"value": "{blue-100}"}, "ink": {"value": "rgb(0, 0, 0)"}}
        """##, "ink on page", ["light 19.87", "dark 1.21"]
      ),
      (
        ##"""
        {"page": {"$type": "color", "$value": "#fff", "$extensions": {"mode": {"Light": "#fff", "Dark": "#1a1a1a"}}},
         "ink": {"$type": "color", "$value": "#000"}}
        """##, "ink on page", ["Light 21.00", "Dark 1.20"]
      ),
      // 24: names of CSS.
      (##"{"ink": {"value": "tomato"}, "page": {"value": "white"}}"##, "ink on page", ["2.94"]),
      // 29: names with blanks.
      (
        ##"""
        {"Button background": {"$type": "color", "$value": "#ffffff"},
         "Button text": {"$type": "color", "$value": "#777777"}}
        """##,
        "\"Button text\" on \"Button background\"\nButton\\ text on Button\\ background as large-text",
        ["4.47", "4.47"]
      ),
      // 27: layers, the nearest first.
      (
        ##"""
        {"$type": "color", "ink": {"$value": "#fff"}, "card": {"$value": "rgb(255 255 255 / 30%)"},
         "wrap": {"$value": "rgb(255 255 255 / 30%)"}, "page": {"$value": "#000000"}}
        """##, "ink on card over wrap over page", ["3.84"]
      ),
    ])
  func tokens(text: String, pairs: String, expected: [String]) throws {
    #expect(Self.ratios(try Self.check(text, pairs)) == expected)
  }

  @Test(
    "a pair that cannot be checked as written is refused",
    arguments: [
      (
        "ink on card over pgae", "x.pairs:1: found 'pgae' behind 'over', expected the name of a token."
      ),
      ("ink on card as text as component", "x.pairs:1: found a second role, 'component', expected one role."),
      ("\"ink on card", "expected a quotation mark at the end of each name that begins with one."),
      (
        "ink on glow", "found 'glow', which is not read as a colour (x.json:3: 'linear-gradient(#fff, #000)'), expected"
      ),
      ("ink on gap", "found 'gap', which is not read as a colour (x.json:4: of type spacing), expected a token whose"),
    ])
  func refused(pairs: String, problem: String) {
    let text = ##"""
      {"$type": "color", "ink": {"$value": "#000"},
       "card": {"$value": "rgb(255 255 255 / 10%)"}, "page": {"$value": "#1a1a1a"},
       "glow": {"$value": "linear-gradient(#fff, #000)"},
       "gap": {"$type": "spacing", "$value": "4px"}}
      """##
    do {
      let problems = try Self.check(text, pairs).problems.map(\.description)
      #expect(problems.count == 1 && problems[0].contains(problem), "\(problems)")
    } catch {
      #expect("\(error)".contains(problem))
    }
  }

  @Test("pairs with a value that is not read are counted, not checked")
  func unchecked() throws {
    let text = ##"""
      {"$type": "color", "ink": {"$value": "#000"}, "bg": {"a": {"$value": "#fff"},
        "glow": {"$value": "linear-gradient(#fff, #000)"}, "mix": {"$value": "color-mix(in srgb, red, blue)"}}}
      """##
    let check = try Self.check(text, "ink on bg.*")
    #expect(Self.ratios(check) == ["21.00"] && check.unchecked.map(\.background) == ["bg.glow", "bg.mix"])
  }

  @Test(
    "a pair whose token one theme lacks is counted there, not checked",
    arguments: [
      "ink on badge", "badge on ink", "ink on badge as graphic", "ink on page over badge", "i* on badge", "i* on b*",
      "badge on p*",
    ])
  func lacking(pairs: String) throws {
    let text = ##"""
      {"version": "2025.10", "resolutionOrder": [
        {"type": "set", "name": "base", "sources": [{"$type": "color", "ink": {"$value": "#000"},
          "page": {"$value": "#fff"}}]},
        {"type": "modifier", "name": "theme", "contexts": {
          "light": [{"$type": "color", "badge": {"$value": "#fff"}, "bnk": {"$value": "#fff"}}],
          "dark": [{"$type": "color", "page": {"$value": "#111"}}]}}]}
      """##
    let check = try Self.check(text, pairs)
    #expect(check.problems.isEmpty && check.findings.allSatisfy { $0.theme == "light" } && !check.findings.isEmpty)
    #expect(check.unchecked.map(\.theme) == ["dark"] && check.unchecked[0].token.reason == "not in the theme 'dark'")
    #expect(check.unchecked[0].token.line == 5)
  }

  @Test("a colour in the older form in a file of the newer one is counted, not checked")
  func olderForm() throws {
    let text = ##"""
      {"$type": "color", "ink": {"$value": "#000"}, "bg": {"a": {"$value": "#fff"},
        "b": {"value": "#333", "type": "color"}, "c": {"value": "{bg.a}", "type": "color"},
        "gap": {"value": "4px", "type": "spacing"}}}
      """##
    let check = try Self.check(text, "ink on bg.*")
    #expect(Self.ratios(check) == ["21.00"] && check.unchecked.map(\.background) == ["bg.b", "bg.c"])
  }

  @Test(
    "a fixed value passes with the opacity beside it",
    arguments: [
      ##"""
      {"ink": {"$type": "color", "$value": "#000000", "$extensions": {"studio.tokens": {
        "modify": {"type": "alpha", "value": "0.3", "space": "srgb"}}}}, "page": {"$type": "color", "$value": "#fff"}}
      """##,
      ##"""
      {"ink": {"modify": {"type": "alpha", "value": 0.3}, "value": "#000000", "type": "color"},
       "page": {"value": "#fff", "type": "color"}}
      """##,
    ])
  func fixedOpacity(text: String) throws {
    let fixed = try Self.check(text).fixed(text, file: "x.json")
    let again = try Self.check(fixed)
    #expect(again.problems.isEmpty && again.findings.allSatisfy(\.passes), "\(fixed)")
  }

  @Test(
    "a file of another kind is named",
    arguments: [
      (#"{"dsp_spec_version": "1.0", "entities": []}"#, "a Design System Package (DSP)"),
      (#"{"meta": {"variables": {}}}"#, "variables from Figma's REST API"),
      (#"{"props": {}, "global": {"type": "color"}}"#, "tokens of Theo"), ("{}", "no token"),
    ])
  func otherKinds(text: String, name: String) {
    let error = #expect(throws: ContrastError.self) { try Self.check(text) }
    #expect(error?.found == name)
  }

  @Test("values that no colour has are refused, and those out of range are read as CSS does or warned about")
  func ranges() throws {
    func token(_ value: String) throws -> TokenSet {
      try #require(try TokenSet.themes(of: #"{"a": {"$type": "color", "$value": \#(value)}}"#, file: "t").first)
    }
    for value in [
      #"{"colorSpace": "lab", "components": [50, 1e300, 1e300]}"#,
      #"{"colorSpace": "lab", "components": [50, 1e3, 1e3]}"#,
      #"{"colorSpace": "oklch", "components": [0.5, 1e200, 1e308]}"#,
      #"{"colorSpace": "srgb", "components": [255, 0, 0]}"#,
      #""lab(50 1e300 1e300)""#,
    ] { #expect(try token(value).problems.count == 1, "\(value)") }
    for hex in ["#ff000080", "#f00", "ff0000", "#ff00zz"] {
      let value = #"{"colorSpace": "srgb", "components": [1, 0, 0], "hex": "\#(hex)"}"#
      #expect(try token(value).problems.first?.expected == "six hexadecimal digits behind #", "\(hex)")
    }
    let hue = try token(#"{"colorSpace": "hsl", "components": [360, 100, 50]}"#).tokens[0]
    #expect(hue.colour.hex == "#ff0000" && hue.warnings.first?.contains("hue 360.0 is outside 0 to 360") == true)
    #expect(try token(#"{"colorSpace": "hsl", "components": [0, 100, 50]}"#).tokens[0].warnings == [])
    for (text, hex) in [
      ("rgb(300 0 0)", "#ff0000"), ("rgb(-20, 0, 400)", "#0000ff"), ("rgb(120% 0% 0%)", "#ff0000"),
      ("hsl(0 150% 50%)", "#ff0000"), ("hsl(0.5turn 100% 50%)", "#00ffff"), ("lab(200 0 0)", "#ffffff"),
      ("oklch(50% -1 0)", "#636363"), ("RebeccaPurple", "#663399"),
    ] { #expect(Colour(css: text)?.hex == hex, "\(text)") }
  }

  @Test("a fixed alias without a type gets one, so that the file can be read again")
  func fixedAlias() throws {
    let text = ##"""
      {"base": {"grey": {"$type": "color", "$value": "#999999"}}, "ink": {"$value": "{base.grey}"},
       "link": {"$ref": "#/base/grey"}, "whole": {"$value": {"$ref": "#/base/grey/$value"}},
       "page": {"$type": "color", "$value": "#ffffff"}}
      """##
    let pairs = "ink on page\nlink on page\nwhole on page"
    #expect(Self.ratios(try Self.check(text, pairs)) == ["2.84", "2.84", "2.84"])
    let fixed = try Self.check(text, pairs).fixed(text, file: "x.json")
    let again = try Self.check(fixed, pairs)
    #expect(again.problems.isEmpty && again.findings.allSatisfy(\.passes), "\(fixed)")
  }

  @Test(
    "a fixed value keeps its colour space, also where its components are references", arguments: ColourSpace.allCases)
  func fixedSpace(space: ColourSpace) throws {
    let grey: [Double] =
      switch space {
      case .hsl: [210, 3, 60]
      case .hwb: [210, 58, 38]
      case .lab, .lch: [63, 2, 3]
      case .oklab: [0.7, 0.01, 0.01]
      case .oklch: [0.7, 0.01, 30]
      default: [0.6, 0.61, 0.62]
      }
    let text = ##"""
      {"$type": "color", "page": {"$value": "#fff"},
       "ink": {"$value": {"colorSpace": "\##(space.rawValue)", "components": \##(grey)}},
       "link": {"$value": {"colorSpace": "\##(space.rawValue)", "components": [
         {"$ref": "#/ink/$value/components/0"}, \##(grey[1]), \##(grey[2])]}}}
      """##
    let pairs = "ink on page\nlink on page"
    let check = try Self.check(text, pairs)
    #expect(check.problems.isEmpty && check.findings.allSatisfy { $0.fixed != nil })
    let fixed = check.fixed(text, file: "x.json")
    #expect(fixed.split(separator: "\"colorSpace\": \"\(space.rawValue)\"").count == 3 && !fixed.contains("$ref"))
    let again = try Self.check(fixed, pairs)
    #expect(again.findings.map(\.passes) == [true, true], "\(fixed)")
    // The hex beside the components is the same colour.
    #expect(zip(again.findings, check.findings).allSatisfy { $0.foreground.colour.hex == $1.fixed?.hex })
    #expect(again.findings.allSatisfy { $0.foreground.warnings.isEmpty })
  }

  @Test(
    "a fixed text keeps its colour space",
    arguments: [
      ("hsl(210, 5%, 60%)", "hsl("), ("hsla({h}, 5%, 60%, 1)", "hsl("), ("hwb(210 58% 38%)", "hwb("),
      ("oklch(70% 0.01 30)", "oklch("), ("color(display-p3 0.6 0.6 0.6)", "color(display-p3 "),
      ("rgb(150, 150, 150)", "#"), ("#999999", "#"),
    ])
  func fixedText(value: String, start: String) throws {
    let text = #"""
      {"h": {"value": 210, "type": "number"}, "ink": {"value": "\#(value)", "type": "color"},
       "page": {"value": "#ffffff", "type": "color"}}
      """#
    let fixed = try Self.check(text).fixed(text, file: "x.json")
    #expect(fixed.contains("\"ink\": {\"value\": \"\(start)"), "\(fixed)")
    let again = try Self.check(fixed)
    #expect(again.problems.isEmpty && again.findings.map(\.passes) == [true], "\(fixed)")
  }

  @Test("thousands of colours to be distinguished are counted, and the first kept")
  func distinct() throws {
    let tokens = (0..<200).map {
      #""x\#($0)": {"$value": {"colorSpace": "srgb", "components": [\#(Double($0) / 255), 0, 0.5]}}"#
    }
    let check = try Self.check("{\"$type\": \"color\", \(tokens.joined(separator: ", "))}", "x* distinct")
    #expect(check.distinctPairs == 19_900 && check.indistinct.count == min(10_000, check.indistinctCount))
    #expect(check.indistinctCount > 1_000)
    let many = (0..<50_001).map { ##""x\##($0)": {"$value": "#fff"}"## }
    let error = #expect(throws: ContrastError.self) {
      try Self.check("{\"$type\": \"color\", \(many.joined(separator: ", "))}", "x* distinct")
    }
    #expect(error?.found == "more than 50000 tokens")
  }
}
