// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

/// A hand by its definition, without regard to speed: the reference for the core's hands.
struct HandSpecification {
  let cards: [CardValue]

  /// Every possible total of the cards, ascending. Only the number of aces that count eleven matters.
  var counts: [Int] {
    let aces = cards.count { $0 == .ace }
    let others = cards.reduce(0) { $0 + ($1 == .ace ? 0 : $1.points) }
    return (0...aces).map { elevens in others + (aces - elevens) + 11 * elevens }
  }

  /// The largest sum that is not over 21, or the smallest if all are.
  var total: Int { counts.last { $0 <= 21 } ?? counts[0] }

  var isSoft: Bool { total > counts[0] }

  var isBust: Bool { counts.allSatisfy { $0 > 21 } }

  /// The chart row: by pair if allowed, else by soft or hard total; `nil` for hands that charts do not have.
  func row(asPair: Bool) -> ChartRow? {
    guard cards.count >= 2 else { return nil }
    if asPair, cards.count == 2, cards[0] == cards[1] { return .pair(cards[0]) }
    return isSoft ? .soft(total) : .hard(total)
  }

  /// The place of a cell in charts: hard 5 to 19, soft 13 to 20, pairs 2 to 10 and aces; in each row 2 to 10, then ace.
  static func place(of row: ChartRow, against upcard: CardValue) -> Int {
    func aceLast(_ points: Int) -> Int { points == 1 ? 9 : points - 2 }
    let above =
      switch row.kind {
      case .hard: row.player - 5
      case .soft: 15 + row.player - 13
      case .pair: 23 + aceLast(row.player)
      }
    return 10 * above + aceLast(upcard.points)
  }

  /// The two-card hands, each once, the larger card first.
  static let pairsOfCards: [(CardValue, CardValue)] = CardValue.allCases.flatMap { first in
    CardValue.allCases.filter { $0 <= first }.map { (first, $0) }
  }
}

/// The cards of a shoe, by counting.
struct ShoeSpecification {
  let full: [Int]
  private let cut: Int
  private var left: [Int]
  private var onTable = [Int](repeating: 0, count: 10)
  private var mustShuffle = false

  init(_ rules: Rules) {
    full = CardValue.allCases.map { rules.cards(of: $0) ?? 0 }
    left = full
    if case .cutCard(let percent) = rules.dealing { cut = full.reduce(0, +) * percent / 100 } else { cut = 0 }
  }

  /// Clears the table, and shuffles if the cut card is out.
  mutating func beginRound() {
    onTable = onTable.map { _ in 0 }
    if mustShuffle || full.reduce(0, +) - left.reduce(0, +) >= cut { left = full }
    mustShuffle = false
  }

  /// Removes the dealt card. An empty shoe first takes the discards back, but not the cards on the table.
  mutating func lose(_ card: CardValue) throws {
    if left.allSatisfy({ $0 == 0 }) {
      for value in left.indices { left[value] = full[value] - onTable[value] }
      mustShuffle = true
    }
    left[card.index] -= 1
    onTable[card.index] += 1
    try require(left[card.index] >= 0, "a \(card) is dealt but none is left")
  }
}

/// A round to play: the cards in order and the player's wishes.
///
/// Wishes that are not allowed in their turn are skipped. Without further wishes the player stands, and without further
/// cards every card is a ten. So any script is a legal round, and a shorter script is a simpler round.
struct RoundScript: Sendable, CustomStringConvertible {
  /// More cards than any round can need: four hands of at most twelve cards and the dealer's.
  static let maxCards = 60

  let rules: Rules
  let cards: [CardValue]
  let wishes: [Action]

  var description: String {
    let cards = cards.isEmpty ? "tens" : cards.map(\.description).joined(separator: " ")
    let wishes = wishes.isEmpty ? "stand" : wishes.map(\.name).joined(separator: ", ")
    return "\(rules): \(cards); \(wishes)"
  }

