// SPDX-License-Identifier: Apache-2.0
internal import SeededWords

extension Gen where Value == String {
  /// Strings of the symbols of an alphabet.
  ///
  ///     Gen.strings(of: .letters + .digits, count: 1...8)
  ///
  /// Most are plain; others mix kinds of symbols or consist of one unusual kind. Counterexamples shrink towards short
  /// strings of the first symbols of the alphabet. `count` is the number of symbols, which can be longer or shorter
  /// than a character.
  public static func strings(of alphabet: Alphabet = .mixed, count: ClosedRange<Int> = 0...20) -> Gen<String> {
    if alphabet.symbols.isEmpty && count.lowerBound > 0 { return .impossible("strings(of:) has no symbols") }
    let length = alphabet.symbols.isEmpty ? 0...0 : count
    let domain = ChoiceEntry.index(below: max(1, alphabet.symbols.count))
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
  ///
  ///     Gen.strings(of: .digits, count: 6)
  public static func strings(of alphabet: Alphabet = .mixed, count: Int) -> Gen<String> {
    strings(of: alphabet, count: count...count)
  }
}

extension Gen where Value == Character {
  /// Characters of an alphabet: its symbols of one character. Counterexamples shrink towards the first.
  ///
  ///     Gen.characters(of: .emoji)
  public static func characters(of alphabet: Alphabet = .mixed) -> Gen<Character> {
    let characters = Alphabet(alphabet.symbols.filter { $0.count == 1 })
    guard !characters.symbols.isEmpty else { return .impossible("characters(of:) has no symbol of one character") }
    return elements(of: characters.symbols.map { Character($0) })
  }
}

extension Gen where Value == Unicode.Scalar {
  /// Unicode scalars, often ASCII, and often the first or last one of a plane or of a length in UTF-8 or UTF-16.
  ///
  ///     Gen.unicodeScalars(in: "a"..."z")
  public static func unicodeScalars(
    in range: ClosedRange<Unicode.Scalar> = "\0"..."\u{10FFFF}"
  ) -> Gen<Unicode.Scalar> {
    // The surrogates are excluded, so that every number is a scalar.
    func position(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value < 0xD800 ? scalar.value : scalar.value - 0x800 }
    let simplest = range.contains("a") ? "a" : range.lowerBound
    let edges: [Unicode.Scalar] = [
      "\0", " ", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}",
      "\u{10FFFF}",
    ]
    let indices = Gen<UInt32>.integers(
      in: position(range.lowerBound)...position(range.upperBound), towards: position(simplest),
      constants: edges.filter(range.contains).map(position))
    return indices.map { position in
      guard let scalar = Unicode.Scalar(position < 0xD800 ? position : position + 0x800) else { throw Discard.filtered }
      return scalar
    }
  }
}

private struct StringStyle {
  /// The only kind of symbols; `nil` for all kinds.
  private var kind: Int?
  /// The number of symbols of the first kind among 8, if all kinds occur.
  private var plainness: UInt32 = 0

  init(_ alphabet: Alphabet, _ draws: inout ChoiceSource) {
    guard alphabet.kinds.count > 1, !draws.isReplaying else { return }
    switch draws.words.next() & 7 {
    case 0, 1: kind = 0
    case 2, 3: kind = Int(draws.below(UInt64(alphabet.kinds.count - 1)))
    case 4, 5: plainness = 6
    default: plainness = 2
    }
  }

  func index(_ alphabet: Alphabet, _ domain: ChoiceEntry, _ draws: inout ChoiceSource) -> UInt64 {
    let dice = draws.words.next()
    if dice & 255 < draws.echoes, let echo = draws.echo(of: domain, dice >> 8) { return echo }
    return alphabet.index(of: kind ?? (dice >> 8 & 7 < plainness ? 0 : nil), &draws)
  }
}

/// The symbols of strings, in order, the simplest first.
///
/// A symbol is usually one character; it may be several, such as a snippet of HTML, or a part of one, such as a
/// combining accent, which joins with the text before it.
public struct Alphabet: Sendable {
  /// The distinct symbols, the simplest first.
  public private(set) var symbols: [String] = []
  /// Ranges of symbols of one kind; the kinds are equally likely, whatever their numbers of symbols.
  private(set) var kinds: [Range<Int>] = []

  /// Creates an alphabet of symbols, the simplest first; repeated ones, compared by scalars, are left out.
  public init(_ symbols: some Sequence<String>) {
    add(Array(symbols))
  }

  /// Creates an alphabet of the characters of a string, the simplest first: `Alphabet("ACGT")`.
  public init(_ characters: String) {
    self.init(characters.map(String.init))
  }

  /// The symbols of several alphabets, the simplest first; the alphabets are equally likely, whatever their numbers of
  /// symbols.
  public init(of alphabets: Alphabet...) {
    for alphabet in alphabets { add(alphabet.symbols) }
  }

  /// The symbols of both alphabets, which are equally likely.
  public static func + (left: Alphabet, right: Alphabet) -> Alphabet {
    var sum = left
    for kind in right.kinds { sum.add(Array(right.symbols[kind])) }
    return sum
  }

  private mutating func add(_ more: [String]) {
    // Strings compare by canonical equivalence, but an alphabet may contain both encodings of a letter.
    var known = Set(symbols.map { Array($0.utf8) })
    let start = symbols.count
    symbols += more.filter { !$0.isEmpty && known.insert(Array($0.utf8)).inserted }
    if symbols.count > start { kinds.append(start..<symbols.count) }
  }

