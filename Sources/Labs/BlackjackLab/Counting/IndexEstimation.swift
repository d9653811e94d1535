// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Scenarios

/// One play under study: the better of two actions and its advantage, given the rest of the shoe.
///
/// The hand and the upcard are first taken out of a full shoe; the cards seen before are a random part of the rest,
/// since cards are exchangeable. Given the rest, the difference of the two actions' values is computed exactly, so the
/// only variance is between rests with one count.
struct IndexStudy: Sendable {
  let play: PlayIndex
  let rules: Rules
  /// True if the chart's action is the one from the index on.
  let isUsual: Bool
  /// The chance that a round begins with the hand and without a dealer natural.
  let chance: Double
  private let system: CountingSystem
  /// The true count by exact decks, or the running count if the system is unbalanced; not rounded.
  private let reading: CountReading
  private let start: Int
  private let deals: [Deal]
  private let policy: HandPolicy?
  private let dealer: DealerTrie?
  private let defaultNatural: Double

  private struct Deal: Sendable {
    let cards: [CardValue]
    let number: Int
    let among: [Int]
    let weight: Double
  }

  /// `analysis` is of best play under the rules; `chart` is its chart.
  init(
    _ play: PlayIndex, rules: Rules, system: CountingSystem, analysis: ExactAnalysis, chart: StrategyChart
  ) throws(BlackjackError) {
    (self.play, self.rules, self.system) = (play, rules, system)
    reading = CountReading(system.isBalanced ? .exact : .none, .none)
    if case .finite(let decks) = rules.decks { start = system.start(decks: decks) } else { start = 0 }
    guard let key = play.key else {
      (isUsual, chance, policy, dealer, defaultNatural) = (false, 1.0 / 13, nil, nil, 0)
      deals = [Deal(cards: [], number: HandTree.empty, among: [], weight: 1)]
      return
    }
    var followed = chart
    if play.above == .split { followed[key] = StrategyChart.Cell(.split) }
    let tree = HandTree.shared
    let policy = try HandPolicy(following: followed, against: key.upcard, rules: rules, tree: tree)
    isUsual = chart[key]?.action == play.above
    chance = analysis.chance(of: key.row, against: key.upcard)
    let weights = analysis.handWeights(of: key.row, against: key.upcard)
    deals = weights.map { first, second, weight in
      let number = tree.pair(first.index, second.index)
      return Deal(
        cards: [first, second], number: number, among: Self.reached(from: number, policy, rules), weight: weight)
    }
    defaultNatural = weights.reduce(0) {
      $0 + $1.weight * analysis.naturalChance($1.first, $1.second, against: key.upcard)
    }
    self.policy = policy
    dealer = DealerTrie(
      rules: rules, upcard: key.upcard, givenNoNatural: !rules.naturalTakesMoreBets, tree: tree)
  }

  /// The hands that a hand can become by a card and the policy's later play, ascending.
  private static func reached(from hand: Int, _ policy: HandPolicy, _ rules: Rules) -> [Int] {
    let tree = HandTree.shared
    let most = rules.charlieCards > 0 ? rules.charlieCards : .max
    var reached: Set<Int> = [hand]
    var open = [hand]
    while let next = open.popLast() {
      guard next == hand || (policy.later[next] != .stand && tree.hands[next].total < 21 && tree.sizes[next] < most)
      else { continue }
      for value in 0..<10 {
        let child = tree.child(next, value)
        if child != HandTree.bust, reached.insert(child).inserted { open.append(child) }
      }
    }
    return reached.sorted()
  }

  /// True if the counts are running counts, which are whole or half points.
  var isRunning: Bool { reading.division == .none }

  /// The counts that occur: true counts hardly lie beyond 12, running counts between the ends of the shoe and nearby.
  var reach: ClosedRange<Double> {
    guard isRunning, case .finite(let decks) = rules.decks else { return -12...12 }
    let (first, last) = (Double(start) / 2, Double(start) / 2 + system.sumOfDeck * Double(decks))
    return min(first, last) - 10...max(first, last) + 6
  }

  struct Sample {
    /// The count with the hand and the upcard; `countBefore` is the one before the round.
    let count: Double
    let countBefore: Double
    /// The advantage of the action from the index on, in bets, times the likelihood ratio of no dealer natural given
    /// the rest.
    let difference: Double
  }

