// SPDX-License-Identifier: Apache-2.0
@testable import PropertyTesting
import Synchronization
import TestSupport
import Testing

@Suite("A shrinker")
struct ShrinkerTests {
  /// What was evaluated, in order, with whether it failed.
  private final class Log: Sendable {
    let cases = Mutex<[(value: [Int], failed: Bool)]>([])

    func note(_ value: [Int], failed: Bool) { cases.withLock { $0.append((value, failed)) } }
  }

  private func check(
    _ generator: Gen<[Int]>, seed: UInt64, limit: Int = 5000, fails: @escaping @Sendable ([Int]) -> Bool
  ) throws -> (report: CheckReport, log: [(value: [Int], failed: Bool)]) {
    let log = Log()
    let settings = CheckSettings(cases: 10_000, seed: seed, shrinkLimit: limit, explains: false)
    let report = try search(generator, settings: settings) { numbers in
      log.note(numbers, failed: fails(numbers))
      try require(!fails(numbers))
    }
    return (report, log.cases.withLock { $0 })
  }

  @Test("evaluates no case twice, and only cases that the generator can make", arguments: 0..<20 as Range<UInt64>)
  func onlyNewCases(seed: UInt64) throws {
    let sorted = Gen.arrays(of: Gen<Int>.integers(in: 0...500), count: 2...12).filter { $0 == $0.sorted() }
    let (report, log) = try check(sorted, seed: seed) { $0.reduce(0, +) > 300 }
    let counterexample = try #require(report.counterexample)
    let first = try #require(log.firstIndex { $0.failed })
    let evaluated = log[first...].map(\.value)
    #expect(evaluated.count == counterexample.evaluations)
    // The case as found and the case as shrunk are run once more to be believed.
    #expect(Set(evaluated).count == evaluated.count - 2)
    #expect(
      evaluated.allSatisfy { $0 == $0.sorted() && (2...12).contains($0.count) && $0.allSatisfy((0...500).contains) })
  }

  @Test(
    "ends with a case that is simpler than or equal to the one found, and fails", arguments: 0..<20 as Range<UInt64>)
  func neverWorse(seed: UInt64) throws {
    let (report, _) = try check(.arrays(of: .integers()), seed: seed) { Set($0).count < $0.count }
    let counterexample = try #require(report.counterexample)
    #expect(!counterexample.original.isSimpler(than: counterexample.choices))
    #expect(counterexample.arguments == ["[0, 0]"])
  }

  @Test("runs the property no more often than its limit", arguments: [1, 2, 7, 30])
  func limit(limit: Int) throws {
    let (report, _) = try check(.arrays(of: .integers()), seed: 3, limit: limit) { $0.count > 3 && $0[2] > 1000 }
    #expect(try #require(report.counterexample).evaluations <= limit + 2)
  }

  @Test("spends few runs on a number that fails from a threshold on", arguments: 1...20 as ClosedRange<UInt64>)
  func threshold(seed: UInt64) throws {
    let (report, _) = try check(Gen<Int>.integers(in: 0...1000).map { [$0] }, seed: seed) { $0[0] >= 500 }
    let counterexample = try #require(report.counterexample)
    #expect(counterexample.arguments == ["[500]"] && counterexample.isShrunk)
    #expect(counterexample.evaluations < 100)
  }

  @Test("keeps to the fault found, even if another one has a simpler case")
  func noSlippage() throws {
    var origins: Set<String> = []
    for seed in 0..<40 as Range<UInt64> {
      let settings = CheckSettings(seed: seed)
      let report = try search(Gen<Int>.integers(in: 0...1000), settings: settings) { number in
        if number > 500 { throw Failure("large", origin: "large") }
        if number > 3 { throw Failure("small", origin: "small") }
      }
      let counterexample = try #require(report.counterexample)
      origins.insert(counterexample.failure.origin)
      #expect(counterexample.arguments == [counterexample.failure.origin == "large" ? "501" : "4"])
    }
    #expect(origins == ["large", "small"])
  }

  @Test("leaves a case unchanged that is already the simplest")
  func alreadySimplest() throws {
    let (report, _) = try check(.arrays(of: .integers()), seed: 1) { _ in true }
    #expect(report.counterexample?.arguments == ["[]"])
  }
}

