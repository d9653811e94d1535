// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The contrast of two colours by WCAG 2.2.
///
/// Source: W3C, "Web Content Accessibility Guidelines 2.2", definitions of relative luminance and contrast ratio. A
/// ratio is never rounded up: 4.4999 fails where 4.5 is asked.
public enum Contrast {
  /// The relative luminance of an opaque colour, 0 to 1.
  public static func luminance(of colour: Colour) -> Double {
    0.2126 * Colour.decoded(colour.red) + 0.7152 * Colour.decoded(colour.green) + 0.0722 * Colour.decoded(colour.blue)
  }

  /// The ratio of two luminances, 1 to 21.
  public static func ratio(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// The contrast ratio of a foreground on a background, 1 to 21. A translucent foreground is composited over the
  /// background, and a translucent background over `below`.
  public static func ratio(of foreground: Colour, on background: Colour, below: Colour = .white) -> Double {
    let ground = background.over(below)
    return ratio(luminance(of: foreground.over(ground)), luminance(of: ground))
  }

  /// The number of opaque 8-bit colours, of 16,777,216, that reach a ratio against a colour.
  public static func count(reaching minimum: Double, against other: Colour) -> Int {
    let (y, light) = (luminance(of: other), (0...255).map { Colour.decoded(Double($0) / 255) })
    var count = 0
    for red in light {
      for green in light {
        let sum = 0.2126 * red + 0.7152 * green
        for blue in light where ratio(sum + 0.0722 * blue, y) >= minimum { count += 1 }
      }
    }
    return count
  }
}

/// The purpose of a foreground, which decides the contrast that it needs.
public enum ContrastRole: String, CaseIterable, Hashable, Sendable {
  /// Text below 18 points, and below 14 points bold: 4.5, enhanced 7 (criteria 1.4.3 and 1.4.6).
  case text
  /// Text of at least 18 points, or 14 points bold: 3, enhanced 4.5 (criteria 1.4.3 and 1.4.6).
  case largeText = "large-text"
  /// A part that identifies a control or its state: 3 (criterion 1.4.11).
  case component
  /// A part of a picture that is needed to understand it: 3 (criterion 1.4.11).
  case graphic
  /// Decoration without information; any contrast is enough.
  case decoration

  /// The least ratio for a level; 1 where WCAG requires none.
  public func minimum(for level: ContrastLevel) -> Double {
    switch (self, level) {
    case (.text, .aa), (.largeText, .aaa): 4.5
    case (.text, .aaa): 7
    case (.largeText, .aa), (.component, _), (.graphic, _): 3
    case (.decoration, _): 1
    }
  }
}

/// A level of conformance.
public enum ContrastLevel: String, CaseIterable, Hashable, Sendable {
  case aa = "AA"
  case aaa = "AAA"
}
