// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
public import PropertyTesting
internal import Randomness

/// Properties of the blackjack core and of the exact analyser that checks it independently.
public enum BlackjackProperties {
  public static let catalogue = PropertyCatalogue(
    core: "BlackjackCore", production: .shipping, properties: all(of:), mutants: mutations)

  private static func all(of code: BlackjackOperations) -> [Property] {
    hands(of: code) + charts(of: code) + names(of: code) + payoffs(of: code) + moves(of: code) + shoes(of: code)
      + values(of: code) + files(of: code)
  }

  private static func hands(of code: BlackjackOperations) -> [Property] {
    let cards = Gen.arrays(of: Gen<CardValue>.cardValues(), count: 1...12)
    return [
      Property(
        "blackjack.1", "The total of a hand is the best of all ways to count its aces",
        reference: "rules of the game: an ace counts one or eleven", arguments: ["cards"], cards
      ) { cards in
        let expected = HandSpecification(cards: cards)
        let total = code.total(cards)
        try require(total == expected.total, "total \(total), by all ways to count \(expected.total)")
        try require(code.isBust(cards) == expected.isBust, "over 21 is \(!expected.isBust)")
      },
      Property(
        "blackjack.2", "A hand is soft exactly when its best count has an ace as eleven",
        reference: "rules of the game: soft hands", arguments: ["cards"], cards
      ) { cards in
        let expected = HandSpecification(cards: cards).isSoft
        try require(code.isSoft(cards) == expected, expected ? "not called soft" : "called soft")
      },
      Property(
        "blackjack.3", "The order of the cards does not matter for a hand",
        reference: "the hand is a set of cards", arguments: ["cards", "turn"], cards, .integers(in: 0...11)
      ) { cards, turn in
        let start = turn % cards.count
        let turned = Array(cards[start...] + cards[..<start])
        for other in [turned, turned.reversed()] {
          try require(code.total(other) == code.total(cards), "\(other) has another total")
          try require(code.isSoft(other) == code.isSoft(cards), "\(other) is not as soft")
          try require(code.row(Hand(other), true) == code.row(Hand(cards), true), "\(other) has another row")
        }
      },
      Property(
        "blackjack.4", "Two cards are a pair exactly when they count the same, whatever their ranks and suits",
        reference: "rules of the game: any two tens may be split", arguments: ["first", "second"],
        Gen<Card>.cards(), Gen<Card>.cards()
      ) { first, second in
        let expected = first.value == second.value ? first.value : nil
        let pair = code.pair(first, second)
        try require(pair == expected, "found \(pair.map { "a pair of \($0)" } ?? "no pair")")
      },
      Property(
        "blackjack.5", "The dealer draws to 16, stands on 18, and draws to a soft 17 only where the rules say so",
        reference: "rules of the game: S17 and H17", arguments: ["rules", "cards as they come"],
        Gen<Rules>.rules(), Gen<CardValue>.deals(1...8)
      ) { rules, cards in
        for count in 1...cards.count {
          let held = Array(cards.prefix(count))
          let hand = HandSpecification(cards: held)
          let expected = hand.total < 17 || (hand.total == 17 && hand.isSoft && rules.dealerHitsSoft17)
          try require(
            code.dealerDraws(rules, Hand(held)) == expected,
            "\(expected ? "stands on" : "draws to") \(hand.isSoft ? "soft" : "hard") \(hand.total)")
        }
      },
    ]
  }

