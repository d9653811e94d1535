// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// What gnuplot drew, made into an SVG that says what it is, carries no ids but its own, and follows light and dark.
///
/// Every colour is written twice: as an attribute, for programs that know no CSS properties, and as a class whose rule
/// names the property of the page. `svg:root` matches only where the picture is a file of its own; there it brings the
/// properties along.
struct FigurePicture {
  /// The document, with a line end behind it.
  let text: String

  /// Rewrites a drawing.
  ///
  /// - Parameters:
  ///   - figure: what is drawn.
  ///   - script: how.
  ///   - drawn: gnuplot's document.
  /// - Throws: `FigureError.failed` where the document is not what gnuplot is known to write.
  init(figure: Figure, script: FigureScript, drawn: String) throws(FigureError) {
    guard let root = Markup.root(of: drawn), root.name == "svg",
      let canvas = root.elements.first(where: { $0["id"] == "gnuplot_canvas" })
    else {
      throw .failed(program: "gnuplot", figure: figure.id, problem: "its drawing is not a whole SVG document")
    }
    let parts = script.parts.map { FigureText.plain(script.series[$0.series].name) }
    var drawing = FigureDrawing(prefix: "figure-\(figure.id)-", names: parts)
    let ground = drawing.ground(height: script.layout.height)
    let body = [ground] + canvas.elements.filter { $0.name != "defs" }.flatMap { drawing.lines(of: $0) }
    let definitions = canvas.elements.filter { $0.name == "defs" }.flatMap(\.elements)
    let symbols = drawing.symbols(among: definitions)
    text = Self.document(figure, script, drawing, symbols: symbols, body: body)
  }

  private static func document(
    _ figure: Figure, _ script: FigureScript, _ drawing: FigureDrawing, symbols: [String], body: [String]
  ) -> String {
    let id = "figure-\(figure.id)"
    let size = "\(FigureLayout.width) \(script.layout.height)"
    let head = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" id=\"\(id)\" "
        + "class=\"assay-figure\" viewBox=\"0 0 \(size)\" width=\"100%\" role=\"img\" "
        + "aria-labelledby=\"\(id)-title\" aria-describedby=\"\(id)-description\" "
        + "font-family=\"system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\" "
        + "font-size=\"\(FigureLayout.textSize)\" fill=\"none\">",
      "<title id=\"\(id)-title\">\(FigureText.escaped(figure.title))</title>",
      "<desc id=\"\(id)-description\">\(FigureText.escaped(description(figure, script)))</desc>",
      "<style>", style(drawing.roles), "</style>",
    ]
    let definitions = symbols.isEmpty ? [] : ["<defs>"] + symbols + ["</defs>"]
    return (head + definitions + body + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// What the figure says of itself, and what was thinned out.
  private static func description(_ figure: Figure, _ script: FigureScript) -> String {
    let thinned = script.series.compactMap { series in
      series.thinnedFrom.map { count in
        "Of the \(NumberFormat.grouped(count)) points of \(series.name.isEmpty ? "a line" : series.name) those are "
          + "drawn that differ at this size."
      }
    }
    return ([figure.alternative] + thinned).joined(separator: " ")
  }

  private static func style(_ used: Set<FigureDrawing.Paint>) -> String {
    let paints = used.sorted { $0.name < $1.name }
    let roles = Palette.Role.allCases.filter { role in paints.contains { $0.role == role } }
    let rules = paints.map { ".assay-figure .\($0.name) { \($0.kind.rawValue): \($0.role.css); }" }
    let properties: (Palette) -> String = { palette in
      roles.map { "\($0.property): \(palette[$0].hexadecimal);" }.joined(separator: " ")
    }
    // An inlined picture is no root: there the page's own properties count.
    let alone = [
      "svg:root.assay-figure { max-width: 60rem; \(properties(.light)) }",
      "@media (prefers-color-scheme: dark) { svg:root.assay-figure { \(properties(.dark)) } }",
    ]
    return (rules + alone).joined(separator: "\n")
  }
}
