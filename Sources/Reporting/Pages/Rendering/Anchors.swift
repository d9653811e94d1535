// SPDX-License-Identifier: GPL-3.0-or-later

/// The names that links on a page lead to, each given out once.
struct Anchors {
  private var taken: Set<String>

  /// - Parameter reserved: the names that the page's own parts have.
  init(reserved: Set<String>) {
    taken = reserved
  }

  /// A name of lower-case letters, digits and hyphens that nothing else on the page has: the one wished for where it
  /// is free, with a number behind it otherwise.
  mutating func name(for wish: String) -> String {
    let plain = Self.plain(wish)
    var name = plain
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(plain)-\(number)"
      number += 1
    }
    return name
  }

  private static func plain(_ wish: String) -> String {
    let scalars = wish.lowercased().unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "0"..."9": Character(scalar)
      default: Character("-")
      }
    }
    let words = String(scalars).split(separator: "-")
    return words.isEmpty ? "part" : words.joined(separator: "-")
  }
}
