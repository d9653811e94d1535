// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTesting
import Testing

@Suite("Integers of a half-open range")
struct HalfOpenTests {
  @Test("are those of the closed range without its end, at any width")
  func bounds() throws {
    let report = try search(
      Gen<Int>.integers(in: 0..<3), Gen<UInt8>.integers(in: 254..<255),
      Gen<UInt128>.integers(in: UInt128.max - 1..<UInt128.max)
    ) { number, byte, wide in
      label("\(number)")
      try require((0...2).contains(number) && byte == 254 && wide == UInt128.max - 1)
    }
    #expect(report.isHeld)
    #expect(Set(report.labels.map(\.name)) == ["0", "1", "2"])
  }
}

@Suite("The first cases of a check")
struct GrowingTests {
  @Test("have small integers of any type, so that a sum overflows later, and soon all of them")
  func integers() throws {
    func first<Number: FixedWidthInteger & Sendable>(_ type: Number.Type, _ cases: Int) throws -> [Number] {
      try (0..<200).flatMap { try Gen<Number>.integers().samples(cases, seed: $0) }
    }
    #expect(try first(Int.self, 1).allSatisfy { (-63...63).contains($0) })
    #expect(try first(Int.self, 3).contains { $0.magnitude > 64 })
    #expect(try first(Int.self, 10).allSatisfy { $0.magnitude < 1 << 60 })
    #expect(try first(Int.self, 11).contains(.max))
    #expect(try first(Int8.self, 1).allSatisfy { (-63...63).contains($0) })
    #expect(try first(UInt128.self, 1).allSatisfy { $0 < 64 } && first(Int128.self, 1).contains { $0 < 0 })
    #expect(try first(Int128.self, 1).allSatisfy { (-64...63).contains($0) })
  }

  @Test("overflow a sum of two in the first one of a twentieth of all seeds at most")
  func sums() throws {
    let firsts = try (0..<UInt64(40)).map { seed in
      try search(settings: CheckSettings(cases: 1000, seed: seed)) { (a: Int, b: Int) in
        !a.addingReportingOverflow(b).overflow
      }.counterexample?.casesUntilFound ?? 0
    }
    #expect(firsts.allSatisfy { $0 > 1 && $0 < 100 })
  }

  @Test("have larger ones where small ones are refused")
  func refused() throws {
    let settings = CheckSettings(cases: 1)
    #expect(try search(Gen<Int>.integers().filter { $0 > 100 }, settings: settings) { $0 > 100 }.discarded == 0)
    let bytes = Gen<[UInt8]>.distinctArrays(of: .integers(), count: 100...110)
    let reports = try (0..<UInt64(20)).map { seed in
      try search(bytes, settings: CheckSettings(cases: 1, seed: seed)) { $0.count >= 100 }
    }
    #expect(reports.count { $0.discarded == 0 } > 5)
  }

  @Test("keep constants of the code under test")
  func constants() throws {
    let first = try (0..<500).flatMap { try Gen<Int>.integers(constants: [123_456]).samples(1, seed: $0) }
    #expect(first.contains(123_456))
  }

  @Test("have small sizes")
  func sizes() throws {
    let generator = Gen<[Int]>.sized { .arrays(of: .just($0), count: 1...1) }.map { $0[0] }
    let sizes = try (0..<100).map { try generator.samples(12, seed: $0) }
    #expect(sizes.map { $0[0] }.max() == 10 && sizes.map { $0[4] }.max() ?? 0 > 40)
    #expect(sizes.map { $0[11] }.max() ?? 0 > 90 && sizes.allSatisfy { $0[8] <= 90 })
    #expect(try generator.value() == 0)
  }
}

@Suite("Generated collections")
struct CollectionTests {
  @Test("that must be distinct are as large as possible, and never discarded for lack of elements")
  func scarce() throws {
    let arrays = try Gen<[Bool]>.distinctArrays(of: .booleans(), count: 0...9).samples(200)
    #expect(Set(arrays.map(\.count)) == [0, 1, 2])
  }

  @Test("that must be distinct and large discard the case if there are too few elements")
  func tooScarce() throws {
    #expect(throws: Discard.filtered) { try Gen<[Bool]>.distinctArrays(of: .booleans(), count: 3...9).samples(1) }
  }

  @Test("discard the case if a tape repeats an element")
  func repeated() throws {
    let generator = Gen<[Int]>.distinctArrays(of: .integers(in: 0...9), count: 2...2)
    var draws = ChoiceSource(seed: 1)
    draws.begin()
    _ = try draws.draw(generator)
    var choices = draws.choices
    choices.entries[3].value = choices.entries[2].value
    #expect(throws: Discard.filtered) { try generator.value(on: choices) }
  }

