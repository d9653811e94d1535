// SPDX-License-Identifier: Apache-2.0

extension Gen where Value == String {
  /// Texts that a regular expression matches as a whole.
  ///
  /// ```swift
  /// let plates = Gen<String>.strings(matching: #"[A-Z]{1,3}-[A-Z]{1,2} [1-9]\d{0,3}"#)
  /// ```
  ///
  /// The patterns are those that mean the same to Swift's `Regex` and to RE2: characters, `.`, the escapes `\d \D \w \W
  /// \s \S \t \n \r \f \x41 \x{1F600}` and those of punctuation, classes such as `[a-z_\d]` and `[^"]`, groups `(…)`,
  /// `(?:…)` and `(?<name>…)`, alternatives `|`, the repetitions `? * + {2} {2,} {2,5}`, with or without `?` behind
  /// them, and `^` at the start and `$` at the end of the pattern. `.`, negated classes, `\D`, `\W` and `\S` give the
  /// 95 visible characters of ASCII only, and an unlimited repetition gives at most eight more than it must.
  ///
  /// Counterexamples shrink towards first alternatives, few repetitions and the first characters of classes.
  ///
  /// - Parameter pattern: The regular expression.
  /// - Returns: A generator; every case is discarded, with the reason, for another pattern.
  public static func strings(matching pattern: String) -> Gen<String> {
    var parser = PatternParser(pattern)
    do throws(PatternError) {
      return try parser.whole()
    } catch {
      return .impossible("strings(matching: \"\(pattern)\"): at character \(error.index + 1), \(error.problem)")
    }
  }
}

/// The reason why a pattern is not understood, and the index of the character.
private struct PatternError: Error {
  let index: Int
  let problem: String
}

/// Reads a regular expression as a generator of the texts that it matches.
private struct PatternParser {
  private static let maxRepetitions = 1000
  private static let maxMore = 8
  /// The visible characters of ASCII, letters and digits first.
  private static let visible: [Unicode.Scalar] =
    scalars("a"..."z") + scalars("A"..."Z") + scalars("0"..."9") + scalars(" "..."/") + scalars(":"..."@")
    + scalars("["..."`") + scalars("{"..."~")

  private let pattern: [Unicode.Scalar]
  private var index = 0

  init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

  private static func scalars(_ range: ClosedRange<Unicode.Scalar>) -> [Unicode.Scalar] {
    (range.lowerBound.value...range.upperBound.value).compactMap(Unicode.Scalar.init)
  }

  private var next: Unicode.Scalar? { index < pattern.count ? pattern[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    if next != scalar { return false }
    index += 1
    return true
  }

  private func fail<Value>(_ problem: String, at other: Int? = nil) throws(PatternError) -> Value {
    throw PatternError(index: other ?? index, problem: problem)
  }

  mutating func whole() throws(PatternError) -> Gen<String> {
    _ = take("^")
    let all = try alternatives()
    if index < pattern.count { return try fail("')' has no '('; write \\) for the character") }
    return all
  }

  private mutating func alternatives() throws(PatternError) -> Gen<String> {
    var all = [try sequence()]
    while take("|") { all.append(try sequence()) }
    if all.count == 1 { return all[0] }
    let choices = all
    return Gen(span: .choice) { draws in try choices[draws.branch(choices.count)].make(&draws) }
  }

  private mutating func sequence() throws(PatternError) -> Gen<String> {
    var parts: [Gen<String>] = []
    while let first = next, first != "|", first != ")" {
      if first == "$", index == pattern.count - 1 {
        index += 1
        break
      }
      parts.append(try repeated(try part()))
    }
    return parts.count == 1 ? parts[0] : Gen<[String]>.sequence(parts).map { $0.joined() }
  }

  private mutating func repeated(_ part: Gen<String>) throws(PatternError) -> Gen<String> {
    let start = index
    var (minimum, maximum) = (1, 1 as Int?)
    switch next {
    case "?": (minimum, maximum) = (0, 1)
    case "*": (minimum, maximum) = (0, nil)
    case "+": (minimum, maximum) = (1, nil)
    case "{":
      index += 1
      minimum = try count()
      maximum = minimum
      if take(",") { maximum = next == "}" ? nil : try count() }
      if next != "}" { return try fail("expected } after the numbers of a repetition") }
    default: return part
    }
    index += 1
    _ = take("?")
    if let next, "?*+{".unicodeScalars.contains(next) { return try fail("'\(next)' repeats nothing") }
    let upper = maximum ?? minimum + Self.maxMore
    guard minimum <= upper, upper <= Self.maxRepetitions + Self.maxMore else {
      return try fail("a repetition is from a number to one that is not smaller, up to 1000", at: start)
    }
    return Gen<[String]>.arrays(of: part, count: minimum...upper).map { $0.joined() }
  }

  private mutating func count() throws(PatternError) -> Int {
    let start = index
    while let next, ("0"..."9").contains(next) { index += 1 }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: pattern[start..<index])
    guard let count = Int(String(text)), count <= Self.maxRepetitions else {
      return try fail("expected a number from 0 to 1000; write \\{ for the character", at: start)
    }
    return count
  }

