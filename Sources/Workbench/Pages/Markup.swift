// SPDX-License-Identifier: GPL-3.0-or-later

struct Markup: Hashable, Sendable {
  indirect enum Content: Hashable, Sendable {
    case element(Markup)
    /// Text as it stands in the document, escapes and all.
    case text(String)
  }

  var name: String
  var attributes: [SVGTag.Attribute] = []
  var content: [Content] = []

  subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  var elements: [Markup] {
    content.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  var text: String {
    content.map { item in
      switch item {
      case .text(let text): text
      case .element(let element): element.text
      }
    }.joined()
  }

  /// The root element of a document.
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

/// A piece of an SVG document: a tag, or the text between two.
struct SVGTag {
  /// An attribute as written, entities and all.
  struct Attribute: Hashable, Sendable {
    var name: String
    var value: String
  }

  enum Kind {
    case start(String, [Attribute], isEmpty: Bool)
    case end(String)
    case text(String)
  }

  let kind: Kind

  /// The pieces of a document in order; declarations and comments are left out.
  static func all(in document: String) -> [SVGTag]? {
    var reader = Reader(rest: Array(document.utf8)[...])
    var tags: [SVGTag] = []
    while let byte = reader.rest.first {
      if byte != UInt8(ascii: "<") {
        tags.append(SVGTag(kind: .text(reader.text(to: UInt8(ascii: "<")))))
      } else if reader.skips("<!--", to: "-->") || reader.skips("<?", to: "?>") || reader.skips("<!DOCTYPE", to: ">") {
        continue
      } else {
        guard let tag = reader.tag() else { return nil }
        tags.append(tag)
      }
    }
    return tags
  }

  /// Reads bytes, for all that means something in a tag is ASCII.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func text(to end: UInt8) -> String {
      let text = rest.prefix { $0 != end }
      rest = rest.dropFirst(text.count)
      return String(decoding: text, as: UTF8.self)
    }

    /// Leaves out what starts and ends so; `false` where it does not start so. What never ends goes to the end.
    mutating func skips(_ start: String, to end: String) -> Bool {
      guard rest.starts(with: start.utf8) else { return false }
      while !rest.isEmpty, !rest.starts(with: end.utf8) { rest = rest.dropFirst() }
      rest = rest.dropFirst(end.utf8.count)
      return true
    }

    mutating func tag() -> SVGTag? {
      rest = rest.dropFirst()
      let isEnd = takes("/")
      let name = word()
      guard !name.isEmpty else { return nil }
      var attributes: [Attribute] = []
      while true {
        skipSpace()
        if takes(">") { return SVGTag(kind: isEnd ? .end(name) : .start(name, attributes, isEmpty: false)) }
        if takes("/>") { return isEnd ? nil : SVGTag(kind: .start(name, attributes, isEmpty: true)) }
        guard !isEnd, let attribute = attribute() else { return nil }
        attributes.append(attribute)
      }
    }

    private mutating func attribute() -> Attribute? {
      let name = word()
      skipSpace()
      guard !name.isEmpty, takes("=") else { return nil }
      skipSpace()
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
      rest = rest.dropFirst()
      let value = text(to: quote)
      guard !rest.isEmpty, !value.utf8.contains(UInt8(ascii: "<")) else { return nil }
      rest = rest.dropFirst()
      return Attribute(name: name, value: value.unicodeScalars.map { $0 == "\"" ? "&quot;" : String($0) }.joined())
    }

    private mutating func word() -> String {
      let word = rest.prefix { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "_"): true
        default: false
        }
      }
      rest = rest.dropFirst(word.count)
      return String(decoding: word, as: UTF8.self)
    }

    private mutating func skipSpace() {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    private mutating func takes(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }
  }
}
