// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTesting
import SeededWords
import Testing

/// Every generator of the library, and what its values promise.
enum Gallery {
  static let all: [Specimen] = choices + strings + numbers + collections + moments

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
  /// Returns true if a string is made of symbols of the alphabet, scalar by scalar.
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

extension Gallery {
  enum Suit: CaseIterable, Sendable { case clubs, diamonds, hearts, spades }

  @Specimens static var collections: [Specimen] {
    Specimen("arrays", .arrays(of: .booleans(), count: 2...6)) { (2...6).contains($0.count) }
    Specimen("arrays of arrays", .arrays(of: .arrays(of: .doubles(), count: 0...3), count: 0...4)) { $0.count <= 4 }
    Specimen("sequence", Gen<[Int]>.sequence([.just(1), .integers(in: 2...5), .just(9)])) { (list: [Int]) in
      list.count == 3 && list.first == 1 && (2...5).contains(list[1]) && list.last == 9
    }
    Specimen("optionals", .optionals(of: .integers(in: 1...3))) { $0.map((1...3).contains) ?? true }
    Specimen("distinctArrays", .distinctArrays(of: .integers(in: 0...9), count: 3...8)) {
      Set($0).count == $0.count && (3...8).contains($0.count)
    }
    Specimen("distinctArrays(by:)", .distinctArrays(of: .integers(in: 0...999), by: { $0 % 10 }, count: 0...30)) {
      Set($0.map { $0 % 10 }).count == $0.count && $0.count <= 10
    }
    Specimen("sets", Gen<Set<Bool>>.sets(of: .booleans()).map { $0.sorted { !$0 && $1 } }) { $0.count <= 2 }
    Specimen("dictionaries", pairs) { (1...6).contains($0.count) }
    Specimen("cases", Gen<Suit>.cases()) { Suit.allCases.contains($0) }
    Specimen("permutations", .permutations(of: 0..<7)) { $0.sorted() == Array(0..<7) }
    Specimen("permutations of nothing", .permutations(of: [Int]())) { $0.isEmpty }
    Specimen("shuffled", Gen.arrays(of: .integers(in: 0...9)).map { $0.sorted() }.shuffled()) {
      $0.allSatisfy((0...9).contains)
    }
    Specimen("subsets", .subsets(of: 0..<9)) { $0 == $0.sorted() && Set($0).count == $0.count && $0.count <= 9 }
    Specimen("subsets(count:)", .subsets(of: "abcdef", count: 2...4)) { (2...4).contains($0.count) }
    Specimen("bytes", .bytes(count: 4...4)) { $0.count == 4 }
    Specimen("data", .data(count: 0...9)) { $0.count <= 9 }
    Specimen("uuids", .uuids()) { UUID(uuidString: $0.uuidString) == $0 }
  }

  @Specimens static var moments: [Specimen] {
    Specimen("dates", .dates()) { (Date.distantPast...Date.distantFuture).contains($0) }
    Specimen("dates, every day", .dates(every: .days)) {
      $0.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) == 0
    }
    Specimen("dates(in:)", .dates(in: year)) { year.contains($0) }
    Specimen("dates(in:every: .seconds)", .dates(in: year, every: .seconds)) {
      year.contains($0) && $0.timeIntervalSince1970.rounded() == $0.timeIntervalSince1970
    }
    Specimen("durations", .durations()) { (.zero ... .seconds(86_400)).contains($0) }
    Specimen("durations(in:)", .durations(in: .milliseconds(-3) ... .milliseconds(-1))) {
      (.milliseconds(-3) ... .milliseconds(-1)).contains($0)
    }
    Specimen("durations, all", .durations(in: .seconds(Int64.min) ... .seconds(Int64.max))) { _ in true }
  }

  /// Dictionaries as lists in order: their own order differs from one copy to the next.
  private static var pairs: Gen<[String]> {
    Gen<[Int: Bool]>.dictionaries(of: .integers(in: 0...5), to: .booleans(), count: 1...6).map { dictionary in
      dictionary.map { "\($0.key): \($0.value)" }.sorted()
    }
  }

  /// From a quarter of a second after the beginning of 2023 to as long before its end.
  private static let year =
    Date(timeIntervalSince1970: 1_672_531_200.25)...Date(timeIntervalSince1970: 1_704_067_199.75)
}

