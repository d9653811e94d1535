// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

import ContrastCore

@Suite("Design tokens")
struct TokenTests {
  static func tokens(_ text: String, _ load: (String) -> String? = { _ in nil }) throws -> TokenSet {
    try #require(try TokenSet.themes(of: text, file: "t.json", load: load).first)
  }

  static func black(_ more: String = "") -> String {
    #"{"colorSpace": "srgb", "components": [0, 0, 0]\#(more)}"#
  }

  @Test("files of the format and of earlier formats resolve to the expected colours")
  func cases() throws {
    let json = try JSONSerialization.jsonObject(with: Data(VectorTests.fixture("design_tokens_cases.json").utf8))
    let cases = try #require((json as? [String: Any])?["cases"] as? [[String: Any]])
    #expect(cases.count == 11)
    for one in cases {
      let name = try #require(one["name"] as? String)
      let document = try JSONSerialization.data(withJSONObject: try #require(one["tokens"]), options: [.sortedKeys])
      let set = try Self.tokens(String(decoding: document, as: UTF8.self))
      let errors = (one["errors"] as? [String: String])?.keys.sorted() ?? []
      #expect(set.problems.map(\.path).sorted() == errors, "\(name)")
      let warned = (one["warnings"] as? [String: String])?.keys.sorted() ?? []
      #expect(set.tokens.filter { !$0.warnings.isEmpty }.map(\.path).sorted() == warned, "\(name)")
      func colour(_ path: String) -> Colour? { Colour(css: path) ?? set.tokens.first { $0.path == path }?.colour }
      if let pair = one["pair"] as? [String] {
        let (front, back) = (try #require(colour(pair[0]), "\(name)"), try #require(colour(pair[1]), "\(name)"))
        if let ratio = one["ratio"] as? Double {
          let tolerance = one["tolerance"] as? Double ?? 1e-8
          #expect(abs(Contrast.ratio(of: front, on: back) - ratio) < tolerance, "\(name)")
        }
        if let components = one["resolved"] as? [Double] {
          #expect([front.red, front.green, front.blue] == components, "\(name)")
        }
      }
      if let hex = one["resolved_hex"] as? String { #expect(set.tokens.first?.colour.hex == hex) }
      if let css = one["resolved_css"] as? String { #expect(set.tokens.first?.colour == Colour(css: css)) }
    }
  }

  @Test(
    "what is wrong is refused at its line, with its path and how to fix it",
    arguments: [
      (
        #""a": {"$type": "color", "$value": "{b}"}, "b": {"$type": "color", "$value": "{a}"}"#,
        "t.json:2: a: found a cycle of aliases: a -> b -> a, expected a chain that ends at a colour."
      ),
      (
        #""a": {"$extends": "{b}"}, "b": {"$extends": "{c}"}, "c": {"$extends": "{a}"}"#,
        "t.json:2: a: found a cycle of extensions: a -> b -> c -> a, expected groups that do not extend each other."
      ),
      (#""a": {"$extends": "{a.b}", "b": {}}"#, "t.json:2: a: found a cycle of extensions: a -> a, expected"),
      (#""a": {"$extends": "{b}"}"#, "t.json:2: a: found '{b}', expected the name of a group, such as {button}."),
      (#""a": {"$value": \#(black())}"#, #"t.json:2: a: found no type, expected "$type": "color" here or in"#),
      (
        #""a": {"$type": "color", "$value": {"colorSpace": "rgb", "components": [0, 0, 0]}}"#,
        "t.json:2: a: found 'rgb', expected one of srgb, srgb-linear, hsl"
      ),
      (
        #""a": {"$type": "color", "$value": {"colorSpace": "srgb", "components": [0, 0]}}"#,
        "t.json:2: a: found 2 components, expected three components."
      ),
      (
        #""a": {"$type": "color", "$value": {"colorSpace": "srgb", "components": [0, "x", 0]}}"#,
        "t.json:2: a: found 'x', expected a number, \"none\", or a $ref to a number."
      ),
      (#""a": {"$type": "color", "$value": \#(black(#", "alpha": 2"#))}"#, "found 2.0, expected an alpha from 0 to 1."),
      (#""a": {"$type": "color", "$value": \#(black(#", "hex": "red""#))}"#, "found 'red', expected six hexadecimal"),
      (
        #""a": {"$type": "color", "$value": "{b}"}"#,
        "found '{b}', which does not exist, expected the name of a token"
      ),
      (
        ##""a": {"$type": "color", "$ref": "#/b"}"##,
        "found '#/b', which does not exist, expected the name of a token"
      ),
      (#""a": {"$type": "color", "$ref": "b.json"}"#, "found 'b.json', expected the name of a token"),
      (
        ##""a": {"$type": "color", "$value": {"colorSpace": "srgb", "components": [0, 0, {"$ref": "#/x"}]}}"##,
        "found '#/x', expected a pointer to a number, such as #/a/$value/components/0, without a cycle."
      ),
      (##""a": {"$type": "color", "$value": "blurple"}"##, "found 'blurple', expected a colour such as #333333"),
      (
        ##""g": {"$root": {"$type": "color", "$value": "#fff"}}, "a": {"$type": "color", "$value": "{g}"}"##,
        "found a reference to a group, 'g', expected the name of a token, such as {g.$root}."
      ),
    ])
  func refused(tokens: String, problem: String) throws {
    let problems = try Self.tokens("{\n\(tokens)}").problems
    #expect(problems.contains { $0.description.contains(problem) }, "\(problems)")
  }

  @Test("a chain of up to 100 aliases is followed, and every token with a longer one is reported")
  func longChains() throws {
    let last = 2_000
    let aliases = (0..<last).map { #""t\#($0)": {"$type": "color", "$value": "{t\#($0 + 1)}"}"# }
    let set = try Self.tokens(
      "{\n\(aliases.joined(separator: ",\n")),\n\"t\(last)\": {\"$type\": \"color\", \"$value\": \(Self.black())}}")
    #expect(set.tokens.map(\.path) == ((last - 100)...last).map { "t\($0)" })
    #expect(set.problems.count == last - 100)
    #expect(
      set.problems.first?.description.contains("found more than 100 aliases in a chain, expected a shorter one.")
        == true)
  }

  @Test(
    "what is no JSON is refused at its line",
    arguments: [
      ("{\n\"a\": }", "t.json:2: found '}', expected a value."), ("[]", "t.json:1: found a list, expected an object"),
      ("{\"a\": 1, \"a\": 2}", "found 'a' again, expected each name once"), ("{\"a\": 01}", "expected a value"),
      ("{\"a\": 1.e5}", "t.json:1: found '1.e5}', expected a value."),
      ("{\"a\": \"\\x\"}", "expected a text with the escapes of JSON"), ("{\"a\": [1,]}", "expected a value"),
      ("{", "the end of the file"),
      ("{\"a\": \"\\ud800\"}", "the escapes of JSON, surrogates in pairs"), ("{} x", "expected the end of the file"),
      (String(repeating: "{\"a\":", count: 200), "expected at most 100 levels"),
    ])
  func notJSON(text: String, problem: String) {
    let error = #expect(throws: ContrastError.self) { try TokenSet.themes(of: text, file: "t.json") }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test("extensions that double with each level are refused before memory runs out")
  func doubling() throws {
    let groups = (0..<40).map {
      #""g\#($0)": {"a": {"$extends": "{g\#($0 + 1)}"}, "b": {"$extends": "{g\#($0 + 1)}"}}"#
    }
    let text = #"{"$type": "color", \#(groups.joined(separator: ", ")), "g40": {"x": {"$value": "black"}}}"#
    let error = #expect(throws: ContrastError.self) { try Self.tokens(text) }
    #expect(error?.found == "more than 50000 tokens")
  }

  private static let resolver = """
    {"version": "2025.10",
     "sets": {"base": {"sources": [{"$ref": "base.json"}]}},
     "modifiers": {
       "mode": {"contexts": {"light": [], "dark": [{"$ref": "dark.json"}]}},
       "size": {"contexts": {"small": [], "large": []}}},
     "resolutionOrder": [{"$ref": "#/sets/base"}, {"$ref": "#/modifiers/mode"}]}
    """

  @Test("a resolver file has a theme for each choice of contexts, from files next to it")
  func themes() throws {
    let files = [
      "design/base.json": ##"{"$type": "color", "ink": {"$value": "#000"}, "text": {"$value": "{ink}"}}"##,
      "design/dark.json": ##"{"ink": {"$type": "color", "$value": "#fff"}}"##,
    ]
    let themes = try TokenSet.themes(of: Self.resolver, file: "design/t.json") { files[$0] }
    // The sizes are not in the order of resolution, and have no colours.
    #expect(themes.map(\.theme) == ["light", "dark"])
    #expect(themes.map { $0.tokens.map(\.colour.hex) } == [["#000000", "#000000"], ["#ffffff", "#ffffff"]])
    #expect(themes[1].tokens.map(\.file) == ["design/dark.json", "design/base.json"])
    let error = #expect(throws: ContrastError.self) { try TokenSet.themes(of: Self.resolver, file: "t.json") }
    #expect(error?.description == "t.json:2: $ref: found 'base.json', which cannot be read, expected a file of tokens.")
  }

  @Test("a colour outside sRGB is replaced by the nearest, with a remark")
  func gamut() throws {
    let set = try Self.tokens(
      ##"{"a": {"$type": "color", "$value": {"colorSpace": "display-p3", "components": [0, 1, 0]}}}"##)
    #expect(
      set.tokens[0].warnings == [
        "outside sRGB; treated as \(set.tokens[0].colour.mapped.hex), the nearest colour in it"
      ])
  }
}
