// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTesting
import Synchronization
import Testing

@Suite("A report")
struct CheckReportTests {
  private let property = Property(
    "test.week", "Nobody scores in many weeks", arguments: ["points", "weeks"], Gen.integers(in: 0...500),
    Gen.integers(in: 1...52)
  ) { points, weeks in
    label("late", when: weeks > 40)
    classify("hundreds", by: points / 100)
    cover("early", weeks < 27, atLeast: 0.4)
    note("\(points) points")
    try require(points < 300, "too many")
  }

  @Test("shows the counterexample first, and how to reproduce it")
  func falsified() throws {
    let report = try property.check(in: CheckEnvironment(clock: nil))
    let counterexample = try #require(report.counterexample)
    let lines = report.text(for: property, replay: "assay properties replay abc").split(separator: "\n").map(
      String.init)
    #expect(lines[0] == "test.week  Nobody scores in many weeks")
    #expect(lines[1].hasPrefix("false, found in case \(counterexample.casesUntilFound)"))
    #expect(lines[2] == "  points: 300")
    #expect(lines[3] == "  weeks: 1")
    #expect(lines[4] == "  failure: too many")
    #expect(lines[5].hasPrefix("  at PropertyTestingTests/ReportTests.swift:"))
    #expect(lines[6] == "  note: 300 points")
    #expect(lines[7] == "  weeks can be anything: 20 other cases fail alike")
    let runs = "\(counterexample.evaluations) runs to shrink it, \(counterexample.explainEvaluations) to explain it"
    #expect(lines[8] == "  \(runs)")
    #expect(lines[9] == "  replay: assay properties replay abc")
  }

  @Test("of a property that holds shows what was tested")
  func held() throws {
    let property = Property("test.coin", "Coins land", Gen.booleans(), Gen.integers(in: 0...1)) { isHeads, number in
      try assume(number == 0 || isHeads)
      label("heads", when: isHeads)
      // Without its default argument, whose code the instrumented tests share in a debug build.
      label("all", when: true)
      classify("side", by: isHeads ? "head" : "tail")
      cover("tails", !isHeads, atLeast: 0.1)
      target(isHeads ? 2.5 : 0, "luck")
    }
    let settings = CheckSettings(cases: 1000)
    let report = try property.check(settings, in: CheckEnvironment(clock: nil))
    #expect(
      report.text(for: property) == """
        test.coin  Coins land
        1000 random cases passed (discarded: \(report.discarded) by an assumption); that is no proof
          tails \(share(report, "tail")) (at least 10% claimed: holds at 99.9% after \
        \(report.coverage[0].decidedAfter ?? 0) cases)
          highest luck: 2.5
          labels
            all    100.0%
            heads   \(share(report, "head"))
          side
            head   \(share(report, "head"))
            tail   \(share(report, "tail"))
        """)
  }

  private func share(_ report: CheckReport, _ side: String) -> String {
    let count = report.tables[0].rows.first { $0.name == side }?.count ?? 0
    return "\(count / 10).\(count % 10)%"
  }

  @Test("summarises the rows of a table that are too many to show")
  func manyRows() throws {
    let report = try search(Gen.integers(in: 0...999)) { classify("number", by: $0 % 50) }
    let lines = report.text().split(separator: "\n")
    #expect(lines.count == 23)
    #expect(lines.last?.hasPrefix("    … and ") == true)
  }

  @Test("writes shares with the decimals they need")
  func percent() {
    #expect(Percentage.text(1, of: 3) == "33.3%")
    #expect(Percentage.text(2, of: 3) == "66.7%")
    #expect(Percentage.text(0, of: 0) == "0.0%")
    #expect(Percentage.text(0.999) == "99.9%")
    #expect(Percentage.text(0.1) == "10%")
    #expect(Percentage.text(0.999999) == "99.9999%")
  }
}

@Suite("A value is shown")
struct ValueOutlineTests {
  struct Team: Sendable {
    var name: String
    var points: Double
    var streak: Streak?
  }

  enum Streak: Sendable {
    case none
    case wins(Int)
    case mixed(wins: Int, losses: Int)
  }