  private static func charts(of code: BlackjackOperations) -> [Property] {
    [
      Property(
        "blackjack.6", "Every hand belongs to the row of a chart that its definition gives, or to none",
        reference: "the chart: hard 5 to 19, soft 13 to 20, ten pairs", arguments: ["cards", "asPair"],
        Gen<CardValue>.deals(0...5), .booleans()
      ) { cards, asPair in
        let expected = HandSpecification(cards: cards).row(asPair: asPair)
        let row = code.row(Hand(cards), asPair)
        try require(
          row == expected, "led to \(row?.description ?? "no row"), not to \(expected?.description ?? "none")")
      },
      Property(
        "blackjack.7", "Each of the 330 cells has its own place and a two-card hand",
        reference: "the chart: 33 rows against 10 upcards", arguments: ["cell"], .elements(of: ChartCellKey.all)
      ) { cell in
        let index = code.cellIndex(cell)
        let expected = HandSpecification.place(of: cell.row, against: cell.upcard)
        try require(index == expected, "\(cell) has place \(index), not \(expected)")
        try require(ChartCellKey.all[expected] == cell, "place \(expected) has another cell")
        let hands = HandSpecification.pairsOfCards.filter { code.row(Hand($0.0, $0.1), true) == cell.row }
        try require(!hands.isEmpty, "no two cards lead to \(cell)")
      },
      Property(
        "blackjack.8", "A chart's advice is always allowed", reference: "the chart player has no other source",
        arguments: ["chart", "round"], EditedChart.any(), RoundScript.any()
      ) { edited, script in
        let chart = edited.chart
        _ = try script.play(.shipping) { round in
          guard round.need == .decision else { return }
          let hand = round.activeHand.hand
          let advice = try code.advice(chart, hand, round.upcard, round.options)
          try require(
            round.options.contains(advice), "\(advice.name) with \(hand), allowed: \(round.options.names)")
        }
      },
      Property(
        "blackjack.9", "A chart written to a file and read back is the same chart, lines in any order",
        reference: "the chart file", arguments: ["chart", "turn", "line end"],
        EditedChart.any(), .integers(in: 0...329), .elements(of: ["\n", "\r\n"])
      ) { edited, turn, lineEnd in
        let chart = edited.chart
        let lines = code.writeChart(chart, try Rules(decks: .finite(6))).split(whereSeparator: \.isNewline)
        try require(lines.count == 331, "\(lines.count) lines instead of a heading and 330 cells")
        let body = lines.dropFirst()
        let text = ([lines[0]] + body.dropFirst(turn) + body.prefix(turn)).joined(separator: lineEnd)
        let read = try code.readChart(text)
        let changed = ChartCellKey.all.first { read[$0] != chart[$0] }
        try require(changed == nil, "\(changed?.description ?? "") reads back differently")
      },
    ]
  }

  private static func names(of code: BlackjackOperations) -> [Property] {
    let known = Gen.elements(
      of: ["6d"] + Rules.tokens.dropFirst().joined() + [
        "1d", "8d", "inf", "0d", "9d", "cut9", "cut100", "cut", "d", "", "h71", "6D", "6 d", "６d", "-",
      ])
    let tokens = Gen.oneOf(weighted: [(15, known), (1, .strings(of: .mixed, count: 0...5))])
    return [
      Property(
        "blackjack.10", "The name of any rules is read as those rules", reference: "the rule names",
        arguments: ["rules"], Gen<Rules>.rules()
      ) { rules in
        let name = code.name(rules)
        let read = try code.rules(name)
        try require(read == rules, "its name is \(name), which means \(read)")
      },
      Property(
        "blackjack.11", "The words of a rule name may come in any order and in either case",
        reference: "the rule names", arguments: ["rules", "turn", "capitals"],
        Gen<Rules>.rules(), .integers(in: 0...11), .booleans()
      ) { rules, turn, capitals in
        let words = rules.name.split(separator: "-")
        let start = turn % words.count
        let turned = (words[start...] + words[..<start]).joined(separator: "-")
        let name = capitals ? turned.uppercased() : turned
        try require(try code.rules(name) == rules, "\(name) means something else")
      },
      Property(
        "blackjack.12", "Words that repeat a rule or name none are refused; rules that are read keep their meaning",
        reference: "the rule names", arguments: ["words"], .arrays(of: tokens, count: 0...6)
      ) { words in
        let name = words.joined(separator: "-")
        do {
          let rules = try code.rules(name)
          try require(Set(words.map { $0.lowercased() }).count == words.count, "a word appears twice")
          try require(try code.rules(code.name(rules)) == rules, "\(rules) is not read back")
        } catch let error as BlackjackError {
          try require(!error.description.isEmpty, "the error has no description")
        }
      },
    ]
  }

  private static func payoffs(of code: BlackjackOperations) -> [Property] {
    let script = RoundScript.any()
    return [
      Property(
        "blackjack.13",
        "Any round ends, and pays whole bets up to its stakes, half a bet back, or what a natural pays",
        reference: "rules of the game: payoffs", arguments: ["round"], script
      ) { script in
        let round = try script.play(code)
        let rules = round.rules
        try require(round.isPlayerDone, "it is over before the player is done")
        try require(round.handCount <= rules.maximumHands, "\(round.handCount) hands")
        let paid = code.payoffTenths(round)
        if round.isSurrendered {
          let mayLose = rules.surrender == .late && rules.holeCard != .peek
          try require(paid == -5 || (mayLose && paid == -10), "a surrender pays \(paid) tenths")
        } else if round.hasNatural {
          try require(paid == 0 || paid == rules.naturalPays.tenths, "a natural pays \(paid) tenths")
        } else {
          let maximum = 10 * round.stakes
          try require(paid.isMultiple(of: 10) && abs(paid) <= maximum, "pays \(paid) tenths, \(maximum) at stake")
          try require(round.stakes <= 2 * round.handCount, "\(round.stakes) bets on \(round.handCount) hands")
        }
      },
      Property(
        "blackjack.14", "A finished round pays what the rules owe its hands against the dealer's",
        reference: "rules of the game: payoffs", arguments: ["round"], script
      ) { script in
        let (round, isCharlie) = try script.playCounting(code)
        let (paid, owed) = (code.payoffTenths(round), round.owedTenths(isCharlie: isCharlie))
        try require(paid == owed, "pays \(paid) tenths of a bet, owes \(owed)")
      },
    ]
  }

