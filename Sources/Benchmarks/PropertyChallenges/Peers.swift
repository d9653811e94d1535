// SPDX-License-Identifier: GPL-3.0-or-later

/// What other engines reach on the same challenges.
///
/// Measured on a machine with two cores (Debian 12), Hypothesis 6.155.2 under CPython and Exhaust 0.26.0 in a release
/// build, 200 seeds each, with generators of the same meaning: for Exhaust the plain filter in `coupling` and the
/// `bind` in `lengthlist`, as here.
package struct Peer: Sendable, Hashable {
  /// The share of seeds that reach the minimal form.
  package let share: Double
  /// The mean number of evaluations from the first failure on.
  package let evaluations: Double

  init(_ share: Double, _ evaluations: Double) {
    self.share = share
    self.evaluations = evaluations
  }

  /// Hypothesis, by challenge.
  package static let hypothesis: [String: Peer] = [
    "bound5": Peer(0.845, 244.1), "large_union_list": Peer(0.995, 189.6), "reverse": Peer(1, 10.6),
    "calculator": Peer(1, 55.1), "lengthlist": Peer(1, 85.5), "difference_not_zero": Peer(1, 28.2),
    "difference_not_small": Peer(1, 41.6), "difference_not_one": Peer(1, 39.6), "binheap": Peer(0.745, 133.6),
    "coupling": Peer(0.27, 40.2), "deletion": Peer(1, 10.3), "distinct": Peer(1, 35.9), "nestedlists": Peer(1, 30.2),
    "x_weighted_linear": Peer(0.06, 27.3), "x_chunked_decoder": Peer(1, 45.1), "x_invoice": Peer(0.21, 76.3),
    "x_nested_ps2": Peer(0.24, 64.8), "x_nested_ps3": Peer(0.15, 94.3),
  ]

  /// Exhaust, by challenge.
  package static let exhaust: [String: Peer] = [
    "bound5": Peer(1, 106.7), "large_union_list": Peer(1, 70.5), "reverse": Peer(1, 8.9), "calculator": Peer(1, 14.0),
    "lengthlist": Peer(0.005, 124.4), "difference_not_zero": Peer(1, 63.7), "difference_not_small": Peer(1, 81.7),
    "difference_not_one": Peer(1, 71.4), "binheap": Peer(0.655, 127.5), "coupling": Peer(0.365, 29.5),
    "deletion": Peer(1, 13.9), "distinct": Peer(1, 21.3), "nestedlists": Peer(1, 38.4),
  ]
}
