// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// Groups of rows against the same columns, each cell a letter or two on a colour, with a table of its own behind it.
///
/// Letters say what colours say, so nobody needs the colours.
package struct ReportGrid: Hashable, Sendable {
  /// A cell.
  package struct Cell: Hashable, Sendable {
    /// What it shows, for example `Dh`.
    package let text: String
    /// What it says in full, for those who hear the page: `hard 11 against 5: double, else hit`.
    package let name: String
    /// The colour behind it.
    package let colour: Colour
    /// A small sign in its corner, such as for a cell that is not decided; empty for none.
    package let mark: String
    /// What it tells when asked; the caption says which cell it is about.
    package let detail: ReportTable

    /// A cell.
    package init(text: String, name: String, colour: Colour, mark: String = "", detail: ReportTable) {
      (self.text, self.name, self.colour, self.mark, self.detail) = (text, name, colour, mark, detail)
    }
  }

  /// A row of cells behind its heading.
  package struct Row: Hashable, Sendable {
    /// The heading.
    package let title: String
    /// A cell for each column.
    package let cells: [Cell]

    /// A row of cells behind its heading.
    package init(title: String, cells: [Cell]) {
      (self.title, self.cells) = (title, cells)
    }
  }

  /// Rows that belong together.
  package struct Group: Hashable, Sendable {
    /// What they are, for example `Hard totals`.
    package let title: String
    /// The rows from above to below.
    package let rows: [Row]

    /// Rows that belong together.
    package init(title: String, rows: [Row]) {
      (self.title, self.rows) = (title, rows)
    }
  }

  /// What a letter, a sign or a colour means.
  package struct LegendEntry: Hashable, Sendable {
    /// The letter or the sign.
    package let text: String
    /// What it means.
    package let meaning: String
    /// Its colour; `nil` for signs.
    package let colour: Colour?

    /// What a letter, a sign or a colour means.
    package init(text: String, meaning: String, colour: Colour?) {
      (self.text, self.meaning, self.colour) = (text, meaning, colour)
    }
  }

  /// A stable name for links, unique on the page.
  package let id: String
  /// What the grid shows, in a sentence.
  package let caption: String
  /// What the columns are, for example `Dealer's upcard`.
  package let columnsTitle: String
  /// The heading of each column.
  package let columns: [String]
  /// The groups, from above to below; wide screens may show them side by side.
  package let groups: [Group]
  /// What the letters mean.
  package let legend: [LegendEntry]

  /// A grid.
  package init(
    id: String, caption: String, columnsTitle: String, columns: [String], groups: [Group], legend: [LegendEntry]
  ) {
    (self.id, self.caption, self.columnsTitle, self.columns) = (id, caption, columnsTitle, columns)
    (self.groups, self.legend) = (groups, legend)
  }
}
