// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonteCarlo
import PropertyTesting
import Synchronization
import Testing

@Suite("A check")
struct CheckerTests {
  private let numbers = Gen.integers(in: 0...1_000_000)

  private func settings(cases: Int, jobs: Int = 1, seed: UInt64 = 1) -> CheckSettings {
    CheckSettings(cases: cases, jobs: jobs, seed: seed)
  }

  @Test(
    "says the same at any number of jobs, however it searches: labels, discards, what the body draws, every fault",
    arguments: SearchMode.allCases, [900_000_000_000, 4_000_000_000_000])
  func jobs(search: SearchMode, limit: Int) throws {
    let property = Property("test.jobs", "Products stay small", numbers, numbers) { left, right in
      try assume(left % 3 != 0)
      label("even", when: left % 2 == 0)
      classify("last digit", by: right % 10)
      cover("large", left > 500_000, atLeast: 0.3)
      target(Double(right))
      let factor = try draw(Gen<Int>.integers(in: 1...3))
      try require(left * factor < limit / 333_333, "it is large")
      try require(left * right * factor < limit, "the product is large")
    }
    for seed in 0..<3 as Range<UInt64> {
      var reports: Set<CheckReport> = []
      for jobs in [1, 3, 8] {
        let settings = CheckSettings(cases: 30_000, jobs: jobs, seed: seed, search: search, failures: 3)
        var report = try property.check(settings, in: CheckEnvironment(clock: nil))
        #expect(report.settings.jobs == jobs)
        report.settings.jobs = 1
        reports.insert(report)
      }
      #expect(reports.count == 1 && (reports.first?.counterexample == nil) == (limit > 3_000_000_000_000))
    }
  }

  @Test("begins with the cases of a shorter check", arguments: [1, 99, 100, 101, 950, 1000, 1001, 2500])
  func prefix(cases: Int) throws {
    func drawn(_ cases: Int) throws -> [Int] {
      let seen = Mutex<[Int]>([])
      let report = try search(numbers, settings: settings(cases: cases)) { number in
        seen.withLock { $0.append(number) }
      }
      #expect(report.passed == cases)
      return seen.withLock { $0 }
    }
    let longer = try drawn(3000)
    #expect(try drawn(cases) == Array(longer.prefix(cases)))
    #expect(longer.count == 3000)
  }

  @Test("counts the cases up to the failure, across blocks")
  func position() throws {
    let seen = Mutex(0)
    let report = try search(numbers, settings: settings(cases: 50_000, seed: 5)) { number in
      seen.withLock { $0 += 1 }
      if seen.withLock({ $0 == 2345 }) { throw Failure("the 2345th", origin: "here") }
    }
    guard case .flaky(let flake) = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(flake.casesUntilFound == 2345)
    #expect(report.passed == 2344)
  }

  @Test("ends between two cases when its time is up, and reports that")
  func time() throws {
    var settings = settings(cases: 1_000_000)
    settings.timeLimit = .nanoseconds(1)
    let report = try search(numbers, settings: settings) { _ in }
    #expect(report.ending == .deadline)
    #expect(report.passed == 1)
    #expect(report.summary == "1 random case passed; the time limit ended the search before 1000000; that is no proof")
  }

  @Test("runs a failure again when its time is up, but neither shrinks nor explains it")
  func timeOfShrinking() throws {
    var settings = settings(cases: 1000)
    let runs = Mutex(0)
    let numbers = Gen.arrays(of: Gen<Int>.integers(), count: 5...20)
    func counterexample() throws -> Counterexample {
      let report = try search(numbers, settings: settings) { _ in
        runs.withLock { $0 += 1 }
        throw Failure("always", origin: "here")
      }
      return try #require(report.counterexample)
    }
    let whole = try counterexample()
    #expect(whole.isShrunk && whole.arguments == ["[0, 0, 0, 0, 0]"])
    runs.withLock { $0 = 0 }
    settings.timeLimit = .nanoseconds(1)
    let cut = try counterexample()
    #expect(!cut.isShrunk && cut.choices == cut.original && cut.explainEvaluations == 0)
    #expect(cut.evaluations == 3 && runs.withLock { $0 } == 3, "as found, and twice again")
    settings.timeLimit = nil
    settings.shrinkLimit = 4
    let limited = try search(numbers, settings: settings) { numbers in
      if numbers.contains(where: { $0 > 1000 }) { throw Failure("large", origin: "here") }
    }
    #expect(try !#require(limited.counterexample).isShrunk)
  }