  /// The index of a random symbol of one kind or, for `nil`, of any kind.
  func index(of kind: Int?, _ draws: inout ChoiceSource) -> UInt64 {
    let range = kinds[kind ?? Int(draws.below(UInt64(kinds.count - 1)))]
    return UInt64(range.lowerBound) + draws.below(UInt64(range.count - 1))
  }

  /// The letters a to z and A to Z.
  public static let letters = Alphabet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  /// The digits 0 to 9.
  public static let digits = Alphabet("0123456789")

  /// Letters and digits.
  public static let alphanumeric = Alphabet(of: letters, digits)

  /// All characters of an English keyboard: letters, digits, the space and punctuation, 95 characters.
  public static let ascii = Alphabet(of: letters, digits, Alphabet(" .,-_!?:;'\"()[]{}<>/\\|@#$%^&*+=~`"))

  /// Letters of languages in the Latin alphabet, including those whose length changes with their case.
  public static let latin = Alphabet(
    of: letters,
    Alphabet("äöüßàáâãåæçèéêëìíîïðñòóôõøùúûýþÿāăąćĉčďđēėęěğģħĩīįıĵķłľńņňŋőœŕřśşšţťũūůűųŵŷźżžÄÖÜÀÅÆÇÉÑØŒŠŽÞİẞǅŉſﬁ"))

  /// Greek, Cyrillic, Chinese, Japanese, Korean and Indian letters, and some outside the basic plane.
  public static let scripts = Alphabet("αβγδσςΣΩжщъЯёЁ中文字日本語かなカナ한글각กำनिक्षि𝒜𝔸𠀀𐐷")

  /// Hebrew and Arabic letters, digits and punctuation, which run from right to left.
  public static let rightToLeft = Alphabet("אבגדהוזחטשתםףابتثجحخدسشصعغفقكلمنهويةىءﻻ٠١٢٣۴۵؟،")

  /// Emoji: of one scalar, with skin tones, joined into families and professions, flags and keycaps.
  public static let emoji = Alphabet([
    "🙂", "😀", "🎉", "🏈", "🏆", "☺", "❤\u{FE0F}", "☎\u{FE0E}", "👍", "👍\u{1F3FD}", "🤦\u{1F3FC}\u{200D}♂\u{FE0F}",
    "👩\u{200D}💻", "👨\u{200D}👩\u{200D}👧\u{200D}👦", "🏳\u{FE0F}\u{200D}🌈", "🧑\u{1F3FF}\u{200D}🤝\u{200D}🧑\u{1F3FB}",
    "🇩🇪", "🇺🇸", "🇩", "1\u{FE0F}\u{20E3}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
  ])

  /// Letters with combining marks: accents, enclosing marks, joiners, Hangul parts.
  public static let combining = Alphabet([
    "a", "e", "\u{301}", "\u{300}", "\u{308}", "\u{327}", "\u{323}", "\u{20DD}", "\u{489}", "\u{FE0F}", "\u{93F}",
    "\u{1100}", "\u{1161}", "\u{11A8}", "é", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "q\u{307}\u{323}",
  ])

  /// Control characters, the 32 of ASCII first, and DEL.
  public static let control = Alphabet(
    (Array(0...31) + [127, 0x80, 0x85, 0x9B, 0x9F]).map { (code: UInt8) in String(Unicode.Scalar(code)) })

  /// White space, with or without a visible width, and all line ends.
  public static let whitespace = Alphabet([
    " ", "\t", "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{A0}", "\u{1680}", "\u{2003}", "\u{2009}", "\u{2028}",
    "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}",
  ])

  /// Characters without width or with special effects: joiners, byte order marks, direction overrides, private and
  /// unassigned ones.
  public static let invisible = Alphabet([
    "\u{200B}", "\u{200C}", "\u{200D}", "\u{AD}", "\u{FEFF}", "\u{2060}", "\u{200E}", "\u{200F}", "\u{202E}",
    "\u{202D}", "\u{202C}", "\u{2066}", "\u{2067}", "\u{2069}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{E000}",
    "\u{10FFFF}",
  ])

  /// Texts that break programs which concatenate strings: quotes, separators, markup, formulas, paths, format
  /// directives.
  public static let hurtful = Alphabet([
    "'", "\"", ",", ";", "\n", "\r\n", "\t", "\0", "\\", "/", "|", "`", "<", ">", "&", "%", "$", "#", "*", "?", ":",
    "=", "+", "-", "@", "{", "}", "[", "]", "--", "..", "../", "//", "/*", "*/", "<!--", "-->", "&amp;", "&lt;", "<b>",
    "</b>", "<script>alert(1)</script>", "=1+1", "=cmd|' /C calc'!A0", "+1", "@SUM(1)", "' OR '1'='1",
    "'); DROP TABLE teams;--", "%s", "%n", "%00", "%2e", "\\n", "\\u0000", "${x}", "{{x}}", "null", "nil", "NaN",
    "true", "0", "-0", "1e9", "CON", " ", "  ", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{202E}",
  ])

  /// All alphabets above, plain characters first and most often; the default of strings.
  public static let mixed = Alphabet(
    of: alphanumeric, ascii, latin, whitespace, hurtful, scripts, rightToLeft, emoji, combining, control, invisible)
}
