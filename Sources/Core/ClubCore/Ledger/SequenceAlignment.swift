// SPDX-License-Identifier: Apache-2.0

/// The best overlap of a listing with what is known, both newest first.
///
/// Dynamic programming over both sequences, after Needleman and Wunsch, "A General Method Applicable to the Search
/// for Similarities in the Amino Acid Sequence of Two Proteins" (1970), with free ends as for overlaps: the new
/// stand above the first common activity and cost nothing, and what fell off stands below the last and costs nothing.
/// Anything else that lacks a partner costs, so that a chance resemblance across many others is none.
struct SequenceAlignment {
  /// What a common activity is worth.
  static let worth: Int32 = 20
  /// What a common title adds, which decides between activities that are otherwise the same.
  static let titleWorth: Int32 = 1
  /// The listing's identities.
  let listed: [Int32]
  /// The identities of what is known.
  let known: [Int32]
  /// What leaving out each known one costs.
  let costs: [Int32]
  /// What a listed activity costs that is unknown and lies below a known one.
  let intruderCost: Int32
  /// What a pair of equal identities is worth; nil where they differ in something that identities leave out.
  let worth: (_ listed: Int, _ known: Int) -> Int32?

  private enum Move: UInt8 {
    case pair
    case skipListed
    case skipKnown
  }

  /// For each listed activity the place of the known one that it is; ascending, nil where there is none.
  ///
  /// - Complexity: O(listed * known) in time and in bytes.
  func pairs() -> [Int?] {
    let width = known.count + 1
    var moves = [UInt8](repeating: Move.skipListed.rawValue, count: (listed.count + 1) * width)
    var scores = [Int32](repeating: 0, count: width)
    for place in known.indices { scores[place + 1] = scores[place] - costs[place] }
    // The best end so far where all that is known is used up, and the rest of the listing lies below its end.
    var bestAtEdge: (score: Int32, row: Int) = (scores[known.count], 0)
    for row in listed.indices {
      fill(row, &scores, &moves)
      // Not for the last row, which competes below, and wins ties there: what is new stands on top, not below.
      if row + 1 < listed.count, scores[known.count] > bestAtEdge.score {
        bestAtEdge = (scores[known.count], row + 1)
      }
    }
    let bestInLast = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
    // Nor does a title alone put what is new below: a ride that was renamed while its twin came would seem the new one.
    let atEdge = bestAtEdge.score > scores[bestInLast] + Self.titleWorth
    return path(
      &moves, width: width, row: atEdge ? bestAtEdge.row : listed.count, column: atEdge ? known.count : bestInLast)
  }

  private func fill(_ row: Int, _ scores: inout [Int32], _ moves: inout [UInt8]) {
    let identity = listed[row]
    var (diagonal, left) = (scores[0], scores[0])
    let base = (row + 1) * scores.count
    for place in known.indices {
      let above = scores[place + 1]
      var (best, move) = (left - costs[place], Move.skipKnown)
      let intruding = above - intruderCost
      if intruding > best { (best, move) = (intruding, .skipListed) }
      if known[place] == identity, let worth = worth(row, place), diagonal + worth >= best {
        (best, move) = (diagonal + worth, .pair)
      }
      moves[base + place + 1] = move.rawValue
      scores[place + 1] = best
      (diagonal, left) = (above, best)
    }
  }

  private func path(_ moves: inout [UInt8], width: Int, row: Int, column: Int) -> [Int?] {
    var result = [Int?](repeating: nil, count: listed.count)
    var (row, column) = (row, column)
    while row > 0, column > 0 {
      switch Move(rawValue: moves[row * width + column]) {
      case .pair:
        (row, column) = (row - 1, column - 1)
        result[row] = column
      case .skipKnown: column -= 1
      case .skipListed, nil: row -= 1
      }
    }
    return result
  }
}