@Suite("General passes")
struct GeneralMoveTests {
  /// Properties whose failing cases are of several shapes.
  private static let properties: [(name: String, trial: Trial)] = [
    (
      "two numbers",
      Trial(integers(0...1000), integers(0...1000)) { (a: Int, b: Int) -> Bool in
        (a + 2 * b) % 11 != 5 || a < 3
      }
    ),
    (
      "a list",
      Trial(Gen.arrays(of: integers(0...200), count: 0...8)) { (all: [Int]) -> Bool in
        all.reduce(0, +) % 17 != 3 || all.count < 2
      }
    ),
    (
      "two lists",
      Trial(Gen.arrays(of: integers(1...20), count: 0...5), Gen.arrays(of: integers(1...20), count: 0...5)) {
        (one: [Int], other: [Int]) -> Bool in one.count <= other.count || one.reduce(0, +) != other.reduce(0, +)
      }
    ),
    (
      "reals",
      Trial(Gen<Double>.doubles(in: 0...100), Gen<Double>.doubles(in: 0...100)) { (a: Double, b: Double) -> Bool in
        a == a.rounded() || b == 0 || (a + b) * 4 != ((a + b) * 4).rounded()
      }
    ),
    (
      "a checksum",
      Trial(Gen<[UInt8]>.bytes(count: 0...12)) { (bytes: [UInt8]) -> Bool in
        bytes.count < 2 || bytes.dropLast().reduce(0 as UInt8) { $0 &* 3 &+ $1 } | 0xF0 != bytes.last
      }
    ),
    (
      "a tree",
      Trial(Tree.trees(depth: 4)) { (tree: Tree) -> Bool in
        tree.depth < 2 || tree.sum % 9 != 4
      }
    ),
  ]

  @Test("cannot simplify a case that is reported as shrunk", arguments: 0..<6, 1...8 as ClosedRange<UInt64>)
  func locallyMinimal(index: Int, seed: UInt64) throws {
    let trial = Self.properties[index].trial
    let settings = CheckSettings(cases: 100_000, seed: seed, shrinkLimit: 50_000, explains: false)
    let counterexample = try #require(try Checker(trial: trial, settings: settings).run().counterexample)
    #expect(counterexample.isShrunk)
    var draws = ChoiceSource(seed: 1)
    func draw(_ entries: [ChoiceEntry], evaluating: Bool) -> (choices: ChoiceSequence, outcome: CaseOutcome) {
      draws.begin(reading: ChoiceSequence(entries))
      let outcome = trial.attempt(&draws) { _ in evaluating }
      return (draws.choices, outcome)
    }
    var tried = 0
    for move in GeneralMove.allCases {
      for effort in GeneralMove.efforts.prefix(1) {
        let edits = move.edits(of: ChoiceLayout(counterexample.choices), effort: effort) {
          draw($0, evaluating: false).choices
        }
        for edit in edits {
          tried += 1
          let (choices, outcome) = draw(edit.entries, evaluating: true)
          guard case .failed(let failure) = outcome, failure.origin == counterexample.failure.origin else { continue }
          #expect(!choices.isSimpler(than: counterexample.choices), "\(move) leads on")
        }
      }
    }
    #expect(tried > 20)
  }
}

/// A property by what shrinking does to its failing cases, with the one case that it ends with from every seed.
private struct Minimal: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let simplest: String
  let property: Property

  init<each Value>(
    _ name: String, _ simplest: String, _ generators: repeat Gen<each Value>,
    fails: @escaping @Sendable (repeat each Value) -> Bool
  ) {
    (testDescription, self.simplest) = (name, simplest)
    property = Property("p", name, of: repeat each generators) { (values: repeat each Value) in
      try require(!fails(repeat each values))
    }
  }
}

@Suite("Shrinking reaches the simplest case from every seed")
struct MinimalCaseTests {
  private static let reals = Gen<Double>.doubles(in: -1e6...1e6)

