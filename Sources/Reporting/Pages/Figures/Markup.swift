// SPDX-License-Identifier: GPL-3.0-or-later

/// An element of an SVG document, as far as gnuplot writes them: attributes in quotes, no CDATA.
struct Markup: Hashable {
  /// What an element holds.
  indirect enum Content: Hashable {
    case element(Markup)
    /// Text as it stands in the document, escapes and all.
    case text(String)
  }

  /// An attribute, its value as it stands in the document.
  struct Attribute: Hashable {
    let name: String
    var value: String
  }

  var name: String
  var attributes: [Attribute] = []
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
    var open: [Markup] = [Markup(name: "")]
    var rest = document[...]
    while let start = rest.firstIndex(of: "<") {
      open[open.count - 1].content.append(.text(String(rest[..<start])))
      guard let end = rest[start...].firstIndex(of: ">") else { return nil }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") || tag.hasPrefix("!") { continue }
      if tag.hasPrefix("/") {
        guard open.count > 1, let element = open.popLast(), tag.dropFirst() == element.name else { return nil }
        open[open.count - 1].content.append(.element(element))
        continue
      }
      let isWhole = tag.hasSuffix("/")
      guard let element = element(isWhole ? tag.dropLast() : tag) else { return nil }
      if isWhole {
        open[open.count - 1].content.append(.element(element))
      } else {
        open.append(element)
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
      case .text(let text): text.replacing(">", with: "&gt;")
      case .element(let element): element.line
      }
    }.joined()
    return head + ">" + inner + "</\(name)>"
  }

  /// An element without content from what stands between the angle brackets.
  private static func element(_ tag: Substring) -> Markup? {
    let name = tag.prefix { !$0.isWhitespace }
    guard !name.isEmpty else { return nil }
    var element = Markup(name: String(name))
    var rest = tag[name.endIndex...].drop { $0.isWhitespace }
    while let equals = rest.firstIndex(of: "=") {
      let key = rest[..<equals].filter { !$0.isWhitespace }
      let value = rest[rest.index(after: equals)...].drop { $0.isWhitespace }
      guard let quote = value.first, quote == "'" || quote == "\"",
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      element.attributes.append(Attribute(name: key, value: String(value[value.index(after: value.startIndex)..<end])))
      rest = value[value.index(after: end)...].drop { $0.isWhitespace }
    }
    return rest.isEmpty ? element : nil
  }
}
