// SPDX-License-Identifier: Apache-2.0

/// Finds what a person probably meant.
enum Spelling {
  /// The candidate nearest to the word, if one is within two edits and shares something with it.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (word: $0, edits: edits(from: word, to: $0)) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= 2,
      best.edits < max(word.count, best.word.count)
    else { return nil }
    return best.word
  }

  /// The Levenshtein distance; O(product of the lengths).
  static func edits(from first: String, to second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in target.indices {
        let substitution = diagonal + (letter == target[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[target.count]
  }
}
