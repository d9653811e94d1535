// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A search for the entries of a map by their names, synonyms, sections and screens.
///
/// Case and accents are ignored. The length of a typed word limits its typing errors, as in Meilisearch: none up to 4
/// letters, one from 5 to 8, two from 9. A swap of neighbours is one error, an error in the first letter counts as two,
/// and a typed word may be a prefix of a word, or any part of one in a script that puts no blanks within compounds.
/// (Algolia allows one error from 4 letters and two from 8.)
public struct MapSearch: Sendable {
  /// An entry that was found.
  public struct Match: Hashable, Sendable {
    /// The entry and the route to it.
    public let route: MapRoutes.Route
    /// The number of typing errors in all words.
    public let typos: Int
    /// The weakest of the fields that matched the words: 0 name, 1 synonym, 2 section, 3 screen.
    public let field: Int
    /// True if a word matched only a part.
    public let isPrefix: Bool
  }

  private struct Indexed: Sendable {
    let route: MapRoutes.Route
    let fields: [[[Character]]]
    /// The number of words of its name.
    let length: Int
  }

  private let entries: [Indexed]

  /// An index of all entries that can be reached on a system version.
  public init(_ map: SettingsMap, on version: SystemVersion? = nil) {
    entries = MapRoutes(map, on: version).routes.map { route in
      let texts = [
        [route.entry.name], route.entry.synonyms, [route.entry.section], Array(route.path.dropLast()),
      ]
      // "Two-factor" is found as "twofactor" and as "two factor".
      let fields = texts.map { $0.flatMap { Self.words($0) + ($0.contains("-") ? Self.words($0.parted) : []) } }
      return Indexed(route: route, fields: fields, length: Self.words(route.entry.name).count)
    }
  }

  /// The letters of the words of a text, without case and accents.
  static func words(_ text: String) -> [[Character]] {
    let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    let plain = folded.map { letters[$0] ?? String($0) }.joined()
    // A hyphen or an apostrophe within a word is ignored: "e-mail" becomes "email".
    return plain.filter { !"-'’".contains($0) }.split { !$0.isLetter && !$0.isNumber }.map(Array.init)
  }

  /// Letters that do not decompose into a base letter and an accent.
  private static let letters: [Character: String] = [
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d",
  ]
  /// Words of a question that do not identify an entry.
  private static let fillers = Set(
    ["a", "an", "the", "my", "i", "do", "how", "can", "where", "is", "to", "of", "for", "in", "on", "and", "me"].map(
      Array.init))

  /// The number of typing errors allowed in a word of `letters` letters.
  static func allowedTypos(_ letters: Int) -> Int { letters <= 4 ? 0 : letters <= 8 ? 1 : 2 }

  /// The matches, best first: fewest typing errors, then name before synonym, section and screen, whole words before
  /// prefixes, names with fewer additional words, more used entries, and the order of the map.
  public func find(_ query: String) -> [Match] {
    let all = Self.words(query)
    let wanted = all.filter { !Self.fillers.contains($0) }
    let words = wanted.isEmpty ? all : wanted
    guard !words.isEmpty else { return [] }
    let found = entries.enumerated().compactMap { order, one -> (match: Match, left: Int, order: Int)? in
      var (typos, field, isPrefix) = (0, 0, false)
      for word in words {
        guard let best = Self.best(word, in: one.fields) else { return nil }
        typos += best.typos
        field = max(field, best.field)
        isPrefix = isPrefix || best.isPrefix
      }
      let left = max(0, one.length - words.count)
      return (Match(route: one.route, typos: typos, field: field, isPrefix: isPrefix), field == 0 ? left : 0, order)
    }
    return found.sorted { one, other in
      let (a, b) = (one.match, other.match)
      let (first, second) = (
        (a.typos, a.field, a.isPrefix ? 1 : 0, one.left), (b.typos, b.field, b.isPrefix ? 1 : 0, other.left)
      )
      guard first == second else { return first < second }
      return (-a.route.entry.use, one.order) < (-b.route.entry.use, other.order)
    }.map(\.match)
  }

  private static func best(_ word: [Character], in fields: [[[Character]]]) -> (typos: Int, field: Int, isPrefix: Bool)?
  {
    var best: (typos: Int, field: Int, isPrefix: Bool)?
    for (field, words) in fields.enumerated() {
      for known in words {
        for isPrefix in [false, true] where !isPrefix || known.count > word.count {
          let fewest = isPrefix && isPart(word, of: known) ? 0 : typos(word, known, isPrefix: isPrefix)
          guard let typos = fewest else { continue }
          let one = (typos, field, isPrefix)
          if let old = best, (old.typos, old.field, old.isPrefix ? 1 : 0) <= (typos, field, isPrefix ? 1 : 0) {
            continue
          }
          best = one
        }
      }
    }
    return best
  }

  /// Returns true for a part of a word in a script that puts no blanks between words or within compounds, such as
  /// Japanese, Thai and Korean.
  private static func isPart(_ typed: [Character], of known: [Character]) -> Bool {
    typed.contains { $0.unicodeScalars.contains { scalar in unspaced.contains { $0.contains(scalar.value) } } }
      && known.count > typed.count
      && (0...known.count - typed.count).contains { known[$0..<$0 + typed.count].elementsEqual(typed) }
  }

  /// Thai and Lao; Tibetan; Burmese; letters of Hangul, whose compounds are often written without blanks; Khmer; kana,
  /// Bopomofo and letters of Hangul; Han; Yi; Hangul; Han beyond the basic plane.
  private static let unspaced: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x0F00...0x0FFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x3040...0x31FF,
    0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x20000...0x3FFFF,
  ]

  /// The number of typing errors from a typed word to a known one or its prefix; `nil` if there are too many.
  static func typos(_ typed: [Character], _ known: [Character], isPrefix: Bool) -> Int? {
    let maximum = allowedTypos(typed.count)
    guard isPrefix || abs(typed.count - known.count) <= maximum else { return nil }
    let distance = distance(typed, isPrefix ? Array(known.prefix(typed.count + maximum)) : known, isPrefix: isPrefix)
    let first = distance > 0 && typed.first != known.first ? distance + 1 : distance
    return first <= maximum ? first : nil
  }

  /// The number of insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); for a
  /// prefix the minimum over all prefixes.
  private static func distance(_ typed: [Character], _ known: [Character], isPrefix: Bool) -> Int {
    var (before, last): ([Int], [Int]) = ([], Array(0...known.count))
    for i in 1...max(1, typed.count) where !typed.isEmpty {
      var row = [i]
      for j in 1...max(1, known.count) where !known.isEmpty {
        let isSame = typed[i - 1] == known[j - 1]
        var minimum = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, typed[i - 1] == known[j - 2], typed[i - 2] == known[j - 1] {
          minimum = min(minimum, before[j - 2] + 1)
        }
        row.append(minimum)
      }
      (before, last) = (last, row)
    }
    return isPrefix ? last.min() ?? 0 : last[last.count - 1]
  }
}

extension String {
  /// The text with spaces instead of hyphens.
  fileprivate var parted: String { String(map { $0 == "-" ? " " : $0 }) }
}
