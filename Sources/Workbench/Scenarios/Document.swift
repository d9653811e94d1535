// SPDX-License-Identifier: GPL-3.0-or-later
public import Reporting

/// The report of an experiment or a command: sections of titles, paragraphs, lists, tables, figures and grids. It
/// depends on no format: this file renders it as terminal text, Markdown and CSV, the report page as HTML.
public struct Document: Hashable, Sendable {
  /// The parts of the report, in order.
  public var sections: [ReportSection]
  /// The data for CSV: one table for programs, by the names that JSON has, of plain numbers; `nil` if there is none.
  public var data: Table?

  /// A report of sections, and the table that CSV gives.
  public init(_ sections: [ReportSection], data: Table? = nil) {
    (self.sections, self.data) = (sections, data)
  }

  /// A report of one section; `id` is a name for links, of lower-case letters, digits and hyphens.
  public init(id: String, title: String, _ blocks: [ReportBlock], data: Table? = nil) {
    self.init([ReportSection(id: id, title: title, blocks: blocks)], data: data)
  }

  /// The data as CSV; `nil` if there are none.
  public var csv: String? { data?.csv }

  package var figures: [Figure] { sections.figures }

  /// The document in a format; `nil` for a format that documents do not have.
  package func rendered(as format: ReportFormat, width: Int, style: TerminalStyle, isWhole: Bool = false) -> String? {
    switch format {
    case .text: text(width: width, style: style, isWhole: isWhole)
    case .markdown: markdown
    case .csv: csv
    case .json, .junit, .svg, .png: nil
    }
  }

  /// The text for a terminal, with lines up to `width`. Figures are left to the other formats, and so are details and
  /// evidence unless `isWhole`.
  package func text(
    width: Int = 100, style: TerminalStyle = TerminalStyle(isColoured: false), isWhole: Bool = false
  ) -> String {
    let writer = TextWriter(width: width, style: style, isWhole: isWhole)
    let text = sections.filter { isWhole || !$0.isEvidence }.compactMap { writer.headed($0.title, $0.blocks) }
    return TerminalText.withoutCommands(text.joined(separator: "\n"))
  }

  package var markdown: String {
    MarkdownText.shown(
      sections.map { Self.markdown(of: [.part($0.title, $0.blocks)], level: 1) }
        .joined(separator: "\n\n") + "\n")
  }

  private static func markdown(of blocks: [ReportBlock], level: Int) -> String {
    blocks.compactMap { block -> String? in
      switch block {
      case .paragraph(let text): MarkdownText.plain(text)
      case .list(let items):
        items.isEmpty ? nil : items.map { "- \(MarkdownText.plain($0))" }.joined(separator: "\n")
      case .table(let table):
        "\(table.caption.isEmpty ? "" : "**\(MarkdownText.plain(table.caption))**\n\n")"
          + table.table.markdown.dropLast()
      case .figure: nil
      case .grid(let grid):
        grid.groups.map { group in
          "\(String(repeating: "#", count: level)) \(group.title)\n\n"
            + grid.table(of: group, headed: grid.columnsTitle).markdown(boldTitles: true)
        }.joined(separator: "\n") + "\n" + grid.legend.map { "\($0.text) \($0.meaning)" }.joined(separator: ", ")
      case .code(let text, let label): "\(label):\n\n```\n\(text)\n```"
      case .details(let summary, let inner): "**\(summary)**\n\n" + markdown(of: inner, level: level)
      case .part(let title, _, let inner):
        String(repeating: "#", count: level) + " \(MarkdownText.plain(title))\n\n"
          + markdown(of: inner, level: level + 1)
      }
    }.joined(separator: "\n\n")
  }

  /// The document with other texts; figures, grids and data stay.
  package func mapped(_ text: (String) -> String) -> Document { map { $0.mapped(text) } }

  /// The document with the thresholds drawn into the figures of their measures.
  func marked(by thresholds: [Threshold]) -> Document {
    map { if case .figure(let figure) = $0 { .figure(figure.marked(by: thresholds)) } else { $0 } }
  }

  /// The document with every block changed, inner blocks before outer ones.
  private func map(_ change: (ReportBlock) -> ReportBlock) -> Document {
    var changed = self
    for index in sections.indices { changed.sections[index].blocks = sections[index].blocks.map { $0.map(change) } }
    return changed
  }
}

extension [ReportSection] {
  package var figures: [Figure] {
    flatMap(\.blocks).flatMap(\.flattened).compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
  }
}

extension ReportBlock {
  fileprivate func mapped(_ text: (String) -> String) -> ReportBlock {
    switch self {
    case .paragraph(let one): .paragraph(text(one))
    case .list(let items): .list(items.map(text))
    case .table(let table): .table(ReportTable(caption: text(table.caption), table.table.mapped(text)))
    case .code(let one, let label): .code(text(one), label: label)
    case .figure, .grid, .details, .part: self
    }
  }

