// SPDX-License-Identifier: Apache-2.0
import PropertyTestingHost
import Testing

/// A fixture that is not `Sendable`.
private final class Parser {
  private(set) var calls = 0
  func length(_ text: String) -> Int {
    calls += 1
    return text.count
  }
}

@Suite("A body uses the fixtures of its suite")
struct FixtureTests {
  private let parser = Parser()

  @Test("that are not Sendable")
  func lengths() async throws {
    try await check(Gen<String>.strings()) { text in #expect(parser.length(text) == text.count) }
    #expect(parser.calls == 100)
  }

  @Test("that are not Sendable, after a suspension")
  func suspending() async throws {
    try await check(Gen<String>.strings()) { text in
      await Task.yield()
      #expect(parser.length(text) == text.count)
    }
    #expect(parser.calls == 100)
  }

  @Test("and variables of the test")
  func variables() async throws {
    var sum = 0
    try await check(.integers(in: 1...1)) { number in sum += number }
    #expect(sum == 100)
  }
}

@Suite("A body in a suite that is a class")
final class ClassTests {
  private var calls = 0

  @Test("changes its properties")
  func counts() async throws {
    try await check(Gen<Int>.integers()) { _ in self.calls += 1 }
    #expect(calls == 100)
  }
}

@MainActor private final class ViewModel {
  private(set) var total = 0
  func add(_ number: Int) { total += number }
}

@MainActor @Suite("A body in a suite of the main actor")
struct MainActorTests {
  private let model = ViewModel()

  @Test("calls its models synchronously, on the main actor")
  func adds() async throws {
    try await check(.integers(in: 1...1)) { number in
      MainActor.assertIsolated()
      model.add(number)
      #expect(model.total >= number)
    }
    #expect(model.total == 100)
  }

  @Test("calls them by a closure of the main actor")
  func addsOnMain() async throws {
    let model = model
    try await check(.integers(in: 1...1)) { @MainActor number in model.add(number) }
    #expect(model.total == 100)
  }

  @Test("calls them after a suspension")
  func suspending() async throws {
    try await check(.integers(in: 1...1)) { number in
      await Task.yield()
      MainActor.assertIsolated()
      model.add(number)
    }
    #expect(model.total == 100)
  }

  @Test("fails with its simplest case")
  func fails() async throws {
    let issues = try await issues {
      try await check(.integers(in: 0...1000)) { number in #expect(number < 500) }
    }
    #expect(issues.count == 1 && issues.first?.lines.contains("  argument 1: 500") == true)
  }
}

@Suite("A body of an actor")
struct ActorTests {
  actor Counter {
    private(set) var count = 0

    func test() async throws {
      try await check(Gen<Int>.integers()) { _ in
        self.assertIsolated()
        self.count += 1
      }
    }
  }

  @Test("changes its state")
  func counts() async throws {
    let counter = Counter()
    try await counter.test()
    #expect(await counter.count == 100)
  }
}
