// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting
internal import Scenarios

/// The operations that the properties of counting check: those of the core and the lab, or a mutant's.
struct CountingOperations: Sendable {
  /// The count that decides the bet: the first argument is before the first cards, the second after them.
  var betCount: @Sendable (_ before: Double, _ after: Double) -> Double = { before, _ in before }
  var unseen: @Sendable (_ size: Int, _ seen: Int) -> Int = { $0 - $1 }
  var value: @Sendable (CountReading, _ running: Int, _ unseen: Int) -> Double = {
    $0.value(running: $1, unseen: $2)
  }
  var action: @Sendable (CountedChart, Hand, CardValue, ActionSet, Double) throws -> Action = {
    try $0.action(for: $1, against: $2, options: $3, count: $4)
  }
  var payoff: @Sendable (Round) -> Int = { $0.payoffTenths }
  /// The total win of all hands of a counter.
  var total: @Sendable ([Int]) -> Int = { $0.reduce(0, +) }
  /// True if a trip ends after a round; `isLast` for its last round.
  var isOver: @Sendable (_ money: Int, _ isLast: Bool) -> Bool = { money, _ in TripWalker.isOver(money, goal: .max) }
  /// Why a published list cannot be played under rules; `nil` if it can.
  var refusal: @Sendable (NamedRules, NamedIndices) -> String? = { rules, indices in
    var run = CountExperiment()
    (run.rules, run.indices) = (rules, indices)
    do throws(ParameterError) {
      try run.check()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The bets that win most, of 1 to a spread, for a bankroll and a risk of ruin.
  var bets: @Sendable (BetTable, Int, Double, Double) -> [Int]? = { $0.best(spread: $1, bankroll: $2, ruin: $3) }

  static let shipping = CountingOperations()
}

/// Plays a counter's shoe card by card and round by round, without tables: slow and simple.
struct PlainCounter {
  let game: CountedGame
  let code: CountingOperations

  /// The sums of a shoe with its cards in this order, by column of the tally; `nil` if the shoe is too short.
  func play(_ order: [UInt8]) throws -> [Int]? {
    var (dealt, seen, running) = (game.burnt, 0, game.system.start(decks: game.decks))
    var sums = Array(repeating: 0, count: CountTally.columns)
    var isSeated = game.enter == nil
    func value() -> Double { code.value(game.reading, running, code.unseen(game.size, seen)) }
    func see(_ card: UInt8) {
      seen += 1
      running += (card > 9 ? game.system.red : game.system.black)[Int(card & 15)]
    }
    func next(isSeen: Bool = true) throws -> UInt8 {
      guard dealt < order.count else { throw BlackjackError.outOfCards(dealt: dealt) }
      dealt += 1
      if isSeen { see(order[dealt - 1]) }
      return order[dealt - 1]
    }
    func finish(_ round: inout Round, isCounter: Bool) throws {
      while !round.isPlayerDone {
        guard round.need == .decision else {
          // A player's natural waits for the dealer's hand.
          if round.need != .playerCard { return }
          try round.receive(CardValue.allCases[Int(next() & 15)])
          continue
        }
        let hand = round.activeHand.hand
        let action =
          isCounter
          ? try code.action(game.chart, hand, round.upcard, round.options, value())
          : try game.chart.chart.action(for: hand, against: round.upcard, options: round.options)
        try round.act(action)
      }
    }
    repeat {
      let before = value()
      if let enter = game.enter, before >= enter { isSeated = true }
      if let leave = game.leave, before < leave { isSeated = false }
      let mine = isSeated && game.ramp.bet(at: before) > 0 ? game.hands.number(at: before) : 0
      var rounds = Array(repeating: Round(rules: game.rules), count: mine + game.others)
      func dealAll(_ seats: Range<Int>, _ card: UInt8) throws {
        for seat in seats where rounds[seat].need != .nothing {
          try rounds[seat].receive(CardValue.allCases[Int(card & 15)])
        }
      }
      for seat in rounds.indices { try dealAll(seat..<seat + 1, next()) }
      let up = try next()
      try dealAll(0..<rounds.count, up)
      for seat in rounds.indices { try dealAll(seat..<seat + 1, next()) }
      let bet = mine > 0 ? game.ramp.bet(at: code.betCount(before, value())) : 0
      var (tenths, halves) = (0, 0)
      var hole: UInt8?
      if game.rules.holeCard == .peek {
        let card = try next(isSeen: false)
        if up & 15 == 0, let minimum = game.chart.insurance, mine > 0, value() >= minimum {
          (tenths, halves) = (mine * (card & 15 == 9 ? 10 : -5), mine)
        }
        try dealAll(0..<rounds.count, card)
        hole = card
      }
      for seat in rounds.indices { try finish(&rounds[seat], isCounter: seat < mine) }
      if let hole { see(hole) }
      while rounds.contains(where: { $0.need == .dealerCard }) {
        let card = try CardValue.allCases[Int(next() & 15)]
        for seat in rounds.indices where rounds[seat].need == .dealerCard { try rounds[seat].receive(card) }
      }
      tenths += code.total(rounds.prefix(mine).map(code.payoff))
      halves += rounds.prefix(mine).reduce(0) { $0 + 2 * $1.stakes }
      sums[0] += 1
      if mine > 0 {
        for (index, value) in [1, tenths * bet, tenths * bet * tenths * bet, bet * mine, halves * bet].enumerated() {
          sums[1 + index] += value
        }
      }
    } while dealt < game.cut
    return sums
  }
}

/// A generated counter's game.
struct DrawnCount: Sendable, CustomStringConvertible {
  let rules: Rules
  let system: CountingSystem
  let rounding: CountReading.Rounding
  let hands: HandsByCount
  let others: Int
  let seed: Int

  var description: String { "\(rules), \(system.name), \(rounding), \(hands.text)+\(others), seed \(seed)" }

  private static let names = ["1d-cut50", "1d-h17-ls-cut60", "2d-enhc-cut70", "6d-rsa-cut75", "6d-spl1-ls"]

  /// The automata by name of the rules, made once.
  private static let automata: [String: (own: CountAutomaton, other: CountAutomaton)] = names.reduce(into: [:]) {
    guard let rules = try? Rules(name: $1), let chart = try? Self.chart(under: rules),
      let own = try? CountAutomaton(chart, rules: rules), let `default` = try? CountedChart(.trainer, rules: rules),
      let other = try? CountAutomaton(`default`, rules: rules)
    else { return }
    $0[rules.name] = (own, other)
  }

  private static func chart(under rules: Rules) throws(BlackjackError) -> CountedChart {
    let plays = (PublishedIndices.list("classic") ?? []).filter { one in
      one.key.map { rules.allows(one.above, in: $0) } ?? true
    }
    return try CountedChart(.trainer, indices: plays, rules: rules)
  }

  func kernel() throws -> CountKernel {
    try CountKernel(game(), generator: "mt19937", automata: Self.automata[rules.name])
  }

  static func any() -> Gen<DrawnCount> {
    let tables = zip(Gen<Int>.integers(in: 1...3), Gen<Int>.integers(in: 0...2))
    return zip(
      Gen.elements(of: names), Gen.elements(of: CountingSystem.all), Gen<CountReading.Rounding>.cases(), tables,
      Gen<Int>.integers(in: 1...100_000)
    ).map { name, system, rounding, table, seed in
      // With a third of the seeds the hands change from the count 1 on.
      let more: [(from: Double, hands: Int)] = seed % 3 == 2 ? [(1, table.0 % 3 + 1)] : []
      return DrawnCount(
        rules: (try? Rules(name: name)) ?? .common, system: system, rounding: rounding,
        hands: HandsByCount(table.0, then: more) ?? 1, others: table.1, seed: seed)
    }
  }

  func game() throws -> CountedGame {
    CountedGame(
      rules: rules, chart: try Self.chart(under: rules), system: system,
      reading: CountReading(system.isBalanced ? .exact : .none, rounding), ramp: .default, hands: hands, others: others,
      cut: rules.cardsToCut ?? 0, burnt: seed % 2)
  }
}
