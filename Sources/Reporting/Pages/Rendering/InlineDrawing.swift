// SPDX-License-Identifier: GPL-3.0-or-later

/// An SVG drawing made fit to stand inside a page: only drawing, with names of its own and a description.
///
/// It is read tag by tag. What is neither drawing nor text (scripts, styles for the whole page, references to other
/// files) refuses the whole, for a drawing that lost a part would say something else.
struct InlineDrawing {
  /// The element, ready for the page.
  let text: String

  private static let elements: Set<String> = [
    "svg", "g", "path", "rect", "line", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "desc",
    "defs", "use", "symbol", "clipPath", "mask", "pattern", "linearGradient", "radialGradient", "stop",
  ]

  /// A drawing fit for a page; `nil` where the document holds something other than drawing, or cannot be read.
  ///
  /// - Parameters:
  ///   - svg: the SVG document.
  ///   - prefix: what its names begin with, unique on the page.
  ///   - title: what the picture is called.
  ///   - description: what it shows, for those who do not see it.
  init?(_ svg: String, prefix: String, title: String, description: String) {
    guard let tags = SVGTag.all(in: svg) else { return nil }
    let escape = PageText().escapeText
    var written = ""
    var open: [String] = []
    for tag in tags {
      switch tag.kind {
      case .text(let text):
        if !open.isEmpty { written += text }
      case .end(let name):
        guard open.popLast() == name else { return nil }
        written += "</\(name)>"
      case .start(let name, let attributes, let isEmpty):
        guard Self.elements.contains(name), open.isEmpty == (name == "svg" && written.isEmpty) else { return nil }
        guard let attributes = Self.renamed(attributes, prefix: prefix) else { return nil }
        if open.isEmpty {
          guard !isEmpty, let box = Self.viewBox(attributes) else { return nil }
          let kept = attributes.filter { Self.rootAttributes.contains($0.name) }
          written += "<svg viewBox=\"\(box)\" role=\"img\" aria-labelledby=\"\(prefix)-title \(prefix)-desc\""
          written += Self.text(kept) + ">"
          written += "<title id=\"\(prefix)-title\">\(escape(title))</title>"
          written += "<desc id=\"\(prefix)-desc\">\(escape(description))</desc>"
        } else {
          written += "<\(name)\(Self.text(attributes))\(isEmpty ? "/" : "")>"
        }
        if !isEmpty { open.append(name) }
      }
    }
    guard open.isEmpty, !written.isEmpty else { return nil }
    text = written
  }

  private static let rootAttributes: Set<String> = [
    "fill", "stroke", "stroke-width", "font-family", "font-size", "stroke-linecap", "stroke-linejoin", "class",
  ]

  private static func text(_ attributes: [SVGTag.Attribute]) -> String {
    attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
  }

  /// The attributes with the drawing's own names made unique; `nil` where one is more than drawing.
  private static func renamed(_ attributes: [SVGTag.Attribute], prefix: String) -> [SVGTag.Attribute]? {
    var kept: [SVGTag.Attribute] = []
    for var attribute in attributes where !attribute.name.hasPrefix("xmlns") && !attribute.name.hasPrefix("xml:") {
      let plain = attribute.value.lowercased()
      guard !attribute.name.lowercased().hasPrefix("on"), !plain.contains("javascript:"), !plain.contains("\\") else {
        return nil
      }
      switch attribute.name {
      case "id": attribute.value = "\(prefix)-\(attribute.value)"
      case "href", "xlink:href":
        guard attribute.value.hasPrefix("#") else { return nil }
        attribute = SVGTag.Attribute(name: "href", value: "#\(prefix)-\(attribute.value.dropFirst())")
      default:
        if plain.contains("url(") {
          let own = attribute.value.split(separator: "url(#", omittingEmptySubsequences: false)
          guard own.count == plain.split(separator: "url(", omittingEmptySubsequences: false).count else { return nil }
          attribute.value = own.joined(separator: "url(#\(prefix)-")
        }
      }
      kept.append(attribute)
    }
    return kept
  }

  /// The drawing's own coordinates: as stated, or from its size.
  private static func viewBox(_ attributes: [SVGTag.Attribute]) -> String? {
    func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    if let box = value("viewBox") { return box }
    func size(_ text: String) -> Double? { Double(text.hasSuffix("px") ? String(text.dropLast(2)) : text) }
    guard let width = value("width"), let height = value("height"), size(width) != nil, size(height) != nil else {
      return nil
    }
    return "0 0 \(width) \(height)".replacing("px", with: "")
  }
}
