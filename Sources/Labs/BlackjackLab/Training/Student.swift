// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// A simulated student, who answers right except in the cells of a misconception.
struct Student: Sendable {
  /// The answer in a cell that the student does not know.
  enum Fault: Hashable, Sendable {
    case action(Action)
    /// A random allowed action.
    case guess
  }

  let name: Name
  let habits: Habits
  /// The faults by the cell's index; `nil` where the answer is right.
  let faults: [Fault?]
  /// True if the student plays a chart, whose cost an exact analysis gives.
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

  /// The chart that the student plays, if it plays one.
  func chart(beside chart: StrategyChart) -> StrategyChart {
    ChartCellKey.all.reduce(into: chart) { played, key in
      guard case .action(let action) = faults[key.index] else { return }
      played[key] = StrategyChart.Cell(action, else: StrategyChart.defaultFallback(of: action, in: key.row))
    }
  }

  /// The mean loss of an answer in a cell that the student does not know, in bets, by the trainer's costs.
  func cost(in key: ChartCellKey, by chart: TrainingChart) -> Double {
    switch faults[key.index] {
    case nil: 0
    case .action(let action): chart.cost(of: action, in: key)
    case .guess: chart.costOfGuess(in: key)
    }
  }
}

/// How students slip, learn and forget.
struct Habits: Hashable, Sendable {
  /// The share of answers that are a random allowed action.
  var slips = 0.0
  /// The chance that a corrected mistake teaches its cell.
  var learning = 0.0
  /// The chance at each question that a learned cell is forgotten.
  var forgetting = 0.0

  /// The chance that a learned cell is still known after a number of questions.
  func stillKnown(after questions: Int) -> Double {
    forgetting == 0 ? 1 : (0..<questions).reduce(1) { known, _ in known * (1 - forgetting) }
  }
}

/// Evidence that a student has a misconception, valid after every question: the likelihood ratio of the answers in its
/// cells under mistakes in three quarters of them to that under mistakes in a tenth.
///
/// For a student who makes mistakes there at most a tenth of the time, it ever exceeds 1/e with a chance of at most e:
/// Ville, "Étude critique de la notion de collectif" (1939).
struct Evidence {
  static let (rare, common) = (0.1, 0.75)
  private let bound: Double
  private var ratios: [Double]

  /// The error covers all ten misconceptions together.
  init(error: Double) {
    bound = Double(Student.Name.misconceptions.count) / error
    ratios = Array(repeating: 1, count: Student.Name.misconceptions.count)
  }

  /// Adds an answer in a cell of the misconception at a place; returns whether the misconception is detected now.
  mutating func add(isRight: Bool, to position: Int) -> Bool {
    ratios[position] *= isRight ? (1 - Self.common) / (1 - Self.rare) : Self.common / Self.rare
    return ratios[position] >= bound
  }
}
