// SPDX-License-Identifier: Apache-2.0

/// The compact names of rules, `6d-s17-das` and the like, wherever a person types rules.
enum RuleName {
  /// What a token of a name says, by the rule it speaks of.
  struct Draft {
    var decks: Rules.Decks?
    var dealerHitsSoft17 = false
    var doubleAfterSplit = true
    var splits = 3
    var resplitAces = false
    var hitSplitAces = false
    var doubling = Rules.Doubling.anyTwo
    var surrender = Rules.Surrender.none
    var holeCard = Rules.HoleCard.peek
    var naturalPays = Rules.NaturalPays.threeToTwo
    var dealing = Rules.Dealing.freshShoe
  }

  /// The rule that a token speaks of: a name may speak of each once.
  enum Subject: Hashable {
    case decks, soft17, doubleAfterSplit, splits, resplitAces, hitSplitAces, doubling, surrender, holeCard, natural, cut
  }

  /// Every fixed token, with its rule and its effect, in the order in which names are printed.
  private static let fixed: [(token: String, subject: Subject, apply: @Sendable (inout Draft) -> Void)] = [
    ("s17", .soft17, { $0.dealerHitsSoft17 = false }),
    ("h17", .soft17, { $0.dealerHitsSoft17 = true }),
    ("das", .doubleAfterSplit, { $0.doubleAfterSplit = true }),
    ("nodas", .doubleAfterSplit, { $0.doubleAfterSplit = false }),
    ("spl1", .splits, { $0.splits = 1 }),
    ("spl2", .splits, { $0.splits = 2 }),
    ("spl3", .splits, { $0.splits = 3 }),
    ("rsa", .resplitAces, { $0.resplitAces = true }),
    ("hsa", .hitSplitAces, { $0.hitSplitAces = true }),
    ("doa", .doubling, { $0.doubling = .anyTwo }),
    ("d9", .doubling, { $0.doubling = .nineToEleven }),
    ("d10", .doubling, { $0.doubling = .tenToEleven }),
    ("ls", .surrender, { $0.surrender = .late }),
    ("es", .surrender, { $0.surrender = .early }),
    ("peek", .holeCard, { $0.holeCard = .peek }),
    ("enhc", .holeCard, { $0.holeCard = .noneAllBetsLost }),
    ("obo", .holeCard, { $0.holeCard = .noneOriginalBetOnly }),
    ("bj32", .natural, { $0.naturalPays = .threeToTwo }),
    ("bj65", .natural, { $0.naturalPays = .sixToFive }),
    ("bj11", .natural, { $0.naturalPays = .evenMoney }),
    ("bj21", .natural, { $0.naturalPays = .twoToOne }),
  ]

  /// The tokens as help texts list them.
  static let vocabulary =
    "1d to 8d or inf, s17|h17, das|nodas, spl1|spl2|spl3, rsa, hsa, doa|d9|d10, ls|es, peek|enhc|obo, "
    + "bj32|bj65|bj11|bj21, cut10 to cut95"

  /// Reads a name.
  static func parse(_ name: String) throws(BlackjackError) -> Draft {
    var draft = Draft()
    var spoken: [Subject: String] = [:]
    for part in name.lowercased().split(separator: "-", omittingEmptySubsequences: false) {
      let token = String(part)
      let (subject, apply) = try meaning(of: token, in: name)
      if let first = spoken.updateValue(token, forKey: subject) {
        throw .repeatedRule(first: first, second: token, name: name)
      }
      apply(&draft)
    }
    return draft
  }

  private static func meaning(
    of token: String, in name: String
  ) throws(BlackjackError) -> (Subject, @Sendable (inout Draft) -> Void) {
    if let match = fixed.first(where: { $0.token == token }) { return (match.subject, match.apply) }
    if token == "inf" { return (.decks, { $0.decks = .infinite }) }
    if token.hasSuffix("d"), let count = number(token.dropLast()) {
      return (.decks, { $0.decks = .finite(count) })
    }
    if token.hasPrefix("cut"), let percent = number(token.dropFirst(3)) {
      return (.cut, { $0.dealing = .cutCard(percent: percent) })
    }
    let known = fixed.map(\.token) + (1...8).map { "\($0)d" } + ["inf", "cut75"]
    throw .unknownRule(token: token, name: name, suggestion: Spelling.nearest(to: token, among: known))
  }

  /// A number of at most three plain digits: what a token can carry.
  private static func number(_ digits: Substring) -> Int? {
    guard (1...3).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(digits)
  }
}

extension Rules {
  /// The rules of that compact name; what the name leaves out is the common game (see `init(decks:)`).
  ///
  /// - Parameter name: tokens joined by `-`, in any order and case, for example `6d-s17-das` or
  ///   `1d-h17-nodas-d10-ls-bj65`.
  /// - Throws: `BlackjackError` naming the token that is unknown, said twice, contradictory or out of range.
  public init(name: String) throws(BlackjackError) {
    let draft = try RuleName.parse(name)
    guard let decks = draft.decks else {
      throw .outOfRange(what: "decks in '\(name)'", found: "none", expected: "a token 1d to 8d, or inf")
    }
    try self.init(
      decks: decks, dealerHitsSoft17: draft.dealerHitsSoft17, doubleAfterSplit: draft.doubleAfterSplit,
      maximumHands: draft.splits + 1, resplitAces: draft.resplitAces, hitSplitAces: draft.hitSplitAces,
      doubling: draft.doubling, surrender: draft.surrender, holeCard: draft.holeCard,
      naturalPays: draft.naturalPays, dealing: draft.dealing)
  }

  /// The shortest name that reads back as these rules.
  public var name: String {
    var tokens: [String] = []
    switch decks {
    case .finite(let count): tokens.append("\(count)d")
    case .infinite: tokens.append("inf")
    }
    if dealerHitsSoft17 { tokens.append("h17") }
    if !doubleAfterSplit { tokens.append("nodas") }
    if maximumHands < 4 { tokens.append("spl\(maximumHands - 1)") }
    if resplitAces { tokens.append("rsa") }
    if hitSplitAces { tokens.append("hsa") }
    tokens += [doubling.token, surrender.token, holeCard.token, naturalPays.token].compactMap(\.self)
    if case .cutCard(let percent) = dealing { tokens.append("cut\(percent)") }
    return tokens.joined(separator: "-")
  }
}

extension Rules: CustomStringConvertible {
  /// The shortest name, for example `6d-h17-ls`.
  public var description: String { name }
}

extension Rules.Doubling {
  fileprivate var token: String? {
    switch self {
    case .anyTwo: nil
    case .nineToEleven: "d9"
    case .tenToEleven: "d10"
    }
  }
}

extension Rules.Surrender {
  fileprivate var token: String? {
    switch self {
    case .none: nil
    case .late: "ls"
    case .early: "es"
    }
  }
}

extension Rules.HoleCard {
  fileprivate var token: String? {
    switch self {
    case .peek: nil
    case .noneAllBetsLost: "enhc"
    case .noneOriginalBetOnly: "obo"
    }
  }
}

extension Rules.NaturalPays {
  fileprivate var token: String? {
    switch self {
    case .threeToTwo: nil
    case .sixToFive: "bj65"
    case .evenMoney: "bj11"
    case .twoToOne: "bj21"
    }
  }
}