  /// Draws the cards seen before, and computes the difference; `nil` if the count is outside the window.
  ///
  /// Depths are those of rounds as they begin, uniform from the shuffle to the cut card.
  func sample(within window: ClosedRange<Double>?, cut: Int, drawing stream: inout WordStream) -> Sample? {
    var deal = deals[0]
    if deals.count > 1 {
      var rest = stream.unitInterval()
      for one in deals {
        deal = one
        rest -= one.weight
        if rest < 0 { break }
      }
    }
    let table = deal.cards + [play.key?.upcard ?? .ace]
    // A card is its value, plus 16 if it is red.
    var (shoe, known): ([UInt8], Int) = ([], start)
    for value in CardValue.allCases {
      var colours = Array(repeating: ShoeLayout.count(of: value, in: rules) / 2, count: 2)
      for _ in 0..<(table.count { $0 == value }) {
        let tags = [system.black[value.index], system.red[value.index]]
        let isRed = tags[0] != tags[1] && Int(stream.below(UInt32(colours[0] + colours[1]))) >= colours[0]
        colours[isRed ? 1 : 0] -= 1
        known += tags[isRed ? 1 : 0]
      }
      for colour in 0...1 {
        shoe += Array(repeating: UInt8(value.index + 16 * colour), count: max(colours[colour], 0))
      }
    }
    for _ in 0..<1_000_000 {
      let seen = Int(stream.below(UInt32(max(cut, 1))))
      var running = 0
      for position in 0..<seen {
        let other = position + Int(stream.below(UInt32(shoe.count - position)))
        shoe.swapAt(position, other)
        running += (shoe[position] > 15 ? system.red : system.black)[Int(shoe[position] & 15)]
      }
      let left = shoe.count - seen
      let count = reading.value(running: running + known, unseen: left)
      if let window, !window.contains(count) { continue }
      var contents = ShoeContents(rules: rules)
      for position in 0..<seen { contents.remove(Int(shoe[position] & 15)) }
      return Sample(
        count: count, countBefore: reading.value(running: start + running, unseen: left + table.count),
        difference: difference(deal, contents))
    }
    return nil
  }

  private func difference(_ deal: Deal, _ shoe: ShoeContents) -> Double {
    guard let key = play.key, let policy else {
      var left = shoe
      left.remove(CardValue.ace.index)
      return 3 * left.chance(of: CardValue.ten.index) - 1
    }
    let game = UpcardGame(
      rules: rules, upcard: key.upcard, policy: policy, shoe: shoe, among: deal.among, dealer: dealer)
    let natural = game.naturalChance(deal.number)
    var values = game.withoutSplit(deal.number, naturalChance: natural)
    if play.above == .split || play.below == .split {
      var scratch = SplitHand.Scratch()
      var split = game.afterSplit
      values[.split] = split.splitting(deal.cards[0].index, scratch: &scratch)
    }
    let gain = (values[play.above] ?? 0) - (values[play.below] ?? 0)
    return rules.holeCard == .peek ? gain * (1 - natural) / (1 - defaultNatural) : gain
  }
}

/// Sums of powers of counts and differences, for a straight line with errors that do not assume equal variances (the
/// sandwich estimator).
struct LineTally {
  /// n, x, x², x³, x⁴; d, dx, dx², dx³; d², d²x, d²x².
  private(set) var sums = Array(repeating: 0.0, count: 12)

  mutating func add(_ x: Double, _ d: Double) {
    var power = 1.0
    for position in 0..<5 {
      sums[position] += power
      if position < 4 { sums[5 + position] += power * d }
      if position < 3 { sums[9 + position] += power * d * d }
      power *= x
    }
  }

  init() {}

  init(_ parts: [[Double]]) {
    for part in parts { for (position, value) in zip(sums.indices, part) { sums[position] += value } }
  }

  var count: Double { sums[0] }

