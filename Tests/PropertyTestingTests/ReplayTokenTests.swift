// SPDX-License-Identifier: Apache-2.0
@testable import PropertyTesting
import SeededWords
import Testing

@Suite("A replay token")
struct ReplayTokenTests {
  private static let teams = Gen.arrays(
    of: zip(Gen<Int16>.integers(), Gen<UInt8>.integers(in: 3...200), Gen<UInt64>.integers(), Gen.booleans()),
    count: 0...12)
  private static let mixed = Gen.oneOf(
    teams.map { $0.count }, Gen<Int>.integers(in: -5_000_000...70).flatMap { Gen.integers(in: $0...100) },
    Gen<Int>({ draws in Int(try draws.word() >> 8) }))

  /// Tapes of many shapes.
  private static func sequences(_ count: Int) throws -> [ChoiceSequence] {
    var draws = ChoiceSource(seed: 7)
    return (0..<count).map { _ in
      draws.begin()
      _ = try? draws.draw(zip(mixed, teams, mixed))
      return draws.choices
    }
  }

  @Test("reads back as the same choices, and prints as the same word")
  func roundTrip() throws {
    for choices in try Self.sequences(500) {
      let token = ReplayToken(property: "league.3", choices: choices)
      let again = try ReplayToken(parsing: " \(token)\n")
      let isEqual = again == token
      #expect(isEqual, "\(token)")
      #expect("\(again)" == "\(token)")
      let isSame = again.choices.entries.filter(\.tag.isChoice) == choices.entries.filter(\.tag.isChoice)
      #expect(isSame, "\(token)")
    }
  }

  @Test("of a list of two integers has at most fifty letters, none with a meaning in a shell or a URL")
  func short() throws {
    let report = try search(Gen.arrays(of: Gen<Int>.integers())) { try require($0.reversed() == $0) }
    let found = try #require(report.counterexample)
    let text = "\(ReplayToken(property: "lists.1", choices: found.choices))"
    #expect(text.count <= 50)
    #expect(text.wholeMatch(of: /lists\.1:1:[A-Za-z0-9_-]+/) != nil)
  }

  @Test(
    "names its property, whatever letters the id has",
    arguments: ["league.3", "a b:c", "..", "über/100%", "%41", "\u{0}\n", "名前"])
  func ids(id: String) throws {
    let text = "\(ReplayToken(property: id, choices: ChoiceSequence()))"
    #expect(text.allSatisfy { $0.isASCII && !$0.isWhitespace && $0 != "/" })
    #expect(try ReplayToken(parsing: text).property == id)
  }

  @Test("holds unsigned and signed integers of every size")
  func extremes() throws {
    let ranges: [ClosedRange<UInt64>] = [
      0...0, 0 ... .max, 1...127, 0...128, 0...255, 5...70_000, .max - 3 ... .max, 1 << 63 - 1...1 << 63 + 1,
    ]
    for range in ranges {
      for target in Set([range.lowerBound, range.upperBound, range.lowerBound / 2 + range.upperBound / 2]) {
        let entries = [range.lowerBound, range.upperBound, target].map {
          ChoiceEntry(tag: .integer, value: $0, lower: range.lowerBound, upper: range.upperBound, target: target)
        }
        let token = ReplayToken(property: "p", choices: ChoiceSequence(entries))
        #expect(try ReplayToken(parsing: "\(token)").choices == ChoiceSequence(entries))
      }
    }
  }

  @Test(
    "says what is wrong with a text that is none",
    arguments: [
      ("", "replay token: found '', expected PROPERTY:1:LETTERS on one line, as a failure prints it."),
      ("league.3", "replay token: found 'league.3', expected PROPERTY:1:LETTERS"),
      ("league.3:1:a b", "is damaged"),
      ("league.3:one:AA", "replay token: found 'league.3:one:AA'"),
      ("a:b:1:AA", "replay token: found 'a:b:1:AA'"),
      ("league.3:2:AA", "replay token of 'league.3': found format version 2, expected 1; find the failure again"),
      ("league.3:1:AAAA", "replay token of 'league.3': 'league.3:1:AAAA' is damaged"),
      ("le%zzague:1:AAAA", "replay token: found 'le%zzague:1:AAAA'"),
    ])
  func wrong(text: String, problem: String) {
    let error = #expect(throws: ReplayError.self) { try ReplayToken(parsing: text) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test("of another property is refused with both names")
  func otherProperty() {
    let token = ReplayToken(property: "league.3", choices: ChoiceSequence())
    let property = Property("league.2", "Anything", Gen<Int>.integers()) { _ in }
    let error = #expect(throws: ReplayError.otherProperty(token: "league.3", property: "league.2")) {
      try property.replay(token)
    }
    #expect(error?.description.contains("found one of 'league.3', expected one of 'league.2'") == true)
  }