  private struct Key: Hashable, Sendable { let name: String }

  @Test("of elements of a set or a dictionary are the same in every process: the elements are sorted")
  func hashed() throws {
    // Every process has another order of hashing, and 1 of 3.6 million orders is sorted.
    let names = "abcdefghij".map(String.init)
    let lengths = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.count) })
    func samples<Value>(_ generator: Gen<Value>) throws -> [Value] { try generator.samples(50) }
    #expect(try samples(.elements(of: Set(names))) == samples(.elements(of: names)))
    #expect(try samples(.elements(of: lengths.keys)) == samples(.elements(of: names)))
    #expect(try samples(.elements(of: lengths.lazy.map(\.key))) == samples(.elements(of: names)))
    #expect(try samples(.elements(of: lengths)).map(\.key) == samples(.elements(of: names)))
    #expect(try samples(.permutations(of: lengths.keys)) == samples(.permutations(of: names)))
    #expect(try samples(.subsets(of: Set(names))) == samples(.subsets(of: names)))
    let keys = names.map(Key.init)
    #expect(try samples(.elements(of: Set(keys))) == samples(.elements(of: keys)))
    #expect(try samples(.elements(of: Set([100, 20, 3]))) == samples(.elements(of: [3, 20, 100])))
    #expect(try samples(.elements(of: [9, 1, 5])).contains(9), "an array keeps its order")
  }

  @Test("permutations shrink to the given order, and one step of a choice is one inversion")
  func permutations() throws {
    let generator = Gen<[Int]>.permutations(of: 0..<5)
    var draws = ChoiceSource(seed: 2)
    draws.begin(reading: ChoiceSequence())
    #expect(try draws.draw(generator) == [0, 1, 2, 3, 4])
    var choices = draws.choices
    choices.entries[2].value = 2
    #expect(try generator.value(on: choices) == [0, 3, 1, 2, 4])
  }

  @Test("permutations reach every order, and the reverse order often")
  func orders() throws {
    #expect(Set(try Gen<[Int]>.permutations(of: 1...4).samples(2_000, seed: 3)).count == 24)
    let orders = try Gen<[Int]>.permutations(of: 1...9).samples(2_000, seed: 3)
    #expect(orders.count { $0 == Array((1...9).reversed()) } > 20)
  }

  @Test("dates include leap days and the ends of years")
  func dates() throws {
    let seen = try Gen<Date>.dates(every: .seconds).samples(6_000, seed: 5).map(\.timeIntervalSince1970)
    #expect(Set(seen).isSuperset(of: [0, 951_782_400, 946_684_799, 2_147_483_648, 1_711_846_800]))
  }

  @Test("dates and durations shrink to the year 2000 and to zero")
  func simplest() throws {
    #expect(try Gen<Date>.dates().value().timeIntervalSince1970 == 946_684_800)
    #expect(try Gen<Duration>.durations().value() == .zero)
    let instant = Date(timeIntervalSince1970: 0.5)
    #expect(throws: Discard.self) { try Gen<Date>.dates(in: instant...instant, every: .days).samples(1) }
  }

  @Test("strings without symbols are empty")
  func noSymbols() throws {
    #expect(try Gen<String>.strings(of: Alphabet("")).samples(1) == [""])
  }

  @Test("strings shrink to the first symbol of their alphabet, and by default mix all symbols")
  func strings() throws {
    #expect(try Gen<String>.strings(count: 3...8).value() == "aaa")
    let all = try Gen<String>.strings().samples(3_000, seed: 8).joined()
    let expected = Set("az09 \0\n\"<\u{202E}\u{301}א中👨".unicodeScalars)
    #expect(expected.subtracting(all.unicodeScalars).isEmpty)
  }
}

