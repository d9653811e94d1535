// SPDX-License-Identifier: Apache-2.0
@testable import PropertyTestingHost
import Synchronization
import Testing

@Suite("check inside a test")
struct CheckTests {
  @Test("reversing twice changes nothing")
  func holds() async throws {
    let cases = Mutex(0)
    try await check(.arrays(of: Gen<Int>.integers())) { numbers in
      cases.withLock { $0 += 1 }
      #expect(numbers.reversed().reversed() == numbers)
    }
    #expect(cases.withLock { $0 } == 100)
  }

  // Each of these took the compiler longer than it allows itself, as long as one declaration took any number of values.
  @Test("infers the types of several values")
  func arithmetic() async throws {
    let number = Gen<Int>.integers(in: 1..<100)
    try await check(number, number) { a, b in
      #expect((a / b) * b + a % b == a)
    }
    try await check(.arrays(of: number), .integers(in: 1...100)) { numbers, factor in
      numbers.map { $0 * factor }.reduce(0, +) == numbers.reduce(0, +) * factor
    }
    try await check(Gen<Double>.doubles(in: 0...100), number) { a, b in
      #expect(abs((a + Double(b)) * 2 - (2 * a + 2 * Double(b))) <= 1e-9 * (1 + abs(a)))
    }
    try await check(number, number, .arrays(of: number)) { a, b, numbers in
      #expect((a / b) * b + a % b == a && numbers.count + 1 > a - a)
    }
    try await check(number, number, number, number) { a, b, c, d in
      #expect((a - b) * (c - d) == a * c - a * d - b * c + b * d)
    }
    try await check(number, number) { a, b in
      await Task.yield()
      #expect((a / b) * b + a % b == a)
    }
    let report = try search(number, number) { a, b in
      try require((a / b) * b + a % b == a)
    }
    #expect(report.isHeld)
    let property = Property("sum.2", "Division loses nothing", number, number) { a, b in
      try require((a / b) * b + a % b == a)
    }
    try await check(property)
  }

  @Test("records one issue at the line of the call, whatever number of cases and expectations fail")
  func oneIssue() async throws {
    let issues = try await issues {
      try await check(.arrays(of: Gen<Int>.integers())) { numbers in
        #expect(numbers.reversed() == numbers)
        #expect(numbers.sorted() == numbers)
      }
    }
    #expect(issues.count == 1)
    let issue = try #require(issues.first)
    #expect(issue.sourceLocation?.fileID == #fileID)
    #expect(issue.sourceLocation?.line == #line - 8)
    #expect(issue.lines.first?.hasPrefix("records one issue at the line of the call, whatever number") == true)
    #expect(issue.lines.contains("  at PropertyTestingHostTests/CheckTests.swift:\(#line - 9)"))
    #expect(issue.lines.contains { $0.contains("numbers.reversed()") })
    #expect(
      issue.lines.contains {
        $0.hasPrefix("  replay: ASSAY_REPLAY=PropertyTestingHostTests.CheckTests.oneIssue:1:")
          && $0.hasSuffix(#" swift test --filter '^PropertyTestingHostTests\.CheckTests/oneIssue\(\)/'"#)
      })
    #expect(
      issue.lines.last == "  again: ASSAY_SEED=0 ASSAY_CASES=100 swift test --filter "
        + #"'^PropertyTestingHostTests\.CheckTests/oneIssue\(\)/'"#)
  }

