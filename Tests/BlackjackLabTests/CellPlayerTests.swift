// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Statistics
import Testing

@Suite("A cell's plays are worth what the analyser says")
struct CellPlayerTests {
  static let games = [
    "6d-ls", "1d-h17-es-rsa-hsa", "2d-enhc-ls", "inf-obo-ls", "8d-enhc-es", "inf-nodas-d10-spl1", "4d-obo-es-d9",
    "1d-spl2-rsa",
  ]
  static let samples = 1 << 14

  @Test(
    "plain and conditional play value every action of random cells as the analyser does, under every rule",
    arguments: games)
  func values(game: String) throws {
    let rules = try Rules(name: game)
    let chart = ExactAnalysis(rules: rules).chart.chart
    let exact = try ExactAnalysis(rules: rules, following: chart)
    var random = TestRandom(seed: game.utf8.reduce(0) { 31 &* $0 &+ Int($1) })
    let keys = (0..<12).compactMap { _ in ChartCellKey.all.randomElement(using: &random) }
    // A natural can still turn up under an ace or a ten; they and a pair are always among the cells.
    let always = [CardValue.ace, .ten].map { ChartCellKey(.pair(.eight), against: $0) }
    for isPlain in [false, true] {
      var player = try CellPlayer(rules: rules, generator: "mt19937", isPlain: isPlain)
      for key in keys + always {
        let truth = exact.values(of: key)
        let actions = truth.ranked.map(\.action)
        let tally = try player.play(
          CellStart(key, rules: rules), actions: actions, following: chart, samples: Self.samples, seed: 1)
        for (action, moments) in zip(actions, tally.values) {
          let difference = moments.mean * CellTally.unit - (truth[action] ?? .nan)
          // One unit more: a value that no card changes has no error but its rounding.
          let allowed = 5 * moments.standardError * CellTally.unit + CellTally.unit
          #expect(abs(difference) < allowed, "\(action) with \(key), \(isPlain ? "plain" : "conditional"), \(rules)")
        }
      }
    }
  }

  @Test("a player who has played other cells gives the same sums", arguments: [false, true])
  func independentOfThePast(isPlain: Bool) throws {
    let rules = try Rules(name: "2d-ls")
    let key = ChartCellKey(.pair(.eight), against: .nine)
    let start = try CellStart(key, rules: rules)
    let actions: [Action] = [.stand, .hit, .double, .split, .surrender]
    var fresh = try CellPlayer(rules: rules, generator: "taus2", isPlain: isPlain)
    var used = try CellPlayer(rules: rules, generator: "taus2", isPlain: isPlain)
    for other in ChartCellKey.all.prefix(40) {
      _ = try used.play(
        CellStart(other, rules: rules), actions: [.stand, .hit], following: .trainer, samples: 500, seed: 3)
    }
    let first = try fresh.play(start, actions: actions, following: .trainer, samples: 3000, seed: 9)
    let second = try used.play(start, actions: actions, following: .trainer, samples: 3000, seed: 9)
    #expect(first.values == second.values && first.differences == second.differences)
    // The plays of one sample share their cards: that is what the differences are for.
    #expect(first.values[0].count == 3000 && first.differences.count == 10)
  }
}

@Suite("A cell is played from its own hands, in their natural weights")
struct CellStartTests {
  @Test(
    "the weights of hands and the chances of a natural equal the exact analyser's",
    arguments: ["1d", "1d-enhc", "2d", "6d-enhc", "8d", "inf", "inf-obo"])
  func weightsOfAnalyser(name: String) throws {
    let rules = try Rules(name: name)
    let analysis = ExactAnalysis(rules: rules)
    for key in ChartCellKey.all {
      let start = try CellStart(key, rules: rules)
      let expected = analysis.handWeights(of: key.row, against: key.upcard)
      #expect(start.deals.count == expected.count)
      for (deal, hand) in zip(start.deals, expected) {
        #expect(abs(Double(deal.weight) / Double(start.totalWeight) - hand.weight) < 1e-12, "\(key)")
        let natural = analysis.naturalChance(hand.first, hand.second, against: key.upcard)
        #expect(abs(deal.naturalChance - natural) < 1e-12, "\(key)")
        #expect(deal.seen.count(of: hand.first) == (hand.first == hand.second ? 2 : 1))
      }
    }
  }

