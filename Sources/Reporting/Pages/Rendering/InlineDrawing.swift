// SPDX-License-Identifier: GPL-3.0-or-later

/// An SVG drawing made fit to stand inside a page: only drawing, with names of its own and a description.
///
/// It is read tag by tag. What is neither drawing nor text (scripts, styles beyond its own, references to other files)
/// refuses the whole, for a drawing that lost a part would say something else.
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
    var parts = Parts()
    for tag in tags {
      guard parts.take(tag, prefix: prefix) else { return nil }
    }
    guard parts.open.isEmpty, let root = parts.root else { return nil }
    let escape = PageText().escapeText
    let own = parts.description.isEmpty ? escape(description) : parts.description
    text =
      "<svg\(Self.text(root)) role=\"img\" aria-labelledby=\"\(prefix)-title\" aria-describedby=\"\(prefix)-desc\">"
      + "<title id=\"\(prefix)-title\">\(escape(title))</title><desc id=\"\(prefix)-desc\">\(own)</desc>"
      + (parts.rules.isEmpty ? "" : "<style>\n\(parts.rules.joined(separator: "\n"))\n</style>")
      + parts.body + "</svg>"
  }

  /// What has been read of a drawing.
  private struct Parts {
    var root: [SVGTag.Attribute]?
    var description = ""
    var rules: [String] = []
    var body = ""
    var open: [String] = []

    /// The title, the description or the style of the whole: they stand apart from the drawing.
    private var aside: String? {
      open.count == 2 ? open.last.flatMap { ["title", "desc", "style"].contains($0) ? $0 : nil } : nil
    }

    /// Takes the next piece; `false` where it is not part of a drawing.
    mutating func take(_ tag: SVGTag, prefix: String) -> Bool {
      switch tag.kind {
      case .text(let text): return take(text)
      case .end(let name):
        let isDrawn = aside == nil && open.count > 1
        guard open.popLast() == name else { return false }
        if isDrawn { body += "</\(name)>" }
        return true
      case .start(let name, let attributes, let isEmpty):
        guard aside == nil, let attributes = InlineDrawing.renamed(attributes, prefix: prefix) else { return false }
        guard !open.isEmpty else { return begin(name, attributes, isEmpty: isEmpty) }
        if !isEmpty { open.append(name) }
        if aside != nil { return true }
        guard InlineDrawing.elements.contains(name) else { return false }
        body += "<\(name)\(InlineDrawing.text(attributes))\(isEmpty ? "/" : "")>"
        return true
      }
    }

    private mutating func begin(_ name: String, _ attributes: [SVGTag.Attribute], isEmpty: Bool) -> Bool {
      guard root == nil, name == "svg", !isEmpty, let box = InlineDrawing.viewBox(attributes) else { return false }
      let kept = attributes.filter { InlineDrawing.rootAttributes.contains($0.name) }
      root = [SVGTag.Attribute(name: "viewBox", value: box)] + kept
      open.append(name)
      return true
    }

    private mutating func take(_ text: String) -> Bool {
      switch aside {
      case "title": break
      case "desc": description = text.hasPrefix("Produced by GNUPLOT") ? "" : text
      case "style":
        guard let own = InlineDrawing.rules(in: text) else { return false }
        rules += own
      default: if !open.isEmpty { body += text }
      }
      return true
    }
  }

  /// The rules of a drawing's style that give its own classes the page's colours.
  ///
  /// Rules for a drawing that is a document of its own are left out: here the page declares the colours. `nil` where
  /// there is any other rule, for it could reach the whole page.
  private static func rules(in style: String) -> [String]? {
    var rules: [String] = []
    for line in style.split(separator: "\n").map(String.init) {
      if line.wholeMatch(
        of: /\.assay-figure \.[a-z0-9-]+ \{ (fill|stroke|color): var\(--[a-z0-9-]+(, #[0-9a-f]{6})?\);? \}/) != nil
      {
        rules.append(line)
      } else if line.wholeMatch(
        of: /(@media \(prefers-color-scheme: dark\) \{ )?svg:root\.assay-figure \{[a-z0-9:;#. -]*\}( \})?/) == nil
      {
        return nil
      }
    }
    return rules
  }

  private static let rootAttributes: Set<String> = [
    "fill", "stroke", "stroke-width", "font-family", "font-size", "stroke-linecap", "stroke-linejoin", "class",
  ]

  private static func text(_ attributes: [SVGTag.Attribute]) -> String {
    attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
  }

  /// Attributes of a document of its own, and references that the page makes anew.
  private static func isForeign(_ name: String) -> Bool {
    ["xmlns", "xml:", "aria-", "role"].contains { name.hasPrefix($0) }
  }

  /// The attributes with the drawing's own names made unique; `nil` where one is more than drawing.
  private static func renamed(_ attributes: [SVGTag.Attribute], prefix: String) -> [SVGTag.Attribute]? {
    var kept: [SVGTag.Attribute] = []
    for var attribute in attributes where !isForeign(attribute.name) {
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
