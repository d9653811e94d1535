// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Foundation
import LiveCore
import Statistics
import Testing

@testable import LiveLab

/// The reference's storms, all rows, which were made by another program with other random numbers. A figure of theirs
/// is one more draw of what ours are draws of.
///
/// Each comparison is missed by chance as often as `ReferenceLevel.each` says, so that the whole table is missed once
/// in a hundred such tables at the most. Where clients do not meet, moments and clients that gave up are compared
/// exactly, whatever their distribution; sums and peaks, and all that comes of a queue, as if it were normal.
@Suite("storms of the reference")
struct StormReferenceTests {
  @Test(
    "has every row of 10,000 and 100,000 clients that do not meet, and of a million after half a minute",
    arguments: try ReferenceStorm.all())
  func independent(storm: ReferenceStorm) throws {
    let small = try runs(storm.rows[0], 32)
    for row in storm.rows where row.clients < 1_000_000 || row["outage_s"] == 30 {
      let results = row.clients == 10_000 ? small : try runs(row, row.clients == 100_000 ? 4 : 1)
      try counts(row, results, small)
      try gaveUp(row, results)
      for (column, share) in [(ReferenceColumn.back50, 0.5), (.back95, 0.95), (.back99, 0.99)] {
        if let moment = row[column.rawValue] { try back(column, by: moment, share, row.clients, results) }
      }
      last(row, results)
    }
  }

  private func runs(_ row: ReferenceRow, _ count: Int) throws -> [StormResult] {
    let policy = try row.policy()
    return try (1...count).map { seed in
      let settings = row.settings(seed: seed)
      return StormResult(row.policyName, settings, try Storm(settings).run(policy))
    }
  }

