// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness

/// The chart for the rounds really dealt before a cut card, next to that of a fresh shoe.
struct CutCardChart: Sendable {
  struct Estimate: Sendable {
    let value: Double
    let low: Double
    let high: Double
  }

  /// A cell whose play certainly differs from that with a fresh shoe.
  struct Difference: Sendable {
    let key: ChartCellKey
    let fresh: Action
    let action: Action
    /// The loss of the cut card's action with a fresh shoe, and its gain here, in bets each time the cell comes up.
    let loss: Double
    let gain: Estimate
    /// The gain in bets of every round.
    let worth: Estimate
  }

  let result: ChartResult
  /// The computed chart of a fresh shoe, with the values of later play by the same chart.
  let fresh: ChartResult
  let differences: [Difference]
  /// The win of a round by the chart minus that with a fresh shoe, in bets.
  let effect: Estimate?
  /// The mean number of rounds of a shoe.
  let rounds: Double?
  let shoes: Int
}

/// The value of every action of every cell from the rest of a shoe minus that from a full one, with later play by a
/// chart; and a cheap guess of it.
///
/// Each cell has six columns: the change of the cell's chance, and for each action the chance times the change of its
/// value. The last six columns begin with that of the whole round.
private struct RestStudy: Sendable {
  static let width = 1 + Action.allCases.count
  static let columns = (ChartCellKey.all.count + 1) * width
  static let rest = Array(repeating: 0.0, count: width - 1)

  let analysis: ExactAnalysis
  let values: [ActionValues]
  let chances: [Double]
  let gameValue: Double
  var size: Int { Int(full.total) }
  private let full: ShoeContents
  private let hands = ChartCellKey.all.map { key in key.row.twoCardHands.map { ($0.0.index, $0.1.index) } }
  /// The chart's first action in each cell.
  private let firsts: [Action]
  /// The value that makes the upcard of a cell a natural if the dealer looks for it; else -1.
  private let hidden: [Int]
  /// By column and card value: the effect of a unit of density each time that the cell comes up.
  private var slopes: [[Double]] = []

  init(following chart: StrategyChart, rules: Rules) throws {
    let analysis = try ExactAnalysis(rules: rules, following: chart)
    self.analysis = analysis
    values = ChartCellKey.all.map { analysis.values(of: $0) }
    chances = ChartCellKey.all.map { analysis.chance(of: $0.row, against: $0.upcard) }
    gameValue = analysis.gameValue
    full = ShoeContents(rules: rules)
    firsts = zip(ChartCellKey.all, values).map { Verification.playable(chart, at: $0, among: $1) ?? .stand }
    hidden = ChartCellKey.all.map { rules.holeCard == .peek ? $0.upcard.naturalPartner?.index ?? -1 : -1 }
    // The effect of one card less, times N - 1, is the coefficient of the best linear guess after any number of unseen
    // cards (the first term of Hoeffding's decomposition for draws without replacement).
    let game = Self.width * chances.count
    let removed = CardValue.allCases.map { card in
      var shoe = full
      shoe.remove(card.index)
      var row = differences(shoe, against: CardValue.allCases)
      // The column of the whole round becomes the rest without the cells' first actions: the naturals.
      for place in chances.indices {
        row[game] -= value(place) * row[Self.width * place] + row[column(place)]
      }
      return row
    }
    slopes = (0..<Self.columns).map { column in
      let place = column / Self.width
      let isGame = column == game
      return removed.map { row in
        guard place < chances.count else { return isGame ? (1 - full.total) * row[column] : 0 }
        let chance = chances[place] + row[Self.width * place]
        return chance > 0 ? (1 - full.total) * row[column] / chance : 0
      }
    }
  }

  private func value(_ place: Int) -> Double { values[place][firsts[place]] ?? 0 }
  private func column(_ place: Int) -> Int { Self.width * place + 1 + Int(firsts[place].rawValue) }

  /// The columns for the rest of a shoe; 0 for other upcards, and for the whole round unless all upcards are given.
  func differences(_ shoe: ShoeContents, against upcards: [CardValue]) -> [Double] {
    let rest = analysis.left(shoe, against: upcards)
    var row = Array(repeating: 0.0, count: Self.columns)
    for (place, key) in ChartCellKey.all.enumerated() where upcards.contains(key.upcard) {
      let start = Self.width * place
      row[start] = -chances[place]
      for (first, second) in key.row.twoCardHands {
        let chance = rest.playedChance(first, second, against: key.upcard)
        guard chance > 0 else { continue }
        let worth = rest.values(first, second, against: key.upcard)
        row[start] += chance
        for (action, number) in zip(Action.allCases, 1...) {
          if let value = worth[action], let usual = values[place][action] {
            row[start + number] += chance * (value - usual)
          }
        }
      }
    }
    if upcards.count == CardValue.allCases.count { row[Self.width * chances.count] = rest.gameValue - gameValue }
    return row
  }