  @Test("a case without time left is not counted as passed")
  func timeWithoutCases() throws {
    var settings = settings(cases: 1000)
    settings.timeLimit = .nanoseconds(1)
    let report = try search(numbers, settings: settings) { _ in try assume(false) }
    #expect(!report.isHeld && report.passed == 0)
    #expect(
      report.summary == "no case passed (discarded: 1 by an assumption); the time limit ended the search before 1000")
  }

  @Test("accepts a Bool as the verdict, ignores other results, and refuses a Bool that may be nil")
  func results() throws {
    #expect(try search(numbers) { number in number <= 1_000_000 }.isHeld)
    let report = try search(numbers, settings: settings(cases: 1000)) { $0 < 700 }
    #expect(report.counterexample?.arguments == ["700"])
    #expect(report.counterexample?.failure.message == "the condition is false")
    let pairs = Property("test.pairs", "Sums are small", numbers, numbers) { $0 + $1 < 1000 }
    #expect(try pairs.check(settings(cases: 1000)).counterexample != nil)
    #expect(throws: CheckError.badResult(type: "Optional<Bool>")) {
      try search(numbers) { Bool?.some($0 == 1) }
    }
    #expect(try search(numbers) { $0.description }.isHeld)
    #expect(
      CheckError.badResult(type: "Bool?").description
        == "The body returns Bool?; expected nothing, or a Bool that says whether the case passes. Say which of the "
        + "two nil is, as by `== true`.")
  }

  @Test("stops when interrupted and claims only tested cases")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let environment = CheckEnvironment(interrupt: interrupt)
    let report = try Property("test.stop", "Anything", numbers) { _ in }.check(settings(cases: 1000), in: environment)
    #expect(report.ending == .interrupted)
    #expect(!report.isHeld)
  }

  @Test("an interrupt ends a block at its next case, and the block is not counted")
  func interruptedWithin() throws {
    let interrupt = Interrupt()
    let evaluated = Atomic<Int>(0)
    let report = try Property("test.stop", "Anything", numbers) { _ in
      if evaluated.add(1, ordering: .relaxed).newValue == 1150 { interrupt.raise() }
    }.check(settings(cases: 1_000_000), in: CheckEnvironment(interrupt: interrupt))
    #expect(report.ending == .interrupted && report.passed == 1000)
    #expect(evaluated.load(ordering: .relaxed) == 1150)
  }

  @Test("gives up on a generator that cannot produce a value, and advises")
  func nothing() throws {
    let report = try search(Gen.elements(of: [Int]()), settings: settings(cases: 10)) { _ in }
    #expect(report.outcome == .exhausted)
    #expect(report.discarded == 30)
    #expect(report.summary == "The generator can produce nothing: elements(of:) has nothing to choose from.")
  }

  @Test("gives up on assumptions that no case meets, and advises")
  func unmet() throws {
    let report = try search(numbers, settings: settings(cases: 10)) { try assume($0 < 0) }
    #expect(report.discards == [.assumption: 1001])
    #expect(report.obstacle == .exhausted(passed: 0, discarded: 1001))
    #expect(
      report.summary == "The generator can produce nothing: 1001 cases were drawn and all were discarded. "
        + "Draw values that fit instead of filtering them, or loosen the assumptions.")
  }

  @Test("gives up when far more cases are discarded than pass")
  func rare() throws {
    let report = try search(numbers, settings: settings(cases: 100)) { try assume($0 % 50 == 7) }
    #expect(report.outcome == .exhausted)
    #expect(report.passed > 0)
    #expect(report.warnings.contains { if case .manyDiscards = $0 { true } else { false } })
  }

  @Test("reports discards by their reason")
  func discards() throws {
    let report = try search(numbers, settings: settings(cases: 1000)) { try assume($0 % 4 != 1) }
    #expect(report.isHeld)
    #expect(report.passed == 1000)
    #expect((200..<500).contains(report.discards[.assumption] ?? 0))
    #expect(report.warnings.isEmpty)
  }

  @Test("counts a failure that the host recorded, and shrinks it")
  func recorded() throws {
    let report = try search(numbers, settings: settings(cases: 1000)) { number in
      guard number > 700 else { return }
      recordFailure(Failure("\(number) is large", origin: "an expectation"))
    }
    #expect(report.counterexample?.arguments == ["701"])
    #expect(report.counterexample?.failure.message == "701 is large")
  }

  @Test("of a property inside a property keeps the remarks of both apart")
  func nested() throws {
    let report = try search(Gen.integers(in: 1...3), settings: settings(cases: 10)) { _ in
      label("outer")
      let inner = try search(Gen.booleans()) { _ in label("inner") }
      try require(inner.labels.map(\.name) == ["inner"])
    }
    #expect(report.isHeld)
    #expect(report.labels.map(\.name) == ["outer"])
  }
}