  /// The root of the line, its slope, the spread of the residuals, and an interval of the root by Fieller's theorem,
  /// which is unbounded if the slope may be 0.
  func crossing(quantile z: Double) -> (root: Double, slope: Double, spread: Double, low: Double, high: Double) {
    let mean = sums[1] / count
    let squares = sums[2] / count - mean * mean
    let slope = (sums[6] / count - mean * sums[5] / count) / squares
    let height = sums[5] / count - slope * mean
    // For the residual e = d - height - slope x: the sums of e², e² x and e² x².
    func residual(_ k: Int) -> Double {
      sums[9 + k] - 2 * height * sums[5 + k] - 2 * slope * sums[6 + k] + height * height * sums[k]
        + 2 * height * slope * sums[k + 1] + slope * slope * sums[k + 2]
    }
    let (e0, e1, e2) = (residual(0), residual(1), residual(2))
    // At the mean of x: the variances of the height and of the slope.
    let heightVariance = e0 / (count * count)
    let slopeVariance = (e2 - 2 * mean * e1 + mean * mean * e0) / (count * count * squares * squares)
    let covariance = (e1 - mean * e0) / (count * count * squares)
    let middle = height + slope * mean
    let root = mean - middle / slope
    let a = slope * slope - z * z * slopeVariance
    let b = 2 * (middle * slope - z * z * covariance)
    let c = middle * middle - z * z * heightVariance
    let spread = (max(e0, 0) / count).squareRoot()
    guard a > 0, b * b > 4 * a * c else { return (root, slope, spread, -.infinity, .infinity) }
    let reach = (b * b - 4 * a * c).squareRoot()
    return (root, slope, spread, mean + (-b - reach) / (2 * a), mean + (-b + reach) / (2 * a))
  }
}

/// The estimated index of a play.
struct FoundIndex: Sendable {
  let study: IndexStudy
  let root: Double
  let low: Double
  let high: Double
  let slope: Double
  let spread: Double
  let samples: Int
  /// In units per 100 rounds, with the standard deviation of a sample: the gain of the play with the floored index;
  /// `losses` has the shortfall of each published index.
  var gain = (value: 0.0, deviation: 0.0, samples: 0)
  var losses: [(list: String, index: Double, value: Double, deviation: Double)] = []

  /// The whole index: the integer nearest to the root for a counter who rounds true counts down, the first running
  /// count that reaches it.
  var floored: Double { whole(root) }

  /// Returns true if a published index is compatible with the interval.
  func allows(_ index: Double) -> Bool { whole(low)...whole(high) ~= index }

  private func whole(_ count: Double) -> Double {
    study.isRunning ? count.rounded(.up) : (count + 0.5).rounded(.down)
  }
}

/// Finds indices in stages: a pilot over all counts, one or two near the crossing, as many samples there as the
/// interval needs, and new ones over all counts for the play's gain.
struct IndexFinder: Sendable {
  let studies: [IndexStudy]
  let cut: Int
  let ramp: BetRamp
  let published: [[(list: String, index: Double)]]
  /// The largest half-width of an interval, in counts.
  let halfWidth: Double
  let quantile: Double
  let seed: UInt64
  let generator: String

  private static let samplesPerBatch = 128
  private static let reach = 1.0
  private static let maxSamples = 400_000

  /// The batches of a stage as rows of sums, by play in their order; `nil` after an interruption.
  private func play(
    _ stage: Int, samples: [Int], on context: RunContext,
    _ row: @escaping @Sendable (_ study: Int, _ count: Int, inout WordStream) -> [Double]
  ) throws -> [[[Double]]]? {
    let (generator, count) = (generator, studies.count)
    let batches = samples.map { ($0 + Self.samplesPerBatch - 1) / Self.samplesPerBatch }
    let stages = studies.contains(where: \.isRunning) ? 5 : 4
    let rows = try context.draw(
      each: batches.map { $0 * Self.samplesPerBatch }, "samples", perBatch: Self.samplesPerBatch, seed: seed,
      streams: (0..<stages).flatMap { stage in studies.map { "\($0.play.play), stage \(stage)" } },
      into: BlockPieces<[Double]>(), scratch: { try WordStream(named: generator, seed: 1) },
      body: { study, batch, stream in
        try stream.reseed(batch.seed(stage * count + study))
        return BlockPieces(row(study, batch.count, &stream), of: batch.index)
      }
    ).map(\.ordered)
    return rows.map(\.count) == batches ? rows : nil
  }

