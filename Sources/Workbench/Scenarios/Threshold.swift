// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// A scenario's requirement for a measurement, for example `reconnect.success >= 95% at 0.99`.
///
/// The grammar is `NAME COMPARATOR NUMBER [at CONFIDENCE]` with the comparators `>=`, `<=`, `>`, `<`, `==` and `!=`,
/// and `NAME in LOW..HIGH [at CONFIDENCE]`. A name may carry a label in brackets, a number may end in `%`, `k`, `M` or
/// `G`, and a length of time has its unit: `5s`, `250ms`, `1m30s`. In place of a number `baseline`, `baseline + MARGIN`
/// or `baseline - MARGIN` stands for the figure of an earlier run, where a margin in percent is that share of the
/// earlier figure's size.
package struct Threshold: Hashable, Sendable {
  /// A number as it was written.
  package struct Number: Hashable, Sendable {
    /// The digits, 95 for `95%`.
    package let written: Double
    /// The suffix of the digits: nothing, `%`, `k`, `M`, `G` or a unit of time.
    private let unit: String
    /// The value: 0.95 for `95%`, 5000 for `5k`; a length of time in the measure's unit, in seconds until that is
    /// known.
    package private(set) var value: Double

    package init(_ written: Double, isPercent: Bool = false) { self.init(written, unit: isPercent ? "%" : "") }

    init(_ written: Double, unit: String) {
      (self.written, self.unit) = (written, unit)
      // Shifting the digits rounds once; dividing by 100 would round twice and turn 99.9% into 0.9990000000000001.
      if let shift = ["%": -2, "ns": -9, "us": -6, "ms": -3, "k": 3, "M": 6, "G": 9][unit] {
        let parts = NumberFormat.shortest(written).lowercased().split(separator: "e")
        let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + shift
        value = Double("\(parts.first ?? "0")e\(exponent)") ?? .nan
      } else {
        value = written * (TimeSpan.seconds(in: unit) ?? 1)
      }
    }

    package var isPercent: Bool { unit == "%" }
    var isTime: Bool { TimeSpan.seconds(in: unit) != nil }

    /// The number of the other sign, in the same unit.
    fileprivate var negated: Self { Self(-written, unit: unit) }
    /// The number without its sign, as a margin is written.
    var size: Self { written < 0 ? negated : self }

    /// The number as thresholds write it, in as few digits as read back as the same.
    package var text: String { NumberFormat.shortest(written) + unit }

    /// The same number for a measure in that unit.
    func inUnit(_ measured: String) -> Self {
      guard isTime, let seconds = TimeSpan.seconds(ofMeasuresIn: measured), seconds != 1 else { return self }
      var number = Self(written, unit: unit)
      number.value /= seconds
      return number
    }
  }

  package enum Comparator: String, CaseIterable, Hashable, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "=="
    case unequal = "!="
  }

  package enum Condition: Hashable, Sendable {
    /// The figure is compared with a number.
    case compared(Comparator, Number)
    /// The figure lies between two numbers or on one of them.
    case within(low: Number, high: Number)

    /// The figure is compared with that of an earlier run plus a margin, below 0 for `baseline - MARGIN`.
    case relative(Comparator, margin: Number)

    /// The condition for a measure in that unit.
    func inUnit(_ unit: String) -> Condition {
      switch self {
      case .compared(let comparator, let number): .compared(comparator, number.inUnit(unit))
      case .within(let low, let high): .within(low: low.inUnit(unit), high: high.inUnit(unit))
      case .relative(let comparator, let margin): .relative(comparator, margin: margin.inUnit(unit))
      }
    }

    /// The numbers of the condition in ascending order; none if it is relative.
    package var numbers: [Number] {
      switch self {
      case .compared(_, let number): [number]
      case .within(let low, let high): [low, high]
      case .relative: []
      }
    }
  }

  /// The name of the measurement without a label: `ev`.
  package let name: String
  /// The label in brackets; `nil` if there is none.
  package let label: String?
  package let condition: Condition
  /// The confidence of the verdict; `nil` for a figure without sampling error.
  package let confidence: Number?
  /// The person or source that requires it; empty if nobody is named.
  package let source: String
  /// The line of the scenario's file, from 1; 0 if it comes from no file.
  package let line: Int

  /// A threshold.
  ///
  /// - Parameters:
  ///   - name: the measurement's name.
  ///   - label: its label, if it has one.
  ///   - condition: the requirement for the measurement.
  ///   - confidence: above 0.5 and below 1; `nil` for a figure without sampling error.
  ///   - source: who requires it.
  ///   - line: its line in the scenario's file.
  package init(
    name: String, label: String? = nil, _ condition: Condition, confidence: Number? = nil, source: String = "",
    line: Int = 0
  ) {
    (self.name, self.label, self.condition, self.confidence) = (name, label, condition, confidence)
    (self.source, self.line) = (source, line)
  }

  /// The threshold for a measure in that unit.
  package func inUnit(_ unit: String) -> Threshold {
    Threshold(
      name: name, label: label, condition.inUnit(unit), confidence: confidence, source: source, line: line)
  }

  /// Reads a threshold.
  ///
  /// - Parameters:
  ///   - text: the text by the grammar above; spaces between its parts do not matter.
  ///   - source: who requires it.
  ///   - line: its line in the scenario's file.
  /// - Throws: `ThresholdError` with the column, the text found and the one expected.
  package init(_ text: String, source: String = "", line: Int = 0) throws(ThresholdError) {
    var parser = ThresholdParser(text)
    self = try parser.threshold(source: source, line: line)
  }

  /// The threshold in the grammar's own spacing; reading it gives the same threshold.
  package var text: String { text(of: fullName) }

  /// The name with its label, as it was written.
  package var fullName: String { label.map { "\(name)[\($0)]" } ?? name }

  /// The text of the threshold for a measurement of another name, such as one of several labels.
  func text(of measurement: String) -> String {
    let asked =
      switch condition {
      case .compared(let comparator, let number): "\(comparator.rawValue) \(number.text)"
      case .within(let low, let high): "in \(low.text)..\(high.text)"
      case .relative(let comparator, let margin): "\(comparator.rawValue) baseline\(margin.asMargin)"
      }
    return "\(measurement) \(asked)" + (confidence.map { " at \($0.text)" } ?? "")
  }
}

