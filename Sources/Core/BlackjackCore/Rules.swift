// SPDX-License-Identifier: Apache-2.0

/// The checked rules of a game of blackjack.
public struct Rules: Hashable, Sendable, CustomStringConvertible {
  /// The number of decks of 52 cards in the shoe.
  public enum Decks: Hashable, Sendable {
    /// A shoe of one to eight decks, dealt without replacement.
    case finite(Int)
    /// An infinite shoe, in which the probabilities of cards never change: drawn with replacement.
    case infinite
  }

  /// The two-card hands that may double; totals are hard.
  public enum Doubling: UInt8, CaseIterable, Hashable, Sendable {
    case anyTwo, nineToEleven, tenToEleven, elevenOnly
  }

  /// True if and when the player may give up half the bet.
  public enum Surrender: UInt8, CaseIterable, Hashable, Sendable {
    /// Never.
    case none
    /// After the check for a dealer's natural; without a hole card, a natural that appears later takes the whole bet.
    case late
    /// Before that check: half the bet is safe from a natural.
    case early
    /// Before that check against a ten, and never against another card.
    case earlyAgainstTen
  }

  /// The time at which a dealer's natural is discovered, and the bets that it takes.
  public enum HoleCard: UInt8, CaseIterable, Hashable, Sendable {
    /// The dealer checks the hole card under an ace or a ten before the player acts.
    case peek
    /// No hole card: a natural found at the end takes every bet, doubled and split ones too.
    case noneAllBetsLost
    /// No hole card: a natural found at the end takes only the original bet; additional bets are returned.
    case noneOriginalBetOnly
    /// No hole card: a natural found at the end takes every bet that is bust or given up, and one more if any is not
    /// ("busted bets plus one", usual in Australia).
    case noneBustedBetsPlusOne
  }

  /// The payoff of a natural.
  public enum NaturalPays: UInt8, CaseIterable, Hashable, Sendable {
    case threeToTwo, sixToFive, evenMoney, twoToOne, sevenToFive

    /// The payoff of a natural in tenths of a bet.
    @inlinable public var tenths: Int {
      switch self {
      case .threeToTwo: 15
      case .sixToFive: 12
      case .evenMoney: 10
      case .twoToOne: 20
      case .sevenToFive: 14
      }
    }
  }

  /// The time at which the shoe is shuffled.
  public enum Dealing: Hashable, Sendable {
    /// Before every round.
    case freshShoe
    /// After the round in which this percentage of the shoe has been dealt, the position of the cut card.
    case cutCard(percent: Int)
  }

  /// The number of decks.
  public private(set) var decks = Decks.finite(6)
  /// True if the dealer draws to a soft 17 (H17) instead of standing on it (S17).
  public private(set) var dealerHitsSoft17 = false
  /// True if a hand made by a split may double (DAS).
  public private(set) var doubleAfterSplit = true
  /// The largest number of hands after splits: 2 to 4.
  public private(set) var maximumHands = 4
  /// True if two aces after a split may be split again.
  public private(set) var resplitAces = false
  /// True if split aces may be played on; otherwise each receives one card.
  public private(set) var hitSplitAces = false
  /// The two-card hands that may double.
  public private(set) var doubling = Doubling.anyTwo
  /// True if and when the player may surrender.
  public private(set) var surrender = Surrender.none
  /// True if the player may give up one of the two bets of a doubled hand after its last card ("rescue").
  public private(set) var surrenderAfterDouble = false
  /// The number of cards, 5 to 7, at which a hand that is neither split nor bust ends and beats all but a natural: a
  /// Charlie; 0 for none.
  @inlinable public var charlieCards: Int { Int(charlie) }
  /// A byte, since the rules are copied in the hot loop.
  @usableFromInline var charlie: UInt8 = 0
  /// True if there is a hole card, and the bets that a dealer's natural takes without one.
  public private(set) var holeCard = HoleCard.peek
  /// The payoff of a natural.
  public private(set) var naturalPays = NaturalPays.threeToTwo
  /// The time at which the shoe is shuffled.
  public private(set) var dealing = Dealing.freshShoe

  private init() {}

  /// The common game: six decks, S17, DAS, three splits, peek, 3:2, a fresh shoe.
  public static let common = Rules()

