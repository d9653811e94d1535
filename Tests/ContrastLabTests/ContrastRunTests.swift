// SPDX-License-Identifier: GPL-3.0-or-later
import ContrastLab
import ExperimentTestSupport
import Foundation
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("Checks of contrast")
struct ContrastRunTests {
  private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL.path

  private static func run(_ yaml: String) throws -> (result: ScenarioResult, found: [String: Double]) {
    try outcome("contrast.check", yaml, among: Contrasts.experiments)
  }

  private static func example(_ tokens: String, fix: String? = nil) throws -> (ScenarioResult, [String: Double]) {
    let examples = "\(root)/Examples/contrast"
    return try run(
      "tokens: \(examples)/\(tokens)\npairs: \(examples)/apps.pairs\(fix.map { "\nfix: \($0)" } ?? "")")
  }

  @Test("the example fails for Strava's orange; --fix writes the fixed copy, which passes")
  func example() throws {
    let folder = try TemporaryFolder()
    let (result, found) = try Self.example("apps.tokens.json", fix: folder.path("fixed.json"))
    #expect(found["contrast.failing"] == 3 && found["contrast.unfixable"] == 0 && found["contrast.indistinct"] == 0)
    let text = result.document.text(width: 160, isWhole: true)
    #expect(text.contains("3.40") && text.contains("#fc4c02 on #ffffff") && text.contains("state.offline on surface"))
    #expect(result.data.text.contains("\"failingAfterFixing\": 0"))
    let fixed = try TextFile.read("\(Self.root)/Examples/contrast/fixed.tokens.json")
    #expect(try TextFile.read(folder.path("fixed.json")) == fixed)
    #expect(try Self.example("fixed.tokens.json").1["contrast.failing"] == 0)
  }

