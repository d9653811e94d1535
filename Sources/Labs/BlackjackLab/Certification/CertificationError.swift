// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// Why a chart cannot be made as asked.
package enum CertificationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No such estimator.
  case unknownEstimator(String)
  /// A confidence that promises nothing, or everything.
  case badConfidence(Double)
  /// A margin too small to be told from rounding, or larger than a bet.
  case badIndifference(Double)
  /// The game deals to a cut card: a chart is made for the fresh shoe, and played to the cut card.
  case needsFreshShoe(Rules)

  /// What was found, and what was expected.
  package var description: String {
    switch self {
    case .unknownEstimator(let name):
      "estimator: found '\(name)', expected one of \(Estimator.allCases.map(\.rawValue).joined(separator: ", "))."
    case .badConfidence(let value):
      "confidence: found \(value), expected a number above 0.5 and below 1, for example 0.999."
    case .badIndifference(let value):
      "indifference: found \(value) bets, expected more than 0.00001 and at most 1, for example 0.0005."
    case .needsFreshShoe(let rules):
      "rules '\(rules)': a chart is made for a fresh shoe every round; leave 'cut' out, and name it when playing."
    }
  }
}
