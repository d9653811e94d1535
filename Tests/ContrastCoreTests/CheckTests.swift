// SPDX-License-Identifier: Apache-2.0
import ContrastCore
import Testing

@Suite("Pairs of tokens")
struct CheckTests {
  private static let tokens = ##"""
    {"$type": "color",
      "on-card" : {"$value":  "#777"  , "$description": "quiet"},
      "card": {"$value": "#fff"},
      "link": {"$ref" : "#/on-card"},
      "glass": {"$value": {"colorSpace": "srgb", "components": [1, 1, 1], "alpha": 0.5}},
      "page": {"$value": "#000"},
      "chart": {"a": {"$value": "#d00000"}, "b": {"$value": "#7a6000"}, "c": {"$value": "#0030d0"}}}
    """##

  private static func check(
    _ pairs: String?, _ text: String = tokens, level: ContrastLevel = .aa, fixing: MendedSide = .foreground
  ) throws -> ContrastCheck {
    let themes = try TokenSet.themes(of: text, file: "t")
    let pairs = try pairs.map { try ContrastPairs($0, file: "p") } ?? .proposed(for: themes)
    return ContrastCheck(themes, pairs: pairs, level: level, fixing: fixing)
  }

  @Test("without a file of pairs, names propose the pairs and the lines for that file")
  func proposals() throws {
    let text =
      ##"""
      {"$type": "color", "on-a": {"$value": "#000"}, "a": {"$value": "#fff"},
        "g": {"text": {"$value": "#000"}, "icon": {"$value": "#000"}, "bg": {"$value": "#fff"}},
        "onA": {"$value": "#000"}}
      """##
    let pairs = ContrastPairs.proposed(for: try TokenSet.themes(of: text, file: "t"))
    #expect(pairs.lines == ["on-a on a", "g.text on g.bg", "g.icon on g.bg as graphic", "onA on a"])
    #expect(try ContrastPairs(pairs.lines.joined(separator: "\n"), file: "p").lines == pairs.lines)
    #expect(try Self.check(nil).findings.map(\.ratio) == [4.478089453577214])
  }

  @Test("roles and levels require the ratios of the guidelines", arguments: ContrastRole.allCases)
  func roles(role: ContrastRole) throws {
    let one = try Self.check("on-card on card as \(role.rawValue)").findings[0]
    #expect(one.passes == (role != .text))
    #expect(
      try Self.check("on-card on card as \(role.rawValue)", level: .aaa).findings[0].passes == ![.text, .largeText]
        .contains(role))
  }

  @Test("a translucent background is composited with the colour below it")
  func below() throws {
    let ratios = try Self.check("page on glass\npage on glass over page").findings.map(\.ratio)
    #expect(ratios[0] == 21)
    #expect(abs(ratios[1] - Contrast.ratio(of: .black, on: Colour(red: 0.5, green: 0.5, blue: 0.5))) < 1e-12)
  }

  @Test(
    "a line that is none, or fits no token, is refused at its place",
    arguments: [
      ("a", "p:1: found 'a', expected FOREGROUND on BACKGROUND [as ROLE] [over TOKEN], or PATTERN distinct; a name"),
      (
        "# x\n\na on b as txt",
        "p:3: found the role 'txt', expected one of text, large-text, component, graphic, decoration."
      ),
      ("a on b under c", "p:1: found 'under', expected as or over."),
      ("a** on b", "found 'a**', expected at most one * in a pattern."),
      ("", "p: found no line, expected FOREGROUND on BACKGROUND."),
      (
        "on-card on crd",
        "p:1: found no pair for 'on-card on crd', expected names or patterns of tokens that are there."
      ),
      ("on-card distinct", "p:1: found fewer than two colours for 'on-card'"),
    ])
  func refused(pairs: String, problem: String) {
    do {
      let problems = try Self.check(pairs).problems
      #expect(problems.contains { $0.description.contains(problem) }, "\(problems)")
    } catch {
      #expect("\(error)".contains(problem))
    }
  }

  @Test("indistinguishable colours are reported with the deficiency")
  func distinct() throws {
    let check = try Self.check("chart.* distinct")
    #expect(check.distinctPairs == 3)
    #expect(
      check.indistinct.map { "\($0.first.path) \($0.second.path) \($0.deficiency?.rawValue ?? "all")" } == [
        "chart.a chart.b protan", "chart.a chart.b deutan",
      ])
  }

  @Test("the fixed file differs only in the failing values", arguments: MendedSide.allCases)
  func fixed(side: MendedSide) throws {
    let pairs = "on-card on card\nlink on card\non-card on card as component"
    let check = try Self.check(pairs, fixing: side)
    let text = check.fixed(Self.tokens, file: "t")
    let colour = try #require(check.findings[0].fixed)
    let expected =
      side == .foreground
      ? Self.tokens.replacing(##""#777""##, with: colour.tokenValue())
        .replacing(##""$ref" : "#/on-card""##, with: "\"$value\": \(colour.tokenValue())")
      : Self.tokens.replacing(##"card": {"$value": "#fff""##, with: "card\": {\"$value\": \(colour.tokenValue())")
    #expect(text == expected)
    #expect(try Self.check(pairs, text).findings.allSatisfy(\.passes))
    #expect(try Self.check(pairs).filesToFix == ["t"])
  }

  @Test("a requirement that no colour can meet is reported, and its token unchanged")
  func unfixable() throws {
    let check = try Self.check("on-card on card\non-card on page", level: .aaa)
    #expect(check.findings.map(\.passes) == [false, false] && check.findings.allSatisfy { $0.fixed == nil })
    #expect(check.filesToFix.isEmpty && check.fixed(Self.tokens, file: "t") == Self.tokens)
  }
}
