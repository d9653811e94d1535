// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// A value of a parameter, as typed.
struct Setting: Hashable, Sendable {
  let key: String
  /// The text that the parameter reads.
  let text: String
  /// The value as in files.
  let shown: JSONValue

  /// The label in measures: `arrivals=0.9`.
  var label: String { "\(key)=\(shown.label)" }
}

/// The values that a parameter takes in a sweep.
struct SweepAxis: Hashable, Sendable {
  let key: String
  /// The meaning of the parameter with its unit, for pictures.
  let title: String
  let settings: [Setting]
  let isLogarithmic: Bool
  let written: String

  static let maxPoints = 10_000
}

/// Other values for some parameters, to compare with the present ones.
struct Alternative: Hashable, Sendable {
  let settings: [Setting]
  let written: String

  var label: String { settings.map(\.label).joined(separator: ", ") }
}

/// Two values of a parameter between which a value is searched.
struct SearchRange: Hashable, Sendable {
  let key: String
  /// The meaning of the parameter with its unit, for pictures.
  let title: String
  let low: Quantity
  let high: Quantity
  /// The precision of the answer.
  let precision: Double
  let scale: NumberScale
  let written: String

  /// A value between the two, as the parameter reads it.
  func text(_ value: Quantity) -> String { scale.text(value) }

  /// The setting for a value, read by the parameter's own reader, which may refuse values between two that it accepts.
  func setting<E: Experiment>(_ value: Quantity, of type: E.Type) throws(ReportingError) -> Setting {
    try E.setting(key, text(value), in: ScenarioField(option: "--find", [written]))
  }
}

/// A number of a parameter. Whole numbers are exact: no floating-point number holds every seed of 64 bits.
enum Quantity: Hashable, Sendable, Comparable {
  case whole(Int128)
  case real(Double)

  /// The number for pictures and distances, rounded above 2^53.
  var rounded: Double {
    switch self {
    case .whole(let number): Double(number)
    case .real(let number): number
    }
  }

  static func < (one: Quantity, other: Quantity) -> Bool {
    if case .whole(let one) = one, case .whole(let other) = other { one < other } else { one.rounded < other.rounded }
  }

  /// The distance to a higher number.
  func distance(to higher: Quantity) -> Double {
    if case .whole(let one) = self, case .whole(let other) = higher {
      Double(other - one)
    } else {
      higher.rounded - rounded
    }
  }

  /// The next whole number up or down; the number itself if it is not whole.
  func next(up: Bool) -> Quantity { if case .whole(let one) = self { .whole(up ? one + 1 : one - 1) } else { self } }

  /// The number some parts of `count` above this one, towards a higher one: a whole number is rounded to the nearest,
  /// half a step to the even one, or down.
  func advanced(by parts: Int, of count: Int, to higher: Quantity, roundingDown: Bool = false) -> Quantity {
    guard case .whole(let low) = self, case .whole(let high) = higher else {
      return .real(rounded + (higher.rounded - rounded) * (Double(parts) / Double(count)))
    }
    let (quotient, rest) = ((high - low) * Int128(parts)).quotientAndRemainder(dividingBy: Int128(count))
    let below = low + quotient
    let isUpper = 2 * rest > Int128(count) || 2 * rest == Int128(count) && !below.isMultiple(of: 2)
    return .whole(below + (isUpper && !roundingDown ? 1 : 0))
  }

  /// The number of a logarithmic scale between two positive ones, both of which are exact.
  func advanced(by parts: Int, of count: Int, toLogarithmically higher: Quantity) -> Quantity {
    if parts == 0 { return self }
    if parts == count { return higher }
    let number = rounded * pow(higher.rounded / rounded, Double(parts) / Double(count))
    guard case .whole = self else { return .real(number) }
    let whole = Int128(number.rounded(.toNearestOrEven))
    return min(max(self, .whole(whole)), higher)
  }
}

/// The meaning of a parameter's numbers, and how they are written.
enum NumberScale: Hashable, Sendable {
  case real, whole, rate, duration

