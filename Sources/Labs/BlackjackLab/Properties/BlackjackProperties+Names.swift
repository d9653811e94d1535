// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension BlackjackProperties {
  static func names(of code: BlackjackOperations) -> [Property] {
    let known = Gen.elements(of: [
      "6d", "s17", "h17", "das", "nodas", "spl1", "spl2", "spl3", "rsa", "hsa", "doa", "d9", "d10", "ls", "es", "peek",
      "enhc", "obo", "bj32", "bj65", "bj11", "bj21", "cut75", "1d", "8d", "inf", "0d", "9d", "cut9", "cut100", "cut",
      "d",
      "", "h71", "6D", "6 d", "６d", "-",
    ])
    let tokens = Gen.oneOf(weighted: [(15, known), (1, .strings(of: .mixed, count: 0...5))])
    return [
      Property(
        "blackjack.10", "The name of any rules reads back as those rules", reference: "the rule names",
        arguments: ["rules"], Gen<Rules>.rules()
      ) { rules in
        let name = code.name(rules)
        let read = try code.rules(name)
        try claim(read == rules, "its name is \(name), which means \(read)")
      },
      Property(
        "blackjack.11", "The words of a rule name mean the same in any order and in either case",
        reference: "the rule names", arguments: ["rules", "turn", "capitals"],
        Gen<Rules>.rules(), .integers(in: 0...11), .booleans()
      ) { rules, turn, capitals in
        let words = rules.name.split(separator: "-")
        let start = turn % words.count
        let turned = (words[start...] + words[..<start]).joined(separator: "-")
        let name = capitals ? turned.uppercased() : turned
        try claim(try code.rules(name) == rules, "\(name) means something else")
      },
      Property(
        "blackjack.12", "Words that name rules twice or name none are refused; what is read reads back",
        reference: "the rule names", arguments: ["words"], .arrays(of: tokens, count: 0...6)
      ) { words in
        let name = words.joined(separator: "-")
        do {
          let rules = try code.rules(name)
          try claim(Set(words.map { $0.lowercased() }).count == words.count, "a word is said twice")
          try claim(try code.rules(code.name(rules)) == rules, "\(rules) does not read back")
        } catch let error as BlackjackError {
          try claim(!error.description.isEmpty, "nothing is said about what is wrong")
        }
      },
    ]
  }
}