@Suite("The order of real numbers")
struct RealOrderTests {
  @Test("maps every number to a place and back")
  func bijection() throws {
    var draws = ChoiceSource(seed: 1)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: draws.wide())
      let position = RealOrder.rank(of: number)
      let back = RealOrder.number(at: position)
      #expect(back.bitPattern == number.bitPattern || (back.isNaN && number.isNaN))
      #expect(position <= (number.isFinite ? RealOrder.lastFinite : RealOrder.last))
    }
  }

  @Test("maps every place to a number with that place or an earlier one")
  func positions() throws {
    var draws = ChoiceSource(seed: 2)
    for _ in 0..<20_000 {
      let position = draws.below(RealOrder.last)
      let again = RealOrder.rank(of: RealOrder.number(at: position))
      #expect(again <= position || RealOrder.number(at: position).isNaN)
      #expect(RealOrder.number(at: again).bitPattern == RealOrder.number(at: position).bitPattern)
    }
  }

  @Test("runs from zero over integers and short fractions to long ones, extremes and NaN")
  func order() {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 2, 3, -3, 1_000_000, 1.5, 1.25, 1.75, 1.1, 0.5, 0.75, 2.5, 2.25, 3.5, 0.25, 4.5, 1e-10, 1e18,
      1e300,
      .infinity, -.infinity, .nan,
    ]
    #expect(numbers.map(RealOrder.rank) == numbers.map(RealOrder.rank).sorted())
  }

  @Test(
    "offers simpler numbers: 2 for 2.5, 3 for 3.1, 5 for -5",
    arguments: [(2.5, 2.0), (3.1, 3), (-5, 5), (1e300, 5e299)])
  func simplifications(_ number: Double, _ simpler: Double) {
    let position = RealOrder.rank(of: number)
    let offered = RealOrder.simplifications(of: position)
    #expect(offered.contains(RealOrder.rank(of: simpler)))
    #expect(offered.allSatisfy { $0 < position })
  }
}

@Suite("Real numbers")
struct RealTests {
  @Test(
    "shrink towards the simplest of their range",
    arguments: [
      (-1e9...1e9, 0), (10.5...20.5, 11), (-20.5 ... -10.5, -11), (0.3...0.31, 0.3125 - 0.0078125), (0.3...0.6, 0.5),
      (2.6...2.7, 2.625), (1e20...1e30, 1e20), (-7.75 ... -7.5, -7.5),
    ] as [(ClosedRange<Double>, Double)])
  func simplest(_ range: ClosedRange<Double>, _ expected: Double) throws {
    #expect(try Gen<Double>.doubles(in: range).value() == expected)
  }

  @Test("are often special values, often whole, and of all sizes")
  func variety() throws {
    let numbers = try Gen<Double>.doubles().samples(4_000, seed: 4)
    let nasty: [Double] = [0, 1, -1, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, Double(1).nextUp]
    for number in nasty { #expect(numbers.contains(number), "\(number)") }
    #expect(numbers.contains { $0 == 0 && $0.sign == .minus })
    #expect(numbers.count { $0 == $0.rounded() } > 1_000)
    #expect(numbers.count { abs($0) > 1e100 } > 100)
    #expect(numbers.count { $0 != $0.rounded() && abs($0) < 1000 } > 400)
  }

  @Test("spread over the whole of a small range")
  func spread() throws {
    let tenths = try Gen<Double>.doubles(in: 0...1).samples(500, seed: 5).map { Int($0 * 10) }
    #expect(Set(tenths) == Set(0...10))
  }

  @Test(
    "from 2^51 on shrink to the lowest that fails",
    arguments: [1e300, 0x1p52 + 1, 1e16, 1.7e308, 1.2345678901234568e20, 0x1p51])
  func large(_ limit: Double) throws {
    let both = try search(Gen<Double>.doubles(), settings: CheckSettings(cases: 2000)) { $0.magnitude < limit }
    let found = try #require(both.counterexample)
    #expect(found.isShrunk && found.arguments == ["\(limit)"], "\(found.evaluations) runs")
    guard limit < 1e38 else { return }
    let single = try search(Gen<Float>.floats(), settings: CheckSettings(cases: 2000)) { $0.magnitude < Float(limit) }
    let short = try #require(single.counterexample)
    #expect(short.isShrunk && short.arguments == ["\(Float(limit))"], "\(short.arguments) in \(short.evaluations) runs")
  }

  @Test("include infinities and NaN only when asked for")
  func nonFinite() throws {
    let numbers = try Gen<Double>.doubles(in: 0...9, allowing: [.nan, .infinity]).samples(2_000, seed: 6)
    #expect(Set(numbers.filter { !$0.isFinite }.map { "\($0)" }) == ["nan", "inf", "-inf"])
    #expect(try Gen<Double>.doubles().samples(2_000, seed: 6).allSatisfy(\.isFinite))
  }

  @Test("include constants of the code under test")
  func constants() throws {
    #expect(try Gen<Double>.doubles(constants: [451.7]).samples(3_000, seed: 7).contains(451.7))
  }
}

@Suite("Integers of 128 bits")
struct WideIntegerTests {
  @Test("are near zero, near the ends and anywhere")
  func variety() throws {
    let numbers = try Gen<Int128>.integers(constants: [1 << 90 + 7]).samples(2_000, seed: 8)
    let expected: [Int128] = [0, -1, 1, .max, .min, 1 << 90 + 7]
    for number in expected { #expect(numbers.contains(number), "\(number)") }
    #expect(numbers.count { $0.magnitude >> 64 == 0 } > 400)
    #expect(numbers.count { $0.magnitude >> 100 != 0 } > 100)
  }

  @Test("shrink towards the given target")
  func target() throws {
    #expect(try Gen<Int128>.integers(in: -100...(1 << 100), towards: 1 << 99).value() == 1 << 99)
    #expect(try Gen<Int128>.integers(in: Int128.min...(-12)).value() == -12)
  }
}

@Suite("Recursive generators")
struct RecursionTests {
  @Test("make leaves, deep values and large ones")
  func variety() throws {
    let trees = try Gallery.tree.samples(500, seed: 3)
    #expect(Set(trees.map(\.depth)) == [0, 1, 2, 3, 4])
    #expect(trees.map(\.branches).max() == 30)
  }

