// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import Foundation
import ProfileCore
import ProfileLab
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("Maps of settings")
struct MapTests {
  private static func run(_ yaml: String) throws -> (ScenarioResult, [String: Double]) {
    try outcome("profile.check", yaml, among: Profiles.experiments.map { $0.runnable })
  }

  private static func map(_ entries: String, more: String = "") -> String {
    """
    name: test
    tabs: [home]
    systems: [16, 17]
    screens:
      - id: home
        name: Home
        sections:
          - entries:
    \(entries.split(separator: "\n").map { "          - \($0)" }.joined(separator: "\n"))
    \(more)
    """
  }

  private static func rules(_ text: String) throws -> [String: Set<MapFinding.Rule>] {
    try MapFile.read(text, file: "map").findings().reduce(into: [:]) { $0[$1.subject, default: []].insert($1.rule) }
  }

  @Test("the app's own map keeps every rule on every system version")
  func flat() throws {
    let (result, found) = try Self.run("map: flat")
    #expect(found["map.offenders"] == 0 && found["map.deepest"] == 2 && result.wrongCases.isEmpty)
    #expect(found["map.meanSteps"].map { $0 > 1 && $0 < 2 } == true)
    #expect(found["map.entries"].map { $0 >= 38 } == true)
    #expect(result.document.text().contains("Lock the app: not on 16, 17"))
  }

  @Test("each measure of a map of three screens, by hand")
  func measures() throws {
    let folder = try TemporaryFolder([
      "map.yaml": """
      name: three
      tabs: [home]
      systems: [16]
      screens:
        - id: home
          name: Home
          sections:
            - entries:
                - {id: a, name: Lock, kind: action, role: lock, use: 3}
                - {id: s, name: More, kind: link, to: more}
        - id: more
          name: More
          sections:
            - entries:
                - {id: b, name: Help, kind: action, role: help, use: 1}
                - {id: t, name: Rest, kind: link, to: rest}
        - {id: rest, name: Rest, sections: [{entries: [{id: c, name: News, kind: action, role: news, use: 1}]}]}
      """
    ])
    // 1, 1, 2, 2 and 3 steps; the mean is (3 * 1 + 2 + 3) / 5.
    let found = try Self.run("map: '\(folder.path("map.yaml"))'").1
    #expect(found == ["map.offenders": 1, "map.entries": 5, "map.deepest": 3, "map.meanSteps": 1.6])
  }

  @Test("the nested design fails for depth, duplicates and wrong back links, each with its shortest path")
  func nested() throws {
    let (result, found) = try Self.run("map: nested")
    #expect(found["map.deepest"] == 5 && found["map.offenders"].map { $0 > 20 } == true)
    let text = result.document.text(width: 400, isWhole: true)
    #expect(text.contains("Profile > Settings > Account > Security > Change password"))
    let rules = try MapFile.read("nested").findings()
    #expect(rules.contains { $0.rule == .twice && $0.subject == "share-again" })
    #expect(rules.contains { $0.rule == .back && $0.subject == "security" })
    #expect(rules.contains { $0.rule == .far })
  }

  @Test("an orphan, a dead end, a cycle and a second path to a screen are found")
  func rules() throws {
    let map = Self.map(
      """
      {id: a, name: A, kind: link, to: one}
      {id: b, name: B, kind: link, to: one}
      """,
      more: """
          - {id: one, name: One, sections: [{entries: [{id: up, name: Up, kind: link, to: home}]}]}
          - {id: empty, name: Empty}
        """)
    let rules = try Self.rules(map)
    #expect(rules["empty"] == [.unreachable, .deadEnd])
    #expect(rules["one"] == [.twice, .cycle] && rules["home"] == [.twice, .cycle])
  }

  @Test("a screen that a system version hides is unreachable on that version only")
  func versions() throws {
    let map = Self.map(
      "{id: a, name: A, kind: link, to: one, since: 17}\n{id: c, name: C, kind: action}",
      more: "  - {id: one, name: One, sections: [{entries: [{id: x, name: X, kind: action}]}]}")
    let findings = try MapFile.read(map, file: "map").findings()
    #expect(findings.map(\.rule) == [.unreachable] && findings.first?.systems.map(\.description) == ["16"])
  }

  @Test(
    "contradictions are refused at their lines, with what was expected",
    arguments: [
      ("{id: home, name: A, kind: action}", "map:9: id: found 'home' a second time"),
      ("{id: a, name: A, kind: link, to: hone}", "map:9: a.to: found 'hone', expected one of home"),
      ("{id: a, name: A, kind: action, since: 17.4, until: 17.2}", "map:9: a.since: found 17.4, and until 17.2"),
      ("{id: a, name: A, kind: action, since: new}", "expected a version such as 17.4"),
      ("{id: a, name: A, kind: buton}", "expected one of link, sheet, action, inline"),
      ("{id: a, name: A, kind: action, rolle: x}", "role"),
    ])
  func problems(entry: String, message: String) {
    let error = #expect(throws: (any Error).self) { try MapFile.read(Self.map(entry), file: "map") }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "none")")
  }

  @Test("a hundred queries have the intended setting as their first result")
  func queries() throws {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/queries", withExtension: "txt"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    #expect(lines.count >= 100)
    let map = try MapFile.read("flat")
    let search = MapSearch(map, on: map.systems.last)
    for line in lines {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      #expect(search.find(parts[0]).first?.route.entry.id ?? "" == parts[1], "\(parts[0])")
    }
  }

  @Test("any part of a name is found in scripts without blanks between words or within compounds, but not in others")
  func partsOfNames() throws {
    let names = ["プッシュ通知", "日本語の設定", "推送通知设置", "การแจ้งเตือน", "푸시알림설정", "notifications"]
    let entries = names.enumerated().map { "{id: e\($0), name: \($1), kind: action}" }
    let search = MapSearch(try MapFile.read(Self.map(entries.joined(separator: "\n")), file: "map"))
    for (query, found) in [
      ("通知", ["プッシュ通知", "推送通知设置"]), ("設定", ["日本語の設定"]), ("日本", ["日本語の設定"]), ("เตือน", ["การแจ้งเตือน"]),
      ("알림", ["푸시알림설정"]), ("cations", []),
    ] {
      #expect(search.find(query).map(\.route.entry.name) == found, "\(query)")
    }
  }

  @Test("the number of allowed typing errors depends on the word's length, as in Meilisearch")
  func typos() throws {
    let map = Self.map("{id: two, name: two seven phone saturday, kind: action}")
    let search = MapSearch(try MapFile.read(map, file: "map"))
    for (query, isFound) in [
      ("sevem", true), ("sevan", true), ("tow", false), ("phnoe", true), ("aturday", false), ("saturdya", true),
    ] {
      #expect(search.find(query).isEmpty == !isFound, "\(query)")
    }
  }

  @Test("a drawing shows every entry, and is the same bytes each time")
  func drawing() throws {
    let folder = try TemporaryFolder()
    let pictures = try ["one.svg", "other.svg"].map { name in
      _ = try Self.run("map: nested\ndrawing: \(folder.path(name))")
      return try TextFile.read(folder.path(name))
    }
    #expect(pictures[0].contains("✗ Change password") && pictures[0].contains("Two-factor authentication"))
    #expect(pictures[0] == pictures[1])
  }
}
