// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

/// Converts the sections and blocks of a report to HTML, and records the anchors and colours that the page has used.
struct BlockComposer {
  /// The most rows of a table in closed details that is printed.
  static let maxRowsOnPaper = 40

  let pictures: [Figure: FigurePicture]
  var anchors = Anchors(reserved: ReportPage.ownAnchors)
  var colours = CellColours()

  init(pictures: [Figure: FigurePicture]) { self.pictures = pictures }

  mutating func part(of section: ReportSection) -> ReportPage.Part {
    let anchor = anchors.name(for: section.id)
    let blocks = section.blocks.map { html(of: $0, level: 3, below: section.title) }
    return (anchor, section.title, "\(blocks)")
  }

  /// A block; `heading` is the nearest title above it, which screen readers use to name a table without a caption.
  mutating func html(of block: ReportBlock, level: Int, below heading: String) -> HTML {
    switch block {
    case .paragraph(let text): "<p>\(text)</p>\n"
    case .list(let points):
      points.isEmpty ? "" : "<ul class=\"points\">\n\(points.map { "<li>\($0)</li>\n" as HTML })</ul>\n"
    case .table(let table): Self.html(of: table, below: heading)
    case .figure(let figure): html(of: figure)
    case .grid(let grid): html(of: grid)
    case .code(let text, let label): Self.code(text, label: label)
    case .details(let summary, let blocks):
      Self.details(
        "\(summary)", "<div class=\"inside\">\n\(blocks.map { html(of: $0, level: level, below: summary) })</div>\n",
        isLong: blocks.contains(where: \.isLong))
    case .part(let title, let verdict, let blocks):
      """
      <div class="part">
      <h\(level)>\(title)\(verdict, { " \(VerdictBadge.html(of: $0))" })</h\(level)>
      \(blocks.map { html(of: $0, level: min(level + 1, 6), below: title) })</div>

      """
    }
  }

  private static func details(_ summary: HTML, _ inside: HTML, isLong: Bool) -> HTML {
    """
    <details\(class: isLong ? "long" : "")>
    <summary>\(summary)</summary>
    \(inside)</details>

    """
  }

  static func code(_ text: String, label: String) -> HTML {
    let isLine = !text.contains("\n")
    return """
      <div class="code">
      <p class="label"><span>\(label)</span> <button type="button" class="copy" data-script hidden>Copy\
      <span class="sr">: \(label)</span></button></p>
      <pre role="group" aria-label="\(label)" tabindex="0"\(class: isLine ? "wraps" : "")><code>\(text)</code></pre>
      </div>

      """
  }

  /// A table in a frame that scrolls.
  static func html(of table: ReportTable, below heading: String = "") -> HTML {
    scroll(table.caption.isEmpty ? heading : table.caption, bare(table, below: heading))
  }

  static func scroll(_ label: String, _ inside: HTML) -> HTML {
    "<div class=\"scroll\" role=\"group\" aria-label=\"\(label)\" tabindex=\"0\">\n\(inside)</div>\n"
  }

  private static func bare(_ table: ReportTable, below heading: String = "") -> HTML {
    let columns = table.table.columns
    let styles = columns.enumerated().map { position, column in
      let isLong = column.alignment == .left && table.table.rows.contains { $0[position].count > 16 }
      return isLong ? "t" : style(of: column.alignment)
    }
    let heads = zip(columns, styles).map { column, style -> HTML in
      // An empty heading would label nothing.
      column.title.isEmpty ? "<td>" : "<th scope=\"col\"\(class: style)>\(column.title)"
    }
    let rows = table.table.rows.map { row -> HTML in
      let cells = zip(row, styles).enumerated().map { index, cell -> HTML in
        index == 0 && !cell.0.isEmpty
          ? "<th scope=\"row\"\(class: cell.1)>\(cell.0)" : "<td\(class: cell.1)>\(cell.0)"
      }
      return "<tr>\(cells)\n"
    }
    let caption = table.caption.isEmpty ? heading : table.caption
    return """
      <table>
      <caption><span\(class: table.caption.isEmpty ? "sr" : "")>\(caption)</span></caption>
      <thead><tr>\(heads)</thead>
      <tbody>
      \(rows.isEmpty ? ["<tr><td colspan=\"\(columns.count)\">There are no rows.\n"] : rows)</tbody>
      </table>

      """
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
  /// True if it holds a table too long for paper.
  fileprivate var isLong: Bool {
    switch self {
    case .table(let table): table.table.rows.count > BlockComposer.maxRowsOnPaper
    case .details(_, let blocks), .part(_, _, let blocks): blocks.contains(where: \.isLong)
    case .paragraph, .list, .figure, .grid, .code: false
    }
  }
}

extension BlockComposer {
  /// A grid: a table for each group, the legend, and the details of every cell in the order of the cells.
  private mutating func html(of grid: ReportGrid) -> HTML {
    let anchor = anchors.name(for: grid.id)
    let panel = anchors.name(for: anchor + "-panel")
    let groups = grid.groups.map { group -> HTML in Self.scroll(group.title, table(of: group, in: grid)) }
    let legend = grid.legend.map { entry -> HTML in
      let colour = entry.colour.map { colours.name(of: $0) } ?? ""
      return "<li><span class=\"swatch \(colour)\">\(entry.text)</span> \(entry.meaning)</li>\n"
    }
    let cells = grid.groups.flatMap(\.rows).flatMap(\.cells)
    let summary: HTML = "The numbers of all \(cells.count) cells"
    let numbers: HTML = """
      <div class="tables" role="group" aria-label="\(summary)" tabindex="0">
      \(cells.map { Self.bare($0.detail) })</div>

      """
    return """
      <div class="grid" id="\(anchor)" data-panel="\(panel)">
      <p class="grid-caption">\(grid.caption)</p>
      <p class="hint" data-script hidden>Point at a cell, tap it, or go from cell to cell with the arrow keys to see \
      its numbers. Enter keeps them open, Escape closes them.</p>
      <div class="groups">
      \(groups)</div>
      \("<ul class=\"legend\" aria-label=\"What the letters and signs mean\">\n\(legend)</ul>\n", if: !legend.isEmpty)\
      <details class="long all">
      <summary>\(summary)</summary>
      \(numbers)</details>
      </div>

      """
  }

