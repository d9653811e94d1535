// SPDX-License-Identifier: Apache-2.0

/// How far two words are from each other.
enum EditDistance {
  /// The least number of letters put in, left out, changed, or swapped with their neighbour, that makes one word the
  /// other, no letter touched twice: the optimal string alignment.
  ///
  /// - Complexity: O(m n) for words of m and n letters.
  static func between(_ first: [Character], _ second: [Character]) -> Int {
    var (beforeLast, last, row) = ([Int](), Array(0...second.count), [Int](repeating: 0, count: second.count + 1))
    for (i, mine) in first.enumerated() {
      row[0] = i + 1
      for (j, others) in second.enumerated() {
        row[j + 1] = min(last[j] + (mine == others ? 0 : 1), row[j] + 1, last[j + 1] + 1)
        if i > 0, j > 0, mine == second[j - 1], first[i - 1] == others {
          row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
