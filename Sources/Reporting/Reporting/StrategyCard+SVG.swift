// SPDX-License-Identifier: GPL-3.0-or-later

extension StrategyCard {
  /// The card as an SVG picture: whole-number coordinates and nothing that varies, so equal cards are equal bytes.
  package var svg: String {
    let layout = CardLayout(self)
    var picture = SVGPicture(width: layout.width, height: layout.height, title: title)
    picture.rectangle(0, 0, layout.width, layout.height, radius: 18, fill: CardLayout.board)
    drawHeading(in: &picture)
    for (index, stack) in stacks.enumerated() {
      var y = layout.gridTop
      for section in stack {
        draw(section, at: layout.left(ofStack: index), y, layout, in: &picture)
        y += layout.height(of: section) + CardLayout.sectionGap
      }
    }
    drawLegend(layout, in: &picture)
    return picture.text
  }

  private func drawHeading(in picture: inout SVGPicture) {
    let x = CardLayout.margin
    picture.text(title, x, CardLayout.margin + 26, size: 28, fill: .ink, weight: .bold)
    for (line, subtitle) in subtitles.enumerated() {
      let y = CardLayout.titleHeight + CardLayout.lineHeight * line + 18
      picture.text(subtitle, x, y, size: 14, fill: CardLayout.quiet)
    }
  }

  private func draw(
    _ section: Section, at x: Int, _ y: Int, _ layout: CardLayout, in picture: inout SVGPicture
  ) {
    let grid = x + CardLayout.labelWidth
    picture.text(section.title, x, y + 20, size: 17, fill: .ink, weight: .bold)
    picture.text(
      columnsTitle, grid + layout.gridWidth - CardLayout.gap, y + 20, size: 12, fill: CardLayout.quiet, anchor: .end)
    let head = y + CardLayout.sectionHead
    picture.rectangle(
      grid, head, layout.gridWidth - CardLayout.gap, CardLayout.columnHead, radius: 5, fill: CardLayout.header)
    for (index, column) in columns.enumerated() {
      let middle = grid + index * CardLayout.pitchX + CardLayout.cellWidth / 2
      picture.text(column, middle, head + 18, size: 14, fill: .paper, weight: .bold, anchor: .middle)
    }
    for (index, row) in section.rows.enumerated() {
      let top = head + CardLayout.columnHead + CardLayout.gap + index * CardLayout.pitchY
      picture.text(
        row.label, grid - 10, top + 20, size: 15, fill: .ink, weight: .bold, anchor: .end)
      for (column, cell) in row.cells.enumerated() {
        draw(cell, at: grid + column * CardLayout.pitchX, top, in: &picture)
      }
    }
  }

  private func draw(_ cell: Cell, at x: Int, _ y: Int, in picture: inout SVGPicture) {
    picture.group(title: cell.detail) { picture in
      picture.rectangle(x, y, CardLayout.cellWidth, CardLayout.cellHeight, radius: 5, fill: cell.colour)
      let ink = cell.colour.bestInk
      picture.text(
        cell.letter, x + CardLayout.cellWidth / 2, y + 20, size: 16, fill: ink, weight: .bold, anchor: .middle,
        suffix: cell.suffix)
      if let mark = cell.mark {
        picture.text(mark.sign, x + CardLayout.cellWidth - 5, y + 12, size: 12, fill: ink, weight: .bold, anchor: .end)
      }
    }
  }

  private func drawLegend(_ layout: CardLayout, in picture: inout SVGPicture) {
    var y = layout.legendTop
    for place in layout.legendPlaces(self) {
      let rowTop = y + place.line * CardLayout.legendPitch
      switch place.entry {
      case .category(let category):
        picture.rectangle(
          place.x, rowTop, CardLayout.cellWidth, CardLayout.cellHeight, radius: 5, fill: category.colour)
        picture.text(
          category.letter, place.x + CardLayout.cellWidth / 2, rowTop + 20, size: 16, fill: category.colour.bestInk,
          weight: .bold, anchor: .middle)
        picture.text(category.meaning, place.x + CardLayout.cellWidth + 8, rowTop + 19, size: 14, fill: .ink)
      case .mark(let mark):
        picture.text(
          mark.sign, place.x + CardLayout.cellWidth / 2, rowTop + 20, size: 16, fill: .ink, weight: .bold,
          anchor: .middle)
        picture.text(mark.meaning, place.x + CardLayout.cellWidth + 8, rowTop + 19, size: 14, fill: .ink)
      }
    }
    y += layout.legendHeight
    for (line, note) in notes.enumerated() {
      picture.text(
        note, CardLayout.margin, y + CardLayout.noteHeight * line + 14, size: 12, fill: CardLayout.quiet)
    }
  }
}