  /// The number of a value in a file; `nil` if it has none. Lengths of time are in seconds.
  static func read(_ value: JSONValue) -> (scale: NumberScale, number: Quantity)? {
    switch value {
    case .integer(let number): return (.whole, .whole(Int128(number)))
    case .unsigned(let number): return (.whole, .whole(Int128(number)))
    case .number(let number), .fixed(let number, _): return (.real, .real(number))
    case .string(let text):
      if text.hasSuffix("/s"), let number = WholeNumber.parse(text.dropLast(2)) {
        return (.rate, .whole(Int128(number)))
      }
      return TimeSpan.parse(text).map { (.duration, .real($0 / .seconds(1))) }
    default: return nil
    }
  }

  func text(_ number: Quantity) -> String {
    switch (self, number) {
    case (.rate, .whole(let whole)): "\(whole)/s"
    case (_, .whole(let whole)): "\(whole)"
    case (.duration, .real(let seconds)): TimeSpan.text(.nanoseconds(Int64(exactly: (seconds * 1e9).rounded()) ?? 0))
    case (_, .real(let number)): NumberFormat.shortest(Threshold.LabelVerdict.tidied(number))
    }
  }

  /// True if the values are whole numbers.
  var isDiscrete: Bool { self == .whole || self == .rate }

  var unit: String {
    switch self {
    case .real, .whole: ""
    case .rate: "/s"
    case .duration: "s"
    }
  }
}

extension JSONValue {
  /// The value in a label, which may not contain brackets.
  fileprivate var label: String {
    let text =
      switch self {
      case .string(let text): text
      case .array(let values): values.map(\.label).joined(separator: "+")
      default: yamlInline
      }
    return String(text.map { "[]".contains($0) ? "|" : $0.isNewline ? " " : $0 })
  }
}

// MARK: Reading

extension Experiment {
  /// A parameter by its key or the name of its option; a sweep of single samples (`only`) is refused, and one of the
  /// kinds of samples (`antithetic`), whose shares are not the same measure.
  private static func parameter(_ name: String, in field: ScenarioField) throws(ReportingError) -> Parameter<Self> {
    let known = parameters.filter { !["only", "antithetic"].contains($0.key) }
    guard let found = known.first(where: { $0.key == name }) ?? known.first(where: { $0.option == name }) else {
      throw .unknownKey(
        file: field.file, line: field.line, field: "\(field.path) \(Spelling.excerpt(name))",
        suggestion: Spelling.nearest(to: name, among: known.map(\.key)), known: known.map(\.key))
    }
    return found
  }

  fileprivate static func setting(
    _ key: String, _ text: String, in field: ScenarioField
  ) throws(ReportingError) -> Setting {
    try setting(parameter(key, in: field), text, in: field)
  }

  /// A value, checked by the parameter's own reader.
  private static func setting(
    _ parameter: Parameter<Self>, _ text: String, in field: ScenarioField
  ) throws(ReportingError) -> Setting {
    var scratch = Self()
    try parameter.read(&scratch, field.part(text, of: parameter.key))
    return Setting(key: parameter.key, text: text, shown: parameter.write(scratch) ?? .string(text))
  }

