// SPDX-License-Identifier: GPL-3.0-or-later

/// An element of an SVG document with what it holds.
struct Markup: Hashable {
  /// What an element holds.
  indirect enum Content: Hashable {
    case element(Markup)
    /// Text as it stands in the document, escapes and all.
    case text(String)
  }

  var name: String
  var attributes: [SVGTag.Attribute] = []
  var content: [Content] = []

  /// The value of an attribute; `nil` where there is none.
  subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The elements in it.
  var elements: [Markup] {
    content.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text in it, escapes and all.
  var text: String {
    content.map { item in
      switch item {
      case .text(let text): text
      case .element(let element): element.text
      }
    }.joined()
  }

  /// The root element of a document.
  ///
  /// - Returns: `nil` where the text is not well-formed, for example cut off.
  static func root(of document: String) -> Markup? {
    guard let tags = SVGTag.all(in: document) else { return nil }
    var open: [Markup] = [Markup(name: "")]
    for tag in tags {
      switch tag.kind {
      case .text(let text): open[open.count - 1].content.append(.text(text))
      case .start(let name, let attributes, let isEmpty):
        let element = Markup(name: name, attributes: attributes)
        if isEmpty {
          open[open.count - 1].content.append(.element(element))
        } else {
          open.append(element)
        }
      case .end(let name):
        guard open.count > 1, let element = open.popLast(), element.name == name else { return nil }
        open[open.count - 1].content.append(.element(element))
      }
    }
    return open.count == 1 ? open[0].elements.first : nil
  }

  /// The element as text on a line of its own.
  var line: String {
    let head = "<\(name)" + attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
    if content.isEmpty { return head + "/>" }
    let inner = content.map { item in
      switch item {
      case .text(let text): FigureText.replacing(text, ">", with: "&gt;")
      case .element(let element): element.line
      }
    }.joined()
    return head + ">" + inner + "</\(name)>"
  }
}