  @Test("the three cards on the table are three cards of the shoe, of the right values")
  func cards() throws {
    let rules = try Rules(name: "1d")
    let values = ShoeLayout.values(of: rules)
    for key in ChartCellKey.all {
      for deal in try CellStart(key, rules: rules).deals {
        let numbers = (0..<3).map { Int(deal.cards[$0]) }
        let cards = numbers.compactMap { CardValue(rawValue: values[$0] + 1) }
        #expect(Set(numbers).count == 3)
        #expect(cards[0] == key.upcard && deal.round.upcard == key.upcard)
        #expect(deal.round.activeHand.hand == Hand(cards.dropFirst()))
        #expect(ChartRow(of: Hand(cards.dropFirst()), asPair: true) == key.row)
      }
    }
  }
}

@Suite("Shared cards and known dealers make differences cheaper")
struct EstimatorTests {
  /// A close decision and what is known about it.
  struct CloseCell: CustomTestStringConvertible {
    let key: ChartCellKey
    let best: Action
    let second: Action
    let difference: Double
    /// The factor of samples that separate cards for every action would need.
    let gain: Double

    var testDescription: String { key.description }

    init(_ row: [String: String]) throws {
      let words = try #require(row["hand"]).split(separator: " ")
      let player = try #require(Int(words[1]))
      let chartRow = try #require(words[0] == "hard" ? ChartRow.hard(player) : ChartRow.soft(player))
      key = ChartCellKey(chartRow, against: try row.card("dealer_up"))
      best = try #require(Action(letter: row["best"] ?? ""))
      second = try #require(Action(letter: row["second"] ?? ""))
      difference = try #require(row.number("delta_ev"))
      gain = try #require(row.number("gain_rb"))
    }
  }

  static let closeCells = (try? ExactFixture("variance_reduction_exact").rows.map(CloseCell.init)) ?? []
  static let samples = 1 << 17

  /// The moments of the difference of the two actions, in bets.
  private func play(
    _ cell: CloseCell, isPlain: Bool
  ) throws -> (mean: Double, variance: Double, error: Double) {
    let rules = try Rules(name: "inf")
    var player = try CellPlayer(rules: rules, generator: "mt19937", isPlain: isPlain)
    let chart = ExactAnalysis(rules: rules).chart.chart
    let start = try CellStart(cell.key, rules: rules)
    var tally = CellTally(actions: [cell.best, cell.second])
    for block in 1...UInt32(Self.samples / BlockSums.maxSamples) {
      tally.merge(
        try player.play(
          start, actions: [cell.best, cell.second], following: chart, samples: BlockSums.maxSamples, seed: block))
    }
    let moments = tally.differences[0]
    #expect(moments.count == Self.samples)
    let unit = CellTally.unit
    return (moments.mean * unit, moments.variance * unit * unit, moments.standardError * unit)
  }

  @Test("twelve close cells are estimated without bias, with at least 85% of the known gains", arguments: closeCells)
  func gains(cell: CloseCell) throws {
    let plain = try play(cell, isPlain: true)
    let conditional = try play(cell, isPlain: false)
    for estimate in [plain, conditional] {
      #expect(abs(estimate.mean - cell.difference) < 5 * estimate.error)
    }
    #expect(plain.variance / conditional.variance > 0.85 * cell.gain)
  }

  @Test("all twelve cells of the reference were read")
  func cellsWereRead() { #expect(Self.closeCells.count == 12) }
}

@Suite("The dealer's chances follow from the cards that the player saw")
struct DealerTests {
  /// The chances by the raw value of `DealerFinal`.
  private func chances(_ odds: inout DealerOdds, given seen: SeenCards) -> [Double] {
    let chances = unsafe odds.chances(given: seen)
    return DealerFinal.allCases.map { unsafe chances[Int($0.rawValue)] }
  }

  @Test("an infinite shoe's dealer ends with the chances of an independent recursion, with and without a peek")
  func infinite() throws {
    let columns: [(String, DealerFinal)] = [
      ("p17", .seventeen), ("p18", .eighteen), ("p19", .nineteen), ("p20", .twenty), ("p21", .twentyOne),
      ("pbust", .bust), ("pbj", .natural),
    ]
    let rows = try ExactFixture("infinite_dealer").rows
    #expect(rows.count == 40)
    for row in rows {
      let hasLooked = row["peek"] == "after peek"
      let rules = try Rules(name: "inf-\(row["soft17"] == "S17" ? "s17" : "h17")-\(hasLooked ? "peek" : "enhc")")
      var odds = DealerOdds(rules: rules)
      var seen = SeenCards(upcard: try row.card("dealer_up"))
      for card in [CardValue.six, .nine, .ace] { seen.add(card) }
      let chances = chances(&odds, given: seen)
      let exact = try ExactDealer(rules: rules, upcard: seen.upcard, givenNoNatural: hasLooked)
      for (column, final) in columns {
        let expected = row.number(column) ?? .nan
        #expect(abs(chances[Int(final.rawValue)] - expected) < 1e-12, "\(column) of \(row)")
        #expect(abs(exact[final] - expected) < 1e-14, "\(column) of \(row)")
      }
    }
  }