  private static let numbers: [Minimal] = [
    Minimal(
      "numbers traded against each other: the first as low as it goes, the last makes up for it", "0, 500, 1000",
      integers(0...1000), integers(0...1000), integers(0...1000)
    ) { (a: Int, b: Int, c: Int) -> Bool in a + b + c >= 1500 },
    Minimal(
      "numbers that must keep their distance are lowered together", "50, 47", integers(1...1000), integers(1...1000)
    ) { (a: Int, b: Int) -> Bool in a >= 50 && abs(a - b) == 3 },
    Minimal("what fails at every seventh number shrinks by sevens", "21", integers(0...100_000)) {
      (number: Int) -> Bool in
      number % 7 == 0 && number >= 20
    },
    Minimal("multiples of a number shrink by that number", "20, 40", integers(1...500), integers(1...10_000)) {
      (one: Int, other: Int) -> Bool in one >= 20 && other > one && other % one == 0
    },
    Minimal("reals become whole where they may", "101.0", reals) { $0 > 100.5 },
    Minimal("reals become whole below zero", "-4.0", reals) { $0 < -3 },
    Minimal("reals become short fractions where they must", "1.5", reals) { $0 > 1 && $0 < 2 },
    Minimal("reals are joined into one", "[1000.0]", Gen.arrays(of: reals)) { $0.reduce(0, +) >= 1000 },
    Minimal("reals keep a short distance", "[0.0, 0.125]", Gen.arrays(of: Gen<Double>.doubles(in: 0...1000))) {
      (numbers: [Double]) -> Bool in
      Swift.zip(numbers, numbers.dropFirst()).contains { $0 != $1 && abs($0 - $1) < 0.25 }
    },
    Minimal(
      "a range follows its lower bound through flatMap", "[6, 16]",
      integers(0...1000).flatMap { low in Gen.integers(in: low...2000).map { [low, $0] } }
    ) { (range: [Int]) -> Bool in range[0] > 5 && range[1] - range[0] >= 10 },
  ]

  private static let collections: [Minimal] = [
    Minimal(
      "equal elements are lowered together", "[(0, 1), (0, 1), (0, 1)]",
      Gen.arrays(of: zip(integers(0...1000), integers(1...100)))
    ) { (all: [(Int, Int)]) -> Bool in
      all.contains { one in all.count { $0.0 <= one.0 && one.0 < $0.0 + $0.1 } >= 3 }
    },
    Minimal(
      "a length drawn first shrinks with both lists that it governs", "([101], [101])",
      integers(1...50).flatMap { count in
        zip(Gen.arrays(of: integers(0...200), count: count), Gen.arrays(of: integers(0...200), count: count))
      }
    ) { (lists: ([Int], [Int])) -> Bool in
      lists.0.indices.contains { lists.0[$0] == lists.1[$0] && lists.0[$0] > 100 }
    },
    Minimal(
      "rows and columns shrink to the smallest table that keeps its corner", "[[2, 2], [0, 0, 0, 1]]",
      Gen<[[Int]]>({ draws in
        let (rows, columns) = (try draws.draw(integers(1...6)), try draws.draw(integers(1...6)))
        return [[rows, columns], try draws.draw(Gen.arrays(of: integers(0...9), count: rows * columns))]
      })
    ) { (table: [[Int]]) -> Bool in table[0][0] > 1 && table[0][1] > 1 && (table[1].last ?? 0) > 0 },
    Minimal(
      "a square table loses a row and the column of the same place together", "[[0, 0], [1, 5]]",
      integers(0...6).flatMap { size in
        Gen.arrays(of: Gen.arrays(of: integers(-100...100), count: size), count: size)
      }
    ) { (table: [[Int]]) -> Bool in
      let isSymmetric = table.indices.allSatisfy { row in
        table.indices.allSatisfy { table[row][$0] == table[$0][row] }
      }
      return !isSymmetric && table.indices.reduce(0) { $0 + table[$1][$1] } >= 5
    },
    Minimal(
      "names are the first ones, in the order of their use", "[(0, 1), (1, 2), (2, 0)]",
      Gen.arrays(of: zip(integers(0...6), integers(0...6)))
    ) { (edges: [(Int, Int)]) -> Bool in
      edges.contains { one in
        edges.contains { two in
          let isPath = one.1 == two.0 && Set([one.0, one.1, two.1]).count == 3
          return isPath && edges.contains { $0.0 == two.1 && $0.1 == one.0 }
        }
      }
    },
    Minimal(
      "elements are joined into as few as there can be", "[1, 99, 100]",
      Gen.arrays(of: integers(1...100)).filter { Set($0).count == $0.count }
    ) { (numbers: [Int]) -> Bool in numbers.reduce(0, +) == 200 },
    Minimal("a rising list rises by ones from zero", "[0, 1, 2, 3]", Gen.arrays(of: integers(0...1000))) {
      (all: [Int]) -> Bool in all.count >= 4 && Swift.zip(all, all.dropFirst()).allSatisfy { $0 < $1 }
    },
    Minimal("strings keep only the characters that matter", "\"aaab\"", Gen.strings(of: .letters)) {
      (text: String) -> Bool in text.count > 3 && text.contains("b")
    },
    Minimal("a tree becomes its smallest branch of that depth", "(0 (0 (0 (0 10))))", Tree.trees(depth: 6)) {
      (tree: Tree) -> Bool in tree.depth >= 4 && tree.sum >= 10
    },
  ]