  fileprivate func map(_ change: (ReportBlock) -> ReportBlock) -> ReportBlock {
    switch self {
    case .details(let summary, let inner): change(.details(summary: summary, inner.map { $0.map(change) }))
    case .part(let title, let verdict, let inner):
      change(.part(title: title, verdict: verdict, inner.map { $0.map(change) }))
    default: change(self)
    }
  }

  /// The block and all inside it.
  fileprivate var flattened: [ReportBlock] {
    switch self {
    case .details(_, let inner), .part(_, _, let inner): [self] + inner.flatMap(\.flattened)
    default: [self]
    }
  }
}

extension ReportGrid {
  /// A group as a table for Markdown, a heading above the rows' titles.
  package func table(of group: Group, headed heading: String) -> Table {
    Table(
      [.init(heading, .right)] + columns.map { .init($0, .centre) },
      rows: group.rows.map { row in [row.title] + row.cells.map { $0.text + $0.mark } })
  }
}

/// Blocks as terminal text, each ending with a line end.
private struct TextWriter {
  let width: Int
  let style: TerminalStyle
  /// True if details are shown.
  let isWhole: Bool

  func paragraphs(_ blocks: [ReportBlock]) -> [String] {
    blocks.compactMap { block in
      switch block {
      case .paragraph(let text): wrapped(text) + "\n"
      case .list(let items): items.isEmpty ? nil : items.map { wrapped($0, mark: "  - ") + "\n" }.joined()
      case .table(let table):
        (table.caption.isEmpty ? "" : wrapped(table.caption) + "\n\n") + table.table.text(width: width)
      case .grid(let grid): text(of: grid)
      case .code(let text, let label):
        "\(wrapped(label)):\n"
          + (text.contains("\n")
            ? TerminalText.harmless(text, keepingLineEnds: true) : TerminalText.foldedCommand(text, width: width))
          + "\n"
      case .figure: nil
      case .details(let summary, let inner): isWhole ? headed(summary, inner) : nil
      case .part(let title, let verdict, let inner):
        headed(title + (verdict.map { ": \($0.rawValue)" } ?? ""), inner)
      }
    }
  }

  /// Blocks below a title; `nil` if a terminal shows none of them.
  func headed(_ title: String, _ blocks: [ReportBlock]) -> String? {
    let paragraphs = paragraphs(blocks)
    return paragraphs.isEmpty && !blocks.isEmpty
      ? nil : ([style.bold(wrapped(TerminalText.harmless(title))) + "\n"] + paragraphs).joined(separator: "\n")
  }

  private func text(of grid: ReportGrid) -> String {
    let labels = grid.groups.flatMap { [$0.title] + $0.rows.map(\.title) }.map(TerminalText.columns)
    let cells = grid.columns + grid.groups.flatMap { $0.rows.flatMap { $0.cells.map { $0.text + $0.mark } } }
    let (margin, widest) = (labels.max() ?? 0, cells.map(TerminalText.columns).max() ?? 0)
    // The largest distance between cells that fits, up to 3.
    let pitch = widest + max(1, min(3, (width - margin - 3) / max(1, grid.columns.count) - widest))
    let fits = margin + 3 + pitch * max(0, grid.columns.count - 1) + widest <= width
    let groups = grid.groups.map { group in
      // A table can wrap cells that do not fit at any distance.
      guard fits else {
        return Table(
          [group.title], numbers: grid.columns,
          rows: group.rows.map { row in [row.title] + row.cells.map { $0.text + $0.mark } }
        ).text(width: width)
      }
      let head = padded(group.title, to: margin) + "   " + grid.columns.map { padded($0, to: pitch) }.joined()
      return
        ([head]
        + group.rows.map { row in
          String(repeating: " ", count: margin - TerminalText.columns(of: row.title))
            + TerminalText.harmless(row.title) + "   "
            + row.cells.map { cell in
              let text = TerminalText.harmless(cell.text + cell.mark)
              return style.isColoured
                ? style.painted(padded(text, to: pitch - 1), cell.ink, on: cell.colour) + " " : padded(text, to: pitch)
            }.joined()
        }).map { $0.withoutTrailingSpaces + "\n" }.joined()
    }
    let legend = grid.legend.map { "\($0.text) \($0.meaning)" }.joined(separator: ", ")
    return (grid.caption.isEmpty ? "" : wrapped(grid.caption) + "\n\n") + groups.joined(separator: "\n") + "\n"
      + wrapped(legend) + "\n"
  }

  private func padded(_ text: String, to width: Int) -> String {
    let text = TerminalText.harmless(text)
    return text + String(repeating: " ", count: max(0, width - TerminalText.columns(of: text)))
  }

  func wrapped(_ text: String, mark: String = "") -> String {
    let indent = "\n" + String(repeating: " ", count: mark.count)
    return mark + TerminalText.lines(of: text, width: width - mark.count).joined(separator: indent)
  }
}