  /// Checked rules; the defaults are those of the common game: S17, DAS, three splits, peek, 3:2, a fresh shoe.
  ///
  /// - Throws: `BlackjackError.outOfRange` for a number out of range, `.contradictoryRules` for two rules that exclude
  ///   each other.
  public init(
    decks: Decks, dealerHitsSoft17: Bool = false, doubleAfterSplit: Bool = true, maximumHands: Int = 4,
    resplitAces: Bool = false, hitSplitAces: Bool = false, doubling: Doubling = .anyTwo,
    surrender: Surrender = .none, surrenderAfterDouble: Bool = false, charlieCards: Int = 0,
    holeCard: HoleCard = .peek, naturalPays: NaturalPays = .threeToTwo, dealing: Dealing = .freshShoe
  ) throws(BlackjackError) {
    self.decks = decks
    self.dealerHitsSoft17 = dealerHitsSoft17
    self.doubleAfterSplit = doubleAfterSplit
    self.maximumHands = maximumHands
    self.resplitAces = resplitAces
    self.hitSplitAces = hitSplitAces
    self.doubling = doubling
    self.surrender = surrender
    self.surrenderAfterDouble = surrenderAfterDouble
    guard charlieCards == 0 || (5...7).contains(charlieCards) else {
      throw .outOfRange(
        what: "cards of a Charlie", found: "\(charlieCards)", expected: "5 to 7 (charlie5 to charlie7), or 0 for none")
    }
    charlie = UInt8(charlieCards)
    self.holeCard = holeCard
    self.naturalPays = naturalPays
    self.dealing = dealing
    try check()
  }

  private func check() throws(BlackjackError) {
    if case .finite(let count) = decks, !(1...8).contains(count) {
      throw .outOfRange(what: "decks", found: "\(count)", expected: "1 to 8, or inf")
    }
    guard (2...4).contains(maximumHands) else {
      throw .outOfRange(what: "maximum hands", found: "\(maximumHands)", expected: "2 to 4 (spl1 to spl3)")
    }
    if resplitAces && maximumHands == 2 {
      throw .contradictoryRules("rsa", "spl1", why: "aces cannot be split again where nothing is split twice")
    }
    if case .cutCard(let percent) = dealing {
      if decks == .infinite {
        throw .contradictoryRules("cut\(percent)", "inf", why: "an infinite shoe has no cut card")
      }
      guard (10...95).contains(percent) else {
        throw .outOfRange(what: "cut card", found: "\(percent)%", expected: "10 to 95 percent of the shoe dealt")
      }
    }
  }

  // MARK: Names and words

  /// One choice of a rule: its token in names such as `6d-s17-das`, and its words.
  private struct Term: Sendable {
    let token: String
    /// In a sentence, and in the shorthand of tables; `nil` for a choice that is not mentioned.
    let words: String?
    let short: String?
    /// True if it is the default of a name without a token of this rule.
    let isDefault: Bool
    let holds: @Sendable (Rules) -> Bool
    let apply: @Sendable (inout Rules) -> Void
  }

  private static func rule<Value: Equatable & Sendable>(
    _ field: any WritableKeyPath<Rules, Value> & Sendable,
    _ terms: [(token: String, value: Value, words: String?, short: String?)]
  ) -> [Term] {
    terms.map { term in
      let value = term.value
      return Term(
        token: term.token, words: term.words, short: term.short, isDefault: Rules()[keyPath: field] == value,
        holds: { $0[keyPath: field] == value }, apply: { $0[keyPath: field] = value })
    }
  }

