// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

/// Turns the sections and blocks of a report into what templates name. It remembers which anchors and colours the page
/// has used so far.
struct BlockComposer {
  /// Longer tables behind a summary stay closed on paper.
  static let mostRowsOnPaper = 40

  let pictures: [Figure: FigurePicture]
  var anchors = Anchors(reserved: ReportPage.ownAnchors)
  var colours = CellColours()

  init(pictures: [Figure: FigurePicture]) { self.pictures = pictures }

  mutating func values(of section: ReportSection) -> (anchor: String, title: String, values: TemplateValues) {
    let anchor = anchors.name(for: section.id)
    return (
      anchor, section.title,
      [
        "anchor": anchor, "title": section.title,
        "blocks": section.blocks.map { values(of: $0, level: 3, below: section.title) },
      ]
    )
  }

  /// A block; `heading` is the nearest title above it, which names a table that has no caption to those who hear the
  /// page.
  mutating func values(of block: ReportBlock, level: Int, below heading: String) -> TemplateValues {
    switch block {
    case .paragraph(let text): ["template": "paragraph", "text": text]
    case .list(let points): ["template": "list", "points": points.isEmpty ? nil : points]
    case .table(let table): ["template": "table", "table": Self.values(of: table, below: heading)]
    case .figure(let figure): values(of: figure)
    case .grid(let grid): values(of: grid)
    case .code(let text, let label): Self.code(text, label: label)
    case .details(let summary, let blocks):
      [
        "template": "details", "summary": summary,
        "blocks": blocks.map { values(of: $0, level: level, below: summary) },
        "long": blocks.contains(where: \.isLong),
      ]
    case .part(let title, let verdict, let blocks):
      [
        "template": "part", "title": title, "level": String(level),
        "verdict": verdict.map { VerdictBadge.values(of: $0) },
        "blocks": blocks.map { values(of: $0, level: min(level + 1, 6), below: title) },
      ]
    }
  }

  static func code(_ text: String, label: String) -> TemplateValues {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return ["template": "code", "text": text, "label": label, "wraps": lines.count < 2]
  }

