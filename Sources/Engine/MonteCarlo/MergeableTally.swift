// SPDX-License-Identifier: GPL-3.0-or-later
package import Statistics

/// What blocks add up to: a commutative monoid, so that who computed a block, and when, leaves no trace.
///
/// The law, for any tallies `a`, `b`, `c` of one experiment and its empty tally `e`, to the bit:
///
///     a + b == b + a        (a + b) + c == a + (b + c)        a + e == a
///
/// where `a + b` is `a` after `a.merge(b)`. Integers obey it; sums of floating-point numbers do not, which is why a
/// tally counts in whole units. `mergeLawViolation(among:empty:)` checks it on samples.
package protocol MergeableTally: Sendable {
  mutating func merge(_ other: Self)
}

extension MergeableTally {
  @inlinable
  package func merged(with other: Self) -> Self {
    var sum = self
    sum.merge(other)
    return sum
  }
}

extension MomentTally: MergeableTally {}

/// Looks for samples that break the law of `MergeableTally`; meant for tests of new tallies.
///
/// - Complexity: O(n^3) merges for n samples.
package func mergeLawViolation<Tally: MergeableTally & Equatable>(among samples: [Tally], empty: Tally) -> String? {
  for a in samples {
    guard a.merged(with: empty) == a, empty.merged(with: a) == a else {
      return "the empty tally changes \(a)"
    }
    for b in samples {
      guard a.merged(with: b) == b.merged(with: a) else {
        return "the order matters for \(a) and \(b)"
      }
      for c in samples where a.merged(with: b).merged(with: c) != a.merged(with: b.merged(with: c)) {
        return "the grouping matters for \(a), \(b) and \(c)"
      }
    }
  }
  return nil
}
