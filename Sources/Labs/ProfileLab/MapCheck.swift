// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import ProfileCore
internal import Reporting
internal import Scenarios

/// A map of settings, checked on every system version that it names.
struct MapCheck: Experiment {
  var map = ""
  var depth = 2
  var mean = 2.0
  var drawing: String?

  init() {}

  static let kind = "profile.check"
  static let summary = "Checks that each setting of an app is within a few steps, in one place, and leads back."
  static let discussion = """
    Example: assay profile check flat
    Example: assay profile check settings.yaml --drawing settings.svg

    A map is a YAML file: its tabs, its screens, their sections and entries. Two ship: 'flat', the app's own, and \
    'nested', the design that it replaces. Choosing a tab is a step, and each tap is one. An entry is a link to a \
    screen, a sheet, an action, or is changed inline; it may be there only from a system version on (since), or up to \
    one (until), and every check is made on every version that the map lists.
    """
  static let isDrawn = false
  static let defaultThresholds = ["map.offenders == 0"]

  static let parameters: [Parameter<MapCheck>] = [
    Parameter(
      "map", \.map, .text("map", expected: "a file of a map, or flat, or nested"), "The map to check.",
      example: "flat", form: .positional, isRequired: true),
    Parameter("depth", \.depth, .count(1...100), "The maximum number of steps to any entry.", example: "3"),
    Parameter(
      "mean", \.mean, .number(0...100),
      "The maximum mean number of steps to common actions, weighted by use, on each version.", example: "2.5"),
    Parameter(
      "drawing", \.drawing, ValueType<String>.writtenFile(expected: "a file for an SVG").optional,
      "The file for a drawing of the map.", example: "map.svg"),
  ]

  private struct Outcome {
    let run: MapCheck
    let map: SettingsMap
    let findings: [MapFinding]
    let routes: [(version: SystemVersion?, routes: MapRoutes)]
  }

  private static let rows: [MeasureRow<Outcome>] = [
    .count("map.offenders", "Entries and screens that break a rule, on any system version", unit: "offenders") {
      $0.findings.count
    },
    .count("map.entries", "Entries that can be reached on some system version", unit: "entries") { outcome in
      Set(outcome.routes.flatMap { $0.routes.routes.map(\.entry.id) }).count
    },
    .count("map.deepest", "The steps to the farthest entry, on any system version", unit: "steps") { outcome in
      outcome.routes.flatMap { $0.routes.routes.map(\.steps) }.max() ?? 0
    },
    .exact("map.meanSteps", "The mean steps to common actions weighted by use, on the worst version", unit: "steps") {
      $0.routes.compactMap(\.routes.meanSteps).max()
    },
  ]

