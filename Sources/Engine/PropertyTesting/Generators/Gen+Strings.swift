// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

extension Gen where Value == String {
  /// Strings.
  ///
  /// Most are plain; others mix kinds of symbols or are of one strange kind throughout. Counterexamples shrink towards
  /// short ones of the first symbols of the alphabet.
  ///
  /// - Parameters:
  ///   - alphabet: What they are made of.
  ///   - count: How many symbols they have. Symbols can be longer or shorter than a character.
  /// - Returns: A generator of strings.
  public static func strings(of alphabet: Alphabet = .mixed, count: ClosedRange<Int> = 0...20) -> Gen<String> {
    let range = max(0, count.lowerBound)...max(0, count.upperBound)
    if alphabet.symbols.isEmpty && range.lowerBound > 0 { return .impossible("strings(of:) has no symbols") }
    let length = alphabet.symbols.isEmpty ? 0...0 : range
    let domain = TapeEntry.index(below: max(1, alphabet.symbols.count))
    return Gen(span: .collection) { draws in
      let count = try draws.length(length)
      let style = StringStyle(alphabet, &draws)
      var string = ""
      for _ in 0..<count {
        let index = try draws.choose(domain) { draws in style.index(alphabet, domain, &draws) }
        string += alphabet.symbols[Int(index)]
      }
      return string
    }
  }

  /// Strings of a fixed number of symbols.
  public static func strings(of alphabet: Alphabet = .mixed, count: Int) -> Gen<String> {
    strings(of: alphabet, count: max(0, count)...max(0, count))
  }
}

extension Gen where Value == Character {
  /// Characters of an alphabet: those of its symbols that are one character. Counterexamples shrink towards the first.
  public static func characters(of alphabet: Alphabet = .mixed) -> Gen<Character> {
    let characters = Alphabet(alphabet.symbols.filter { $0.count == 1 })
    guard !characters.symbols.isEmpty else { return .impossible("characters(of:) has no symbol of one character") }
    return elements(of: characters.symbols.map { Character($0) })
  }
}

extension Gen where Value == Unicode.Scalar {
  /// Unicode scalars: often ASCII, often the first or last of a plane or of a length in UTF-8 or UTF-16.
  ///
  /// - Parameter range: The scalars to choose from; the surrogates between U+D7FF and U+E000 are none.
  /// - Returns: A generator of scalars.
  public static func unicodeScalars(
    in range: ClosedRange<Unicode.Scalar> = "\0"..."\u{10FFFF}"
  ) -> Gen<Unicode.Scalar> {
    // The surrogates are cut out, so that every number is a scalar.
    func place(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value < 0xD800 ? scalar.value : scalar.value - 0x800 }
    let simplest = range.contains("a") ? "a" : range.lowerBound
    let edges: [Unicode.Scalar] = [
      "\0", " ", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}",
      "\u{10FFFF}",
    ]
    let places = Gen<UInt32>.integers(
      in: place(range.lowerBound)...place(range.upperBound), towards: place(simplest),
      constants: edges.filter(range.contains).map(place))
    return places.map { place in
      guard let scalar = Unicode.Scalar(place < 0xD800 ? place : place + 0x800) else { throw Discard.filtered }
      return scalar
    }
  }
}

/// How one string is drawn.
private struct StringStyle {
  /// The only kind of symbols in it; nil for all kinds.
  private var kind: Int?
  /// Of 8 symbols, how many are of the first kind, when all kinds are in it.
  private var plainness: UInt32 = 0

  init(_ alphabet: Alphabet, _ draws: inout Draws) {
    guard alphabet.kinds.count > 1, !draws.isReplaying else { return }
    switch draws.words.next() & 7 {
    case 0, 1: kind = 0
    case 2, 3: kind = Int(draws.below(UInt64(alphabet.kinds.count - 1)))
    case 4, 5: plainness = 6
    default: plainness = 2
    }
  }

  func index(_ alphabet: Alphabet, _ domain: TapeEntry, _ draws: inout Draws) -> UInt64 {
    let dice = draws.words.next()
    if dice & 255 < draws.echoes, let echo = draws.echo(of: domain, dice >> 8) { return echo }
    return alphabet.index(of: kind ?? (dice >> 8 & 7 < plainness ? 0 : nil), &draws)
  }
}