extension Gallery {
  @Specimens static var numbers: [Specimen] {
    real("doubles", .doubles(), -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    real("doubles(in: 0...1)", .doubles(in: 0...1), 0...1)
    real("doubles(in: 10.5...20.5)", .doubles(in: 10.5...20.5), 10.5...20.5)
    real("doubles(in: -7.75 ... -7.5)", .doubles(in: -7.75 ... -7.5), -7.75 ... -7.5)
    real("doubles(in: 0.3...0.31)", .doubles(in: 0.3...0.31), 0.3...0.31)
    real("doubles(in: 1e20...1e30)", .doubles(in: 1e20...1e30), 1e20...1e30)
    real("doubles(in: -1...0)", .doubles(in: -1...0.0), -1...0.0)
    real("doubles(in: -0...0)", .doubles(in: -0.0...0), -0.0...0)
    real("doubles(in: 0...-0)", .doubles(in: 0 ... -0.0), -0.0...0)
    real("doubles(in: pi...pi)", .doubles(in: Double.pi...Double.pi), Double.pi...Double.pi)
    real("doubles, subnormal", .doubles(in: subnormal), subnormal)
    real("doubles(in: 3...infinity)", .doubles(in: 3 ... .infinity), 3 ... .infinity)
    Specimen("doubles(allowing: .nan)", .doubles(in: 2...3, allowing: .nan)) { (2...3).contains($0) || $0.isNaN }
    Specimen("doubles(allowing:)", .doubles(in: -2...2, allowing: [.nan, .infinity])) {
      (-2...2).contains($0) || !$0.isFinite
    }
    Specimen("floats", .floats()) { $0.isFinite }
    Specimen("floats(in:)", .floats(in: 0.1...0.7)) { (0.1...0.7).contains($0) }
    Specimen("floats(allowing:)", .floats(in: 0...Float.greatestFiniteMagnitude, allowing: .infinity)) {
      $0 >= 0 || $0 == -.infinity
    }
    integers
  }

  @Specimens private static var integers: [Specimen] {
    Specimen("integers", Gen<Int>.integers()) { _ in true }
    Specimen("integers(in:)", Gen<Int>.integers(in: -7...1_000_000)) { (-7...1_000_000).contains($0) }
    Specimen("integers, towards", Gen<Int16>.integers(in: -500...500, towards: 77)) { (-500...500).contains($0) }
    Specimen("integers, UInt8", Gen<UInt8>.integers()) { _ in true }
    Specimen("integers, UInt64", Gen<UInt64>.integers(in: 1 << 63 ... .max, constants: [1 << 63 + 12])) {
      $0 >= 1 << 63
    }
    wide("UInt128", UInt128.min...UInt128.max)
    wide("Int128", Int128.min...Int128.max)
    wide("Int128, negative", Int128.min...(-1 << 70))
    wide("Int128, one high word", Int128(-5)...5)
    wide("UInt128, across", (UInt128(1) << 64 - 3)...(UInt128(1) << 64 + 3))
    wide("UInt128, single", (UInt128(1) << 100)...(UInt128(1) << 100))
    Specimen("closedRanges", Gen<ClosedRange<Int8>>.closedRanges()) { _ in true }
    Specimen("closedRanges(in:)", .closedRanges(in: 3...9)) { (3...9).contains($0.lowerBound) && $0.upperBound <= 9 }
    Specimen("ranges(in:)", .ranges(in: 3...9)) { (3...9).contains($0.lowerBound) && $0.upperBound <= 9 }
  }

  private static let subnormal = Double.leastNonzeroMagnitude...Double.leastNormalMagnitude / 8

  private static func wide<Value: FixedWidthInteger & Sendable>(_ name: String, _ range: ClosedRange<Value>) -> Specimen
  {
    Specimen("integers, \(name)", Gen<Value>.integers(in: range)) { range.contains($0) }
  }

  private static func real(_ name: String, _ generator: Gen<Double>, _ range: ClosedRange<Double>) -> Specimen {
    Specimen(name, generator) { number in
      range.lowerBound.isTotallyOrdered(belowOrEqualTo: number)
        && number.isTotallyOrdered(belowOrEqualTo: range.upperBound)
    }
  }
}

/// A generator with the rule that all its values keep, whatever their type.
struct Specimen: Sendable, CustomTestStringConvertible {
  /// What a draw came to.
  struct Sighting: Equatable {
    let value: String
    let isLegal: Bool
    let choices: ChoiceSequence
  }

