import PropertyTestingHost
import Testing
import Workbench

@testable import coffee

struct CoffeeTests {
  @Test("the declaration is sound") func declaration() {
    #expect(Counter.runnable.problems() == [])
  }

  @Test("a settled counter makes customers wait as Pollaczek and Khinchine have it")
  func knownAnswer() throws {
    var counter = Counter()
    (counter.arrivals, counter.isSettled) = (0.5, true)
    let wait = try counter.run(samples: 2_000, seed: 7)["wait"]
    #expect(wait.interval(at: 0.999).contains(0.5 / (1 - 0.5)), "\(wait.estimate)")
  }

  @Test("nobody waits less than nothing, and the first customer of an empty shop not at all")
  func waits() async throws {
    try await check(Gen<Int>.integers(in: 1...50), Gen<Int>.integers(in: 1...1000)) { customers, seed in
      var counter = Counter()
      counter.customers = customers
      var random = try RandomStream(seed: UInt32(seed))
      let day = counter.sample(&random)
      #expect(day.wait.count == customers)
      #expect(day.wait.first == 0)
      #expect(day.wait.allSatisfy { $0 >= 0 })
    }
  }
}
