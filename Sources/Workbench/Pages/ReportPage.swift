// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios

/// The style and the script of every page, compiled into the program. The style names the palette's properties and no
/// colours; a page is whole without the script.
enum PageFile {
  static let style = text(PackageResources.page_css)
  static let script = text(PackageResources.page_js)

  /// The text without its last line end.
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.dropLast(), as: UTF8.self) }
}

/// The content of a report's page, from top to bottom.
package struct ReportPage: Hashable, Sendable {
  package struct Fact: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  package let title: String
  /// The verdict of all thresholds together; `nil` for a run that is not complete.
  package let verdict: Verdict?
  /// The reason why there is no verdict yet, or another notice at the top; empty for none.
  package let notice: String
  package let thresholds: [EvaluatedThreshold]
  package let sections: [ReportSection]
  package let scenario: String
  package let command: String
  package let facts: [Fact]
  /// The result of several runs in a sentence, in place of that of the thresholds.
  package var sentence: String?

  private var isOverview: Bool { sentence != nil }

  package init(
    title: String, verdict: Verdict?, notice: String = "", thresholds: [EvaluatedThreshold],
    sections: [ReportSection], scenario: String, command: String, facts: [Fact]
  ) {
    (self.title, self.verdict, self.notice, self.thresholds) = (title, verdict, notice, thresholds)
    (self.sections, self.scenario, self.command, self.facts) = (sections, scenario, command, facts)
  }
}

extension ReportPage {
  /// A section of the page, which its contents link to.
  typealias Part = (anchor: String, title: String, content: HTML)

