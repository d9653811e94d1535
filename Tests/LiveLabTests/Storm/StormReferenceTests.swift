// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LiveCore
import Statistics
import Testing

@testable import LiveLab

/// The reference's storms, all rows, which were made by another program with other random numbers. A figure of theirs
/// is one more draw of what ours are draws of.
///
/// Each comparison is missed by chance as often as `ReferenceLevel.each` says, so that the whole table is missed once
/// in at most a hundred such tables. Where clients do not meet, moments and clients that gave up are compared
/// exactly, whatever their distribution; sums and peaks, and all that comes of a queue, as if it were normal.
@Suite("Storms and the reference's table")
struct StormReferenceTests {
  @Test(
    "storms without a limit agree with the table's rows up to a million clients",
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
        minimum: column == .attempts || share > 1 ? 0 : (reference * (1 - share)).squareRoot())
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
    "storms with a limited server agree with the table's rows of 100,000 and a million clients",
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
}

@Suite("The outages that attempts span")
struct AttemptBudgetTests {
  static let clients = 200_000

  /// Both sides are samples of that many clients, so a share differs by its binomial error times the square root of
  /// two; 4.5 of them are exceeded once in a hundred thousand times.
  static func allowance(_ share: Double) -> Double {
    4.5 * (2 * share * (1 - share) / Double(clients)).squareRoot()
  }

  /// How many clients have an attempt left after an outage of `seconds` seconds.
  private func survivors(_ budget: AttemptBudget, of seconds: Int) -> Int {
    budget.spans.count { $0 > Int64(seconds) * 1_000_000_000 }
  }

  /// In seconds.
  private func mean(_ budget: AttemptBudget) -> Double {
    budget.spans.reduce(0.0) { $0 + Double($1) / 1e9 } / Double(budget.spans.count)
  }

  @Test("agree with the reference's table", arguments: try ReferenceRow.rows(of: "attempt_budget"))
  func reference(row: ReferenceRow) throws {
    let budget = try AttemptBudget(try row.policy(), clients: Self.clients, seed: 3)
    for seconds in [30, 60, 90, 120, 150, 180, 240, 300] {
      let here = Double(survivors(budget, of: seconds)) / Double(Self.clients)
      let there = try #require(row["s\(seconds)"])
      // A share of nothing on both sides differs by nothing; one client here or there is no difference.
      let allowance = Self.allowance((here + there) / 2) + 4 / Double(Self.clients)
      #expect(abs(here - there) <= allowance, "after \(seconds) s: \(there) in the reference, \(here) here")
    }
    for (column, share) in [("p5_span", 0.05), ("p50_span", 0.5), ("p95_span", 0.95)] {
      let there = try #require(row[column])
      // Their percentile must lie between ours of shares that a sample's error apart would give.
      let error = Self.allowance(share)
      let (low, high) = (budget.quantile(share - error), budget.quantile(share + error))
      #expect(
        there >= low - 1e-6 && there <= high + 1e-6, "\(column): \(there) in the reference, \(low) to \(high) here")
    }
    let spread = budget.quantile(0.95) - budget.quantile(0.05)
    // The deviation of a span is at most half of what its whole range spans, and that is under twice as wide as this.
    let mean = try #require(row["mean_span_s"])
    #expect(abs(self.mean(budget) - mean) <= 4.5 * spread * (2 / Double(Self.clients)).squareRoot() + 1e-6)
  }
}

/// A row of the reference tables.
struct ReferenceRow: Decodable, Sendable, CustomTestStringConvertible {
  let fields: [String: String]

  init(from decoder: any Decoder) throws {
    fields = try decoder.singleValueContainer().decode([String: String].self)
  }

  var policyName: String { fields["policy"] ?? "" }

  /// A number of the row; nil for `never`.
  subscript(name: String) -> Double? { fields[name].flatMap(Double.init) }

  var clients: Int { Int(self["N"] ?? 0) }
  var capacity: Int { Int(self["cap_per_s"] ?? 0) }

  var testDescription: String {
    "\(policyName), \(clients) clients, \(self["outage_s"] ?? 0) s, \(capacity)/s, "
      + "\(self["max_attempts"] ?? 0) attempts"
  }

  /// The policy as the reference had it: without a floor, with the row's attempts, graphql-ws's doubling, which ends
  /// with its fifth attempt, going on, and Ably as it was.
  func policy() throws -> Backoff {
    var policy = try policyName == "ably15" ? Backoff(waits: [.seconds(15)]) : #require(Backoff.named(policyName))
    policy.floor = .zero
    policy.maximumAttempts = Int(self["max_attempts"] ?? self["maxAttempts"] ?? 0)
    if policyName == "graphqlws" { policy.cap = .seconds(1_000_000) }
    return policy
  }

