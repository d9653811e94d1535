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
    settings.capacity = capacity
    settings.suspendedCadence = nil
    settings.seed = UInt64(seed)
    return settings
  }

  static func rows(of file: String) throws -> [ReferenceRow] {
    struct Document: Decodable { let rows: [ReferenceRow] }
    let url = try #require(Bundle.module.url(forResource: file, withExtension: "json", subdirectory: "Fixtures"))
    return try JSONDecoder().decode(Document.self, from: Data(contentsOf: url)).rows
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

  /// How far one more value may lie from `centre`, where that has `noise` times the variance of a single value: the
  /// prediction interval of Student's distribution, missed once in ten thousand.
  func allowance(noise: Double, scale: Double = 1) throws -> Double {
    let quantile = try Quantile.studentT(5e-5, degreesOfFreedom: Double(values.count - 1))
    return -quantile * deviation * scale * (1 + noise).squareRoot()
  }
}
