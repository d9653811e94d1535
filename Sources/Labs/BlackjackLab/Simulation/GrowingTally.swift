// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

/// Payoffs kept apart by when they were played, so that afterwards the result after 1, 2, 4, 8 … blocks is known.
///
/// Which part a block belongs to depends on its index alone, so who played it, and when, leaves no trace.
struct GrowingTally: MergeableTally, Hashable {
  /// The first block, the second, the next two, the next four, and so on; as far as anything was played.
  private var parts: [PayoffTally?] = []

  /// No block yet.
  init() {}

  /// One block.
  init(block: Int, _ tally: PayoffTally) {
    let part = Int.bitWidth - block.leadingZeroBitCount
    parts = Array(repeating: nil, count: part) + [tally]
  }

  mutating func merge(_ other: GrowingTally) {
    for (index, part) in other.parts.enumerated() {
      if index == parts.count { parts.append(nil) }
      guard let part else { continue }
      parts[index] = parts[index].map { $0.merged(with: part) } ?? part
    }
  }

  /// Everything together.
  var total: PayoffTally { parts.reduce(into: PayoffTally()) { sum, part in part.map { sum.merge($0) } } }

  /// The results after 1, 2, 4, 8 … blocks, and after all of them.
  var course: [GameResult] {
    var sum = PayoffTally()
    return parts.compactMap(\.self).map { part in
      sum.merge(part)
      return sum.result
    }
  }
}
