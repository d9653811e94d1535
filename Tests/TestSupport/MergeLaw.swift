// SPDX-License-Identifier: Apache-2.0

/// Looks for samples that break the law of a `MergeableTally`: a commutative monoid.
///
/// - Complexity: O(n^3) merges for n samples.
package func mergeLawViolation<Tally: Equatable>(
  among samples: [Tally], empty: Tally, merge: (inout Tally, Tally) -> Void
) -> String? {
  func merged(_ one: Tally, _ other: Tally) -> Tally {
    var sum = one
    merge(&sum, other)
    return sum
  }
  for a in samples {
    guard merged(a, empty) == a, merged(empty, a) == a else {
      return "the empty tally changes \(a)"
    }
    for b in samples {
      guard merged(a, b) == merged(b, a) else {
        return "the order matters for \(a) and \(b)"
      }
      for c in samples where merged(merged(a, b), c) != merged(a, merged(b, c)) {
        return "the grouping matters for \(a), \(b) and \(c)"
      }
    }
  }
  return nil
}
