// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// A colour of the sRGB space, with the contrast that WCAG 2 defines.
public struct Colour: Hashable, Sendable {
  /// Red, 0 to 255.
  package let red: UInt8
  /// Green, 0 to 255.
  package let green: UInt8
  /// Blue, 0 to 255.
  package let blue: UInt8

  /// A colour from `0xRRGGBB`; higher bits are ignored.
  public init(_ code: UInt32) {
    red = UInt8(truncatingIfNeeded: code >> 16)
    green = UInt8(truncatingIfNeeded: code >> 8)
    blue = UInt8(truncatingIfNeeded: code)
  }

  /// Near black, for text on light colours.
  package static let ink = Colour(0x14181D)
  /// White, for text on dark colours.
  package static let paper = Colour(0xFFFFFF)

  /// For example `#0072b2`.
  package var hexadecimal: String {
    "#" + [red, green, blue].map { NumberFormat.hexadecimal($0, digits: 2) }.joined()
  }

  /// Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance").
  var luminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let share = Double(channel) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio with another colour, 1 to 21 (WCAG 2.2); text needs 4.5.
  package func contrast(with other: Colour) -> Double {
    let lighter = max(luminance, other.luminance)
    let darker = min(luminance, other.luminance)
    return (lighter + 0.05) / (darker + 0.05)
  }

  /// Ink or paper, whichever is read better on this colour.
  package var bestInk: Colour { contrast(with: .ink) >= contrast(with: .paper) ? .ink : .paper }

  /// CSS for text on this colour: `background: #f4d35e; color: #14181d`.
  public var css: String { "background: \(hexadecimal); color: \(bestInk.hexadecimal)" }
}