/// A part of a report with its own heading.
public struct ReportSection: Hashable, Sendable {
  /// A stable name for links, of lower-case letters, digits and hyphens.
  package let id: String
  package let title: String
  package fileprivate(set) var blocks: [ReportBlock]
  /// True if it is evidence for the result, which a terminal shows only on request.
  package let isEvidence: Bool

  /// A part of a report; a terminal shows evidence only on request.
  public init(id: String, title: String, blocks: [ReportBlock], isEvidence: Bool = false) {
    (self.id, self.title, self.blocks, self.isEvidence) = (id, title, blocks, isEvidence)
  }
}

/// A part of a report, in plain text; pages escape it.
public indirect enum ReportBlock: Hashable, Sendable {
  case paragraph(String)
  /// Points in order, without numbers.
  case list([String])
  case table(ReportTable)
  case figure(Figure)
  /// A grid of cells with details on demand, such as a strategy card.
  case grid(ReportGrid)
  /// A text to copy, such as a command, with a label for those who hear the page.
  case code(String, label: String)
  /// Blocks that are hidden until their summary is opened.
  case details(summary: String, [ReportBlock])
  /// A heading one level lower, with what belongs to it; the verdict is shown next to it if there is one.
  case part(title: String, verdict: Verdict?, [ReportBlock])
}

extension ReportBlock {
  /// Blocks under a heading one level lower.
  public static func part(_ title: String, _ blocks: [ReportBlock]) -> ReportBlock {
    .part(title: title, verdict: nil, blocks)
  }

  /// A table under a caption.
  public static func table(_ table: Table, caption: String = "") -> ReportBlock {
    .table(ReportTable(caption: caption, table))
  }
}

/// A table of a report: a caption, columns with headings, and rows whose first cell is their heading.
public struct ReportTable: Hashable, Sendable {
  /// The subject of the table, in a sentence.
  package let caption: String
  /// The table itself; columns aligned to the right hold numbers.
  package let table: Table

  /// A table under a caption.
  public init(caption: String, _ table: Table) {
    (self.caption, self.table) = (caption, table)
  }
}

/// Groups of rows against the same columns, each cell a letter or two on a colour, with a table of details.
///
/// Letters have the same meaning as colours, so nobody needs the colours.
public struct ReportGrid: Hashable, Sendable {
  /// One square of the grid, with its details.
  public struct Cell: Hashable, Sendable {
    /// The text in the square, for example `Dh`.
    package let text: String
    /// The text in full, for those who hear the page: `hard 11 against 5: double, else hit`.
    package let name: String
    /// The colour behind it.
    package let colour: Colour
    /// The colour of the text, if the square demonstrates it; `nil` for the one with the better contrast.
    package let ink: Colour?
    /// A small sign in its corner, for example for an undecided cell; empty for none.
    package let mark: String
    /// The table of the square's details; the caption names the cell.
    package let detail: ReportTable

    /// A square with its text, its full name, its colour and the table of its details.
    public init(
      text: String, name: String, colour: Colour, ink: Colour? = nil, mark: String = "", detail: ReportTable
    ) {
      (self.text, self.name, self.colour, self.ink, self.mark) = (text, name, colour, ink, mark)
      self.detail = detail
    }
  }

  /// A row of the grid.
  public struct Row: Hashable, Sendable {
    /// The heading before the row.
    package let title: String
    /// The squares, one for each column.
    package let cells: [Cell]

    /// A row with its heading.
    public init(title: String, cells: [Cell]) {
      (self.title, self.cells) = (title, cells)
    }
  }

  /// Rows that belong together.
  public struct Group: Hashable, Sendable {
    /// The heading of the group, for example `Hard totals`.
    package let title: String
    /// The rows, from above.
    package let rows: [Row]

    /// Rows under a title.
    public init(title: String, rows: [Row]) {
      (self.title, self.rows) = (title, rows)
    }
  }

  /// The meaning of a letter, a sign or a colour.
  public struct LegendEntry: Hashable, Sendable {
    /// The text in the square.
    package let text: String
    /// The meaning of the text.
    package let meaning: String
    /// Its colour; `nil` for signs.
    package let colour: Colour?

    /// An entry; without a colour it explains a mark.
    public init(text: String, meaning: String, colour: Colour?) {
      (self.text, self.meaning, self.colour) = (text, meaning, colour)
    }
  }

  /// A stable name for links, unique on the page.
  package let id: String
  /// The subject of the grid, in a sentence.
  package let caption: String
  /// The heading of the columns, for example `Dealer's upcard`.
  package let columnsTitle: String
  /// The titles above the columns.
  package let columns: [String]
  /// The groups, from above to below; wide screens may show them side by side.
  package let groups: [Group]
  /// The meanings of texts and colours.
  package let legend: [LegendEntry]

  /// A grid; every row has as many cells as there are columns.
  public init(
    id: String, caption: String, columnsTitle: String, columns: [String], groups: [Group], legend: [LegendEntry]
  ) {
    (self.id, self.caption, self.columnsTitle, self.columns) = (id, caption, columnsTitle, columns)
    (self.groups, self.legend) = (groups, legend)
  }
}
