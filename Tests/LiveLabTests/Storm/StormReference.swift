// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LiveCore
import Statistics
import Testing

@testable import LiveLab

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

  /// The policy as the reference had it: without a floor, with the row's attempts, and graphql-ws's doubling, which
  /// ends with its fifth attempt, going on.
  func policy() throws -> Backoff {
    var policy = try #require(Backoff.named(policyName))
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
  /// All comparisons of the table: 231 rows of ten figures, the last client's twice.
  static let comparisons = 231.0 * 11
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

  /// Whether it is a moment, in seconds.
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
  ///   - least: The least that a single value's deviation is.
  /// - Returns: The distance.
  /// - Throws: `StatisticsError` for a single value.
  func allowance(noise: Double, scale: Double = 1, least: Double = 0) throws -> Double {
    let quantile = try Quantile.studentT(ReferenceLevel.each / 2, degreesOfFreedom: Double(values.count - 1))
    return -quantile * max(deviation * scale, least) * (1 + noise).squareRoot()
  }
}