  /// Attempts and peaks. A sum over n clients that do not meet deviates with the root of n, and so does the greatest of
  /// some such sums, or more slowly where many are nearly as great; never by more than one that each client is in with
  /// the same chance (Borell, Tsirelson, Ibragimov and Sudakov).
  private func counts(_ row: ReferenceRow, _ results: [StormResult], _ small: [StormResult]) throws {
    for column in [ReferenceColumn.attempts, .peakDuring, .peakAfter, .peakTenth, .peakAccepted] {
      let reference = try #require(row[column.rawValue])
      let mean = Repetitions(values: results.compactMap { column.value(in: $0) }).mean
      let share = reference / Double(row.clients)
      let allowance = try Repetitions(values: small.compactMap { column.value(in: $0) }).allowance(
        noise: 1 / Double(results.count), scale: (Double(row.clients) / 10_000).squareRoot(),
        least: column == .attempts || share > 1 ? 0 : (reference * (1 - share)).squareRoot())
      #expect(
        abs(reference - mean) <= allowance + column.resolution,
        "\(row.clients), \(column): \(reference) in the reference, \(mean) ± \(allowance) here")
    }
  }

  /// Of all that gave up, there and here, as many should have done so there as were there: the conditional test of two
  /// shares.
  private func gaveUp(_ row: ReferenceRow, _ results: [StormResult]) throws {
    let (there, here) = (Int(row["gave_up"] ?? 0), results.reduce(0) { $0 + $1.gaveUp })
    guard there + here > 0 else { return }
    let interval = try BinomialInterval(
      successes: there, trials: there + here, confidence: 1 - ReferenceLevel.each)
    let expected = 1 / Double(1 + results.count)
    #expect(
      interval.lower <= expected && expected <= interval.upper,
      "\(row.clients) clients: \(there) gave up in the reference, \(here) in \(results.count) storms here")
  }

  /// The chance to be back by the moment at which the k-th of n was back has a beta distribution, whatever that of the
  /// moments; how many are back by then here is binomial.
  private func back(
    _ column: ReferenceColumn, by moment: Double, _ share: Double, _ clients: Int, _ results: [StormResult]
  ) throws {
    let k = (share * Double(clients)).rounded(.up)
    let tail = ReferenceLevel.each / 4
    let low = try Quantile.beta(tail, a: k, b: Double(clients) - k + 1)
    let high = 1 - (try Quantile.beta(tail, a: Double(clients) - k + 1, b: k))
    // The table is as fine as a millisecond, and rounds either way.
    func here(through millisecond: Int) throws -> BinomialInterval {
      let back = results.reduce(0) { sum, result in
        sum + result.tally.backMilliseconds.prefix(max(0, millisecond + 1)).reduce(0) { $0 + Int($1) }
      }
      return try BinomialInterval(
        successes: back, trials: results.reduce(0) { $0 + $1.clients }, confidence: 1 - ReferenceLevel.each / 2)
    }
    let millisecond = Int((moment * 1_000).rounded())
    let (before, after) = (try here(through: millisecond - 2), try here(through: millisecond + 1))
    #expect(
      before.lower <= high && after.upper >= low,
      "\(clients), \(column): at \(moment) s in the reference; here \(after.proportion) are back by then")
  }

  /// The last client back is a maximum. That all of the k last of both are here has the chance that k clients drawn
  /// among all are. And the reference's last does not lie farther beyond ours than an exponential tail allows: the ten
  /// last span 2.8 times such a tail's length on average.
  private func last(_ row: ReferenceRow, _ results: [StormResult]) {
    // Where some never were back, `gaveUp` compares how many.
    guard let reference = row["t100_after"] else { return }
    let rare = -log(ReferenceLevel.each)
    let latest = results.map(\.tally.backMilliseconds)
    let length = latest.map(\.count).max() ?? 0
    var (beyond, tenth, count) = (0, 0, 0)
    for millisecond in stride(from: length - 1, through: 0, by: -1) {
      let here = latest.reduce(0) { $0 + ($1.indices.contains(millisecond) ? Int($1[millisecond]) : 0) }
      if Double(millisecond) / 1_000 > reference + 0.001 { beyond += here }
      count += here
      if count >= 10, tenth == 0 { tenth = millisecond }
    }
    #expect(
      Double(beyond) <= rare / log(1 + 1 / Double(results.count)),
      "\(row.clients): \(beyond) clients come later than the reference's last")
    let reach = Double(length - 1) + rare / 2.8 * Double(length - tenth) + 1
    #expect(
      reference * 1_000 <= reach, "\(row.clients): the last at \(reference) s in the reference, \(length) ms here")
  }

  @Test(
    "has every row of 100,000 and a million clients that meet in a queue",
    arguments: try ReferenceRow.rows(of: "reconnect-storms").filter { $0.capacity > 0 })
  func queues(row: ReferenceRow) throws {
    let isLarge = row.clients > 100_000
    let results = try runs(row, isLarge ? 1 : 16)
    // The deviations of a million's are those of a twentieth of the clients and of the capacity: a count's grows with
    // the square root of the clients, a moment's shrinks with it.
    let small =
      try !isLarge
      ? results
      : (1...16).map { seed in
        var settings = row.settings(seed: seed)
        (settings.clients, settings.capacity) = (settings.clients / 20, settings.capacity.map { $0 / 20 })
        return StormResult(row.policyName, settings, try Storm(settings).run(try row.policy()))
      }
    let root = isLarge ? 20.0.squareRoot() : 1
    // The last client is the end of a queue, not the extreme of independent ones, and has a deviation as others have.
    for column in ReferenceColumn.allCases {
      let values = results.compactMap { column.value(in: $0) }
      guard let reference = row[column.rawValue] else {
        #expect(values.count < results.count, "\(column): never in the reference, always here")
        continue
      }
      let spread = Repetitions(values: small.compactMap { column.value(in: $0) })
      guard !values.isEmpty, spread.values.count >= 2 else {
        Issue.record("\(column): \(reference) in the reference, never here")
        continue
      }
      let mean = Repetitions(values: values).mean
      // A deviation of less than one client, with all attempts that are its own, does not show in whole numbers.
      let hidden = column == .attempts ? row["max_attempts"] ?? 0 : column.resolution
      let allowance =
        try spread.allowance(noise: 1 / Double(values.count), scale: column.isMoment ? 1 / root : root)
        + (column.isMoment ? column.resolution : hidden * root)
      #expect(
        abs(reference - mean) <= allowance, "\(column): \(reference) in the reference, \(mean) ± \(allowance) here")
    }
  }

  @Test("gives the same counts to the same seed, others to another one", arguments: [nil, 3_000])
  func seeds(capacity: Int?) throws {
    var settings = StormSettings()
    (settings.clients, settings.capacity) = (70_000, capacity)
    let one = try Storm(settings).run(Backoff())
    #expect(try Storm(settings).run(Backoff()) == one)
    settings.seed = 2
    #expect(try Storm(settings).run(Backoff()) != one)
  }
}