  /// Adds the guess of the columns: the exact chance of the cell times a linear function of the densities.
  func addGuess(_ shoe: ShoeContents, sign: Double, to row: inout [Double]) {
    let densities = (0..<10).map { shoe.counts[$0] / shoe.total - full.counts[$0] / full.total }
    func linear(_ column: Int) -> Double {
      var sum = 0.0
      for card in 0..<10 { sum += slopes[column][card] * densities[card] }
      return sum
    }
    let game = Self.width * chances.count
    row[game] += sign * linear(game)
    for place in chances.indices {
      let (start, chance) = (Self.width * place, chance(of: place, in: shoe))
      let first = column(place)
      let more = chance - chances[place]
      row[start] += sign * more
      row[game] += sign * value(place) * more
      for column in start + 1..<start + Self.width {
        let gain = sign * chance * linear(column)
        row[column] += gain
        if column == first { row[game] += gain }
      }
    }
  }

  private func chance(of place: Int, in shoe: ShoeContents) -> Double {
    let (upcard, natural) = (ChartCellKey.all[place].upcard.index, hidden[place])
    let counts = shoe.counts
    var sum = 0.0
    for (first, second) in hands[place] {
      func left(_ card: Int) -> Double { counts[card] - (card == first ? 1 : 0) - (card == second ? 1 : 0) }
      let pairs = first == second ? counts[first] * (counts[first] - 1) : 2 * counts[first] * counts[second]
      let ways = pairs * left(upcard)
      if ways > 0 { sum += natural < 0 ? ways : ways * (1 - left(natural) / (shoe.total - 3)) }
    }
    return sum / (shoe.total * (shoe.total - 1) * (shoe.total - 2))
  }
}

/// Makes the chart for a cut card.
///
/// Only the cut-card effect is sampled. The k-th round of a shoe, dealt at whatever depth, wins on average exactly as
/// much as one of a fresh shoe: the cards behind any stopping time are exchangeable. The rounds before a cut card
/// differ from the first m only in shoes with more rounds (their value is added) or fewer (the value of the missing
/// ones is subtracted), about one round a shoe. A guess of that value, linear in the densities of the cards left by the
/// effects of removal, is averaged over many shoes; the exact analyser computes the remainder for a few.
///
/// Bounds are those of large samples, hold for all cells and pairs of actions together, and are used after every wave:
/// look j has 1/(j (j + 1)) of the error, and so has the j-th chart of later play.
struct CutCardMaker: Sendable {
  private let rules: Rules
  private let cut: Int
  private let simulation: Provenance.Simulation
  private let runner: BlockRunner
  private let streams: StreamFamily
  /// The number of shoes that the first wave analyses; each later wave has as many as all before it.
  private let wave: Int
  private let mostWaves: Int

  private static let blocks = 64
  /// The number of guessed shoes for each analysed one.
  private static let guessed = 128
  private static let charts = 3

  init(
    rules: Rules, cut: Int, simulation: Provenance.Simulation, workers: Workers, wave: Int = 1024, waves: Int = 8
  ) throws {
    (self.rules, self.cut, self.simulation, self.wave, mostWaves) = (rules, cut, simulation, wave, waves)
    runner = try BlockRunner(workers: workers)
    streams = try StreamFamily(
      rootSeed: simulation.seed,
      experiments: (1...Self.charts).flatMap { chart in
        ["pilot", "guesses", "remainders"].map { "chart \(chart), \($0)" }
      })
  }

  /// Decides all cells, or as many as the last wave or an interruption allows.
  func make(
    interrupt: Interrupt? = nil, progress: @escaping @Sendable (_ shoes: Int) -> Void = { _ in }
  ) throws -> CutCardChart {
    var chart = ExactAnalysis(rules: rules).chart.chart
    var study = try RestStudy(following: chart, rules: rules)
    let fresh = ChartResult(
      provenance: Provenance(rules: rules, simulation: nil),
      cells: zip(ChartCellKey.all, study.values).map {
        ChartCell(exact: $1, of: $0, decision: ExactAnalysis.decision($1))
      }, chartValue: study.gameValue)
    var number = 1
    while true {
      var pass = Pass(study: study, followed: chart, simulation: simulation, rules: rules, number: number)
      try play(&pass, interrupt: interrupt, progress: progress)
      let made = pass.chart(beside: fresh)
      let found = made.result.chart
      if number == Self.charts || found == chart || interrupt?.isRaised == true { return made }
      (chart, number) = (found, number + 1)
      study = try RestStudy(following: chart, rules: rules)
    }
  }

