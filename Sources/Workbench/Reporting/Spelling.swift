// SPDX-License-Identifier: GPL-3.0-or-later

/// Suggestions for misspelt words.
public enum Spelling {
  /// The candidate nearest to the word: within a quarter of its letters (one at least), or one is the beginning of the
  /// other and has at least three letters. `nil` if there is none; a far one would mislead.
  ///
  /// - Complexity: O(length of the word + candidates x the square of a candidate's length).
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    func letters(_ text: String) -> Int { text.count { $0.isLetter || $0.isNumber } }
    func reach(_ candidate: String) -> Int { max(1, max(letters(word), letters(candidate)) / 4) }
    // The difference in length is the least number of edits, so a word of megabytes costs no time.
    let near = candidates.filter { abs($0.count - word.count) <= reach($0) }
      .map { (word: $0, edits: distance(word, $0.lowercased())) }
      .filter { $0.edits <= reach($0.word) && $0.edits < max(word.count, $0.word.count) }
    return near.min { $0.edits < $1.edits }?.word
      ?? candidates.filter {
        letters(word) >= 3 && $0.lowercased().hasPrefix(word) || (letters($0) >= 3 && word.hasPrefix($0.lowercased()))
      }
      .min { $0.count < $1.count }
  }

  /// A value in quotes for an error; of a long one the beginning and the length.
  package static func quoted(_ value: String) -> String {
    let short = excerpt(value)
    return short == value ? "'\(value)'" : "'\(short)' (\(NumberFormat.grouped(value.utf8.count)) bytes)"
  }

  /// The text; only its beginning if it is too long for a message.
  public static func excerpt(_ text: String, maximum: Int = 80) -> String {
    let beginning = text.unicodeScalars.prefix(maximum)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "…"
  }

  /// ` (did you mean 'x'?)` with the candidate nearest to the word; empty if none is near.
  public static func hint(for word: String, among candidates: [String]) -> String {
    hint(nearest(to: word, among: candidates))
  }

  /// The hint for a candidate that is known already; empty for `nil`.
  package static func hint(_ nearest: String?) -> String { nearest.map { " (\(question($0)))" } ?? "" }

  /// `did you mean 'x'?`
  package static func question(_ nearest: String) -> String { "did you mean '\(nearest)'?" }

  /// The number of letters to insert, delete, replace or swap with the next to turn one word into the other (Damerau
  /// and Levenshtein, each letter changed once).
  private static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var (before, previous) = ([Int](), Array(0...second.count))
    for (i, letter) in first.enumerated() {
      var current = [i + 1]
      for (j, other) in second.enumerated() {
        var minimum = min(previous[j] + (letter == other ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other { minimum = min(minimum, before[j - 1] + 1) }
        current.append(minimum)
      }
      (before, previous) = (previous, current)
    }
    return previous[second.count]
  }
}
