// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import PropertyTesting
internal import SeededWords
internal import Synchronization

/// A false property with its simplest counterexample, to measure shrinking.
///
/// The first thirteen are those of the shrinking challenge (github.com/jlink/shrinking-challenge), with generators as a
/// user would write them.
package struct Challenge: Sendable {
  /// The result of one search.
  package struct Outcome: Sendable, Hashable {
    /// The counterexample found, one description for each argument, in brackets; `nil` if every case passed.
    package let form: String?
    /// True if the counterexample is the simplest one.
    package let isMinimal: Bool
    /// The number of runs of the property from the first failure on, including it, counted in its body.
    package let evaluations: Int
    /// The same number, as reported by the engine.
    package let reportedEvaluations: Int
    /// The number of cases evaluated up to and including the first failure.
    package let casesUntilFound: Int
    /// Processor time from the first failure to the report, in milliseconds.
    package let milliseconds: Double
  }

  /// The name, such as `bound5`.
  package let name: String
  /// The simplest counterexample, in the form of outcomes; `nil` if unknown.
  package let normalForm: String?

  private let search: @Sendable (CheckSettings, Meter) throws -> CheckReport

  init<each Value>(
    _ name: String, _ claim: String, form: String? = nil, _ generators: repeat Gen<each Value>,
    holds: @escaping @Sendable (repeat each Value) throws -> Bool
  ) {
    self.name = name
    normalForm = form
    search = { settings, meter in
      try Property(name, claim, of: repeat each generators) { (values: repeat each Value) in
        var isTrue = true
        defer { meter.note(failed: !isTrue) }
        isTrue = try holds(repeat each values)
        try PropertyTesting.require(isTrue)
      }.check(settings)
    }
  }

  /// Searches for a counterexample and shrinks it.
  package func run(seed: UInt64, cases: Int = 1_000_000, shrinkLimit: Int = 5000) throws -> Outcome {
    let settings = CheckSettings(cases: cases, seed: seed, shrinkLimit: shrinkLimit, explains: false)
    let meter = Meter()
    let report = try search(settings, meter)
    let milliseconds = Double(meter.nanoseconds) / 1e6
    let counterexample = report.counterexample
    let form = counterexample.map { Self.form($0.arguments) }
    return Outcome(
      form: form, isMinimal: form != nil && form == normalForm, evaluations: meter.evaluations,
      reportedEvaluations: counterexample?.evaluations ?? 0, casesUntilFound: counterexample?.casesUntilFound ?? 0,
      milliseconds: milliseconds)
  }

  private static func form(_ arguments: [String]) -> String {
    arguments.count == 1 ? arguments[0] : "(" + arguments.joined(separator: ", ") + ")"
  }
}

package enum Challenges {
  /// The thirteen of the shrinking challenge.
  package static let standard: [Challenge] = lists + pairs + [calculator, binheap]
  /// Five harder ones, from research on the limits of shrinkers.
  package static let harder: [Challenge] = [weightedLinear, chunkedDecoder, invoice, nested2, nested3]
  package static let all: [Challenge] = standard + harder
}

/// Counts and times the runs of a property from the first failure on, from inside its body, because the engine's count
/// is under test.
final class Meter: Sendable {
  private let hasFailed = Atomic(false)
  private let runs = Atomic(0)
  private let started = Atomic(UInt64(0))

  func note(failed: Bool) {
    if failed, !hasFailed.load(ordering: .relaxed) {
      started.store(ProcessorTime.nanoseconds, ordering: .relaxed)
      hasFailed.store(true, ordering: .relaxed)
    }
    if hasFailed.load(ordering: .relaxed) { runs.wrappingAdd(1, ordering: .relaxed) }
  }

  /// The number of runs of the body from the first failure on, including it.
  var evaluations: Int { runs.load(ordering: .relaxed) }

  /// Processor time since the first failure, in nanoseconds; 0 without a failure.
  var nanoseconds: UInt64 {
    hasFailed.load(ordering: .relaxed) ? ProcessorTime.nanoseconds - started.load(ordering: .relaxed) : 0
  }
}

enum ProcessorTime {
  /// Processor time of all threads, in nanoseconds.
  static var nanoseconds: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A property that holds, to measure the time of its cases.
package struct Workload: Sendable {
  package let name: String
  private let search: @Sendable (CheckSettings) throws -> CheckReport

  private init<Value>(_ name: String, _ generator: Gen<Value>, holds: @escaping @Sendable (Value) -> Bool) {
    self.name = name
    search = { settings in
      try PropertyTesting.search(generator, settings: settings) { value in try require(holds(value)) }
    }
  }

  /// Cases per second of processor time, with all recording.
  package func casesPerSecond(cases: Int, seed: UInt64) throws -> Double {
    let settings = CheckSettings(cases: cases, seed: seed)
    let start = ProcessorTime.nanoseconds
    let report = try search(settings)
    let seconds = Double(ProcessorTime.nanoseconds - start) / 1e9
    return Double(report.passed) / seconds
  }

  /// The yardstick of `integerLists`: lists of as many integers, drawn from the same generator in a plain loop that
  /// records and shrinks nothing.
  package static func plainCasesPerSecond(cases: Int, seed: UInt32) throws -> Double {
    var words = MersenneTwister(seed: seed)
    let start = ProcessorTime.nanoseconds
    var passed = 0
    for _ in 0..<cases {
      let count = words.below(21)
      let list = (0..<count).map { _ in Int(bitPattern: UInt(words.next()) << 32 | UInt(words.next())) }
      if list.count <= 20 && list.first != .min { passed += 1 }
    }
    return Double(passed) / (Double(ProcessorTime.nanoseconds - start) / 1e9)
  }

  package static let integerLists =
    Workload("integer list, 0 to 20", Gen.arrays(of: Gen<Int>.integers(), count: 0...20)) { $0.count <= 20 }

  /// Lists of integers, of the full range and of a small one, and a league of twelve teams.
  package static let all = [
    integerLists,
    Workload("integer list, always 10", Gen.arrays(of: Gen<Int>.integers(), count: 10)) { $0.count == 10 },
    Workload("integer list, 0 to 20, of 0 to 1000", Gen.arrays(of: Gen<Int>.integers(in: 0...1000), count: 0...20)) {
      $0.count <= 20
    },
    Workload("league of 12 teams, 8 fields", Gen.arrays(of: Team.teams, count: 12)) { $0.count == 12 },
  ]
}

private struct Team: Sendable {
  let id: Int
  let name: String
  let wins: Int
  let losses: Int
  let ties: Int
  let pointsFor: Double
  let pointsAgainst: Double
  let streak: Int

  static let teams = {
    let ids = Gen<Int>.integers(in: 1...1_000_000)
    let letters = Gen.arrays(of: Gen<UInt8>.integers(in: 32...126, towards: 97), count: 1...12)
    let names = letters.map { String(decoding: $0, as: UTF8.self) }
    let games = Gen<Int>.integers(in: 0...17)
    let points = Gen<Int>.integers(in: 0...250_000).map { Double($0) / 100 }
    let streaks = Gen<Int>.integers(in: -17...17)
    return zip(ids, names, games, games, games, points, points, streaks).map(Team.init)
  }()
}
