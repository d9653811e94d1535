// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("A shrinker")
struct ShrinkerTests {
  /// What was judged, in order, with whether it failed.
  private final class Log: Sendable {
    let cases = Mutex<[(value: [Int], failed: Bool)]>([])

    func note(_ value: [Int], failed: Bool) { cases.withLock { $0.append((value, failed)) } }
  }

  private func check(
    _ generator: Gen<[Int]>, seed: UInt64, limit: Int = 5000, fails: @escaping @Sendable ([Int]) -> Bool
  ) throws -> (report: CheckReport, log: [(value: [Int], failed: Bool)]) {
    let log = Log()
    var settings = CheckSettings()
    settings.seed = seed
    settings.cases = 10_000
    settings.shrinkLimit = limit
    settings.explains = false
    let report = try search(generator, settings: settings) { numbers in
      log.note(numbers, failed: fails(numbers))
      try claim(!fails(numbers))
    }
    return (report, log.cases.withLock { $0 })
  }

  @Test("judges no case twice, and none that the generator could not make", arguments: 0..<20 as Range<UInt64>)
  func onlyNewCases(seed: UInt64) throws {
    let sorted = Gen.arrays(of: Gen<Int>.integers(in: 0...500), count: 2...12).filter { $0 == $0.sorted() }
    let (report, log) = try check(sorted, seed: seed) { $0.reduce(0, +) > 300 }
    let counterexample = try #require(report.counterexample)
    let first = try #require(log.firstIndex { $0.failed })
    let judged = log[first...].map(\.value)
    #expect(judged.count == counterexample.evaluations)
    // The case as found and the case as shrunk are run once more to be believed.
    #expect(Set(judged).count == judged.count - 2)
    #expect(judged.allSatisfy { $0 == $0.sorted() && (2...12).contains($0.count) && $0.allSatisfy((0...500).contains) })
  }

  @Test(
    "ends with a case that is simpler than or equal to the one found, and fails", arguments: 0..<20 as Range<UInt64>)
  func neverWorse(seed: UInt64) throws {
    let (report, _) = try check(.arrays(of: .integers()), seed: seed) { Set($0).count < $0.count }
    let counterexample = try #require(report.counterexample)
    #expect(!counterexample.original.isSimpler(than: counterexample.tape))
    #expect(counterexample.arguments == ["[0, 0]"])
  }

  @Test("runs the property no more often than its limit", arguments: [1, 2, 7, 30])
  func limit(limit: Int) throws {
    let (report, _) = try check(.arrays(of: .integers()), seed: 3, limit: limit) { $0.count > 3 && $0[2] > 1000 }
    #expect(try #require(report.counterexample).evaluations <= limit + 2)
  }

  @Test("keeps to the fault that was found, though another one has a simpler case")
  func noSlippage() throws {
    var origins: Set<String> = []
    for seed in 0..<40 as Range<UInt64> {
      var settings = CheckSettings()
      settings.seed = seed
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

  @Test("leaves a case alone that is the simplest already")
  func alreadySimplest() throws {
    let (report, _) = try check(.arrays(of: .integers()), seed: 1) { _ in true }
    #expect(report.counterexample?.arguments == ["[]"])
  }
}
