// SPDX-License-Identifier: GPL-3.0-or-later
internal import ContrastCore
internal import Reporting
internal import Scenarios

/// The result of a check, as a report, test cases and measures.
struct ContrastOutcome: Sendable {
  let run: ContrastRun
  let check: ContrastCheck
  let themes: [TokenSet]
  /// The lines of the pairs proposed by names; empty if a file gave the pairs.
  let proposals: [String]
  /// The number of pairs that fail after all fixes.
  let failingAfter: Int

  var failing: [ContrastFinding] { check.findings.filter { !$0.passes } }

  /// Each doubtful token, once.
  var warnings: [(token: ColourToken, text: String)] {
    var known: Set<[String]> = []
    return themes.flatMap(\.tokens).flatMap { token in token.warnings.map { (token, $0) } }
      .filter { known.insert([$0.token.file, "\($0.token.line)", $0.token.path, $0.1]).inserted }
  }

  /// A test case for each pair and for each two colours that are too similar, at the line of the token to change.
  var cases: [JUnitReport.Case] {
    let pairs = check.findings.map { one in
      let token = check.side == .foreground ? one.foreground : one.background
      let outcome: JUnitReport.Outcome =
        one.passes
        ? .passed
        : .failed(
          message: "\(Contrasts.shown(one.ratio)), and \(one.role.rawValue) needs \(one.needed); \(fix(one))",
          details: "\(token.file):\(token.line): \(token.path) is \(token.colour.mapped.hex)")
      return JUnitReport.Case(
        name: "\(one.foreground.path) on \(one.background.path)\(Self.suffix(one.theme))", group: run.tokens,
        outcome: outcome, location: JUnitReport.Place(file: token.file, line: token.line))
    }
    let distinct = check.indistinct.map { one in
      JUnitReport.Case(
        name:
          "\(one.first.path) apart from \(one.second.path)\(Self.suffix(one.theme)), \(Self.vision(one.deficiency))",
        group: run.tokens,
        outcome: .failed(message: "\(Self.apart(one)), and \(run.difference) is needed", details: ""),
        location: JUnitReport.Place(file: one.second.file, line: one.second.line))
    }
    let unchecked = check.unchecked.map { one in
      JUnitReport.Case(
        name: [one.foreground, one.background].compactMap(\.self).joined(separator: " on ") + Self.suffix(one.theme),
        group: run.tokens,
        outcome: .failed(message: "not checked: \(one.token.path): \(one.token.reason)", details: ""),
        location: JUnitReport.Place(file: one.token.file, line: one.token.line))
    }
    return pairs + distinct + (run.isStrict ? unchecked : [])
  }

  private static func suffix(_ theme: String) -> String { theme.isEmpty ? "" : " (\(theme))" }

  private static func vision(_ deficiency: ColourDeficiency?) -> String { deficiency?.rawValue ?? "full vision" }

  private static func apart(_ one: IndistinctColours) -> String {
    "they differ by \(NumberFormat.fixed(one.difference, decimals: 1))"
  }

  private func fix(_ one: ContrastFinding) -> String {
    one.fixed.map { "the nearest \(check.side.rawValue) that passes is \($0.hex)" }
      ?? "no \(check.side.rawValue) passes in all its pairs"
  }

  var data: JSONValue {
    [
      "pairs": .array(check.findings.map(\.json)), "failingAfterFixing": .integer(failingAfter),
      "unchecked": .array(
        check.unchecked.map { one in
          [
            "theme": .string(one.theme), "foreground": .string(one.foreground),
            "background": one.background.map { .string($0) } ?? .null, "token": .string(one.token.path),
            "file": .string(one.token.file), "line": .integer(one.token.line), "reason": .string(one.token.reason),
          ]
        }),
      "distinctPairs": .integer(check.distinctPairs), "indistinctPairs": .integer(check.indistinctCount),
      "indistinct": .array(
        check.indistinct.map { one in
          [
            "theme": .string(one.theme), "first": .string(one.first.path), "second": .string(one.second.path),
            "vision": .string(Self.vision(one.deficiency)), "difference": .number(one.difference),
          ]
        }),
      "warnings": .array(
        warnings.map { token, text in
          [
            "token": .string(token.path), "file": .string(token.file), "line": .integer(token.line),
            "warning": .string(text),
          ]
        }),
    ]
  }

  // MARK: What people read

  /// The most pairs that the report draws as people see them, failing ones first.
  private static let maxSeen = 60
  /// The most pairs of colours that are not distinguished, and of tokens that are left out, in the report.
  private static let maxListed = 200

