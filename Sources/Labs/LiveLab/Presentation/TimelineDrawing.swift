// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// A timeline as an SVG picture: lanes above a common axis. It stands alone, follows light and dark, and needs nothing
/// from elsewhere; equal timelines are equal bytes.
struct TimelineDrawing {
  private let timeline: Timeline
  private let lanes: TimelineLanes
  private let axis: TimelineAxis
  /// What lies behind the lanes.
  private var grid: [String] = []
  private var lines: [String] = []
  private var y = 0.0

  private static let left = 150.0
  private static let margin = 26.0
  private static let plotWidth = 1_180.0
  private static let rowHeight = 22.0
  private static let laneGap = 12.0
  /// How wide a letter is at the most, for what fits where.
  private static let letter = 6.4

  init(_ timeline: Timeline) {
    self.timeline = timeline
    lanes = TimelineLanes(timeline)
    axis = TimelineAxis(
      moments: lanes.notable, end: timeline.end, left: Self.left, width: Self.plotWidth)
  }

  /// The document, with a line end behind it.
  var text: String {
    var drawing = self
    return drawing.document()
  }

  private var width: Double { axis.right + Self.margin }

  private mutating func document() -> String {
    let heading = [timeline.title, timeline.summary] + timeline.findings + timeline.origin
    for (index, line) in heading.enumerated() {
      y += index == 0 ? 30 : 18
      let cut = Self.cut(line, to: Int((width - 2 * Self.margin) / 6.8))
      write(cut, Self.margin, y, index == 0 ? "ink title" : "quiet", detail: cut == line ? nil : line)
    }
    y += 18
    let top = y
    draw("faults", rows: TimelineLanes.rows(of: lanes.faults))
    draw("served in truth", rows: [lanes.served])
    draw("socket", rows: TimelineLanes.rows(of: lanes.sockets))
    draw("client says", rows: [lanes.phases])
    draw("attempts", marks: lanes.attempts)
    draw("heartbeat", marks: lanes.heartbeat)
    draw("messages", marks: lanes.messages)
    drawAxis(from: top)
    drawLegend()
    let size = "\(Self.number(width)) \(Self.number(y + Self.margin))"
    let head = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\" viewBox=\"0 0 \(size)\" "
        + "width=\"\(Self.number(width))\" height=\"\(Self.number(y + Self.margin))\" role=\"img\" "
        + "font-family=\"system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\" "
        + "font-size=\"11\">",
      "<title>\(XMLText.escaped(timeline.title))</title>",
      "<desc>\(XMLText.escaped(([timeline.summary] + timeline.origin).joined(separator: " ")))</desc>",
      "<style>", TimelinePaint.rules,
      ".timeline .title{font-size:17px;font-weight:bold}.timeline .band{fill-opacity:.24}"
        + ".timeline .edge{stroke-width:1.2}.timeline .hollow{fill:none}",
      "</style>",
      "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>",
    ]
    return (head + grid + lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// A lane of bands, a row below the other where they overlap.
  private mutating func draw(_ name: String, rows: [[TimelineLanes.Band]]) {
    write(name, Self.left - 12, y + 15, "quiet", anchor: "end")
    for row in rows {
      for (index, band) in row.enumerated() {
        draw(band, before: index + 1 < row.count ? axis.x(of: row[index + 1].from) : axis.right)
      }
      y += Self.rowHeight
    }
    if rows.isEmpty { y += Self.rowHeight }
    y += Self.laneGap
  }

  /// A band; its name stands in it where there is room, else behind it where there is some before the next.
  private mutating func draw(_ band: TimelineLanes.Band, before next: Double) {
    let x = axis.x(of: band.from)
    // What lasts for a moment only can still be seen.
    let width = max(axis.x(of: band.to) - x, 2.5)
    let paint = band.paint.rawValue
    let length = TimelineClock.text(of: band.to - band.from)
    let detail = "\(band.name): \(TimelineClock.text(of: band.from)), \(length)"
    lines.append(
      "<rect class=\"band edge \(paint) \(paint)-edge\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" "
        + "width=\"\(Self.number(width))\" height=\"\(Self.number(Self.rowHeight - 3))\" rx=\"3\">"
        + "<title>\(XMLText.escaped(detail))</title></rect>")
    let letters = Self.letter * Double(band.name.count)
    if letters <= width - 8 {
      write(band.name, x + 5, y + 13.5, "ink")
    } else if band.paint == .fault, x + width + letters + 6 <= next {
      write(band.name, x + width + 4, y + 13.5, "ink")
    }
  }

  /// A lane of marks.
  private mutating func draw(_ name: String, marks: [TimelineLanes.Mark]) {
    write(name, Self.left - 12, y + 15, "quiet", anchor: "end")
    grid.append(Self.line(Self.left, y + 13, axis.right, y + 13, "rule-edge"))
    var last = -Double.infinity
    for mark in marks where !axis.isFolded(mark.at) {
      let x = axis.x(of: mark.at)
      draw(mark, x)
      // A name is written where it does not run into the one before.
      if !mark.name.isEmpty, x - Self.letter * Double(mark.name.count) / 2 >= last {
        write(mark.name, x, y + 31, "ink", anchor: "middle")
        last = x + Self.letter * Double(mark.name.count) / 2 + 3
      }
    }
    y += Self.rowHeight + (marks.contains { !$0.name.isEmpty } ? 14 : 0) + Self.laneGap
  }

  private mutating func draw(_ mark: TimelineLanes.Mark, _ x: Double) {
    let paint = mark.paint.rawValue
    let (middle, at) = (y + 13, Self.number(x))
    let path =
      switch mark.shape {
      case .full, .hollow:
        "M\(at) \(Self.number(middle - 8))L\(Self.number(x + 5)) \(Self.number(middle + 3))"
          + "L\(Self.number(x - 5)) \(Self.number(middle + 3))Z"
      case .up: "M\(at) \(Self.number(middle))V\(Self.number(middle - 9))"
      case .down: "M\(at) \(Self.number(middle))V\(Self.number(middle + 9))"
      case .cross:
        "M\(Self.number(x - 4)) \(Self.number(middle - 4))L\(Self.number(x + 4)) \(Self.number(middle + 4))"
          + "M\(Self.number(x - 4)) \(Self.number(middle + 4))L\(Self.number(x + 4)) \(Self.number(middle - 4))"
      }
    let fill = mark.shape == .full ? paint : "hollow"
    let detail = "\(TimelineClock.text(of: mark.at)) \(mark.detail)"
    lines.append(
      "<path class=\"\(fill) edge \(paint)-edge\" d=\"\(path)\"><title>\(XMLText.escaped(detail))</title></path>")
  }

  private mutating func drawAxis(from top: Double) {
    for stretch in axis.stretches {
      lines.append(Self.line(stretch.x, y, stretch.x + stretch.width, y, "ink-edge"))
    }
    for tick in axis.ticks(apart: 62) {
      let x = axis.x(of: tick)
      grid.append(Self.line(x, top - 4, x, y, "rule-edge"))
      lines.append(Self.line(x, y, x, y + 5, "ink-edge"))
      write(Self.label(tick), x, y + 18, "ink", anchor: "middle")
    }
    for fold in axis.folds {
      for offset in [-3.0, 3.0] {
        lines.append(Self.line(fold.x + offset - 3, y + 5, fold.x + offset + 3, y - 5, "ink-edge"))
      }
      write("+ " + Self.short(fold.length), fold.x, y + 32, "quiet", anchor: "middle")
    }
    y += axis.folds.isEmpty ? 26 : 40
  }

  private mutating func drawLegend() {
    y += 12
    var x = Self.left
    let phases: [TimelinePaint] = [.disconnected, .connecting, .connected, .waiting, .suspended, .closed]
    for paint in phases where lanes.phases.contains(where: { $0.paint == paint }) {
      let name = paint.rawValue
      lines.append(
        "<rect class=\"band edge \(name) \(name)-edge\" x=\"\(Self.number(x))\" y=\"\(Self.number(y - 10))\" "
          + "width=\"14\" height=\"12\" rx=\"3\"/>")
      write(name, x + 19, y, "quiet")
      x += 36 + Self.letter * Double(name.count)
    }
    write("▲ opened, △ did not; | up: sent, down: received; ✕ lost; // folded", x, y, "quiet")
  }

  private static func line(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ paint: String) -> String {
    "<path class=\"hollow \(paint)\" d=\"M\(number(x)) \(number(y))L\(number(toX)) \(number(toY))\"/>"
  }

  private mutating func write(
    _ text: String, _ x: Double, _ y: Double, _ paint: String, anchor: String = "start", detail: String? = nil
  ) {
    let place = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
    let title = detail.map { "<title>\(XMLText.escaped($0))</title>" } ?? ""
    lines.append(
      "<text class=\"\(paint)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"\(place)>"
        + "\(XMLText.escaped(text))\(title)</text>")
  }

  /// A text cut to a width, with a sign where it goes on.
  private static func cut(_ text: String, to count: Int) -> String {
    text.count <= count ? text : text.prefix(max(0, count - 1)) + "…"
  }

  /// A moment without thousandths.
  private static func label(_ moment: Instant) -> String {
    String(TimelineClock.text(of: moment).prefix { $0 != "." })
  }

  /// A length in its greatest unit.
  private static func short(_ length: Interval) -> String {
    TimelineClock.text(of: length).split(separator: " ").prefix(2).joined(separator: " ")
  }

  /// A tenth is as fine as a picture needs.
  private static func number(_ value: Double) -> String {
    let text = NumberFormat.fixed(value, decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Timeline {
  /// The timeline as a picture.
  var svg: String { TimelineDrawing(self).text }
}