  @Test("give all their values spans of one label, so that a part can replace the whole")
  func hoisting() throws {
    var draws = ChoiceSource(seed: 5)
    let label = SpanKind.recursion.label(Gallery.Tree.self)
    var hoisted = 0
    for _ in 0..<100 {
      draws.begin()
      let whole = try draws.draw(Gallery.tree)
      let choices = draws.choices
      let matches = choices.matches()
      for index in choices.entries.indices where index > 0 && choices.entries[index].value == label {
        guard choices.entries[index].tag == .open else { continue }
        let part = Array(choices.entries[index...matches[index]])
        draws.begin(reading: ChoiceSequence(part))
        #expect(try draws.draw(Gallery.tree).depth < whole.depth)
        let rest = draws.choices.entries
        #expect(rest.map(\.value) == part.map(\.value))
        hoisted += 1
      }
    }
    #expect(hoisted > 100)
  }

  @Test("of depth 0 make leaves only")
  func shallow() throws {
    let generator = Gen<[Int]>.recursive(.just([]), depth: 0) { smaller in smaller.map { $0 + [1] } }
    #expect(try generator.samples(20).allSatisfy(\.isEmpty))
  }
}

@Suite("Weighted choice")
struct WeightedChoiceTests {
  @Test("chooses in proportion to the weights")
  func proportion() throws {
    let generator = Gen<Int>.oneOf(weighted: [(1, .just(0)), (2, .just(1)), (7, .just(2))])
    let chosen = try generator.samples(10_000, seed: 2)
    // Five standard deviations of a binomial count of 10 000.
    #expect(abs(chosen.count { $0 == 0 } - 1000) < 150)
    #expect(abs(chosen.count { $0 == 1 } - 2000) < 200)
  }

