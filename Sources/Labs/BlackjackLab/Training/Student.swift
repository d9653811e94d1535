// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Somebody who answers the trainer's questions: right, but for the cells of a misconception.
struct Student: Sendable {
  /// What is answered in a cell by somebody who does not know better.
  enum Fault: Hashable, Sendable {
    case action(Action)
    /// One of the allowed actions at random.
    case guess
  }

  let name: Name
  let habits: Habits
  /// By the cell's index; `nil` where the answer is right.
  let faults: [Fault?]
  /// Whether the faults are of a chart, whose cost an exact analysis knows.
  var followsChart: Bool { name != .random && name != .learner }

  enum Name: String, CaseIterable, Sendable {
    case perfect, random
    case standsOnSoft17 = "stands-on-soft-17"
    case standsOn12 = "stands-on-12"
    case hits12 = "hits-12"
    case neverBreaks = "never-breaks"
    case standsOnSoft18 = "stands-on-soft-18"
    case neverDoublesSoft = "never-doubles-soft"
    case doubles11To9 = "doubles-11-to-9"
    case keepsEights = "keeps-eights-against-10"
    case splitsAcesAndEights = "splits-aces-and-eights-only"
    case otherRules = "other-rules"
    case learner

    /// The ten misconceptions.
    static let misconceptions = allCases.filter { ![.perfect, .random, .learner].contains($0) }

    var words: String {
      switch self {
      case .perfect: "makes no mistake"
      case .random: "answers at random"
      case .standsOnSoft17: "stands on soft 17"
      case .standsOn12: "stands on every 12"
      case .hits12: "hits every 12"
      case .neverBreaks: "stands on every hard hand that could break"
      case .standsOnSoft18: "stands on every soft 18"
      case .neverDoublesSoft: "never doubles a soft hand"
      case .doubles11To9: "doubles 11 against 2 to 9 only"
      case .keepsEights: "never splits eights against a ten"
      case .splitsAcesAndEights: "splits aces and eights only"
      case .otherRules: "plays the chart of the rules with the other soft 17"
      case .learner: "begins with all ten misconceptions, learns and forgets"
      }
    }
  }

  init(_ name: Name, _ habits: Habits, of chart: TrainingChart, otherRules other: StrategyChart) {
    (self.name, self.habits) = (name, habits)
    faults = ChartCellKey.all.map { key in
      switch name {
      case .random: return .guess
      case .learner:
        return Name.misconceptions.lazy.compactMap { Self.mistake($0, in: key, of: chart, other) }.first
          .map { .action($0) }
      default: return Self.mistake(name, in: key, of: chart, other).map { .action($0) }
      }
    }
  }

  /// The wrong answer of a misconception; `nil` where it answers right.
  private static func mistake(
    _ name: Name, in key: ChartCellKey, of chart: TrainingChart, _ other: StrategyChart
  ) -> Action? {
    let (row, right) = (key.row, chart.right(in: key))
    let total = row.twoCardHands.first.map { Hand($0.0, $0.1) }
    func asTotal() -> Action? {
      total.flatMap { ChartRow(of: $0, asPair: false) }.map { chart.right(in: ChartCellKey($0, against: key.upcard)) }
    }
    let wanted: Action? =
      switch name {
      case .perfect, .random, .learner: nil
      case .standsOnSoft17: row.kind == .soft && row.player == 17 ? .stand : nil
      case .standsOn12: row.kind == .hard && row.player == 12 ? .stand : nil
      case .hits12: row.kind == .hard && row.player == 12 ? .hit : nil
      case .neverBreaks: row.kind == .hard && (12...16).contains(row.player) ? .stand : nil
      case .standsOnSoft18: row.kind == .soft && row.player == 18 ? .stand : nil
      case .neverDoublesSoft: row.kind == .soft && right == .double ? chart.chart[key]?.fallback ?? .hit : nil
      case .doubles11To9:
        row.kind == .hard && row.player == 11 && [.ten, .ace].contains(key.upcard) ? .hit : nil
      case .keepsEights: row == .pair(.eight) && key.upcard == .ten ? asTotal() : nil
      case .splitsAcesAndEights: right == .split && ![1, 8].contains(row.player) ? asTotal() ?? .hit : nil
      case .otherRules:
        total.flatMap { try? other.action(for: $0, against: key.upcard, options: chart.options(in: key)) }
      }
    return wanted.flatMap { $0 != right && chart.options(in: key).contains($0) ? $0 : nil }
  }

  /// The chart that the student plays, where it plays one.
  func chart(besides chart: StrategyChart) -> StrategyChart {
    ChartCellKey.all.reduce(into: chart) { played, key in
      guard case .action(let action) = faults[key.index] else { return }
      played[key] = StrategyChart.Cell(action, else: StrategyChart.usualFallback(of: action, in: key.row))
    }
  }

  /// What an answer loses on average in a cell while the student does not know better, in bets, by the trainer.
  func cost(in key: ChartCellKey, by chart: TrainingChart) -> Double {
    switch faults[key.index] {
    case nil: 0
    case .action(let action): chart.cost(of: action, in: key)
    case .guess: chart.costOfGuess(in: key)
    }
  }
}

/// How students answer besides what they know.
struct Habits: Hashable, Sendable {
  /// The share of answers that are one of the allowed actions at random.
  var slips = 0.0
  /// The chance that a corrected mistake teaches its cell.
  var learning = 0.0
  /// The chance that a cell that was learned is lost, a question.
  var forgetting = 0.0

  /// The chance that a cell is known so many questions after it was learned.
  func stillKnown(after questions: Int) -> Double {
    forgetting == 0 ? 1 : (0..<questions).reduce(1) { known, _ in known * (1 - forgetting) }
  }
}

/// Evidence that a student has a misconception, question by question, valid whenever it is looked at: the ratio of the
/// chance of the answers in its cells under mistakes in three quarters of them, to that under mistakes in a tenth.
///
/// Of a student who makes mistakes there at most a tenth of the time it exceeds 1/e with a chance of at most e, however
/// long it is watched: Ville, "Étude critique de la notion de collectif" (1939).
struct Evidence {
  static let (rare, usual) = (0.1, 0.75)
  private let bound: Double
  private var ratios: [Double]

  /// Evidence of all ten together has the error.
  init(error: Double) {
    bound = Double(Student.Name.misconceptions.count) / error
    ratios = Array(repeating: 1, count: Student.Name.misconceptions.count)
  }

  /// Adds an answer in a cell of the misconception at that place; whether it shows now.
  mutating func add(isRight: Bool, to place: Int) -> Bool {
    ratios[place] *= isRight ? (1 - Self.usual) / (1 - Self.rare) : Self.usual / Self.rare
    return ratios[place] >= bound
  }
}
