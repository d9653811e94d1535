// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// Where the parts of a figure stand, in units of its SVG.
///
/// From the top: heading, title of the vertical axis, plot, marks of the horizontal axis, its title, key. Every part
/// has room of its own, so none hides another.
struct FigureLayout: Hashable {
  /// The width of every figure; heights follow from what there is to show.
  static let width = 640
  /// The size of the text; at a phone's 330 points it is read as 9 points.
  static let textSize = 17
  private static let headingSize = 20
  private static let plotHeight = 300
  static let line = 26
  /// Room left free at the sides.
  static let edge = 14
  /// Wider, for half of the last mark stands there.
  private static let rightEdge = 26

  let heading: [String]
  let markSize: Int
  let isUpright: Bool
  /// The names broken into lines where they would not lie beside one another otherwise; empty where they need not be.
  let nameLines: [[String]]
  /// Every how many names one is written.
  let nameStride: Int
  let keyColumns: Int
  /// From one entry of the key to the next beside it.
  let keyPitch: Int
  let left: Int
  let top: Int
  let bottom: Int
  let titleBelow: Int
  let key: Int
  let height: Int

  var right: Int { Self.width - Self.rightEdge }
  var headingSize: Int { Self.headingSize }

  init(_ figure: Figure, x: AxisPlan, y: AxisPlan, key names: [String], heading isShown: Bool) {
    heading = isShown ? FigureText.lines(figure.title, width: 52, most: 3) : []
    left = Self.edge + Self.width(of: y.longestLabel, size: Self.textSize) + 12
    let above = Self.edge + heading.count * Self.line + (heading.isEmpty ? 0 : 6)
    top = above + (figure.y.title.isEmpty ? 6 : Self.line + 8)
    bottom = top + Self.plotHeight
    let pitch = Double(Self.width - Self.rightEdge - left) / Double(max(x.ticks.count, 1))
    let lying = Double(Self.width(of: x.longestLabel, size: Self.textSize) + 10)
    nameLines = x.isNamed && lying > pitch ? Self.broken(x.ticks.map(\.label), pitch: pitch) : []
    isUpright = x.isNamed && lying > pitch && nameLines.isEmpty
    markSize = isUpright ? max(13, min(Self.textSize, Int(pitch))) : Self.textSize
    nameStride = isUpright ? max(1, Int((Double(markSize) / pitch).rounded(.up))) : 1
    let lengthwise = Self.width(of: x.longestLabel, size: markSize) + 14
    let marks = isUpright ? lengthwise : nameLines.isEmpty ? Self.line + 2 : Self.line + 24
    titleBelow = bottom + marks + 14
    let end = figure.x.title.isEmpty ? bottom + marks : titleBelow + 14
    key = end + 8
    let widest = names.map { Self.width(of: $0.count, size: Self.textSize) }.max() ?? 0
    keyPitch = widest + 76
    let columns = max(1, min(names.count, (Self.width - 2 * Self.edge + 24) / keyPitch))
    keyColumns = columns
    height = end + (names.isEmpty ? 8 : (names.count + columns - 1) / columns * Self.line + 20)
  }

  /// Names in two lines at most; empty where one of them does not fit so.
  private static func broken(_ names: [String], pitch: Double) -> [[String]] {
    let most = Int((pitch - 8) * 100 / Double(textSize * 60))
    let lines = names.map { FigureText.lines($0, width: max(most, 1), most: 3) }
    let fit = zip(names, lines).allSatisfy { name, lines in
      lines.count <= 2 && lines.joined(separator: " ").count == name.split(separator: " ").joined(separator: " ").count
    }
    return fit ? lines : []
  }

  static func fitsAcross(_ count: Int, _ longest: Int) -> Bool {
    count * (width(of: longest, size: textSize) + 18) <= 560
  }

  static func fitsDown(_ count: Int) -> Bool { count <= 7 }

  /// About how wide a text of so many characters is, on the wide side.
  private static func width(of characters: Int, size: Int) -> Int { (characters * size * 60 + 99) / 100 }
}

/// Texts of a figure on their way into a gnuplot script, and the room they take.
enum FigureText {
  /// A text between single quotes: there gnuplot knows no escapes, no commands between backquotes and no macros.
  ///
  /// A straight quote becomes a curved one, for gnuplot reads a doubled quote in some places as an end of the text.
  static func quoted(_ text: String) -> String { "'" + replacing(plain(text), "'", with: "\u{2019}") + "'" }

  /// A text for a mark of an axis, where gnuplot would take `%` for the beginning of a number's format.
  static func quotedLabel(_ text: String) -> String { quoted(replacing(text, "%", with: "%%")) }

  static func escaped(_ text: String) -> String { HTML.escaped(plain(text)) }

  /// A text on one line, without what XML forbids or what would change the direction of what follows.
  static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : " " }))
  }

  /// A text with one sign replaced, also where an accent behind the sign makes both one character.
  static func replacing(_ text: String, _ sign: Unicode.Scalar, with other: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == sign { result.append(contentsOf: other.unicodeScalars) } else { result.append(scalar) }
    }
    return String(result)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    case .format: scalar == "\u{200D}" || scalar == "\u{00AD}"
    default: true
    }
  }

  /// A text of at most so many characters, the last an ellipsis where something is left out.
  static func shortened(_ text: String, to most: Int) -> String {
    text.count <= most ? text : text.prefix(max(most - 1, 0)).withoutTrailingSpaces + "…"
  }

  /// A text broken between words into lines of at most so many characters.
  static func lines(_ text: String, width: Int, most: Int) -> [String] {
    var lines: [String] = []
    for word in plain(text).split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    guard lines.count > most else { return lines.map { shortened($0, to: width) } }
    let rest = lines[(most - 1)...].joined(separator: " ")
    return lines[..<(most - 1)].map { shortened($0, to: width) } + [shortened(rest, to: width)]
  }
}