@Suite("Settings")
struct CheckSettingsTests {
  private func message(_ change: (inout CheckSettings) -> Void) -> String? {
    var settings = CheckSettings()
    change(&settings)
    do {
      _ = try search(Gen.booleans(), settings: settings) { _ in }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("that are contradictory are refused, with the value found and the expected one")
  func refused() {
    #expect(message { $0.cases = 0 } == "cases is 0; expected a number from 1 to 500000000000.")
    #expect(message { $0.cases = .max }?.hasPrefix("cases is 9223372036854775807;") == true)
    #expect(message { $0.jobs = 0 } == "jobs is 0; expected a number of threads from 1 to 1024.")
    #expect(message { $0.discardRatio = 0 } == "discard ratio is 0; expected a number of at least 1.")
    #expect(message { $0.shrinkLimit = -1 } == "shrink limit is -1; expected a number of runs, 0 for no shrinking.")
    #expect(message { $0.coverageConfidence = .nan } == "coverage confidence is nan; expected above 0 and below 1.")
    #expect(message { $0.timeLimit = .zero } == "time limit is 0.0 seconds; expected a duration above 0.")
  }
}

@Suite("A faulty generator")
struct GeneratorFailureTests {
  private struct Oops: Error {}

  private static let failing: [(generator: Gen<Int>, isCertain: Bool)] = [
    (Gen { _ in throw Oops() }, true), (Gen.integers(in: 0...9).map { _ in throw Oops() }, true),
    (
      Gen { draws in
        let number = try draws.draw(.integers(in: 0...9))
        if number > 7 { throw Oops() }
        return number
      }, false
    ),
    (Gen.integers(in: 0...9).map { number in number > 7 ? try { throw Oops() }() : number }, false),
  ]

  @Test("is reported with the case that it was drawing when it throws, whatever the property", arguments: 0..<4)
  func throwing(index: Int) throws {
    let (generator, isCertain) = Self.failing[index]
    for isTrue in [true, false] {
      let report = try search(generator) { number in try require(isTrue || number < 0) }
      if !isCertain && !isTrue {
        #expect(report.counterexample?.arguments == ["0"], "candidates that cannot be drawn are no failures")
        continue
      }
      #expect(report.outcome == .generatorFailed(Failure("Oops()", origin: "Oops")))
      #expect(report.flaky == nil && report.counterexample == nil && !report.isHeld)
      #expect(report.passed > 0 || isCertain)
      #expect(
        report.text().hasPrefix(
          "A generator failed: Oops(). It was drawing case \(report.passed + 1), and has to make a value or discard"))
    }
  }

  @Test("is not reproducible if it counts or uses other randomness, and no value is a counterexample")
  func elsewhere() throws {
    let calls = Mutex(0)
    let counting = Gen { _ in
      calls.withLock { calls in
        calls += 1
        return calls
      }
    }
    let tossing = Gen { _ in Int.random(in: 0..<1000) }
    for generator in [counting, tossing] {
      let report = try search(generator) { number in try require(number < 50, "it is not below 50") }
      let flake = try #require(report.flaky)
      #expect(report.counterexample == nil && flake.redrawn != nil && flake.redrawn != flake.arguments)
      #expect(report.summary.hasPrefix("not reproducible, found in "))
      #expect(
        report.text().contains("  The same choices gave another value, or one with another description, so no value"))
    }
  }

