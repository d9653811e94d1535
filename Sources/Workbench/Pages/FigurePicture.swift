// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// What gnuplot drew, made into an SVG that says what it is, carries no ids but its own, and follows light and dark.
///
/// Every colour is written twice: as an attribute, for programs that know no CSS properties, and as a class whose rule
/// names the property of the page. `svg:root` matches only where the picture is a file of its own; there it brings the
/// properties along.
package struct FigurePicture: Sendable {
  private let figure: Figure
  private let script: FigureScript
  private let canvas: Markup

  init(figure: Figure, script: FigureScript, drawn: String) throws(FigureError) {
    guard let root = Markup.root(of: drawn), root.name == "svg", root.isDrawing,
      let canvas = root.elements.first(where: { $0["id"] == "gnuplot_canvas" })
    else {
      throw .failed(program: "gnuplot", figure: figure.id, problem: "its drawing is not a whole SVG document")
    }
    (self.figure, self.script, self.canvas) = (figure, script, canvas)
  }

  /// A document of its own, with a line end behind it; it follows the reader's preference for light or dark.
  var file: String { text(id: "figure-\(figure.id)", isInline: false) }

  /// An element of a page, whose colours it takes; its ids begin with that of the page's figure.
  func inline(id: String) -> String { text(id: id, isInline: true) }

  private func text(id: String, isInline: Bool) -> String {
    let names = script.parts.map { FigureText.plain(script.series[$0.series].name) }
    var drawing = FigureDrawing(prefix: id + "-", isInline: isInline, names: names)
    let ground = drawing.ground(height: script.layout.height)
    let body = [ground] + canvas.elements.filter { $0.name != "defs" }.flatMap { drawing.lines(of: $0) }
    let symbols = drawing.symbols(among: canvas.elements.filter { $0.name == "defs" }.flatMap(\.elements))
    let root =
      isInline
      ? ""
      : "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" id=\"\(id)\" width=\"100%\" "
    let head = [
      "<svg \(root)class=\"assay-figure\" viewBox=\"0 0 \(FigureLayout.width) \(script.layout.height)\" role=\"img\" "
        + "font-family=\"system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\" "
        + "font-size=\"\(FigureLayout.textSize)\" fill=\"none\">",
      "<title>\(FigureText.escaped(figure.title))</title>",
      "<desc>\(FigureText.escaped(description))</desc>",
      "<style>", Self.style(drawing.roles, isInline: isInline), "</style>",
    ]
    let definitions = symbols.isEmpty ? [] : ["<defs>"] + symbols + ["</defs>"]
    return (head + definitions + body + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// What the figure says of itself, and what was thinned out.
  private var description: String {
    let thinned = script.series.compactMap { series in
      series.thinnedFrom.map { count in
        "Of the \(NumberFormat.grouped(count)) points of \(series.name.isEmpty ? "a line" : series.name) those are "
          + "drawn that differ at this size."
      }
    }
    return ([figure.description] + thinned).joined(separator: " ")
  }

  private static func style(_ used: Set<FigureDrawing.Paint>, isInline: Bool) -> String {
    let paints = used.sorted { $0.name < $1.name }
    let roles = Palette.Role.allCases.filter { role in paints.contains { $0.role == role } }
    let rules = paints.map { ".assay-figure .\($0.name) { \($0.kind.rawValue): \($0.role.css); }" }
    let properties: (Palette) -> String = { palette in
      roles.map { "\($0.property): \(palette[$0].hexadecimal);" }.joined(separator: " ")
    }
    let alone = [
      "svg:root.assay-figure { max-width: 60rem; \(properties(.light)) }",
      "@media (prefers-color-scheme: dark) { svg:root.assay-figure { \(properties(.dark)) } }",
    ]
    return (rules + (isInline ? [] : alone)).joined(separator: "\n")
  }
}

extension Markup {
  /// Whether it holds only what draws: no scripts, and references only within the document.
  fileprivate var isDrawing: Bool {
    let known: Set<String> = [
      "svg", "g", "path", "rect", "line", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "desc",
      "defs", "use", "symbol", "clipPath", "pattern", "filter", "feFlood", "feComposite",
    ]
    return known.contains(name) && elements.allSatisfy(\.isDrawing)
      && attributes.allSatisfy { attribute in
        !attribute.name.lowercased().hasPrefix("on")
          && (!attribute.name.hasSuffix("href") || attribute.value.hasPrefix("#"))
      }
  }
}

/// gnuplot's drawing on its way into the picture: empty groups go, colours become roles, ids get the figure's prefix.
private struct FigureDrawing {
  /// A role painted as a line, as a surface, or as the colour that a point's symbol takes for both.
  struct Paint: Hashable {
    enum Kind: String, Hashable {
      case stroke, fill, color
    }

    let kind: Kind
    let role: Palette.Role

    var name: String { "\(kind.rawValue)-\(role.rawValue)" }
  }

  let prefix: String
  let isInline: Bool
  /// The name of the series of every part, in gnuplot's order; empty for none.
  let names: [String]
  private(set) var roles: Set<Paint> = []
  private var usedSymbols: Set<String> = []

  init(prefix: String, isInline: Bool, names: [String]) {
    (self.prefix, self.isInline, self.names) = (prefix, isInline, names)
  }

  mutating func lines(of element: Markup) -> [String] {
    switch element.name {
    case "title", "desc": []
    case "g": group(element)
    case "rect" where element["fill"] == "none": []
    default: [painted(element).line]
    }
  }

  /// The symbols that were used, of all that gnuplot defines, in the order of their need.
  mutating func symbols(among definitions: [Markup]) -> [String] {
    var wanted = usedSymbols
    for definition in definitions.reversed() where wanted.contains(definition["id"] ?? "") {
      if let base = definition["xlink:href"] { wanted.insert(String(base.dropFirst())) }
    }
    return definitions.filter { wanted.contains($0["id"] ?? "") }.map { painted($0).line }
  }

  mutating func ground(height: Int) -> String {
    roles.insert(Paint(kind: .fill, role: .surface))
    return "<rect width=\"\(FigureLayout.width)\" height=\"\(height)\" fill=\"\(Palette.light[.surface].hexadecimal)\" "
      + "class=\"fill-surface\"/>"
  }

  private mutating func group(_ element: Markup) -> [String] {
    if let text = element.elements.first, text.name == "text" {
      return text.text.isEmpty ? [] : [label(element, text)]
    }
    var inner: [String] = []
    for child in element.elements { inner += lines(of: child) }
    guard !inner.isEmpty else { return [] }
    if let id = element["id"], id.hasPrefix("gnuplot_plot_") {
      let number = Int(id.dropFirst("gnuplot_plot_".count)) ?? 0
      let name = names.indices.contains(number - 1) ? names[number - 1] : ""
      let title = name.isEmpty ? "" : "<title>\(FigureText.escaped(name))</title>"
      return ["<g>" + title] + inner + ["</g>"]
    }
    guard let width = element["stroke-width"], width != "1.00" else { return inner }
    return ["<g stroke-width=\"\(width)\">"] + inner + ["</g>"]
  }

  /// A text with its place, its colour and, where they are not the usual ones, its side, size and weight.
  ///
  /// gnuplot's SVG takes `:Bold` for a part of the font's name.
  private mutating func label(_ group: Markup, _ text: Markup) -> String {
    var label = Markup(name: "text", content: [.text(text.text)])
    let kept = ["transform", "fill", "text-anchor", "font-size"]
    label.attributes = group.attributes.filter { attribute in
      switch (attribute.name, attribute.value) {
      case ("text-anchor", "start"), ("font-size", "\(FigureLayout.textSize).00"): false
      default: kept.contains(attribute.name)
      }
    }
    if group["font-family"]?.hasSuffix(":Bold") ?? false {
      label.attributes.append(SVGTag.Attribute(name: "font-weight", value: "bold"))
    }
    return painted(label).line
  }

  /// An element with classes for its colours and with ids of the figure's own.
  private mutating func painted(_ element: Markup) -> Markup {
    var result = Markup(name: element.name)
    var classes: [String] = []
    for var attribute in element.attributes where attribute.name != "class" {
      // Only the lines of a pattern are styled so: fill:none; stroke:rgb(0,0,7)
      let isStyle = attribute.name == "style"
      let code = isStyle ? attribute.value.split(separator: "stroke:").last.map(String.init) ?? "" : attribute.value
      let kind = isStyle ? Paint.Kind.stroke : Paint.Kind(rawValue: attribute.name)
      if let kind, let role = FigureMedium.role(ofCode: code) {
        let paint = Paint(kind: kind, role: role)
        roles.insert(paint)
        classes.append(paint.name)
        attribute = SVGTag.Attribute(name: kind.rawValue, value: Palette.light[role].hexadecimal)
      } else if isStyle {
        continue
      }
      result.attributes.append(owned(attribute, of: element))
    }
    if !classes.isEmpty {
      result.attributes.append(SVGTag.Attribute(name: "class", value: classes.joined(separator: " ")))
    }
    for child in element.content {
      switch child {
      case .element(let inner): result.content.append(.element(painted(inner)))
      case .text(let text) where element.name == "text": result.content.append(.text(text))
      case .text: break
      }
    }
    return result
  }

  /// An attribute whose id, or reference to one, begins with the figure's.
  private mutating func owned(_ attribute: SVGTag.Attribute, of element: Markup) -> SVGTag.Attribute {
    var owned = attribute
    switch attribute.name {
    case "id":
      owned.value = prefix + attribute.value
    case "xlink:href" where attribute.value.hasPrefix("#"):
      usedSymbols.insert(String(attribute.value.dropFirst()))
      owned.value = "#" + prefix + attribute.value.dropFirst()
      if isInline { owned.name = "href" }
    case "fill" where attribute.value.hasPrefix("url(#"):
      owned.value = "url(#" + prefix + attribute.value.dropFirst("url(#".count)
    case "d", "points":
      owned.value = attribute.value.split { $0.isWhitespace }.joined(separator: " ")
    default: break
    }
    return owned
  }
}
