// SPDX-License-Identifier: GPL-3.0-or-later

/// What a run cannot be made of.
public enum MonteCarloError: Error, Hashable, Sendable {
  /// A number is outside what makes sense; carries its name, the value as given, and what was expected.
  case badValue(name: String, value: String, expected: String)
}

extension MonteCarloError: CustomStringConvertible {
  /// The sentence that a person is shown.
  public var description: String {
    switch self {
    case .badValue(let name, let value, let expected): "\(name) is \(value); expected \(expected)"
    }
  }
}

func require(
  _ condition: Bool, _ name: String, _ value: some CustomStringConvertible, _ expected: String
) throws(MonteCarloError) {
  guard condition else { throw .badValue(name: name, value: "\(value)", expected: expected) }
}
