// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

/// Every generator of the library, and what its values promise.
enum Gallery {
  static let all: [Specimen] = choices + strings + numbers + collections + moments + samples

  @Specimens static var choices: [Specimen] {
    Specimen("just", .just(3)) { $0 == 3 }
    Specimen("oneOf", .oneOf(.just(1), .integers(in: 5...9), .just(3))) { [1, 3, 5, 6, 7, 8, 9].contains($0) }
    Specimen("oneOf(weighted:)", .oneOf(weighted: [(9, .just(1)), (0, .just(2)), (1, .integers(in: 5...9))])) {
      [1, 5, 6, 7, 8, 9].contains($0)
    }
    Specimen("elements(of:)", .elements(of: ["a", "b", "c"])) { ["a", "b", "c"].contains($0) }
    Specimen("booleans", .booleans()) { _ in true }
    Specimen("zip", zip(.integers(in: 0...3), .booleans(), .strings(of: .digits, count: 2))) {
      (0...3).contains($0.0) && $0.2.count == 2
    }
    Specimen("flatMap", Gen.integers(in: 0...5).flatMap { .arrays(of: .integers(in: 0...$0), count: $0) }) { list in
      list.allSatisfy { $0 <= list.count }
    }
    Specimen("filter", Gen.integers(in: 0...99).filter { $0 % 3 == 1 }) { $0 % 3 == 1 }
    Specimen("recursive", tree) { $0.depth <= 4 && $0.branches <= 30 }
  }

  @Specimens static var strings: [Specimen] {
    alphabets.map { name, alphabet in
      Specimen("strings(of: .\(name))", .strings(of: alphabet, count: 1...12)) { string in
        alphabet.spells(string) && !string.isEmpty && String(validating: Array(string.utf8), as: UTF8.self) == string
      }
    }
    Specimen("strings(count:)", .strings(of: .letters, count: 7)) { $0.count == 7 }
    Specimen("characters(of:)", .characters(of: .emoji)) { Alphabet.emoji.symbols.contains(String($0)) }
    Specimen("unicodeScalars", .unicodeScalars()) { Unicode.Scalar($0.value) != nil }
    Specimen("unicodeScalars(in:)", .unicodeScalars(in: "\u{D000}"..."\u{F000}")) {
      ("\u{D000}"..."\u{F000}").contains($0)
    }
  }

  static let alphabets: [(name: String, alphabet: Alphabet)] = [
    ("letters", .letters), ("digits", .digits), ("alphanumeric", .alphanumeric), ("ascii", .ascii), ("latin", .latin),
    ("scripts", .scripts), ("rightToLeft", .rightToLeft), ("emoji", .emoji), ("combining", .combining),
    ("control", .control), ("whitespace", .whitespace), ("invisible", .invisible), ("hurtful", .hurtful),
    ("mixed", .mixed),
  ]

  /// A tree with numbers at its leaves.
  indirect enum Tree: Sendable {
    case leaf(Int)
    case branch([Tree])

    var depth: Int {
      switch self {
      case .leaf: 0
      case .branch(let parts): 1 + (parts.map(\.depth).max() ?? 0)
      }
    }

    var branches: Int {
      switch self {
      case .leaf: 0
      case .branch(let parts): 1 + parts.map(\.branches).reduce(0, +)
      }
    }
  }

  static let tree = Gen<Tree>.recursive(Gen<Int>.integers(in: 0...9).map(Tree.leaf), depth: 4, growth: 30) { smaller in
    Gen.arrays(of: smaller, count: 0...4).map(Tree.branch)
  }
}

extension Alphabet {
  /// Whether a string is made of symbols of the alphabet, scalar by scalar.
  func spells(_ string: String) -> Bool {
    let scalars = Array(string.unicodeScalars)
    let symbols = symbols.map { Array($0.unicodeScalars) }
    var reachable = [true] + Array(repeating: false, count: scalars.count)
    for start in scalars.indices where reachable[start] {
      for symbol in symbols where scalars[start...].starts(with: symbol) { reachable[start + symbol.count] = true }
    }
    return reachable[scalars.count]
  }
}