  private func play(
    _ pass: inout Pass, interrupt: Interrupt?, progress: @escaping @Sendable (Int) -> Void
  ) throws {
    let (chart, study, cut, rules, generator) = (pass.followed, pass.study, cut, rules, simulation.generator)
    let (streams, number) = (streams, pass.number)
    let automaton = try RoundAutomaton(rules: rules, chart: chart)
    /// Plays blocks of shoes, each giving a row of numbers; `nil` after an interruption.
    func rows(
      _ stage: Int, from block: Int, shoes: Int, _ row: @escaping @Sendable (inout CutShoe) throws -> [Double]
    ) throws -> [[Double]]? {
      let run = try runner.run(
        blocks: block..<block + Self.blocks, into: BlockPieces<[Double]>(), interrupt: interrupt,
        samples: { _ in shoes }, progress: progress,
        makeScratch: { () throws(any Error) -> CutShoe in
          try CutShoe(rules: rules, chart: chart, automaton: automaton, generator: generator)
        },
        body: { (block, shoe: inout CutShoe) throws(any Error) -> BlockPieces<[Double]> in
          try shoe.reseed(streams.seed(ordinal: 3 * (number - 1) + stage, block: block))
          return BlockPieces(try row(&shoe), of: block)
        })
      return run.blocks.count == Self.blocks ? run.tally.ordered : nil
    }
    // The usual number of rounds of a shoe, and the number that any shoe has cards for.
    let last = study.size - CutShoe.reserve
    let pilot = try rows(0, from: 0, shoes: 32) { shoe in
      var counts: [Double] = []
      for _ in 0..<32 {
        var (begun, possible) = (0.0, 0.0)
        try shoe.deal { _, dealt, _ in
          if dealt < cut { begun += 1 }
          if dealt <= last { possible += 1 }
          return dealt < max(cut, last)
        }
        counts += [begun, possible]
      }
      return counts
    }
    guard let counts = pilot?.joined() else { return }
    let begun = counts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).sorted()
    let possible = counts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    let usual = Int(max(min(begun[begun.count / 2], possible.min() ?? 1), 1))
    /// Deals a shoe, and visits the starts of rounds beyond the usual number (1), and of missing rounds up to it,
    /// behind the cut card (-1).
    @Sendable func deal(
      _ shoe: inout CutShoe, _ visit: (_ sign: Double, _ left: ShoeContents) -> Void
    ) throws -> Double {
      var rounds = 0.0
      try shoe.deal { round, dealt, left in
        let (isBegun, isUsual) = (dealt < cut, round <= usual)
        if isBegun { rounds += 1 }
        if isBegun != isUsual { visit(isBegun ? 1 : -1, left) }
        return isBegun || isUsual
      }
      return rounds
    }
    /// Deals shoes, and sums the visited values, their products, and the rounds.
    @Sendable func sums(
      of shoes: Int, from shoe: inout CutShoe, _ visit: (_ sign: Double, ShoeContents, inout [Double]) -> Void
    ) throws -> [Double] {
      let size = VectorMoments.size(RestStudy.width)
      var sums = Array(repeating: 0.0, count: (ChartCellKey.all.count + 1) * size + 1)
      for _ in 0..<shoes {
        var row = Array(repeating: 0.0, count: RestStudy.columns)
        var isUsual = true
        sums[sums.count - 1] += try deal(&shoe) {
          isUsual = false
          visit($0, $1, &row)
        }
        if isUsual { continue }
        for place in 0...ChartCellKey.all.count {
          VectorMoments.add(RestStudy.width, row, at: RestStudy.width * place, to: &sums, at: size * place)
        }
      }
      return sums
    }
    var blocks = 0
    for look in 1...mostWaves {
      let shoes = look == 1 ? wave / Self.blocks : wave / Self.blocks << (look - 2)
      let many = shoes * Self.guessed
      let guesses = try rows(1, from: blocks, shoes: many) { shoe in
        try sums(of: many, from: &shoe) { study.addGuess($1, sign: $0, to: &$2) }
      }
      guard let guesses else { return }
      let upcards = pass.openUpcards
      let remainders = try rows(2, from: blocks, shoes: shoes) { shoe in
        try sums(of: shoes, from: &shoe) { sign, left, row in
          study.addGuess(left, sign: -sign, to: &row)
          for (column, value) in study.differences(left, against: upcards).enumerated() { row[column] += sign * value }
        }
      }
      guard let remainders else { return }
      for row in guesses { pass.merge(row, shoes: many) }
      for row in remainders { pass.merge(row, shoes: shoes, against: upcards) }
      blocks += Self.blocks
      pass.decide(look: look)
      if pass.openUpcards.isEmpty { return }
    }
  }
}

