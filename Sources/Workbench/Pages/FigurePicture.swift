// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios

/// A figure drawn as SVG, in light or dark colours like its page. Equal figures give equal bytes.
///
/// Every colour is written twice: as an attribute, for programs that know no CSS properties, and as a class whose rule
/// names the property of the page. `svg:root` matches only if the picture is a separate file, and declares the
/// properties there.
package struct FigurePicture: Sendable {
  /// A separate document, with the title above the plot and a final line end.
  package let file: String
  /// An element of a page that has the figure's title in a caption, the rules in its style, and the data in a table
  /// whose rows the script shows.
  let inline: String

  package init(_ figure: Figure) throws(FigureError) {
    file = FigureDrawing(try FigureLayout(figure, heading: true), isInline: false).html.text
    inline = FigureDrawing(try FigureLayout(figure, heading: false), isInline: true).html.text
  }

  /// The rules that give a picture the colours of its page; all of them, or those that a text uses.
  static func rules(usedBy text: String? = nil) -> String {
    Palette.Role.allCases.flatMap { role in ["fill", "stroke"].map { ($0, role) } }
      .filter { kind, role in text?.contains("\(kind)-\(role.rawValue)") ?? true }
      .map { ".assay-figure .\($0)-\($1.rawValue) { \($0): \($1.css) }\n" }.joined()
  }
}

private struct FigureDrawing {
  let layout: FigureLayout
  let marks: FigureMarks
  let isInline: Bool

  init(_ layout: FigureLayout, isInline: Bool) {
    (self.layout, marks, self.isInline) = (layout, FigureMarks(layout), isInline)
  }

  var html: HTML {
    let figure = layout.figure
    let leaders = layout.leaders.map { line($0.from, $0.to, $0.role, opacity: 0.55) }
    let body: HTML = """
      <rect width="\(FigureLayout.width)" height="\(layout.height)"\(paint: .init(fill: .surface))/>
      \(layout.panels.map { html(of: $0) })\(layout.samples.map { marks.html(of: $0) })\(leaders)\
      \(layout.labels.map { html(of: $0) })
      """
    let root: HTML =
      isInline
      ? "aria-label=\"\(figure.title)\" data-kind=\"\(kind)\""
      : "xmlns=\"http://www.w3.org/2000/svg\" id=\"figure-\(figure.id)\" width=\"100%\""
    let names: HTML = """
      <title>\(figure.title)</title>
      <desc>\(description)</desc>
      <style>
      \(style(for: body.text))</style>

      """
    return """
      <svg \(root) class="assay-figure" viewBox="0 0 \(FigureLayout.width) \(layout.height)" role="img" \
      font-family="system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif" \
      font-size="\(Label.size)" fill="none">
      \(names, if: !isInline)\(body)</svg>

      """
  }

  /// The facts that a page's script has to know: whether names stand below one another, whether it is a heat map, and
  /// whether rows of the data begin with the name of a series.
  private var kind: String {
    [("turned", layout.isTurned), ("map", layout.isMap), ("named", layout.figure.series.count > 1)]
      .filter { $0.1 }.map { $0.0 }.joined(separator: " ")
  }

  /// The description of the figure, and a note about thinned points.
  private var description: String {
    let thinned = layout.series.compactMap { series in
      series.thinnedFrom.map { count in
        "Of the \(NumberFormat.grouped(count)) points of \(series.source.name.isEmpty ? "a line" : series.source.name) "
          + "those are drawn that differ at this size."
      }
    }
    return ([layout.figure.description] + thinned).joined(separator: " ")
  }

  private func style(for body: String) -> HTML {
    func properties(_ palette: Palette) -> String {
      Palette.Role.allCases.filter { body.contains("-\($0.rawValue)") }
        .map { "\($0.property): \(palette[$0].hexadecimal);" }.joined(separator: " ")
    }
    return HTML(
      verbatim: FigurePicture.rules(usedBy: body)
        + "svg:root.assay-figure { max-width: 48rem; \(properties(.light)) }\n"
        + "@media (prefers-color-scheme: dark) { svg:root.assay-figure { \(properties(.dark)) } }\n")
  }