  static func values(of table: ReportTable, below heading: String = "") -> TemplateValues {
    let columns = table.table.columns
    let styles = columns.map { style(of: $0.alignment) }
    let rows = table.table.rows.map { row -> TemplateValues in
      let cells = zip(row, styles).map { ["text": $0, "style": $1] as TemplateValues }
      // A heading without text would head nothing.
      let heads = row.first == "" ? 0 : 1
      return ["head": Array(cells.prefix(heads)), "cells": Array(cells.dropFirst(heads))]
    }
    return [
      "caption": table.caption.isEmpty ? heading : table.caption, "captionStyle": table.caption.isEmpty ? "sr" : "",
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

extension BlockComposer {
  /// A grid: a table for each group, the legend, and the details of every cell in the order of the cells.
  mutating func values(of grid: ReportGrid) -> TemplateValues {
    let anchor = anchors.name(for: grid.id)
    let panel = anchors.name(for: anchor + "-panel")
    let groups = grid.groups.map { group -> TemplateValues in
      [
        "title": group.title, "columnsTitle": grid.columnsTitle, "width": String(grid.columns.count),
        "columns": grid.columns,
        "rows": group.rows.map { row -> TemplateValues in
          ["title": row.title, "cells": row.cells.map { values(of: $0) }]
        },
      ]
    }
    let cells = grid.groups.flatMap(\.rows).flatMap(\.cells)
    return [
      "template": "grid", "anchor": anchor, "panel": panel, "caption": grid.caption, "groups": groups,
      "legend": grid.legend.isEmpty
        ? nil
        : grid.legend.map { entry -> TemplateValues in
          [
            "text": entry.text, "meaning": entry.meaning,
            "style": entry.colour.map { colours.name(of: $0) },
          ]
        },
      "count": String(cells.count),
      "details": cells.map { Self.values(of: $0.detail) },
    ]
  }

  private mutating func values(of cell: ReportGrid.Cell) -> TemplateValues {
    ["text": cell.text, "name": cell.name, "style": colours.name(of: cell.colour), "mark": cell.mark]
  }
}

extension BlockComposer {
  mutating func values(of figure: Figure) -> TemplateValues {
    let anchor = anchors.name(for: figure.id)
    let data = figure.dataTable
    return [
      "template": "figure", "anchor": anchor, "title": figure.title, "alternative": figure.alternative,
      "picture": pictures[figure]?.inline(id: anchor), "table": Self.values(of: data),
      "long": data.table.rows.count > Self.mostRowsOnPaper,
    ]
  }
}

extension Figure {
  /// What the figure draws, as numbers: a row for each point, to six digits.
  var dataTable: ReportTable {
    let points = series.flatMap(\.points)
    let hasIntervals = points.contains { $0.interval != nil }
    let hasNames = series.count > 1
    var table = Table(
      (hasNames ? [Table.Column("Series")] : [])
        + [Table.Column(x.title, x.alignment), Table.Column(y.title, y.alignment)]
        + (hasIntervals ? [Table.Column("from", .right), Table.Column("to", .right)] : []))
    for series in series {
      for point in series.points {
        table.add(
          (hasNames ? [series.name.isEmpty ? "–" : series.name] : []) + [x.text(point.x), y.text(point.y)]
            + (point.interval.map { [y.text($0.lowerBound), y.text($0.upperBound)] } ?? []))
      }
    }
    return ReportTable(caption: "The data of “\(title)”", table)
  }
}

extension Figure.Axis {
  fileprivate var alignment: Table.Column.Alignment {
    switch scale {
    case .names: .left
    case .linear, .logarithmic: .right
    }
  }

  /// The name of a place, or the number to six digits; a dash where a line is broken.
  fileprivate func text(_ value: Double) -> String {
    guard !value.isNaN else { return "–" }
    if case .names(let names) = scale, let index = Int(exactly: value), names.indices.contains(index) {
      return names[index]
    }
    if let count = Int(exactly: value), count.magnitude >= 10_000 { return NumberFormat.grouped(count) }
    return NumberFormat.shortest(Double(String(format: "%.6g", value)) ?? value)
  }
}

/// The names that links on a page lead to, each given out once.
struct Anchors {
  private var taken: Set<String>

  init(reserved: Set<String>) {
    taken = reserved
  }

  /// A name of lower-case letters, digits and hyphens that nothing else on the page has: the one wished for where it
  /// is free, with a number behind it otherwise.
  mutating func name(for wish: String) -> String {
    let plain = Self.plain(wish)
    var name = plain
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(plain)-\(number)"
      number += 1
    }
    return name
  }

  private static func plain(_ wish: String) -> String {
    let scalars = wish.lowercased().unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "0"..."9": Character(scalar)
      default: Character("-")
      }
    }
    let words = String(scalars).split(separator: "-")
    return words.isEmpty ? "part" : words.joined(separator: "-")
  }
}

/// The colours of a page's cells: each gets a class once, so that hundreds of cells cost a few letters each.
struct CellColours {
  private var order: [Colour] = []
  private var classes: [Colour: String] = [:]

  mutating func name(of colour: Colour) -> String {
    if let name = classes[colour] { return name }
    let name = "k\(order.count)"
    classes[colour] = name
    order.append(colour)
    return name
  }

  var rules: String {
    order.enumerated().map { index, colour in
      ".k\(index) { background: \(colour.hexadecimal); color: \(Self.ink(on: colour).hexadecimal) }\n"
    }.joined()
  }

  /// Ink or paper; on the few middling greys where neither reaches 4.5:1, black, which then does.
  static func ink(on colour: Colour) -> Colour {
    colour.contrast(with: colour.bestInk) >= 4.5 ? colour.bestInk : Colour(0)
  }
}
