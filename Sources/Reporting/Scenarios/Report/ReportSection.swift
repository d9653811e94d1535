// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of a report under a heading of its own.
package struct ReportSection: Hashable, Sendable {
  /// A stable name for links, of lower-case letters, digits and hyphens.
  package let id: String
  /// The heading.
  package let title: String
  /// What stands there, from above to below.
  package let blocks: [ReportBlock]

  /// A section.
  package init(id: String, title: String, blocks: [ReportBlock]) {
    (self.id, self.title, self.blocks) = (id, title, blocks)
  }
}

/// What a report is made of; plain text throughout, pages escape what they need to.
package indirect enum ReportBlock: Hashable, Sendable {
  /// A paragraph.
  case paragraph(String)
  /// Points in order, without numbers.
  case list([String])
  /// A table with its caption.
  case table(ReportTable)
  /// A picture drawn of data.
  case figure(Figure)
  /// A grid of cells that tell more when asked, such as a strategy card.
  case grid(ReportGrid)
  /// A text to copy, such as a command, with a label for those who hear the page.
  case code(String, label: String)
  /// Blocks behind a line that opens them.
  case details(summary: String, [ReportBlock])
  /// A heading one level lower, with what belongs to it; the judgement is shown beside it where there is one.
  case part(title: String, judgement: Judgement?, [ReportBlock])
}