  /// The storm as the reference had it: who gave up never came back.
  func settings(seed: Int) -> StormSettings {
    var settings = StormSettings()
    settings.clients = clients
    settings.outage = Interval(seconds: self["outage_s"] ?? 0)
    settings.capacity = capacity > 0 ? capacity : nil
    settings.cadence = nil
    settings.seed = UInt64(seed)
    return settings
  }

  static func rows(of file: String) throws -> [ReferenceRow] {
    struct Document: Decodable { let rows: [ReferenceRow] }
    let url = try #require(Bundle.module.url(forResource: file, withExtension: "json", subdirectory: "Fixtures"))
    return try JSONDecoder().decode(Document.self, from: Data(contentsOf: url)).rows
  }
}

/// How sure a comparison with the storm table is.
enum ReferenceLevel {
  /// All comparisons of the table: 210 rows of ten figures, the last client's twice.
  static let comparisons = 210.0 * 11
  /// How often each may be missed by chance, so that the whole table is missed once in a hundred such tables at the
  /// most, however its figures depend on one another (Bonferroni).
  static let each = 0.01 / comparisons
}

/// A storm whose server accepts as many as come, in the three sizes of the table.
struct ReferenceStorm: Sendable, CustomTestStringConvertible {
  let rows: [ReferenceRow]

  var testDescription: String {
    "\(rows[0].policyName), \(rows[0]["outage_s"] ?? 0) s, \(rows[0]["max_attempts"] ?? 0) attempts"
  }

  static func all() throws -> [ReferenceStorm] {
    let rows = try ReferenceRow.rows(of: "reconnect-storms").filter { $0.capacity == 0 }
    let storms = Dictionary(grouping: rows) { row in
      [row.policyName, row.fields["outage_s"] ?? "", row.fields["max_attempts"] ?? ""].joined(separator: " ")
    }
    return storms.sorted { $0.key < $1.key }.map { ReferenceStorm(rows: $0.value.sorted { $0.clients < $1.clients }) }
  }
}

/// A column of the storm table, and how it grows with the number of clients.
enum ReferenceColumn: String, CaseIterable {
  case attempts
  case peakDuring = "peak_attempts_1s_during"
  case peakAfter = "peak_attempts_1s_after"
  case peakTenth = "peak_100ms_after"
  case peakAccepted = "peak_accepted_1s"
  case gaveUp = "gave_up"
  case back50 = "t50_after"
  case back95 = "t95_after"
  case back99 = "t99_after"
  case back100 = "t100_after"

  /// True if it is a moment, in seconds.
  var isMoment: Bool { rawValue.hasPrefix("t") }

  /// What the table writes at the finest: a client, or a millisecond.
  var resolution: Double { isMoment ? 0.001 : 1 }

  func value(in result: StormResult) -> Double? {
    func back(_ share: Double) -> Double? { result.back(share: share).map { Double($0) / 1_000 } }
    return switch self {
    case .attempts: Double(result.attempts)
    case .peakDuring: Double(result.peakDuring)
    case .peakAfter: Double(result.peakAfter)
    case .peakTenth: Double(result.peakTenth)
    case .peakAccepted: Double(result.peakAccepted)
    case .gaveUp: Double(result.gaveUp)
    case .back50: back(0.5)
    case .back95: back(0.95)
    case .back99: back(0.99)
    case .back100: back(1)
    }
  }
}

/// The mean and the deviation of repetitions with other seeds.
struct Repetitions {
  let values: [Double]

  var mean: Double { values.reduce(0, +) / Double(values.count) }

  var deviation: Double {
    let mean = mean
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
  }

  /// How far one more value may lie from a centre that has `noise` times the variance of a single value: the prediction
  /// interval of Student's distribution, missed as often as `ReferenceLevel.each` says.
  ///
  /// - Parameters:
  ///   - noise: The centre's variance, in those of a single value.
  ///   - scale: By how much a single value's deviation exceeds that of these.
  ///   - minimum: The least that a single value's deviation is.
  /// - Returns: The distance.
  /// - Throws: `StatisticsError` for a single value.
  func allowance(noise: Double, scale: Double = 1, minimum: Double = 0) throws -> Double {
    let quantile = try Quantile.studentT(ReferenceLevel.each / 2, degreesOfFreedom: Double(values.count - 1))
    return -quantile * max(deviation * scale, minimum) * (1 + noise).squareRoot()
  }
}
