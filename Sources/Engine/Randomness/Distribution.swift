// SPDX-License-Identifier: GPL-3.0-or-later

/// A probability distribution that can be sampled.
///
/// Conforming values check their parameters when they are made, so sampling never fails.
public protocol Distribution<Value>: ~Copyable {
  /// What a sample is.
  associatedtype Value

  /// Draws one value; equal generators in equal states give equal values.
  ///
  /// - Parameter generator: Where the randomness comes from.
  /// - Returns: A value of the distribution, independent of all earlier ones.
  borrowing func sample(using generator: inout GSLGenerator) -> Value
}

/// Throws unless a parameter fulfils its condition; NaN never does when the condition is a comparison.
func require<Parameter>(
  _ condition: Bool, _ distribution: String, _ name: String, _ value: Parameter, _ expected: String
) throws(RandomnessError) {
  guard condition else {
    throw .invalidParameter(of: distribution, name: name, value: "\(value)", expected: expected)
  }
}
