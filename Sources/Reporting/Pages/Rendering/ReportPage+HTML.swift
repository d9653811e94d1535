// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios

extension ReportPage {
  /// The page as one HTML file that needs neither the network nor any other file. Equal pages give equal bytes.
  ///
  /// - Parameter drawing: gives the SVG of a figure, or `nil` where it cannot be drawn; the page then shows the
  ///   figure's data as a table. What an SVG holds beside drawing, such as scripts, makes it count as `nil`.
  /// - Returns: the HTML text.
  package func html(drawing: (Figure) -> String?) -> String {
    withoutActuallyEscaping(drawing) { drawing in
      var composer = BlockComposer(drawing: drawing)
      return PageTemplates.render("page", values(composer: &composer))
    }
  }

  /// The anchors that the page's own parts have.
  static let ownAnchors: Set<String> = [
    "top", "content", "contents", "thresholds", "again", "scenario", "facts", "announcement", "theme",
    "sign-holds", "sign-fails", "sign-undecided", "sign-incomplete",
  ]

  private func values(composer: inout BlockComposer) -> TemplateValues {
    let verdict = Verdict(judgement: judgement, thresholds: thresholds)
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
      "word": Verdict.word(for: judgement),
      "verdict": verdict.values,
      "sentence": verdict.sentence,
      "notice": notice,
      "contents": contents.map { ["anchor": $0.anchor, "title": $0.title] as TemplateValues },
      "thresholds": thresholds.isEmpty ? nil : thresholdValues(risk: verdict.risk),
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
        "judgement": Verdict.values(of: threshold.judgement),
        "remedy": hasRemedies ? [["text": threshold.remedy] as TemplateValues] : nil,
        "source": hasSources ? [["text": threshold.source] as TemplateValues] : nil,
      ]
    }
    return ["rows": rows, "hasRemedies": hasRemedies, "hasSources": hasSources, "risk": risk]
  }
}
