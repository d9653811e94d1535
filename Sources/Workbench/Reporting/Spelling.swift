// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds what a person probably meant.
public enum Spelling {
  /// The candidate nearest to the word; `nil` where none is within a third of its letters (two at least).
  ///
  /// - Complexity: O(length of the word + candidates x the square of a candidate's length).
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let count = word.count
    func reach(_ candidate: String) -> Int { max(2, candidate.count / 3) }
    // As many edits as the lengths differ by are needed at least: a word of megabytes is near to none.
    let ranked = candidates.filter { abs($0.count - count) <= reach($0) }
      .map { (word: $0, edits: distance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }),
      best.edits <= reach(best.word), best.edits < max(count, best.word.count)
    else { return nil }
    return best.word
  }

  /// A value as an error quotes it: in quotes, and of a long one the beginning, with how long it is.
  package static func quoted(_ value: String) -> String {
    let short = excerpt(value)
    return short == value ? "'\(value)'" : "'\(short)' (\(NumberFormat.grouped(value.utf8.count)) bytes)"
  }

  /// The beginning of a text that is too long for a message; the text itself where it is not.
  package static func excerpt(_ text: String, most: Int = 80) -> String {
    let beginning = text.unicodeScalars.prefix(most)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "…"
  }

  /// ` (did you mean 'x'?)` with the candidate nearest to the word; empty where none is near.
  public static func hint(for word: String, among candidates: [String]) -> String {
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
