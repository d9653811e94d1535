// SPDX-License-Identifier: Apache-2.0
import PropertyTesting
import Synchronization
import Testing

@Suite("Drawing inside a body")
struct BodyDrawTests {
  private static let property = Property(
    "body.1", "No element is large", arguments: ["numbers"],
    Gen.arrays(of: Gen<Int>.integers(in: 0...10_000), count: 1...9)
  ) { numbers in
    let index = try draw(Gen<Int>.integers(in: 0..<numbers.count), "place")
    let limit = try draw(Gen<Int>.integers(in: 0...500))
    try require(numbers[index] < 1000 + limit, "it is too large")
  }

  @Test("shrinks with the arguments, is noted, and replays")
  func shrinks() throws {
    let report = try Self.property.check(CheckSettings(cases: 1000))
    let found = try #require(report.counterexample)
    #expect(found.arguments == ["[1000]"] && found.isShrunk)
    #expect(found.notes == ["place: 0", "draw 2: 0"])
    let token = try ReplayToken(parsing: ReplayToken(property: "body.1", choices: found.choices).description)
    #expect(
      try Self.property.replay(token) == .failed(found.failure, arguments: found.arguments, notes: found.notes))
    let original = ReplayToken(property: "body.1", choices: found.original)
    guard case .failed(_, _, let notes) = try Self.property.replay(original) else {
      Issue.record("the case as it was found does not fail")
      return
    }
    #expect(notes.count == 2)
  }

  @Test("may depend on earlier results of the body, and shrinks within them", arguments: [1, 2, 3] as [UInt64])
  func dependent(seed: UInt64) throws {
    let report = try search(Gen<Int>.integers(in: 0...20), settings: CheckSettings(cases: 1000, seed: seed)) { count in
      var sum = 0
      for _ in 0..<count { sum += try draw(Gen<Int>.integers(in: 0...100)) }
      try require(sum < 250, "the sum is \(sum)")
    }
    let found = try #require(report.counterexample)
    #expect(found.arguments == ["3"] && found.failure.message == "the sum is 250")
  }

  @Test("a filter inside the body discards nothing, in random and in related cases")
  func filter() throws {
    let report = try search(Gen<Int>.integers(), settings: CheckSettings(cases: 500)) { _ in
      let even = try draw(Gen<Int>.integers(in: 0...1000).filter { $0 % 2 == 0 })
      try require(even % 2 == 0)
    }
    #expect(report.isHeld && report.discarded == 0)
  }

  @Test("outside of a body and within a generator is refused with the place of the call")
  func refused() throws {
    let error = #expect(throws: Failure.self) { try draw(Gen<Int>.integers()) }
    #expect(error?.message == "draw is called outside of a property's body, or within a generator")
    #expect(error?.origin.hasPrefix("PropertyTestingTests/BodyDrawTests.swift:") == true)
    let report = try search(Gen<Int>.integers()) { _ in
      _ = try draw(Gen<Bool>.booleans().map { try draw(Gen<Int>.integers(in: $0 ? 0...1 : 2...3)) })
    }
    #expect(report.counterexample?.failure.message == error?.message)
  }

  @Test("a task that the body leaves behind cannot draw")
  func leftBehind() async throws {
    let late = Mutex<Task<Int, any Error>?>(nil)
    let (gate, opener) = AsyncStream<Void>.makeStream()
    _ = try search(Gen<Int>.integers(), settings: CheckSettings(cases: 1)) { _ in
      let task = Task {
        for await _ in gate { break }
        return try draw(Gen<Int>.integers())
      }
      late.withLock { $0 = task }
    }
    opener.finish()
    let task = try #require(late.withLock { $0 })
    await #expect(throws: Failure.self) { try await task.value }
  }
}
