// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import TestSupport
import Testing

/// The trainer's chart under its rules, every mistake losing a given number of bets, half of them by a cell's fallback;
/// a value of its own where one is given.
func lesson(
  _ chart: StrategyChart = .trainer, rules: String = "6d", loss: Double = 0.2,
  value: [ChartCellKey: [Action: Double]] = [:]
) throws -> TrainingChart {
  try TrainingChart(chart, rules: try Rules(name: rules)) { key, action in
    if let known = value[key]?[action] { return known }
    return chart[key]?.action == action ? 0 : chart[key]?.fallback == action ? -loss / 2 : -loss
  }
}

private func key(_ row: ChartRow?, _ upcard: CardValue) throws -> ChartCellKey {
  ChartCellKey(try #require(row), against: upcard)
}

@Suite("A training session")
struct TrainingSessionTests {
  /// The cells of a number of questions, each answered correctly.
  private func asked(_ plan: TrainingPlan, sessions: Int) throws -> [ChartCellKey: Int] {
    var (random, counts) = (SplitMix64(seed: 7), [ChartCellKey: Int]())
    for _ in 0..<sessions {
      var session = TrainingSession(plan)
      try session.next(at: .zero, using: &random)
      while case .active(let question) = session.state {
        counts[question.cell, default: 0] += 1
        try session.answer(plan.chart.right(in: question.cell), at: .zero)
        try session.next(at: .zero, using: &random)
      }
    }
    return counts
  }

  @Test("asks about every cell of its mode alike and about no other, by counting", arguments: TrainingMode.all)
  func counting(mode: TrainingMode) throws {
    let plan = try TrainingPlan(mode, of: lesson(), questions: 1000)
    let counts = try asked(plan, sessions: 50)
    #expect(Set(counts.keys) == Set(plan.cells))
    let mean = 50_000 / Double(plan.cells.count)
    for (cell, count) in counts { #expect(abs(Double(count) - mean) < 6 * mean.squareRoot(), "\(cell): \(count)") }
    let cells = ["quick": 330, "dealer weak": 99, "dealer medium": 132, "dealer strong": 99, "hand hard": 150]
    #expect(plan.cells.count == cells[mode.name] ?? ["hand soft": 80, "hand pairs": 100, "absolutes": 130][mode.name])
    #expect(mode.defaultQuestions == (mode == .absolutes ? 20 : 50))
  }

  @Test("shows every two-card hand of a hard total, and ten, jack, queen and king for a ten")
  func cards() throws {
    let value = ChartCellKey.all.reduce(into: [ChartCellKey: [Action: Double]]()) { value, key in
      // Only hard 16 against a ten is worth little, and so hard.
      guard key.row == .hard(16), key.upcard == .ten else { return }
      value[key] = [.stand: -0.01, .hit: 0, .double: -0.5]
    }
    let plan = try TrainingPlan(.quick, of: lesson(value: value), difficulty: .hard, questions: 1000)
    #expect(plan.cells.count == 1)
    var (session, random, hands, ranks) = (TrainingSession(plan), SplitMix64(seed: 1), Set<[Int]>(), Set<Rank>())
    try session.next(at: .zero, using: &random)
    while case .active(let question) = session.state {
      hands.insert([question.first.value.points, question.second.value.points])
      ranks.insert(question.upcard.rank)
      try session.answer(.hit, at: .zero)
      try session.next(at: .zero, using: &random)
    }
    #expect(hands == [[10, 6], [6, 10], [9, 7], [7, 9]])
    #expect(ranks == [.ten, .jack, .queen, .king])
  }

  @Test("refuses zero questions, too many, and a difficulty that leaves nothing to ask")
  func refusals() throws {
    for count in [0, -1, 1001] {
      #expect(throws: TrainingError.questions(count)) { try TrainingPlan(.quick, of: lesson(), questions: count) }
    }
    #expect(TrainingError.questions(0).description == "questions: found 0, expected 1 to 1000.")
    let error = TrainingError.nothingToAsk(.absolutes, .hard)
    #expect(throws: error) { try TrainingPlan(.absolutes, of: lesson(), difficulty: .hard) }
    #expect(
      error.description
        == "difficulty: found 'hard', which leaves nothing to ask in the mode 'absolutes'; expected another "
        + "difficulty, or another mode."
    )
  }
}

@Suite("The lesson of a chart")
struct TrainingChartTests {
  @Test("refuses a chart with a gap, and a chart of other rules, and names the cell")
  func refusals() throws {
    var chart = StrategyChart.trainer
    let eleven = try key(.hard(11), .ace)
    #expect(throws: TrainingError.chart(eleven, "says hit, which loses 0.0124 bets", expected: "a chart of 6d")) {
      try lesson(chart, value: [eleven: [.double: 0.01241]])
    }
    chart[eleven] = nil
    #expect(throws: TrainingError.chart(eleven, "has no action that 6d allows", expected: "all 330 cells")) {
      try lesson(chart)
    }
  }

  @Test("has a line to remember every cell by, and none that asks for another action")
  func mnemonics() throws {
    let words: [Action: [String]] = [
      .stand: ["stand", "never take it apart", "do not break first"], .hit: ["draw"], .split: ["split", "two starts"],
      .double: ["double", "twice the money", "doubles"], .surrender: ["half a bet back"],
    ]
    var chart = StrategyChart.trainer
    chart[try key(.hard(16), .ten)] = StrategyChart.Cell(.surrender, else: .hit)
    let lesson = try lesson(chart, rules: "6d-ls")
    for key in ChartCellKey.all {
      let (line, right) = (lesson.mnemonic(of: key), lesson.right(in: key))
      #expect(line.hasSuffix("."))
      #expect(words[right, default: []].contains { line.contains($0) }, "\(key), \(right.name): \(line)")
    }
  }
}