  /// A helper with its own expectation.
  static func demandSmall(_ number: Int) { #expect(number < 100) }

  @Test("reports expectations in functions that the body calls, at their place")
  func helper() async throws {
    let issues = try await issues {
      try await check(Gen.integers(in: 0...1000)) { CheckTests.demandSmall($0) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.lines.contains("  at PropertyTestingHostTests/CheckTests.swift:\(#line - 8)") == true)
  }

  struct Mine: Error {}

  @Test("counts every other failure within a case")
  func otherFailures() async throws {
    let required = try await issues { try await check(Gen<Int>.integers()) { _ in _ = try #require(Int("x")) } }
    let recorded = try await issues { try await check(Gen<Int>.integers()) { _ in Issue.record("no good") } }
    let thrown = try await issues { try await check(Gen<Int>.integers()) { _ in throw Mine() } }
    let claimed = try await issues { try await check(Gen<Int>.integers()) { _ in try require(false, "never so") } }
    let refused = try await issues { try await check(Gen<Int>.integers()) { _ in false } }
    let condition = try await issues { try await check(Gen<Int>.integers()) { $0 == $0 + 0 } }
    #expect([required, recorded, thrown, claimed, refused].map(\.count) == [1, 1, 1, 1, 1])
    #expect(condition.isEmpty)
    #expect(recorded.first?.lines.contains { $0.contains("no good") } == true)
    #expect(thrown.first?.lines.contains { $0.contains("Mine") } == true)
    #expect(claimed.first?.lines.contains { $0.contains("never so") } == true)
    #expect(refused.first?.lines.contains { $0.contains("the condition is false") } == true)
  }

  @Test("passes on warnings and known issues, which are not failures")
  func warnings() async throws {
    let issues = try await issues {
      try await check(Gen<Int>.integers(), cases: 3) { _ in
        Issue.record("odd", severity: .warning)
        withKnownIssue { Issue.record("known") }
      }
    }
    #expect(issues.filter { $0.isFailure }.isEmpty)
    #expect(issues.filter { $0.severity == .warning }.count == 3)
  }

  @Test("an expectation that fails before the case is discarded fails it")
  func discardAfterFailure() async throws {
    let issues = try await issues {
      try await check(Gen<Int>.integers()) { _ in
        #expect(Bool(false))
        try assume(false)
      }
    }
    #expect(issues.count == 1)
  }

  @Test("records one issue when too few cases can be drawn")
  func exhausted() async throws {
    let issues = try await issues { try await check(Gen<Int>.integers()) { _ in try assume(false) } }
    #expect(issues.count == 1)
    #expect(issues.first?.lines.first?.contains("can produce nothing") == true)
  }

  @Test("refuses a condition that may be nil, and ignores other results")
  func badResult() async throws {
    let error = await #expect(throws: HostError.self) {
      try await check(Gen<Int>.integers()) { Bool?.some($0 == 1) }
    }
    #expect(error?.description.contains("the body of check returns Optional<Bool>; expected nothing, or a") == true)
    try await check(.integers(in: 0...9)) { "\($0)" }
  }

  @Test("runs a body that is one expectation with a result")
  func discardable() async throws {
    try await check(.integers(in: 0...9)) { number in
      #expect(throws: Mine.self) { if number < 10 { throw Mine() } }
    }
    try await check(.integers(in: 0...9)) { number in try #require(Int("\(number)")) }
    let issues = try await issues {
      try await check(.integers(in: 0...9)) { number in
        #expect(throws: Mine.self) { if number < 5 { throw Mine() } }
      }
    }
    #expect(issues.count == 1 && issues.first?.lines.contains("  argument 1: 5") == true)
  }

  @Test("within withKnownIssue records one known issue with the counterexample, and knows those of the body")
  func known() async throws {
    let issues = try await issues {
      await withKnownIssue {
        try await check(Gen<Int>.integers(in: 0...1000)) { number in
          withKnownIssue { #expect(Bool(false)) }
          #expect(number < 500)
        }
      }
    }
    #expect(issues.allSatisfy { !$0.isFailure })
    #expect(issues.count { $0.lines.contains("  argument 1: 500") } == 1)
    #expect(issues.count { issue in issue.lines.contains { $0.contains("number") } } == 1)
  }

  @Test("is cancelled with its test by a body that cancels")
  func cancelled() async throws {
    try await check(Gen<Int>.integers()) { _ in try Test.cancel("This is the test.") }
    Issue.record("check returned in a cancelled test")
  }

  @Test("says when the time limit ended it")
  func timeLimit() async throws {
    let settings = CheckSettings(cases: 1_000_000_000, timeLimit: .milliseconds(1))
    let issues = try await issues { try await check(Gen<Int>.integers(), settings: settings) { _ in } }
    #expect(issues.count == 1 && issues.first?.severity == .warning)
    #expect(
      issues.first?.lines.first?.hasSuffix("; the time limit ended the search before 1000000000; that is no proof")
        == true)
  }

  @Test("first runs the cases of tokens in its settings, whatever their property was called")
  func pinned() async throws {
    let found = try #require(search(.integers(in: 0...1_000_000)) { $0 != 777_777 }.isHeld ? 777_777 : nil)
    let report = try search(.integers(in: 0...1_000_000)) { $0 < found }
    let choices = try #require(report.counterexample?.choices)
    let token = "\(ReplayToken(property: "earlier", choices: choices))"
    let again = try search(.integers(in: 0...1_000_000), settings: .replaying(token)) { $0 != found }
    #expect(again.counterexample?.arguments == ["777777"])
    #expect(try search(.integers(in: 0...1_000_000), settings: .replaying(token)) { _ in }.passed == 100)
    #expect(throws: CheckError.staleChoices(property: "search")) {
      try search(.booleans(), settings: .replaying(token)) { _ in }
    }
    #expect(throws: ReplayError.self) { try search(.booleans(), settings: .replaying("x")) { _ in } }
  }

  /// The case 777777, which hardly any hundred random ones include.
  private static let token: String = {
    let report = try? search(.integers(in: 0...1_000_000), settings: CheckSettings(cases: 10_000)) { $0 < 777_777 }
    return report?.counterexample.map { "\(ReplayToken(property: "earlier", choices: $0.choices))" } ?? "none"
  }()

  @Test("first runs the cases of a trait, in the first check of the test", .replaying(CheckTests.token))
  func pinnedByTrait() async throws {
    let issues = try await issues {
      try await check(.integers(in: 0...1_000_000)) { $0 != 777_777 }
      try await check(.booleans()) { _ in true }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.lines.contains("  argument 1: 777777") == true)
  }

  @Test("refuses what is no token in a trait", .replaying("x"))
  func badTrait() async throws {
    await #expect(throws: ReplayError.notAToken(found: "x")) {
      try await issues { try await check(.booleans()) { _ in true } }
    }
  }

  @Test("refuses to test outside of a test")
  func outside() async throws {
    let outcome = await Task.detached { try await check(Gen<Int>.integers()) { _ in true } }.result
    #expect(throws: HostError.self) { try outcome.get() }
  }
}

@Suite("check of a property held as a value")
struct PropertyCheckTests {
  static let all = [
    Property("sum.1", "Addition does not mind the order", Gen<Int16>.integers(), Gen<Int16>.integers()) { left, right in
      try require(left &+ right == right &+ left)
    },
    Property("sum.2", "A sum is at least its parts", Gen.integers(in: 0...9), Gen.integers(in: 0...9)) { left, right in
      try require(left + right >= max(left, right))
    },
  ]

  @Test("the properties of a catalogue hold, each an argument of the test", arguments: all)
  func catalogue(_ property: Property) async throws {
    try await check(property, cases: 200)
    #expect(String(describingForTest: property) == "\(property.id): \(property.sentence)")
  }

  @Test("names the property and its sentence")
  func failing() async throws {
    let issues = try await issues {
      try await check(Property("sum.3", "A sum is even", Gen.integers(in: 0...9)) { try require($0 % 2 == 0, "odd") })
    }
    #expect(issues.count == 1)
    #expect(issues.first?.sourceLocation?.line == #line - 3)
    #expect(issues.first?.lines.first?.hasPrefix("sum.3: A sum is even: false, found in") == true)
  }
}

@Suite("A check is written as its documentation says")
struct NotationTests {
  @Test("generators by their names alone, one or several, with bodies that return nothing or a truth")
  func shortNames() async throws {
    try await check(.integers(in: 0...9)) { #expect($0 < 10) }
    try await check(.integers(in: 0...9)) { number in number < 10 }
    try await check(.integers(in: 0...9), .booleans(), .strings(of: .letters)) { number, isNegative, text in
      CheckTests.demandSmall(isNegative ? -number : number)
      #expect(text.allSatisfy { $0.isLetter })
    }
    try await check(.arrays(of: Gen<Int>.integers()), cases: 20, named: "twice") { numbers in
      #expect(numbers.reversed().reversed() == numbers)
    }
  }
}

/// Catches the issues that a piece of a test records, so that they can be looked at instead of failing the test.
func issues(of body: @escaping @Sendable () async throws -> Void) async throws -> [Issue] {
  let caught = Mutex<[Issue]>([])
  let catching = IssueHandlingTrait.compactMapIssues { issue in
    caught.withLock { $0.append(issue) }
    return nil
  }
  let test = try #require(Test.current)
  try await Host.$variables.withValue(["ASSAY_EXAMPLES": ""]) {
    try await catching.provideScope(for: test, testCase: Test.Case.current, performing: body)
  }
  return caught.withLock { $0 }
}

extension Issue {
  /// What it says, line by line.
  var lines: [String] { comments.flatMap { $0.rawValue.split(separator: "\n").map(String.init) } }
}