  struct Points: CustomStringConvertible {
    let thousandths: Int
    var description: String { "\(thousandths / 1000) points" }
  }

  class Animal { let legs = 4 }
  final class Dog: Animal { let name = "Rex" }
  final class Loop { var next: Loop? }

  private func shown(_ value: Any) -> String { ValueOutline(value).text() }

  @Test("in Swift's notation, without the names of modules")
  func notation() {
    #expect(shown(3) == "3")
    #expect(shown(-0.5) == "-0.5")
    #expect(shown(true) == "true")
    #expect(shown([1, 2]) == "[1, 2]")
    #expect(shown([Int]()) == "[]")
    #expect(shown((1, name: "a")) == "(1, name: \"a\")")
    #expect(shown(0..<3) == "0..<3")
    #expect(shown([1, 2, 3][1...]) == "[2, 3]")
    #expect(shown(Team(name: "a", points: 1.5, streak: nil)) == "Team(name: \"a\", points: 1.5, streak: nil)")
    #expect(shown(Streak.none) == ".none")
    #expect(shown(Streak.wins(2)) == ".wins(2)")
    #expect(shown(Streak.mixed(wins: 2, losses: 1)) == ".mixed(wins: 2, losses: 1)")
    #expect(shown(Int?.some(4) as Any) == "4")
    #expect(shown([Int?.none, 2]) == "[nil, 2]")
    #expect(shown(Dog()) == "Dog(legs: 4, name: \"Rex\")")
  }

  @Test("as it describes itself, if it does")
  func own() {
    #expect(shown(Points(thousandths: 2000)) == "2 points")
    #expect(shown([Points(thousandths: 2000)]) == "[2 points]")
  }

  @Test("with its stored properties after its own description, in search and where that is asked for")
  func ownAndParts() throws {
    func shown(_ value: Any) -> String { ValueOutline(value, showsParts: true).text() }
    #expect(shown([Points(thousandths: 2500)]) == "[2 points = Points(thousandths: 2500)]")
    #expect(shown((1.5, 0..<3, "a", Decimal(2), Streak.wins(1))) == "(1.5, 0..<3, \"a\", 2, .wins(1))")
    let points = Gen.integers(in: 0...9999).map(Points.init(thousandths:))
    let found = try #require(search(points) { $0.thousandths < 2345 }.counterexample)
    #expect(found.arguments == ["2 points = Points(thousandths: 2345)"])
    let drawn = try search(Gen.just(0)) { _ in try require(try draw(points).thousandths < 2345) }
    #expect(drawn.counterexample?.notes == ["draw 1: 2 points = Points(thousandths: 2345)"])
  }

