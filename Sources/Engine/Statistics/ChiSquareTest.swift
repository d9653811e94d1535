// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// Pearson's chi-square test that counts come from given probabilities.
public struct ChiSquareTest: Sendable, Equatable {
  /// The sum over cells of (observed - expected)^2 / expected.
  public let statistic: Double
  /// One less than the number of cells after pooling.
  public let degreesOfFreedom: Int
  /// The chance of a statistic at least as large when the probabilities are right.
  public let pValue: Double

  /// Tests counts against probabilities.
  ///
  /// Neighbouring cells are pooled until each expects `minimumExpected` counts, below which the chi-square
  /// approximation is poor.
  ///
  /// - Parameters:
  ///   - observed: How often each outcome was seen.
  ///   - probabilities: As many, in the same order, not negative, with sum 1 within 1e-9.
  ///   - minimumExpected: The smallest expected count of a cell, positive.
  /// - Throws: `invalidParameter`; `tooFewObservations` when pooling leaves fewer than two cells.
  public init(observed: [Int], probabilities: [Double], minimumExpected: Double = 5) throws(StatisticsError) {
    let name = "Chi-square test"
    try require(
      observed.count == probabilities.count, name, "probabilities", "\(probabilities.count) numbers",
      "\(observed.count), one per count")
    try require(observed.allSatisfy { $0 >= 0 }, name, "observed", observed, "counts of at least 0")
    try require(probabilities.allSatisfy { $0 >= 0 }, name, "probabilities", probabilities, "numbers of at least 0")
    let sum = probabilities.reduce(0, +)
    try require(abs(sum - 1) <= 1e-9, name, "sum of probabilities", sum, "1")
    try require(minimumExpected > 0, name, "minimumExpected", minimumExpected, "a positive number")
    let total = observed.reduce(0, +)
    let cells = Self.pooled(observed, probabilities.map { $0 * Double(total) }, minimumExpected)
    guard cells.count >= 2 else { throw .tooFewObservations(of: name, count: total, required: total + 1) }
    statistic = cells.reduce(0) { sum, cell in
      let deviation = cell.observed - cell.expected
      return sum + deviation * deviation / cell.expected
    }
    degreesOfFreedom = cells.count - 1
    pValue = gsl_cdf_chisq_Q(statistic, Double(degreesOfFreedom))
  }

  private typealias Cell = (observed: Double, expected: Double)

  private static func pooled(_ observed: [Int], _ expected: [Double], _ minimum: Double) -> [Cell] {
    var cells: [Cell] = []
    var pending: Cell = (0, 0)
    for (count, expectation) in zip(observed, expected) {
      pending = (pending.observed + Double(count), pending.expected + expectation)
      guard pending.expected >= minimum else { continue }
      cells.append(pending)
      pending = (0, 0)
    }
    if let last = cells.popLast() {
      cells.append((last.observed + pending.observed, last.expected + pending.expected))
    }
    return cells
  }
}
