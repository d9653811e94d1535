// SPDX-License-Identifier: GPL-3.0-or-later

/// What strings are made of: symbols in order, the simplest first.
///
/// A symbol is usually one character; it may be several, such as a family emoji or a snippet of HTML, or a part of
/// one, such as a combining accent, which joins with what stands before it.
public struct Alphabet: Sendable {
  /// The symbols, the simplest first, each once.
  public private(set) var symbols: [String] = []
  /// Ranges of symbols that are of a kind: each kind is equally likely, however many symbols it has.
  private(set) var kinds: [Range<Int>] = []

  /// Creates an alphabet.
  ///
  /// - Parameter symbols: The symbols, the simplest first; those that are there already, scalar by scalar, are left
  ///   out.
  public init(_ symbols: some Sequence<String>) {
    add(Array(symbols))
  }

  /// Creates an alphabet of the characters of a string, the simplest first: `Alphabet("ACGT")`.
  public init(_ characters: String) {
    self.init(characters.map(String.init))
  }

  /// The symbols of several alphabets; each alphabet is equally likely, however many symbols it has.
  ///
  /// - Parameter alphabets: The alphabets, the simplest first.
  public init(of alphabets: Alphabet...) {
    for alphabet in alphabets { add(alphabet.symbols) }
  }

  /// The symbols of both; each alphabet is equally likely.
  public static func + (left: Alphabet, right: Alphabet) -> Alphabet {
    var sum = left
    for kind in right.kinds { sum.add(Array(right.symbols[kind])) }
    return sum
  }

  private mutating func add(_ more: [String]) {
    // Strings compare by canonical equivalence, and an alphabet may well hold both ways to write the same letter.
    var known = Set(symbols.map { Array($0.utf8) })
    let start = symbols.count
    symbols += more.filter { !$0.isEmpty && known.insert(Array($0.utf8)).inserted }
    if symbols.count > start { kinds.append(start..<symbols.count) }
  }

  /// The index of a symbol of one kind or, for nil, of any.
  func index(of kind: Int?, _ draws: inout Draws) -> UInt64 {
    let range = kinds[kind ?? Int(draws.below(UInt64(kinds.count - 1)))]
    return UInt64(range.lowerBound) + draws.below(UInt64(range.count - 1))
  }
}