  @Test("so that", arguments: numbers + collections)
  private func minimal(_ one: Minimal) throws {
    for seed in 0..<30 as Range<UInt64> {
      let report = try one.property.check(CheckSettings(cases: 100_000, seed: seed))
      #expect(report.counterexample?.arguments.joined(separator: ", ") == one.simplest, "seed \(seed)")
    }
  }

  @Test(
    "numbers that hold each other up by their ratio come down all the way, and not by single steps",
    arguments: 0..<30 as Range<UInt64>)
  func steps(seed: UInt64) throws {
    let number = integers(1...100_000_000)
    let settings = CheckSettings(cases: 100_000, seed: seed, shrinkLimit: 400)
    let report = try search(number, number, settings: settings) { whole, part in
      part >= whole || part * 10_000 / whole != 9_999
    }
    #expect(report.counterexample?.arguments == ["10000", "9999"])
  }
}

private func integers(_ range: ClosedRange<Int>) -> Gen<Int> { .integers(in: range) }

/// A binary tree with numbers at its leaves.
private indirect enum Tree: Sendable, CustomDebugStringConvertible {
  case leaf(Int)
  case node(Tree, Tree)

  static func trees(depth: Int) -> Gen<Tree> {
    let leaves = Gen<Int>.integers(in: 0...100).map { Tree.leaf($0) }
    if depth == 0 { return leaves }
    return .oneOf(
      leaves,
      Gen { draws in
        let left = try draws.draw(trees(depth: depth - 1))
        return .node(left, try draws.draw(trees(depth: depth - 1)))
      })
  }

  var depth: Int {
    if case .node(let left, let right) = self { 1 + max(left.depth, right.depth) } else { 0 }
  }

  var sum: Int {
    switch self {
    case .leaf(let value): value
    case .node(let left, let right): left.sum + right.sum
    }
  }

  var debugDescription: String {
    switch self {
    case .leaf(let value): "\(value)"
    case .node(let left, let right): "(\(left.debugDescription) \(right.debugDescription))"
    }
  }
}

@Suite("A generator that does not depend on its choices alone")
struct CapriciousGeneratorTests {
  /// Decides by what it was asked before, which no generator should.
  private final class Whim: Sendable {
    private let chance: Mutex<SplitMix64>

    init(_ seed: UInt64) { chance = Mutex(SplitMix64(seed: seed)) }

    func next(below bound: Int) -> Int { chance.withLock { Int.random(in: 0..<bound, using: &$0) } }
  }

  private indirect enum Tree: Sendable {
    case leaf(Int)
    case node([Tree])

    var sum: Int {
      switch self {
      case .leaf(let value): value
      case .node(let trees): trees.reduce(0) { $0 &+ $1.sum }
      }
    }
  }

  private static func trees(_ whim: Whim, depth: Int) -> Gen<Tree> {
    Gen<Tree>({ draws in
      if depth == 0 || whim.next(below: 3) == 0 {
        return .leaf(try draws.draw(.integers(in: 0...(10 + whim.next(below: 50)))))
      }
      if whim.next(below: 5) == 0 { _ = try draws.draw(.doubles()) }
      let count = whim.next(below: 4)
      return .node(try draws.draw(.arrays(of: trees(whim, depth: depth - 1), count: 0...count)))
    })
  }

  @Test("is reported, as flaky or with a case, and never ends the process", arguments: 0..<60 as Range<UInt64>)
  func survives(seed: UInt64) throws {
    let whim = Whim(seed)
    let settings = CheckSettings(cases: 2000, seed: seed, shrinkLimit: 2000)
    let report = try search(Gen.arrays(of: Self.trees(whim, depth: 4)), .integers(in: 0...9), settings: settings) {
      trees, digit in
      try require(trees.reduce(0) { $0 &+ $1.sum } + digit < 60, "large")
    }
    #expect(report.outcome != .held)
  }
}
