// SPDX-License-Identifier: GPL-3.0-or-later

/// How the cases of a check are cut into blocks, each with a random stream of its own.
///
/// It depends on nothing but the way of searching, so a check of more cases begins with those of a check of fewer.
struct CheckPlan: Sendable, Hashable {
  /// How many cases are to pass in all.
  let cases: Int
  /// The first blocks are small, so that a check of a few hundred slow cases has something for every thread.
  private let smallBlocks: Int
  private let casesPerSmallBlock = 100
  private let casesPerBlock: Int

  init(cases: Int, search: SearchMode) {
    self.cases = cases
    // A climb lasts one block: short ones would never get anywhere.
    (smallBlocks, casesPerBlock) = search == .target ? (0, 10_000) : (10, 1000)
  }

  /// How many blocks there are.
  var blocks: Int {
    let small = smallBlocks * casesPerSmallBlock
    if cases <= small { return (cases + casesPerSmallBlock - 1) / casesPerSmallBlock }
    return smallBlocks + (cases - small + casesPerBlock - 1) / casesPerBlock
  }

  /// How many cases are to pass in a block.
  func quota(of block: Int) -> Int {
    if block < smallBlocks { return min(casesPerSmallBlock, cases - block * casesPerSmallBlock) }
    let earlier = smallBlocks * casesPerSmallBlock + (block - smallBlocks) * casesPerBlock
    return min(casesPerBlock, cases - earlier)
  }
}