  private mutating func table(of group: ReportGrid.Group, in grid: ReportGrid) -> HTML {
    let rows = group.rows.map { row -> HTML in
      let cells = row.cells.map { cell -> HTML in
        // A demonstration of contrast may be hard to read: it is a picture of a text, and the name has the same text.
        let text: HTML = cell.ink == nil ? "\(cell.text)" : "<span data-seen=\"\(cell.text)\"></span>"
        return """
          <td><button type="button" class="cell \(colours.name(of: cell.colour, cell.ink))" aria-label="\(cell.name)">\
          \(text)\("<i>\(cell.mark)</i>", if: !cell.mark.isEmpty)</button>
          """
      }
      return "<tr><th scope=\"row\">\(row.title)\(cells)\n"
    }
    return """
      <table class="cells">
      <caption><span>\(group.title)</span></caption>
      <thead>
      <tr><td rowspan="2"><th scope="colgroup" colspan="\(grid.columns.count)">\(grid.columnsTitle)
      <tr>\(grid.columns.map { "<th scope=\"col\">\($0)" as HTML })
      </thead>
      <tbody>
      \(rows)</tbody>
      </table>

      """
  }

  private mutating func html(of figure: Figure) -> HTML {
    let anchor = anchors.name(for: figure.id)
    let data = figure.dataTable
    let table = Self.html(of: data)
    let drawing = pictures[figure].map { picture -> HTML in
      """
      <div class="picture">
      \(HTML(verbatim: picture.inline))</div>
      <p class="alternative">\(figure.description)</p>
      \(Self.details(
        "The data of this figure<span class=\"sr\">: \(figure.title)</span>", table,
        isLong: data.table.rows.count > Self.maxRowsOnPaper))
      """
    }
    let undrawn: HTML = """
      <p class="alternative">\(figure.description) It is not drawn here; these are its data.</p>
      \(table)
      """
    return """
      <figure id="\(anchor)" class="figure">
      <figcaption>\(figure.title)</figcaption>
      \(drawing ?? undrawn)\
      </figure>

      """
  }
}

extension Figure {
  /// The data of the figure as numbers: a row for each point, to six digits.
  var dataTable: ReportTable {
    let points = series.flatMap(\.points)
    let hasIntervals = points.contains { $0.interval != nil }
    let hasNames = series.count > 1
    let shades = series.first { $0.style == .cells }
    let table = Table(
      (hasNames ? [Table.Column("Series")] : [])
        + [Table.Column(x.title, x.alignment), Table.Column(y.title, y.alignment)]
        + (shades.map { [Table.Column($0.name, .right)] } ?? [])
        + (hasIntervals ? [Table.Column("from", .right), Table.Column("to", .right)] : []),
      rows: series.flatMap { series in
        series.points.map { point in
          (hasNames ? [series.name.isEmpty ? "–" : series.name] : []) + [x.text(point.x), y.text(point.y)]
            + (shades == nil ? [] : [point.shade.map(Figure.Axis.digits) ?? ""])
            + (point.interval.map { [$0.lowerBound, $0.upperBound].map(Figure.Axis.digits) } ?? [])
        }
      })
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

  /// The name of a place, or the number to six digits; a dash at a break of a line.
  func text(_ value: Double) -> String {
    guard !value.isNaN else { return "–" }
    if case .names(let names) = scale, let index = Int(exactly: value), names.indices.contains(index) {
      return names[index]
    }
    return Self.digits(value)
  }

  fileprivate static func digits(_ value: Double) -> String {
    if let count = Int(exactly: value), count.magnitude >= 10_000 { return NumberFormat.grouped(count) }
    return NumberFormat.shortest(Double(String(format: "%.6g", value)) ?? value)
  }
}

/// The anchors of a page, each different.
struct Anchors {
  private var taken: Set<String>

  init(reserved: Set<String>) {
    taken = reserved
  }

  /// A name of lower-case letters, digits and hyphens that is unique on the page: the wish if it is free, otherwise
  /// with a number after it.
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

/// The colours of a page's cells: each gets one class, so that each of hundreds of cells needs only a few letters.
struct CellColours {
  private var order: [[Colour]] = []
  private var classes: [[Colour]: String] = [:]

  /// The class of a cell's colour and that of its text.
  mutating func name(of colour: Colour, _ ink: Colour? = nil) -> String {
    let colours = [colour, ink ?? Self.ink(on: colour)]
    if let name = classes[colours] { return name }
    let name = "k\(order.count)"
    classes[colours] = name
    order.append(colours)
    return name
  }

  var rules: String {
    order.enumerated().map { index, colours in
      ".k\(index) { background: \(colours[0].hexadecimal); color: \(colours[1].hexadecimal) }\n"
    }.joined()
  }

  /// Ink or paper; black on the few medium greys where neither reaches 4.5:1, but black does.
  static func ink(on colour: Colour) -> Colour {
    colour.contrast(with: colour.bestInk) >= 4.5 ? colour.bestInk : Colour(0)
  }
}
