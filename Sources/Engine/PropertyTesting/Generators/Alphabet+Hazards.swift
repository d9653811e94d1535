// SPDX-License-Identifier: GPL-3.0-or-later

extension Alphabet {
  /// Emoji: of one scalar, with skin tones, joined into families and professions, flags and keycaps.
  public static let emoji = Alphabet([
    "🙂", "😀", "🎉", "🏈", "🏆", "☺", "❤\u{FE0F}", "☎\u{FE0E}", "👍", "👍\u{1F3FD}", "🤦\u{1F3FC}\u{200D}♂\u{FE0F}",
    "👩\u{200D}💻", "👨\u{200D}👩\u{200D}👧\u{200D}👦", "🏳\u{FE0F}\u{200D}🌈", "🧑\u{1F3FF}\u{200D}🤝\u{200D}🧑\u{1F3FB}",
    "🇩🇪", "🇺🇸", "🇩", "1\u{FE0F}\u{20E3}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
  ])

  /// Letters with marks that join with what stands before them: accents, enclosing marks, joiners, Hangul parts.
  public static let combining = Alphabet([
    "a", "e", "\u{301}", "\u{300}", "\u{308}", "\u{327}", "\u{323}", "\u{20DD}", "\u{489}", "\u{FE0F}", "\u{93F}",
    "\u{1100}", "\u{1161}", "\u{11A8}", "é", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "q\u{307}\u{323}",
  ])

  /// Control characters, the 32 of ASCII first, and DEL.
  public static let control = Alphabet(
    (Array(0...31) + [127, 0x80, 0x85, 0x9B, 0x9F]).map { (code: UInt8) in String(Unicode.Scalar(code)) })

  /// White space, visible width or not, and the ways to end a line.
  public static let whitespace = Alphabet([
    " ", "\t", "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{A0}", "\u{1680}", "\u{2003}", "\u{2009}", "\u{2028}",
    "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}",
  ])

  /// Characters without width or with a will of their own: joiners, byte order marks, overrides of the direction,
  /// private and unassigned ones.
  public static let invisible = Alphabet([
    "\u{200B}", "\u{200C}", "\u{200D}", "\u{AD}", "\u{FEFF}", "\u{2060}", "\u{200E}", "\u{200F}", "\u{202E}",
    "\u{202D}", "\u{202C}", "\u{2066}", "\u{2067}", "\u{2069}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{E000}",
    "\u{10FFFF}",
  ])

  /// What breaks programs that paste names together: quotes, separators, markup, formulas, paths, format directives.
  public static let hurtful = Alphabet([
    "'", "\"", ",", ";", "\n", "\r\n", "\t", "\0", "\\", "/", "|", "`", "<", ">", "&", "%", "$", "#", "*", "?", ":",
    "=", "+", "-", "@", "{", "}", "[", "]", "--", "..", "../", "//", "/*", "*/", "<!--", "-->", "&amp;", "&lt;", "<b>",
    "</b>", "<script>alert(1)</script>", "=1+1", "=cmd|' /C calc'!A0", "+1", "@SUM(1)", "' OR '1'='1",
    "'); DROP TABLE teams;--", "%s", "%n", "%00", "%2e", "\\n", "\\u0000", "${x}", "{{x}}", "null", "nil", "NaN",
    "true", "0", "-0", "1e9", "CON", " ", "  ", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{202E}",
  ])

  /// Everything above, plain characters first and most often: what strings are made of when nothing is said.
  public static let mixed = Alphabet(
    of: alphanumeric, ascii, latin, whitespace, hurtful, scripts, rightToLeft, emoji, combining, control, invisible)
}