  /// The page as one HTML file that needs neither the network nor any other file. Equal pages give equal bytes.
  ///
  /// A figure without a picture is shown as a table of its data.
  package func html(pictures: [Figure: FigurePicture] = [:]) -> String {
    var composer = BlockComposer(pictures: pictures)
    let parts = (thresholds.isEmpty ? [] : [evaluated]) + sections.map { composer.part(of: $0) } + about
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      \(head(colours: composer.colours.rules))<body\(class: isOverview ? "overview" : "")>
      \(Self.signs)<a class="skip" href="#content">Skip to the results</a>
      \(top)<nav id="contents" aria-label="Contents">
      <ul>
      \(parts.map { "<li><a href=\"#\($0.anchor)\">\($0.title)</a></li>\n" as HTML })</ul>
      </nav>
      <main id="content" tabindex="-1">
      \(parts.map { "<section id=\"\($0.anchor)\">\n<h2>\($0.title)</h2>\n\($0.content)</section>\n" as HTML })\
      \("<p class=\"risk\">No threshold was set, so the verdict is none.</p>\n", if: !isAsked)</main> <footer> \
      <p>Made by Assay \(Version.current). This file is complete: it needs neither the network nor any other file.</p> \
      </footer> <div id="announcement" class="sr" role="status"></div> <script>
      \(HTML(verbatim: PageFile.script))
      </script>
      </body>
      </html>

      """
    return page.text
  }

  static let ownAnchors: Set<String> = [
    "top", "content", "contents", "thresholds", "again", "scenario", "facts", "announcement", "theme",
    "sign-holds", "sign-fails", "sign-undecided", "sign-incomplete",
  ]

  private var badge: VerdictBadge { VerdictBadge(verdict: verdict, thresholds: thresholds) }

  private func head(colours: String) -> HTML {
    let (light, dark) = (HTML(verbatim: Palette.light.declarations), HTML(verbatim: Palette.dark.declarations))
    return """
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="Assay \(Version.current)">
      <link rel="icon" href="data:,">
      <title>\(title)\(isAsked ? ": \(VerdictBadge.word(for: verdict))" : "" as String)</title>
      <style>
      :root { color-scheme: light;
      \(light)}
      @media screen { :root[data-mode="dark"] { color-scheme: dark;
      \(dark)} }
      @media screen and (prefers-color-scheme: dark) { :root:not([data-mode="light"]) { color-scheme: dark;
      \(dark)} }
      \(HTML(verbatim: PageFile.style))
      \(HTML(verbatim: FigurePicture.rules()))
      \(HTML(verbatim: colours))
      </style>
      </head>

      """
  }

  /// Signs whose shapes differ, so that they are distinguished without their colours.
  private static let signs: HTML = """
    <svg class="signs" aria-hidden="true" focusable="false" width="0" height="0">
    <symbol id="sign-holds" viewBox="0 0 20 20"><circle cx="10" cy="10" r="8.6"/>\
    <path d="M5.9 10.4l2.9 2.9 5.4-6.2"/></symbol>
    <symbol id="sign-fails" viewBox="0 0 20 20"><path d="M6.6 1.6h6.8l5 5v6.8l-5 5H6.6l-5-5V6.6z"/>\
    <path d="M6.9 6.9l6.2 6.2m0-6.2l-6.2 6.2"/></symbol>
    <symbol id="sign-undecided" viewBox="0 0 20 20"><path d="M10 1.2l8.8 8.8-8.8 8.8L1.2 10z"/>\
    <path d="M7.9 8.2c.1-2.9 4.4-2.7 4.2 0-.1 1.5-2.1 1.6-2.1 3.2m0 2.4v.5"/></symbol>
    <symbol id="sign-incomplete" viewBox="0 0 20 20"><circle cx="10" cy="10" r="8.6" stroke-dasharray="3.2 2.2"/>\
    <path d="M10 5.4v5l3.2 2"/></symbol>
    </svg>

    """

  private var top: HTML {
    """
    <header class="top" id="top">
    <p class="over"><span>\(isOverview ? "Assay runs" : "Assay report")</span> \
    <button type="button" id="theme" data-script hidden>Dark colours</button></p>
    <h1>\(title)</h1>
    \(standing, if: isAsked)\("<p class=\"notice\">\(notice)</p>\n", if: !notice.isEmpty)</header>

    """
  }

  /// True if there is a verdict to show; a complete run without thresholds has none.
  private var isAsked: Bool { isOverview || verdict != .unasked }

  private var standing: HTML {
    """
    <p class="verdict \(VerdictBadge.style(of: verdict))">\(VerdictBadge.sign(of: verdict))\
    <strong>\(VerdictBadge.word(for: verdict))</strong>
    <span>\(sentence ?? badge.sentence)</span></p>

    """
  }

  /// The command, the scenario and the facts, if there are any.
  private var about: [Part] {
    var parts: [Part] = []
    if !command.isEmpty {
      let code = BlockComposer.code(command, label: "The command that runs it again")
      parts.append(("again", "Run it again", code))
    }
    if !scenario.isEmpty {
      let code = BlockComposer.code(scenario, label: "The scenario as resolved, in YAML")
      parts.append(("scenario", "The scenario", code))
    }
    if !facts.isEmpty {
      let list = facts.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>\n" as HTML }
      parts.append(("facts", "About this run", "<dl class=\"facts\">\n\(list)</dl>\n"))
    }
    return parts
  }

  /// The thresholds, those that fail first, then those that are undecided.
  private var evaluated: Part {
    let optional: [(title: String, value: (EvaluatedThreshold) -> String)] = [
      ("Samples needed to decide it", \.advice), ("Source", \.source),
    ]
    let shown = optional.filter { column in thresholds.contains { !column.value($0).isEmpty } }
    let rows = thresholds.worstFirst.map { one -> HTML in
      """
      <tr><th scope="row"><code>\(one.text)</code>\
      \(" <span class=\"line\">line \(one.line)</span>", if: one.line > 0)</th>\
      <td data-label="Found">\(one.found)</td><td data-label="Verdict">\(VerdictBadge.html(of: one.verdict))</td>\
      \(shown.map { "<td data-label=\"\($0.title)\">\($0.value(one))</td>" as HTML })</tr>

      """
    }
    let heads = (["Threshold", "Found", "Verdict"] + shown.map(\.title)).map { "<th scope=\"col\">\($0)" as HTML }
    let table: HTML = """
      <table class="thresholds">
      <caption><span>The thresholds and what was found</span></caption>
      <thead><tr>\(heads)
      </thead>
      <tbody>
      \(rows)</tbody>
      </table>

      """
    let scroll = BlockComposer.scroll("The thresholds and what was found", table)
    return ("thresholds", "Thresholds", "\(scroll)<p class=\"risk\">\(badge.risk)</p>\n")
  }
}

/// The badge at the top of a page: a word with its sign and a sentence that gives the reason.
struct VerdictBadge {
  let verdict: Verdict?
  let thresholds: [EvaluatedThreshold]

  /// The sign and the word.
  static func html(of verdict: Verdict) -> HTML {
    "<span class=\"badge \(style(of: verdict))\">\(sign(of: verdict)) \(word(for: verdict))</span>"
  }

  static func style(of verdict: Verdict?) -> String {
    verdict.flatMap { $0 == .unasked ? nil : $0.rawValue } ?? "incomplete"
  }

  static func sign(of verdict: Verdict?) -> HTML {
    "<svg class=\"sign\" aria-hidden=\"true\" focusable=\"false\"><use href=\"#sign-\(style(of: verdict))\"/></svg>"
  }

  /// The verdict in a word, a failure in capitals.
  static func word(for verdict: Verdict?) -> String {
    switch verdict {
    case .holds: "holds"
    case .fails: "FAILS"
    case .undecided: "undecided"
    case .unasked: "none"
    case nil: "incomplete"
    }
  }

  /// The numbers of thresholds by verdict, and for the first that fail the figure and the requirement.
  var sentence: String {
    let failing = thresholds.filter { $0.verdict == .fails }
    let named = failing.prefix(3).map { one in
      let asked = one.text.drop { !$0.isWhitespace }.drop(while: \.isWhitespace)
      return "\(one.measurement) is \(one.found), where \(asked) was asked"
    }
    guard verdict != nil, !named.isEmpty else { return counts }
    return counts + " " + named.joined(separator: "; ") + (failing.count > named.count ? "; and more." : ".")
  }

  private var counts: String {
    guard verdict != nil else { return "The run is not complete, so there is no verdict." }
    let counts = Verdict.worstFirst.compactMap { verdict in
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

  /// The sum of the verdicts' error probabilities, in a sentence; empty without thresholds. If the sum is 0, counts may
  /// still depend on random draws, so the sentence is empty.
  var risk: String {
    let sum = thresholds.reduce(0) { $0 + $1.errorProbability }
    if thresholds.isEmpty { return "" }
    if sum <= 0 {
      return "These verdicts are about values that were computed, or counted in this run, and state no confidence: if "
        + "the run draws at random, another seed may give other counts."
    }
    return "Before any sampling, the probability that any of these verdicts would be wrong was "
      + "\(Self.bound(sum)): the sum of their error probabilities."
  }

  /// An upper bound of two digits, never below the number.
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
    case .undecided, .unasked: count == 1 ? "is undecided" : "are undecided"
    }
  }
}