  var document: Document {
    let (pairs, names) = (check.findings.count, themes.map(\.theme).filter { !$0.isEmpty })
    let themed = names.isEmpty ? "" : " in \(NumberFormat.counted(names.count, "theme"))"
    let unchecked = check.unchecked.count
    let rest =
      unchecked == 0
      ? "" : "; \(pairs) of \(NumberFormat.counted(pairs + unchecked, "pair")) checked, \(unchecked) cannot be"
    let compared = NumberFormat.counted(check.distinctPairs, "pair") + " of colours to be distinguished"
    let title =
      pairs + unchecked == 0 && check.distinctPairs > 0
      ? compared
      : "\(failing.count) of \(NumberFormat.counted(pairs, "pair"))\(themed) below WCAG 2.2 "
        + "\(run.level.rawValue)\(rest)"
    var blocks: [ReportBlock] = [.paragraph(origin)]
    if !failing.isEmpty { blocks += [.table(table(failing)), .paragraph(advice)] }
    blocks += distinct + notChecked
    if !warnings.isEmpty {
      blocks.append(
        .part(
          "Doubtful tokens",
          [.list(warnings.map { "\($0.file):\($0.line): \($0.path): \($1)" })]))
    }
    if !proposals.isEmpty {
      blocks.append(
        .code(proposals.joined(separator: "\n"), label: "The pairs that names suggest, to keep in a file for --pairs"))
    }
    return Document(
      [
        ReportSection(id: "contrast", title: title, blocks: blocks),
        ReportSection(id: "seen", title: "As people see them", blocks: seen, isEvidence: true),
        ReportSection(
          id: "pairs", title: "All pairs", blocks: [.table(table(check.findings))], isEvidence: true),
      ], data: Table(records: check.findings.map(\.json)))
  }

  /// The tokens whose values are not read, and the number of their pairs.
  private var notChecked: [ReportBlock] {
    let all = Dictionary(grouping: check.unchecked, by: \.token)
    // Each token, with its pairs, in the order of the check.
    var known: Set<LeftOutToken> = []
    let tokens = check.unchecked.map(\.token).filter { known.insert($0).inserted }
    let others = themes.flatMap(\.leftOut).filter { $0.isColour && known.insert($0).inserted }
    guard !known.isEmpty else { return [] }
    let lines = (tokens + others).prefix(Self.maxListed).map { token in
      let pairs = all[token].map { "in " + NumberFormat.counted($0.count, "pair") } ?? "in no pair"
      return "\(token.file):\(token.line): \(token.path): \(token.reason), \(pairs)"
    }
    let more = known.count - lines.count
    return [
      .part(
        "Not checked",
        [
          .paragraph(
            "Values that are not computed, such as gradients, and tokens that a theme lacks are left out."
              + (more > 0 ? " The first \(lines.count) of \(known.count) are listed." : "")), .list(lines),
        ])
    ]
  }

  private var origin: String {
    let named = Set(check.findings.flatMap { [$0.foreground.file, $0.background.file] })
    let files = (named.isEmpty ? Set(themes.flatMap(\.tokens).map(\.file)) : named).sorted()
    let lowest = check.findings.filter { $0.minimum > 1 }.min { $0.ratio < $1.ratio }
    let minimum = lowest.map {
      " The lowest contrast is \(Contrasts.shown($0.ratio)), \($0.foreground.path) on \($0.background.path)"
        + "\(Self.suffix($0.theme))."
    }
    return "\(files.joined(separator: ", ")): \(NumberFormat.counted(themes.first?.tokens.count ?? 0, "colour"))."
      + (minimum ?? "")
  }

  /// The line of a token, with its file where that is not the file that was asked for.
  private func location(_ token: ColourToken) -> String {
    token.file == run.tokens ? "\(token.line)" : "\(token.file):\(token.line)"
  }

  private var advice: String {
    let none = failing.count { $0.fixed == nil }
    let unfixable =
      none == 0
      ? "" : " For \(NumberFormat.counted(none, "pair")) no \(check.side.rawValue) passes in all its pairs and themes."
    return
      "'fixed' is the nearest colour by CIEDE2000 that passes in all pairs and themes of the token; it keeps the hue "
      + "if that makes no visible difference.\(unfixable) With every fixed value, \(failingAfter) of "
      + "\(NumberFormat.counted(check.findings.count,"pair")) fail."
  }