  private mutating func part() throws(PatternError) -> Gen<String> {
    let start = index
    guard let first = next else { return try fail("expected a character") }
    index += 1
    switch first {
    case "(":
      try groupKind()
      let inner = try alternatives()
      if !take(")") { return try fail("expected ) for the ( at character \(start + 1)") }
      return inner
    case "[": return Self.one(of: try members(start))
    case "\\": return Self.one(of: try escape())
    case ".": return Self.one(of: Self.visible)
    case "?", "*", "+", "{":
      return try fail("'\(first)' repeats nothing; write \\\(first) for the character", at: start)
    case "]", "}", "^", "$": return try fail("write \\\(first) for the character", at: start)
    default: return Self.one(of: [first])
    }
  }

  private mutating func groupKind() throws(PatternError) {
    guard take("?") else { return }
    if take(":") { return }
    let isNamed = take("<") && next != "=" && next != "!"
    while isNamed, let next, next != ">" { index += 1 }
    if !isNamed || !take(">") { let _: Void = try fail("of groups with ?, only (?:…) and (?<name>…) are known") }
  }

  /// The characters of a class, whose bracket is at an index.
  private mutating func members(_ start: Int) throws(PatternError) -> [Unicode.Scalar] {
    let isNegated = take("^")
    var members: [Unicode.Scalar] = []
    while let first = next, first != "]" {
      let before = index
      index += 1
      if first == "[" || first == "^" || first == "-" && !members.isEmpty && next != "]" {
        return try fail("write \\\(first) for the character in a class", at: before)
      }
      let lower = first == "\\" ? try escape() : [first]
      guard next == "-", index + 1 < pattern.count, pattern[index + 1] != "]" else {
        members += lower
        continue
      }
      index += 1
      let second = pattern[index]
      index += 1
      let upper = second == "\\" ? try escape() : [second]
      guard lower.count == 1, upper.count == 1, lower[0] <= upper[0] else {
        return try fail("a range is from a character to one that is not before it", at: before)
      }
      members += Self.scalars(lower[0]...upper[0])
    }
    if !take("]") { return try fail("expected ] for the [ at character \(start + 1)") }
    if isNegated { members = Self.visible.filter { !members.contains($0) } }
    if members.isEmpty { return try fail("the class has no characters", at: start) }
    return members
  }

  /// The characters of an escape, whose backslash is read.
  private mutating func escape() throws(PatternError) -> [Unicode.Scalar] {
    let start = index - 1
    guard let kind = next else { return try fail("expected a character after \\") }
    index += 1
    let digits = Self.scalars("0"..."9")
    let word = Self.scalars("a"..."z") + Self.scalars("A"..."Z") + digits + ["_"]
    switch kind {
    case "d": return digits
    case "D": return Self.visible.filter { !digits.contains($0) }
    case "w": return word
    case "W": return Self.visible.filter { !word.contains($0) }
    case "s": return [" ", "\t", "\n"]
    case "S": return Self.visible.filter { $0 != " " }
    case "t": return ["\t"]
    case "n": return ["\n"]
    case "r": return ["\r"]
    case "f": return ["\u{C}"]
    case "x":
      let isLong = take("{")
      let from = index
      while let next, next.properties.isASCIIHexDigit, isLong || index < from + 2 { index += 1 }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: pattern[from..<index])
      guard let code = UInt32(String(text), radix: 16), let scalar = Unicode.Scalar(code),
        isLong ? take("}") : index == from + 2
      else { return try fail("expected \\x41 or \\x{41}", at: start) }
      return [scalar]
    default:
      if kind.isASCII, !kind.properties.isAlphabetic, kind.properties.numericType == nil { return [kind] }
      return try fail("the escape \\\(kind) is not known", at: start)
    }
  }

  private static func one(of scalars: [Unicode.Scalar]) -> Gen<String> {
    let texts = scalars.map(String.init)
    return texts.count == 1 ? .just(texts[0]) : .elements(of: texts)
  }
}
