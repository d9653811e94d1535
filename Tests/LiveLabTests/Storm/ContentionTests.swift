// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LiveCore
import Statistics
import Testing

@testable import LiveLab

/// A row of the reference's table: means of 100 repetitions, cut to whole milliseconds and calls.
struct ContentionRow: Sendable, CustomTestStringConvertible {
  let clients: Int
  /// Time and calls by the policy's name here.
  let means: [String: (time: Double, calls: Double)]

  var testDescription: String { "\(clients) clients" }

  static let repetitions = 100

  static func rows() throws -> [ContentionRow] {
    struct Means: Decodable {
      let time_ms: Int
      let calls: Int
    }
    struct Document: Decodable { let results: [String: [String: Means]] }
    let names = [
      "None": "no wait", "Exponential": "exponential", "EqualJitter": "equal-jitter", "FullJitter": "full-jitter",
      "Decorr": "decorrelated-jitter",
    ]
    let url = try #require(
      Bundle.module.url(forResource: "backoff-contention", withExtension: "json", subdirectory: "Fixtures"))
    let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: url))
    return try document.results.map { clients, policies in
      let means = try policies.map { (try #require(names[$0]), (Double($1.time_ms), Double($1.calls))) }
      return ContentionRow(
        clients: try #require(Int(clients)), means: Dictionary(uniqueKeysWithValues: means))
    }.sorted { $0.clients < $1.clients }
  }
}

@Suite("clients that contend for one row")
struct ContentionTests {
  private func findings(_ clients: [Int], repetitions: Int, seed: UInt64 = 1, workers: Int = 1) throws
    -> ContentionFindings
  {
    var settings = ContentionSettings()
    (settings.clients, settings.repetitions, settings.seed) = (clients, repetitions, seed)
    return try Contention(settings).run(workers: workers)
  }

  /// How far the reference's mean may lie from ours: both are means of repetitions with the deviation that ours show,
  /// so Student's distribution has the difference, here missed once in ten thousand; and theirs is cut, by half a unit
  /// in the mean.
  private func allowance(_ tally: MomentTally, unit: Double) throws -> Double {
    let (here, there) = (Double(tally.count), Double(ContentionRow.repetitions))
    let quantile = -(try Quantile.studentT(5e-5, degreesOfFreedom: here - 1))
    // Of the error of our mean, that of the difference.
    return quantile * tally.standardError * unit * (1 + here / there).squareRoot() + 0.5
  }

  @Test("take the time and the calls of the reference, under every policy", arguments: try ContentionRow.rows())
  func reference(row: ContentionRow) throws {
    let findings = try findings([row.clients], repetitions: 100, workers: 2)
    #expect(findings.results.count == row.means.count)
    for result in findings.results {
      let reference = try #require(row.means[result.policy])
      for (what, tally, unit, there) in [
        ("ms", result.nanoseconds, 1e-6, reference.time), ("calls", result.calls, 1, reference.calls),
      ] {
        let here = tally.mean * unit
        let allowance = try allowance(tally, unit: unit)
        #expect(
          abs(there + 0.5 - here) <= allowance,
          "\(result.policy): \(there) \(what) in the reference, \(here) ± \(allowance) here")
      }
    }
  }
}