  var measures: [Measure] { Self.rows.measures() }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised else { return .interrupted }
    let map = try MapFile.read(map)
    let versions = map.systems.isEmpty ? [nil] : map.systems.map(Optional.some)
    let outcome = Outcome(
      run: self, map: map, findings: map.findings(depth: depth, mean: mean),
      routes: versions.map { ($0, MapRoutes(map, on: $0)) })
    if let drawing { try TextFile.write(MapDrawing.svg(of: map, outcome.findings), to: drawing) }
    return ScenarioResult(
      measurements: Self.rows.measurements(in: outcome), data: Self.data(outcome), document: Self.document(outcome),
      files: [.init(name: "map.svg", content: MapDrawing.svg(of: map, outcome.findings))], cases: cases(outcome))
  }

  /// A test case for each entry and screen, at its line.
  private func cases(_ outcome: Outcome) -> [JUnitReport.Case] {
    let things = outcome.map.screens.flatMap { screen in
      [(screen.id, screen.name, screen.line)] + screen.entries.map { ($0.id, $0.name, $0.line) }
    }
    return ([("", "The map", 1)] + things).map { id, name, line in
      let own = outcome.findings.filter { $0.subject == id }
      return JUnitReport.Case(
        name: name, group: map,
        outcome: own.isEmpty
          ? .passed
          : .failed(message: own.map { "\($0.rule.rawValue): \($0.message)" }.joined(separator: "; "), details: ""),
        location: JUnitReport.Place(file: map, line: line))
    }
  }

  private static func systems(_ finding: MapFinding, _ map: SettingsMap) -> String {
    finding.systems.count == map.systems.count ? "all" : finding.systems.map(\.description).joined(separator: ", ")
  }

  private static func data(_ outcome: Outcome) -> JSONValue {
    [
      "offenders": .array(
        outcome.findings.map { one in
          [
            "rule": .string("\(one.rule)"), "subject": .string(one.subject), "line": .integer(one.line),
            "path": .array(one.path.map { .string($0) }), "message": .string(one.message),
            "systems": .array(one.systems.map { .string($0.description) }),
          ]
        }),
      "absent": .array(absent(outcome.map).map { .string($0.entry.id) }),
    ]
  }

  /// Entries that are missing on some system version, with those versions.
  private static func absent(_ map: SettingsMap) -> [(entry: SettingsMap.Entry, systems: [SystemVersion])] {
    map.screens.flatMap(\.entries).compactMap { entry in
      let without = map.systems.filter { !entry.exists(on: $0) }
      return without.isEmpty ? nil : (entry, without)
    }
  }

  private static func document(_ outcome: Outcome) -> Document {
    let (map, findings) = (outcome.map, outcome.findings)
    var blocks: [ReportBlock] = [
      .table(
        Table(
          ["system"], numbers: ["entries", "deepest", "mean steps"],
          rows: outcome.routes.map { version, ways in
            [
              version?.description ?? "any", "\(ways.routes.count)", "\(ways.routes.map(\.steps).max() ?? 0)",
              ways.meanSteps.map { NumberFormat.fixed($0, decimals: 2) } ?? "none",
            ]
          }))
    ]
    if !findings.isEmpty {
      blocks.append(
        .table(
          Table(
            ["what", "rule", "shortest way"], numbers: ["line"], ["systems", "to fix"],
            rows: findings.map { one in
              [
                one.subject.isEmpty ? map.name : one.subject, one.rule.rawValue, one.path.joined(separator: " > "),
                "\(one.line)", systems(one, map), one.message,
              ]
            })))
    }
    let hidden = absent(map)
    if !hidden.isEmpty {
      blocks.append(
        .part(
          "Entries that some system versions lack",
          [.list(hidden.map { "\($0.entry.name): not on \($0.systems.map(\.description).joined(separator: ", "))" })]))
    }
    return Document(
      [
        ReportSection(
          id: "map", title: "\(map.name): \(NumberFormat.counted(findings.count, "offender"))", blocks: blocks)
      ])
  }
}

/// Draws a map: a column for each screen, in the order of its steps from the start, with broken rules marked.
enum MapDrawing {
  static func svg(of map: SettingsMap, _ findings: [MapFinding]) -> String {
    let (wide, high) = (210, 22)
    let broken = Set(findings.map(\.subject))
    let routes = MapRoutes(map, on: map.systems.last)
    let height = 70 + high * ((map.screens.map { $0.entries.count + 1 }.max() ?? 0) + 1)
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(40 + wide * map.screens.count)" height="\#(height)" "#
        + #"role="img" font-family="'DejaVu Sans', Verdana, sans-serif" font-size="12">"#,
      "<title>\(XMLText.escaped(map.name))</title>",
      ##"<rect width="100%" height="100%" fill="#fbfaf6"/>"##,
    ]
    func text(_ x: Int, _ y: Int, _ text: String, _ style: String) {
      lines.append(#"<text x="\#(x)" y="\#(y)" \#(style)>\#(XMLText.escaped(text))</text>"#)
    }
    let depths = routes.routes.reduce(into: [String: Int]()) { $0[$1.entry.id] = $0[$1.entry.id] ?? $1.steps }
    for (column, screen) in map.screens.enumerated() {
      let x = 20 + wide * column
      let isTab = map.tabs.contains(screen.id)
      text(x, 40, (isTab ? "▣ " : "→ ") + screen.name, #"font-weight="bold" fill="\#(colour(broken, screen.id))""#)
      for (row, entry) in screen.entries.enumerated() {
        let steps = depths[entry.id].map(String.init) ?? "–"
        let mark = broken.contains(entry.id) ? "✗ " : entry.kind == .link ? "→ " : ""
        text(x, 64 + high * row, "\(steps)  \(mark)\(entry.name)", #"fill="\#(colour(broken, entry.id))""#)
      }
    }
    let foot = "Numbers are steps from the start; ▣ a tab, → a screen that opens, ✗ a broken rule."
    text(20, height - 14, foot, ##"fill="#525c68""##)
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private static func colour(_ broken: Set<String>, _ id: String) -> String {
    broken.contains(id) ? "#a3242b" : "#1d2329"
  }
}