/// The knowledge of the cells while later play follows one chart.
private struct Pass {
  let study: RestStudy
  let followed: StrategyChart
  let simulation: Provenance.Simulation
  let rules: Rules
  let number: Int
  /// By cell, and for the whole round: the guesses of a shoe, and the remainders.
  private var guesses = Array(repeating: VectorMoments(width: RestStudy.width), count: ChartCellKey.all.count + 1)
  private var remainders = Array(repeating: VectorMoments(width: RestStudy.width), count: ChartCellKey.all.count + 1)
  private var rounds = 0.0
  private var look = 1
  private(set) var cells: [ChartCell]
  private var isOpen = Array(repeating: true, count: ChartCellKey.all.count)

  init(study: RestStudy, followed: StrategyChart, simulation: Provenance.Simulation, rules: Rules, number: Int) {
    (self.study, self.followed, self.simulation, self.rules) = (study, followed, simulation, rules)
    self.number = number
    cells = ChartCellKey.all.map { key in
      let none = ActionValues()
      return ChartCell(
        key: key, decision: followed[key] ?? StrategyChart.Cell(.stand), runnerUp: nil, values: none, valuesLow: none,
        valuesHigh: none, margin: 0, marginLow: 0, marginHigh: 0, samples: 0, verdict: .undecided)
    }
  }

  /// The upcards with open cells.
  var openUpcards: [CardValue] {
    CardValue.allCases.filter { upcard in
      ChartCellKey.all.contains { isOpen[$0.index] && $0.upcard == upcard }
    }
  }

  /// Adds sums of guesses, or of remainders against some upcards; for the whole round only if these are all.
  mutating func merge(_ sums: [Double], shoes: Int, against upcards: [CardValue]? = nil) {
    let size = VectorMoments.size(RestStudy.width)
    for place in 0...ChartCellKey.all.count {
      let row = sums[size * place..<size * (place + 1)]
      guard let upcards else {
        guesses[place].merge(row, count: Double(shoes))
        continue
      }
      let isStudied =
        place < cells.count ? upcards.contains(cells[place].key.upcard) : upcards.count == CardValue.allCases.count
      if isStudied { remainders[place].merge(row, count: Double(shoes)) }
    }
    if upcards == nil { rounds += sums[sums.count - 1] }
  }

  private var shoes: Double { guesses[0].count }
  private var roundsOfShoe: Double { rounds / shoes }

  /// The normal quantile of one of a number of two-sided bounds of a cell, at a look; the whole round counts as a cell.
  private func quantile(_ bounds: Int, share: Double = 1) -> Double {
    let looks = Double(look * (look + 1) * number * (number + 1))
    let error = share * (1 - simulation.confidence) / Double(ChartCellKey.all.count + 1) / Double(max(bounds, 1))
    return CountExperiment.quantile(1 - error / looks)
  }

  /// The mean of a weighted sum of a cell's columns over rounds really dealt, minus that of a fresh shoe.
  private func shift(_ place: Int, _ weights: [Double]) -> (value: Double, deviation: Double) {
    let guess = guesses[place].mean(weighted: weights)
    let rest = remainders[place].mean(weighted: weights)
    return ((guess.value + rest.value) / roundsOfShoe, (guess.variance + rest.variance).squareRoot() / roundsOfShoe)
  }

  private func chance(_ place: Int) -> Double {
    study.chances[place] + shift(place, [1] + RestStudy.rest).value
  }

  /// The gain of an action over another, or over none, each time the cell comes up.
  private func gain(
    _ action: Action, over other: Action?, at place: Int, quantile: Double
  ) -> CutCardChart.Estimate {
    var weights = Array(repeating: 0.0, count: RestStudy.width)
    weights[1 + Int(action.rawValue)] = 1
    if let other { weights[1 + Int(other.rawValue)] -= 1 }
    let values = study.values[place]
    let usual = (values[action] ?? 0) - (other.flatMap { values[$0] } ?? 0)
    let shift = shift(place, weights)
    let chance = chance(place)
    let (value, reach) = (usual + shift.value / chance, quantile * shift.deviation / chance)
    return .init(value: value, low: value - reach, high: value + reach)
  }