  @Test("is not reproducible if only the shrunk case uses other randomness")
  func elsewhereInside() throws {
    let calls = Mutex(1_000_000)
    let generator = Gen { draws in
      let number = try draws.draw(.integers(in: 0...1000))
      return number > 100
        ? number
        : calls.withLock { calls in
          calls += 1
          return calls
        }
    }
    let report = try search(generator, settings: CheckSettings(cases: 1000)) { $0 < 200 }
    #expect(report.counterexample == nil && report.flaky?.redrawn != nil)
  }
}

@Suite("A property that depends on more than its arguments")
struct FlakyTests {
  @Test("is called flaky when its failing case passes the second time")
  func once() throws {
    let calls = Mutex(0)
    let report = try search(Gen.integers(in: 0...9)) { _ in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      try require(call != 20, "the twentieth call")
    }
    #expect(report.flaky?.first.message == "the twentieth call")
    #expect(report.flaky?.second == .passed)
    #expect(report.flaky?.casesUntilFound == 20)
    #expect(report.counterexample == nil)
    #expect(!report.isHeld)
  }

  @Test("is called flaky when its failing case fails for another reason the second time")
  func otherwise() throws {
    let calls = Mutex(0)
    let report = try search(Gen.integers(in: 0...9)) { _ in
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      throw isFirst ? Failure("first", origin: "one") : Failure("second", origin: "another")
    }
    #expect(report.flaky?.second == .failed(Failure("second", origin: "another")))
    #expect(report.text().contains("  first: failed: first, at one\n  then: failed: second, at another\n"))
  }

  @Test("is called flaky when its shrunk case passes")
  func shrunk() throws {
    let seen = Mutex<Set<Int>>([])
    // Numbers from 900 on always fail; after that those from 500 on do, once each.
    let report = try search(Gen.integers(in: 0...1000)) { number in
      let isNew = seen.withLock { $0.insert(number).inserted }
      let isAwake = seen.withLock { $0.contains { $0 >= 900 } }
      try require(number < 900 && !(number >= 500 && isNew && isAwake), "large")
    }
    #expect(report.flaky?.arguments == ["500"])
    #expect(report.flaky?.second == .passed)
  }
}

@Suite("The health of a test")
struct HealthTests {
  /// A clock that says what it is told to.
  private final class Clock: Sendable {
    private let time = Mutex(Duration.zero)
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
    var now: Duration { time.withLock { $0 } }
  }

  private func warnings(drawing: Duration, evaluating: Duration) throws -> [HealthWarning] {
    let clock = Clock()
    let slow = Gen<Bool>({ draws in
      clock.advance(by: drawing)
      return try draws.draw(.booleans())
    })
    let property = Property("test.slow", "Anything", slow) { _ in clock.advance(by: evaluating) }
    return try property.check(in: CheckEnvironment(clock: { clock.now })).warnings
  }

