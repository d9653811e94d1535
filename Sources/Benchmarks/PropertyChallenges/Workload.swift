// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// A property that holds, run for the time that its cases take.
package struct Workload: Sendable {
  package let name: String
  private let search: @Sendable (CheckSettings) throws -> CheckReport

  private init<Value>(_ name: String, _ generator: Gen<Value>, holds: @escaping @Sendable (Value) -> Bool) {
    self.name = name
    search = { settings in
      try PropertyTesting.search(generator, settings: settings) { value in try claim(holds(value)) }
    }
  }

  /// Cases for each second of processor time, everything recorded.
  package func casesPerSecond(cases: Int, seed: UInt64) throws -> Double {
    var settings = CheckSettings()
    settings.cases = cases
    settings.seed = seed
    let start = ProcessorTime.nanoseconds
    let report = try search(settings)
    let seconds = Double(ProcessorTime.nanoseconds - start) / 1e9
    return Double(report.passed) / seconds
  }

  /// Lists of integers, of the full range and of a small one, and a league of twelve teams.
  package static let all = [
    Workload("integer list, 0 to 20", Gen.arrays(of: Gen<Int>.integers(), count: 0...20)) { $0.count <= 20 },
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
