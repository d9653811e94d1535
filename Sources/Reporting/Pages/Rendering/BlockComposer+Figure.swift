// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

extension BlockComposer {
  /// A figure: its drawing with the data behind it, or the data alone.
  mutating func values(of figure: Figure) -> TemplateValues {
    let anchor = anchors.name(for: figure.id)
    let data = figure.dataTable
    let picture = drawing(figure).flatMap {
      InlineDrawing($0, prefix: anchor, title: figure.title, description: figure.alternative)?.text
    }
    return [
      "template": "figure", "anchor": anchor, "title": figure.title, "alternative": figure.alternative,
      "picture": picture, "table": Self.values(of: data),
      "long": data.table.rows.count > Self.mostRowsOnPaper,
    ]
  }
}
