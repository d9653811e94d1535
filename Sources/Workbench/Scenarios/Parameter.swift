// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Randomness
public import Reporting

/// The reading, writing, description and completion of values of one type, the same for an option and for a key of a
/// scenario.
public struct ValueType<Value: Sendable>: Sendable {
  /// The placeholder of a value in the help, for example `count`.
  public let name: String
  /// The accepted values, for error messages and the reference: "a whole number, 1 to 10,000,000".
  public let expected: String
  /// The accepted words, if they are few: for completion and the schema.
  public let words: [String]
  /// True if several values may be given.
  package let isList: Bool
  /// The JSON Schema of a value.
  public let schema: JSONValue
  /// Reads a value from a field; the error names the expected values.
  public let read: @Sendable (ScenarioField) throws(ReportingError) -> Value
  /// Writes a value for a file.
  public let write: @Sendable (Value) -> JSONValue
  /// The completions that a shell offers for the beginning of a value, where there are more than `words`.
  public var complete: (@Sendable (String) -> [String])?
  /// True if a value is the path of a file that the run writes.
  package var isWritten = false

  /// A type of values; `name` stands for a value in the help, `expected` in errors.
  public init(
    _ name: String, expected: String, words: [String] = [], isList: Bool = false,
    schema: JSONValue = ["type": .array(["string", "number"])],
    read: @escaping @Sendable (ScenarioField) throws(ReportingError) -> Value,
    write: @escaping @Sendable (Value) -> JSONValue
  ) {
    (self.name, self.expected, self.words, self.isList) = (name, expected, words, isList)
    (self.schema, self.read, self.write) = (schema, read, write)
  }

  /// A type with the same texts for other values; `convert` returns `nil` for a value that this type does not have.
  ///
  ///     let even = ValueType<Int>.count(0...100).map(
  ///       expected: "an even number", { $0.isMultiple(of: 2) ? $0 : nil }, back: { $0 })
  public func map<Other>(
    expected: String? = nil, _ convert: @escaping @Sendable (Value) -> Other?,
    back: @escaping @Sendable (Other) -> Value
  ) -> ValueType<Other> {
    let expected = expected ?? self.expected
    return ValueType<Other>(
      name, expected: expected, words: words, isList: isList, schema: schema,
      read: { field throws(ReportingError) in
        guard let value = convert(try read(field)) else { throw field.bad(expected: expected) }
        return value
      }, write: { write(back($0)) })
  }

  /// This type, or a word that stands for no value, for example `unlimited`.
  ///
  ///     let limit = ValueType<Int>.count(1...1_000).or("unlimited")
  public func or(_ word: String) -> ValueType<Value?> {
    ValueType<Value?>(
      name, expected: "\(expected), or \(word)", words: words.isEmpty ? [] : words + [word], isList: isList,
      schema: ["anyOf": .array([schema, ["const": .string(word)]])],
      read: { field throws(ReportingError) in
        if let text = try? field.string(), text == word { return nil }
        do throws(ReportingError) {
          return try read(field)
        } catch {
          guard case .badValue(let file, let line, let path, let found, let wanted) = error else { throw error }
          throw .badValue(file: file, line: line, field: path, found: found, expected: "\(wanted), or \(word)")
        }
      }, write: { $0.map(write) ?? .string(word) })
  }

  /// This type, where a parameter that is left out means no value.
  ///
  ///     let seats: ValueType<Int?> = ValueType<Int>.count(1...1_000).optional
  public var optional: ValueType<Value?> {
    var optional = ValueType<Value?>(
      name, expected: expected, words: words, isList: isList, schema: schema,
      read: { field throws(ReportingError) in try read(field) }, write: { $0.map(write) ?? .null })
    optional.isWritten = isWritten
    return optional
  }

  /// Several values of this type, each once.
  ///
  ///     let sizes: ValueType<[Int]> = ValueType<Int>.count(1...1_000).list()
  public func list() -> ValueType<[Value]> {
    ValueType<[Value]>(
      name, expected: expected, words: words, isList: true,
      schema: [
        "anyOf": .array([
          schema, ["type": "array", "items": schema, "minItems": 1],
        ])
      ],
      read: { field throws(ReportingError) in
        var values: [Value] = []
        var written: Set<JSONValue> = []
        for member in field.members {
          let value = try read(member)
          guard written.insert(write(value)).inserted else { throw member.bad(expected: "each value once") }
          values.append(value)
        }
        guard (1...1_000).contains(values.count) else { throw field.bad(expected: "1 or more of: \(expected)") }
        return values
      }, write: { .array($0.map(write)) })
  }
}