  static func any() -> Gen<RoundScript> {
    zip(
      Gen<Rules>.rules(), Gen<CardValue>.deals(0...20),
      Gen.arrays(of: Gen.elements(of: Action.allCases), count: 0...12)
    ).map { RoundScript(rules: $0, cards: $1, wishes: $2) }
  }

  func play(_ operations: BlackjackOperations, visit: (Round) throws -> Void = { _ in }) throws -> Round {
    var round = Round(rules: rules)
    var (dealt, wished) = (0, 0)
    while round.need != .nothing {
      try visit(round)
      if round.need == .decision {
        let options = operations.options(round)
        while wished < wishes.count, !options.contains(wishes[wished]) { wished += 1 }
        try operations.act(&round, wished < wishes.count ? wishes[wished] : .stand)
        wished += 1
      } else {
        try require(dealt < Self.maxCards, "the round has not ended after \(dealt) cards")
        try operations.receive(&round, dealt < cards.count ? cards[dealt] : .ten)
        dealt += 1
      }
    }
    try visit(round)
    return round
  }

  /// Plays the round and counts the cards of a hand that is not split: whether they win as a Charlie, which ends it.
  func playCounting(_ operations: BlackjackOperations) throws -> (round: Round, isCharlie: Bool) {
    var cards = 0
    func isCharlie(_ round: Round) -> Bool {
      rules.charlieCards > 0 && round.handCount == 1 && cards >= rules.charlieCards && !round.hand(at: 0).hand.isBust
    }
    let round = try play(operations) { round in
      try require(round.need != .decision || !isCharlie(round), "it asks with \(cards) cards, which win")
      if round.need == .playerCard && round.handCount == 1 { cards += 1 }
    }
    return (round, isCharlie(round))
  }
}

extension Round {
  var stakes: Int { (0..<handCount).reduce(0) { $0 + hand(at: $1).bets } }

  var dealerHasNatural: Bool { DealerFinal(dealer) == .natural }

  /// The payoff that the rules owe the player of a finished round, by the cards on the table, in tenths of a bet.
  func owedTenths(isCharlie: Bool) -> Int {
    if isSurrendered {
      let isTaken = dealerHasNatural && rules.surrender == .late && rules.holeCard != .peek
      return isTaken ? -10 : -5
    }
    if hasNatural { return dealerHasNatural ? 0 : rules.naturalPays.tenths }
    if dealerHasNatural {
      let hands = (0..<handCount).map { hand(at: $0) }
      func bets(_ hands: [PlayerHand]) -> Int { hands.reduce(0) { $0 + ($1.isRescued ? 1 : $1.bets) } }
      let lost = hands.filter { $0.isRescued || $0.hand.isBust }
      switch rules.holeCard {
      case .peek, .noneOriginalBetOnly: return -10
      case .noneAllBetsLost: return -10 * bets(hands)
      case .noneBustedBetsPlusOne: return -10 * (bets(lost) + (lost.count < hands.count ? 1 : 0))
      }
    }
    if isCharlie { return 10 }
    return (0..<handCount).reduce(0) { owed, position in
      let played = hand(at: position)
      let (mine, theirs) = (played.hand.hardTotal, dealer.hardTotal)
      if played.isRescued { return owed - 10 }
      if mine > 21 { return owed - 10 * played.bets }
      if theirs > 21 || played.hand.total > dealer.total { return owed + 10 * played.bets }
      return played.hand.total == dealer.total ? owed : owed - 10 * played.bets
    }
  }

