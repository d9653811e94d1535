// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

extension ReportGrid {
  /// The grid as a picture to print: whole-number coordinates in pixels and nothing that varies, so that equal grids
  /// give equal bytes. The first group is on the left, the others below each other to the right of it.
  ///
  /// - Parameters:
  ///   - title: The text above the grid.
  ///   - subtitles: Lines below the title.
  ///   - tips: The texts that browsers show when the pointer rests on a cell, in the order of the cells.
  ///   - notes: Lines below the legend.
  /// - Returns: An SVG document.
  public func svg(title: String, subtitles: [String], tips: [String], notes: [String]) -> String {
    var picture = GridPicture(grid: self, tips: tips[...])
    picture.draw(title, subtitles, notes)
    return picture.lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// The grid in Markdown: a heading and a table for each group, then the legend.
  ///
  /// - Parameter heading: The word above the names of the rows.
  /// - Returns: Markdown without a final line end.
  public func markdown(headed heading: String) -> String {
    let tables = groups.flatMap { group in
      ["## \(group.title)", String(table(of: group, headed: heading).markdown(boldTitles: true).dropLast())]
    }
    let meanings = legend.map { "`\($0.text)` \($0.meaning)" }.joined(separator: ", ") + "."
    return (tables + [meanings]).joined(separator: "\n\n")
  }
}

private struct GridPicture {
  private static let margin = 32
  private static let cell = (width: 44, height: 28)
  private static let gap = 3
  private static let pitch = (x: cell.width + gap, y: cell.height + gap)
  private static let labelWidth = 62
  private static let quiet = Colour(0x525C68)

  let grid: ReportGrid
  var tips: ArraySlice<String>
  private(set) var lines: [String] = []

  mutating func draw(_ title: String, _ subtitles: [String], _ notes: [String]) {
    let stacks = [grid.groups.prefix(1), grid.groups.dropFirst()]
    let stackPitch = Self.labelWidth + grid.columns.count * Self.pitch.x + 40
    let width = 2 * Self.margin + stacks.count * stackPitch - 40 - Self.gap
    let gridTop = 88 + 21 * subtitles.count
    let heights = stacks.map { stack in stack.reduce(-18) { $0 + Self.height(of: $1) + 18 } }
    let legend = legendPlaces(width: width)
    let legendTop = gridTop + (heights.max() ?? 0) + 22
    let notesTop = legendTop + ((legend.last?.line ?? -1) + 1) * 36 + 6
    let height = notesTop + 18 * notes.count + Self.margin - 8
    lines.append(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
        + #"viewBox="0 0 \#(width) \#(height)" role="img" "#
        + #"font-family="'DejaVu Sans', Verdana, 'Helvetica Neue', Arial, sans-serif">"#)
    lines.append("<title>\(XMLText.escaped(title))</title>")
    rectangle(0, 0, width, height, radius: 18, fill: Colour(0xFBFAF6))
    text(title, Self.margin, Self.margin + 26, size: 28, isBold: true)
    for (line, subtitle) in subtitles.enumerated() {
      text(subtitle, Self.margin, 86 + 21 * line, size: 14, fill: Self.quiet)
    }
    for (index, stack) in stacks.enumerated() {
      var top = gridTop
      for group in stack {
        draw(group, Self.margin + index * stackPitch, top)
        top += Self.height(of: group) + 18
      }
    }
    for (entry, x, line) in legend { draw(entry, x, legendTop + 36 * line) }
    for (line, note) in notes.enumerated() {
      text(note, Self.margin, notesTop + 18 * line + 14, size: 12, fill: Self.quiet)
    }
  }

  private static func height(of group: ReportGrid.Group) -> Int { 56 + group.rows.count * pitch.y }

  private mutating func draw(_ group: ReportGrid.Group, _ x: Int, _ y: Int) {
    let left = x + Self.labelWidth
    let width = grid.columns.count * Self.pitch.x - Self.gap
    text(group.title, x, y + 20, size: 17, isBold: true)
    text(grid.columnsTitle.lowercased(), left + width, y + 20, size: 12, fill: Self.quiet, anchor: "end")
    rectangle(left, y + 30, width, 26, radius: 5, fill: Colour(0x2B3440))
    for (index, column) in grid.columns.enumerated() {
      let middle = left + index * Self.pitch.x + Self.cell.width / 2
      text(column, middle, y + 48, size: 14, fill: .paper, isBold: true, anchor: "middle")
    }
    for (index, row) in group.rows.enumerated() {
      let top = y + 56 + Self.gap + index * Self.pitch.y
      text(row.title, left - 10, top + 20, size: 15, isBold: true, anchor: "end")
      for (column, cell) in row.cells.enumerated() { draw(cell, left + column * Self.pitch.x, top) }
    }
  }

  private mutating func draw(_ cell: ReportGrid.Cell, _ x: Int, _ y: Int) {
    lines.append("<g><title>\(XMLText.escaped(tips.popFirst() ?? ""))</title>")
    rectangle(x, y, Self.cell.width, Self.cell.height, radius: 5, fill: cell.colour)
    let ink = cell.colour.bestInk
    text(
      String(cell.text.prefix(1)), x + Self.cell.width / 2, y + 20, size: 16, fill: ink, isBold: true,
      anchor: "middle", suffix: String(cell.text.dropFirst()))
    if !cell.mark.isEmpty {
      text(cell.mark, x + Self.cell.width - 5, y + 12, size: 12, fill: ink, isBold: true, anchor: "end")
    }
    lines.append("</g>")
  }

  private mutating func draw(_ entry: ReportGrid.LegendEntry, _ x: Int, _ y: Int) {
    if let colour = entry.colour { rectangle(x, y, Self.cell.width, Self.cell.height, radius: 5, fill: colour) }
    text(
      entry.text, x + Self.cell.width / 2, y + 20, size: 16, fill: entry.colour?.bestInk ?? .ink, isBold: true,
      anchor: "middle")
    text(entry.meaning, x + Self.cell.width + 8, y + 19, size: 14)
  }

  /// The places of the legend's entries next to each other, on a new line where the card's width ends.
  private func legendPlaces(width: Int) -> [(entry: ReportGrid.LegendEntry, x: Int, line: Int)] {
    var (x, line) = (Self.margin, 0)
    return grid.legend.map { entry in
      // Eight pixels for each character are more than any common font needs at this size.
      let size = Self.cell.width + 8 + entry.meaning.count * 8 + 18
      if x > Self.margin && x + size > width - Self.margin + 18 { (x, line) = (Self.margin, line + 1) }
      defer { x += size }
      return (entry, x, line)
    }
  }

  private mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, radius: Int, fill: Colour) {
    lines.append(
      #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" rx="\#(radius)" fill="\#(fill.hexadecimal)"/>"#)
  }

  private mutating func text(
    _ text: String, _ x: Int, _ y: Int, size: Int, fill: Colour = .ink, isBold: Bool = false, anchor: String = "",
    suffix: String = ""
  ) {
    let small = suffix.isEmpty ? "" : #"<tspan font-size="\#(size - 4)">\#(XMLText.escaped(suffix))</tspan>"#
    let face = isBold ? #" font-weight="bold""# : ""
    let attribute = anchor.isEmpty ? "" : #" text-anchor="\#(anchor)""#
    lines.append(
      #"<text x="\#(x)" y="\#(y)" font-size="\#(size)" fill="\#(fill.hexadecimal)"\#(face)\#(attribute)>"#
        + "\(XMLText.escaped(text))\(small)</text>")
  }
}