extension ValueType where Value == Int {
  /// A whole number; `1e6`, `300k` and `1_000_000` are read too.
  ///
  ///     let customers: ValueType<Int> = .count(1...1_000_000)
  public static func count(_ range: ClosedRange<Int>) -> Self {
    let expected = Self.expected(range)
    return Self(
      "count", expected: expected,
      schema: [
        "type": .array(["integer", "string"]), "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ],
      read: { field throws(ReportingError) in
        guard let value = WholeNumber.parse(try field.string(expected: expected)), range.contains(value) else {
          throw field.bad(expected: expected)
        }
        return value
      }, write: { .integer($0) })
  }

  /// A rate in a second: `5000/s`, `300k/m`, `5000`.
  ///
  ///     let capacity: ValueType<Int> = .rate(1...1_000_000)
  public static func rate(_ range: ClosedRange<Int>) -> Self {
    let bounds = "\(NumberFormat.grouped(range.lowerBound))/s to \(NumberFormat.grouped(range.upperBound))/s"
    let expected = "a rate, \(bounds), for example 5000/s or 300k/m"
    return Self(
      "rate", expected: expected,
      read: { field throws(ReportingError) in
        let parts = try field.string(expected: expected).split(separator: "/", omittingEmptySubsequences: false)
        let units: [Substring: Int] = ["s": 1, "m": 60, "h": 3_600]
        guard let number = parts.first.flatMap({ WholeNumber.parse($0) }), parts.count <= 2,
          let unit = parts.count == 2 ? units[parts[1]] : 1, number.isMultiple(of: unit), range.contains(number / unit)
        else { throw field.bad(expected: expected) }
        return number / unit
      }, write: { .string("\($0)/s") })
  }

  private static func expected(_ range: ClosedRange<Int>) -> String {
    let low = NumberFormat.grouped(range.lowerBound)
    return range.upperBound == .max
      ? "a whole number, \(low) or more" : "a whole number, \(low) to \(NumberFormat.grouped(range.upperBound))"
  }
}

extension ValueType where Value == UInt64 {
  /// A root seed: any 64 bits.
  ///
  ///     let seed: ValueType<UInt64> = .seed
  public static var seed: Self {
    let expected = "a whole number, 0 to 18446744073709551615"
    return Self(
      "number", expected: expected, schema: ["type": "integer", "minimum": 0],
      read: { field throws(ReportingError) in
        let text = try field.string(expected: expected)
        guard let value = UInt64(text) ?? WholeNumber.parse(text).flatMap({ UInt64(exactly: $0) }) else {
          throw field.bad(expected: expected)
        }
        return value
      }, write: { .unsigned($0) })
  }
}

extension ValueType where Value == Double {
  /// A number; a percent sign divides by a hundred.
  ///
  ///     let arrivals: ValueType<Double> = .number(0...10, isOpen: true, named: "a minute")
  public static func number(_ range: ClosedRange<Double>, isOpen: Bool = false, named name: String = "number") -> Self {
    let (low, high) = (NumberFormat.shortest(range.lowerBound), NumberFormat.shortest(range.upperBound))
    let bounds = isOpen ? "above \(low) and below \(high)" : "\(low) to \(high)"
    let expected = range == -.infinity ... .infinity ? "a number" : "a number, \(bounds)"
    return Self(
      name, expected: expected,
      read: { field throws(ReportingError) in
        let text = try field.string(expected: expected)
        // Shifting the digits rounds once; dividing by 100 would round twice.
        let value = text.hasSuffix("%") ? Double(text.dropLast() + "e-2") : Double(text)
        guard let value, value.isFinite, range.contains(value),
          !isOpen || (value > range.lowerBound && value < range.upperBound)
        else { throw field.bad(expected: expected) }
        return value
      }, write: { .number($0) })
  }