  /// The actions allowed to the active hand, by the cards on the table.
  var allowedActions: ActionSet {
    let (hand, isSplit) = (activeHand.hand, activeHand.isSplit)
    if activeHand.isDoubled { return [.stand, .surrender] }
    let isFrozen = activeHand.isSplitAce && !rules.hitSplitAces
    var allowed = ActionSet.stand
    if !isFrozen { allowed.insert(.hit) }
    let doubles =
      switch rules.doubling {
      case .anyTwo: true
      case .nineToEleven: !hand.isSoft && [9, 10, 11].contains(hand.total)
      case .tenToEleven: !hand.isSoft && [10, 11].contains(hand.total)
      case .elevenOnly: !hand.isSoft && hand.total == 11
      }
    if !isFrozen, hand.size == 2, doubles, !isSplit || rules.doubleAfterSplit { allowed.insert(.double) }
    if let pair = hand.pair, handCount < rules.maximumHands, !isSplit || pair != .ace || rules.resplitAces {
      allowed.insert(.split)
    }
    let maySurrender = rules.surrender == .earlyAgainstTen ? upcard == .ten : rules.surrender != .none
    if maySurrender, !isSplit, hand.size == 2 { allowed.insert(.surrender) }
    return allowed
  }
}

extension ActionSet {
  var names: String { actions.isEmpty ? "nothing" : actions.map(\.name).joined(separator: ", ") }
}

/// The tokens of a game's name before they are checked, so that one can be replaced.
struct RuleTokens: Sendable {
  /// One for each rule; empty if the default rule is left unsaid.
  private var tokens: [String]

  /// The rules. Tokens that contradict another are left out, so that any tokens are a game.
  func rules() throws -> Rules {
    let isInfinite = tokens.contains("inf")
    let kept = tokens.filter { token in
      !token.isEmpty && !(token == "rsa" && tokens.contains("spl1")) && !(token.hasPrefix("cut") && isInfinite)
    }
    return try Rules(name: kept.joined(separator: "-"))
  }

  /// Any game; 0 decks are an infinite shoe. Counterexamples shrink to six decks with the default rules.
  static func any(decks: Gen<Int> = .integers(in: 0...8, towards: 6)) -> Gen<RuleTokens> {
    func flag(_ token: String) -> Gen<String> { Gen<Bool>.booleans().map { $0 ? token : "" } }
    let choices: [Gen<String>] = [
      decks.map { $0 == 0 ? "inf" : "\($0)d" }, flag("h17"), flag("nodas"),
      Gen<Int>.integers(in: 2...4, towards: 4).map { "spl\($0 - 1)" }, flag("rsa"), flag("hsa"),
      .elements(of: ["", "d9", "d10", "d11"]), .elements(of: ["", "ls", "es", "es10"]),
      flag("rescue"), .elements(of: ["", "charlie7", "charlie6", "charlie5"]),
      .elements(of: ["", "enhc", "obo", "bb1"]),
      .elements(of: ["", "bj65", "bj11", "bj21", "bj75"]),
      Gen<Int>.integers(in: 9...95).map { $0 < 10 ? "" : "cut\($0)" },
    ]
    return Gen { draws in RuleTokens(tokens: try choices.map { try draws.draw($0) }) }
  }

  func saying(_ token: String) -> RuleTokens { RuleTokens(tokens: leavingOut(token).tokens + [token]) }

  func leavingOut(_ token: String) -> RuleTokens {
    let rule = Rules.tokens.first { $0.contains(token) } ?? []
    return RuleTokens(tokens: tokens.filter { !rule.contains($0) })
  }

  var splitsTwice: Bool { !tokens.contains("spl1") }
}

/// Two games that differ in one option of the player, which only the second has.
struct AddedOption: Sendable, CustomStringConvertible {
  /// Pairs of tokens, the second more generous; `nil` for a rule left out.
  private static let pairs: [(less: String?, more: String)] = [
    ("nodas", "das"), ("spl1", "spl2"), ("spl2", "spl3"), (nil, "rsa"), (nil, "hsa"), ("d10", "d9"), ("d9", "doa"),
    (nil, "ls"), ("ls", "es"), ("d11", "d10"), (nil, "es10"), ("es10", "es"),
    (nil, "rescue"), (nil, "charlie7"), ("charlie7", "charlie6"), ("charlie6", "charlie5"),
    ("enhc", "bb1"),
  ]

