// SPDX-License-Identifier: GPL-3.0-or-later

/// Everything that can be wrong with a statistical question.
public enum StatisticsError: Error, Equatable, Sendable {
  /// A parameter is outside its domain.
  case invalidParameter(of: String, name: String, value: String, expected: String)
  /// There are too few observations for an answer.
  case tooFewObservations(of: String, count: Int, required: Int)
  /// GSL could not compute the value; the parameters are at the edge of what doubles can hold.
  case notComputable(what: String)
}

extension StatisticsError: CustomStringConvertible {
  /// What is wrong and what would be right, in one sentence.
  public var description: String {
    switch self {
    case .invalidParameter(let subject, let name, let value, let expected):
      return "\(subject): \(name) is \(value), expected \(expected)."
    case .tooFewObservations(let subject, let count, let required):
      return "\(subject): \(count) observations are too few, at least \(required) are needed."
    case .notComputable(let what):
      return "\(what) cannot be computed in double precision."
    }
  }
}

/// Throws unless a parameter fulfils its condition; NaN never does when the condition is a comparison.
func require<Parameter>(
  _ condition: Bool, _ subject: String, _ name: String, _ value: Parameter, _ expected: String
) throws(StatisticsError) {
  guard condition else {
    throw .invalidParameter(of: subject, name: name, value: "\(value)", expected: expected)
  }
}

/// Throws unless a confidence or a probability lies strictly between 0 and 1.
func requireProbability(_ value: Double, _ subject: String, _ name: String) throws(StatisticsError) {
  try require(value > 0 && value < 1, subject, name, value, "above 0 and below 1")
}