  /// A share from 0 to 1, `5%` being 0.05.
  ///
  ///     let regulars: ValueType<Double> = .share
  public static var share: Self { number(0...1, named: "share") }

  /// A probability above 0 and below 1, such as a confidence.
  ///
  ///     let confidence: ValueType<Double> = .probability
  public static var probability: Self { number(0...1, isOpen: true, named: "probability") }
}

extension ValueType where Value == Duration {
  /// A length of time: `250ms`, `30s`, `5m`, `2h`, `3d`, `1h30m`.
  ///
  ///     let pause: ValueType<Duration> = .duration(.zero ... .seconds(3_600))
  public static func duration(_ range: ClosedRange<Duration>) -> Self {
    let expected = "a length of time, \(TimeSpan.text(range.lowerBound)) to \(TimeSpan.text(range.upperBound))"
    return Self(
      "duration", expected: expected,
      read: { field throws(ReportingError) in
        let text = try field.string(expected: expected)
        guard let value = TimeSpan.parse(text), range.contains(value) else {
          throw field.bad(expected: TimeSpan.expected(expected, in: text))
        }
        return value
      }, write: { .string(TimeSpan.text($0)) })
  }
}

extension ValueType where Value == String {
  /// Any text that is not empty.
  ///
  ///     let title: ValueType<String> = .text("title", expected: "a title")
  public static func text(_ name: String, expected: String) -> Self {
    Self(
      name, expected: expected, schema: ["type": "string"],
      read: { field throws(ReportingError) in try field.string(expected: expected) }, write: { .string($0) })
  }

  /// The path of a file that the run writes. It is refused if the command reads the file or writes it otherwise.
  ///
  ///     let log: ValueType<String> = .writtenFile(expected: "the path of a file")
  public static func writtenFile(expected: String) -> Self {
    var type = text("file", expected: expected)
    type.isWritten = true
    return type
  }

  /// One of some words; a misspelt one suggests the closest match.
  ///
  ///     let order: ValueType<String> = .choice(["first", "shortest"], named: "order")
  public static func choice(_ words: [String], named name: String = "name") -> Self {
    Self(
      name, expected: "one of \(words.joined(separator: ", "))", words: words,
      schema: ["enum": .array(words.map { .string($0) })],
      read: { field throws(ReportingError) in try field.choice(among: words) }, write: { .string($0) })
  }
}

extension ValueType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of an enumeration's raw values.
  ///
  ///     enum Order: String, CaseIterable { case first, shortest }
  ///     let order: ValueType<Order> = .choice
  public static var choice: Self {
    ValueType<String>.choice(Value.allCases.map(\.rawValue)).map {
      Value(rawValue: $0)
    } back: {
      $0.rawValue
    }
  }
}

extension ValueType where Value == Bool {
  /// A flag on the command line; `true` or `false` in a file.
  ///
  ///     let isSettled: ValueType<Bool> = .flag
  public static var flag: Self {
    Self(
      "flag", expected: "true or false", words: ["true", "false"], schema: ["type": "boolean"],
      read: { field throws(ReportingError) in try field.choice(among: ["true", "false"]) == "true" },
      write: { .bool($0) })
  }
}

/// The form of a parameter on the command line.
public enum ParameterForm: Hashable, Sendable {
  case option, flag, positional
}

/// One parameter of an experiment: the only place that states its name, meaning, type, range and example. Option,
/// scenario key, resolved scenario, help, reference and schema follow from it. The default is its value in `Root()`.
public struct Parameter<Root: Sendable>: Sendable {
  /// The key in scenario files; a point separates a mapping from its member: `random.seed`.
  public let key: String
  /// The name on the command line, without dashes: the part after the key's last point unless given.
  package let option: String
  package let form: ParameterForm
  /// The meaning in one sentence, with the unit.
  public let meaning: String
  /// A value that a person might type.
  package let example: String
  package let isRequired: Bool
  package let valueName: String
  /// The accepted values, for errors and the reference.
  public let expected: String
  package let words: [String]
  package let isList: Bool
  package let complete: (@Sendable (String) -> [String])?
  /// True if its value is the path of a file that the run writes.
  package let isWritten: Bool
  package let schema: JSONValue
  /// Reads a value from a field into an experiment.
  public let read: @Sendable (inout Root, ScenarioField) throws(ReportingError) -> Void
  /// The value of an experiment; `nil` if it has none or the parameter does not apply.
  public let write: @Sendable (Root) -> JSONValue?

