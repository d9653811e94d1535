// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// Turns the sections and blocks of a report into what templates name. It remembers which anchors and colours the page
/// has used so far.
struct BlockComposer {
  /// Longer tables behind a summary stay closed on paper.
  static let mostRowsOnPaper = 40

  let drawing: (Figure) -> String?
  var anchors = Anchors(reserved: ReportPage.ownAnchors)
  var colours = CellColours()

  /// A composer that draws figures with that closure.
  init(drawing: @escaping (Figure) -> String?) {
    self.drawing = drawing
  }

  /// A section with the anchor it got.
  mutating func values(of section: ReportSection) -> (anchor: String, title: String, values: TemplateValues) {
    let anchor = anchors.name(for: section.id)
    return (
      anchor, section.title,
      ["anchor": anchor, "title": section.title, "blocks": section.blocks.map { values(of: $0, level: 3) }]
    )
  }

  /// A block, with the name of its template.
  ///
  /// - Parameters:
  ///   - block: the block.
  ///   - level: the level that a heading would have here, 3 to 6.
  /// - Returns: what the template of its kind names.
  mutating func values(of block: ReportBlock, level: Int) -> TemplateValues {
    switch block {
    case .paragraph(let text): ["template": "paragraph", "text": text]
    case .list(let points): ["template": "list", "points": points.isEmpty ? nil : points]
    case .table(let table): ["template": "table", "table": Self.values(of: table)]
    case .figure(let figure): values(of: figure)
    case .grid(let grid): values(of: grid)
    case .code(let text, let label): Self.code(text, label: label)
    case .details(let summary, let blocks):
      [
        "template": "details", "summary": summary, "blocks": blocks.map { values(of: $0, level: level) },
        "long": blocks.contains(where: \.isLong),
      ]
    case .part(let title, let judgement, let blocks):
      [
        "template": "part", "title": title, "level": String(level),
        "judgement": judgement.map { Verdict.values(of: $0) },
        "blocks": blocks.map { values(of: $0, level: min(level + 1, 6)) },
      ]
    }
  }

  /// A text to copy.
  static func code(_ text: String, label: String) -> TemplateValues {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return ["template": "code", "text": text, "label": label, "wraps": lines.count < 2]
  }

  /// A table with its caption.
  static func values(of table: ReportTable) -> TemplateValues {
    let columns = table.table.columns
    let styles = columns.map { style(of: $0.alignment) }
    let rows = table.table.rows.map { row -> TemplateValues in
      let cells = zip(row, styles).map { ["text": $0, "style": $1] as TemplateValues }
      // A heading without text would head nothing.
      let heads = row.first == "" ? 0 : 1
      return ["head": Array(cells.prefix(heads)), "cells": Array(cells.dropFirst(heads))]
    }
    return [
      "caption": table.caption,
      "columns": zip(columns, styles).map { ["title": $0.title, "style": $1] as TemplateValues },
      "rows": rows, "width": String(columns.count),
    ]
  }

  private static func style(of alignment: Table.Column.Alignment) -> String {
    switch alignment {
    case .left: ""
    case .right: "n"
    case .centre: "c"
    }
  }
}

extension ReportBlock {
  /// Whether it holds a table too long for paper.
  fileprivate var isLong: Bool {
    switch self {
    case .table(let table): table.table.rows.count > BlockComposer.mostRowsOnPaper
    case .details(_, let blocks), .part(_, _, let blocks): blocks.contains(where: \.isLong)
    case .paragraph, .list, .figure, .grid, .code: false
    }
  }
}