  @Test(
    "the chances equal the exact analyser's to 1e-12, for every upcard and any cards seen",
    arguments: ["1d", "2d", "6d", "8d", "inf"].flatMap { decks in
      ["s17", "s17-enhc", "h17", "h17-obo"].map { "\(decks)-\($0)" }
    })
  func finite(name: String) throws {
    let rules = try Rules(name: name)
    var random = TestRandom(seed: name.utf8.reduce(0) { 31 &* $0 &+ Int($1) })
    var odds = DealerOdds(rules: rules)
    for round in 0..<300 {
      var shoe = CardValue.allCases.flatMap { Array(repeating: $0, count: rules.cards(of: $0) ?? 12 * $0.ranksPerSuit) }
      shoe.shuffle(using: &random)
      let upcard = CardValue.allCases[round % 10]
      try shoe.remove(at: #require(shoe.firstIndex(of: upcard)))
      let cards = Array(shoe.prefix(2 + Int.random(in: 0...12, using: &random)))
      var seen = SeenCards(upcard: upcard)
      for card in cards { seen.add(card) }
      let expected = try ExactDealer(
        rules: rules, upcard: upcard, seen: cards, givenNoNatural: rules.holeCard == .peek)
      let found = chances(&odds, given: seen)
      for final in DealerFinal.allCases {
        let difference = abs(found[Int(final.rawValue)] - expected[final])
        #expect(difference < 1e-12, "\(final) under \(upcard), seen \(cards)")
      }
    }
  }

  @Test("seen cards remember the upcard and up to 63 of each value, whatever the upcard")
  func seenCards() {
    for upcard in CardValue.allCases {
      var seen = SeenCards(upcard: upcard)
      for card in CardValue.allCases { for _ in 0..<(card.points * 6) { seen.add(card) } }
      #expect(seen.upcard == upcard)
      #expect(CardValue.allCases.allSatisfy { seen.count(of: $0) == $0.points * 6 })
    }
  }

  @Test("a cache for three sets of cards, which always evicts, gives the same bits as a large one")
  func forgetting() throws {
    let rules = try Rules(name: "2d-h17")
    var wide = DealerOdds(rules: rules)
    var narrow = DealerOdds(rules: rules, keeping: 2)
    var random = TestRandom(seed: 77)
    for _ in 0..<2000 {
      var seen = SeenCards(upcard: random.card())
      for _ in 0..<2 { seen.add(random.card()) }
      #expect(chances(&wide, given: seen) == chances(&narrow, given: seen))
    }
  }

  @Test("a cache returns the numbers that were stored, or nothing")
  func cache() {
    var cache = SeenCardsCache(bits: 6, width: 2)
    var random = TestRandom(seed: 5)
    var found = 0
    for turn in 1...5000 {
      var seen = SeenCards(upcard: random.card())
      seen.add(random.card())
      let truth = Double(seen.packed)
      if let numbers = unsafe cache.find(seen) {
        #expect(unsafe numbers[0] == truth && numbers[1] == -truth)
        found += 1
      } else {
        let numbers = unsafe cache.add(seen)
        unsafe numbers[0] = truth
        unsafe numbers[1] = -truth
      }
      var stranger = SeenCards(upcard: .two)
      for _ in 0..<(turn % 60 + 2) { stranger.add(.three) }
      #expect(unsafe cache.find(stranger) == nil)
    }
    // A hundred sets share room for 48: some are found, some were forgotten.
    #expect((1000...4900).contains(found))
  }
}

@Suite("The exact chances of the dealer's hand")
struct ExactDealerTests {
  @Test("with one deck and 9,7 against an ace, 16 of the 49 cards left make a natural")
  func natural() throws {
    let rules = try Rules(name: "1d")
    let blind = try ExactDealer(rules: rules, upcard: .ace, seen: [.nine, .seven], givenNoNatural: false)
    #expect(abs(blind[.natural] - 16.0 / 49) < 1e-16)
    let looked = try ExactDealer(rules: rules, upcard: .ace, seen: [.nine, .seven], givenNoNatural: true)
    #expect(looked[.natural] == 0)
    for final in DealerFinal.allCases where final != .natural {
      #expect(abs(blind[final] - looked[final] * 33 / 49) < 1e-15)
    }
  }
}