  @Test("each measure of six tokens, by hand")
  func measures() throws {
    let folder = try TemporaryFolder([
      "t.json":
        ##"""
      {"$type": "color", "ink": {"$value": "#000"}, "page": {"$value": "#fff"}, "grey": {"$value": "#777"},
       "red": {"$value": {"colorSpace": "srgb", "components": [1, 0, 0], "hex": "#00ff00"}},
       "same": {"a": {"$value": "#808080"}, "b": {"$value": "#808080"}}, "bg": {"a": {"$value": "#fff"},
       "b": {"$value": "linear-gradient(red, blue)"}}}
      """##,
      "p": "ink on page\ngrey on page\ngrey on ink\nred on page as decoration\nink on bg.*\nsame.* distinct",
    ])
    // Grey is 119/255: its luminance is ((119/255 + 0.055) / 1.055)^2.4, and white is 1.05 beside 0.05 of the glare.
    let ratio = 1.05 / (pow((119.0 / 255 + 0.055) / 1.055, 2.4) + 0.05)
    let yaml = "tokens: \(folder.path("t.json"))\npairs: \(folder.path("p"))"
    let found = try Self.run(yaml).found
    #expect(abs((found["contrast.lowest"] ?? 0) - ratio) < 1e-6)
    for (name, count) in [
      ("pairs", 5.0), ("failing", 1), ("unchecked", 1), ("unfixable", 0), ("indistinct", 1), ("warnings", 1),
    ] { #expect(found["contrast.\(name)"] == count, "\(name)") }
    // At 7 a colour on white has a luminance of 0.1 at most, and one on black 0.3 at least.
    #expect(try Self.run(yaml + "\nlevel: AAA").found["contrast.unfixable"] == 2)
  }

  @Test("each pair is a test case; a failing one has its token's line")
  func cases() throws {
    let result = try Self.example("apps.tokens.json").0
    #expect(result.cases.count == 16 && result.wrongCases.count == 3)
    let one = try #require(result.wrongCases.first)
    #expect(one.name == "strava.orange on surface (light)")
    let tokens = try TextFile.read("\(Self.root)/Examples/contrast/apps.tokens.json").split(separator: "\n")
    #expect(tokens[try #require(one.location).line - 1].contains("#fc4c02"))
    #expect(one.message.hasPrefix("3.40, and text needs 4.5; the nearest foreground that passes is #"))
  }

  @Test("the colours of the reports have enough contrast on every background")
  func report() throws {
    let (_, found) = try Self.run(
      """
      tokens: \(Self.root)/Sources/Workbench/Pages/Colours/report.tokens.json
      pairs: \(Self.root)/Scenarios/report-colours.pairs
      """)
    #expect(found["contrast.failing"] == 0 && found["contrast.warnings"] == 0)
    #expect(found["contrast.pairs"].map { $0 > 80 } == true)
  }

  @Test("without a file of pairs, names propose them, and the result shows the lines for a file")
  func proposals() throws {
    let folder = try TemporaryFolder([
      "t.json": ##"{"$type": "color", "card": {"$value": "#fff"}, "on-card": {"$value": "#777"}}"##,
      "none.json": ##"{"$type": "color", "a": {"$value": "#fff"}}"##,
    ])
    let text = try Self.run("tokens: \(folder.path("t.json"))").result.document.text()
    #expect(text.contains("1 of 1 pair below WCAG 2.2 AA") && text.contains("on-card on card\n"))
    let error = #expect(throws: ReportingError.self) { try Self.run("tokens: \(folder.path("none.json"))") }
    #expect(error?.description.contains("expected a file of pairs by --pairs") == true)
  }

  @Test("tokens of several files are fixed into a folder, those of one file into a file")
  func folder() throws {
    let sets = ["light", "dark"].map { #""\#($0)": [{"$ref": "\#($0).json"}]"# }.joined(separator: ", ")
    func tokens(_ ink: String, _ paper: String) -> String {
      ##"{"$type": "color", "on-a": {"$value": "\##(ink)"}, "a": {"$value": "\##(paper)"}}"##
    }
    let folder = try TemporaryFolder([
      "t.json":
        ##"""
      {"version": "2025.10", "modifiers": {"m": {"contexts": {\##(sets)}}},
      "resolutionOrder": [{"$ref": "#/modifiers/m"}]}
      """##,
      "light.json": tokens("#999", "#fff"), "dark.json": tokens("#333", "#000"),
    ])
    let error = #expect(throws: ReportingError.self) {
      try Self.run("tokens: \(folder.path("t.json"))\nfix: \(folder.path("fixed.json"))")
    }
    #expect(error?.description.contains("found 2 files to fix") == true)
    _ = try Self.run("tokens: \(folder.path("t.json"))\nfix: \(folder.path)")
    #expect(try Self.run("tokens: \(folder.path("t.json"))").found["contrast.failing"] == 0)
  }

  @Test("fixed files of one name keep their folders, and are read again")
  func folders() throws {
    let sets = ["light", "dark"].map { #""\#($0)": [{"$ref": "\#($0)/color.json"}]"# }.joined(separator: ", ")
    let folder = try TemporaryFolder([
      "t.json":
        ##"""
      {"version": "2025.10", "modifiers": {"m": {"contexts": {\##(sets)}}},
      "resolutionOrder": [{"$ref": "#/modifiers/m"}]}
      """##
    ])
    let files = FileManager.default
    for (name, ink, page) in [("light", "#999999", "#ffffff"), ("dark", "#444444", "#111111")] {
      try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      try folder.write(
        ##"{"ink": {"$type": "color", "$value": "\##(ink)"}, "page": {"$type": "color", "$value": "\##(page)"}}"##,
        as: "\(name)/color.json")
    }
    try files.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
    try folder.write("ink on page", as: "p")
    let (result, found) = try Self.run(
      "tokens: \(folder.path("t.json"))\npairs: \(folder.path("p"))\nfix: \(folder.path("out"))")
    #expect(found["contrast.failing"] == 2 && result.data.text.contains("\"failingAfterFixing\": 0"))
    for name in ["light", "dark"] {
      let fixed = try TextFile.read(folder.path("out/\(name)/color.json"))
      #expect(try fixed != TextFile.read(folder.path("\(name)/color.json")) && fixed.contains("\"components\""))
    }
  }

  @Test("a pair that cannot be checked is counted in the title, and fails if that is asked")
  func unchecked() throws {
    let folder = try TemporaryFolder([
      "t.json":
        ##"""
      {"$type": "color", "ink": {"$value": "#000"},
       "bg": {"a": {"$value": "#fff"}, "b": {"$value": "linear-gradient(#fff, #000)"}}}
      """##, "p": "ink on bg.*",
    ])
    let yaml = "tokens: \(folder.path("t.json"))\npairs: \(folder.path("p"))"
    let (result, found) = try Self.run(yaml)
    #expect(found["contrast.failing"] == 0 && found["contrast.unchecked"] == 1)
    let text = result.document.text(width: 300, isWhole: true)
    #expect(text.contains("0 of 1 pair below WCAG 2.2 AA; 1 of 2 pairs checked, 1 cannot be"))
    #expect(text.contains("bg.b: 'linear-gradient(#fff, #000)', in 1 pair"))
    #expect(try Self.run(yaml + "\nstrict: true").found["contrast.failing"] == 1)
  }

  @Test("a pair whose token one theme lacks is counted in the title, and fails with --strict as a case, too")
  func lacking() throws {
    let folder = try TemporaryFolder([
      "t.json":
        ##"""
      {"version": "2025.10", "resolutionOrder": [{"type": "modifier", "name": "theme", "contexts": {
        "light": [{"$type": "color", "ink": {"$value": "#000"}, "badge": {"$value": "#fff"}}],
        "dark": [{"$type": "color", "ink": {"$value": "#fff"}}]}}]}
      """##, "p": "ink on badge",
    ])
    let yaml = "tokens: \(folder.path("t.json"))\npairs: \(folder.path("p"))"
    let text = try Self.run(yaml).result.document.text(width: 300, isWhole: true)
    #expect(text.contains("0 of 1 pair in 2 themes below WCAG 2.2 AA; 1 of 2 pairs checked, 1 cannot be"))
    #expect(text.contains("t.json:2: badge: not in the theme 'dark', in 1 pair"))
    let (strict, found) = try Self.run(yaml + "\nstrict: true")
    #expect(found["contrast.failing"] == 1 && strict.wrongCases.map(\.name) == ["ink on badge (dark)"])
  }

  @Test("where colours are only to be distinguished, the title says so and the file is named")
  func distinctAlone() throws {
    let folder = try TemporaryFolder([
      "t.json": ##"{"$type": "color", "c": {"a": {"$value": "#d00000"}, "b": {"$value": "#0030d0"}}}"##,
      "p": "c.* distinct",
    ])
    let text = try Self.run("tokens: \(folder.path("t.json"))\npairs: \(folder.path("p"))").result.document
      .text(width: 300)
    #expect(text.hasPrefix("1 pair of colours to be distinguished\n\n\(folder.path("t.json")): 2 colours."))
  }

  @Test("contexts are chosen by name, and a misspelt token is suggested")
  func contexts() throws {
    let folder = try TemporaryFolder([
      "t.json":
        ##"""
      {"version": "2025.10", "resolutionOrder": [
        {"type": "set", "name": "base", "sources": [
          {"$type": "color", "ink": {"$value": "#000"}, "page": {"$value": "#fff"}}]},
        {"type": "modifier", "name": "mode", "contexts": {
          "light": [], "dark": [{"page": {"$type": "color", "$value": "#111"}}]}}]}
      """##, "p": "ink on page", "q": "ink on page over pgae",
    ])
    let yaml = "tokens: \(folder.path("t.json"))\npairs: \(folder.path("p"))"
    #expect(try Self.run(yaml).found["contrast.failing"] == 1)
    #expect(try Self.run(yaml + "\ncontext: mode=light").found["contrast.failing"] == 0)
    let error = #expect(throws: ReportingError.self) { try Self.run(yaml + "\ncontext: light") }
    #expect(error?.description.contains("found 'light', expected MODIFIER=CONTEXT") == true)
    let problems = #expect(throws: InputProblems.self) {
      try Self.run("tokens: \(folder.path("t.json"))\npairs: \(folder.path("q"))")
    }
    #expect(problems.map { "\($0)" }?.contains("did you mean 'page'?") == true)
  }

  @Test("colours that become indistinguishable at a severity are reported with the deficiency")
  func severity() throws {
    let folder = try TemporaryFolder([
      "t.json": ##"{"$type": "color", "c": {"a": {"$value": "#d00000"}, "b": {"$value": "#7a6000"}}}"##,
      "p": "c.* distinct",
    ])
    func indistinct(_ severity: Int) throws -> Double? {
      try Self.run("tokens: \(folder.path("t.json"))\npairs: \(folder.path("p"))\nseverity: \(severity)")
        .found["contrast.indistinct"]
    }
    #expect(try indistinct(0) == 0)
    #expect(try indistinct(1).map { $0 > 0 } == true)
  }
}