  /// All rules with a fixed set of choices, in the order of printed names.
  private static let terms: [[Term]] = [
    rule(
      \.dealerHitsSoft17,
      [("s17", false, "dealer stands on soft 17", "S17"), ("h17", true, "dealer hits soft 17", "H17")]),
    rule(
      \.doubleAfterSplit,
      [("das", true, "double after split", "DAS"), ("nodas", false, "no double after split", "no DAS")]),
    rule(
      \.maximumHands,
      [
        ("spl1", 2, "up to 2 hands", "2 hands"), ("spl2", 3, "up to 3 hands", "3 hands"),
        ("spl3", 4, "up to 4 hands", nil),
      ]),
    rule(\.resplitAces, [("rsa", true, "aces split again", "RSA")]),
    rule(\.hitSplitAces, [("hsa", true, "split aces play on", "HSA")]),
    rule(
      \.doubling,
      [
        ("doa", .anyTwo, nil, nil), ("d9", .nineToEleven, "double hard 9 to 11 only", "D9"),
        ("d10", .tenToEleven, "double hard 10 and 11 only", "D10"),
        ("d11", .elevenOnly, "double hard 11 only", "D11"),
      ]),
    rule(
      \.surrender,
      [
        ("ls", .late, "late surrender", "late surrender"), ("es", .early, "early surrender", "early surrender"),
        ("es10", .earlyAgainstTen, "early surrender against a ten only", "early surrender v 10"),
      ]),
    rule(\.surrenderAfterDouble, [("rescue", true, "surrender after a double", "surrender after a double")]),
    rule(\.charlie, (5...7).map { ("charlie\($0)", $0, "a hand of \($0) cards wins", "\($0)-card Charlie") }),
    rule(
      \.holeCard,
      [
        ("peek", .peek, nil, nil), ("enhc", .noneAllBetsLost, "no hole card", "no hole card"),
        ("obo", .noneOriginalBetOnly, "no hole card, original bet only", "no hole card, original bet only"),
        ("bb1", .noneBustedBetsPlusOne, "no hole card, busted bets plus one", "no hole card, busted bets plus one"),
      ]),
    rule(
      \.naturalPays,
      [
        ("bj32", .threeToTwo, nil, nil), ("bj65", .sixToFive, "naturals pay 6:5", "naturals pay 6:5"),
        ("bj11", .evenMoney, "naturals pay 1:1", "naturals pay 1:1"),
        ("bj21", .twoToOne, "naturals pay 2:1", "naturals pay 2:1"),
        ("bj75", .sevenToFive, "naturals pay 7:5", "naturals pay 7:5"),
      ]),
  ]

  /// The tokens of names by rule, including the defaults: decks first, and last the cut card with one example.
  public static let tokens: [[String]] =
    [(1...8).map { "\($0)d" } + ["inf"]] + terms.map { $0.map(\.token) } + [["cut75"]]

  /// The list of tokens in help texts.
  public static let vocabulary =
    "1d to 8d or inf, " + terms.map { $0.map(\.token).joined(separator: "|") }.joined(separator: ", ")
    + ", cut10 to cut95"

  /// The rules of a compact name; rules that it does not mention are those of the common game (see `init(decks:)`).
  ///
  /// - Parameter name: tokens joined by `-`, in any order and case, for example `6d-s17-das` or
  ///   `1d-h17-nodas-d10-ls-bj65`.
  /// - Throws: `BlackjackError` with the token that is unknown, repeated, contradictory or out of range.
  public init(name: String) throws(BlackjackError) {
    self.init()
    var said: [Int: String] = [:]
    for part in name.lowercased().split(separator: "-", omittingEmptySubsequences: false) {
      let token = String(part)
      let rule = try apply(token, in: name)
      if let first = said.updateValue(token, forKey: rule) {
        throw .repeatedRule(first: first, second: token, name: name)
      }
    }
    guard said[0] != nil else {
      throw .outOfRange(what: "decks in '\(name)'", found: "none", expected: "a token 1d to 8d, or inf")
    }
    try check()
  }

  /// Applies a token; returns the index of its rule in `tokens`.
  private mutating func apply(_ token: String, in name: String) throws(BlackjackError) -> Int {
    for (index, rule) in Self.terms.enumerated() {
      guard let term = rule.first(where: { $0.token == token }) else { continue }
      term.apply(&self)
      return index + 1
    }
    if token == "inf" {
      decks = .infinite
      return 0
    }
    if token.hasSuffix("d"), let count = Self.number(token.dropLast()) {
      decks = .finite(count)
      return 0
    }
    if token.hasPrefix("cut"), let percent = Self.number(token.dropFirst(3)) {
      dealing = .cutCard(percent: percent)
      return Self.tokens.count - 1
    }
    if let unsupported = Self.unsupported.first(where: { token.contains($0.key) }) {
      throw .unsupportedRule(token: token, meaning: unsupported.value)
    }
    let known = Self.terms.joined().map(\.token) + Self.tokens[0] + ["cut75"]
    throw .unknownRule(token: token, name: name, suggestion: Spelling.nearest(to: token, among: known))
  }

  /// Unsupported rules of real tables, by substrings of their usual names.
  private static let unsupported: KeyValuePairs<String, String> = [
    "csm": "a continuous shuffler; a fresh shoe every round is near", "ins": "an insurance bet", "side": "a side bet",
  ]

  /// A number of at most three ASCII digits, as tokens contain.
  private static func number(_ digits: Substring) -> Int? {
    guard (1...3).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(digits)
  }

