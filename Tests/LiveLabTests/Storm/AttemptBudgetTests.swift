// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("the outages that attempts span")
struct AttemptBudgetTests {
  static let clients = 200_000

  /// Both sides are samples of that many clients, so a share differs by its binomial error times the square root of
  /// two; 4.5 of them are exceeded once in a hundred thousand times.
  static func allowance(_ share: Double) -> Double {
    4.5 * (2 * share * (1 - share) / Double(clients)).squareRoot()
  }

  /// How many clients have an attempt left after an outage of so many seconds.
  private func survivors(_ budget: AttemptBudget, of seconds: Int) -> Int {
    budget.spans.count { $0 > Int64(seconds) * 1_000_000_000 }
  }

  /// In seconds.
  private func mean(_ budget: AttemptBudget) -> Double {
    budget.spans.reduce(0.0) { $0 + Double($1) / 1e9 } / Double(budget.spans.count)
  }

  @Test("are those of the reference", arguments: try ReferenceRow.rows(of: "attempt_budget"))
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

  @Test("are counted exactly without any spread")
  func exact() throws {
    var policy = try #require(Backoff.named("exponential"))
    policy.maximumAttempts = 4
    let budget = try AttemptBudget(policy, clients: 3)
    #expect(budget.spans == Array(repeating: 15_000_000_000, count: 3))
  }
}
