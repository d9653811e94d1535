// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// A rectangle in units of a picture.
struct Box: Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }

  func meets(_ other: Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func holds(_ other: Box) -> Bool {
    left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
  }
}

/// A place in a picture.
struct Spot: Hashable {
  let x: Double
  let y: Double
}

/// A text of a picture at its place, in one line or several.
struct Label: Hashable {
  enum Side: String {
    case start, middle, end
  }

  /// The size of the text. A picture of 480 units is 336 points wide on a phone of 390, where this is 11.2 points.
  static let size = 16.0
  static let line = 18.0
  static let headingLine = 22.0

  let lines: [String]
  /// The place of its beginning, middle or end.
  let x: Double
  /// The middle of its height.
  let y: Double
  var side = Side.start
  var role = Palette.Role.ink
  var isHeading = false
  /// True if it has a background that covers the marks behind it.
  var hasGround = false

  var height: Double { Double(lines.count) * (isHeading ? Self.headingLine : Self.line) }

  /// The room for the text, rather too large than too small.
  var box: Box {
    let width = (lines.map { Self.width(of: $0) }.max() ?? 0) * (isHeading ? 1.2 : 1)
    let left = side == .start ? x : side == .middle ? x - width / 2 : x - width
    return Box(left: left, top: y - height / 2, right: left + width, bottom: y + height / 2)
  }

  /// The approximate width of a text in the widest of the usual fonts, DejaVu Sans.
  static func width(of text: some StringProtocol) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * size
  }

  private static func width(of sign: Unicode.Scalar) -> Double {
    switch sign {
    case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", "!", " ", "(", ")", "[", "]", "f", "t", "r", "-", "/": 0.41
    case "m", "w", "M", "W", "%", "@", "—", "…", "←", "→", "\u{2212}", "<", ">", "=", "+": 0.99
    case "A"..."Z", "_", "~": 0.77
    case _ where sign.value < 0x2000: 0.64
    default: 1.1
    }
  }

  /// The text, cut to a width, with an ellipsis if anything is left out.
  static func shortened(_ text: String, to maximum: Double) -> String {
    guard width(of: text) > maximum else { return text }
    var (kept, room) = ("", maximum - size)
    for sign in text {
      room -= width(of: String(sign))
      guard room >= 0 else { break }
      kept.append(sign)
    }
    return kept.withoutTrailingSpaces + "…"
  }

  /// A text broken between words, and behind hyphens and equals signs, into lines of at maximum this width.
  static func lines(_ text: String, width maximum: Double, count: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      var glue = " "
      // A leading hyphen is a minus sign.
      for part in (word.prefix(1) + word.dropFirst().replacing("-", with: "-\n").replacing("=", with: "=\n"))
        .split(separator: "\n")
      {
        if let last = lines.last, width(of: last + glue + part) <= maximum {
          lines[lines.count - 1] += glue + part
        } else {
          lines.append(String(part))
        }
        glue = ""
      }
    }
    guard lines.count > count else { return lines.map { shortened($0, to: maximum) } }
    let rest = lines[(count - 1)...].joined(separator: " ")
    return lines[..<(count - 1)].map { shortened($0, to: maximum) } + [shortened(rest, to: maximum)]
  }

  /// The first of the candidates that hide the fewest points, at most `maximum`, lie within the area and overlap no
  /// other label.
  static func best(
    _ candidates: [Label], in area: Box, apartFrom others: [Box], hiding points: [Spot], maximum: Int
  ) -> Label? {
    candidates.filter { label in area.holds(label.box) && !others.contains { $0.meets(label.box) } }.map { label in
      (label, points.count { label.box.holds(Box(left: $0.x, top: $0.y, right: $0.x, bottom: $0.y)) })
    }.min { $0.1 < $1.1 }.flatMap { $0.1 <= maximum ? $0.0 : nil }
  }

  /// The middles of labels below one another, each as near to its wished height as the others allow.
  ///
  /// The wishes ascend; `room` must hold all labels.
  static func stacked(_ wishes: [(y: Double, height: Double)], in room: ClosedRange<Double>) -> [Double] {
    var middles: [Double] = []
    var floor = room.lowerBound
    for wish in wishes {
      middles.append(max(wish.y, floor + wish.height / 2))
      floor = middles[middles.count - 1] + wish.height / 2
    }
    var ceiling = room.upperBound
    for index in wishes.indices.reversed() {
      middles[index] = min(middles[index], ceiling - wishes[index].height / 2)
      ceiling = middles[index] - wishes[index].height / 2
    }
    return middles
  }
}
