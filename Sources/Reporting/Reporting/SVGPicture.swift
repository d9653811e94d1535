// SPDX-License-Identifier: GPL-3.0-or-later

/// An SVG document being drawn, one element a line.
struct SVGPicture {
  enum Anchor: String {
    case start, middle, end
  }

  enum Weight: String {
    case normal, bold
  }

  private var lines: [String] = []

  init(width: Int, height: Int, title: String) {
    lines.append(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
        + #"viewBox="0 0 \#(width) \#(height)" role="img" "#
        + #"font-family="'DejaVu Sans', Verdana, 'Helvetica Neue', Arial, sans-serif">"#)
    lines.append("<title>\(XMLText.escaped(title))</title>")
  }

  /// The document, with a line end behind it.
  var text: String { lines.joined(separator: "\n") + "\n</svg>\n" }

  mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, radius: Int, fill: Colour) {
    lines.append(
      #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" rx="\#(radius)" fill="\#(fill.hexadecimal)"/>"#)
  }

  mutating func text(
    _ text: String, _ x: Int, _ y: Int, size: Int, fill: Colour, weight: Weight = .normal, anchor: Anchor = .start,
    suffix: String = ""
  ) {
    let small = suffix.isEmpty ? "" : #"<tspan font-size="\#(size - 4)">\#(XMLText.escaped(suffix))</tspan>"#
    let face = weight == .bold ? #" font-weight="bold""# : ""
    let place = anchor == .start ? "" : #" text-anchor="\#(anchor.rawValue)""#
    lines.append(
      #"<text x="\#(x)" y="\#(y)" font-size="\#(size)" fill="\#(fill.hexadecimal)"\#(face)\#(place)>"#
        + "\(XMLText.escaped(text))\(small)</text>")
  }

  /// Draws what belongs together under a title that browsers show on hovering.
  mutating func group(title: String, _ draw: (inout SVGPicture) -> Void) {
    lines.append("<g><title>\(XMLText.escaped(title))</title>")
    draw(&self)
    lines.append("</g>")
  }
}