  /// Grid and axes, then the marks of each series. The script of a page reads from `data-points` the place of each
  /// point and the row of its values in the figure's data.
  private func html(of panel: FigureLayout.Panel) -> HTML {
    let box = panel.box
    let isLast = box == layout.panels.last?.box
    let rows = layout.vertical.ticks.map { tick -> HTML in
      let share = layout.vertical.share(of: tick.position)
      let y = (layout.isTurned ? layout.spot(share, 0, in: box) : layout.spot(0, share, in: box)).y
      let isGrid = !tick.label.isEmpty && !layout.isMap
      return isGrid ? line(Spot(x: box.left, y: y), Spot(x: box.right, y: y), .grid) : ""
    }
    let columns = layout.horizontal.ticks.map { tick -> HTML in
      let share = layout.horizontal.share(of: tick.position)
      let x = (layout.isTurned ? layout.spot(0, share, in: box) : layout.spot(share, 0, in: box)).x
      let length = tick.label.isEmpty ? 3.0 : 5
      return isLast ? line(Spot(x: x, y: box.bottom), Spot(x: x, y: box.bottom + length), .quiet) : ""
    }
    let zero = layout.y.share(of: 0)
    let hasZero = !layout.y.isLogarithmic && !layout.y.isNamed && zero > 0 && zero < 1
    let ends = hasZero ? [layout.spot(0, zero, in: box), layout.spot(1, zero, in: box)] : []
    let series = panel.series.filter { !$0.stretches.isEmpty }.map { one -> HTML in
      let name = one.source.name
      return """
        <g\(data(of: one, in: box), if: isInline)>\("<title>\(name)</title>", if: !isInline && !name.isEmpty)
        \(marks.html(of: one, in: panel))</g>

        """
    }
    return """
      \(rows)\(columns)\(ends.isEmpty ? "" : line(ends[0], ends[1], .quiet))\
      \(line(Spot(x: box.left, y: box.bottom), Spot(x: box.right, y: box.bottom), .quiet))\
      \(layout.straights.map { marks.html(of: $0, in: box) })\(series)
      """
  }

  private func line(_ from: Spot, _ to: Spot, _ role: Palette.Role, opacity: Double = 1) -> HTML {
    """
    <path d="\(FigureMarks.path([from, to]))"\(" stroke-opacity=\"\(opacity)\"", if: opacity < 1)\
    \(paint: .init(stroke: role))/>

    """
  }

  private func data(of one: DrawnSeries, in box: Box) -> HTML {
    let points = one.stretches.joined().map { index in
      let spot = marks.spot(index, of: one, in: box)
      return "\(HTML.number(spot.x)),\(HTML.number(spot.y)),\(one.firstRow + index)"
    }
    return " data-points=\"\(points.joined(separator: " "))\""
  }

  private func html(of label: Label) -> HTML {
    let lines = label.lines.enumerated().map { index, line -> HTML in
      let height = label.height / Double(label.lines.count)
      let y = label.y - label.height / 2 + (Double(index) + 0.5) * height + 5.6
      return """
        <text x="\(label.x)" y="\(y)"\(" text-anchor=\"\(label.side.rawValue)\"", if: label.side != .start)\
        \(" font-size=\"17\" font-weight=\"bold\"", if: label.isHeading)\
        \(paint: .init(fill: label.role))>\(line)</text>

        """
    }
    let ground: HTML = "<rect\(label.box) fill-opacity=\"0.8\"\(paint: .init(fill: .surface))/>\n"
    return "\(ground, if: label.hasGround)\(lines)"
  }
}

/// The roles that an element of a picture is painted with.
struct Paint {
  var fill: Palette.Role?
  var stroke: Palette.Role?
}

extension HTML.StringInterpolation {
  /// A length of a picture.
  mutating func appendInterpolation(_ length: Double) { appendLiteral(HTML.number(length)) }

  /// The attributes that place a rectangle.
  mutating func appendInterpolation(_ box: Box) {
    appendLiteral(
      " x=\"\(HTML.number(box.left))\" y=\"\(HTML.number(box.top))\" width=\"\(HTML.number(box.width))\""
        + " height=\"\(HTML.number(box.height))\"")
  }

  /// The attributes that paint: a colour for programs that know no CSS properties, and a class for those that do.
  mutating func appendInterpolation(paint: Paint) {
    let kinds = [("fill", paint.fill), ("stroke", paint.stroke)].compactMap { kind, role in role.map { (kind, $0) } }
    for (kind, role) in kinds { appendLiteral(" \(kind)=\"\(Palette.light[role].hexadecimal)\"") }
    appendLiteral(" class=\"\(kinds.map { "\($0)-\($1.rawValue)" }.joined(separator: " "))\"")
  }
}

extension HTML {
  /// A number of a picture, to a tenth unless more decimals are asked for.
  static func number(_ value: Double, decimals: Int = 1) -> String {
    var text = NumberFormat.fixed(value, decimals: decimals)
    while text.hasSuffix("0"), text.contains(".") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
