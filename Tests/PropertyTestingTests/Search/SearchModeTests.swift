// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("A way of searching")
struct SearchModeTests {
  private func settings(_ search: SearchMode, cases: Int, seed: UInt64) -> CheckSettings {
    var settings = CheckSettings()
    (settings.search, settings.cases, settings.seed) = (search, cases, seed)
    return settings
  }

  /// In how many of 20 seeds a search finds a fault.
  private func found(_ search: SearchMode, cases: Int, in property: Property) throws -> Int {
    try (1...20).count { seed in
      try property.check(settings(search, cases: cases, seed: UInt64(seed))).counterexample != nil
    }
  }

  private let valley = Property(
    "test.valley", "Nothing happens near one point of a plane", Gen.integers(in: 0...1_000_000),
    Gen.integers(in: 0...1_000_000)
  ) { east, north in
    let distance = abs(east - 333_333) + abs(north - 777_777)
    target(-Double(distance))
    try claim(distance > 100, "too near")
  }

  @Test("by target climbs to a place that independent cases never meet")
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
    try claim(weight < 4500, "too heavy")
  }

  @Test("by target makes lists longer and their elements larger")
  func lists() throws {
    let counts = [
      try found(.target, cases: 5000, in: heavy), try found(.uniform, cases: 5000, in: heavy),
    ]
    #expect(counts == [20, 0])
  }

  @Test("by target climbs towards several scores by turns")
  func several() throws {
    let property = Property("test.two", "Nothing is at either place", Gen.integers(in: 0...9_999_999)) { number in
      target(-Double(abs(number - 1_234_567)), "low")
      target(-Double(abs(number - 8_765_432)), "high")
      label("low", when: abs(number - 1_234_567) < 10)
      label("high", when: abs(number - 8_765_432) < 10)
    }
    let report = try property.check(settings(.target, cases: 3000, seed: 1))
    #expect(Set(report.labels.map(\.name)) == ["low", "high"])
    #expect(try property.check(settings(.uniform, cases: 3000, seed: 1)).labels.isEmpty)
  }

  @Test("by target without any score draws independent cases")
  func scoreless() throws {
    let report = try search(Gen.integers(in: 0...9), settings: settings(.target, cases: 500, seed: 1)) { number in
      try claim(number < 20)
    }
    #expect(report.passed == 500)
  }

  @Test("by target is the same at any number of jobs")
  func jobs() throws {
    var reports: Set<CheckReport> = []
    for jobs in [1, 2, 4] {
      var settings = settings(.target, cases: 40_000, seed: 3)
      settings.jobs = jobs
      var environment = CheckEnvironment()
      environment.clock = nil
      let property = Property("test.sum", "Sums", Gen.integers(in: 0...9999), Gen.integers(in: 0...9999)) {
        target(Double(($0 ^ $1) & 0xff0))
        classify("bits", by: ($0 ^ $1) >> 12)
      }
      var report = try property.check(settings, in: environment)
      report.settings.jobs = 1
      reports.insert(report)
    }
    #expect(reports.count == 1)
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
      try claim(depth < 12, "overflow")
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
      .arrays(of: Self.command, count: 30), settings: settings(.swarm, cases: 1000, seed: 1)
    ) { commands in
      for command in Set(commands) { label(command) }
      label("all", when: Set(commands).count == 8)
    }
    #expect(report.labels.count == 9)
    #expect(report.labels.allSatisfy { $0.count > 100 })
  }
}
