// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

extension Rules {
  /// The rules as a player says them, for example `6 decks, dealer stands on soft 17, double after split, peek`.
  package var inWords: String {
    var words = [deckWords, dealerHitsSoft17 ? "dealer hits soft 17" : "dealer stands on soft 17"]
    words.append(doubleAfterSplit ? "double after split" : "no double after split")
    words.append("up to \(maximumHands) hands")
    if resplitAces { words.append("aces split again") }
    if hitSplitAces { words.append("split aces play on") }
    words += [doublingWords, surrenderWords, holeCardWords, naturalWords].compactMap(\.self)
    if case .cutCard(let percent) = dealing { words.append("cut card at \(percent)%") }
    return words.joined(separator: ", ")
  }

  /// The rules in the shorthand of the tables, for example `6 decks, S17, DAS`.
  package var inShort: String {
    var words = [deckWords, dealerHitsSoft17 ? "H17" : "S17", doubleAfterSplit ? "DAS" : "no DAS"]
    if maximumHands < 4 { words.append("\(maximumHands) hands") }
    if resplitAces { words.append("RSA") }
    if hitSplitAces { words.append("HSA") }
    switch doubling {
    case .anyTwo: break
    case .nineToEleven: words.append("D9")
    case .tenToEleven: words.append("D10")
    }
    if let surrenderWords { words.append(surrenderWords) }
    if let holeCardWords { words.append(holeCardWords) }
    if let naturalWords { words.append(naturalWords) }
    return words.joined(separator: ", ")
  }

  private var deckWords: String {
    switch decks {
    case .finite(1): "1 deck"
    case .finite(let count): "\(count) decks"
    case .infinite: "infinite deck"
    }
  }

  private var doublingWords: String? {
    switch doubling {
    case .anyTwo: nil
    case .nineToEleven: "double hard 9 to 11 only"
    case .tenToEleven: "double hard 10 and 11 only"
    }
  }

  private var surrenderWords: String? {
    switch surrender {
    case .none: nil
    case .late: "late surrender"
    case .early: "early surrender"
    }
  }

  private var holeCardWords: String? {
    switch holeCard {
    case .peek: nil
    case .noneAllBetsLost: "no hole card"
    case .noneOriginalBetOnly: "no hole card, original bet only"
    }
  }

  private var naturalWords: String? {
    switch naturalPays {
    case .threeToTwo: nil
    case .sixToFive: "naturals pay 6:5"
    case .evenMoney: "naturals pay 1:1"
    case .twoToOne: "naturals pay 2:1"
    }
  }
}