  let without: Rules
  let with: Rules

  var description: String { "\(without) and \(with)" }

  private init(_ offset: Int, of base: RuleTokens) throws {
    let (less, more) = Self.pairs[offset]
    let base = more == "rsa" && !base.splitsTwice ? base.saying("spl2") : base
    without = try (less.map(base.saying) ?? base.leavingOut(more)).rules()
    with = try base.saying(more).rules()
  }

  /// Games with infinite shoes, whose values are exact: dealt cards do not change the chances of the next one.
  static func any() -> Gen<AddedOption> {
    zip(Gen.elements(of: Array(pairs.indices)), RuleTokens.any(decks: .just(0))).map { try AddedOption($0, of: $1) }
  }
}

extension Gen where Value == CardValue {
  /// The values from the simplest on: those of naturals, pairs and small hands come first.
  private static let ordered: [CardValue] = [.ten, .ace, .eight, .two, .three, .four, .five, .six, .seven, .nine]

  /// Card values; the first values of the order, and those drawn before, come more often than from a deck.
  static func cardValues(first count: Int = 10) -> Gen<CardValue> {
    let values = ordered
    return Gen<Int>.integers(in: 0...max(0, min(count, values.count) - 1)).map { values[$0] }
  }

  /// Cards as a shoe deals them, sometimes from a shoe of few values, which gives many naturals and pairs.
  static func deals(_ count: ClosedRange<Int>) -> Gen<[CardValue]> {
    let decks = [10, 2, 3, 5].map { Gen<[CardValue]>.arrays(of: cardValues(first: $0), count: count) }
    return Gen<Int>.elements(of: Array(decks.indices)).flatMap { decks[$0] }
  }
}

extension Gen where Value == Card {
  /// Cards of a deck, aces and kings more often; the simplest is the ace of spades.
  static func cards() -> Gen<Card> {
    zip(Gen<Int>.integers(in: 1...13), Gen<Suit>.elements(of: Suit.allCases)).map { rank, suit in
      Card(Rank(rawValue: UInt8(rank)) ?? .ace, of: suit)
    }
  }
}

extension Gen where Value == Rules {
  static func rules(decks: Gen<Int> = .integers(in: 0...8, towards: 6)) -> Gen<Rules> {
    RuleTokens.any(decks: decks).map { try $0.rules() }
  }
}

struct EditedChart: Sendable, CustomStringConvertible {
  struct Edit: Sendable {
    let key: ChartCellKey
    let cell: StrategyChart.Cell

    /// A cell that a file can hold: splits only of pairs, and a fallback that no rule forbids.
    init(_ key: ChartCellKey, _ action: Action, else fallback: Action) {
      self.key = key
      let isPair = key.row.kind == .pair
      let action = action == .split && !isPair ? .hit : action
      let `default` = StrategyChart.defaultFallback(of: action, in: key.row)
      let isAllowed = fallback != action && (fallback == .stand || fallback == .hit || isPair)
      cell = StrategyChart.Cell(action, else: isAllowed ? fallback : `default`)
    }
  }

  let edits: [Edit]

  var description: String {
    guard !edits.isEmpty else { return "trainer's chart" }
    let changes = edits.map { "\($0.key): \($0.cell.action.letter)\($0.cell.fallback.map { "/\($0.letter)" } ?? "")" }
    return "trainer's chart but " + changes.joined(separator: ", ")
  }

  var chart: StrategyChart { edits.reduce(into: .trainer) { $0[$1.key] = $1.cell } }

  static func any() -> Gen<EditedChart> {
    let actions = Gen.elements(of: Action.allCases)
    let edit = zip(Gen.elements(of: ChartCellKey.all), actions, actions).map { Edit($0, $1, else: $2) }
    return Gen.arrays(of: edit, count: 0...12).map(EditedChart.init)
  }
}
