// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

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