  /// - Parameters:
  ///   - key: the key in files.
  ///   - path: the property of the experiment that holds the value.
  ///   - type: the type that reads and writes it.
  ///   - meaning: one sentence with the unit.
  ///   - example: a value, without the option's name.
  ///   - option: the option's name if it is not the key's last part.
  ///   - form: an option unless given; a Boolean is a flag.
  ///   - isRequired: whether it has no default.
  ///   - applies: whether the resolved scenario has a line for it.
  public init<Value: Sendable>(
    _ key: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ type: ValueType<Value>, _ meaning: String,
    example: String = "", option: String? = nil, form: ParameterForm? = nil, isRequired: Bool = false,
    when applies: @escaping @Sendable (Root) -> Bool = { _ in true }
  ) {
    self.key = key
    self.option = option ?? String(key.split(separator: ".").last ?? "")
    self.form = form ?? (Value.self == Bool.self ? .flag : .option)
    (self.meaning, self.example, self.isRequired) = (meaning, example, isRequired)
    (valueName, expected, words) = (type.name, type.expected, type.words)
    (isList, schema, complete, isWritten) = (type.isList, type.schema, type.complete, type.isWritten)
    read = { root, field throws(ReportingError) in root[keyPath: path] = try type.read(field) }
    write = { root in
      guard applies(root) else { return nil }
      let value = type.write(root[keyPath: path])
      return value == .null ? nil : value
    }
  }

  /// This parameter as one of a type that holds the experiment; `note` is called when a value was read, and `applies`
  /// decides whether the resolved scenario has a line for it.
  public func within<Outer: Sendable>(
    _ path: any WritableKeyPath<Outer, Root> & Sendable,
    noting note: @escaping @Sendable (inout Outer) -> Void = { _ in },
    when applies: @escaping @Sendable (Outer) -> Bool = { _ in true }
  ) -> Parameter<Outer> {
    Parameter<Outer>(self, path, note, applies)
  }

  private init<Inner: Sendable>(
    _ other: Parameter<Inner>, _ path: any WritableKeyPath<Root, Inner> & Sendable,
    _ note: @escaping @Sendable (inout Root) -> Void, _ applies: @escaping @Sendable (Root) -> Bool
  ) {
    (key, option, form) = (other.key, other.option, other.form)
    (meaning, example, isRequired) = (other.meaning, other.example, other.isRequired)
    (valueName, expected, words) = (other.valueName, other.expected, other.words)
    (isList, schema, complete, isWritten) = (other.isList, other.schema, other.complete, other.isWritten)
    read = { root, field throws(ReportingError) in
      try other.read(&root[keyPath: path], field)
      note(&root)
    }
    write = { root in applies(root) ? other.write(root[keyPath: path]) : nil }
  }

  /// The flag's or option's spelling on the command line; for a positional argument its name.
  package var spelling: String { form == .positional ? "<\(option)>" : "--\(option)" }
}

extension Parameter {
  /// `random.generator` and `random.seed`, the same for every experiment that draws.
  public static func random(
    generator: any WritableKeyPath<Root, String> & Sendable, seed: any WritableKeyPath<Root, UInt64> & Sendable
  ) -> [Parameter] {
    [
      Parameter(
        "random.generator", generator, .choice(GSLGenerator.names, named: "generator"), "The GSL generator.",
        example: "taus2"),
      random(seed: seed),
    ]
  }

  /// `confidence`, the same for every experiment whose tables show intervals that hold individually.
  public static func confidence(_ path: any WritableKeyPath<Root, Double> & Sendable) -> Parameter {
    Parameter("confidence", path, .probability, "The confidence of each interval that tables show.", example: "0.95")
  }

  /// `random.seed` alone, for an experiment whose generator is not chosen.
  package static func random(seed: any WritableKeyPath<Root, UInt64> & Sendable) -> Parameter {
    Parameter("random.seed", seed, .seed, "The root seed.", example: "7")
  }
}