  mutating func decide(look: Int) {
    self.look = look
    for place in cells.indices where isOpen[place] {
      let (cell, isDecided) = decided(place)
      cells[place] = cell
      isOpen[place] = !isDecided
    }
  }

  private func decided(_ place: Int) -> (cell: ChartCell, isDecided: Bool) {
    let key = ChartCellKey.all[place]
    let actions = Action.allCases.filter { study.values[place][$0] != nil }
    let pairwise = quantile(actions.count * (actions.count - 1) / 2, share: 15 / 16)
    let single = quantile(actions.count, share: 1 / 16)
    let estimates = actions.map { ($0, gain($0, over: nil, at: place, quantile: single)) }
    var (values, lows, highs) = (ActionValues(), ActionValues(), ActionValues())
    for (action, one) in estimates { (values[action], lows[action], highs[action]) = (one.value, one.low, one.high) }
    /// The best of some actions; the current one is kept unless it is certainly worse.
    func best(of candidates: [Action], keeping kept: Action?) -> (action: Action, verdict: CellVerdict) {
      let ranked = values.ranked.map(\.action).filter(candidates.contains)
      guard let leader = ranked.first else { return (.stand, .certified) }
      let rivals = ranked.dropFirst().map { ($0, gain(leader, over: $0, at: place, quantile: pairwise)) }
        .filter { $1.low <= 0 }
      if rivals.isEmpty { return (leader, .certified) }
      let indifference = simulation.indifference
      let isClose = rivals.allSatisfy { $1.low >= -indifference && $1.high <= indifference }
      let action = rivals.first { $0.0 == kept }?.0 ?? leader
      return (action, isClose ? .indifferent : .undecided)
    }
    let usual = followed[key]
    let (action, verdict) = best(of: actions, keeping: usual?.action)
    let stand: (action: Action, verdict: CellVerdict)? =
      switch action {
      case .stand, .hit, .split: nil
      case .double: best(of: [.stand, .hit], keeping: usual?.fallback)
      case .surrender: best(of: [.stand, .hit, .split], keeping: usual?.fallback)
      }
    let others = actions.filter { $0 != action }.map { ($0, gain(action, over: $0, at: place, quantile: pairwise)) }
    let nearest = others.min { $0.1.value < $1.1.value }
    let cell = ChartCell(
      key: key, decision: StrategyChart.Cell(action, else: stand?.action), runnerUp: nearest?.0, values: values,
      valuesLow: lows, valuesHigh: highs, margin: nearest?.1.value ?? 0,
      marginLow: others.map(\.1.low).min() ?? 0, marginHigh: others.map(\.1.high).min() ?? 0,
      samples: Int(remainders[place].count), verdict: verdict)
    return (cell, verdict != .undecided && stand?.verdict != .undecided)
  }

  /// The chart, next to that of a fresh shoe.
  func chart(beside fresh: ChartResult) -> CutCardChart {
    let isKnown = remainders.allSatisfy { $0.count > 0 }
    let differences = zip(cells, fresh.cells).filter {
      $0.decision.action != $1.decision.action && $0.verdict != .undecided
    }.map { cell, usual in
      let place = cell.key.index
      let actions = cell.values.ranked.count
      let gain = gain(
        cell.decision.action, over: usual.decision.action, at: place,
        quantile: quantile(actions * (actions - 1) / 2, share: 15 / 16))
      let chance = chance(place)
      return CutCardChart.Difference(
        key: cell.key, fresh: usual.decision.action, action: cell.decision.action,
        loss: usual.margin(of: usual.decision.action, over: cell.decision.action), gain: gain,
        worth: .init(value: chance * gain.value, low: chance * gain.low, high: chance * gain.high))
    }
    var effect: CutCardChart.Estimate?
    if isKnown {
      let shift = shift(ChartCellKey.all.count, [1] + RestStudy.rest)
      let reach = quantile(1) * shift.deviation
      effect = .init(value: shift.value, low: shift.value - reach, high: shift.value + reach)
    }
    var result = ChartResult(provenance: Provenance(rules: rules, simulation: simulation), cells: cells)
    result.chartValue = effect.map { study.gameValue + $0.value }
    return CutCardChart(
      result: result, fresh: fresh, differences: differences, effect: effect,
      rounds: shoes > 0 ? roundsOfShoe : nil, shoes: Int(shoes))
  }
}

extension ChartCell {
  /// The value of an action minus that of another.
  fileprivate func margin(of action: Action, over other: Action) -> Double {
    (values[action] ?? 0) - (values[other] ?? 0)
  }
}
