// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore
package import Reporting

/// What is worth saying about a member's week, ready to be written as text, Markdown, CSV or JSON.
package struct InsightsReport: Sendable {
  /// Where the insights come from.
  package let subject: Insights
  /// From whose side they look.
  package let mode: InsightMode
  /// The insights, the most important first.
  package let insights: [Insight]
  /// What the weeks were read from, a sentence each.
  package let origin: [String]
  /// What a reader should know before believing the numbers, a sentence each.
  package let remarks: [String]

  /// The report of a member's week.
  ///
  /// - Parameters:
  ///   - subject: The week and the member.
  ///   - mode: From whose side.
  ///   - origin: What the weeks were read from, a sentence each.
  ///   - remarks: What a reader should know before believing the numbers, a sentence each.
  package init(_ subject: Insights, _ mode: InsightMode, origin: [String] = [], remarks: [String] = []) {
    (self.subject, self.mode, self.origin, self.remarks) = (subject, mode, origin, remarks)
    insights = subject.insights(mode)
  }

  /// The report in a format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - style: Colours, for text.
  ///   - signs: Signs before the sentences, for text.
  /// - Returns: The report; nil for a picture, which there is none of.
  package func rendered(
    as format: ReportFormat, style: TerminalStyle = TerminalStyle(isColoured: false), signs: ClubSigns = .pictures
  ) -> String? {
    switch format {
    case .text: text(style, signs)
    case .markdown: markdown
    case .csv: csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }

  private var heading: String {
    let perspective =
      switch mode {
      case .mine: ""
      case .top: ", against the top three"
      case .deep: ", looked into"
      }
    return "\(name)'s week \(subject.week)\(perspective)"
  }

  /// The member's name as it is shown.
  var name: String { subject.member.name.shown(subject.names) }

  private func text(_ style: TerminalStyle, _ signs: ClubSigns) -> String {
    let bullet = signs == .pictures ? "•" : "-"
    let notes = remarks.isEmpty ? "" : "\n" + remarks.map { "\($0)\n" }.joined()
    return style.bold(heading) + "\n" + origin.map { "\($0)\n" }.joined() + "\n"
      + insights.map { "\(bullet) \($0.sentence)\n" }.joined() + notes
  }

  private var markdown: String {
    let notes = remarks.isEmpty ? "" : "\n" + remarks.map { "\(MarkdownText.plain($0))\n" }.joined()
    return "# \(MarkdownText.plain(heading))\n\n" + origin.map { "\(MarkdownText.plain($0))\n" }.joined() + "\n"
      + insights.map { "- \(MarkdownText.plain($0.sentence))\n" }.joined() + notes
  }
}