  @Test("takes weights up to the largest integer")
  func huge() throws {
    let generator = Gen<Int>.oneOf(weighted: [(.max, .just(0)), (.max, .just(1)), (1, .just(2))])
    #expect(Set(try generator.samples(100, seed: 2)).isSuperset(of: [0, 1]))
  }
}

@Suite("The examples in the documentation compile and behave as described")
struct DocumentedExampleTests {
  @Test("a closure after Gen is the public initialiser, which wraps what it draws in a span")
  func closures() throws {
    let dice = Gen.arrays(of: .integers(in: 1...6), count: 1...5)
    let pair = Gen { draws in
      let low = try draws.draw(.integers(in: 0...100))
      return low...(try draws.draw(.integers(in: low...100)))
    }
    var draws = ChoiceSource(seed: 1)
    #expect((1...5).contains(try draws.draw(dice).count))
    draws.begin()
    let range = try draws.draw(pair)
    #expect(range.upperBound <= 100)
    #expect(draws.choices.entries.first?.tag == .open && draws.choices.choiceCount == 2)
  }
}

@Suite("Texts by a regular expression")
struct PatternTests {
  @Test(
    "match it, with Swift's own engine",
    arguments: [
      #"[A-Z]{1,3}-[A-Z]{1,2} [1-9]\d{0,3}"#, #"(?:GET|POST|DELETE) /(?<path>\w+/?)*\?*"#, #"a|bc?|(d|e){2,}?"#, "",
      #"^[^"\\]*(\\["\\][^"\\]*)*$"#, #"\x41\x{1F600}\.[\]\-a-c]+\s\S\D\W"#, "(|x)+", #"[-+]?\d+(\.\d+)?"#,
    ])
  func matching(_ pattern: String) throws {
    let expression = try Regex(pattern)
    let texts = try Gen<String>.strings(matching: pattern).samples(200)
    for text in texts { #expect(try expression.wholeMatch(in: text) != nil, "\(text.debugDescription)") }
    #expect(pattern.isEmpty || Set(texts).count > 3)
  }

  @Test("shrink towards few repetitions, first alternatives and first characters")
  func simplest() throws {
    #expect(try Gen<String>.strings(matching: #"[b-z]{2,}(cat|dog)\d?"#).value() == "bbcat")
    let report = try search(.strings(matching: "[a-z]+(,[a-z]+)*")) { text in !text.contains(",") }
    #expect(report.counterexample?.arguments == ["\"a,a\""])
  }

  @Test(
    "refuse what is not of the common subset, with the place",
    arguments: [
      ("a(b", 4, "expected ) for the ( at character 2"), ("a)", 2, "')' has no '('; write \\) for the character"),
      ("*a", 1, "'*' repeats nothing; write \\* for the character"), ("a++", 3, "'+' repeats nothing"),
      (#"(a)\1"#, 4, "the escape \\1 is not known"), (#"\bword"#, 1, "the escape \\b is not known"),
      ("(?=a)", 3, "of groups with ?, only (?:…) and (?<name>…) are known"),
      ("[z-a]", 2, "a range is from a character"),
      ("a{3,2}", 2, "a repetition is from a number"), ("a{2000}", 3, "expected a number from 0 to 1000"),
      ("[]", 1, "the class has no characters"), ("[a", 3, "expected ] for the [ at character 1"),
      ("a$b", 2, "write \\$ for the character"), ("[a[b]]", 3, "write \\[ for the character in a class"),
      (#"\xG"#, 1, "expected \\x41 or"),
    ])
  func refused(_ pattern: String, _ position: Int, _ problem: String) throws {
    let error = #expect(throws: Discard.self) { try Gen<String>.strings(matching: pattern).samples(1) }
    let reason = "because strings(matching: \"\(pattern)\"): at character \(position), \(problem)"
    #expect(error?.reason.hasPrefix(reason) == true)
  }
}

@Suite("Drawn functions")
struct FunctionTests {
  @Test("have one result for an argument, and the table is noted with the counterexample")
  func table() throws {
    let functions = Gen<DrawnFunction<Int, Int>>.functions(to: .integers(in: 0...9), named: "weight")
    let held = try search(.arrays(of: Gen<Int>.integers(in: 0...5)), functions) { numbers, weight in
      let sum = numbers.map { weight($0) }.reduce(0, +)
      return sum == numbers.sorted().map { weight($0) }.reduce(0, +)
    }
    #expect(held.isHeld)
    let report = try search(.arrays(of: Gen<Int>.integers(in: 0...5)), functions) { numbers, weight in
      numbers.map { weight($0) } == numbers.map { weight($0) }.sorted()
    }
    let found = try #require(report.counterexample)
    #expect(found.arguments == ["[0, 1]", "a function, as noted for weight"])
    #expect(found.notes == ["weight(0): 1", "weight(1): 0"])
  }
}

@Suite("Generators of Foundation's values")
struct FoundationGeneratorTests {
  @Test("keep their ranges and shrink to the simplest")
  func ranges() throws {
    let prices = try Gen<Decimal>.decimals(in: -1...999.99, digits: 2).samples(500)
    #expect(prices.allSatisfy { $0 >= -1 && $0 <= 999.99 && $0.exponent >= -2 })
    #expect(Set(prices).count > 100 && prices.contains(Decimal(99_999) / 100) && prices.contains { $0.exponent == -2 })
    #expect(throws: Discard.self) { try Gen<Decimal>.decimals(in: 0.001...0.009, digits: 2).samples(1) }
    #expect(throws: Discard.self) { try Gen<Decimal>.decimals(in: 0...1, digits: 39).samples(1) }
    #expect(try Gen<Decimal>.decimals().value() == 0)
    #expect(try Gen<IndexSet>.indexSets(in: 5..<9).samples(100).allSatisfy { $0.allSatisfy((5..<9).contains) })
    #expect(try Gen<IndexSet>.indexSets(in: 5..<5).samples(1) == [IndexSet()])
    let days = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 86_400 * 9)
    let intervals = try Gen<DateInterval>.dateIntervals(in: days, every: .days).samples(200)
    #expect(intervals.allSatisfy { days.contains($0.start) && days.contains($0.end) })
    #expect(Set(intervals.map(\.duration)).count > 5)
    #expect(try Gen<URL>.urls().value().absoluteString == "https://example.org")
    #expect(try Gen<TimeZone>.timeZones().value() == .gmt && Gen<Locale>.locales().value().identifier == "en_US")
    #expect(try Gen<NonFinite>.options(.nan, .infinity).value() == [])
    #expect(Set(try Gen<NonFinite>.options(.nan, .infinity).samples(50)).count == 4)
  }
}
