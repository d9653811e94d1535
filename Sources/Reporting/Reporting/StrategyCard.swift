// SPDX-License-Identifier: GPL-3.0-or-later

/// A card of coloured letters in grids: sections of rows against the same columns, a legend, and notes.
///
/// Letters say what colours say, so nobody needs the colours; a mark in a cell's corner says how sure it is.
package struct StrategyCard: Hashable, Sendable {
  /// What a cell can say: the letter that cells and the legend show, its meaning and its colour.
  package struct Category: Hashable, Sendable {
    /// The letter or letters.
    package let letter: String
    /// What it means.
    package let meaning: String
    /// The colour of its cells.
    package let colour: Colour

    /// A category with its letter, meaning and colour.
    package init(letter: String, meaning: String, colour: Colour) {
      self.letter = letter
      self.meaning = meaning
      self.colour = colour
    }
  }

  /// A small sign in a cell's corner and what it means.
  package struct Mark: Hashable, Sendable {
    /// The sign, one character.
    package let sign: String
    /// What it means.
    package let meaning: String

    /// A sign with its meaning.
    package init(sign: String, meaning: String) {
      self.sign = sign
      self.meaning = meaning
    }
  }

  /// One cell.
  package struct Cell: Hashable, Sendable {
    /// The main letter.
    package let letter: String
    /// What follows it in small.
    package let suffix: String
    /// The colour behind it.
    package let colour: Colour
    /// The sign in its corner.
    package let mark: Mark?
    /// What a browser tells when the pointer rests on the cell.
    package let detail: String

    /// A cell of letters, colour, sign and detail.
    package init(letter: String, suffix: String = "", colour: Colour, mark: Mark? = nil, detail: String) {
      self.letter = letter
      self.suffix = suffix
      self.colour = colour
      self.mark = mark
      self.detail = detail
    }
  }

  /// A row of cells with its label.
  package struct Row: Hashable, Sendable {
    /// The label.
    package let label: String
    /// A cell for each of the card's columns.
    package let cells: [Cell]

    /// A labelled row.
    package init(label: String, cells: [Cell]) {
      self.label = label
      self.cells = cells
    }
  }

  /// A grid of its own heading.
  package struct Section: Hashable, Sendable {
    /// The heading.
    package let title: String
    /// The rows from above to below.
    package let rows: [Row]

    /// A grid with its heading.
    package init(title: String, rows: [Row]) {
      self.title = title
      self.rows = rows
    }
  }

  /// The heading of the card.
  package var title: String
  /// The lines under the heading.
  package var subtitles: [String]
  /// What the columns are, for example `Dealer's upcard`.
  package var columnsTitle: String
  /// The heading of each column.
  package var columns: [String]
  /// The sections, stack beside stack.
  package var stacks: [[Section]]
  /// The legend's categories.
  package var categories: [Category]
  /// The legend's marks.
  package var marks: [Mark]
  /// The small print, a line each.
  package var notes: [String]

  /// A card of these parts.
  package init(
    title: String, subtitles: [String], columnsTitle: String, columns: [String], stacks: [[Section]],
    categories: [Category], marks: [Mark], notes: [String]
  ) {
    self.title = title
    self.subtitles = subtitles
    self.columnsTitle = columnsTitle
    self.columns = columns
    self.stacks = stacks
    self.categories = categories
    self.marks = marks
    self.notes = notes
  }
}