  private var distinct: [ReportBlock] {
    guard check.distinctPairs > 0 else { return [] }
    let model = run.severity.map { "by Machado 2009 at \(NumberFormat.percent($0, decimals: 0))" } ?? "by Brettel 1997"
    let text =
      "\(NumberFormat.counted(check.distinctPairs, "pair")) of colours to be distinguished, deficiencies simulated "
      + "\(model): \(check.indistinctCount) differ by less than \(NumberFormat.shortest(run.difference)) (CIEDE2000)."
    guard !check.indistinct.isEmpty else { return [.paragraph(text)] }
    let more =
      check.indistinctCount > Self.maxListed
      ? " The first \(Self.maxListed) are listed; JSON has \(check.indistinct.count)." : ""
    let rows = check.indistinct.prefix(Self.maxListed).map { one in
      [
        one.theme, one.first.path, one.second.path, Self.vision(one.deficiency),
        NumberFormat.fixed(one.difference, decimals: 1),
      ]
    }
    return [
      .part(
        "Colours that are not distinguished",
        [
          .paragraph(text + more),
          .table(Table(["theme", "one", "other", "seen with"], numbers: ["difference"], rows: rows)),
        ])
    ]
  }

  private func table(_ findings: [ContrastFinding]) -> Table {
    Table(
      ["theme", "foreground", "background", "role"], numbers: ["contrast", "needs"], ["colours", "fixed", "line"],
      rows: findings.map { one in
        let token = check.side == .foreground ? one.foreground : one.background
        return [
          one.theme, one.foreground.path, one.background.path, one.role.rawValue, Contrasts.shown(one.ratio),
          one.needed,
          "\(one.seen.foreground.hex) on \(one.seen.background.hex)",
          one.passes ? "" : one.fixed?.hex ?? "none", location(token),
        ]
      })
  }

  private var seen: [ReportBlock] {
    let shown = (failing + check.findings.filter(\.passes)).prefix(Self.maxSeen)
    let groups = themes.map(\.theme).compactMap { theme in
      let rows = shown.filter { $0.theme == theme }.flatMap(rows)
      return rows.isEmpty ? nil : ReportGrid.Group(title: theme.isEmpty ? "All pairs" : theme, rows: rows)
    }
    let model = run.severity.map { "Machado 2009 at \(NumberFormat.percent($0, decimals: 0))" } ?? "Brettel 1997"
    let rest = check.findings.count - shown.count
    let more = rest > 0 ? " \(NumberFormat.counted(rest, "pair")) more are in the table below." : ""
    return [
      .grid(
        ReportGrid(
          id: "contrast-seen",
          caption: "Each square has the colours of a pair, as somebody with full vision and with each deficiency sees "
            + "them (\(model)), and its contrast then.\(more)",
          columnsTitle: "Seen with", columns: Self.visions.map(Self.vision), groups: groups, legend: []))
    ]
  }

  private static let visions: [ColourDeficiency?] = [nil] + ColourDeficiency.allCases

  /// The row of a pair and, below it, the row of the fixed pair.
  private func rows(_ one: ContrastFinding) -> [ReportGrid.Row] {
    let name = "\(one.foreground.path) on \(one.background.path)"
    let row = row(one.passes ? name : name + ", fails", one, one.seen)
    guard let fixed = one.fixed else { return [row] }
    let seen = check.side == .foreground ? (fixed, one.seen.background) : (one.seen.foreground, fixed)
    return [row, self.row(name + ", fixed", one, seen)]
  }

  private func row(
    _ title: String, _ one: ContrastFinding, _ seen: (foreground: ContrastCore.Colour, background: ContrastCore.Colour)
  ) -> ReportGrid.Row {
    ReportGrid.Row(
      title: title,
      cells: Self.visions.map { deficiency in
        let colours = [seen.foreground, seen.background].map { colour in
          deficiency.map { colour.simulated($0, run.vision) } ?? colour
        }
        let ratio = Contrasts.shown(Contrast.ratio(of: colours[0], on: colours[1]))
        let name = "\(title)\(Self.suffix(one.theme)), \(Self.vision(deficiency))"
        let values = [("foreground", colours[0].hex), ("background", colours[1].hex), ("contrast", ratio)]
        return ReportGrid.Cell(
          text: ratio, name: "\(name): \(ratio)", colour: colours[1].shown, ink: colours[0].shown,
          detail: ReportTable(
            caption: name,
            Table(
              ["what"], numbers: ["value"],
              rows: (values + [("needs, as \(one.role.rawValue)", one.needed)]).map { [$0.0, $0.1] })))
      })
  }
}

extension ContrastFinding {
  fileprivate var needed: String { NumberFormat.shortest(minimum) }

  fileprivate var json: JSONValue {
    [
      "theme": .string(theme), "foreground": .string(foreground.path), "background": .string(background.path),
      "role": .string(role.rawValue), "ratio": .number(ratio), "least": .number(minimum), "passes": .bool(passes),
      "foregroundColour": .string(seen.foreground.hex), "backgroundColour": .string(seen.background.hex),
      "fixed": fixed.map { .string($0.hex) } ?? .null, "file": .string(foreground.file),
      "line": .integer(foreground.line),
    ]
  }
}