/// An error in the text of a threshold: a part of the grammar was expected.
package struct ThresholdError: InputError, Hashable {
  let found: String
  /// The column in characters, from 1.
  let column: Int
  let expected: String

  /// One sentence: the text found, its place, and the text expected.
  package var description: String { "found \(found) at column \(column), expected \(expected)." }
}

/// Reads a threshold from left to right.
struct ThresholdParser {
  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    characters = Array(text)
  }

  mutating func threshold(source: String, line: Int) throws(ThresholdError) -> Threshold {
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
    return Threshold(name: name, label: label, condition, confidence: confidence, source: source, line: line)
  }

  private mutating func name() throws(ThresholdError) -> String {
    let start = position
    let name = String(take { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) })
    guard let first = name.first, first.isLetter, name.last != ".", !name.contains("..") else {
      position = start
      throw unexpected("the name of a measurement, words joined by points, for example reconnect.success")
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

  /// Reads `+ MARGIN`, `- MARGIN` or nothing after `baseline`.
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
    return isBelow ? margin.negated : margin
  }

  private mutating func comparator() throws(ThresholdError) -> Threshold.Comparator {
    let start = position
    let sign = String(take { "<>=!≥≤≠~".contains($0) })
    guard let comparator = Threshold.Comparator(rawValue: sign) else {
      position = start
      let meant = ["=": "==", "=<": "<=", "=>": ">=", "≥": ">=", "≤": "<=", "≠": "!=", "<>": "!=", "===": "=="][sign]
      let known = Threshold.Comparator.allCases.map(\.rawValue).joined(separator: " ")
      throw unexpected(
        "one of \(known) in" + Spelling.hint(meant), found: sign.isEmpty ? nil : sign)
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

  /// Digits with `_` or `,` between them if wanted, a fraction, an exponent, a percent sign or a unit; a length of time
  /// as in reports, `1 min 30 s`, is one number.
  private mutating func number(_ expected: String) throws(ThresholdError) -> Threshold.Number {
    skipSpace()
    let start = position
    var text = ""
    if skip("-") { text = "-" } else { _ = skip("+") }
    text += digits()
    // Two points end the number: they separate the ends of an interval.
    if isDigit(at: 1), skip(".") { text += "." + digits() }
    if let sign = next, sign == "e" || sign == "E" {
      let isSigned = position + 1 < characters.count && "+-".contains(characters[position + 1])
      if isDigit(at: isSigned ? 2 : 1) {
        text += "e" + (isSigned ? String(characters[position + 1]) : "")
        position += isSigned ? 2 : 1
        text += digits()
      }
    }
    let unit = skip("%") ? "%" : unit()
    guard let first = text.drop(while: { $0 == "-" }).first, first.isNumber, let value = Double(text), value.isFinite,
      // A number too near 0 to be distinguished from it is refused like one that is too large.
      value != 0 || !text.prefix(while: { $0 != "e" }).contains(where: { ("1"..."9").contains($0) }),
      // The next part of a time may follow a unit of time: 1m30s.
      next.map({ !$0.isLetter && (!$0.isNumber || TimeSpan.seconds(in: unit) != nil) }) ?? true
    else {
      position = start
      throw unexpected(expected)
    }
    let number = Threshold.Number(value == 0 ? 0 : value, unit: unit)
    let end = position
    skipSpace()
    // The next part of a length of time, if there is one.
    if number.isTime, next?.isNumber == true, let rest = try? self.number(expected), rest.isTime {
      return Threshold.Number(number.value + rest.value, unit: "s")
    }
    position = end
    return number
  }

  /// The unit after a number, for a unit of time also after a space; empty if there is none.
  private mutating func unit() -> String {
    let start = position
    skipSpace()
    let word = String(take(while: \.isLetter))
    if TimeSpan.seconds(in: word) != nil || (["k", "M", "G"].contains(word) && position == start + 1) { return word }
    position = start
    return ""
  }

  /// The digits, with `_` between them or `,` between groups of three.
  private mutating func digits() -> String {
    let start = position
    let taken = take { ("0"..."9").contains($0) || $0 == "_" }
    // An underscore must be between digits: one after the last digit is left to be refused by the next reader.
    position -= taken.reversed().prefix { $0 == "_" }.count
    var digits = String(taken.filter { $0 != "_" })
    guard (1...3).contains(position - start) else { return digits }
    while next == ",", (1...3).allSatisfy({ isDigit(at: $0) }), !isDigit(at: 4) {
      position += 1
      digits += take(while: \.isNumber)
    }
    return digits
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

  /// Skips a word if no letter follows it.
  private mutating func skip(word: String) -> Bool {
    let end = position + word.count
    guard characters[position...].starts(with: word), end >= characters.count || !characters[end].isLetter else {
      return false
    }
    position = end
    return true
  }

  /// The error at the next character, which quotes the text up to the next space.
  private func unexpected(_ expected: String, found: String? = nil) -> ThresholdError {
    let rest = found ?? String(characters[position...].prefix { !$0.isWhitespace })
    let shown = rest.isEmpty ? (isAtEnd ? "the end" : "nothing") : "'\(rest)'"
    return ThresholdError(found: shown, column: position + 1, expected: expected)
  }
}

extension Threshold {
  /// Reads a threshold of a scenario: a text, or a mapping with the keys `threshold` and `source`.
  ///
  /// - Throws: `ReportingError.badValue` with the column; `.unknownKey` or `.missingKey` for a mapping.
  package init(_ field: ScenarioField) throws(ReportingError) {
    var (text, source) = (field, "")
    if field.isMapping {
      let map = try field.mapping(keys: ["threshold", "source"])
      text = try map.required("threshold", expected: "a threshold, for example 'rush <= 5% at 0.99'")
      source = try map["source"]?.string() ?? ""
    }
    let written = try text.string(expected: "a threshold, for example 'rush <= 5% at 0.99'")
    do throws(ThresholdError) {
      self = try Threshold(written, source: source, line: text.isOption ? 0 : text.line)
    } catch {
      throw .badValue(
        file: text.file, line: text.line, field: text.path,
        found: "\(error.found) at column \(error.column) of '\(written)'", expected: error.expected)
    }
  }

  /// The measures that the threshold evaluates: the one it names, or one for each label where it names none.
  ///
  /// - Throws: `ReportingError.badValue` if it names no known measure or requires something impossible.
  func named(
    among measures: [Measure], in field: ScenarioField
  ) throws(ReportingError) -> [Measure] {
    let named = measures.filter { $0.fullName == fullName }
    let all = named.isEmpty ? measures.filter(includes) : named
    guard !all.isEmpty else {
      throw bad(in: field, found: "'\(fullName)', which is not measured", expected: known(among: measures))
    }
    for measure in all {
      if let problem = problem(of: measure, bonferroniDivisor: all.count) {
        throw bad(in: field, found: problem.found, expected: problem.expected)
      }
    }
    return all
  }

  /// Returns true if a measure has the name and all parts of the label; a sweep's label is `p95, arrivals=0.9`.
  private func includes(_ measure: Measure) -> Bool {
    guard let label else { return measure.name == name }
    guard let other = measure.label, measure.name == name else { return false }
    return Set(other.split(separator: ", ")).isSuperset(of: label.split(separator: ", "))
  }

  private func bad(in field: ScenarioField, found: String, expected: String) -> ReportingError {
    let path = field.isMapping ? "\(field.path).threshold" : field.path
    return .badValue(file: field.file, line: line, field: path, found: found, expected: expected)
  }

  /// The names to choose from; the measure's labels if only the label is wrong.
  private func known(among measures: [Measure]) -> String {
    let sameName = measures.filter { $0.name == name }
    let candidates = sameName.isEmpty ? Self.unique(measures.map(\.name)) : Self.unique(sameName.map(\.fullName))
    let nearest = Spelling.nearest(to: sameName.isEmpty ? name : fullName, among: candidates)
    guard !candidates.isEmpty else { return "no thresholds: nothing is measured" }
    return "one of \(candidates.joined(separator: ", "))" + Spelling.hint(nearest)
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private typealias Problem = (found: String, expected: String)

  /// The problem of a length of time without its unit, or of a unit that the measure does not have.
  private func unitProblem(of measure: Measure) -> Problem? {
    var numbers = condition.numbers
    if case .relative(_, let margin) = condition, !margin.isPercent { numbers = [margin.size] }
    let isTime = TimeSpan.seconds(ofMeasuresIn: measure.unit) != nil
    guard let odd = numbers.first(where: { $0.isTime != isTime && ($0.isTime || $0.written != 0) }) else { return nil }
    guard isTime else {
      return ("'\(odd.text)'", measure.unit.isEmpty ? "a mere number" : "a number of \(measure.unit), without a unit")
    }
    let digits = NumberFormat.shortest(odd.isPercent ? odd.written : odd.value)
    let readings = [measure.unit, measure.unit == "ms" ? "s" : "ms"].map { "'\(digits)\($0)'" }
    return (
      "'\(odd.text)'",
      "a length of time with its unit, \(readings.joined(separator: " or ")): \(measure.fullName) is one"
    )
  }

  private func problem(of measure: Measure, bonferroniDivisor: Int) -> Problem? {
    if let problem = unitProblem(of: measure) { return problem }
    let name = measure.fullName
    switch measure.kind {
    case .exact, .count:
      let how = measure.kind == .exact ? "computed" : "counted"
      return confidence.map { ("'at \($0.text)'", "no confidence: \(name) is \(how), not sampled") }
    case .proportion, .mean, .interval:
      if let problem = unreachable(for: measure) ?? (measure.isShare ? impossible(for: name) : nil) { return problem }
      let own: Double? =
        if case .interval(let own) = measure.kind { isRelative ? 2 * own - 1 : own } else { nil }
      guard let confidence else {
        let maximum = own.map { LabelVerdict.tidied(1 - (1 - $0) * Double(bonferroniDivisor)) } ?? 1
        guard maximum > 0.5 else {
          return excess(Number(0.99), of: name, over: own ?? 0, bonferroniDivisor: bonferroniDivisor)
        }
        let proposed = NumberFormat.shortest(min(0.99, maximum))
        return ("no confidence", "'\(text) at \(proposed)' or the like: \(name) is sampled")
      }
      return own.flatMap { excess(confidence, of: name, over: $0, bonferroniDivisor: bonferroniDivisor) }
    }
  }

  /// The problem of a condition that no number of samples can decide: a figure with a sampling error equals no number,
  /// unless only whole numbers are possible.
  private func unreachable(for measure: Measure) -> Problem? {
    let name = measure.fullName
    if isRelative, case .interval(let own) = measure.kind, 2 * own - 1 <= 0.5 {
      let both = NumberFormat.shortest(LabelVerdict.tidied(max(0, 2 * own - 1)))
      return (
        "'\(text)'", "a number in place of the baseline: the difference of two intervals of \(name) holds at \(both)"
      )
    }
    switch condition {
    case .compared(.equal, let number) where !measure.isWhole, .compared(.unequal, let number) where !measure.isWhole:
      let isEnd = measure.isShare && (number.value == 0 || number.value == 1)
      let others = isEnd ? number.value == 0 ? "'>' or '>='" : "'<' or '<='" : "'>=', '<=', '>', '<' or 'in LOW..HIGH'"
      return ("'\(text)'", "\(others): no number of samples shows that \(name) is \(number.text)")
    case .relative(.equal, _), .relative(.unequal, _):
      return ("'\(text)'", "'>=', '<=', '>' or '<': no number of samples shows that \(name) is what the baseline has")
    case .within(let low, let high) where low.value == high.value && !measure.isWhole:
      return ("'\(low.text)..\(high.text)'", "an interval of some width: \(name) is sampled")
    default: return nil
    }
  }

  /// The problem of a confidence above that of the measure's interval, which is lower where labels share the error.
  private func excess(_ confidence: Number, of name: String, over own: Double, bonferroniDivisor: Int) -> Problem? {
    guard (1 - confidence.value) / Double(bonferroniDivisor) < (1 - own) * (1 - 1e-9) else { return nil }
    let maximum = LabelVerdict.tidied(1 - (1 - own) * Double(bonferroniDivisor))
    guard maximum > 0.5 else {
      return (
        "'\(fullName)'",
        "a label: \(bonferroniDivisor) cannot share an error of \(NumberFormat.shortest(LabelVerdict.tidied(1 - own)))"
      )
    }
    let why = bonferroniDivisor > 1 ? ", whose error \(bonferroniDivisor) labels share" : ""
    return (
      "'at \(confidence.text)'",
      "at most \(NumberFormat.shortest(maximum)): the interval of \(name) holds at \(NumberFormat.shortest(own))\(why)"
    )
  }

  /// The problem of a number outside 0 to 1 for a share, or of a share of exactly 0 or 1, which no sample can show.
  private func impossible(for name: String) -> Problem? {
    for number in condition.numbers where number.value < 0 || number.value > 1 {
      return ("'\(number.text)'", "a share from 0 to 1 or in percent, for example 0.95 or 95%")
    }
    switch condition {
    case .compared(.atLeast, let number) where number.value == 1, .within(let number, _) where number.value == 1:
      return ("'\(text)'", "a number below 1: no number of samples shows that \(name) is 1")
    case .compared(.atMost, let number) where number.value == 0, .within(_, let number) where number.value == 0:
      return ("'\(text)'", "a number above 0: no number of samples shows that \(name) is 0")
    default: return nil
    }
  }
}
