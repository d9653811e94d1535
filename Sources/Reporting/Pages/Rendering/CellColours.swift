// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// The colours of a page's cells: each gets a class once, so that hundreds of cells cost a few letters each.
struct CellColours {
  private var order: [Colour] = []
  private var classes: [Colour: String] = [:]

  /// The class of a colour.
  mutating func name(of colour: Colour) -> String {
    if let name = classes[colour] { return name }
    let name = "k\(order.count)"
    classes[colour] = name
    order.append(colour)
    return name
  }

  /// The rules of the style sheet, in order of use.
  var rules: String {
    order.enumerated().map { index, colour in
      ".k\(index) { background: \(colour.hexadecimal); color: \(Self.ink(on: colour).hexadecimal) }\n"
    }.joined()
  }

  /// Ink or paper; on the few middling greys where neither reaches 4.5:1, black, which then does.
  static func ink(on colour: Colour) -> Colour {
    colour.contrast(with: colour.bestInk) >= 4.5 ? colour.bestInk : Colour(0)
  }
}