  @Test("as an expression that makes it: bytes, dates with their fraction, optionals in optionals")
  func expressions() {
    #expect(shown(Data([0, 255])) == "Data([0, 255])" && shown(Data()) == "Data([])")
    let later = Date(timeIntervalSince1970: 946_684_800.001)
    #expect(shown(later) == "Date(timeIntervalSince1970: 946684800.001) /* 2000-01-01 00:00:00.001 +0000 */")
    #expect(shown(Date(timeIntervalSince1970: -1)) == "Date(timeIntervalSince1970: -1) /* 1969-12-31 23:59:59 +0000 */")
    // So near to 2001 that the distance from 1970 cannot say it.
    #expect(
      shown(Date(timeIntervalSinceReferenceDate: 1e-12)) == "Date(timeIntervalSinceReferenceDate: 1e-12)")
    #expect(
      shown(UUID(uuidString: "00000000-0000-0000-0000-000000000000") ?? UUID())
        == "UUID(uuidString: \"00000000-0000-0000-0000-000000000000\")!")
    #expect(shown([0, -Double.infinity, .nan]) == "[0.0, -.infinity, .nan]")
    let nested: [Int??] = [.none, .some(nil), 3]
    let deeper: [Int???] = [.some(nil), .some(.some(nil)), 3]
    #expect(shown(nested) == "[nil, .some(nil), 3]" && shown(deeper) == "[.some(nil), .some(.some(nil)), 3]")
    let function: @Sendable (Int) -> Int = { $0 }
    #expect(shown(function).hasPrefix("a value of type @Sendable (Int) ->"))
  }

  @Test("with many equal elements in a row as one")
  func runs() {
    #expect(shown([1] + Array(repeating: 0, count: 101) + [2, 2]) == "[1, 101 × 0, 2, 2]")
    #expect(shown(Data(count: 30)) == "Data([30 × 0])")
    let teams = Array(repeating: Team(name: "Tigers and other cats", points: 99, streak: nil), count: 25)
    #expect(shown(teams) == "[25 × Team(name: \"Tigers and other cats\", points: 99.0, streak: nil)]")
  }

  @Test("in an order that does not depend on hashing")
  func unordered() {
    #expect(shown(Set(["b", "a", "c"])) == "Set([\"a\", \"b\", \"c\"])")
    #expect(shown(["b": 1, "a": 2]) == "[\"a\": 2, \"b\": 1]")
    #expect(shown([String: Int]()) == "[:]")
  }

  @Test("as text in quotes, with invisible characters as escapes")
  func text() {
    #expect(shown("a\"b\\c\n\t\r\0") == #""a\"b\\c\n\t\r\0""#)
    #expect(shown("\u{200B}\u{202E}\u{7F}\u{A0}\u{301}e") == #""\u{200B}\u{202E}\u{7F}\u{A0}\u{301}e""#)
    #expect(shown("e\u{301} or é") == #""e\u{301} or é""#)
    #expect(shown("😀 ß 字") == "\"😀 ß 字\"")
    #expect(shown(Character("x")) == "\"x\"")
    #expect(shown("abc".dropFirst()) == "\"bc\"")
    #expect(shown(Unicode.Scalar(UInt8(7))) == #""\u{7}""#)
  }

  @Test("one element a line when it does not fit on one")
  func lines() {
    let teams = [
      Team(name: "Lions", points: 101.25, streak: .wins(3)),
      Team(name: "Tigers and other cats", points: 99, streak: nil),
    ]
    #expect(
      shown(teams) == """
        [
          Team(name: "Lions", points: 101.25, streak: .wins(3)),
          Team(name: "Tigers and other cats", points: 99.0, streak: nil)
        ]
        """)
  }

  @Test("truncated if it contains itself or is huge")
  func limits() {
    let loop = Loop()
    loop.next = loop
    #expect(shown(loop).contains("…"))
    #expect(shown(Array(0..<5000)).hasSuffix("  … 4000 more\n]"))
    loop.next = nil
  }

  @Test("so that two values differ in the smallest different part")
  func difference() {
    let first = [Team(name: "a", points: 1, streak: nil), Team(name: "b", points: 2, streak: nil)]
    var second = first
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == nil)
    second[1].name = "c"
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == ["[1]", ".name"])
    second[1].points = 3
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == ["[1]"])
    second.removeLast()
    #expect(ValueOutline(first).difference(from: ValueOutline(second)) == [])
  }
}

@Suite("The explanation of a counterexample")
struct ExplainerTests {
  struct Team: Sendable {
    let name: String
    let points: Int
  }

  struct Score: Sendable, CustomStringConvertible {
    let name: String
    let points: Int
    var description: String { "\(name) \(points)" }
  }

  private static let team = Gen<Team>({ draws in
    Team(
      name: String(try draws.draw(.arrays(of: .elements(of: Array("abc")), count: 1...5))),
      points: try draws.draw(.integers(in: 0...1000)))
  })

  private static let score = Gen<Score>({ draws in
    let name = try draws.draw(.elements(of: ["a", "b", "c"]))
    return Score(name: name, points: try draws.draw(.integers(in: 0...1000)))
  })