  private static func moves(of code: BlackjackOperations) -> [Property] {
    let script = RoundScript.any()
    return [
      Property(
        "blackjack.15", "The allowed actions are those that the rules give for the hands on the table",
        reference: "rules of the game: doubling, splitting, surrender", arguments: ["round"], script
      ) { script in
        _ = try script.play(code) { round in
          let options = code.options(round)
          let allowed = round.need == .decision ? round.allowedActions : []
          try require(options == allowed, "allows \(options.names), the rules \(allowed.names)")
        }
      },
      Property(
        "blackjack.16", "A forbidden action is an error and changes nothing",
        reference: "contract of the core", arguments: ["round", "attempt"],
        script, .elements(of: Action.allCases)
      ) { script, attempt in
        _ = try script.play(code) { round in
          if !round.options.contains(attempt) {
            var copy = round
            let isRefused = isError { try code.act(&copy, attempt) }
            try require(isRefused, "\(attempt.name) is accepted when the round waits for \(round.need)")
            try require(copy == round, "a refused \(attempt.name) changes the round")
          }
          guard round.need == .decision || round.need == .nothing else { return }
          var copy = round
          let isRefused = isError { try code.receive(&copy, .ten) }
          try require(isRefused && copy == round, "a card is accepted when the round waits for \(round.need)")
        }
      },
      Property(
        "blackjack.17", "The dealer finishes the hand unless no bet depends on it",
        reference: "rules of the game: the dealer's play", arguments: ["round"], script
      ) { script in
        let (round, isCharlie) = try script.playCounting(code)
        let isOpen = !round.isSurrendered && !round.hasNatural && !round.dealerHasNatural && !isCharlie
        let hands = (0..<round.handCount).map { round.hand(at: $0) }
        guard isOpen, hands.contains(where: { !$0.hand.isBust && !$0.isRescued }) else { return }
        let dealer = round.dealer
        let isDone = dealer.total > 17 || (dealer.total == 17 && !(dealer.isSoft && round.rules.dealerHitsSoft17))
        try require(isDone, "the dealer ends with \(dealer)")
      },
    ]
  }

  private static func isError(_ body: () throws -> Void) -> Bool { (try? body()) == nil }

  private static func shoes(of code: BlackjackOperations) -> [Property] {
    let finite = Gen<Rules>.rules(decks: .integers(in: 1...8))
    let seed = Gen<UInt32>.integers()
    return [
      Property(
        "blackjack.18", "A shoe loses exactly the cards dealt: no value comes more often than the shoe holds it",
        reference: "rules of the game: dealing without replacement", arguments: ["rules", "seed", "cards"],
        finite, seed, .integers(in: 1...416)
      ) { rules, seed, count in
        var left = ShoeSpecification(rules)
        var shoe = try BlackjackOperations.NumberedShoe(rules: rules, generator: RandomWords(seed: seed))
        code.beginRound(&shoe)
        for _ in 0..<min(count, left.full.reduce(0, +)) {
          try left.lose(try code.draw(&shoe))
        }
      },
      Property(
        "blackjack.19", "A shoe is whole again after a shuffle and at no other time; cards on the table stay there",
        reference: "rules of the game: the cut card", arguments: ["rules", "seed", "cards by round"],
        finite, seed, .arrays(of: .integers(in: 0...40), count: 0...12)
      ) { rules, seed, rounds in
        var left = ShoeSpecification(rules)
        var shoe = try BlackjackOperations.NumberedShoe(rules: rules, generator: RandomWords(seed: seed))
        for count in rounds {
          code.beginRound(&shoe)
          left.beginRound()
          for _ in 0..<count { try left.lose(try code.draw(&shoe)) }
        }
      },
    ]
  }

