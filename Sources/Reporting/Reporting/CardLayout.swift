// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the parts of a strategy card stand, in whole pixels.
struct CardLayout {
  static let margin = 32
  static let titleHeight = 68
  static let lineHeight = 21
  static let noteHeight = 18
  static let cellWidth = 44
  static let cellHeight = 28
  static let gap = 3
  static let pitchX = cellWidth + gap
  static let pitchY = cellHeight + gap
  static let labelWidth = 62
  static let stackGap = 40
  static let sectionGap = 18
  static let sectionHead = 30
  static let columnHead = 26
  static let legendPitch = 36

  static let board = Colour(0xFBFAF6)
  static let header = Colour(0x2B3440)
  static let quiet = Colour(0x525C68)

  /// What a legend explains.
  enum Entry {
    case category(StrategyCard.Category)
    case mark(StrategyCard.Mark)
  }

  let width: Int
  let height: Int
  let gridTop: Int
  let gridWidth: Int
  let legendTop: Int
  let legendHeight: Int
  private let stackWidth: Int

  init(_ card: StrategyCard) {
    gridWidth = card.columns.count * Self.pitchX
    stackWidth = Self.labelWidth + gridWidth
    let stacks = max(card.stacks.count, 1)
    width = 2 * Self.margin + stacks * stackWidth + (stacks - 1) * Self.stackGap - Self.gap
    gridTop = Self.titleHeight + card.subtitles.count * Self.lineHeight + 20
    let tallest =
      card.stacks.map { stack in
        stack.reduce(0) { $0 + Self.height(of: $1) } + max(0, stack.count - 1) * Self.sectionGap
      }.max() ?? 0
    legendTop = gridTop + tallest + 22
    let lines = (Self.places(card, width: width).map(\.line).max() ?? -1) + 1
    legendHeight = lines * Self.legendPitch + 6
    height = legendTop + legendHeight + card.notes.count * Self.noteHeight + Self.margin - 8
  }

  func left(ofStack index: Int) -> Int { Self.margin + index * (stackWidth + Self.stackGap) }

  func height(of section: StrategyCard.Section) -> Int { Self.height(of: section) }

  func legendPlaces(_ card: StrategyCard) -> [(entry: Entry, x: Int, line: Int)] {
    Self.places(card, width: width)
  }

  private static func height(of section: StrategyCard.Section) -> Int {
    sectionHead + columnHead + gap + section.rows.count * pitchY - gap
  }

  /// The entries one behind the other, on a new line where the card's width ends.
  private static func places(_ card: StrategyCard, width: Int) -> [(entry: Entry, x: Int, line: Int)] {
    let entries =
      card.categories.map { (Entry.category($0), $0.meaning) } + card.marks.map { (Entry.mark($0), $0.meaning) }
    var x = margin
    var line = 0
    return entries.map { entry, meaning in
      // Eight pixels a character at this size is more than any common face needs.
      let size = cellWidth + 8 + meaning.count * 8 + 18
      if x > margin && x + size > width - margin + 18 {
        x = margin
        line += 1
      }
      defer { x += size }
      return (entry, x, line)
    }
  }
}
