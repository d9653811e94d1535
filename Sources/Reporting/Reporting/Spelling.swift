// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds what a person probably meant.
package enum Spelling {
  /// The candidate nearest to the word; `nil` where none is within a third of its letters (two at least).
  ///
  /// - Complexity: O(candidates x length of both words).
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (word: $0, edits: distance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }),
      best.edits <= max(2, best.word.count / 3), best.edits < max(word.count, best.word.count)
    else { return nil }
    return best.word
  }

  /// ` (did you mean 'x'?)` with the candidate nearest to the word; empty where none is near.
  package static func hint(for word: String, among candidates: [String]) -> String {
    hint(nearest(to: word, among: candidates))
  }

  /// The same of a candidate that was found before.
  package static func hint(_ nearest: String?) -> String { nearest.map { " (\(question($0)))" } ?? "" }

  /// `did you mean 'x'?`
  package static func question(_ nearest: String) -> String { "did you mean '\(nearest)'?" }

  /// How many letters to insert, delete or replace to make one word of the other (Levenshtein).
  private static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var previous = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var current = [i + 1]
      for (j, other) in second.enumerated() {
        current.append(min(previous[j] + (letter == other ? 0 : 1), previous[j + 1] + 1, current[j] + 1))
      }
      previous = current
    }
    return previous[second.count]
  }
}
