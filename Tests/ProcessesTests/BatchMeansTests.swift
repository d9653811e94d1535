// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Randomness
import Testing

@Suite("Batch means of one long run")
struct BatchMeansTests {
  /// Batches of the waits at a counter with a load of 0.5, whose mean is 1, after a warm-up (Lindley's recursion).
  private func waits(_ count: Int, of length: Int, _ random: inout RandomStream) -> BatchMeans {
    var (wait, values) = (0.0, [Double]())
    for batch in 0...count {
      var sum = 0.0
      for _ in 0..<length {
        sum += wait
        wait = max(0, wait + random.exponential(mean: 1) - random.exponential(mean: 2))
      }
      if batch > 0 { values.append(sum / Double(length)) }
    }
    return BatchMeans(values)
  }

  /// In how many of 300 runs an interval has the mean, and there is a warning.
  private func covered(
    _ count: Int, of length: Int, interval: (BatchMeans) -> ClosedRange<Double> = { $0.interval(at: 0.95) }
  ) throws -> (right: Int, warned: Int) {
    var random = try RandomStream(named: "taus2", seed: 5)
    let runs = (0..<300).map { _ in waits(count, of: length, &random) }
    return (runs.count { interval($0).contains(1) }, runs.count { $0.warning != nil })
  }

  /// Where 95% and 5% of 300 lie, at 0.999.
  private let often = 272...297
  private let seldom = 3...28

  @Test("intervals of long batches are right as often as they say, and warned of in about one of twenty runs")
  func coverage() throws {
    let long = try covered(20, of: 500)
    #expect(often.contains(long.right) && seldom.contains(long.warned), "\(long)")
  }

  @Test("mutants are caught: short batches, which are warned of, each customer alone, and the normal distribution")
  func mutants() throws {
    let short = try covered(20, of: 5)
    #expect(!often.contains(short.right) && short.warned > seldom.upperBound * 3, "\(short)")
    let single = try covered(500, of: 1)
    #expect(!often.contains(single.right) && single.warned == 300, "\(single)")
    let few = try covered(3, of: 500)
    #expect(often.contains(few.right), "\(few)")
    let normal = try covered(3, of: 500) { batches in
      let reach = 1.96 * batches.standardDeviation / 3.squareRoot()
      return batches.mean - reach...batches.mean + reach
    }
    #expect(!often.contains(normal.right), "\(normal)")
  }

  @Test("a run measures each batch alone, after the warm-up, and the last one at its end")
  func batches() throws {
    let simulation = Simulation(try RandomStream(seed: 1))
    let level = simulation.level(100)
    simulation.process { process in
      for value in 1... {
        try await process.delay(10)
        level.value = Double(value)
      }
    }
    let found = try simulation.run(until: 50, warmUp: 10, batches: 4) { level.mean }
    #expect(found.values == [1, 2, 3, 4] && found.mean == 2.5 && simulation.now == 50)
    // The differences are 1, and the squared distances from 2.5 are 5 in all.
    #expect(found.correlation == 1 - 3.0 / 10)
    #expect(found.warning?.hasPrefix("4 batches are too few") == true)
  }

  @Test("a long run of a counter has the formula's mean in its interval")
  func longRun() throws {
    let bank = Simulation(try RandomStream(named: "taus2", seed: 3))
    let counter = bank.resource("counter")
    bank.process("source") { source in
      while true {
        try await source.delay(bank.random.exponential(mean: 2))
        bank.process { customer in
          try await customer.request(counter) { try await customer.delay(bank.random.exponential(mean: 1)) }
        }
      }
    }
    let waiting = try bank.run(until: 31_000, warmUp: 1_000, batches: 30) { counter.waiting.mean }
    #expect(waiting.values.count == 30 && waiting.interval(at: 0.999).contains(0.5), "\(waiting)")
    #expect(waiting.interval(at: 0.999).upperBound < 0.65)
  }

  @Test("figures that drift or come back are warned of, equal ones are not")
  func warning() {
    #expect(BatchMeans((1...20).map(Double.init)).warning?.contains("correlated: 0.99, expected at most 0.35") == true)
    #expect(BatchMeans((1...20).map { Double($0 % 2) }).warning == nil)
    #expect(BatchMeans(Array(repeating: 3, count: 20)).warning == nil)
  }

  @Test("too few figures and confidences that are none give every number, not a trap")
  func few() {
    let everything = -Double.infinity...Double.infinity
    #expect(BatchMeans([]).interval(at: 0.9) == everything && BatchMeans([1]).interval(at: 0.9) == everything)
    #expect(BatchMeans([1, 2]).interval(at: 1) == everything && BatchMeans([1, 2]).interval(at: .nan) == everything)
    #expect(BatchMeans([1, .nan]).interval(at: 0.9) == everything)
    #expect(BatchMeans([2, 2, 2]).interval(at: 0.9) == 2...2)
  }

  @Test("a run in impossible batches, or with a figure that is none, is refused")
  func refused() throws {
    func problem(until end: Double = 10, warmUp: Double = 0, _ batches: Int, _ value: Double = 1) throws -> String {
      let simulation = Simulation(try RandomStream(seed: 1))
      do { _ = try simulation.run(until: end, warmUp: warmUp, batches: batches) { value } } catch { return "\(error)" }
      return "none"
    }
    #expect(try problem(1) == "at 0.0: the number of batches is 1, expected 2 to 1,000,000")
    #expect(try problem(.max).contains("expected 2 to 1,000,000"))
    #expect(try problem(until: .infinity, 10) == "at 0.0: the end of a run in batches is inf, expected a finite time")
    #expect(try problem(warmUp: 10, 10).hasSuffix("is 10.0, expected a time from 0 and before the end, 10.0"))
    #expect(try problem(4, .nan) == "at 2.5: batch 1 is nan, expected a finite figure")
  }
}