  /// The key and the value of `key=value`.
  private static func pair(
    _ text: String, in field: ScenarioField, expected: String
  ) throws(ReportingError) -> (Parameter<Self>, String) {
    let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw field.bad(expected: expected) }
    return (try parameter(parts[0], in: field), parts[1])
  }

  /// Two numbers, the lower first, with `..` between them.
  private static func ends(
    _ text: Substring, of parameter: Parameter<Self>, in field: ScenarioField
  ) throws(ReportingError) -> (low: Quantity, high: Quantity, scale: NumberScale)? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    let texts = [text[..<dots.lowerBound], text[dots.upperBound...]].map(String.init)
    var numbers: [(scale: NumberScale, number: Quantity)] = []
    for text in texts {
      guard let number = NumberScale.read(try setting(parameter, text, in: field).shown) else {
        throw field.part(text, of: parameter.key).bad(expected: "a number, so that there are values in between")
      }
      numbers.append(number)
    }
    guard numbers[0].scale == numbers[1].scale, numbers[0].number < numbers[1].number else {
      throw field.bad(expected: "the lower end first, then a higher one: \(texts[1])..\(texts[0]) perhaps")
    }
    return (numbers[0].number, numbers[1].number, numbers[0].scale)
  }

  fileprivate static func axis(_ field: ScenarioField) throws(ReportingError) -> SweepAxis {
    let expected = "\(SweepAxis.forms), for example " + example { "\($0)=\($1)..\($2):2" }
    let written = try field.string(expected: expected)
    let (parameter, values) = try pair(written, in: field, expected: expected)
    let isLogarithmic = values.hasPrefix("log:")
    let texts: [String]
    if isLogarithmic || values.contains("..") && !values.contains("../") {
      let parts = values.dropFirst(isLogarithmic ? 4 : 0).split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, let (low, high, scale) = try ends(parts[0], of: parameter, in: field),
        parts.count == 2 || scale.isDiscrete && !isLogarithmic
      else {
        throw field.bad(expected: expected)
      }
      // Without a number of points, all whole numbers.
      let asked = parts.count == 2 ? WholeNumber.parse(parts[1]) : Int(exactly: low.distance(to: high) + 1)
      guard let count = asked, (2...SweepAxis.maxPoints).contains(count) else {
        throw field.bad(expected: "2 to \(NumberFormat.grouped(SweepAxis.maxPoints)) points behind the colon")
      }
      guard !isLogarithmic || low.rounded > 0 else { throw field.bad(expected: "a lower end above 0 behind log:") }
      texts = (0..<count).map { index in
        scale.text(
          isLogarithmic
            ? low.advanced(by: index, of: count - 1, toLogarithmically: high)
            : index == count - 1 ? high : low.advanced(by: index, of: count - 1, to: high))
      }
    } else {
      texts = values.splitOutsideBrackets
    }
    var settings: [Setting] = []
    var labels: Set<String> = []
    for text in texts {
      let one = try setting(parameter, text, in: field)
      guard labels.insert(one.label).inserted else {
        throw field.part(text, of: parameter.key).bad(expected: "each value once")
      }
      settings.append(one)
    }
    return SweepAxis(
      key: parameter.key, title: parameter.axisTitle(in: settings[0].shown), settings: settings,
      isLogarithmic: isLogarithmic, written: written)
  }

  fileprivate static func alternative(_ field: ScenarioField) throws(ReportingError) -> Alternative {
    let expected = "key=value, or several with commas between them, for example " + example { "\($0)=\($2)" }
    let written = try field.string(expected: expected)
    var settings: [Setting] = []
    for text in written.splitOutsideBrackets {
      let (parameter, value) = try pair(text, in: field, expected: expected)
      guard !settings.contains(where: { $0.key == parameter.key }) else {
        throw field.bad(expected: "each key once, and \(parameter.key) comes twice")
      }
      settings.append(try setting(parameter, value, in: field))
    }
    return Alternative(settings: settings, written: written)
  }

  fileprivate static func searchRange(_ field: ScenarioField) throws(ReportingError) -> SearchRange {
    let expected = "key=LOW..HIGH, or key=LOW..HIGH:PRECISION, for example " + example { "\($0)=\($1)..\($2)" }
    let written = try field.string(expected: expected)
    let (parameter, values) = try pair(written, in: field, expected: expected)
    let parts = values.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let range = try ends(parts[0], of: parameter, in: field) else {
      throw field.bad(expected: expected)
    }
    let length = range.low.distance(to: range.high)
    guard length.isFinite else { throw field.bad(expected: "ends that are less far apart") }
    var precision = range.scale.isDiscrete ? 1 : length / 1000
    if parts.count == 2 {
      let text = String(parts[1])
      let number =
        range.scale == .duration ? TimeSpan.parse(text).map { $0 / .seconds(1) } : Double(text)
      guard let number, number >= length * 1e-9, number < length else {
        throw field.bad(expected: "a precision behind the colon, from a billionth of the range to below its length")
      }
      precision = number
    }
    return SearchRange(
      key: parameter.key, title: parameter.axisTitle(in: range.scale.unit), low: range.low, high: range.high,
      precision: precision, scale: range.scale, written: written)
  }

  /// A parameter of numbers for examples, with two values of it, the lower first.
  private static var numbers: (key: String, low: String, high: String)? {
    parameters.lazy.filter { $0.key != "only" && $0.form == .option }.compactMap { one in
      var scratch = Self()
      guard let `default` = one.write(scratch), let low = NumberScale.read(`default`),
        (try? one.read(&scratch, ScenarioField(option: one.key, [one.example]))) != nil,
        let high = one.write(scratch).flatMap(NumberScale.read), low.scale == high.scale, low.number != high.number
      else { return nil }
      let ends = [low, high].sorted { $0.number < $1.number }.map { $0.scale.text($0.number) }
      return (one.key, ends[0], ends[1])
    }.first
  }

  /// True if a parameter has numbers among which a value can be searched.
  static var isSearchable: Bool { numbers != nil }

  /// An example of a sweep, a comparison or a search, as a person might type it.
  static func example(_ text: (_ key: String, _ low: String, _ high: String) -> String) -> String {
    if let (key, low, high) = numbers { return text(key, low, high) }
    return parameters.first { $0.form == .option && !$0.example.isEmpty }.map { "\($0.key)=\($0.example)" } ?? ""
  }
}