  private static func values(of code: BlackjackOperations) -> [Property] {
    let seen = Gen.arrays(of: Gen<CardValue>.cardValues(), count: 0...3)
    return [
      Property(
        "blackjack.20", "The chances of the dealer's endings sum to one, and a dealer who has looked has no natural",
        reference: "probability: they sum to one", arguments: ["rules", "upcard", "seen"],
        Gen<Rules>.rules(), Gen<CardValue>.cardValues(), seen
      ) { rules, upcard, seen in
        let chances = try code.dealerChances(rules, upcard, seen)
        try require(chances.allSatisfy { $0 >= -1e-15 && $0 <= 1 + 1e-12 }, "not all between 0 and 1: \(chances)")
        let sum = chances.reduce(0, +)
        try require(abs(sum - 1) < 1e-12, "they sum to \(sum)")
        let mayHaveNatural = rules.holeCard != .peek && (upcard == .ace || upcard == .ten)
        let natural = chances[Int(DealerFinal.natural.rawValue)]
        try require(natural == 0 || mayHaveNatural, "a natural has the chance \(natural)")
      },
      Property(
        "blackjack.21", "Standing has a value from -1 to 1 bet, which never falls with the total and is equal below 17",
        reference: "the dealer never ends below 17", arguments: ["rules", "upcard", "seen"],
        Gen<Rules>.rules(), Gen<CardValue>.cardValues(), seen
      ) { rules, upcard, seen in
        let values = try code.standing(rules, upcard, seen)
        for total in 5...21 {
          let (lower, value) = (values[total - 1], values[total])
          try require(value >= -1 - 1e-12 && value <= 1 + 1e-12, "\(total) is worth \(value)")
          try require(value >= lower - 1e-15, "\(total) is worth \(value), \(total - 1) is worth \(lower)")
          try require(total > 16 || value == lower, "\(total) has another value than \(total - 1)")
        }
      },
      Property(
        "blackjack.22", "An additional option never lowers the value of a hand's best action",
        reference: "nobody has to use an option", arguments: ["games", "upcard"],
        AddedOption.any(), Gen<CardValue>.cardValues()
      ) { games, upcard in
        let (without, with) = (code.bestValues(games.without, upcard), code.bestValues(games.with, upcard))
        for index in without.indices {
          try require(
            with[index] >= without[index] - 1e-12,
            "cards \(index / 10 + 1) and \(index % 10 + 1) are worth \(with[index]) with it, \(without[index]) without")
        }
      },
    ]
  }

  private static func files(of code: BlackjackOperations) -> [Property] {
    let letters = Gen.elements(of: ["H", "S", "D", "P", "R", "h", "", "X"])
    let rows = zip(
      Gen.elements(of: ["hard", "soft", "pair", "Hard"]), Gen<Int>.integers(in: 1...21),
      Gen.elements(of: ["2", "10", "A", "a", "1", "11", " 9 ", "T"]), letters, letters)
    let lines = Gen.oneOf(rows.map { "\($0),\($1),\($2),\($3),\($4)" }, .strings(of: .mixed, count: 0...12))
    return [
      Property(
        "blackjack.23", "Any text is a chart or an error, and an error names the first line that is wrong",
        reference: "the chart file", arguments: ["lines after the heading"], .arrays(of: lines, count: 0...8)
      ) { lines in
        let text = (["kind,player,dealer,action,fallback"] + lines).joined(separator: "\n")
        guard let error = chartError(of: text, code) else { throw Failure("8 lines are a chart", origin: "whole") }
        try require(!error.description.isEmpty, "the error has no description")
        // A value in quotation marks may go over several lines, and is wrong where it begins.
        guard case .badChart(let line?, _, _, _) = error, !text.contains("\"") else { return }
        // The lines up to there give the same error, and without that line only missing cells are an error.
        let all = text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
        try require((1...all.count).contains(line), "line \(line) of \(all.count): \(error)")
        let until = all.prefix(line).joined(separator: "\n")
        try require(chartError(of: until, code) == error, "it is not an error of the lines to \(line): \(error)")
        let before = chartError(of: all.prefix(line - 1).joined(separator: "\n"), code)
        if case .badChart(_?, _, _, _) = before {
          try require(false, "a line before \(line) is wrong already: \(before.map(\.description) ?? "")")
        }
      }
    ]
  }

  private static func chartError(of text: String, _ code: BlackjackOperations) -> BlackjackError? {
    do {
      _ = try code.readChart(text)
      return nil
    } catch {
      return error as? BlackjackError
    }
  }
}
