// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios

/// What a report's page shows, from above to below.
package struct ReportPage: Hashable, Sendable {
  package struct Fact: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  package let title: String
  /// What all thresholds come to; `nil` for a run that is not complete.
  package let verdict: Verdict?
  /// Why there is no verdict yet, or what else must be said first; empty for nothing.
  package let notice: String
  package let thresholds: [EvaluatedThreshold]
  package let sections: [ReportSection]
  package let scenario: String
  package let command: String
  package let facts: [Fact]

  package init(
    title: String, verdict: Verdict?, notice: String = "", thresholds: [EvaluatedThreshold],
    sections: [ReportSection], scenario: String, command: String, facts: [Fact]
  ) {
    (self.title, self.verdict, self.notice, self.thresholds) = (title, verdict, notice, thresholds)
    (self.sections, self.scenario, self.command, self.facts) = (sections, scenario, command, facts)
  }
}

extension ReportPage {
  /// The page as one HTML file that needs neither the network nor any other file. Equal pages give equal bytes.
  ///
  /// A figure without a picture is shown as a table of its data.
  package func html(pictures: [Figure: FigurePicture] = [:]) -> String {
    var composer = BlockComposer(pictures: pictures)
    return PageTemplates.render("page", values(composer: &composer))
  }

  static let ownAnchors: Set<String> = [
    "top", "content", "contents", "thresholds", "again", "scenario", "facts", "announcement", "theme",
    "sign-holds", "sign-fails", "sign-undecided", "sign-incomplete",
  ]

  private func values(composer: inout BlockComposer) -> TemplateValues {
    let badge = VerdictBadge(verdict: verdict, thresholds: thresholds)
    let parts = sections.map { composer.values(of: $0) }
    var contents: [(anchor: String, title: String)] = parts.map { ($0.anchor, $0.title) }
    if !thresholds.isEmpty { contents.insert(("thresholds", "Thresholds"), at: 0) }
    if !command.isEmpty { contents.append(("again", "Run it again")) }
    if !scenario.isEmpty { contents.append(("scenario", "The scenario")) }
    if !facts.isEmpty { contents.append(("facts", "About this run")) }
    return [
      "title": title,
      "version": Version.current,
      "style": PageTemplates.style,
      "script": PageTemplates.script,
      "light": Palette.light.declarations,
      "dark": Palette.dark.declarations,
      "colours": composer.colours.rules,
      "word": VerdictBadge.word(for: verdict),
      "verdict": badge.values,
      "sentence": badge.sentence,
      "notice": notice,
      "contents": contents.map { ["anchor": $0.anchor, "title": $0.title] as TemplateValues },
      "thresholds": thresholds.isEmpty ? nil : thresholdValues(risk: badge.risk),
      "sections": parts.map(\.values),
      "command": command.isEmpty ? nil : BlockComposer.code(command, label: "The command that runs it again"),
      "scenario": scenario.isEmpty ? nil : BlockComposer.code(scenario, label: "The scenario as resolved, in YAML"),
      "facts": facts.isEmpty ? nil : ["list": facts.map(Self.values)] as TemplateValues,
    ]
  }

  private static func values(of fact: Fact) -> TemplateValues { ["name": fact.name, "value": fact.value] }

  private func thresholdValues(risk: String) -> TemplateValues {
    let hasRemedies = thresholds.contains { !$0.remedy.isEmpty }
    let hasSources = thresholds.contains { !$0.source.isEmpty }
    let rows = thresholds.map { threshold -> TemplateValues in
      [
        "text": threshold.text,
        "line": threshold.line > 0 ? String(threshold.line) : nil,
        "found": threshold.found,
        "verdict": VerdictBadge.values(of: threshold.verdict),
        "remedy": hasRemedies ? [["text": threshold.remedy] as TemplateValues] : nil,
        "source": hasSources ? [["text": threshold.source] as TemplateValues] : nil,
      ]
    }
    return ["rows": rows, "hasRemedies": hasRemedies, "hasSources": hasSources, "risk": risk]
  }
}

/// What stands at the top of a page: a word with its sign and a sentence that says how it comes about.
struct VerdictBadge {
  let verdict: Verdict?
  let thresholds: [EvaluatedThreshold]

  var values: TemplateValues { Self.values(of: verdict) }

  static func values(of verdict: Verdict?) -> TemplateValues {
    ["style": verdict?.rawValue ?? "incomplete", "word": word(for: verdict)]
  }

  /// The verdict in a word; what fails is loud.
  static func word(for verdict: Verdict?) -> String {
    switch verdict {
    case .holds: "holds"
    case .fails: "FAILS"
    case .undecided: "undecided"
    case nil: "incomplete"
    }
  }

  var sentence: String {
    guard verdict != nil else { return "The run is not complete, so there is no verdict." }
    guard !thresholds.isEmpty else { return "The scenario sets no thresholds, so nothing was asked of the run." }
    let counts = [Verdict.fails, .undecided, .holds].compactMap { verdict in
      let count = thresholds.count { $0.verdict == verdict }
      return count == 0 ? nil : (count, verdict)
    }
    if let (count, verdict) = counts.first, counts.count == 1 {
      let verb = Self.verb(for: verdict, count: count)
      return count == 1 ? "The threshold \(verb)." : "All \(NumberFormat.grouped(count)) thresholds \(verb)."
    }
    let parts = counts.map { "\(NumberFormat.grouped($0)) \(Self.verb(for: $1, count: $0))" }
    let start = parts.dropLast().joined(separator: ", ")
    return "Of \(NumberFormat.grouped(thresholds.count)) thresholds, \(start) and \(parts.last ?? "")."
  }

  /// The sum of the verdicts' error probabilities, in a sentence; empty without thresholds.
  var risk: String {
    let sum = thresholds.reduce(0) { $0 + $1.errorProbability }
    if thresholds.isEmpty { return "" }
    if sum <= 0 { return "All of it is computed or counted: chance has no part in these verdicts." }
    return "Before any sampling, the chance that even one of these verdicts would come out wrong was "
      + "\(Self.bound(sum)): the sum of their error probabilities."
  }

  /// An upper bound in two digits, never below the number itself.
  static func bound(_ probability: Double) -> String {
    if probability >= 1 { return "not bounded by anything below 1" }
    for decimals in 2...8 {
      let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
      // A sum such as 0.01 + 0.02 lies a few billionths of a billionth above 0.03 and is still 0.03.
      let digits = (probability * scale * (1 - 1e-12)).rounded(.up)
      if digits >= 10 { return "at most " + trimmed(NumberFormat.fixed(digits / scale, decimals: decimals)) }
    }
    return "below 0.0000001"
  }

  private static func trimmed(_ digits: String) -> String {
    digits.hasSuffix("0") ? String(digits.dropLast()) : digits
  }

  private static func verb(for verdict: Verdict, count: Int) -> String {
    switch verdict {
    case .holds: count == 1 ? "holds" : "hold"
    case .fails: count == 1 ? "fails" : "fail"
    case .undecided: count == 1 ? "is undecided" : "are undecided"
    }
  }
}