  /// Properties whose names say what is explained, with the sentences.
  private static let explained: [(property: Property, sentences: [String])] = [
    (
      Property(
        "x", "the argument that does not matter", arguments: ["points", "weeks"], Gen.integers(in: 0...100),
        Gen.integers(in: 1...52)
      ) { (points: Int, _: Int) -> Bool in points < 40 },
      ["weeks can be anything: 20 other cases fail alike"]
    ),
    (
      Property("x", "an argument without a name", Gen.integers(in: 0...100), Gen.booleans()) {
        (points: Int, _: Bool) -> Bool in points < 40
      },
      ["argument 2 can be anything: the 1 other case tried fails alike"]
    ),
    (
      Property("x", "nothing of a part that shows nowhere: the whole matters", score) { $0.points < 900 },
      []
    ),
    (
      Property(
        "x", "the field of the element of an array", arguments: ["teams"], .arrays(of: team, count: 0...6)
      ) { (teams: [Team]) -> Bool in teams.count { $0.points > 700 } < 2 },
      [
        "teams[0].name can be anything: 20 other cases fail alike",
        "teams[1].name can be anything: 20 other cases fail alike",
        "and all of these at the same time: 20 other cases fail alike",
      ]
    ),
    (
      Property(
        "x", "nothing where everything matters, or cannot be anything else", Gen.integers(in: 0...100),
        Gen.integers(in: 0...100), Gen.integers(in: 7...7), Gen.just(8)
      ) { (left: Int, right: Int, _: Int, _: Int) -> Bool in left + right < 195 },
      []
    ),
    (
      Property(
        "x", "the right argument when one draws nothing", Gen.just("x"), Gen.integers(in: 0...100),
        Gen.integers(in: 1...52)
      ) { (_: String, points: Int, _: Int) -> Bool in points < 40 },
      ["argument 3 can be anything: 20 other cases fail alike"]
    ),
    (
      // Each may be anything while the other is 0, but not both. The third makes room for enough tries.
      Property(
        "x", "of parts that do not matter one at a time those that may change together", Gen.integers(in: 0...9),
        Gen.integers(in: 0...9), Gen.integers(in: 0...1_000_000)
      ) { (a: Int, b: Int, c: Int) -> Bool in a != 0 && b != 0 || c < 777_777 },
      ["argument 1 can be anything: 9 other cases fail alike"]
    ),
    (
      Property("x", "no element that has to differ from another", Gen.arrays(of: Gen<Int>.integers())) {
        (numbers: [Int]) -> Bool in numbers.reversed() == numbers
      },
      []
    ),
  ]

  @Test("names", arguments: explained.map(\.property.sentence))
  func irrelevant(sentence: String) throws {
    let (property, sentences) = try #require(Self.explained.first { $0.property.sentence == sentence })
    let report = try property.check(CheckSettings(cases: 1000))
    #expect(try #require(report.counterexample).irrelevant == sentences)
  }

  @Test("costs runs that are counted separately, and can be switched off")
  func cost() throws {
    func check(_ explains: Bool) throws -> (Counterexample, runs: Int) {
      let runs = Mutex(0)
      let settings = CheckSettings(cases: 1000, explains: explains)
      let report = try search(Gen.integers(in: 0...100), Gen.booleans(), settings: settings) { number, _ in
        runs.withLock { $0 += 1 }
        try require(number < 50)
      }
      return (try #require(report.counterexample), runs.withLock { $0 })
    }
    let (with, without) = (try check(true), try check(false))
    #expect(with.0.evaluations == without.0.evaluations)
    #expect(without.0.explainEvaluations == 0)
    #expect(without.0.irrelevant.isEmpty)
    #expect(with.0.explainEvaluations > 0)
    #expect(with.runs - without.runs == with.0.explainEvaluations)
  }

  @Test(
    "costs no more runs than shrinking, and counts those alone in which the body ran",
    arguments: 0..<10 as Range<UInt64>)
  func budget(seed: UInt64) throws {
    let odd = Gen.integers(in: 0...1000).filter(attempts: 1) { $0 % 2 == 1 }
    let lists = Gen.arrays(of: odd, count: 0...4)
    let settings = CheckSettings(cases: 500, seed: seed, discardRatio: 100)
    let runs = Mutex(0)
    let report = try search(lists, Gen.integers(in: 0...50), settings: settings) { numbers, _ in
      runs.withLock { $0 += 1 }
      try require(numbers.count < 2)
    }
    let found = try #require(report.counterexample)
    #expect(found.explainEvaluations <= found.evaluations)
    #expect(runs.withLock { $0 } == found.casesUntilFound - 1 + found.evaluations + found.explainEvaluations)
  }
}
