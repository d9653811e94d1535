// SPDX-License-Identifier: GPL-3.0-or-later

/// The candidate closest to what was typed, when it is at most a third of its letters away.
func nearest(to typed: String, among candidates: [String]) -> String? {
  let closest = candidates.map { (name: $0, distance: editDistance(typed.lowercased(), $0.lowercased())) }
    .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
  guard let closest, closest.distance <= max(2, typed.count / 3), closest.distance < typed.count else { return nil }
  return closest.name
}

/// Levenshtein's distance: insertions, deletions and substitutions that turn one string into the other.
func editDistance(_ first: String, _ second: String) -> Int {
  let letters = Array(second)
  var row = Array(0...letters.count)
  for (i, letter) in first.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in letters.indices {
      let substituted = diagonal + (letter == letters[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[letters.count]
}