  /// The shortest name of these rules.
  public var name: String {
    var tokens = [decks.token]
    tokens += Self.terms.joined().filter { !$0.isDefault && $0.holds(self) }.map(\.token)
    if case .cutCard(let percent) = dealing { tokens.append("cut\(percent)") }
    return tokens.joined(separator: "-")
  }

  /// All ways to change one rule, except the shuffle, without contradicting the others: by its token, or `no-` and the
  /// token that is left out.
  public var variations: [(token: String, words: String, rules: Rules)] {
    let changed = Self.tokens.dropLast().joined().compactMap { token -> (String, String, Rules)? in
      var rules = self
      guard (try? rules.apply(token, in: token)) != nil, rules != self, (try? rules.check()) != nil else { return nil }
      let term = Self.terms.joined().first { $0.token == token }
      return (token, term.map { $0.words ?? "" } ?? rules.decks.words, rules)
    }
    let optional = Self.terms.filter { !$0.contains(where: \.isDefault) }.joined().filter { $0.holds(self) }
    return changed
      + optional.compactMap { term in
        let rest = name.split(separator: "-").filter { $0 != term.token }.joined(separator: "-")
        return (try? Rules(name: rest)).map { ("no-\(term.token)", "not: \(term.words ?? term.token)", $0) }
      }
  }

  /// The rules in a player's words, for example `6 decks, dealer stands on soft 17, double after split, up to 4 hands`.
  public var inWords: String {
    var words = [decks.words] + Self.terms.joined().filter { $0.holds(self) }.compactMap(\.words)
    if case .cutCard(let percent) = dealing { words.append("cut card at \(percent)%") }
    return words.joined(separator: ", ")
  }

  /// The rules in the shorthand of tables, for example `6 decks, S17, DAS`: these three, and every rule that departs
  /// from the common game.
  public var inShort: String {
    var words = [decks.words] + Self.terms.joined().filter { $0.holds(self) }.compactMap(\.short)
    if case .cutCard(let percent) = dealing { words.append("cut card at \(percent)%") }
    return words.joined(separator: ", ")
  }

  /// The shortest name, for example `6d-h17-ls`.
  public var description: String { name }

  // MARK: Play

  /// Returns true if the dealer takes another card: below 17, and on a soft 17 if the rules require it.
  @inlinable public func dealerDraws(to hand: Hand) -> Bool {
    hand.total < 17 || (dealerHitsSoft17 && hand.total == 17 && hand.isSoft)
  }

  /// Returns true if the doubling rule allows this hand; restrictions after splits are checked elsewhere.
  @inlinable public func mayDouble(_ hand: Hand) -> Bool {
    guard hand.size == 2 else { return false }
    return switch doubling {
    case .anyTwo: true
    case .nineToEleven: !hand.isSoft && (9...11).contains(hand.hardTotal)
    case .tenToEleven: !hand.isSoft && (10...11).contains(hand.hardTotal)
    case .elevenOnly: !hand.isSoft && hand.hardTotal == 11
    }
  }

  /// The time at which the player may surrender against this upcard, as with a rule that holds against every card.
  @inlinable public func surrender(against upcard: CardValue) -> Surrender {
    guard surrender == .earlyAgainstTen else { return surrender }
    return upcard == .ten ? .early : .none
  }

  /// The number of cards of a value in a full shoe; `nil` for an infinite shoe.
  @inlinable public func cards(of value: CardValue) -> Int? {
    guard case .finite(let count) = decks else { return nil }
    return 4 * count * value.ranksPerSuit
  }
}

extension Rules.Decks {
  fileprivate var token: String { if case .finite(let count) = self { "\(count)d" } else { "inf" } }

  fileprivate var words: String {
    switch self {
    case .finite(1): "1 deck"
    case .finite(let count): "\(count) decks"
    case .infinite: "infinite deck"
    }
  }
}

/// Finds the closest match of a misspelt word.
enum Spelling {
  /// The only candidate within one edit; `nil` if there is none, or another as near.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    // The difference of lengths is a lower bound of the edits: words of very different length are skipped.
    let count = word.count
    let near = candidates.filter {
      abs($0.count - count) <= 1 && max($0.count, count) > 1 && edits(from: word, to: $0) == 1
    }
    return near.count == 1 ? near[0] : nil
  }

  /// The Levenshtein distance; O(product of the lengths).
  static func edits(from first: String, to second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in target.indices {
        let substitution = diagonal + (letter == target[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[target.count]
  }
}
