// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

/// How charts show a decision: a letter, the fallback in small behind it, a colour, and the words for both.
struct ChartSymbol: Hashable {
  let decision: StrategyChart.Cell

  init(_ decision: StrategyChart.Cell) {
    self.decision = decision
  }

  /// `H`, `S`, `D`, `P` or `R`.
  var letter: String { String(decision.action.letter) }

  /// `h`, `s`, `p`, or nothing where there is no fallback.
  var suffix: String { decision.fallback.map { $0.letter.lowercased() } ?? "" }

  /// Both together, for example `Dh`.
  var text: String { letter + suffix }

  /// For example `double (else hit)`.
  var meaning: String {
    decision.fallback.map { "\(decision.action.name) (else \($0.name))" } ?? decision.action.name
  }

  /// The place in a legend: stand, hit, double, split, surrender; of two fallbacks the more common hit first.
  var order: Int {
    let fallbacks: [Action?] = [nil, .hit, .stand, .split]
    return Int(decision.action.rawValue) * 8 + (fallbacks.firstIndex(of: decision.fallback) ?? fallbacks.count)
  }

  /// The colour of the action, told apart by people with any of the common kinds of colour blindness: the hues of
  /// Okabe and
  /// Ito ("Color universal design", 2008), each of a luminance of its own, lightened where letters need it.
  var colour: Colour { Self.colour(of: decision.action) }

  /// See `colour`.
  static func colour(of action: Action) -> Colour {
    switch action {
    case .stand: Colour(0xF4D35E)
    case .hit: Colour(0xCFE8DC)
    case .double: Colour(0x1F6FB2)
    case .split: Colour(0xD98BB9)
    case .surrender: Colour(0x8C2D04)
    }
  }

  /// The distinct decisions of a chart, in legend order.
  static func legend(of cells: [ChartCell]) -> [ChartSymbol] {
    Set(cells.map { ChartSymbol($0.decision) }).sorted { $0.order < $1.order }
  }
}

extension Verdict {
  /// The sign in a cell's corner; nothing where the cell is decided.
  var sign: String {
    switch self {
    case .certified, .exact: ""
    case .indifferent: "~"
    case .undecided: "?"
    }
  }
}