  @Test("suffers from a generator that takes far longer than the property")
  func slow() throws {
    let warnings = try warnings(drawing: .milliseconds(190), evaluating: .milliseconds(10))
    #expect(warnings == [.slowGenerator(perCase: .milliseconds(190), share: 0.95)])
    #expect(
      warnings.first?.description
        == "Drawing a case took 0.19 seconds on average, 95% of the time; draw smaller values or fewer.")
  }

  @Test("does not suffer from a slow generator under a slow property, or a quick one under a quicker one")
  func fair() throws {
    #expect(try warnings(drawing: .milliseconds(100), evaluating: .milliseconds(50)).isEmpty)
    #expect(try warnings(drawing: .microseconds(100), evaluating: .zero).isEmpty)
  }

  @Test("suffers from cases that fill their tapes")
  func large() throws {
    let report = try search(.arrays(of: .booleans(), count: 50_000...50_000)) { _ in }
    #expect(report.warnings.contains(.largeCases(entries: 50_005, capacity: 65_536)))
    let beyond = try search(.arrays(of: .arrays(of: .booleans(), count: 300), count: 300)) { _ in }
    #expect(beyond.outcome == .exhausted)
    #expect(beyond.discards == [.tooLarge: 30])
    let words = beyond.warnings.map(\.description).joined() + (beyond.obstacle?.description ?? "")
    #expect(words.contains("A case was discarded: it makes more than the 65536 entries that a tape holds"))
    #expect(words.contains("every case of 30 has more than the 65536 choices") && !words.contains("filtering"))
  }

  @Test("names the collection that no case can hold, soon, and only if it does not fit")
  func unfitting() throws {
    let report = try search(.arrays(of: .booleans(), count: 70_000)) { _ in }
    #expect(
      report.summary
        == "The generator can produce nothing: arrays of 70000 elements do not fit: a case holds 65536 choices.")
    #expect(report.discarded == 30)
    #expect(try search(.arrays(of: .just(1), count: 70_000), settings: CheckSettings(cases: 1)) { _ in }.isHeld)
  }

  @Test("does not suffer from large data, which shrinks in length and in its bytes")
  func largeData() throws {
    let exact = try search(Gen<Data>.data(count: 70_000...70_000), settings: CheckSettings(cases: 3)) { data in
      data.count == 70_000 && Set(data).count > 1
    }
    #expect(exact.isHeld && exact.warnings.isEmpty)
    let report = try search(Gen<[UInt8]>.bytes(count: 0...65_536)) { bytes in
      try require(bytes.count < 11 || bytes[9] < 7, "a large byte")
    }
    #expect(report.counterexample?.arguments == ["[0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0]"])
    let counts = try Gen<[UInt8]>.bytes(count: 5_000...5_003).samples(200).map(\.count)
    #expect(Set(counts) == [5_000, 5_001, 5_002, 5_003])
  }

  indirect enum Bush: Sendable {
    case leaf(Int), node(Bush, Bush)

    static func generator() -> Gen<Bush> {
      Gen { draws in
        try draws.draw(.integers(in: 0...3)) > 0
          ? .node(try draws.draw(generator()), try draws.draw(generator()))
          : .leaf(try draws.draw(.integers(in: 0...9)))
      }
    }

    static func lazyGenerator() -> Gen<Bush> {
      .oneOf(
        Gen<Int>.integers(in: 0...9).map(Bush.leaf),
        .lazy { zip(lazyGenerator(), lazyGenerator()).map { .node($0, $1) } })
    }

    static func endless() -> Gen<Bush> { Gen { draws in .node(try draws.draw(endless()), .leaf(0)) } }
  }

  @Test("suffers from values that contain their own type without a budget, and names the generator that has one")
  func bushes() throws {
    let report = try search(Bush.generator()) { _ in }
    #expect(report.isHeld && (report.discards[.tooLarge] ?? 0) > 20)
    #expect(
      report.warnings.map(\.description).contains(
        "A case was discarded: it makes more than the 65536 entries that a tape holds, or its values are nested deeper "
          + "than 500; draw fewer or smaller values, and those that contain values of their own type by Gen.recursive.")
    )
    #expect(try search(Bush.endless()) { _ in }.summary.contains("by Gen.recursive"))
    #expect(try search(Bush.lazyGenerator()) { _ in }.isHeld)
  }
}