extension Parameter {
  /// The meaning with the unit of a number, for pictures.
  fileprivate func axisTitle(in shown: JSONValue) -> String { axisTitle(in: NumberScale.read(shown)?.scale.unit ?? "") }

  /// The meaning with a unit: the given one, or else the name of a number's unit.
  fileprivate func axisTitle(in unit: String) -> String {
    let plain = ["count", "number", "share", "probability", "rate", "duration"]
    let named = plain.contains(valueName) || !words.isEmpty ? "" : valueName
    return meaning.titled(in: unit.isEmpty ? named : unit)
  }
}

extension String {
  /// A sentence as the title of an axis: without its full stop, and with the unit unless it has that.
  package func titled(in unit: String) -> String {
    let title = hasSuffix(".") ? String(dropLast()) : self
    return unit.isEmpty || title.hasSuffix(unit) ? title : "\(title), \(unit)"
  }
}

extension String {
  /// The parts between commas outside brackets.
  fileprivate var splitOutsideBrackets: [String] {
    var (parts, depth) = ([""], 0)
    for character in self {
      depth += "[{".contains(character) ? 1 : "]}".contains(character) ? -1 : 0
      if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

extension SweepAxis {
  fileprivate static let forms =
    "key=LOW..HIGH:POINTS, key=log:LOW..HIGH:POINTS, key=VALUE,VALUE or, of whole numbers, key=LOW..HIGH"
}

extension ValueType where Value == SweepAxis {
  static func axis<E: Experiment>(of type: E.Type) -> Self {
    Self(
      "key=values", expected: SweepAxis.forms, schema: ["type": "string"],
      read: { field throws(ReportingError) in try E.axis(field) }, write: { .string($0.written) })
  }
}

extension ValueType where Value == Alternative {
  static func alternative<E: Experiment>(of type: E.Type) -> Self {
    Self(
      "key=value", expected: "key=value, or several with commas between them", schema: ["type": "string"],
      read: { field throws(ReportingError) in try E.alternative(field) }, write: { .string($0.written) })
  }
}

extension ValueType where Value == SearchRange {
  static func searchRange<E: Experiment>(of type: E.Type) -> Self {
    Self(
      "key=range", expected: "key=LOW..HIGH, with :PRECISION if wanted", schema: ["type": "string"],
      read: { field throws(ReportingError) in try E.searchRange(field) }, write: { .string($0.written) })
  }
}

extension ValueType where Value == Threshold {
  static var threshold: Self {
    Self(
      "threshold", expected: "a threshold, for example 'rush <= 5% at 0.99'", schema: ["type": "string"],
      read: { field throws(ReportingError) in
        let threshold = try Threshold(field)
        guard !threshold.isRelative else { throw field.bad(expected: "a number to compare with, and no baseline") }
        return threshold
      }, write: { .string($0.text) })
  }
}
