// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Rule names") struct RuleNameTests {
  @Test("Omitted tokens mean S17, DAS, three splits, no RSA, no HSA, any two, no surrender, peek, 3:2, a fresh shoe")
  func defaults() throws {
    let rules = try Rules(name: "6d")
    #expect(rules.decks == .finite(6))
    #expect(!rules.dealerHitsSoft17 && rules.doubleAfterSplit && rules.maximumHands == 4)
    #expect(!rules.resplitAces && !rules.hitSplitAces)
    #expect(rules.doubling == .anyTwo && rules.surrender == .none && rules.holeCard == .peek)
    #expect(rules.naturalPays == .threeToTwo && rules.dealing == .freshShoe)
    #expect(try rules == Rules(decks: .finite(6)))
  }

  @Test("A default may be stated and changes nothing", arguments: ["s17", "das", "spl3", "doa", "peek", "bj32"])
  func spokenDefaults(token: String) throws {
    #expect(try Rules(name: "6d-\(token)") == Rules(name: "6d"))
  }

  @Test("A variation changes one rule, by the token that says it, and contradicts nothing")
  func variations() throws {
    let common = try Rules(name: "6d").variations
    #expect(
      common.map(\.token) == [
        "1d", "2d", "3d", "4d", "5d", "7d", "8d", "inf", "h17", "nodas", "spl1", "spl2", "rsa", "hsa", "d9", "d10",
        "d11", "ls", "es", "es10", "rescue", "charlie5", "charlie6", "charlie7", "enhc", "obo", "bb1", "bj65", "bj11",
        "bj21", "bj75",
      ])
    for one in common {
      #expect(
        try one.rules == Rules(name: one.token.hasSuffix("d") || one.token == "inf" ? one.token : "6d-\(one.token)"))
    }
    let other = try Rules(name: "1d-h17-rsa-ls-cut50").variations
    let back = Dictionary(uniqueKeysWithValues: other.map { ($0.token, $0.rules.name) })
    #expect(
      back["s17"] == "1d-rsa-ls-cut50" && back["no-rsa"] == "1d-h17-ls-cut50" && back["no-ls"] == "1d-h17-rsa-cut50")
    #expect(back["es"] == "1d-h17-rsa-es-cut50" && back["spl1"] == nil && back["inf"] == nil && back["h17"] == nil)
  }

  @Test("The title of a card names every rule that departs from the common game")
  func departures() throws {
    let common = try Rules(name: "6d").inShort
    for token in Rules.tokens.dropFirst().joined() where try Rules(name: "6d-\(token)").name != "6d" {
      #expect(try Rules(name: "6d-\(token)").inShort != common, "\(token)")
    }
    #expect(
      try Rules(name: "8d-es10-rescue-charlie5-bb1-bj75-d11-cut75").inShort
        == "8 decks, S17, DAS, D11, early surrender v 10, surrender after a double, 5-card Charlie, no hole "
        + "card, busted bets plus one, naturals pay 7:5, cut card at 75%")
  }

  @Test("A token sets its own rule and no other")
  func tokens() throws {
    let six = Rules.Decks.finite(6)
    #expect(try Rules(name: "inf") == Rules(decks: .infinite))
    #expect(try Rules(name: "6d-h17") == Rules(decks: six, dealerHitsSoft17: true))
    #expect(try Rules(name: "6d-nodas") == Rules(decks: six, doubleAfterSplit: false))
    #expect(try Rules(name: "6d-spl1") == Rules(decks: six, maximumHands: 2))
    #expect(try Rules(name: "6d-spl2") == Rules(decks: six, maximumHands: 3))
    #expect(try Rules(name: "6d-rsa") == Rules(decks: six, resplitAces: true))
    #expect(try Rules(name: "6d-hsa") == Rules(decks: six, hitSplitAces: true))
    #expect(try Rules(name: "6d-d9") == Rules(decks: six, doubling: .nineToEleven))
    #expect(try Rules(name: "6d-d10") == Rules(decks: six, doubling: .tenToEleven))
    #expect(try Rules(name: "6d-ls") == Rules(decks: six, surrender: .late))
    #expect(try Rules(name: "6d-es") == Rules(decks: six, surrender: .early))
    #expect(try Rules(name: "6d-enhc") == Rules(decks: six, holeCard: .noneAllBetsLost))
    #expect(try Rules(name: "6d-obo") == Rules(decks: six, holeCard: .noneOriginalBetOnly))
    #expect(try Rules(name: "6d-bj65") == Rules(decks: six, naturalPays: .sixToFive))
    #expect(try Rules(name: "6d-bj11") == Rules(decks: six, naturalPays: .evenMoney))
    #expect(try Rules(name: "6d-bj21") == Rules(decks: six, naturalPays: .twoToOne))
    #expect(try Rules(name: "6d-d11") == Rules(decks: six, doubling: .elevenOnly))
    #expect(try Rules(name: "6d-es10") == Rules(decks: six, surrender: .earlyAgainstTen))
    #expect(try Rules(name: "6d-rescue") == Rules(decks: six, surrenderAfterDouble: true))
    #expect(try Rules(name: "6d-charlie6") == Rules(decks: six, charlieCards: 6))
    #expect(try Rules(name: "6d-bb1") == Rules(decks: six, holeCard: .noneBustedBetsPlusOne))
    #expect(try Rules(name: "6d-bj75") == Rules(decks: six, naturalPays: .sevenToFive))
    #expect(try Rules(name: "6d-cut75") == Rules(decks: six, dealing: .cutCard(percent: 75)))
  }

  @Test(
    "Familiar games print their shortest name",
    arguments: [
      ("6d-s17-das", "6d"), ("1d-h17-nodas-d10-ls-bj65", "1d-h17-nodas-d10-ls-bj65"), ("inf-s17-das", "inf"),
      ("8d-s17-das-enhc", "8d-enhc"), ("2d-h17-das", "2d-h17"), ("6d-cut75-ls", "6d-ls-cut75"),
    ])
  func familiar(name: String, shortest: String) throws {
    #expect(try Rules(name: name).name == shortest)
    #expect(try Rules(name: name).description == shortest)
  }

  @Test("A rule name is the shortest of all 259200 combinations of tokens that mean the same rules")
  func shortest() throws {
    let defaults = [["s17"], ["das"], ["spl3"], [], [], ["doa"], [], [], ["peek"], ["bj32"]]
    let choices = zip(RulesSpace.spellings, defaults).map { $0 + $1 }
    let ways = choices.reduce([["3d"]]) { ways, choices in
      ways.flatMap { way in choices.map { $0.isEmpty ? way : way + [$0] } }
    }
    #expect(ways.count == 259_200)
    var shortest: [Rules: Int] = [:]
    for way in ways {
      let name = way.joined(separator: "-")
      if let rules = try? Rules(name: name) { shortest[rules] = min(shortest[rules] ?? .max, name.count) }
    }
    #expect(shortest.count == RulesSpace.all.count)
    for (rules, length) in shortest { #expect(rules.name.count == length, "\(rules.name)") }
  }
}