  let testDescription: String
  private let draw: @Sendable (inout ChoiceSource) throws -> (value: String, isLegal: Bool)

  init<Value>(_ name: String, _ generator: Gen<Value>, _ isLegal: @escaping @Sendable (Value) -> Bool) {
    testDescription = name
    draw = { draws in
      let value = try draws.draw(generator)
      return (String(reflecting: value), isLegal(value))
    }
  }

  /// Draws at random.
  func random(_ draws: inout ChoiceSource) throws -> Sighting {
    draws.begin()
    let (value, isLegal) = try draw(&draws)
    return Sighting(value: value, isLegal: isLegal, choices: draws.choices)
  }

  /// Draws from a choice sequence; nil when the generator gives the case up.
  func replay(_ choices: ChoiceSequence, _ draws: inout ChoiceSource) throws -> Sighting? {
    draws.begin(reading: choices)
    do {
      let (value, isLegal) = try draw(&draws)
      return Sighting(value: value, isLegal: isLegal, choices: draws.choices)
    } catch is Discard {
      return nil
    }
  }
}

/// Lists specimens one by one, so that each is its own statement to the compiler.
@resultBuilder
enum Specimens {
  static func buildExpression(_ specimen: Specimen) -> [Specimen] { [specimen] }
  static func buildExpression(_ specimens: [Specimen]) -> [Specimen] { specimens }
  static func buildBlock(_ specimens: [Specimen]...) -> [Specimen] { specimens.flatMap { $0 } }
}

extension Gen {
  /// What is made of a choice sequence.
  func value(on choices: ChoiceSequence = ChoiceSequence()) throws -> Value {
    var draws = ChoiceSource(seed: 1)
    draws.begin(reading: choices)
    return try draws.draw(self)
  }
}

extension ChoiceSequence {
  var choiceCount: Int { entries.count(where: \.tag.isChoice) }

  /// Tapes like this one with something changed, as shrinking and careless editing of stored choice sequences make
  /// them.
  func mutants(_ words: inout ChoiceSource) -> [ChoiceSequence] {
    var mutants: [ChoiceSequence] = [ChoiceSequence()]
    let matches = matches()
    let every = Swift.max(1, entries.count / 40)
    for index in Swift.stride(from: 0, to: entries.count, by: every) {
      let entry = entries[index]
      mutants.append(ChoiceSequence(Array(entries[..<index])))
      mutants.append(removing(index...index))
      mutants.append(removing(index...matches[index]))
      var repeated = self
      repeated.entries.insert(contentsOf: entries[index...matches[index]], at: index)
      mutants.append(repeated)
      guard entry.tag.isChoice else { continue }
      let wild = UInt64(words.words.next()) << 32 | UInt64(words.words.next())
      let halves = entry.distance / 2
      let lowered = entry.value >= entry.target ? entry.target &+ halves : entry.target &- halves
      let values = [
        entry.lower, entry.upper, entry.target, lowered, entry.value &- 1, entry.value &+ 1, wild, 0, .max,
        entry.value ^ 1 << (wild & 63), entry.lower &+ wild % Swift.max(1, entry.upper &- entry.lower),
      ]
      for value in values {
        var copy = self
        copy.entries[index].value = value
        mutants.append(copy)
      }
      var tagged = self
      tagged.entries[index].tag = [.integer, .length, .branch, .real, .word][Int(wild % 5)]
      mutants.append(tagged)
    }
    for keep in [ChoiceEntry.Tag.length, .branch, .integer, .real, .word] {
      var simplest = self
      for index in entries.indices where entries[index].tag != keep && entries[index].tag.isChoice {
        simplest.entries[index].value = entries[index].target
      }
      mutants.append(simplest)
    }
    return mutants
  }

  private func removing(_ range: ClosedRange<Int>) -> ChoiceSequence {
    var copy = self
    copy.entries.removeSubrange(range)
    return copy
  }
}
