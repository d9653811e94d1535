// SPDX-License-Identifier: Apache-2.0

extension StrategyChart {
  /// The chart that the trainer teaches: four to eight decks, dealer stands on soft 17, double after split, no
  /// surrender.
  public static let trainer: StrategyChart = {
    var chart = StrategyChart()
    for (row, letters) in zip(ChartRow.all, trainerRows) {
      for (upcard, letter) in zip(CardValue.chartOrder, letters) {
        guard let action = Action(letter: String(letter)) else { continue }
        chart[ChartCellKey(row, against: upcard)] = Cell(action, else: usualFallback(of: action, in: row))
      }
    }
    return chart
  }()

  /// What charts mean by a lone letter where the action is not allowed: a double hits, or stands on soft 18 and more;
  /// a surrender hits, stands on 17 and more (soft: 18), or splits eights; a split plays the total.
  public static func usualFallback(of action: Action, in row: ChartRow) -> Action? {
    switch action {
    case .stand, .hit, .split: nil
    case .double: row.kind == .soft && row.player >= 18 ? .stand : .hit
    case .surrender:
      switch (row.kind, row.player) {
      case (.pair, 8): .split
      case (.hard, 17...), (.soft, 18...), (.pair, 9...): .stand
      default: .hit
      }
    }
  }

  /// Upcards 2 to 10 and the ace, in the order of `ChartRow.all`.
  private static let trainerRows = [
    // Hard 5 to 19.
    "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HDDDDHHHHH", "DDDDDDDDHH", "DDDDDDDDDH",
    "HHSSSHHHHH", "SSSSSHHHHH", "SSSSSHHHHH", "SSSSSHHHHH", "SSSSSHHHHH", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS",
    // Soft 13 to 20.
    "HHHDDHHHHH", "HHHDDHHHHH", "HHDDDHHHHH", "HHDDDHHHHH", "HDDDDHHHHH", "SDDDDSSHHH", "SSSSSSSSSS", "SSSSSSSSSS",
    // Pairs 2 to 10 and aces.
    "PPPPPPHHHH", "PPPPPPHHHH", "HHHPPHHHHH", "DDDDDDDDHH", "PPPPPHHHHH", "PPPPPPHHHH", "PPPPPPPPPP",
    "PPPPPSPPSS", "SSSSSSSSSS", "PPPPPPPPPP",
  ]
}

/// How the trainer groups the dealer's upcards.
public enum DealerGroup: String, CaseIterable, Hashable, Sendable {
  case weak, medium, strong

  /// The group of an upcard: weak 4 5 6, medium 2 3 7 8, strong 9 10 A.
  public init(of upcard: CardValue) {
    switch upcard {
    case .four, .five, .six: self = .weak
    case .two, .three, .seven, .eight: self = .medium
    case .nine, .ten, .ace: self = .strong
    }
  }

  /// The upcards of the group, in chart order.
  public var upcards: [CardValue] { CardValue.chartOrder.filter { DealerGroup(of: $0) == self } }

  /// A line to remember the group by.
  public var mnemonic: String {
    switch self {
    case .weak: "Four, five, six: the dealer is in a fix. Let the dealer draw."
    case .medium: "Two, three, seven, eight: look twice, the line is fine."
    case .strong: "Nine, ten, ace: the dealer sets the pace. Draw to seventeen."
    }
  }
}

/// The cells that the trainer teaches first, because no upcard changes them.
public enum Absolute: CaseIterable, Hashable, Sendable {
  case splitAces, splitEights, keepTens, keepFives, standHard17, standSoft19

  /// The rule that covers a row, if one does.
  public init?(covering row: ChartRow) {
    switch (row.kind, row.player) {
    case (.pair, 1): self = .splitAces
    case (.pair, 8): self = .splitEights
    case (.pair, 10): self = .keepTens
    case (.pair, 5): self = .keepFives
    case (.hard, 17...): self = .standHard17
    case (.soft, 19...): self = .standSoft19
    default: return nil
    }
  }

  /// A line to remember it by.
  public var mnemonic: String {
    switch self {
    case .splitAces: "Two aces are two elevens waiting: always split them."
    case .splitEights: "Sixteen is the worst hand there is; two eights are two fresh starts."
    case .keepTens: "Twenty is won already: never take it apart."
    case .keepFives: "Two fives are a ten, and a ten doubles: never split them."
    case .standHard17: "From a hard seventeen on, more cards break than help: stand."
    case .standSoft19: "Soft nineteen and twenty are winners as they lie: stand."
    }
  }
}