  @Test("with a letter changed, lost or doubled is always refused")
  func mutated() throws {
    var words = MersenneTwister(seed: 3)
    for choices in try Self.sequences(60) {
      let text = "\(ReplayToken(property: "p", choices: choices))"
      for _ in 0..<40 {
        var letters = Array(text)
        let index = 4 + Int(words.below(UInt32(letters.count - 4)))
        switch words.below(3) {
        case 0: letters.remove(at: index)
        case 1: letters.insert(letters[index], at: index)
        default: letters[index] = letters[index] == "A" ? "B" : "A"
        }
        if String(letters) == text { continue }
        #expect(throws: ReplayError.self) { try ReplayToken(parsing: String(letters)) }
      }
    }
  }

  @Test("of random bytes is a valid tape or refused")
  func randomBytes() throws {
    var words = MersenneTwister(seed: 11)
    var (sequences, longest) = (0, 0)
    for round in 0..<20_000 {
      let bound: UInt32 = round % 2 == 0 ? 256 : 6
      let bytes = (0..<Int(words.below(60))).map { _ in UInt8(words.below(bound)) }
      guard let choices = ChoiceCoding.decode(bytes) else { continue }
      sequences += 1
      longest = max(longest, choices.entries.count)
      #expect(choices.entries.filter { $0.tag == .open }.count == choices.entries.filter { $0.tag == .close }.count)
      #expect(choices.entries.allSatisfy { !$0.tag.isChoice || ($0.allows($0.value) && $0.allows($0.target)) })
      #expect(ChoiceCoding.decode(ChoiceCoding.encode(choices)) == choices)
    }
    #expect(sequences > 100 && longest > 5 && longest <= 120)
    #expect(ChoiceCoding.decode([0] + Array(repeating: 1, count: ChoiceSource.capacity)) == nil)
    #expect(ChoiceCoding.decode([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]) == nil)
  }
}

@Suite("A replay")
struct ReplayTests {
  private static func property(_ range: ClosedRange<Int>, limit: Int, _ assumption: Int = .max) -> Property {
    Property("p", "Numbers are small", Gen.arrays(of: .integers(in: range), count: 0...5)) { numbers in
      try assume(numbers.allSatisfy { $0 < assumption })
      try require(numbers.allSatisfy { $0 < limit }, "one is large")
    }
  }

  private static func token() throws -> ReplayToken {
    let found = try #require(try property(0...100, limit: 50).check().counterexample)
    return ReplayToken(property: "p", choices: found.choices)
  }

  @Test("fails again with the same arguments")
  func fails() throws {
    guard case .failed(let failure, let arguments, _) = try Self.property(0...100, limit: 50).replay(Self.token())
    else {
      Issue.record("it does not fail")
      return
    }
    #expect(failure.message == "one is large")
    #expect(arguments == ["[50]"])
  }

  @Test("passes after the code is fixed")
  func passes() throws {
    #expect(try Self.property(0...100, limit: 200).replay(Self.token()) == .passed)
  }

  @Test("is discarded after the property assumes otherwise")
  func excluded() throws {
    #expect(try Self.property(0...100, limit: 50, 50).replay(Self.token()) == .excluded)
  }

  @Test(
    "is stale, and not evaluated, once the generator asks for other choices", arguments: [0...99, 1...100, 0...1000])
  func stale(range: ClosedRange<Int>) throws {
    #expect(try Self.property(range, limit: 50).replay(Self.token()) == .stale)
    let lists = Gen.arrays(of: Gen<Int>.integers(in: 0...100), count: 0...5)
    let wider = Property("p", "A list and a side", lists, Gen.booleans()) { _, _ in try require(false) }
    #expect(try wider.replay(Self.token()) == .stale)
  }
}
