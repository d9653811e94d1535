// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a threshold from left to right.
struct ThresholdParser {
  typealias Parts = (
    name: String, label: String?, condition: Threshold.Condition, confidence: Threshold.Number?
  )

  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    characters = Array(text)
  }

  mutating func threshold() throws(ThresholdError) -> Parts {
    skipSpace()
    let (name, label) = (try name(), try label())
    let condition = try condition()
    skipSpace()
    var confidence: Threshold.Number?
    if !isAtEnd {
      guard skip(word: "at") else {
        throw unexpected("'at CONFIDENCE', for example 'at 0.99', or the end")
      }
      confidence = try self.confidence()
      skipSpace()
      guard isAtEnd else { throw unexpected("the end") }
    }
    return (name, label, condition, confidence)
  }

  private mutating func name() throws(ThresholdError) -> String {
    let start = position
    let name = String(take { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) })
    guard let first = name.first, first.isLetter, name.last != ".", !name.contains("..") else {
      position = start
      throw unexpected("the name of a measurement, words joined by points, for example chart.mismatches")
    }
    return name
  }

  private mutating func label() throws(ThresholdError) -> String? {
    guard skip("[") else { return nil }
    let start = position
    let label = String(take { $0 != "[" && $0 != "]" && !$0.isNewline })
    guard label.contains(where: { !$0.isWhitespace }) else {
      position = start
      throw unexpected("a label between the brackets")
    }
    guard skip("]") else { throw unexpected("']' behind the label") }
    return label
  }

  private mutating func condition() throws(ThresholdError) -> Threshold.Condition {
    skipSpace()
    if skip(word: "in") {
      let low = try number("LOW..HIGH, for example 0.1..0.2")
      skipSpace()
      guard skip("."), skip(".") else { throw unexpected("'..' and the upper end") }
      let start = position
      let high = try number("the upper end")
      guard low.value <= high.value else {
        position = start
        throw unexpected("an upper end of at least \(low.text)")
      }
      return .within(low: low, high: high)
    }
    let comparator = try comparator()
    skipSpace()
    if skip(word: "baseline") { return .relative(comparator, margin: try margin()) }
    return .compared(comparator, try number("a number, or 'baseline' with a margin"))
  }

  /// `+ MARGIN`, `- MARGIN` or nothing behind `baseline`.
  private mutating func margin() throws(ThresholdError) -> Threshold.Number {
    skipSpace()
    let isBelow = skip("-")
    guard isBelow || skip("+") else { return Threshold.Number(0) }
    skipSpace()
    guard next.map({ !"+-".contains($0) }) ?? true else { throw unexpected("a margin without a sign, for example 5%") }
    let start = position
    let margin = try number("a margin, for example 5% or 0.2")
    guard !isBelow || !margin.isPercent || margin.value < 1 else {
      position = start
      throw unexpected("a margin below 100%", found: margin.text)
    }
    return Threshold.Number(isBelow ? -margin.written : margin.written, isPercent: margin.isPercent)
  }

  private mutating func comparator() throws(ThresholdError) -> Threshold.Comparator {
    let start = position
    let sign = String(take { "<>=!≥≤≠~".contains($0) })
    guard let comparator = Threshold.Comparator(rawValue: sign) else {
      position = start
      let meant = ["=": "==", "=<": "<=", "=>": ">=", "≥": ">=", "≤": "<=", "≠": "!=", "<>": "!=", "===": "=="][sign]
      let known = Threshold.Comparator.allCases.map(\.rawValue).joined(separator: " ")
      throw unexpected(
        "one of \(known) in" + (meant.map { " (did you mean '\($0)'?)" } ?? ""), found: sign.isEmpty ? nil : sign)
    }
    return comparator
  }

  private mutating func confidence() throws(ThresholdError) -> Threshold.Number {
    skipSpace()
    let start = position
    let expected = "a confidence above 0.5 and below 1, for example 0.99"
    let number = try number(expected)
    guard number.value > 0.5, number.value < 1 else {
      let found = String(characters[start..<position])
      position = start
      throw unexpected(expected, found: found)
    }
    return number
  }

  /// Digits with `_` between them if wanted, a fraction, an exponent, a percent sign.
  private mutating func number(_ expected: String) throws(ThresholdError) -> Threshold.Number {
    skipSpace()
    let start = position
    var text = ""
    if skip("-") { text = "-" } else { _ = skip("+") }
    text += digits()
    // Two points end the number: they stand between the ends of an interval.
    if isDigit(at: 1), skip(".") { text += "." + digits() }
    if let sign = next, sign == "e" || sign == "E" {
      let isSigned = position + 1 < characters.count && "+-".contains(characters[position + 1])
      if isDigit(at: isSigned ? 2 : 1) {
        text += "e" + (isSigned ? String(characters[position + 1]) : "")
        position += isSigned ? 2 : 1
        text += digits()
      }
    }
    guard let first = text.drop(while: { $0 == "-" }).first, first.isNumber, let value = Double(text), value.isFinite,
      next.map({ !$0.isLetter && !$0.isNumber }) ?? true
    else {
      position = start
      throw unexpected(expected)
    }
    return Threshold.Number(value == 0 ? 0 : value, isPercent: skip("%"))
  }

  private mutating func digits() -> String {
    String(take { ("0"..."9").contains($0) || $0 == "_" }.filter { $0 != "_" })
  }

  private func isDigit(at offset: Int) -> Bool {
    position + offset < characters.count && ("0"..."9").contains(characters[position + offset])
  }
}

extension ThresholdParser {
  private var isAtEnd: Bool { position >= characters.count }

  private var next: Character? { isAtEnd ? nil : characters[position] }

  private mutating func skipSpace() { _ = take(while: \.isWhitespace) }

  private mutating func take(while matches: (Character) -> Bool) -> ArraySlice<Character> {
    let taken = characters[position...].prefix(while: matches)
    position += taken.count
    return taken
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard next == character else { return false }
    position += 1
    return true
  }

  /// A word that does not go on.
  private mutating func skip(word: String) -> Bool {
    let end = position + word.count
    guard characters[position...].starts(with: word), end >= characters.count || !characters[end].isLetter else {
      return false
    }
    position = end
    return true
  }

  /// The error at the next character, which names what stands there up to the next space.
  private func unexpected(_ expected: String, found: String? = nil) -> ThresholdError {
    let rest = found ?? String(characters[position...].prefix { !$0.isWhitespace })
    let shown = rest.isEmpty ? (isAtEnd ? "the end" : "nothing") : "'\(rest)'"
    return .unexpected(found: shown, column: position + 1, expected: expected)
  }
}
