// SPDX-License-Identifier: GPL-3.0-or-later
internal import ContrastCore
internal import Foundation
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// The pairs of a token file in all its themes, checked by WCAG 2.2.
struct ContrastRun: Experiment {
  var tokens = ""
  var pairs: String?
  var level = ContrastLevel.aa
  var side = MendedSide.foreground
  /// The severity of the simulated deficiencies, 0 to 1; nil for complete ones.
  var severity: Double?
  /// The smallest CIEDE2000 difference at which two colours count as distinguished.
  var difference = 10.0
  var fix: String?

  init() {}

  static let kind = "contrast.check"
  static let summary = "Checks the contrast of design tokens in every theme, and finds the nearest colours that pass."
  static let discussion = """
    Example: assay contrast check app.tokens.json --pairs app.pairs
    Example: assay contrast check app.tokens.json --pairs app.pairs --fix mended.tokens.json --report

    The tokens are a file of the Design Tokens Format 2025.10 (.tokens, .tokens.json), a resolver file, in which each \
    context is a theme, or a file of Style Dictionary or Tokens Studio. The pairs are lines of a text file:

      on-* on *
      text.quiet on card over page
      heading on page as large-text
      icon.* on card as graphic
      chart.* distinct

    A * stands for any text, the same on both sides of 'on'. Roles: text, large-text, component, graphic, decoration. \
    Without a file, pairs are proposed by names such as on-surface and surface.

    The last line requires that the colours can be distinguished: with full vision, and with each colour-vision \
    deficiency, simulated by Brettel 1997, or by Machado 2009 at --severity.
    """
  static let isDrawn = false
  static let usualThresholds = ["contrast.failing == 0", "contrast.indistinct == 0"]

  static let parameters: [Parameter<ContrastRun>] = [
    Parameter(
      "tokens", \.tokens, .text("file", expected: "a file of design tokens"), "The tokens to check.",
      example: "app.tokens.json", form: .positional, isRequired: true),
    Parameter(
      "pairs", \.pairs, ValueType<String>.text("file", expected: "a file of pairs").optional,
      "The pairs of foreground and background; proposed by names if there is no file.", example: "app.pairs"),
    Parameter("level", \.level, .choice, "The required level of WCAG 2.2.", example: "AAA"),
    Parameter("mend", \.side, .choice, "The side of a failing pair to mend.", example: "background"),
    Parameter(
      "severity", \.severity, ValueType<Double>.share.optional,
      "How severe the simulated deficiencies are, by Machado 2009; if not given they are complete, by Brettel 1997.",
      example: "0.6"),
    Parameter(
      "difference", \.difference, .number(0...100),
      "The CIEDE2000 difference below which two colours count as too similar.", example: "5"),
    Parameter(
      "fix", \.fix, ValueType<String>.writtenFile(expected: "a file, or a folder for several").optional,
      "The file to write with failing values mended and all other bytes unchanged; a folder if several files "
        + "are mended.", example: "mended.tokens.json"),
  ]

  private static let rows: [MeasureRow<ContrastOutcome>] = [
    .count("contrast.pairs", "Pairs of a foreground and a background, in all themes", unit: "pairs") {
      $0.check.findings.count
    },
    .count("contrast.failing", "Pairs whose contrast is below the one that their role requires", unit: "pairs") {
      $0.failing.count
    },
    .count(
      "contrast.unmendable", "Failing pairs for which no colour of the mended side passes everywhere", unit: "pairs"
    ) { $0.failing.count { $0.mended == nil } },
    .exact("contrast.lowest", "The lowest contrast of all pairs that require one") {
      $0.check.findings.filter { $0.least > 1 }.map(\.ratio).min()
    },
    .count(
      "contrast.indistinct", "Pairs of colours that are too similar, with full vision or a deficiency",
      unit: "pairs"
    ) { $0.check.indistinct.count },
    .count(
      "contrast.warnings",
      "Doubtful tokens: a hex of another colour, or a colour outside sRGB", unit: "tokens"
    ) { $0.warnings.count },
  ]

  var measures: [Measure] { Self.rows.measures() }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised else { return ScenarioResult(measurements: [], isComplete: false) }
    do {
      let outcome = try outcome()
      return ScenarioResult(
        measurements: Self.rows.measurements(in: outcome), data: outcome.data, document: outcome.document,
        cases: outcome.cases)
    } catch let error as ContrastError {
      throw ReportingError(error)
    }
  }

  private func outcome() throws -> ContrastOutcome {
    var texts = [tokens: try Self.text(tokens)]
    let themes = try TokenSet.themes(of: texts[tokens] ?? "", file: tokens) { path in
      let text = try? Self.text(path)
      texts[path] = text
      return text
    }
    let written = try pairs.map { try ContrastPairs(Self.text($0), file: $0) }
    let pairs = written ?? .proposed(for: themes)
    let check = check(themes, pairs)
    let problems = check.problems.map { ReportingError($0) }
    guard problems.isEmpty else { throw InputProblems(problems) }
    guard !pairs.isEmpty else {
      throw ReportingError.badMember(
        file: tokens, field: "pairs", found: "no names that suggest a pair, such as on-surface and surface",
        expected: "a file of pairs by --pairs")
    }
    for file in check.filesToMend { texts[file] = check.mended(texts[file] ?? "", file: file) }
    let mended = try TokenSet.themes(of: texts[tokens] ?? "", file: tokens) { texts[$0] }
    let outcome = ContrastOutcome(
      run: self, check: check, themes: themes, proposals: written == nil ? pairs.lines : [],
      failingAfter: self.check(mended, pairs).findings.count { !$0.passes })
    if let fix { try write(check.filesToMend, of: texts, to: fix) }
    return outcome
  }

  private func check(_ themes: [TokenSet], _ pairs: ContrastPairs) -> ContrastCheck {
    ContrastCheck(
      themes, pairs: pairs, level: level, mending: side, vision: vision, leastDifference: difference)
  }

  var vision: DeficiencyModel { severity.map { .machado(severity: $0) } ?? .brettel }

  private static func text(_ path: String) throws(ReportingError) -> String {
    try TextFile.read(path == "-" ? "/dev/stdin" : path)
  }

  private func write(_ files: [String], of texts: [String: String], to fix: String) throws(ReportingError) {
    guard (try? FileManager.default.contentsOfDirectory(atPath: fix)) != nil else {
      guard files.count < 2 else {
        throw .badMember(
          file: fix, field: "fix", found: "\(files.count) files to mend: \(files.joined(separator: ", "))",
          expected: "a folder that is there, for all of them")
      }
      return try TextFile.write(texts[files.first ?? tokens] ?? "", to: fix)
    }
    for file in files.isEmpty ? [tokens] : files {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      try TextFile.write(texts[file] ?? "", to: "\(fix)/\(name)")
    }
  }
}