  /// The indices; `nil` after an interruption.
  func find(on context: RunContext) throws -> [FoundIndex]? {
    let some = Array(repeating: 4 * Self.samplesPerBatch, count: studies.count)
    let (all, cut, ramp) = (studies, cut, ramp)
    func lines(_ stage: Int, _ samples: [Int], _ centres: [Double]?, _ reach: Double) throws -> [LineTally]? {
      try play(stage, samples: samples, on: context) { study, count, stream in
        var tally = LineTally()
        let centre = centres?[study] ?? 0
        let window = centres == nil ? nil : centre - reach...centre + reach
        for _ in 0..<count {
          guard let one = all[study].sample(within: window, cut: cut, drawing: &stream) else { break }
          tally.add(one.count - centre, one.difference)
        }
        return tally.sums
      }?.map(LineTally.init)
    }
    func clamped(_ counts: [Double]) -> [Double] {
      zip(all, counts).map { study, count in
        count.isFinite ? max(study.reach.lowerBound, min(study.reach.upperBound, count)) : 0
      }
    }
    func shifted(_ centres: [Double], _ lines: [LineTally]) -> [Double] {
      clamped(zip(centres, lines).map { $0 + max(-3, min(3, $1.crossing(quantile: quantile).root)) })
    }
    guard let first = try lines(0, some, nil, 0) else { return nil }
    var centres = clamped(first.map { $0.crossing(quantile: quantile).root })
    guard var pilot = try lines(1, some, centres, 2 * Self.reach) else { return nil }
    centres = shifted(centres, pilot)
    if all.contains(where: \.isRunning) {
      // Gains bend more over all running counts, so that the first line is further off.
      guard let again = try lines(4, some.map { 8 * $0 }, centres, 2 * Self.reach) else { return nil }
      (pilot, centres) = (again, shifted(centres, again))
    }
    let pilots = pilot.map { $0.crossing(quantile: quantile) }
    let needs = zip(all, pilots).map { study, pilot in
      // A line through a few whole running counts needs enough samples for its slope, too.
      let width = study.isRunning ? min(halfWidth, 0.4) : halfWidth
      let need = quantile * pilot.spread / max(abs(pilot.slope), 1e-6) / (0.5 * width)
      return Int(max(Double(8 * Self.samplesPerBatch), min(Double(Self.maxSamples), need * need)))
    }
    guard let third = try lines(2, needs, centres, Self.reach) else { return nil }
    var found = studies.indices.map { position -> FoundIndex in
      let line = third[position].crossing(quantile: quantile)
      return FoundIndex(
        study: studies[position], root: centres[position] + line.root, low: centres[position] + line.low,
        high: centres[position] + line.high, slope: line.slope, spread: line.spread, samples: Int(third[position].count)
      )
    }
    let thresholds = found.indices.map { [found[$0].floored] + published[$0].map(\.index) }
    let gains = try play(
      3, samples: Array(repeating: 32 * Self.samplesPerBatch, count: studies.count), on: context
    ) { study, count, stream in
      var sums = [0.0] + Array(repeating: 0, count: 2 * thresholds[study].count)
      for _ in 0..<count {
        guard let one = all[study].sample(within: nil, cut: cut, drawing: &stream) else { break }
        let stake = Double(ramp.bet(at: one.countBefore.rounded(.down))) * (all[study].play.key == nil ? 0.5 : 1)
        let count = one.count.rounded(.down)
        let gains = thresholds[study].map { index in
          let isAbove = count >= index
          let gain = isAbove == all[study].isUsual ? 0 : isAbove ? one.difference : -one.difference
          return 100 * all[study].chance * stake * gain
        }
        sums[0] += 1
        for (position, gain) in gains.enumerated() {
          // The first number is the gain, the others are the losses against it.
          let value = position == 0 ? gain : gains[0] - gain
          sums[1 + 2 * position] += value
          sums[2 + 2 * position] += value * value
        }
      }
      return sums
    }
    guard let gains else { return nil }
    for position in found.indices {
      let sums = gains[position].reduce(Array(repeating: 0.0, count: 1 + 2 * thresholds[position].count)) {
        zip($0, $1).map(+)
      }
      func moments(_ column: Int) -> (Double, Double) {
        let mean = sums[1 + 2 * column] / sums[0]
        return (mean, max(sums[2 + 2 * column] / sums[0] - mean * mean, 0).squareRoot())
      }
      let own = moments(0)
      found[position].gain = (own.0, own.1, Int(sums[0]))
      found[position].losses = published[position].enumerated().map { list, one in
        let loss = moments(list + 1)
        return (one.list, one.index, loss.0, loss.1)
      }
    }
    return found
  }
}