@Suite("A way of searching")
struct SearchModeTests {
  /// In how many of 20 seeds a search finds a fault.
  private func found(_ search: SearchMode, cases: Int, in property: Property) throws -> Int {
    try (1...20).count { seed in
      try property.check(CheckSettings(cases: cases, seed: UInt64(seed), search: search)).counterexample != nil
    }
  }

  private let valley = Property(
    "test.valley", "Nothing happens near one point of a plane", Gen.integers(in: 0...1_000_000),
    Gen.integers(in: 0...1_000_000)
  ) { east, north in
    let distance = abs(east - 333_333) + abs(north - 777_777)
    target(-Double(distance))
    try require(distance > 100, "too near")
  }

  @Test("by target reaches a value that independent cases never reach")
  func climb() throws {
    let counts = [
      try found(.target, cases: 2000, in: valley), try found(.uniform, cases: 2000, in: valley),
    ]
    #expect(counts == [20, 0])
  }

  private let heavy = Property(
    "test.heavy", "No list is heavy", Gen.arrays(of: .integers(in: 0...100), count: 0...50)
  ) { numbers in
    let weight = numbers.reduce(0) { $0 + $1 % 97 }
    target(Double(weight))
    try require(weight < 4500, "too heavy")
  }

  @Test("by target makes lists longer and their elements larger")
  func lists() throws {
    let counts = [
      try found(.target, cases: 5000, in: heavy), try found(.uniform, cases: 5000, in: heavy),
    ]
    #expect(counts == [20, 0])
  }

  @Test("by target raises several scores in turn")
  func several() throws {
    let property = Property("test.two", "Nothing is at either place", Gen.integers(in: 0...9_999_999)) { number in
      target(-Double(abs(number - 1_234_567)), "low")
      target(-Double(abs(number - 8_765_432)), "high")
      label("low", when: abs(number - 1_234_567) < 10)
      label("high", when: abs(number - 8_765_432) < 10)
    }
    let report = try property.check(CheckSettings(cases: 3000, seed: 1, search: .target))
    #expect(Set(report.labels.map(\.name)) == ["low", "high"])
    #expect(try property.check(CheckSettings(cases: 3000, seed: 1, search: .uniform)).labels.isEmpty)
  }

  @Test("by target without any score draws independent cases")
  func scoreless() throws {
    let report = try search(Gen.integers(in: 0...9), settings: CheckSettings(cases: 500, seed: 1, search: .target)) {
      number in
      try require(number < 20)
    }
    #expect(report.passed == 500)
  }

  private static let command = Gen.oneOf(
    .just("push"), .just("pop"), .just("peek"), .just("clear"), .just("count"), .just("swap"), .just("map"),
    .just("drop"))

  private let overflow = Property(
    "test.stack", "A stack never overflows", Gen.arrays(of: command, count: 0...30)
  ) { commands in
    var depth = 0
    for command in commands {
      switch command {
      case "push": depth += 1
      case "pop", "drop": depth = max(0, depth - 1)
      case "clear": depth = 0
      default: break
      }
      try require(depth < 12, "overflow")
    }
  }

  @Test("by swarm meets combinations that need some alternatives to be absent")
  func swarm() throws {
    #expect(try found(.swarm, cases: 1000, in: overflow) >= 15)
    #expect(try found(.uniform, cases: 1000, in: overflow) == 0)
  }

  @Test("by swarm still draws every alternative, with every other")
  func complete() throws {
    let report = try search(
      .arrays(of: Self.command, count: 30), settings: CheckSettings(cases: 1000, seed: 1, search: .swarm)
    ) { commands in
      for command in Set(commands) { label(command) }
      label("all", when: Set(commands).count == 8)
    }
    #expect(report.labels.count == 9)
    #expect(report.labels.allSatisfy { $0.count > 100 })
  }
}
