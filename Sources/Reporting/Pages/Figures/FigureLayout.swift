// SPDX-License-Identifier: GPL-3.0-or-later
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
  /// From one line of text to the next.
  static let line = 26
  /// Room left free at the sides.
  static let edge = 14
  /// Wider, for half of the last mark stands there.
  private static let rightEdge = 26

  /// The heading, broken into lines.
  let heading: [String]
  /// The size of the marks along the horizontal axis.
  let markSize: Int
  /// Whether those marks stand upright.
  let isUpright: Bool
  /// The names broken into lines where they would not lie beside one another otherwise; empty where they need not be.
  let nameLines: [[String]]
  /// Every how many names one is written.
  let nameStride: Int
  /// How many entries of the key stand beside one another.
  let keyColumns: Int
  /// From one entry of the key to the next beside it.
  let keyPitch: Int
  /// From the left edge to the plot.
  let left: Int
  /// From the top edge to the plot.
  let top: Int
  /// From the top edge to the lower end of the plot.
  let bottom: Int
  /// From the top edge to the middle of the horizontal axis's title.
  let titleBelow: Int
  /// From the top edge to the key.
  let key: Int
  /// The whole height.
  let height: Int

  /// The right end of the plot, from the left edge.
  var right: Int { Self.width - Self.rightEdge }
  /// The size of the heading.
  var headingSize: Int { Self.headingSize }

  /// Room for a figure.
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

  /// Whether so many labels stand beside one another under the plot.
  static func fitsAcross(_ count: Int, _ longest: Int) -> Bool {
    count * (width(of: longest, size: textSize) + 18) <= 560
  }

  /// Whether so many labels stand above one another beside the plot.
  static func fitsDown(_ count: Int) -> Bool { count <= 7 }

  /// About how wide a text of so many characters is, on the wide side.
  private static func width(of characters: Int, size: Int) -> Int { (characters * size * 60 + 99) / 100 }
}
