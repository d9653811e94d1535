// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// The reference's storms, which were made by another program with other random numbers. A figure of theirs is one more
/// draw of what ours are draws of, so it must lie in the prediction interval of our repetitions.
@Suite("storms of the reference")
struct StormReferenceTests {
  /// Repetitions: enough for a deviation, and fewer where they are dear.
  static func repetitions(_ row: ReferenceRow) -> Int { row.clients <= 10_000 ? 32 : row.capacity == 0 ? 10 : 8 }

  @Test(
    "has every row with up to 100,000 clients",
    arguments: try ReferenceRow.rows(of: "reconnect-storms").filter { $0.clients <= 100_000 })
  func everyRow(row: ReferenceRow) throws {
    let policy = try row.policy()
    let results = try (1...Self.repetitions(row)).map { seed in
      try Storm(row.settings(seed: seed)).run(policy, name: row.policyName)
    }
    // Where a capacity is limited the last client is the end of a queue, not the extreme of independent ones: its moment
    // has a deviation as other columns have, and even an extreme's upper tail (Gumbel's) ends 6.7 deviations up once in
    // ten thousand, where Student's of eight repetitions has 7.9.
    for column in ReferenceColumn.allCases where column != .back100 || row.capacity > 0 {
      let values = results.compactMap { column.value(in: $0) }
      guard let reference = row[column.rawValue] else {
        #expect(values.count < results.count, "\(column): never in the reference, always here")
        continue
      }
      guard values.count >= 2 else {
        Issue.record("\(column): \(reference) in the reference, never here")
        continue
      }
      let repetitions = Repetitions(values: values)
      let allowance = try repetitions.allowance(noise: 1 / Double(values.count)) + column.resolution
      let apart = reference - repetitions.mean
      #expect(abs(apart) <= allowance, "\(column): \(reference) in the reference, \(repetitions.mean) ± \(allowance) here")
    }
    if row.capacity == 0 { last(row, results) }
  }

  /// The last client back is a maximum, which no deviation describes. Of all clients of all repetitions about as many
  /// as there are repetitions come later, E times as many with E exponentially distributed, which exceeds ln 10,000
  /// once in ten thousand. And it does not lie farther beyond our last than an exponential tail allows: the ten last
  /// of n span 2.8 times such a tail's length in the mean, and 9.2 lengths are exceeded once in ten thousand.
  private func last(_ row: ReferenceRow, _ results: [StormResult]) {
    guard let reference = row["t100_after"] else {
      #expect(results.contains { $0.missing > 0 }, "nobody is missing here")
      return
    }
    let latest = results.map(\.backPerMillisecond)
    let length = latest.map(\.count).max() ?? 0
    var beyond = 0
    var tenth = 0
    var count = 0
    for millisecond in stride(from: length - 1, through: 0, by: -1) {
      let here = latest.reduce(0) { $0 + ($1.indices.contains(millisecond) ? Int($1[millisecond]) : 0) }
      if Double(millisecond) / 1_000 > reference + 0.001 { beyond += here }
      count += here
      if count >= 10, tenth == 0 { tenth = millisecond }
    }
    #expect(Double(beyond) <= 9.2 * Double(results.count), "\(beyond) clients come later than the reference's last")
    let reach = Double(length - 1) + 3.3 * Double(length - tenth) + 1
    #expect(reference * 1_000 <= reach, "the last is back at \(reference) s in the reference, \(length) ms here")
  }

  @Test(
    "has storms of a million clients",
    arguments: [
      ("full", 30, 0, 10), ("phoenix", 30, 0, 255), ("centrifuge", 90, 0, 255), ("full", 30, 5_000, 10),
      ("equal", 30, 5_000, 10), ("decorr", 30, 5_000, 10),
    ])
  func aMillion(_ policy: String, outage: Int, capacity: Int, attempts: Int) throws {
    let found = try ReferenceRow.rows(of: "reconnect-storms").first { row in
      row.policyName == policy && row.clients == 1_000_000 && row["outage_s"] == Double(outage)
        && row.capacity == capacity && row["max_attempts"] == Double(attempts)
    }
    let row = try #require(found)
    let result = try Storm(row.settings(seed: 1)).run(try row.policy(), name: policy, workers: 2)
    // The deviations are those of a twentieth of the clients and of the capacity: a count's grows with the square root
    // of the clients, a moment's shrinks with it.
    let small = try (1...16).map { seed in
      var settings = row.settings(seed: seed)
      (settings.clients, settings.capacity) = (settings.clients / 20, settings.capacity / 20)
      return try Storm(settings).run(try row.policy(), name: policy)
    }
    for column in ReferenceColumn.allCases where column != .back100 {
      let value = column.value(in: result)
      #expect((value == nil) == (row[column.rawValue] == nil), "\(column) is never on one side only")
      guard let value, let reference = row[column.rawValue] else { continue }
      let repetitions = Repetitions(values: small.compactMap { column.value(in: $0) })
      let root = 20.0.squareRoot()
      let allowance = try repetitions.allowance(noise: 1, scale: column.isMoment ? 1 / root : root) + column.resolution
      #expect(abs(reference - value) <= allowance, "\(column): \(reference) in the reference, \(value) ± \(allowance)")
    }
  }

  @Test("gives the same bytes to 1, 2 and 7 workers", arguments: [0, 3_000])
  func workers(capacity: Int) throws {
    var settings = StormSettings()
    (settings.clients, settings.capacity) = (70_000, capacity)
    let storm = try Storm(settings)
    let alone = try storm.run(Backoff(), name: "full-jitter", workers: 1)
    for workers in [2, 7] {
      #expect(try storm.run(Backoff(), name: "full-jitter", workers: workers) == alone)
    }
    settings.seed = 2
    #expect(try Storm(settings).run(Backoff(), name: "full-jitter") != alone)
  }
}
