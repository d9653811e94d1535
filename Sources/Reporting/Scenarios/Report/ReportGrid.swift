// SPDX-License-Identifier: GPL-3.0-or-later
public import Reporting

/// Groups of rows against the same columns, each cell a letter or two on a colour, with a table of its own behind it.
///
/// Letters say what colours say, so nobody needs the colours.
public struct ReportGrid: Hashable, Sendable {
  /// A cell.
  public struct Cell: Hashable, Sendable {
    /// What it shows, for example `Dh`.
    public let text: String
    /// What it says in full, for those who hear the page: `hard 11 against 5: double, else hit`.
    public let name: String
    /// The colour behind it.
    public let colour: Colour
    /// A small sign in its corner, such as for a cell that is not decided; empty for none.
    public let mark: String
    /// What it tells when asked; the caption says which cell it is about.
    public let detail: ReportTable

    /// A cell.
    public init(text: String, name: String, colour: Colour, mark: String = "", detail: ReportTable) {
      (self.text, self.name, self.colour, self.mark, self.detail) = (text, name, colour, mark, detail)
    }
  }

  /// A row of cells behind its heading.
  public struct Row: Hashable, Sendable {
    /// The heading.
    public let title: String
    /// A cell for each column.
    public let cells: [Cell]

    /// A row of cells behind its heading.
    public init(title: String, cells: [Cell]) {
      (self.title, self.cells) = (title, cells)
    }
  }

  /// Rows that belong together.
  public struct Group: Hashable, Sendable {
    /// What they are, for example `Hard totals`.
    public let title: String
    /// The rows from above to below.
    public let rows: [Row]

    /// Rows that belong together.
    public init(title: String, rows: [Row]) {
      (self.title, self.rows) = (title, rows)
    }
  }

  /// What a letter, a sign or a colour means.
  public struct LegendEntry: Hashable, Sendable {
    /// The letter or the sign.
    public let text: String
    /// What it means.
    public let meaning: String
    /// Its colour; `nil` for signs.
    public let colour: Colour?

    /// What a letter, a sign or a colour means.
    public init(text: String, meaning: String, colour: Colour?) {
      (self.text, self.meaning, self.colour) = (text, meaning, colour)
    }
  }

  /// A stable name for links, unique on the page.
  public let id: String
  /// What the grid shows, in a sentence.
  public let caption: String
  /// What the columns are, for example `Dealer's upcard`.
  public let columnsTitle: String
  /// The heading of each column.
  public let columns: [String]
  /// The groups, from above to below; wide screens may show them side by side.
  public let groups: [Group]
  /// What the letters mean.
  public let legend: [LegendEntry]

  /// A grid.
  public init(
    id: String, caption: String, columnsTitle: String, columns: [String], groups: [Group], legend: [LegendEntry]
  ) {
    (self.id, self.caption, self.columnsTitle, self.columns) = (id, caption, columnsTitle, columns)
    (self.groups, self.legend) = (groups, legend)
  }
}
