// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// gnuplot's drawing on its way into the picture: empty groups go, colours become roles, ids get the figure's prefix.
struct FigureDrawing {
  /// A role painted as a line, as a surface, or as the colour that a point's symbol takes for both.
  struct Paint: Hashable {
    enum Kind: String, Hashable {
      case stroke, fill, color
    }

    let kind: Kind
    let role: Palette.Role

    /// The class that paints so: `stroke-series-1`.
    var name: String { "\(kind.rawValue)-\(role.rawValue)" }
  }

  /// What comes before every id.
  let prefix: String
  /// The name of the series of every part, in gnuplot's order; empty for none.
  let names: [String]
  /// What was painted how.
  private(set) var roles: Set<Paint> = []
  private var usedSymbols: Set<String> = []

  init(prefix: String, names: [String]) {
    (self.prefix, self.names) = (prefix, names)
  }

  /// The lines of the picture that an element of the drawing becomes.
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

  /// What is behind everything.
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
      if let kind = Paint.Kind(rawValue: attribute.name), let role = FigureMedium.role(ofCode: attribute.value) {
        let paint = Paint(kind: kind, role: role)
        roles.insert(paint)
        classes.append(paint.name)
        attribute.value = Palette.light[role].hexadecimal
      } else if attribute.name == "style" {
        // Only the lines of a pattern are styled so: fill:none; stroke:rgb(0,0,7)
        let code = attribute.value.split(separator: "stroke:").last.map(String.init) ?? ""
        guard let role = FigureMedium.role(ofCode: code) else { continue }
        roles.insert(Paint(kind: .stroke, role: role))
        classes.append(Paint(kind: .stroke, role: role).name)
        attribute = SVGTag.Attribute(name: "stroke", value: Palette.light[role].hexadecimal)
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
    case "fill" where attribute.value.hasPrefix("url(#"):
      owned.value = "url(#" + prefix + attribute.value.dropFirst("url(#".count)
    case "d", "points":
      owned.value = attribute.value.split { $0.isWhitespace }.joined(separator: " ")
    default: break
    }
    return owned
  }
}
