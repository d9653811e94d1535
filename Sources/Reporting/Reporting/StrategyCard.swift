// SPDX-License-Identifier: GPL-3.0-or-later

/// A card of coloured letters in grids: sections of rows against the same columns, a legend, and notes.
///
/// Letters say what colours say, so nobody needs the colours; a mark in a cell's corner says how sure it is.
public struct StrategyCard: Hashable, Sendable {
  /// What a cell can say: the letter that cells and the legend show, its meaning and its colour.
  public struct Category: Hashable, Sendable {
    /// The letter or letters.
    public let letter: String
    /// What it means.
    public let meaning: String
    /// The colour of its cells.
    public let colour: Colour

    /// A category with its letter, meaning and colour.
    public init(letter: String, meaning: String, colour: Colour) {
      self.letter = letter
      self.meaning = meaning
      self.colour = colour
    }
  }

  /// A small sign in a cell's corner and what it means.
  public struct Mark: Hashable, Sendable {
    /// The sign, one character.
    public let sign: String
    /// What it means.
    public let meaning: String

    /// A sign with its meaning.
    public init(sign: String, meaning: String) {
      self.sign = sign
      self.meaning = meaning
    }
  }

  /// One cell.
  public struct Cell: Hashable, Sendable {
    /// The main letter.
    public let letter: String
    /// What follows it in small.
    public let suffix: String
    /// The colour behind it.
    public let colour: Colour
    /// The sign in its corner.
    public let mark: Mark?
    /// What a browser tells when the pointer rests on the cell.
    public let detail: String

    /// A cell of letters, colour, sign and detail.
    public init(letter: String, suffix: String = "", colour: Colour, mark: Mark? = nil, detail: String) {
      self.letter = letter
      self.suffix = suffix
      self.colour = colour
      self.mark = mark
      self.detail = detail
    }
  }

  /// A row of cells with its label.
  public struct Row: Hashable, Sendable {
    /// The label.
    public let label: String
    /// A cell for each of the card's columns.
    public let cells: [Cell]

    /// A labelled row.
    public init(label: String, cells: [Cell]) {
      self.label = label
      self.cells = cells
    }
  }

  /// A grid of its own heading.
  public struct Section: Hashable, Sendable {
    /// The heading.
    public let title: String
    /// The rows from above to below.
    public let rows: [Row]

    /// A grid with its heading.
    public init(title: String, rows: [Row]) {
      self.title = title
      self.rows = rows
    }
  }

  /// The heading of the card.
  public var title: String
  /// The lines under the heading.
  public var subtitles: [String]
  /// What the columns are, for example `Dealer's upcard`.
  public var columnsTitle: String
  /// The heading of each column.
  public var columns: [String]
  /// The sections, stack beside stack.
  public var stacks: [[Section]]
  /// The legend's categories.
  public var categories: [Category]
  /// The legend's marks.
  public var marks: [Mark]
  /// The small print, a line each.
  public var notes: [String]

  /// A card of these parts.
  public init(
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
