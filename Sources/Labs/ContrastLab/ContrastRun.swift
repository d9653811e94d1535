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
  /// The contexts chosen for modifiers, as `mode=dark, density=high`.
  var context: String?
  /// True if a pair that cannot be checked fails.
  var isStrict = false

  init() {}

  static let kind = "contrast.check"
  static let summary = "Checks the contrast of design tokens in every theme, and finds the nearest colours that pass."
  static let discussion = """
    Example: assay contrast check app.tokens.json --pairs app.pairs
    Example: assay contrast check app.tokens.json --pairs app.pairs --fix fixed.tokens.json --report

    The tokens are a file of the Design Tokens Format 2025.10 (.tokens, .tokens.json), a resolver file, in which each \
    context is a theme, or a file of Style Dictionary or Tokens Studio. The pairs are lines of a text file:

      on-* on *
      text.quiet on card over page
      "Button text" on "Button background"
      heading on page as large-text
      icon.* on card as graphic
      chart.* distinct

    A * stands for any text, the same on both sides of 'on'. A name with blanks stands in quotation marks. 'over' \
    names what lies below a translucent background, several times for several layers, the nearest first. Roles: text, \
    large-text, component, graphic, decoration. Without a file, pairs are proposed by names such as on-surface and \
    surface.

    The last line requires that the colours can be distinguished: with full vision, and with each colour-vision \
    deficiency, simulated by Brettel 1997, or by Machado 2009 at --severity.

    A pair with a value that is not computed, such as a gradient, or with a token that the theme lacks is counted as \
    not checked; --strict makes it fail.
    """
  static let isDrawn = false
  static let defaultThresholds = ["contrast.failing == 0", "contrast.indistinct == 0"]

  static let parameters: [Parameter<ContrastRun>] = [
    Parameter(
      "tokens", \.tokens, .text("file", expected: "a file of design tokens"), "The tokens to check.",
      example: "app.tokens.json", form: .positional, isRequired: true),
    Parameter(
      "pairs", \.pairs, ValueType<String>.text("file", expected: "a file of pairs").optional,
      "The pairs of foreground and background; proposed by names if there is no file.", example: "app.pairs"),
    Parameter("level", \.level, .choice, "The required level of WCAG 2.2.", example: "AAA"),
    Parameter("side", \.side, .choice, "The side of a failing pair to fix.", example: "background"),
    Parameter(
      "severity", \.severity, ValueType<Double>.share.optional,
      "The severity of the simulated deficiencies, by Machado 2009 (default: complete ones, by Brettel 1997).",
      example: "0.6"),
    Parameter(
      "difference", \.difference, .number(0...100),
      "The CIEDE2000 difference below which two colours count as too similar.", example: "5"),
    Parameter(
      "fix", \.fix, ValueType<String>.writtenFile(expected: "a file, or a folder for several").optional,
      "The file to write with failing values fixed and all other bytes unchanged; a folder if several files "
        + "are fixed, which keep their folders below the one that they share.", example: "fixed.tokens.json"),
    Parameter(
      "context", \.context,
      ValueType<String>.text("contexts", expected: "MODIFIER=CONTEXT, separated by commas").optional,
      "The contexts to check for some modifiers of a resolver file; for the others all contexts are checked.",
      example: "mode=dark"),
    Parameter("strict", \.isStrict, .flag, "A pair that cannot be checked, such as text on a gradient, fails."),
  ]

  private static let rows: [MeasureRow<ContrastOutcome>] = [
    .count("contrast.pairs", "Pairs of a foreground and a background, in all themes", unit: "pairs") {
      $0.check.findings.count
    },
    .count(
      "contrast.failing",
      "Pairs whose contrast is below the one that their role requires; if strict, also those that cannot be checked",
      unit: "pairs"
    ) { $0.failing.count + ($0.run.isStrict ? $0.check.unchecked.count : 0) },
    .count("contrast.unchecked", "Pairs that cannot be checked, such as text on a gradient", unit: "pairs") {
      $0.check.unchecked.count
    },
    .count(
      "contrast.unfixable", "Failing pairs for which no colour of the fixed side passes everywhere", unit: "pairs"
    ) { $0.failing.count { $0.fixed == nil } },
    .exact("contrast.lowest", "The lowest contrast of all pairs that require one") {
      $0.check.findings.filter { $0.minimum > 1 }.map(\.ratio).min()
    },
    .count(
      "contrast.indistinct", "Pairs of colours that are too similar, with full vision or a deficiency",
      unit: "pairs"
    ) { $0.check.indistinctCount },
    .count(
      "contrast.warnings",
      "Doubtful tokens: a hex of another colour, or a colour outside sRGB", unit: "tokens"
    ) { $0.warnings.count },
  ]

  var measures: [Measure] { Self.rows.measures() }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised else { return .interrupted }
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
    var texts = [tokens: try TextFile.read(tokens)]
    let themes = try self.themes(of: texts[tokens] ?? "") { path in
      let text = try? TextFile.read(path)
      texts[path] = text
      return text
    }
    let written = try pairs.map { try ContrastPairs(TextFile.read($0), file: $0) }
    let pairs = written ?? .proposed(for: themes)
    let check = check(themes, pairs)
    try refuse(check.problems, themes)
    guard !pairs.isEmpty else {
      throw ReportingError.badMember(
        file: tokens, field: "pairs", found: "no names that suggest a pair, such as on-surface and surface",
        expected: "a file of pairs by --pairs")
    }
    for file in check.filesToFix { texts[file] = check.fixed(texts[file] ?? "", file: file) }
    // What is reported is what the fixed files give: those in memory, and after --fix those that were written.
    var fixed = self.check(try self.themes(of: texts[tokens] ?? "") { texts[$0] }, pairs)
    if let fix {
      try refuse(fixed.problems, themes)
      // A pipe or a device cannot be read again.
      let locations = try write(check.filesToFix, of: texts, to: fix).filter { Self.isFile($0.value) }
      let read = try self.themes(of: locations[tokens].map(TextFile.read) ?? texts[tokens] ?? "") { path in
        locations[path].map { try? TextFile.read($0) } ?? texts[path]
      }
      fixed = self.check(read, pairs)
      try refuse(fixed.problems, themes)
    }
    return ContrastOutcome(
      run: self, check: check, themes: themes, proposals: written == nil ? pairs.lines : [],
      failingAfter: fixed.findings.count { !$0.passes } + fixed.problems.count)
  }

  private static func isFile(_ path: String) -> Bool {
    let location = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let kind = try? FileManager.default.attributesOfItem(atPath: location)[.type] as? FileAttributeType
    return kind == .typeRegular
  }

  /// Throws all problems, with the nearest name for one that no token has.
  private func refuse(_ problems: [ContrastError], _ themes: [TokenSet]) throws {
    guard !problems.isEmpty else { return }
    let names = themes.flatMap(\.tokens).map(\.path)
    throw InputProblems(
      problems.map { problem in
        ReportingError(problem, hint: problem.unknownName.map { Spelling.hint(for: $0, among: names) } ?? "")
      })
  }

  private func themes(of text: String, load: (String) -> String?) throws -> [TokenSet] {
    var contexts: [String: String] = [:]
    for part in context?.split(separator: ",") ?? [] {
      let words = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard words.count == 2, contexts.updateValue(words[1], forKey: words[0]) == nil else {
        throw ReportingError.badMember(
          file: tokens, field: "context", found: "'\(part.trimmingCharacters(in: .whitespaces))'",
          expected: "MODIFIER=CONTEXT, such as mode=dark, once for each modifier")
      }
    }
    return try TokenSet.themes(of: text, file: tokens, contexts: contexts, load: load)
  }

  private func check(_ themes: [TokenSet], _ pairs: ContrastPairs) -> ContrastCheck {
    ContrastCheck(
      themes, pairs: pairs, level: level, fixing: side, vision: vision, minDifference: difference)
  }

  var vision: DeficiencyModel { severity.map { .machado(severity: $0) } ?? .brettel }

  /// Writes files to a file or into a folder, and returns where each is.
  private func write(
    _ files: [String], of texts: [String: String], to fix: String
  ) throws(ReportingError) -> [String: String] {
    guard (try? FileManager.default.contentsOfDirectory(atPath: fix)) != nil else {
      guard files.count < 2 else {
        throw .badMember(
          file: fix, field: "fix", found: "\(files.count) files to fix: \(files.joined(separator: ", "))",
          expected: "a folder that is there, for all of them")
      }
      let file = files.first ?? tokens
      try TextFile.write(texts[file] ?? "", to: fix)
      return [file: fix]
    }
    // Below the folder that all files read share, so that two files of one name stay two.
    let folders = texts.keys.map { Self.parts($0).dropLast() }
    let first = folders.first ?? []
    let shared = first.indices.prefix { index in
      folders.allSatisfy { $0.indices.contains(index) && $0[index] == first[index] }
    }.count
    var locations: [String: String] = [:]
    for file in files.isEmpty ? [tokens] : files {
      let location = "\(fix)/\(Self.parts(file).dropFirst(shared).joined(separator: "/"))"
      let folder = location.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw .badMember(
          file: folder, field: "fix", found: error.localizedDescription, expected: "a folder to write to")
      }
      try TextFile.write(texts[file] ?? "", to: location)
      locations[file] = location
    }
    return locations
  }

  /// The names in the absolute path of a file, without `.` and `..`.
  private static func parts(_ file: String) -> [String] {
    URL(fileURLWithPath: file).standardizedFileURL.path.split(separator: "/").map(String.init)
  }
}
